import { normalized } from "../base/folding.js";

/**
 * @typedef {{ min: number, max: number, draw: (count: number) => void, forget: () => void }} Seats
 */

/**
 * Let a tap on somebody who is known seat them, or let them stand up again.
 *
 * @param {HTMLFormElement} form
 * @param {Seats} seats
 */
export function chips(form, seats) {
  const known = form.querySelector(".known");
  known.onclick = (/** @type {{ target: any }} */ { target }) => {
    const { person, people } = target.closest("button")?.dataset ?? {};
    if (person) sit(form, seats, turned(seated(form), person));
    if (people) sit(form, seats, JSON.parse(people));
  };
}

/**
 * The names with one more at the end, or without it if it is there.
 *
 * @param {string[]} names
 * @param {string} name
 */
export function turned(names, name) {
  const others = names.filter((known) => normalized(known) !== normalized(name));
  return others.length < names.length ? others : [...names, name];
}

/**
 * Show who of those that are known sits at the table.
 *
 * @param {HTMLFormElement} form
 */
export function pressed(form) {
  const names = new Set(seated(form).map(normalized));
  for (const chip of form.querySelectorAll("[data-person]"))
    chip.setAttribute("aria-pressed", String(names.has(normalized(chip.dataset.person))));
}

/** @param {HTMLFormElement} form */
function fields(form) {
  return [...form.querySelectorAll("[data-seat]")];
}

/** @param {HTMLFormElement} form */
function seated(form) {
  return fields(form)
    .map(({ value }) => value.trim())
    .filter(Boolean);
}

/**
 * @param {HTMLFormElement} form
 * @param {Seats} seats
 * @param {string[]} names
 */
function sit(form, { min, max, draw, forget }, names) {
  if (names.length > max) return;
  const count = Math.max(min, names.length);
  draw(0);
  forget();
  draw(count);
  fields(form).forEach((field, seat) => {
    field.value = names[seat] ?? "";
  });
  const number = form.querySelector("#seats [type=number]");
  if (number) number.value = count;
  pressed(form);
}
