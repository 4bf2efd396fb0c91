/** The form for the open values of moves: which lines it shows, which one is open, and the notation that they make. */
import { blankField, clearField, lastPieceKey, showRecorded, signButton } from "./blank-fields.js";
import { arrange, h } from "./dom.js";
import { t } from "./language.js";
import { fillTemplate, isEmpty, hasOpenValue, KEYS_PER_ROW, moveKey, nextFields, fixedBeginning } from "./notation.js";
import { evaluateSum } from "../sheet/sums.js";
import { seatMark, capitalized } from "./words.js";

let made = 0;

/** @typedef {Line & { blanks: Blank[], template: string }} OpenMove */

/**
 * Fields for the legal moves with open values. One move is open at a time. `ontype` gets the line of notation that the
 * fields make. Empty fields stay `?`, and a sum becomes its result. A recorded value (`stands`) is shown in its field,
 * and stays unless another value replaces it.
 *
 * Events: `line` when another move opens, with the line that is `gone` if others have filled it in. `field` when a
 * field gets the focus, with its index. `input` when a value was filled in, or the moves have changed.
 */
export class Blanks extends EventTarget {
  #shown = "";
  #notation = "";
  #keypad = false;
  /** The elements by move, the data of each element, and the open element. */
  /** @type {Map<string, HTMLDetailsElement>} */
  #elements = new Map();
  /** @type {WeakMap<Element, OpenLine>} */
  #lines = new WeakMap();
  /** @type {HTMLDetailsElement | null} */
  #open = null;

  /**
   * @param {HTMLElement} element
   * @param {Words} words
   * @param {(text: string) => void} ontype
   */
  constructor(element, words, ontype) {
    super();
    this.element = element;
    this.words = words;
    this.ontype = ontype;
    this.name = `blanks-${++made}`;
  }

  /**
   * Show the fields of these moves. Typed values stay as long as their move exists. `others` says that other people's
   * entries have changed the moves.
   *
   * @param {Line[]} moves
   * @param {{ others?: boolean }} options
   */
  show(moves, { others = false } = {}) {
    const open = /** @type {OpenMove[]} */ (moves.filter(({ blanks }) => blanks?.length));
    if (!open.length) this.#notation = "";
    const shown = JSON.stringify(open.map(({ notation, blanks }) => [notation, blanks]));
    if (shown === this.#shown) return;
    this.#shown = shown;
    const [known, line] = [this.#elements, this.openMove];
    this.#elements = new Map(open.map((move) => [moveKey(move), known.get(moveKey(move)) ?? this.#makeElement(move)]));
    const entered = open.filter((move) => this.#showRecorded(this.#elementOf(move), move.blanks));
    const all = this.#ordered;
    arrange(this.element, all);
    const done = entered.some((move) => this.#elementOf(move) === this.#open);
    if (done || this.#open?.parentElement !== this.element) this.#open = all[0] ?? null;
    if (this.#open) this.#open.open = true;
    const gone = others && line && !all.some((sheet) => this.#lines.get(sheet) === line) ? line : null;
    this.dispatchEvent(this.openMove === line ? new Event("input") : new CustomEvent("line", { detail: { gone } }));
  }

  /** The open move, with its `notation`, `title` and `fields`; null without one. */
  get openMove() {
    return this.#open ? this.#lines.get(this.#open) : undefined;
  }

  /** All moves, in the form of `openMove`. */
  get moves() {
    return this.#ordered.map((sheet) => this.#lineOf(sheet));
  }

  /** The elements in their order. */
  get #ordered() {
    return [...this.#elements.values()];
  }

  /** @param {OpenMove} move */
  #elementOf(move) {
    return /** @type {HTMLDetailsElement} */ (this.#elements.get(moveKey(move)));
  }

  /** @param {Element} sheet */
  #lineOf(sheet) {
    return /** @type {OpenLine} */ (this.#lines.get(sheet));
  }

  /** Open the next move, or the first one after the last. */
  openNext() {
    const all = this.#ordered;
    const at = this.#open ? all.indexOf(this.#open) : -1;
    this.#openElement(all[(at + 1) % all.length]);
  }

  /**
   * Make this move the open one at once: the browser's own event comes later.
   *
   * @param {HTMLDetailsElement} sheet
   */
  #openElement(sheet) {
    sheet.open = true;
    if (sheet === this.#open) return;
    this.#open = sheet;
    this.dispatchEvent(new CustomEvent("line", { detail: { gone: null } }));
  }

  /**
   * Show the recorded values in the fields of a move. Returns whether everything filled in is now recorded.
   *
   * @param {HTMLDetailsElement} sheet
   * @param {Blank[]} blanks
   */
  #showRecorded(sheet, blanks) {
    const { fields } = this.#lineOf(sheet);
    let recorded = false;
    fields.forEach((field, at) => {
      const { stands = "" } = blanks[at];
      if (stands && stands !== field.stands && evaluateSum(field.value) === stands) {
        clearField(field);
        recorded = true;
      }
      showRecorded(field, stands);
    });
    return recorded && !fields.some(({ value }) => value);
  }

  /**
   * Fill in a field as if the value were typed or picked.
   *
   * @param {BlankField} field
   * @param {string} value
   */
  fillField(field, value) {
    const key = field.role === "group" && [...field.children].find((key) => key.value === value);
    if (key && field.value !== value) key.click();
    if (field.role === "group") return;
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /**
   * Put these values back into the fields of the open move.
   *
   * @param {string[]} values
   */
  restoreValues(values) {
    for (const [index, field] of this.openMove?.fields.entries() ?? []) this.fillField(field, values[index]);
  }

  /**
   * Set whether a keypad enters the numbers: the system keyboard is then not needed.
   *
   * @param {boolean} shown
   */
  set keypad(shown) {
    this.#keypad = shown;
    for (const field of this.element.querySelectorAll("input")) field.inputMode = shown ? "none" : "decimal";
  }

  /**
   * Whether a text is the complete result of the fields.
   *
   * @param {string} text
   */
  isResult(text) {
    return text === this.#notation && (this.isComplete || !hasOpenValue(text));
  }

  /**
   * Open the move with this notation. Returns false if it has no fields here.
   *
   * @param {string} notation
   */
  open(notation) {
    const sheet = this.#ordered.find(({ dataset }) => dataset.move === notation);
    if (sheet) this.#openElement(sheet);
    return Boolean(sheet);
  }

  /**
   * Focus a field of the move with this notation. Returns false if there is none.
   *
   * @param {string} notation
   * @param {number} index
   */
  focus(notation, index) {
    if (!this.open(notation)) return false;
    if (!this.openMove?.fields[index]) return false;
    this.focusField(index);
    this.dispatchEvent(new CustomEvent("field", { detail: index }));
    return true;
  }

  /**
   * Focus a field of the open move.
   *
   * @param {number} index
   */
  focusField(index) {
    const field = this.openMove?.fields[index];
    (field?.querySelector("button") ?? field)?.focus({ preventScroll: this.#keypad });
  }

  /** Focus the first key for the next value. Returns false if there is none. */
  focusFirstKey() {
    const key = this.openMove?.fields.find(isEmpty)?.querySelector("button:not([hidden])");
    key?.focus();
    return Boolean(key);
  }

  /** The notation of the open move from its fields; "" if nothing is filled in. */
  get notation() {
    return this.#notation;
  }

  /** Whether every field of the open move is filled in or recorded. */
  get isComplete() {
    return Boolean(this.openMove && !this.openMove.fields.some(isEmpty));
  }

  /**
   * @param {OpenMove} line
   * @returns {HTMLDetailsElement}
   */
  #makeElement({ move, notation, template, blanks, aside, whole }) {
    const fields = blanks.map((blank) => blankField(blank, this.words));
    /** @param {{ target: any }} [event] */
    const update = (event) => {
      const last = lastPieceKey(blanks, fields);
      if (last && event?.target.value) return last.click();
      const values = fields.map((field) => evaluateSum(field.value));
      const unfilled = aside || hasOpenValue(notation) ? "" : notation; // not noted, or nothing yet
      const shown = whole ? values.every(Boolean) : values.some(Boolean);
      this.#notation = shown ? fillTemplate(template, blanks, values) : unfilled;
      this.#unfold(fields, nextFields(blanks, fields));
      const at = fields.find((field) => field.contains(document.activeElement));
      if (at?.value && !at.closest(".now")) this.focusFirstKey(); // keyboard users continue there, too
      this.ontype(this.#notation);
      this.dispatchEvent(new Event("input"));
    };
    for (const each of fields) each.addEventListener("input", update);
    const name = lineName(move, this.words) ?? fixedBeginning(notation);
    /** @type {HTMLDetailsElement} */
    const element = h(
      "details",
      {
        name: this.name,
        class: whole ? "pair" : "",
        "data-move": notation,
        ontoggle: () => element.open && this.#openElement(element),
      },
      h("summary", {}, name),
      h(
        "div",
        { class: "fields" },
        blanks.map((_, index) => this.#row(blanks, index, fields[index], update)),
      ),
    );
    this.#lines.set(element, { move, notation, blanks, fields, update, title: name });
    this.#unfold(fields, nextFields(blanks, fields));
    return element;
  }

  /**
   * Unfold the fields that are `asked` for, and fold other fields with many choices, to save space.
   *
   * @param {BlankField[]} fields
   * @param {(BlankField | undefined)[]} asked
   */
  #unfold(fields, asked) {
    for (const field of fields) field.closest(".blank")?.classList.toggle("now", asked.includes(field));
  }

  /**
   * @param {Blank[]} blanks
   * @param {number} index
   * @param {BlankField} field
   * @param {() => void} update
   */
  #row(blanks, index, field, update) {
    const { seat, choices } = blanks[index];
    const of = seat == null ? t("All") : this.words.name(seat);
    const same = blanks.filter((other) => other.seat === seat);
    const name = same.length > 1 ? `${of} ${same.indexOf(blanks[index]) + 1}` : of;
    field.classList.add("field");
    field.setAttribute("aria-label", name); // a label around a list would make screen readers read all choices
    const tag = field.role === "group" ? "div" : "label";
    const label = h(tag, { class: "of" }, seatMark(seat), " ", h("bdi", {}, name), " ", field);
    if (!choices?.length) return h("div", { class: "blank" }, label, signButton(field, name, update));
    if (choices.length <= KEYS_PER_ROW) return h("div", { class: "blank" }, label);
    /** @param {{ target: any }} event */
    const open = ({ target }) => this.#unfold(this.#lineOf(target.closest("details")).fields, [field]);
    return h(
      "div",
      { class: "blank many" },
      label,
      h("button", { type: "button", class: "open", "aria-label": t("Fill in {name}", { name }), onclick: open }, "?"),
    );
  }
}

/**
 * A line of a score sheet in words: "Round 1, tricks".
 *
 * @param {Json} move
 * @param {Words} words
 * @returns {string | null}
 */
function lineName({ column, round }, words) {
  if (!column) return null;
  return round == null
    ? capitalized(words.columnName(column))
    : t("Round {round}, {column}", { round, column: words.columnName(column) });
}
