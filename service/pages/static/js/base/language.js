/** The words of the page in the reader's language. Those in the code are English; other languages come as a script. */
const { locale: chosen = "en", forms = {}, words = {} } = globalThis.kifuWords ?? {};
const plural = new Intl.PluralRules(chosen);

/** The language of the page. */
export const locale = chosen;

/** The language with the reader's country, for dates and numbers. */
export const region = navigator.languages?.find((tag) => tag.split("-")[0] === chosen) ?? chosen;

/**
 * A text in the reader's language, with the values in the places that `{name}` marks. With an element or a list among
 * the values it is a list of children.
 */
export function t(text, values = {}) {
  return filled(words[text] ?? text, values);
}

/** The form of a text that fits to a number, which is the value `count`. */
export function tn(count, one, more, values = {}) {
  const known = words[one];
  const form = known ? known[forms[plural.select(count)] ?? 0] : count === 1 ? one : more;
  return filled(form, { count, ...values });
}

/** What something is called that has a name in several languages; in English, if it has none in this one. */
export function named(names) {
  return names[locale] ?? names.en;
}

/** A name with the Japanese one beside it in English, else in the language of the page alone. */
export function both(names) {
  if (locale !== "en") return [named(names)];
  const japanese = document.createElement("span");
  japanese.lang = "ja";
  japanese.append(names.ja);
  return [names.en, " ", japanese];
}

/** A list of names or the like as people say it: "Anna, Ben and Chiara". */
export function listed(items) {
  const values = Object.fromEntries(items.map((item, index) => [index, item]));
  const places = items.map((_, index) => `{${index}}`);
  return filled(new Intl.ListFormat(locale, { type: "conjunction" }).format(places), values);
}

function filled(text, values) {
  const parts = text.split(/\{(\w+)\}/).map((part, index) => (index % 2 ? (values[part] ?? "") : part));
  return parts.some((part) => typeof part === "object") ? parts : parts.join("");
}
