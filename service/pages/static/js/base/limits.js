/** @type {Record<string, number> | null} */
let limits = null;

/**
 * The most characters of a kind of field, from the service.
 *
 * @param {"line" | "text" | "reason" | "name" | "id" | "label" | "about" | "word" | "formula"} field
 */
export function maxLength(field) {
  limits ??= /** @type {Record<string, number>} */ (JSON.parse(document.body.dataset.limits ?? "{}"));
  return limits[field];
}
