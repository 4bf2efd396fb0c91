import { h } from "../base/dom.js";
import { normalized } from "../base/folding.js";
import { t } from "../base/language.js";

/** @typedef {import("./seatfields.js").SeatFields} SeatFields */

/**
 * Make a tap on a known person seat them, or free their seat.
 *
 * @param {HTMLFormElement} form
 * @param {SeatFields} seats
 */
export function listenToChips(form, seats) {
  const known = form.querySelector(".known");
  known.onclick = (/** @type {{ target: any }} */ { target }) => {
    const { person, people } = target.closest("button")?.dataset ?? {};
    if (person) seatPeople(form, seats, toggled(seatedNames(form), person));
    if (people) seatPeople(form, seats, JSON.parse(people));
  };
}

/**
 * Seat these people. If there are too many, ask first who sits out.
 *
 * @param {HTMLFormElement} form
 * @param {SeatFields} seats
 * @param {string[]} names
 */
function seatPeople(form, seats, names) {
  const answer = form.querySelector(".answer");
  if (names.length <= seats.max) {
    answer.replaceChildren();
    return fillSeats(form, seats, names);
  }
  const leave = names.map((name) =>
    h("button", { type: "button", onclick: () => seatPeople(form, seats, toggled(names, name)) }, h("bdi", {}, name)),
  );
  answer.replaceChildren(
    h("p", {}, t("There are {count} seats. Who sits out?", { count: seats.max })),
    h("div", { class: "actions", role: "group", "aria-label": t("Who sits out?") }, leave),
  );
  leave[0].focus({ preventScroll: true });
}

/**
 * Add a name at the end, or remove it if it is there.
 *
 * @param {string[]} names
 * @param {string} name
 */
export function toggled(names, name) {
  const others = names.filter((known) => normalized(known) !== normalized(name));
  return others.length < names.length ? others : [...names, name];
}

/**
 * Mark the known people who have a seat.
 *
 * @param {HTMLFormElement} form
 */
export function markSeated(form) {
  const names = new Set(seatedNames(form).map(normalized));
  for (const chip of form.querySelectorAll("[data-person]"))
    chip.setAttribute("aria-pressed", String(names.has(normalized(chip.dataset.person))));
}

/** @param {HTMLFormElement} form */
function seatFields(form) {
  return [...form.querySelectorAll("[data-seat]")];
}

/** @param {HTMLFormElement} form */
function seatedNames(form) {
  return seatFields(form)
    .map(({ value }) => value.trim())
    .filter(Boolean);
}

/**
 * @param {HTMLFormElement} form
 * @param {SeatFields} seats
 * @param {string[]} names
 */
function fillSeats(form, seats, names) {
  const count = Math.max(seats.min, names.length);
  seats.draw(0);
  seats.clear();
  seats.draw(count);
  seatFields(form).forEach((field, seat) => {
    field.value = names[seat] ?? "";
  });
  const number = form.querySelector("#seats [type=number]");
  if (number) number.value = count;
  markSeated(form);
}
