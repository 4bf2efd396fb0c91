import { h, hint } from "../base/dom.js";
import { roundFigure, wholePercent } from "../base/figures.js";
import { region, t, tn } from "../base/language.js";
import { capitalized } from "../base/words.js";
import { marginText, oddsText } from "./figures.js";
import { sideName, standsForSide } from "./sides.js";
import { table, entryLink } from "./tables.js";

/** The widest margin of figures that are shown. */
export const WIDEST_MARGIN = 0.2;
/** The number of events that are shown at first. */
const LISTED = 5;

/**
 * Percentage points of winning chance, with the margin: “11 ± 4”.
 *
 * @param {Worth} worth
 */
export function pointsText({ p, margin }) {
  return `${signedNumber(100 * p)} ± ${marginText(margin)}`;
}

/** @param {number} figure */
function signedNumber(figure) {
  const whole = roundFigure(figure);
  return whole < 0 ? `−${-whole}` : String(whole);
}

/**
 * Whether a figure is certain: 0 is outside of its margin, also as both are told. “4 ± 4” is not certain.
 *
 * @param {Worth} worth
 */
export function isCertain({ p, margin }) {
  return Math.abs(p) > margin && wholePercent(Math.abs(p)) > Number(marginText(margin));
}

/**
 * The source of the figures: the number of simulated games and their precision.
 *
 * @param {PlayedOn} found
 * @param {Words} words
 */
export function methodHint({ policy, policy_revision: revision, blunders = 0, games, enough }, words) {
  if (!games) return hint(t("No games were simulated."));
  return hint(
    t(
      "From {games} games simulated by “{policy}” (revision {revision}), {blunders} of 100 moves at random; the true value lies within “±” 95 times of 100.",
      { games: games.toLocaleString(region), policy: words.translatePhrase(policy), revision, blunders },
    ),
    enough ? "" : [" ", t("These games are too few for the requested precision.")],
  );
}

/**
 * The worth of chance for everybody: sums in words, the largest strokes of luck, and all events as a table.
 *
 * @param {LuckWorth} found
 * @param {Words} words
 */
export function worthView(found, words) {
  if (!found.n) return hint(t("Not enough is known."), " ", leftOutSentence(found.left_out));
  /** @param {number} seat */
  const name = (seat) => sideName(found, seat, words);
  return h(
    "div",
    {},
    sumSentences(found, name, words).map((sentence) => h("p", {}, sentence)),
    strokesList(found, words),
    eventsTable(found, name, words),
    found.left_out ? hint(leftOutSentence(found.left_out)) : null,
    methodHint(found, words),
  );
}

/**
 * The largest strokes of luck, if any is notable.
 *
 * @param {LuckWorth} found
 * @param {Words} words
 */
function strokesList(found, words) {
  const known = strokesOfLuck(found).slice(0, LISTED);
  if (!known.length) return hint(t("For every single event, the margin of error is larger than the effect."));
  return [
    h(
      "ul",
      { class: "swings" },
      known.map(({ event, seat }) =>
        h("li", {}, strokeSentence(event, withJointMargin(event.worth[seat], found), seat, found, words)),
      ),
    ),
    hint(
      t("These stand out of {n} events of chance: in 95 of 100 cases the true values of all of them lie within “±”.", {
        n: found.n,
      }),
    ),
  ];
}

/** @param {number} count */
export function leftOutSentence(count) {
  return tn(
    count,
    "{count} event of chance is left out: its result or its effect is unknown.",
    "{count} events of chance are left out: their results or their effects are unknown.",
  );
}

/**
 * The events with a certain worth, by a margin for all events together, largest first. Each has a seat: that with the
 * largest certain gain, or else the one with the largest loss.
 *
 * @template {{ worth: Worth[] }} T
 * @param {{ events: T[], wider: number }} found
 */
export function strokesOfLuck({ events, wider }) {
  return events
    .flatMap((event) => {
      const known = event.worth
        .map(({ p }, seat) => ({ event, seat, p }))
        .filter(
          ({ seat }) =>
            event.worth[seat].margin <= WIDEST_MARGIN && isCertain(withJointMargin(event.worth[seat], { wider })),
        );
      const gains = known.filter(({ p }) => p > 0);
      return (gains.length ? gains : known).toSorted((one, other) => Math.abs(other.p) - Math.abs(one.p)).slice(0, 1);
    })
    .toSorted((one, other) => Math.abs(other.p) - Math.abs(one.p));
}

/**
 * A worth with a margin that is valid for all events together: the largest of many looks larger than it is.
 *
 * @param {Worth} worth
 * @param {{ wider: number }} found
 */
function withJointMargin({ p, margin }, { wider }) {
  return { p, margin: margin * wider };
}

/**
 * @param {Pick<LuckWorth, "kinds" | "sides">} found
 * @param {(seat: number) => Child} name
 * @param {Words} words
 */
export function sumSentences(found, name, words) {
  return found.kinds
    .filter(({ n }) => n)
    .flatMap(({ title: what, seat, n, worth }) => {
      const seats = seat == null ? [...worth.keys()].filter((each) => standsForSide(found, each)) : [seat];
      return seats.map((each) =>
        sumSentence({ what: capitalized(words.translatePhrase(what)), n }, each, worth[each], name),
      );
    });
}

/**
 * “Cards drawn unseen, 2 ×, for Jonas: worth 11 ± 4 points of winning chance.”
 *
 * @param {{ what: string, n: number }} sum
 * @param {number} each
 * @param {Worth} worth
 * @param {(seat: number) => Child} name
 */
function sumSentence({ what, n }, each, worth, name) {
  const values = { name: name(each), what, times: n, points: pointsText(worth) };
  if (worth.margin > WIDEST_MARGIN)
    return t("{what}, {times} ×, for {name}: too little is known to tell what it was worth.", values);
  return isCertain(worth)
    ? t("{what}, {times} ×, for {name}: worth {points} points of winning chance.", values)
    : t("{what}, {times} ×, for {name}: worth {points} points of winning chance, which is too close to tell.", values);
}

/**
 * A stroke of luck, in a sentence about a seat.
 *
 * @param {ChanceEvent} event
 * @param {Worth} worth
 * @param {number} seat
 * @param {LuckWorth} found
 * @param {Words} words
 */
function strokeSentence({ version, outcome, odds }, { p, margin }, seat, found, words) {
  const values = {
    entry: entryLink(version),
    outcome: capitalized(words.translatePhrase(outcome)),
    odds: oddsText(odds),
    points: pointsText({ p: Math.abs(p), margin }),
    name: sideName(found, seat, words.atEntry(version)),
  };
  return p > 0
    ? t("{entry}: {outcome} ({odds} likely) was worth {points} points to {name}", values)
    : t("{entry}: {outcome} ({odds} likely) cost {name} {points} points", values);
}

/**
 * @param {LuckWorth} found
 * @param {(seat: number) => Child} name
 * @param {Words} words
 */
function eventsTable(found, name, words) {
  const { events } = found;
  const sides = [...events[0].worth.keys()].filter((seat) => standsForSide(found, seat));
  const rows = events.map(({ version, outcome, odds, n, worth }) => [
    entryLink(version, String(version)),
    capitalized(words.translatePhrase(outcome)),
    oddsText(odds),
    ...sides.map((seat) => pointsText(worth[seat])),
    String(n),
  ]);
  const made = table(
    t("What each event of chance was worth"),
    [t("Entry"), t("Came"), t("Odds"), ...sides.map(name), "n"],
    rows,
  );
  return h("details", {}, h("summary", {}, t("All events of chance")), made);
}
