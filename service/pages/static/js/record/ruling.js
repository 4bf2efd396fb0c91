import { adjustmentForm } from "./adjustment.js";
import { h, hint } from "../base/dom.js";
import { labelledField } from "../base/formdialog.js";
import { t } from "../base/language.js";
import { personField } from "../people/players.js";
import { capitalized } from "../base/words.js";

/**
 * The form for a ruling: the decision, the reason, and the changes on the table.
 *
 * @param {GameRecord} record
 * @param {Words} words
 * @param {Ruleset} ruleset with the schemas of its adjustments
 * @param {Entry | null} entry
 * @param {EntryDialog} dialog
 * @returns {EntryForm}
 */
export function rulingForm(record, words, ruleset, entry, dialog) {
  const { forms, fields } = changeForms(record, words, ruleset, dialog);
  const referee = personField("referees", { placeholder: t("you, if left empty"), onchange: () => dialog.tryLater() });
  const place = entry && entry.version !== record.lastEntry?.version ? { after: entry.version } : {};
  return {
    title: t("Give a ruling"),
    lead: place.after
      ? t("It applies from the moment after entry {version}.", { version: place.after })
      : t("It applies from now on. Without a change it is a house rule in words."),
    fields: [...fields, labelledField(t("Who ruled"), referee.field), referee.players],
    verb: t("Give the ruling"),
    label: t("a ruling"),
    reason: { label: t("What was decided, and why"), required: true },
    compose: () => {
      const ruled = [...forms].map((form) => form.value);
      if (ruled.includes(null)) return null;
      const name = referee.field.value.trim();
      return {
        type: "ruling.given",
        data: { ...place, ...(name && { referee_name: name }), ...(ruled.length && { adjustments: ruled }) },
      };
    },
  };
}

/**
 * The adjustments of a ruling: a list of forms, and a choice that adds another one.
 *
 * @param {GameRecord} record
 * @param {Words} words
 * @param {Ruleset} ruleset
 * @param {EntryDialog} dialog
 */
function changeForms(record, words, ruleset, dialog) {
  const { adjustments } = ruleset;
  const forms = new Set();
  const list = h("ul", { class: "ruled" });
  /** @param {string} name */
  const named = (name) => capitalized(words.termFor("ruling", name));
  const kind = h(
    "select",
    { onchange: () => add() },
    h("option", { value: "" }, t("Add a change …")),
    adjustments.map(({ name, help }) =>
      h("option", { value: name }, t("{field}: {step}", { field: named(name), step: help })),
    ),
  );
  const add = () => {
    const chosen = adjustments.find(({ name }) => name === kind.value);
    kind.value = "";
    if (!chosen) return;
    const form = adjustmentForm(chosen, record, words, ruleset);
    const drop = () => {
      forms.delete(form);
      item.remove();
      dialog.tryLater();
    };
    const item = h(
      "li",
      {},
      h("fieldset", {}, h("legend", {}, named(chosen.name)), hint(chosen.help), form.element),
      h("button", { type: "button", class: "plain", onclick: drop }, t("Leave it out")),
    );
    forms.add(form);
    list.append(item);
    item.querySelector("select, input")?.focus();
    dialog.tryLater();
  };
  return { forms, fields: [list, labelledField(t("What it changes"), kind)] };
}
