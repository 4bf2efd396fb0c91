/** Translations for the page. Texts in the code are English; other languages come as a script. */
const { locale: chosen = "en", forms = {}, words = {} } = globalThis.kifuWords ?? {};
const plural = new Intl.PluralRules(chosen);

/** The language of the page. */
export const locale = chosen;

/** The language with the reader's country, for dates and numbers. */
export const region = globalThis.navigator?.languages?.find((tag) => tag.split("-")[0] === chosen) ?? chosen;

/**
 * A translated text, with values in place of `{name}`. If a value is an element or a list, the result is a list of
 * children.
 *
 * @template {Values} [V={}]
 * @param {string} text
 * @param {V} [values]
 * @returns {Filled<V>}
 */
export function t(text, values) {
  return filled(/** @type {string} */ (words[text] ?? text), values);
}

/**
 * The form of a text for the number `count`.
 *
 * @template {Values} [V={}]
 * @param {number} count
 * @param {string} one
 * @param {string} more
 * @param {V} [values]
 * @returns {Filled<V>}
 */
export function tn(count, one, more, values) {
  const known = words[one];
  const form = known ? known[forms[plural.select(count)] ?? 0] : count === 1 ? one : more;
  return filled(form, { count, ...values });
}

/**
 * A name in the reader's language, or else in English.
 *
 * @param {Title} names
 */
export function translated(names) {
  return /** @type {Record<string, string>} */ (names)[locale] ?? names.en;
}

/** The names of several people stand as the service writes them: without a comma before the last one. */
const listing = new Intl.ListFormat(locale === "en" ? "en-GB" : locale, { type: "conjunction" });

/**
 * A list in words: "Anna, Ben and Chiara".
 *
 * @param {Child[]} items
 */
export function listInWords(items) {
  const values = Object.fromEntries(items.map((item, index) => [index, item]));
  const places = items.map((_, index) => `{${index}}`);
  return filled(listing.format(places), values);
}

/** Whether the language has no spaces between words. */
export const unspaced = locale === "ja";

/**
 * Items with the comma of the language between them.
 *
 * @param {unknown[]} items
 */
export function joinWithCommas(items) {
  return items.join(t(", "));
}

/**
 * @param {string} text
 * @param {Values} [values]
 * @returns {any}
 */
function filled(text, values = {}) {
  const parts = text.split(/\{(\w+)\}/).map((part, index) => (index % 2 ? (values[part] ?? "") : part));
  return parts.some((part) => typeof part === "object") ? parts : parts.join("");
}
