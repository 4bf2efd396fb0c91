/** The relations between entries: which correct others, and which count. */
import { eventType } from "./event-types.js";

/** @param {{ withdrawn_by?: number | null }} entry */
export function isCounted(entry) {
  return !entry.withdrawn_by;
}

/** @param {{ kind: string }} effect */
const endsGame = ({ kind }) => kind.startsWith("game.");

/**
 * The entry that ended the game, in the order of the game; undefined if it goes on, or ended without one.
 *
 * @param {Entry[]} order
 */
export function endingEntry(order) {
  return order.findLast((entry) => isCounted(entry) && entry.effects?.some(endsGame));
}

/**
 * Whether the move that ended a game was the last and had no other effect: it can be taken back without loss.
 *
 * @param {Entry} last
 * @param {Entry[]} order
 */
export function onlyEndsGame(last, order) {
  const moves = order.filter((entry) => isCounted(entry) && eventType(entry.type).plays);
  return moves.at(-1) === last && Boolean(last.effects?.every(endsGame));
}

/**
 * Whether an entry leaves all earlier entries unchanged.
 *
 * @param {Entry} entry
 */
export function changesNothingEarlier({ type, entry, after, keep, withdraw }) {
  const { corrects, changes_all: all } = eventType(type);
  return !corrects || !(all || entry || after || keep || withdraw);
}

/**
 * The versions of these entries that an entry corrects, directly or through another correction.
 *
 * @param {Entry} entry
 * @param {Entry[]} entries
 * @returns {number[]}
 */
export function correctedVersions({ type, entry, after }, entries) {
  if (eventType(type).changes_all) return [1];
  const named = [entry ?? 0, after ?? 0].filter((version) => version > 0 && version <= entries.length);
  return named.flatMap((version) => [version, ...correctedVersions(entries[version - 1], entries)]);
}

/**
 * The readable text of an entry; empty if it was erased.
 *
 * @param {Pick<Entry, "erased">} entry
 * @param {string | null | undefined} text
 */
export function readableText({ erased = [] }, text) {
  return erased.some(({ what }) => what === "text") ? null : text;
}
