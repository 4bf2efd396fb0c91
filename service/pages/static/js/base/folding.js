/** A letter that has no capital of its own: its capital is that of another letter. */
const DOTLESS = "ı";

/**
 * The text without differences of width, case and composed letters, so that names compare as the service compares them.
 *
 * @param {string} text
 */
export function normalized(text) {
  return text.normalize("NFKC").split(DOTLESS).map(small).join(DOTLESS).normalize("NFKC");
}

/**
 * Small letters, by way of capitals: `ß` is `ss`, and both small sigmas are one.
 *
 * @param {string} text
 */
function small(text) {
  return text.toLowerCase().toUpperCase().toLowerCase();
}

/**
 * The first name that stands at two places; undefined if none does.
 *
 * @param {string[]} names
 */
export function repeated(names) {
  const known = names.map((name) => normalized(name.trim().replace(/\s+/g, " ")));
  return names.find((name, place) => name.trim() && known.indexOf(known[place]) < place);
}
