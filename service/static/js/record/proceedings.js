import { h } from "../base/dom.js";
import { brief } from "./entry.js";
import { labelled } from "../base/formdialog.js";
import { LIMITS } from "../base/limits.js";
import { personField } from "../people/players.js";

const CLOSING = {
  playing: ["abandoned", "Abandon the game", "It has not come to an end. Nobody wins; what was recorded stays."],
  finished: ["finished", "Close the record", "The game came to its end by the rules."],
  adjudicated: ["adjudicated", "Close the record", "The game was decided by a ruling."],
};

/** The deed of a note about the game or an entry of it, which can mark its moment. */
export function note(record, words, entry, { bookmark = false } = {}) {
  const text = h("textarea", { rows: "3", maxlength: LIMITS.text });
  const mark = h("input", { type: "checkbox", checked: bookmark });
  const about = brief(entry, words.at(record.placeOf(entry.version)));
  const named = h("input", { type: "checkbox", checked: true });
  return {
    title: bookmark ? "Bookmark this moment" : "Add a note",
    fields: [
      labelled("Note", text),
      h("label", { class: "check" }, named, `about entry ${entry.version}, ${about}`),
      h("label", { class: "check" }, mark, "mark this moment with a bookmark"),
    ],
    verb: bookmark ? "Set the bookmark" : "Add the note",
    label: "a note",
    silent: true,
    compose: () =>
      text.value.trim()
        ? {
            type: "note.added",
            data: {
              text: text.value.trim(),
              ...((named.checked || mark.checked) && { entry: entry.version }),
              ...(mark.checked && { bookmark: true }),
            },
          }
        : null,
  };
}

/** The deed by which somebody else sits down. */
export function seatChange(record, words, dialog) {
  const seat = h(
    "select",
    {},
    words.seats.map(({ seat: number, label }) => h("option", { value: number }, `${label.en}: ${words.name(number)}`)),
  );
  const sitter = personField("sitters", { placeholder: "a guest, if left empty", onchange: () => dialog.later() });
  return {
    title: "Somebody else sits down",
    fields: [labelled("Seat", seat), labelled("Who sits there from now on", sitter.field), sitter.players],
    verb: "Change the seat",
    label: "a change of seats",
    silent: true,
    reason: { label: "Reason, if there is one to note" },
    compose: () => {
      const name = sitter.field.value.trim();
      return { type: "seat.changed", data: { seat: Number(seat.value), ...(name && { name }) } };
    },
  };
}

/** How a record can be closed as the game stands: a word for it, and the deed. */
export function closing({ status }) {
  const [how, text, why] = CLOSING[status];
  return {
    title: `${text}?`,
    lead: `${why} A closed record takes notes and the table’s score, and nothing else until it is reopened.`,
    verb: text,
    leave: "Leave it open",
    label: "the closing of the record",
    silent: true,
    reason: { label: "Reason, if there is one to note" },
    compose: () => ({ type: "game.closed", data: { how } }),
  };
}

/** What closing is called as the game stands. */
export function closingText({ status }) {
  const [how, text] = CLOSING[status];
  return how === "abandoned" ? text : `${text} as ${how}`;
}

/** The deed that opens a closed record again. */
export function reopening() {
  return {
    title: "Reopen the record?",
    lead: "It takes moves and corrections again.",
    verb: "Reopen",
    leave: "Leave it closed",
    label: "the reopening of the record",
    silent: true,
    reason: { label: "Why it goes on, or what is to be mended", required: true },
    compose: () => ({ type: "game.reopened", data: {} }),
  };
}
