/** @import { EntryDialog } from "./entrydialog.js" */
import { h } from "../base/dom.js";
import { labelled } from "../base/formdialog.js";
import { t } from "../base/language.js";

/**
 * The form for somebody who comes late to a score sheet, and for what was missed.
 *
 * @param {Words} words
 * @param {EntryDialog} dialog
 */
export function joining(words, dialog) {
  const now = () => dialog.now();
  const latest = words.seats.length - 1;
  const seat = h(
    "select",
    { onchange: now },
    words.seats.map(({ seat: number }) =>
      h("option", { value: `p${number + 1}`, selected: number === latest }, words.name(number)),
    ),
  );
  const missed = h(
    "select",
    { onchange: now },
    h("option", { value: "" }, t("nothing")),
    h("option", { value: " average" }, t("the average of the others")),
    h("option", { value: " lowest" }, t("the lowest score of the others")),
    h("option", { value: " highest" }, t("the highest score of the others")),
  );
  return {
    title: t("Somebody comes late"),
    lead: t("The player has no cells to fill in before the round that is due."),
    fields: [labelled(t("Player"), seat), labelled(t("Points to begin with"), missed)],
    verb: t("Let the player in"),
    label: t("a player who comes late"),
    compose: () => ({ type: "move.made", data: { move: `${seat.value} in${missed.value}` } }),
  };
}
