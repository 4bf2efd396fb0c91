/** What a record's entries do to each other: which count, in which order they happened, what undo and redo take. */

export const MOVES = new Set(["move.made", "entry.inserted"]);
const REPLACING = new Set(["entry.replaced", "move.revealed"]);
export const WITHDRAWING = new Set(["entry.withdrawn", "ruling.revoked"]);
const DONE = new Set([...MOVES, ...REPLACING, "ruling.given", "note.added", "score.claimed", "seat.changed"]);
const PLAIN = new Set(["move.made", "note.added", "score.claimed", "game.closed", "game.reopened", "seat.changed"]);

export function counts(entry) {
  return !entry.withdrawn_by;
}

/** Whether an entry changes nothing of what was recorded before it. */
export function isPlain({ type, after, keep, withdraw }) {
  return PLAIN.has(type) || (type === "ruling.given" && !after && !keep && !withdraw);
}

/** The versions, among these entries, that an entry changes something about, directly or through another correction. */
export function touched({ entry, after }, entries) {
  const named = [entry, after].filter((version) => version && version <= entries.length);
  return named.flatMap((version) => [version, ...touched(entries[version - 1], entries)]);
}

/** The entries in the order in which they happened: what was inserted right behind the entry that it names. */
export function inOrder(entries) {
  const behind = new Map();
  for (const entry of entries) {
    if (entry.after) behind.set(entry.after, [...(behind.get(entry.after) ?? []), entry]);
  }
  const order = [];
  for (const recorded of entries.filter(({ after }) => !after)) {
    for (const waiting = [recorded]; waiting.length;) {
      const entry = waiting.pop();
      order.push(entry);
      waiting.push(...(behind.get(entry.version) ?? []).toReversed());
    }
  }
  return order;
}

/** What undo takes back: the entry recorded last that counts and does anything. */
export function lastDone(entries) {
  return entries.findLast(
    (entry) =>
      DONE.has(entry.type) && counts(entry) && !(REPLACING.has(entry.type) && !counts(entries[entry.entry - 1])),
  );
}

/** What redo takes back: the last withdrawal that counts, as long as nothing was done since. */
export function lastTakenBack(entries) {
  const last = entries.findLast(
    (entry) => WITHDRAWING.has(entry.type) && counts(entry) && !WITHDRAWING.has(entries[entry.entry - 1].type),
  );
  const since = last && entries.slice(last.version).some((entry) => DONE.has(entry.type) && counts(entry));
  return since ? undefined : last;
}

/** Which entries stand irregular by the choice of a correction that counts, and of which one. */
export function keptBy(entries) {
  const kept = new Map();
  for (const entry of entries.filter(counts)) for (const version of entry.keep ?? []) kept.set(version, entry.version);
  return kept;
}
