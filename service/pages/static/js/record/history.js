/** What a record's entries do to each other, as the service tells it, and which of them change earlier ones. */

export const MOVES = new Set(["move.made", "entry.inserted"]);
export const WITHDRAWING = new Set(["entry.withdrawn", "ruling.revoked"]);
const PLAIN = new Set([
  "move.made",
  "note.added",
  "score.claimed",
  "game.closed",
  "game.reopened",
  "seat.changed",
  "record.signed",
]);

/** @param {{ withdrawn_by?: number | null }} entry */
export function counts(entry) {
  return !entry.withdrawn_by;
}

/**
 * Whether an entry changes nothing of what was recorded before it.
 *
 * @param {Entry} entry
 */
export function isPlain({ type, after, keep, withdraw }) {
  return PLAIN.has(type) || (type === "ruling.given" && !after && !keep && !withdraw);
}

/**
 * The versions, among these entries, that an entry changes something about, directly or through another correction.
 *
 * @param {Entry} entry
 * @param {Entry[]} entries
 * @returns {number[]}
 */
export function touched({ type, entry, after }, entries) {
  if (type === "revision.adopted") return [1]; // the whole game goes by other rules
  const named = [entry ?? 0, after ?? 0].filter((version) => version > 0 && version <= entries.length);
  return named.flatMap((version) => [version, ...touched(entries[version - 1], entries)]);
}
