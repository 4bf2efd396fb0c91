/** A letter that shares its capital with another letter. */
const DOTLESS = "ı";

/**
 * Normalize width, case and composed letters, so that names compare as on the service.
 *
 * @param {string} text
 */
export function normalized(text) {
  return text.normalize("NFKC").split(DOTLESS).map(lowerCase).join(DOTLESS).normalize("NFKC");
}

/**
 * Lower case by way of upper case: `ß` becomes `ss`, and both small sigmas become one.
 *
 * @param {string} text
 */
function lowerCase(text) {
  return text.toLowerCase().toUpperCase().toLowerCase();
}

/**
 * The first name that occurs twice, or undefined.
 *
 * @param {string[]} names
 */
export function firstRepeated(names) {
  const known = names.map((name) => normalized(name.trim().replace(/\s+/g, " ")));
  return names.find((name, place) => name.trim() && known.indexOf(known[place]) < place);
}
