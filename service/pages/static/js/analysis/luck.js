import { h, hint } from "../base/dom.js";
import { t, tn } from "../base/language.js";
import { capitalized } from "../base/words.js";
import { oneDecimal } from "./figures.js";
import { table } from "./tables.js";

/** @typedef {{ what: string | Child[], n: number, count: Counted }} Outcomes */

/**
 * All chance events compared with their odds: the most notable figure in a sentence, and everything in tables.
 *
 * @param {Luck} found
 * @param {Words} words
 */
export function luckView(found, words) {
  const { n, left_out: leftOut, kinds, sampled, sample } = found;
  if (!n) return hint(countSentence(found, words));
  return h(
    "div",
    {},
    h("p", {}, countSentence(found, words)),
    kinds.map((kind) => kindView(kind, words)),
    hint(
      leftOut ? [leftOutSentence(leftOut), " "] : "",
      sampled ? [sampleSentence(sampled, sample), " "] : "",
      t("“±” is one standard deviation; by chance alone, one figure of twenty is off by more than two."),
    ),
  );
}

/** @param {number} count */
function leftOutSentence(count) {
  return tn(
    count,
    "{count} event is left out: its result is unknown.",
    "{count} events are left out: their results are unknown.",
  );
}

/**
 * @param {number} count
 * @param {Luck["sample"]} size
 */
function sampleSentence(count, size) {
  return tn(
    count,
    "The odds of {count} event come from a sample of {size} or more ways in which hidden cards can lie: there are too many to count all.",
    "The odds of {count} events come from samples of {size} or more ways in which hidden cards can lie: there are too many to count all.",
    { size },
  );
}

/**
 * What can be known exactly of luck, in a sentence: the most notable figure, corrected for the number of figures; or
 * that luck was ordinary, or that it is hidden.
 *
 * @param {Pick<Luck, "n" | "left_out" | "figures" | "extreme">} found
 * @param {Words} words
 */
export function countSentence({ n, left_out: leftOut, figures, extreme }, words) {
  if (extreme) return extremeSentence(extreme, figures, words);
  return leftOut && !n
    ? tn(
        leftOut,
        "Not enough is known: the result of {count} event of chance is hidden from here.",
        "Not enough is known: the results of {count} events of chance are hidden from here.",
      )
    : null;
}

/**
 * @param {LuckExtreme} extreme
 * @param {number} figures
 * @param {Words} words
 */
function extremeSentence(extreme, figures, words) {
  if (!extreme.stands_out)
    return t("Luck was ordinary: chance alone explains the differences in all {figures} figures.", { figures });
  const { title: kind, seat, outcome, brought_to: to, count, by_chance: part } = extreme;
  const what =
    to == null
      ? capitalized(words.translatePhrase(outcome ?? ""))
      : t("brought to {name}", { name: h("bdi", {}, words.name(to)) });
  const owner = seat == null ? null : [h("bdi", {}, words.name(seat)), " · "];
  const values = {
    figures,
    what: h("span", {}, capitalized(words.translatePhrase(kind)), " · ", owner, h("b", {}, what)),
    got: count.got,
    difference: oneDecimal(Math.abs(count.got - count.expected)),
    expected: oneDecimal(count.expected),
    percent: Math.ceil(part * 100),
  };
  return count.got > count.expected
    ? t(
        "{what}: {got}, {difference} more than expected ({expected}). That is the most extreme of {figures} figures: by chance alone, one of so many is as far off in at most {percent} of 100 games.",
        values,
      )
    : t(
        "{what}: {got}, {difference} fewer than expected ({expected}). That is the most extreme of {figures} figures: by chance alone, one of so many is as far off in at most {percent} of 100 games.",
        values,
      );
}

/**
 * @param {LuckKind} kind
 * @param {Words} words
 */
function kindView(kind, words) {
  const who = kind.seat == null ? null : [" · ", h("bdi", {}, words.name(kind.seat))];
  const rows = [
    ...kind.outcomes.map(({ outcome, count }) => ({ what: outcome, n: kind.n, count })),
    ...kind.brought.map(({ seat, n, count }) => ({
      what: [t("brought to {name}", { name: h("bdi", {}, words.name(seat)) })],
      n,
      count,
    })),
  ];
  return h(
    "div",
    {},
    h("h4", {}, capitalized(words.translatePhrase(kind.title)), who),
    kind.n ? outcomesTable(kind, rows, words) : hint(t("Nobody noted the result.")),
  );
}

/**
 * @param {LuckKind} kind
 * @param {Outcomes[]} rows
 * @param {Words} words
 */
function outcomesTable(kind, rows, words) {
  const all = table(
    words.translatePhrase(kind.title),
    [t("What"), t("Came"), t("To be expected"), "n"],
    rows.map((each) => outcomeRow(each, words)),
  );
  return h("details", {}, h("summary", {}, t("All outcomes")), all);
}

/**
 * @param {Outcomes} outcome
 * @param {Words} words
 */
function outcomeRow({ what, n, count }, words) {
  return [
    typeof what === "string" ? capitalized(words.translatePhrase(what)) : what,
    String(count.got),
    expectedText(count),
    String(n),
  ];
}

/** @param {{ expected: number, sd: number }} count */
function expectedText({ expected: mean, sd }) {
  return `${oneDecimal(mean)} ± ${oneDecimal(sd)}`;
}
