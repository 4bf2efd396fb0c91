import { h } from "../base/dom.js";
import { adjustmentList, breachLines, effectLines, bulletList } from "./entry.js";
import { t } from "../base/language.js";
import { scoreText, seatMark } from "../base/words.js";

/**
 * A preview of an entry, from its dry run: its effects, the broken rules, and the change of the score. A correction
 * shows other `parts`: the state before, and the entries that it changes.
 *
 * @param {Recorded} answer
 * @param {Words} words
 * @param {number[]} [before]
 * @param {any} [parts]
 */
export function previewView(answer, words, before, parts = entryDescription(answer, words)) {
  const { irregular = [], scores, outcome, outcome_before: outcomeBefore } = answer;
  return h(
    "div",
    { class: irregular.length ? "dry-run irregular" : "dry-run" },
    parts,
    h("p", { class: "score-change" }, scoreSentence(answer.scores_before ?? before ?? scores, scores)),
    outcomeBefore && JSON.stringify(outcomeBefore) !== JSON.stringify(outcome)
      ? h(
          "p",
          { class: "outcome" },
          t("The result before: {outcome}", { outcome: h("del", {}, words.outcomeText(outcomeBefore)) }),
        )
      : null,
    outcome
      ? h("p", { class: "outcome" }, h("b", {}, words.outcomeText(outcome)), " ", words.ruleLink(outcome.rule))
      : null,
    outcomeBefore && !outcome ? h("p", { class: "outcome" }, t("The game goes on.")) : null,
  );
}

/**
 * The description of an entry: a replaced one beside the new one, a withdrawn one alone.
 *
 * @param {Recorded} answer
 * @param {Words} words
 * @param {Entry} [was]
 */
export function entryDescription(answer, words, was) {
  return was && answer.notation != null ? beforeAndAfter(was, answer, words) : description(was ?? answer, words);
}

/**
 * The current entry beside the new one.
 *
 * @param {Entry} was
 * @param {Recorded} answer
 * @param {Words} words
 */
function beforeAndAfter(was, answer, words) {
  return h(
    "div",
    { class: "sides" },
    h("section", { class: "was" }, h("h3", {}, t("Before")), description(was, words)),
    h("section", {}, h("h3", {}, t("After")), description(answer, words)),
  );
}

/**
 * @param {Described} entry
 * @param {Words} words
 */
function description({ seat, notation, adjustments = [], effects = [], irregular = [] }, words) {
  return [
    notation &&
      h(
        "p",
        { class: "head" },
        seat == null ? null : [seatMark(seat), h("bdi", { class: "name" }, words.name(seat))],
        h("b", { class: "notation" }, notation),
      ),
    adjustmentList(adjustments),
    bulletList("flags", breachLines(irregular, words)),
    bulletList("effects", effectLines(effects, words)),
  ];
}

/**
 * @param {number[]} before
 * @param {number[]} after
 */
function scoreSentence(before, after) {
  return scoreText(before) === scoreText(after)
    ? t("The score stays {score}.", { score: scoreText(after) })
    : t("The score becomes {after} (it was {before}).", {
        after: h("b", {}, scoreText(after)),
        before: scoreText(before),
      });
}
