import { get } from "../base/api.js";
import { h, hint, refill } from "../base/dom.js";
import { breachLines, effectLines, list } from "./entry.js";
import { whenSeen } from "../base/seeing.js";
import { counted, score } from "../base/words.js";

/**
 * By which revision of its rules the game goes; once it is looked at, what the newest one would change, and for whoever
 * may rule the button that moves the game on.
 */
export function showRevision(fact, element, record, words, permit, dialog) {
  let known = "";
  const newest = words.ruleset.revision;
  record.addEventListener("entries", () => {
    if (!record.info) return;
    const { ruleset, revision, adopted_by: by } = record.info;
    refill(fact, `${ruleset}, revision ${revision}`, ...(by ? [", adopted in ", link(by)] : []));
    if (revision >= newest) return element.replaceChildren();
    const key = `${record.head} ${record.viewpoint}`;
    if (key === known) return;
    known = key;
    whenSeen(element, async () => {
      const { body } = await get(record.address("revisions"));
      const may = dialog && permit.may("games:rule");
      element.replaceChildren(revised(body, record, words), may ? button(record, newest, dialog) : "");
    });
  });
}

function button(record, newest, dialog) {
  if (record.closed) return hint("The record is closed: reopen it to move the game on to newer rules.");
  return h(
    "div",
    { class: "actions" },
    h(
      "button",
      { type: "button", onclick: () => dialog.ask(adoption(newest)) },
      `Move the game on to revision ${newest}`,
    ),
  );
}

/** The deed by which a game goes by newer rules. */
function adoption(revision) {
  return {
    title: `Move the game on to revision ${revision}?`,
    lead: "It is played through anew by these rules, from its opening on. That is an entry, and can be taken back.",
    verb: "Move it on",
    leave: "Leave it",
    label: "the newer rules",
    reason: { label: "Reason, if there is one to note" },
    compose: () => ({ type: "revision.adopted", data: { revision } }),
  };
}

function revised(found, record, words) {
  const { newest, changes, entries, entries_left_out: more, scores, scores_after: after, outcome, outcome_after: ended } = found;
  const nothing = !entries.length && same(scores, after) && same(outcome, ended);
  const summary = entries.length
    ? `Newer rules would change ${counted(entries.length + more, "entry", "entries")}.`
    : "Newer rules would change no entry.";
  return h(
    "section",
    { "aria-label": "Newer rules" },
    h("h3", {}, `Newer rules: revision ${newest}`),
    list(
      "changes",
      changes.map((change) => [change]),
    ),
    h("p", {}, nothing ? "They would change nothing here." : summary),
    same(scores, after) ? null : h("p", {}, "Score: ", h("del", {}, score(scores)), " ", h("b", {}, score(after))),
    same(outcome, ended) ? null : h("p", {}, h("del", {}, end(outcome, words)), " ", h("b", {}, end(ended, words))),
    entries.length
      ? h(
          "details",
          {},
          h("summary", {}, "Entry by entry"),
          entries.map((each) => entryView(each, record, words)),
          more ? hint(`${more} more are not shown.`) : null,
        )
      : null,
  );
}

function entryView({ version, notation, before, after }, record, words) {
  const then = words.at(record.placeOf(version));
  return h(
    "div",
    { class: "sides" },
    h("section", { class: "was" }, h("h4", {}, link(version), " ", notation ?? "", " now"), said(before, then)),
    h("section", {}, h("h4", {}, "By newer rules"), said(after, then)),
  );
}

/** What a revision says of an entry. */
function said({ effects = [], irregular = [], points = [], unreplayable }, words) {
  const gained = points.map(({ points: number, seat, rule }) => [
    h("bdi", {}, words.name(seat)),
    `: ${number} `,
    words.rule(rule),
  ]);
  return [
    unreplayable ? h("p", {}, `It cannot be carried out: ${unreplayable}`) : null,
    list("flags", breachLines(irregular, words)),
    list("effects", [...effectLines(effects, words), ...gained]),
  ];
}

function end(outcome, words) {
  return outcome ? words.outcome(outcome) : "The game goes on.";
}

function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

function link(version) {
  return h("a", { href: `#${version}` }, `entry ${version}`);
}
