import { get } from "../base/api.js";
import { h } from "../base/dom.js";
import { count, meaning, suggest } from "./moves.js";

/**
 * A line of notation, typed or picked from the legal moves. Tells `onchange` of every change, and `onpick` when a whole
 * move was picked.
 */
export class MoveField {
  #moves = null;
  #none = "";
  /** Those of them that are meant, where less than the text tells: a place of the board was tapped. */
  #only = null;
  /** What stands in the field at first: it is to be changed, so it narrows no choice. */
  #given;
  #shown = "";

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
      oninput: () => this.type(this.text),
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

  /** Put a text into the field, as if it had been typed; only these moves are meant by it, if any are given. */
  type(text, only = null) {
    if (this.text !== text) this.input.value = text;
    this.#only = only;
    this.#suggest();
    this.onchange();
  }

  /** What a tap on a place of the board says now: after a tap that said it all, it begins anew. */
  meaning(place) {
    return meaning(this.#moves ?? [], this.#only ? "" : this.text, place);
  }

  /** Type what a place of the board says: a whole move is picked, and a value that stands can be typed over. */
  take({ text, moves, only }, { types }, { preventScroll = false } = {}) {
    this.type(text, only ? moves : null);
    if (only && moves.length === 1) this.onpick?.();
    if (only || text !== types) return;
    this.input.focus({ preventScroll });
    this.input.setSelectionRange(text.lastIndexOf(" ") + 1, text.length);
  }

  focus() {
    this.input.focus();
  }

  /** Offer these legal moves; null where they cannot be had. `none` says why there are none. */
  offer(moves, none = "No move is legal now.") {
    this.#moves = moves;
    this.#none = none;
    this.#only = null;
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

  #suggest() {
    const moves = this.#moves ?? [];
    const text = this.text === this.#given ? "" : this.text;
    const meant = this.#only ?? moves;
    const found = count(meant, text);
    const groups = suggest(meant, text);
    const done = found === 1 && groups[0].choices[0].text === this.value;
    const told = !moves.length ? this.#none : found ? `${found} of ${moves.length} legal moves` : "";
    this.count.textContent = done || this.#moves === null ? "" : told;
    const shown = done ? [] : groups;
    if (JSON.stringify(shown) === this.#shown) return;
    this.#shown = JSON.stringify(shown);
    this.choices.replaceChildren(...shown.map((group) => this.#group(group)));
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
    const pick = () => {
      this.type(text);
      if (!more) this.onpick?.();
    };
    return h(
      "button",
      { type: "button", class: more ? "choice more" : "choice", onclick: pick },
      text,
      more ? [unseen(" …, "), h("small", {}, String(more)), unseen(" moves")] : null,
    );
  }
}

/** Words for those who listen. */
function unseen(text) {
  return h("span", { class: "hidden" }, text);
}

/** The legal moves at a moment of a record, those of the oldest round first; null where they cannot be had. */
export async function legalMoves(record, moment) {
  try {
    const { moves } = (await get(record.address("moves", moment))).body;
    return moves.toSorted((one, other) => round(one) - round(other));
  } catch {
    return null;
  }
}

/** The round that a move is about: what is about none comes behind what is. */
function round({ move }) {
  return move.round ?? Number.MAX_SAFE_INTEGER;
}
