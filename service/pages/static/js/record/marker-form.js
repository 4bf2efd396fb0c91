/** @import { EntryDialog } from "./entrydialog.js" */
import { h } from "../base/dom.js";
import { labelledField } from "../base/formdialog.js";
import { t } from "../base/language.js";

/**
 * The form that gives a marker of a score sheet to somebody: the deal, the first turn, a played solo.
 *
 * @param {Marker[]} markers
 * @param {Words} words
 * @param {EntryDialog} dialog
 */
export function markerForm(markers, words, dialog) {
  const now = () => dialog.tryNow();
  /** @param {[string, string][]} choices */
  const select = (choices) =>
    h(
      "select",
      { onchange: now },
      choices.map(([value, text]) => h("option", { value }, text)),
    );
  const marker = select(markers.map(({ id, name }) => [id, name]));
  const seat = select(words.seats.map(({ seat: number }) => [`p${number + 1}`, words.name(number)]));
  const how = select([
    ["", t("has it from this round on")],
    [" off", t("does not have it any more")],
  ]);
  return {
    title: t("Change a marker"),
    lead: t("It goes on from there by the rule of the sheet."),
    fields: [
      labelledField(t("Marker"), marker),
      labelledField(t("Player"), seat),
      labelledField(t("What is right"), how),
    ],
    verb: t("Change it"),
    leave: t("Leave it as it is"),
    label: t("a marker"),
    compose: () => ({ type: "move.made", data: { move: `${marker.value} ${seat.value}${how.value}` } }),
  };
}
