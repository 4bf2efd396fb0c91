/**
 * Values typed on the keypad that are not recorded yet: stored on this device, because a phone may drop the page at any
 * time. They are restored for the same person, in the same game, while the same entry is next.
 */

/** @typedef {{ game: string, person: string, entry: number }} Place */
/** @typedef {{ at: string, text: string }} Typed what was typed for a cell that is changed by itself */

/** @param {Place} place */
const storageKey = ({ game }) => `kifu:typed:${game}`;

/**
 * Store the values in the fields of the lines, the `open` one last, and the changed cell. Without typed values, nothing
 * is stored.
 *
 * @param {Record<string, string>} store
 * @param {Place} place
 * @param {{ notation: string, fields: { value: string }[] }[]} lines
 * @param {string} [open] the notation of the line that is open
 * @param {Typed} [cell]
 */
export function storeTyped(store, place, lines, open = "", cell) {
  const typed = lines
    .map(({ notation, fields }) => [notation, fields.map(({ value }) => value)])
    .filter(([, values]) => /** @type {string[]} */ (values).some(Boolean))
    .sort(([one], [other]) => Number(one === open) - Number(other === open));
  try {
    if (typed.length || cell) store[storageKey(place)] = JSON.stringify({ ...place, typed, cell });
    else delete store[storageKey(place)];
  } catch {
    // the storage is full: the values are only in this page
  }
}

/**
 * The values typed before: for each line its notation and fields, and the changed cell.
 *
 * @param {Record<string, string>} store
 * @param {Place} place
 * @returns {{ lines: [string, string[]][], cell?: Typed }}
 */
export function storedValues(store, place) {
  try {
    const { person, entry, typed: lines, cell } = JSON.parse(store[storageKey(place)]);
    if (person === place.person && entry === place.entry) return { lines, cell };
  } catch {
    // nothing is stored, or it is unreadable
  }
  return { lines: [] };
}
