import { counts } from "../record/history.js";
import { steps } from "../record/curve.js";

/**
 * A moment of a game that is worth a look: the entry, and why. A bookmark was set, or a chance swung. Somebody took the
 * lead for good, won after being so many `points` behind, or got so many at once. Or it was the last move.
 *
 * @typedef {{ version: number, why: "mark", text: string }
 *   | { version: number, why: "swing", swing: Swing }
 *   | { version: number, why: "ahead", seat: number }
 *   | Scored
 *   | { version: number, why: "last" }} Highlight
 * @typedef {{ version: number, why: "behind" | "gain", seat: number, points: number }} Scored
 */

/** How many moments are told. */
const MOST = 3;

/**
 * The moments of a game that are worth a look, in the order in which they happened: what somebody marked first, then what
 * analyses found, then what the scores say.
 *
 * @param {Entry[]} order
 * @param {Outcome | null} outcome
 * @param {string | undefined} wins
 * @param {Swing[]} swings
 */
export function highlights(order, outcome, wins, swings) {
  const places = new Map(order.map(({ version, place }) => [version, place]));
  /** @type {Map<number, Highlight>} */
  const found = new Map();
  for (const each of [...marked(order), ...swung(swings), ...scored(order, outcome, wins), ...last(order)])
    if (found.size < MOST && !found.has(each.version) && places.has(each.version)) found.set(each.version, each);
  return [...found.values()].toSorted((one, other) => placeOf(one, places) - placeOf(other, places));
}

/**
 * @param {Highlight} highlight
 * @param {Map<number, number>} places
 */
function placeOf({ version }, places) {
  return places.get(version) ?? 0;
}

/**
 * @param {Entry[]} order
 * @returns {Highlight[]}
 */
function marked(order) {
  return order
    .filter((each) => each.bookmark && counts(each))
    .map(({ version, entry, text }) => ({ version: entry ?? version, why: "mark", text: text ?? "" }));
}

/**
 * @param {Swing[]} swings
 * @returns {Highlight[]}
 */
function swung(swings) {
  /** @param {Swing} swing */
  const size = ({ before, after }) => Math.abs(after.p - before.p);
  return swings
    .toSorted((one, other) => size(other) - size(one))
    .map((swing) => ({ version: swing.version, why: "swing", swing }));
}

/**
 * What the scores say: who went ahead for good, what was gained at once, and how far the winner was behind.
 *
 * @param {Entry[]} order
 * @param {Outcome | null} outcome
 * @param {string | undefined} wins
 * @returns {Highlight[]}
 */
function scored(order, outcome, wins) {
  const found = steps(order.filter(counts), wins);
  const winner = outcome?.winners.length === 1 ? outcome.winners[0] : null;
  const turned = found.findLast(({ passes }) => passes);
  const ahead = turned?.leaders.length === 1 && turned.leaders[0] === winner ? turned : null;
  /** @type {(Highlight | null)[]} */
  const all = [
    ahead && winner !== null ? { version: ahead.version, why: "ahead", seat: winner } : null,
    greatest(gains(found)),
    winner === null ? null : greatest(deficits(found, winner, wins)),
  ];
  return all.filter((each) => each !== null);
}

/**
 * What each seat got at each step, the opening apart.
 *
 * @param {import("../record/curve.js").Step[]} found
 * @returns {Scored[]}
 */
export function gains(found) {
  return found.slice(1).flatMap(({ version, scores }, at) =>
    scores.map((score, seat) => ({
      version,
      why: /** @type {const} */ ("gain"),
      seat,
      points: score - (found[at].scores[seat] ?? score), // a seat that was added brings no gain
    })),
  );
}

/**
 * How far the winner was behind at each step.
 *
 * @param {import("../record/curve.js").Step[]} found
 * @param {number} winner
 * @param {string | undefined} wins
 * @returns {Scored[]}
 */
export function deficits(found, winner, wins) {
  if (wins === "cooperative") return [];
  const there = found.filter(({ scores }) => winner < scores.length);
  return there.map(({ version, scores }) => {
    const others = scores.filter((_, seat) => seat !== winner);
    const points = wins === "lowest" ? scores[winner] - Math.min(...others) : Math.max(...others) - scores[winner];
    return { version, why: "behind", seat: winner, points };
  });
}

/**
 * The first of the greatest of these; none if none has a point.
 *
 * @param {Scored[]} all
 */
export function greatest(all) {
  const most = Math.max(0, ...all.map(({ points }) => points));
  return most ? (all.find(({ points }) => points === most) ?? null) : null;
}

/**
 * @param {Entry[]} order
 * @returns {Highlight[]}
 */
function last(order) {
  const move = order.findLast((each) => each.notation && counts(each));
  return move ? [{ version: move.version, why: "last" }] : [];
}
