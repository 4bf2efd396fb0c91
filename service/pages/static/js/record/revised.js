import { h, hint } from "../base/dom.js";
import { t, tn } from "../base/language.js";
import { breachLines, effectLines, entryLink, bulletList } from "./entry.js";
import { scoreText } from "../base/words.js";

/**
 * Show the changes by the newest revision of the rules. With `ask`, a button adopts it.
 *
 * @param {HTMLElement} element
 * @param {Schemas["RevisedGame"]} found
 * @param {GameRecord} record
 * @param {Words} words
 * @param {((form: EntryForm) => void) | null} ask
 */
export function showRevised(element, found, record, words, ask) {
  element.replaceChildren(revisionView(found, record, words), ask ? button(record, found.newest, ask) : "");
}

/**
 * @param {GameRecord} record
 * @param {number} newest
 * @param {(form: EntryForm) => void} ask
 */
function button(record, newest, ask) {
  if (record.closed) return hint(t("The record is closed: reopen it to move the game on to newer rules."));
  return h(
    "div",
    { class: "actions" },
    h(
      "button",
      { type: "button", onclick: () => ask(adoptionForm(newest)) },
      t("Move the game on to revision {revision}", { revision: newest }),
    ),
  );
}

/**
 * The form for adopting a newer revision.
 *
 * @param {number} revision
 * @returns {EntryForm}
 */
function adoptionForm(revision) {
  return {
    title: t("Move the game on to revision {revision}?", { revision }),
    lead: t("It is played through anew by these rules, from its opening on. That is an entry, and can be taken back."),
    verb: t("Move it on"),
    leave: t("Leave it"),
    label: t("the newer rules"),
    reason: { label: t("Reason, if there is one to note") },
    compose: () => ({ type: "revision.adopted", data: { revision } }),
  };
}

/**
 * @param {Schemas["RevisedGame"]} found
 * @param {GameRecord} record
 * @param {Words} words
 */
function revisionView(found, record, words) {
  const { newest, changes, entries, entries_left_out: more } = found;
  return h(
    "section",
    { "aria-label": t("Newer rules") },
    h("h3", {}, t("Newer rules: revision {revision}", { revision: newest })),
    bulletList(
      "changes",
      changes.map((change) => [change]),
    ),
    h("p", {}, changesNothing(found) ? t("They would change nothing here.") : changesSentence(entries.length + more)),
    resultView(found, words),
    entries.length
      ? h(
          "details",
          {},
          h("summary", {}, t("Entry by entry")),
          entries.map((each) => entryView(each, record, words)),
          more ? hint(tn(more, "{count} more is not shown.", "{count} more are not shown.")) : null,
        )
      : null,
  );
}

/**
 * Whether a game is the same under the newer rules, in all that is shown.
 *
 * @param {Pick<Schemas["RevisedGame"], "entries" | "scores" | "scores_after" | "outcome" | "outcome_after">} found
 */
export function changesNothing({ entries, scores, scores_after: after, outcome, outcome_after: ended }) {
  return !entries.length && areEqual(scores, after) && areEqual(outcome, ended);
}

/** @param {number} count */
function changesSentence(count) {
  return count
    ? tn(count, "Newer rules would change {count} entry.", "Newer rules would change {count} entries.")
    : t("Newer rules would change no entry.");
}

/**
 * Scores and outcome before and after, if they differ.
 *
 * @param {Schemas["RevisedGame"]} found
 * @param {Words} words
 */
function resultView({ scores, scores_after: after, outcome, outcome_after: ended }, words) {
  const [before, now] = [h("del", {}, scoreText(scores)), h("b", {}, scoreText(after))];
  return [
    areEqual(scores, after) ? null : h("p", {}, t("Score: {before} {after}", { before, after: now })),
    areEqual(outcome, ended)
      ? null
      : h("p", {}, h("del", {}, outcomeText(outcome, words)), " ", h("b", {}, outcomeText(ended, words))),
  ];
}

/**
 * @param {Schemas["RevisedEntry"]} entry
 * @param {GameRecord} record
 * @param {Words} words
 */
function entryView({ version, notation, before, after }, record, words) {
  const then = words.atPlace(record.placeOf(version));
  return h(
    "div",
    { class: "sides" },
    h(
      "section",
      { class: "was" },
      h("h4", {}, t("{entry} {notation} now", { entry: entryLink(version), notation: h("code", {}, notation ?? "") })),
      resultOf(before, then),
    ),
    h("section", {}, h("h4", {}, t("By newer rules")), resultOf(after, then)),
  );
}

/**
 * The result of an entry under a revision.
 *
 * @param {Schemas["RevisionResult"]} said
 * @param {Words} words
 */
function resultOf({ effects = [], irregular = [], points = [], unreplayable }, words) {
  const gained = points.map(({ points: number, seat, rule }) => [
    h("bdi", {}, words.name(seat)),
    `: ${number} `,
    words.ruleLink(rule),
  ]);
  return [
    unreplayable ? h("p", {}, t("It cannot be carried out: {why}", { why: unreplayable })) : null,
    bulletList("flags", breachLines(irregular, words)),
    bulletList("effects", [...effectLines(effects, words), ...gained]),
  ];
}

/**
 * @param {Outcome | null} outcome
 * @param {Words} words
 */
function outcomeText(outcome, words) {
  return outcome ? words.outcomeText(outcome) : t("The game goes on.");
}

/**
 * @param {unknown} one
 * @param {unknown} other
 */
function areEqual(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
