/**
 * What entries of a type are called and do: the table of `events/types.py`, which comes along with the page.
 *
 * - `plays`: it plays a move.
 * - `corrects`: it can change the meaning of other entries.
 * - `takes_back`: it takes an entry out.
 * - `changes_all`: it changes the game from its opening on.
 * - `allowed_when_closed`: a closed record takes it.
 *
 * @typedef {{
 *   label: string, plays?: boolean, corrects?: boolean, takes_back?: boolean, changes_all?: boolean,
 *   allowed_when_closed?: boolean,
 * }} EventType
 */

/** @type {Record<string, EventType> | null} */
let types = null;

/**
 * Use a table, in place of the page's.
 *
 * @param {Record<string, EventType>} table
 */
export function useEventTypes(table) {
  types = table;
}

/**
 * What a type is; one that the page does not know, as a newer service has it, goes by its own name.
 *
 * @param {string} name
 * @returns {EventType}
 */
export function eventType(name) {
  types ??= /** @type {Record<string, EventType>} */ (
    JSON.parse(document.getElementById("event-types")?.textContent ?? "{}")
  );
  return types[name] ?? { label: name, corrects: true };
}

/**
 * Whether a record takes entries of a type: a closed one takes few.
 *
 * @param {{ closed: string | null }} record
 * @param {string} name
 */
export function takes({ closed }, name) {
  return !closed || Boolean(eventType(name).allowed_when_closed);
}
