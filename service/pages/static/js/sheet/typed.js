/**
 * What is typed on the keypad and not recorded yet: kept on this device, as a phone may drop the page at any time. It is
 * given back to the same person, in the same game, as long as the same entry is to come next.
 */

/** @typedef {{ game: string, person: string, entry: number }} Place */
/** @typedef {{ at: string, text: string }} Typed what was typed for a cell that is changed by itself */

/** @param {Place} place */
const keyOf = ({ game }) => `kifu:typed:${game}`;

/**
 * Keep what the fields of the lines hold, that of the `open` one last, and the cell that is changed. Where nothing was
 * typed, nothing is kept.
 *
 * @param {Record<string, string>} store
 * @param {Place} place
 * @param {{ notation: string, fields: { value: string }[] }[]} lines
 * @param {string} [open] the notation of the line that is open
 * @param {Typed} [cell]
 */
export function keepTyped(store, place, lines, open = "", cell) {
  const typed = lines
    .map(({ notation, fields }) => [notation, fields.map(({ value }) => value)])
    .filter(([, values]) => /** @type {string[]} */ (values).some(Boolean))
    .sort(([one], [other]) => Number(one === open) - Number(other === open));
  try {
    if (typed.length || cell) store[keyOf(place)] = JSON.stringify({ ...place, typed, cell });
    else delete store[keyOf(place)];
  } catch {
    // the storage is full: it is in this page alone
  }
}

/**
 * What was typed there before: of each line the notation and what stood in its fields, and the cell that was changed.
 *
 * @param {Record<string, string>} store
 * @param {Place} place
 * @returns {{ lines: [string, string[]][], cell?: Typed }}
 */
export function typedBefore(store, place) {
  try {
    const { person, entry, typed: lines, cell } = JSON.parse(store[keyOf(place)]);
    if (person === place.person && entry === place.entry) return { lines, cell };
  } catch {
    // nothing is kept, or it cannot be read
  }
  return { lines: [] };
}
