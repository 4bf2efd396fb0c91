import { h } from "../base/dom.js";
import { likelihood } from "../base/figures.js";
import { t, tn } from "../base/language.js";
import { isCounted, readableText } from "../record/history.js";

/**
 * A highlight of a game: the entry, and the reason. A bookmark, or a swing of the chances. The winner took the lead for
 * good (`ahead`), or took it for the last time (`changes`). Somebody won after being this many `points` behind, or got
 * this many at once. Or it was the last move.
 *
 * @typedef {{ version: number, why: "mark", text: string }
 *   | { version: number, why: "swing", swing: Swing }
 *   | { version: number, why: "ahead" | "changes", seats: number[] }
 *   | Scored
 *   | { version: number, why: "last" }} Highlight
 * @typedef {{ version: number, why: "behind" | "gain", seats: number[], points: number }} Scored
 *
 * A sentence of the story, from the analysis `timeline`.
 * @typedef {{
 *   version: number,
 *   what: "first" | "ahead" | "changes" | "gain" | "behind" | "end",
 *   seats: number[],
 *   count?: number,
 * }} Sentence
 */

/** The most highlights. */
const MOST = 3;

/**
 * The highlights of a game, in the order of the game. Bookmarks are chosen first, then results of analyses, then
 * sentences of the story.
 *
 * @param {Entry[]} order
 * @param {Outcome | null} outcome
 * @param {Sentence[]} sentences
 * @param {Swing[]} swings
 */
export function findHighlights(order, outcome, sentences, swings) {
  const places = new Map(order.map(({ version, place }) => [version, place]));
  /** @type {Map<number, Highlight>} */
  const found = new Map();
  for (const each of [
    ...fromBookmarks(order),
    ...fromSwings(swings),
    ...fromSentences(sentences, outcome),
    ...lastMove(order),
  ])
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
function fromBookmarks(order) {
  return order
    .filter((each) => each.bookmark && isCounted(each))
    .map((each) => ({ version: each.entry ?? each.version, why: "mark", text: readableText(each, each.text) ?? "" }));
}

/**
 * @param {Swing[]} swings
 * @returns {Highlight[]}
 */
function fromSwings(swings) {
  /** @param {Swing} swing */
  const size = ({ before, after }) => Math.abs(after.p - before.p);
  return swings
    .toSorted((one, other) => size(other) - size(one))
    .map((swing) => ({ version: swing.version, why: "swing", swing }));
}

/**
 * Highlights from the sentences about leads and points. The last lead counts only if that player won, and not if it was
 * taken at the end.
 *
 * @param {Sentence[]} sentences
 * @param {Outcome | null} outcome
 * @returns {Highlight[]}
 */
function fromSentences(sentences, outcome) {
  /** @param {Sentence["what"][]} kinds */
  const each = (...kinds) => sentences.filter(({ what }) => kinds.includes(what));
  const took = each("ahead", "changes").filter(({ seats }) => String(seats) === String(outcome?.winners));
  const [end] = each("end");
  return [
    ...took.map(({ version, what, seats }) => ({
      version,
      why: /** @type {"ahead" | "changes"} */ (version === end?.version ? "changes" : what),
      seats,
    })),
    ...each("gain").map((sentence) => scoredHighlight(sentence, "gain")),
    ...each("behind").map((sentence) => scoredHighlight(sentence, "behind")),
  ];
}

/**
 * @param {Sentence} sentence
 * @param {Scored["why"]} why
 * @returns {Scored}
 */
function scoredHighlight({ version, seats, count = 0 }, why) {
  return { version, why, seats, points: count };
}

/**
 * @param {Entry[]} order
 * @returns {Highlight[]}
 */
function lastMove(order) {
  const move = order.findLast((each) => each.notation && isCounted(each));
  return move ? [{ version: move.version, why: "last" }] : [];
}

/**
 * The reason for a highlight, with the names of that time (`then`): only people who still have their seat `now` can
 * have won.
 *
 * @param {Highlight} highlight
 * @param {Words} now
 * @param {Words} then
 * @param {Outcome | null} outcome
 * @returns {Child}
 */
export function reasonText(highlight, now, then, outcome) {
  /** @param {number[]} seats */
  const names = (seats) => h("bdi", {}, then.namesText(seats));
  /** @param {number[]} seats */
  const stayed = (seats) => then.namesText(seats) === now.namesText(seats);
  switch (highlight.why) {
    case "mark":
      return ["★ ", highlight.text];
    case "swing": {
      const { seat, before, after, side = [seat] } = highlight.swing;
      return t("{name}’s chance to win went from {before} to {after} %", {
        name: names(side),
        before: likelihood(before),
        after: likelihood(after),
      });
    }
    case "ahead":
    case "changes":
      return highlight.why === "ahead" && stayed(highlight.seats)
        ? t("{name} took the lead and kept it", { name: names(highlight.seats) })
        : t("{name} took the lead for the last time", { name: names(highlight.seats) });
    case "behind": {
      const { points, seats } = highlight;
      const won = seats.length === 1 && String(outcome?.winners) === String(seats) && stayed(seats);
      return comebackText(points, names(seats), won);
    }
    case "gain":
      return tn(highlight.points, "{name} got {count} point at once", "{name} got {count} points at once", {
        name: names(highlight.seats),
      });
    default:
      return t("The last move");
  }
}

/**
 * A sentence about a winner who was behind. Partners, and players of a draw, share it with others.
 *
 * @param {number} points
 * @param {Child} name
 * @param {boolean} won
 */
function comebackText(points, name, won) {
  return won
    ? tn(points, "{name} was {count} point behind, and won", "{name} was {count} points behind, and won", { name })
    : tn(points, "Behind by {count} point: {name}", "Behind by {count} points: {name}", { name });
}
