import { h } from "../base/dom.js";
import { named, t } from "../base/language.js";
import { limit } from "../base/limits.js";

/** How many fields for names there are at first where nobody is known, if the game has so many seats. */
const FIRST_FIELDS = 4;

/**
 * The fields for names at the seats of a ruleset. Names that were typed stay, also of seats left out; the field that
 * somebody types in keeps the focus.
 */
export class SeatFields {
  /**
   * The names of seats that have no field now.
   *
   * @type {string[]}
   */
  #names;
  /** How many seats are taken at least. */
  #asked;
  /** How many fields there are at least. */
  #shown;

  /**
   * @param {HTMLFormElement} form
   * @param {Ruleset} ruleset
   */
  constructor(form, ruleset) {
    const { min_seats: min, max_seats: max } = ruleset;
    this.ruleset = ruleset;
    this.min = min;
    this.max = max;
    this.element = form.querySelector("#seats");
    const names = this.#fields().map(({ value }) => value);
    this.#names = names.slice(0, names.findLastIndex(Boolean) + 1);
    this.#asked = Math.max(min, Math.min(this.#names.length, max));
    this.#shown = form.querySelector("[data-person]") ? 0 : Math.min(FIRST_FIELDS, max);
    /** @type {HTMLInputElement} */
    this.count = h("input", { type: "number", min, max, value: this.#asked, oninput: () => this.#setCount() });
    this.another = h("button", { type: "button", class: "another", onclick: () => this.#add() }, t("One more player"));
    this.element.oninput = (/** @type {{ target: any }} */ { target }) => target !== this.count && this.#tell();
    this.element.replaceChildren(...(min < max ? [h("label", {}, t("Seats"), " ", this.count)] : []), this.another);
    this.draw(this.#asked);
  }

  /**
   * Have fields for so many seats.
   *
   * @param {number} count
   */
  draw(count) {
    this.#asked = count;
    const room = Math.max(count, this.#shown);
    for (const field of this.#fields().slice(room)) {
      this.#names[field.dataset.seat] = field.value;
      field.parentElement.remove();
    }
    for (let seat = this.#fields().length; seat < room; seat += 1)
      this.another.before(seatField(this.ruleset, seat, this.#names[seat]));
    this.another.hidden = count >= this.max;
    this.#markFree();
  }

  /** Let other people sit in all seats. */
  forget() {
    this.#names.splice(0);
  }

  #fields() {
    return [...this.element.querySelectorAll("[data-seat]")];
  }

  #setCount() {
    if (!this.count.checkValidity()) return;
    this.#shown = 0; // somebody who says how many there are wants no others
    this.draw(this.count.valueAsNumber);
  }

  #add() {
    const count = this.#markFree() + 1;
    this.draw(count);
    this.#tell();
    this.#fields()[count - 1].focus();
  }

  /** Say how many seats are taken now. */
  #tell() {
    const count = this.#markFree();
    this.count.value = String(count);
    this.another.hidden = count >= this.max;
  }

  /** Tell the seats that are taken from those that are free. Answers how many are taken. */
  #markFree() {
    const fields = this.#fields();
    const taken = seatsTaken(
      fields.map(({ value }) => value),
      this.#asked,
    );
    for (const [seat, field] of fields.entries()) {
      field.toggleAttribute("data-free", seat >= taken);
      field.placeholder = seat < taken ? t("name, or nobody known") : t("free: type a name");
    }
    return taken;
  }
}

/**
 * How many seats are taken: as many as were asked for, and all up to the last name.
 *
 * @param {string[]} names
 * @param {number} asked
 */
export function seatsTaken(names, asked) {
  return Math.max(asked, names.findLastIndex((name) => name.trim()) + 1);
}

/**
 * @param {Ruleset} ruleset
 * @param {number} seat
 * @param {string} name
 */
function seatField(ruleset, seat, name) {
  const label = ruleset.seat_names[seat];
  return h(
    "label",
    {},
    label ? named(label) : t("Seat {number}", { number: seat + 1 }),
    h("input", {
      "data-seat": seat,
      value: name,
      maxlength: limit("name"),
      list: "players",
      autocomplete: "off",
    }),
  );
}
