/**
 * What is typed on the keypad and not recorded yet: kept on this device, as a phone may drop the page at any time. It is
 * given back to the same person, in the same game, as long as the same entry is to come next.
 */

/** @typedef {{ game: string, person: string, entry: number }} Place */

/** @param {Place} place */
const keyOf = ({ game }) => `kifu:typed:${game}`;

/**
 * Keep what the fields of the lines hold, that of the `open` one last; where they hold nothing, nothing is kept.
 *
 * @param {Record<string, string>} store
 * @param {Place} place
 * @param {{ notation: string, fields: { value: string }[] }[]} lines
 * @param {string} [open] the notation of the line that is open
 */
export function keepTyped(store, place, lines, open = "") {
  const typed = lines
    .map(({ notation, fields }) => [notation, fields.map(({ value }) => value)])
    .filter(([, values]) => /** @type {string[]} */ (values).some(Boolean))
    .sort(([one], [other]) => Number(one === open) - Number(other === open));
  try {
    if (typed.length) store[keyOf(place)] = JSON.stringify({ ...place, typed });
    else delete store[keyOf(place)];
  } catch {
    // the storage is full: it is in this page alone
  }
}

/**
 * What was typed there before, line by line: the notation and what stood in its fields.
 *
 * @param {Record<string, string>} store
 * @param {Place} place
 * @returns {[string, string[]][]}
 */
export function typedBefore(store, place) {
  try {
    const { person, entry, typed } = JSON.parse(store[keyOf(place)]);
    return person === place.person && entry === place.entry ? typed : [];
  } catch {
    return []; // nothing is kept, or it cannot be read
  }
}
