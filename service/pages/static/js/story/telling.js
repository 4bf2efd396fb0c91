import { counts } from "../record/history.js";
import { steps } from "../record/curve.js";
import { deficits, gains, greatest } from "./highlights.js";

/**
 * A sentence of a game's story, with the entry that it rests on.
 *
 * It says who led first, how often the lead changed, and who got how many points at once. It says how far behind the later
 * winner was, where a chance swung most, since when the winner led for good, or how the game ended.
 *
 * @typedef {{ version: number, what: "first" | "ahead", seat: number }
 *   | { version: number, what: "changes", count: number }
 *   | { version: number, what: "gain" | "behind", seat: number, count: number }
 *   | { version: number, what: "swing", swing: Swing }
 *   | { version: number, what: "end" }} Sentence
 */

/**
 * What happened in a game, sentence by sentence, in the order in which it happened.
 *
 * @param {Entry[]} order
 * @param {Outcome | null} outcome
 * @param {string | undefined} wins
 * @param {Swing[]} swings
 * @returns {Sentence[]}
 */
export function sentences(order, outcome, wins, swings) {
  const counting = order.filter(counts);
  const places = new Map(counting.map(({ version, place }) => [version, place]));
  const found = steps(counting, wins);
  const winner = outcome?.winners.length === 1 ? outcome.winners[0] : null;
  const swing = swings.toSorted((one, other) => size(other) - size(one))[0];
  const gain = greatest(gains(found));
  const behind = winner === null ? null : greatest(deficits(found, winner, wins));
  const end = outcome && counting.findLast(({ notation, type }) => notation || type === "ruling.given");
  /** @type {(Sentence | null | undefined)[]} */
  const all = [
    ...leads(found, winner),
    gain && { version: gain.version, what: "gain", seat: gain.seat, count: gain.points },
    behind && { version: behind.version, what: "behind", seat: behind.seat, count: behind.points },
    swing && { version: swing.version, what: "swing", swing },
    end && { version: end.version, what: "end" },
  ];
  return all
    .filter((each) => each != null && places.has(each.version))
    .map((each) => /** @type {Sentence} */ (each))
    .toSorted((one, other) => (places.get(one.version) ?? 0) - (places.get(other.version) ?? 0));
}

/** @param {Swing} swing */
function size({ before, after }) {
  return Math.abs(after.p - before.p);
}

/**
 * Who led first; how often another one came to lead, or since when the winner did, if that was once.
 *
 * @param {import("../record/curve.js").Step[]} found
 * @param {number | null} winner
 * @returns {Sentence[]}
 */
function leads(found, winner) {
  const alone = found.filter(({ leaders, scores }) => leaders.length === 1 && scores.length > 1);
  const changes = alone.filter(({ leaders }, at) => at === 0 || alone[at - 1].leaders[0] !== leaders[0]);
  if (!changes.length) return [];
  const [first, last] = [changes[0], changes[changes.length - 1]];
  const ahead = found.findLast(({ passes }) => passes);
  /** @type {Sentence[]} */
  const told = [{ version: first.version, what: "first", seat: first.leaders[0] }];
  if (changes.length > 2) told.push({ version: last.version, what: "changes", count: changes.length - 1 });
  else if (changes.length === 2 && ahead?.leaders.length === 1 && ahead.leaders[0] === winner)
    told.push({ version: ahead.version, what: "ahead", seat: winner });
  return told;
}
