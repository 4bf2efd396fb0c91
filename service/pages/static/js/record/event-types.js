/**
 * The names and properties of entry types: the table of `events/types.py`, embedded in the page.
 *
 * Code names a type by hand only where it writes such an entry, says it in words, or reads fields that no other type has.
 *
 * - `plays`: it plays a move.
 * - `corrects`: it can change the meaning of other entries.
 * - `takes_back`: it takes an entry out.
 * - `changes_all`: it changes the game from its opening on.
 * - `allowed_when_closed`: a closed record accepts it.
 *
 * @typedef {{
 *   label: string, plays?: boolean, corrects?: boolean, takes_back?: boolean, changes_all?: boolean,
 *   allowed_when_closed?: boolean,
 * }} EventType
 */

/** @type {Record<string, EventType> | null} */
let types = null;

/**
 * Use this table instead of the page's.
 *
 * @param {Record<string, EventType>} table
 */
export function useEventTypes(table) {
  types = table;
}

/**
 * The properties of a type. A type from a newer service has its own name as label.
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
 * Whether a record accepts entries of a type: a closed one accepts few.
 *
 * @param {{ closed: string | null }} record
 * @param {string} name
 */
export function acceptsType({ closed }, name) {
  return !closed || Boolean(eventType(name).allowed_when_closed);
}
