/** @import { EntryDialog } from "./entrydialog.js" */
import { h } from "../base/dom.js";
import { labelledField } from "../base/formdialog.js";
import { t } from "../base/language.js";

/**
 * The form for stopping a score sheet's game early.
 *
 * @param {Stop[]} stops
 * @param {EntryDialog} dialog
 */
export function stopForm(stops, dialog) {
  const how = h(
    "select",
    { onchange: () => dialog.tryNow() },
    stops.map(({ text, name }) => h("option", { value: text }, name)),
  );
  return {
    title: t("Stop the game early?"),
    lead: t("It got late, or time ran out. It counts as the table says, and breaks no rule."),
    fields: [labelledField(t("How it counts"), how)],
    verb: t("Stop the game"),
    leave: t("Play on"),
    label: t("the end of the game"),
    compose: () => ({ type: "move.made", data: { move: how.value } }),
  };
}
