import { h } from "../base/dom.js";
import { adjustmentList, breachLines, brief, effectLines, list } from "./entry.js";
import { t, tn } from "../base/language.js";
import { score, stone } from "../base/words.js";

const FEW = 6;

/**
 * What an entry would do, as a dry run of it says: its effects, the rules that it breaks, and the change of the score. A
 * correction also shows what was before, and the other entries that it changes. `was` is the corrected entry, and `record`
 * its record.
 *
 * @param {Recorded} answer
 * @param {{ before?: number[], was?: Entry, record?: GameRecord }} known
 * @param {Words} words
 */
export function preview(answer, { before, was, record }, words) {
  const { irregular = [], scores, outcome, outcome_before: outcomeBefore } = answer;
  return h(
    "div",
    { class: irregular.length ? "dry-run irregular" : "dry-run" },
    was ? beforeAndAfter(was, answer, words) : description(answer, words),
    record ? consequences(answer, was, record, words) : null,
    h("p", { class: "score-change" }, change(answer.scores_before ?? before ?? scores, scores)),
    outcomeBefore && JSON.stringify(outcomeBefore) !== JSON.stringify(outcome)
      ? h(
          "p",
          { class: "outcome" },
          t("It ended so before: {outcome}", { outcome: h("del", {}, words.outcome(outcomeBefore)) }),
        )
      : null,
    outcome ? h("p", { class: "outcome" }, h("b", {}, words.outcome(outcome)), " ", words.rule(outcome.rule)) : null,
    outcomeBefore && !outcome ? h("p", { class: "outcome" }, t("The game goes on.")) : null,
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
        seat == null ? null : [stone(seat), h("bdi", { class: "name" }, words.name(seat))],
        h("b", { class: "notation" }, notation),
      ),
    adjustmentList(adjustments),
    list("flags", breachLines(irregular, words)),
    list("effects", effectLines(effects, words)),
  ];
}

/**
 * The entry as it is, beside what becomes of it.
 *
 * @param {Entry} was
 * @param {Recorded} answer
 * @param {Words} words
 */
function beforeAndAfter(was, answer, words) {
  const gone = answer.notation == null;
  return h(
    "div",
    { class: "sides" },
    h("section", { class: "was" }, h("h3", {}, t("Before")), description(was, words)),
    h(
      "section",
      {},
      h("h3", {}, t("After")),
      gone ? h("p", {}, t("It no longer counts.")) : description(answer, words),
    ),
  );
}

/**
 * @param {Recorded} answer
 * @param {Entry | undefined} was
 * @param {GameRecord} record
 * @param {Words} words
 */
function consequences({ consequences: all = [], consequences_left_out: more = 0, version }, was, record, words) {
  const own = new Set([was?.version, version]);
  const later = all.filter((changed) => !own.has(changed.version));
  if (!later.length) return null;
  const lines = list(
    "consequences",
    later.map((changed) => consequence(changed, record, words)),
  );
  const title = tn(later.length + more, "{count} other entry changes", "{count} other entries change");
  return h(
    "details",
    { open: later.length <= FEW },
    h("summary", {}, title),
    lines,
    more ? h("p", { class: "hint" }, tn(more, "{count} more is not shown.", "{count} more are not shown.")) : null,
  );
}

/**
 * @param {Schemas["Consequence"]} changed
 * @param {GameRecord} record
 * @param {Words} words
 */
function consequence({ version, before, after, irregular = [] }, record, words) {
  const then = words.at(record.placeOf(version));
  const lost = after ? without(before ?? [], after) : []; // that it counts no more says all of it
  const gained = without(after ?? [], before ?? []);
  return [
    h("p", {}, h("b", {}, t("Entry {version}", { version })), " ", brief(record.entries[version - 1], then)),
    before === null && h("p", {}, t("It counts again.")),
    after === null && h("p", {}, t("It no longer counts.")),
    list("flags", breachLines(irregular, then)),
    list("effects", [
      ...effectLines(lost, then).map((line) => t("no longer: {effect}", { effect: h("del", {}, line) })),
      ...effectLines(gained, then).map((line) => t("now: {effect}", { effect: h("ins", {}, line) })),
    ]),
  ];
}

/**
 * The effects that are not among others.
 *
 * @param {Effect[]} effects
 * @param {Effect[]} others
 */
export function without(effects, others) {
  const left = others.map((effect) => JSON.stringify(effect));
  return effects.filter((effect) => {
    const at = left.indexOf(JSON.stringify(effect));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/**
 * @param {number[]} before
 * @param {number[]} after
 */
function change(before, after) {
  return score(before) === score(after)
    ? t("The score stays {score}.", { score: score(after) })
    : t("The score becomes {after} (it was {before}).", { after: h("b", {}, score(after)), before: score(before) });
}
