import { h } from "../base/dom.js";
import { translated, t } from "../base/language.js";
import { maxLength } from "../base/limits.js";

/** The number of fields for names at first, if nobody is known and the game has so many seats. */
const FIRST_FIELDS = 4;

/**
 * The fields for names at the seats of a ruleset. Typed names stay, also for hidden seats; the focused field keeps the
 * focus.
 */
export class SeatFields {
  /**
   * The names of seats without a field.
   *
   * @type {string[]}
   */
  #names;
  /** The least number of taken seats. */
  #leastTaken;
  /** The least number of fields. */
  #leastFields;

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
    this.#leastTaken = Math.max(min, Math.min(this.#names.length, max));
    this.#leastFields = form.querySelector("[data-person]") ? 0 : Math.min(FIRST_FIELDS, max);
    /** @type {HTMLInputElement} */
    this.count = h("input", { type: "number", min, max, value: this.#leastTaken, oninput: () => this.#setCount() });
    this.another = h("button", { type: "button", class: "another", onclick: () => this.#add() }, t("One more player"));
    this.element.oninput = (/** @type {{ target: any }} */ { target }) => target !== this.count && this.#update();
    this.element.replaceChildren(...(min < max ? [h("label", {}, t("Seats"), " ", this.count)] : []), this.another);
    this.draw(this.#leastTaken);
  }

  /**
   * Show fields for this number of seats.
   *
   * @param {number} count
   */
  draw(count) {
    this.#leastTaken = count;
    const room = Math.max(count, this.#leastFields);
    for (const field of this.#fields().slice(room)) {
      this.#names[field.dataset.seat] = field.value;
      field.parentElement.remove();
    }
    for (let seat = this.#fields().length; seat < room; seat += 1)
      this.another.before(seatField(this.ruleset, seat, this.#names[seat]));
    this.another.hidden = count >= this.max;
    this.#markFree();
  }

  /** Clear all seats. */
  clear() {
    this.#names.splice(0);
  }

  #fields() {
    return [...this.element.querySelectorAll("[data-seat]")];
  }

  #setCount() {
    if (!this.count.checkValidity()) return;
    this.#leastFields = 0; // people who set a number want no more fields
    this.draw(this.count.valueAsNumber);
  }

  #add() {
    const count = this.#markFree() + 1;
    this.draw(count);
    this.#update();
    this.#fields()[count - 1].focus();
  }

  /** Show the number of taken seats. */
  #update() {
    const count = this.#markFree();
    this.count.value = String(count);
    this.another.hidden = count >= this.max;
  }

  /** Mark the taken and the free seats. Returns the number of taken ones. */
  #markFree() {
    const fields = this.#fields();
    const taken = seatsTaken(
      fields.map(({ value }) => value),
      this.#leastTaken,
    );
    for (const [seat, field] of fields.entries()) {
      field.toggleAttribute("data-free", seat >= taken);
      field.placeholder = seat < taken ? t("name, or nobody known") : t("free: type a name");
    }
    return taken;
  }
}

/**
 * The number of taken seats: at least `asked`, and all up to the last name.
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
    label ? translated(label) : t("Seat {number}", { number: seat + 1 }),
    h("input", {
      "data-seat": seat,
      value: name,
      maxlength: maxLength("name"),
      list: "players",
      autocomplete: "off",
    }),
  );
}
