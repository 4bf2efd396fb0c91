import { h, hint } from "../base/dom.js";
import { entrySummary } from "./entry.js";
import { firstRepeated } from "../base/folding.js";
import { labelledField } from "../base/formdialog.js";
import { translated, t } from "../base/language.js";
import { maxLength } from "../base/limits.js";
import { personField } from "../people/players.js";

/** @type {Record<string, { how: string, text: string, ask: string, why: string, called: string }>} */
const CLOSING = {
  playing: {
    how: "abandoned",
    text: t("Abandon the game"),
    ask: t("Abandon the game?"),
    why: t("It has not come to an end. Nobody wins; what was recorded stays."),
    called: t("Abandon the game"),
  },
  finished: {
    how: "finished",
    text: t("Close the record"),
    ask: t("Close the record?"),
    why: t("The game came to its end by the rules."),
    called: t("Close the record as finished"),
  },
  adjudicated: {
    how: "adjudicated",
    text: t("Close the record"),
    ask: t("Close the record?"),
    why: t("The game was decided by a ruling."),
    called: t("Close the record as adjudicated"),
  },
};

/**
 * The form for a note about the game or an entry, with an optional bookmark.
 *
 * @param {GameRecord} record
 * @param {Words} words
 * @param {Entry} entry
 * @param {{ bookmark?: boolean }} options
 * @returns {EntryForm}
 */
export function noteForm(record, words, entry, { bookmark = false } = {}) {
  const text = h("textarea", { rows: "3", maxlength: maxLength("text") });
  const mark = h("input", { type: "checkbox", checked: bookmark });
  const what = entrySummary(entry, words.atPlace(record.placeOf(entry.version)));
  const named = h("input", { type: "checkbox", checked: true });
  return {
    title: bookmark ? t("Bookmark this moment") : t("Add a note"),
    fields: [
      labelledField(t("Note"), text),
      h("label", { class: "check" }, named, t("about entry {version}, {what}", { version: entry.version, what })),
      h("label", { class: "check" }, mark, t("mark this moment with a bookmark")),
    ],
    verb: bookmark ? t("Set the bookmark") : t("Add the note"),
    label: t("a note"),
    silent: true,
    compose: () => {
      const about = (named.checked || mark.checked) && { entry: entry.version };
      const data = { text: text.value.trim(), ...about, ...(mark.checked && { bookmark: true }) };
      return data.text ? { type: "note.added", data } : null;
    },
  };
}

/**
 * The form for a change of a seat's person.
 *
 * @param {Words} words
 * @param {EntryDialog} dialog
 * @returns {EntryForm}
 */
export function seatChangeForm(words, dialog) {
  const seat = h(
    "select",
    {},
    words.seats.map(({ seat: number, label }) =>
      h("option", { value: number }, `${translated(label)}: ${words.name(number)}`),
    ),
  );
  const sitter = personField("sitters", {
    placeholder: t("a guest, if left empty"),
    onchange: () => dialog.tryLater(),
  });
  return {
    title: t("Change the player of a seat"),
    fields: [
      labelledField(t("Seat"), seat),
      labelledField(t("Who sits there from now on"), sitter.field),
      sitter.players,
    ],
    verb: t("Change the seat"),
    label: t("a change of seats"),
    silent: true,
    reason: { label: t("Reason, if there is one to note") },
    compose: () => {
      const name = sitter.field.value.trim();
      return { type: "seat.changed", data: { seat: Number(seat.value), ...(name && { name }) } };
    },
    asks: () => twoSeatsQuestion(words, Number(seat.value), sitter.field.value),
  };
}

/**
 * Ask whether a person sits at two seats; empty if not.
 *
 * @param {Words} words
 * @param {number} seat
 * @param {string} name
 */
export function twoSeatsQuestion({ seats }, seat, name) {
  const twice = seats.some((other) => other.seat !== seat && firstRepeated([other.name ?? "", name]));
  return twice ? hint(t("{name} sits at two seats. Is that right?", { name: name.trim() })) : null;
}

/**
 * The form for closing the record at this stage of the game.
 *
 * @param {GameInfo} info
 * @returns {EntryForm}
 */
export function closingForm({ status }) {
  const { how, text, ask, why } = CLOSING[status];
  return {
    title: ask,
    lead: [why, " ", t("A closed record takes notes and the table’s score, and nothing else until it is reopened.")],
    verb: text,
    leave: t("Leave it open"),
    label: t("the closing of the record"),
    silent: true,
    reason: { label: t("Reason, if there is one to note") },
    compose: () => ({ type: "game.closed", data: { how } }),
  };
}

/**
 * The name of the closing action at this stage of the game.
 *
 * @param {GameInfo} info
 */
export function closingAction({ status }) {
  return CLOSING[status].called;
}

/** The form for reopening a closed record. */
export function reopeningForm() {
  return {
    title: t("Reopen the record?"),
    lead: t("It takes moves and corrections again."),
    verb: t("Reopen"),
    leave: t("Leave it closed"),
    label: t("the reopening of the record"),
    silent: true,
    reason: { label: t("Why it goes on, or what to correct"), required: true },
    compose: () => ({ type: "game.reopened", data: {} }),
  };
}
