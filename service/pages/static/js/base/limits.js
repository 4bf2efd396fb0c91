/** @type {Record<string, number> | null} */
let limits = null;

/**
 * How many characters a field takes, as the service has it.
 *
 * @param {"line" | "text" | "reason" | "name" | "id" | "label" | "about" | "word" | "formula"} field
 */
export function limit(field) {
  limits ??= /** @type {Record<string, number>} */ (JSON.parse(document.body.dataset.limits ?? "{}"));
  return limits[field];
}
