import { get } from "../base/api.js";
import { h } from "../base/dom.js";
import { among, beginning, count, meaning, suggest } from "./moves.js";
import { isRoll, pairForm, shortened } from "../base/notation.js";
import { rovingTabindex } from "../base/roving-tabindex.js";
import { t, tn } from "../base/language.js";

/** Attributes of a field for notation: a phone changes nothing of what is typed. */
export const NOTATION = { autocomplete: "off", autocapitalize: "none", autocorrect: "off", spellcheck: "false" };

/**
 * `onchange` is told of every change, `onpick` when a whole move was picked, by its `key` or on the board. `onleft` is
 * told when the choices went that had the focus, and none came instead.
 *
 * Only `whole` moves are to be picked where those that leave something open have a form of their own.
 *
 * @typedef {{ id?: string, value?: string, placeholder?: string, described?: string, whole?: boolean, onchange: () => void,
 *   onpick?: (line?: Line, key?: boolean) => void, onleft?: () => void }} MoveFieldOptions
 */

/**
 * A line of notation, typed or picked from the legal moves. Tells `onchange` of every change, `onpick` when a whole move
 * was picked, and `onleft` when the choices went that had the focus, and none came instead.
 */
export class MoveField {
  /** @type {Line[] | null} */
  #moves = null;
  #none = "";
  /**
   * Those of them that are meant, where less than the text tells: a place of the board was tapped.
   *
   * @type {Line[] | null}
   */
  #only = null;
  /**
   * The moves that the last tap left, among which another one chooses.
   *
   * @type {Line[]}
   */
  #tapped = [];
  /** What stands in the field at first: it is to be changed, so it narrows no choice. */
  #given;
  #shown = "";
  /** Whether the rolls have a form of their own. */
  #rolled = false;
  /** @type {string | null} */
  #proposed = null;
  #settle;
  #called = "";

  /**
   * @param {string} label
   * @param {Words} words
   * @param {MoveFieldOptions} options
   */
  constructor(
    label,
    words,
    { id, value = "", placeholder = t("Type or pick a move"), described, whole = false, onchange, onpick, onleft },
  ) {
    this.#given = value;
    this.input = this.#typed({ id, value, placeholder, "aria-label": label, "aria-describedby": described });
    this.clear = h(
      "button",
      { type: "button", class: "clear", "aria-label": t("Clear the move"), onclick: () => this.type("") },
      "×",
    );
    this.count = h("p", { class: "hint count", role: "status" });
    this.choices = h("div", { class: "suggestions", role: "group", "aria-label": t("Moves to pick") });
    this.#settle = rovingTabindex(this.choices, () => this.input.focus());
    this.element = h(
      "div",
      { class: "move-field" },
      h("div", { class: "line" }, this.input, this.clear),
      this.count,
      this.choices,
    );
    this.words = words;
    this.whole = whole;
    this.onchange = onchange;
    this.onpick = onpick;
    this.onleft = onleft ?? (() => matchMedia("(hover: hover)").matches && this.focus());
  }

  /**
   * The field in which a move is typed: nothing is changed of what stands there but by the person.
   *
   * @param {Attributes} attributes
   * @returns {HTMLInputElement}
   */
  #typed(attributes) {
    return h("input", {
      ...attributes,
      ...NOTATION,
      enterkeyhint: "go",
      oninput: () => this.type(this.text),
      onfocus: () => this.text === this.#proposed && this.input.select(),
      onkeydown: (event) => event.key === "ArrowDown" && this.enter() && event.preventDefault(),
    });
  }

  get value() {
    return this.input.value.trim();
  }

  get text() {
    return this.input.value;
  }

  /**
   * Put a text into the field, as if it had been typed; only these moves are meant by it, if any are given.
   *
   * @param {string} text
   * @param {Line[] | null} only
   * @param {Line[]} tapped
   */
  type(text, only = null, tapped = only ?? []) {
    this.set(text, only, tapped);
    this.onchange();
  }

  /**
   * The same, without telling of it.
   *
   * @param {string} text
   * @param {Line[] | null} only
   * @param {Line[]} tapped
   */
  set(text, only = null, tapped = only ?? []) {
    if (this.text !== text) this.input.value = text;
    this.#only = only;
    this.#tapped = tapped;
    this.#suggest();
  }

  /**
   * What a tap on a place of the board says now: after a tap that said it all, it begins anew.
   *
   * @param {Place} place
   * @returns {Meaning}
   */
  meaning(place) {
    const closer = this.targets(place);
    if (closer.length) return { text: beginning(closer), moves: closer, only: true };
    return meaning(this.#moves ?? [], this.#only ? "" : this.text, place);
  }

  /**
   * Those of the moves tapped so far that another tap on this place would choose; none if it chooses nothing.
   *
   * @param {Place} place
   */
  targets(place) {
    const all = this.#tapped;
    const found = all.length > 1 ? among(all, place) : [];
    return found.length < all.length ? found : [];
  }

  /**
   * Type what a place of the board says: a whole move is picked, and a value that stands can be typed over.
   *
   * @param {Meaning} meaning
   * @param {Place} place
   * @param {{ preventScroll?: boolean }} options
   */
  take({ text, moves, only }, { types }, { preventScroll = false } = {}) {
    const [line] = moves.length === 1 ? moves : [];
    this.type(line && !line.aside ? line.notation : text, only ? moves : null, moves);
    if (line) this.onpick?.(line);
    if (only || text !== types) return;
    this.input.focus({ preventScroll });
    this.input.setSelectionRange(text.lastIndexOf(" ") + 1, text.length);
  }

  focus() {
    this.input.focus();
  }

  /**
   * Go to the choices, to the one that says this if there is one; answers whether there are any.
   *
   * @param {string} text
   */
  enter(text = "") {
    const all = [...this.choices.querySelectorAll(".choice")];
    const found = all.find(({ value }) => value === text) ?? all[0];
    found?.focus();
    return Boolean(found);
  }

  /**
   * Type a move for somebody. Anything that they type replaces it.
   *
   * @param {string} text
   */
  propose(text) {
    this.#proposed = text;
    this.set(text);
    if (document.activeElement === this.input) this.input.select();
  }

  /**
   * Offer these moves; null where they cannot be had. `none` says why there are none, `called` what they are.
   *
   * @param {Line[] | null} moves
   * @param {string} none
   * @param {string} called
   */
  offer(moves, none = t("No move is legal now."), called = t("legal moves")) {
    this.#moves = moves;
    this.#rolled = Boolean(pairForm(moves ?? []));
    this.#called = called;
    this.#none = none;
    this.#only = null;
    this.#tapped = [];
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
    const moves = (this.#moves ?? []).filter(({ blanks }) => !this.whole || !blanks?.length);
    const text = this.text === this.#given ? "" : this.text;
    const meant = this.#only ?? moves;
    const found = count(meant, text);
    const groups = suggest(
      meant.filter((line) => text || !(this.#rolled && isRoll(line))),
      text,
    );
    const done = found === 1 && groups[0].choices[0].text === this.value;
    const legal = (/** @type {Line[]} */ all) => all.filter(({ aside }) => !aside);
    const [all, fitting] = [legal(moves).length, count(legal(meant), text)];
    const counted = found ? t("{count} of {all} {moves}", { count: fitting, all, moves: this.#called }) : "";
    const told = all ? counted : this.#none;
    this.count.textContent = done || this.#moves === null ? "" : told;
    const shown = done ? [] : groups;
    if (JSON.stringify(shown) === this.#shown) return;
    this.#shown = JSON.stringify(shown);
    const focused = /** @type {HTMLButtonElement | null} */ (document.activeElement);
    const had = focused && this.choices.contains(focused) ? focused.value : null;
    this.choices.replaceChildren(...shown.map((group) => this.#group(group)));
    this.#settle();
    if (had !== null) queueMicrotask(() => this.enter(had) || this.onleft()); // once all is there that follows
  }

  /** @param {Group} group */
  #group({ kind, choices }) {
    const title = this.words.nameOf("move", kind);
    return h(
      "div",
      { class: "group", role: "group", "aria-label": title },
      h("span", { class: "kind", "aria-hidden": "true" }, title),
      choices.map((choice) => this.#choice(choice)),
    );
  }

  /** @param {Choice} choice */
  #choice({ text, label, more }) {
    const found = () => (more ? undefined : this.#moves?.find(({ notation }) => notation === text));
    const pick = () => {
      const line = found(); // of the moves as they are offered now
      this.type(line?.aside ? "" : text);
      if (more) return;
      this.onpick?.(line, true);
      queueMicrotask(this.onleft); // others may begin with these words
    };
    const once = found()?.once;
    return h(
      "button",
      {
        type: "button",
        class: more ? "choice more" : once ? "choice once" : "choice",
        value: text,
        title: once ? t("recorded at once") : null,
        onclick: pick,
      },
      found()?.aside ? shortened(label) : label,
      more ? [" …", unseen(`, ${more} ${tn(more, "move", "moves")}`)] : null, // a number would read as part of the move
    );
  }
}

/**
 * Words for those who listen.
 *
 * @param {string} text
 */
function unseen(text) {
  return h("span", { class: "hidden" }, text);
}

/**
 * The legal moves at a moment of a record: first the moves of the oldest round, then those beside the play (`aside`). With
 * `irregular`, the moves that break a rule. Null if nobody can say.
 *
 * @param {Known} record
 * @param {Moment} moment
 * @param {boolean} irregular
 * @returns {Promise<Line[] | null>}
 */
export async function legalMoves(record, moment, irregular = false) {
  try {
    /** @type {Answer<GotPart<"moves">>} */
    const { body } = await get(record.address("moves", irregular ? { ...moment, irregular } : moment));
    if (irregular) return body.irregular;
    const { moves, asides = [] } = body;
    const beside = asides.map(({ type, seat, template, blanks }) => ({
      move: { type, seat },
      notation: template.replaceAll("{}", "?"),
      template,
      blanks,
      aside: blanks.length > 0, // one that leaves nothing open is made as a move is
    }));
    return [...moves.toSorted((one, other) => round(one) - round(other)), ...beside];
  } catch {
    return null;
  }
}

/**
 * The round that a move is about: what is about none comes behind what is.
 *
 * @param {Line} line
 */
function round({ move }) {
  return move.round ?? Number.MAX_SAFE_INTEGER;
}
