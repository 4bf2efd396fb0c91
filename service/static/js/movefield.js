import { get } from "./api.js";
import { h } from "./dom.js";
import { count, suggest } from "./moves.js";

/**
 * A line of notation, typed or picked from the legal moves. Tells `onchange` of every change, and `onpick` when a whole
 * move was picked.
 */
export class MoveField {
  #moves = null;
  /** What stands in the field at first: it is to be changed, so it narrows no choice. */
  #given;

  constructor(label, { id, value = "", placeholder = "Type or pick a move", described, onchange, onpick }) {
    this.#given = value;
    this.input = h("input", {
      id,
      value,
      placeholder,
      autocomplete: "off",
      autocapitalize: "none",
      autocorrect: "off",
      spellcheck: "false",
      enterkeyhint: "go",
      "aria-label": label,
      "aria-describedby": described,
      oninput: () => this.#changed(),
    });
    const clear = h(
      "button",
      { type: "button", class: "clear", "aria-label": "Clear the move", onclick: () => this.type("") },
      "×",
    );
    this.count = h("p", { class: "hint count", role: "status" });
    this.choices = h("div", { class: "suggestions" });
    this.element = h(
      "div",
      { class: "move-field" },
      h("div", { class: "line" }, this.input, clear),
      this.count,
      this.choices,
    );
    Object.assign(this, { onchange, onpick });
  }

  get value() {
    return this.input.value.trim();
  }

  get text() {
    return this.input.value;
  }

  /** Put a text into the field, as if it had been typed. */
  type(text) {
    this.input.value = text;
    this.#changed();
  }

  focus() {
    this.input.focus();
  }

  /** Offer these legal moves; null where they cannot be had. */
  offer(moves) {
    this.#moves = moves;
    this.#suggest();
  }

  /** Whether what is typed is a legal move as it is listed. */
  get listed() {
    return Boolean(this.#moves?.some(({ notation }) => notation === this.value));
  }

  /** Whether what is typed is the beginning of a legal move. */
  get begun() {
    return count(this.#moves ?? [], this.text) > 0;
  }

  #changed() {
    this.#suggest();
    this.onchange();
  }

  #suggest() {
    const moves = this.#moves ?? [];
    const text = this.text === this.#given ? "" : this.text;
    const found = count(moves, text);
    const groups = suggest(moves, text);
    const done = found === 1 && groups[0].choices[0].text === this.value;
    const told = !moves.length ? "No move is legal now." : found ? `${found} of ${moves.length} legal moves` : "";
    this.count.textContent = done || this.#moves === null ? "" : told;
    this.choices.replaceChildren(...(done ? [] : groups.map((group) => this.#group(group))));
  }

  #group({ kind, choices }) {
    const title = kind.replaceAll("_", " ");
    return h(
      "div",
      { class: "group", role: "group", "aria-label": title },
      h("span", { class: "kind", "aria-hidden": "true" }, title),
      choices.map((choice) => this.#choice(choice)),
    );
  }

  #choice({ text, more }) {
    const label = more ? `${text} …, ${more} moves` : text;
    const pick = () => {
      this.type(text);
      if (!more) this.onpick?.();
    };
    return h(
      "button",
      { type: "button", class: more ? "choice more" : "choice", "aria-label": label, onclick: pick },
      text,
      more ? h("small", {}, String(more)) : null,
    );
  }
}

/** The legal moves at a moment of a record; null where they cannot be had. */
export async function legalMoves(record, moment) {
  try {
    return (await get(record.address("moves", moment))).body.moves;
  } catch {
    return null;
  }
}
