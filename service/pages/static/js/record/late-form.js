/** @import { EntryDialog } from "./entrydialog.js" */
import { h } from "../base/dom.js";
import { labelledField } from "../base/formdialog.js";
import { t } from "../base/language.js";
import { personField } from "../people/players.js";
import { twoSeatsQuestion } from "./entry-forms.js";
import { LATE_RULES } from "../sheet/late.js";

/**
 * The form for a late player of a score sheet, in an existing or a new seat. `late` is the template's rule for missed
 * rounds.
 *
 * @param {Words} words
 * @param {string} late
 * @param {EntryDialog} dialog
 * @returns {EntryForm}
 */
export function lateForm(words, late, dialog) {
  const added = words.seats.length;
  const who = personField("joiners", { placeholder: t("a guest, if left empty"), onchange: () => dialog.tryLater() });
  const name = labelledField(t("Name"), who.field);
  const showName = () => {
    name.hidden = Number(seat.value) < added;
  };
  const seat = seatChoice(words, waitingSeat(dialog.record, words), () => {
    showName();
    dialog.tryNow();
  });
  showName();
  const missed = h(
    "select",
    { onchange: () => dialog.tryNow() },
    LATE_RULES.map(([way, text]) => h("option", { value: way, selected: way === late }, text)),
  );
  return {
    title: t("Somebody comes late"),
    lead: t("The player has no cells to fill in before the round that is due."),
    fields: [labelledField(t("Player"), seat), name, who.players, labelledField(t("Points to begin with"), missed)],
    verb: t("Let the player in"),
    label: t("a player who comes late"),
    compose: () => ({
      type: "move.made",
      data: { move: `p${Number(seat.value) + 1} in${missed.value === late ? "" : ` ${missed.value}`}` },
    }),
    asks: () => (name.hidden ? null : twoSeatsQuestion(words, added, who.field.value)),
    further: () => {
      const called = who.field.value.trim();
      return called && !name.hidden ? [{ type: "seat.changed", data: { seat: added, name: called } }] : [];
    },
  };
}

/**
 * The choice of a seat: a new one if possible, or an existing one.
 *
 * @param {Words} words
 * @param {number | undefined} chosen
 * @param {() => void} onchange
 */
function seatChoice(words, chosen, onchange) {
  const { seats, ruleset } = words;
  const added = seats.length;
  return h(
    "select",
    { onchange },
    ruleset.max_seats > added ? h("option", { value: added }, t("somebody new")) : null,
    seats.map(({ seat }) => h("option", { value: seat, selected: seat === chosen }, words.name(seat))),
  );
}

/**
 * The first seat without entries while others have some: it waits for somebody.
 *
 * @param {GameRecord} record
 * @param {Words} words
 */
function waitingSeat(record, words) {
  const busy = new Set(record.order.flatMap(({ effects = [] }) => effects.map((effect) => effect.seat)));
  return busy.size ? words.seats.find(({ seat }) => !busy.has(seat))?.seat : undefined;
}
