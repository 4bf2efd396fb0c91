/** The keypad of a score sheet: it draws which cell its keys fill in (`filling.js`), and records lines. */
import { isOverridable } from "../base/api.js";
import { arrange, h } from "../base/dom.js";
import { t } from "../base/language.js";
import { isEmpty } from "../base/notation.js";
import { refusalReason } from "../base/problem.js";
import { storage } from "../base/storage.js";
import { textAfterKey, textAfterValue, columnLabels, firstMisfit, keypadKey } from "./cell-text.js";
import { Chips } from "./chips.js";
import { columnOf, INITIAL_FILLING, nextFilling } from "./filling.js";
import { button, KeypadKeys } from "./keys.js";
import { Objection } from "./objection.js";
import { QuickKeys } from "./quick-keys.js";
import { evaluateSum } from "./sums.js";
import { storeTyped, storedValues } from "./unsaved.js";

/** @typedef {import("./filling.js").Cell} Cell */

const WIDE = "(min-width: 56rem)";

/**
 * Keys for the thumb, for the due line of a score sheet, one player after the other, or for one changed cell. They fill
 * in the fields of the recorder, so the system keyboard is not needed.
 */
export class Keypad {
  #filling = INITIAL_FILLING;
  /** Whether values typed before a reload were restored, or something else was typed first. */
  #isRestored = false;
  #store = storage();
  /** The buttons of the form that move beside the open keys, and their normal place. */
  #formButtons;
  #formPlace;

  /**
   * @param {HTMLElement} element
   * @param {Recorder} recorder
   * @param {Words} words
   * @param {Sheet} sheet
   */
  constructor(element, recorder, words, sheet) {
    this.element = element;
    this.recorder = recorder;
    this.words = words;
    this.sheet = sheet;
    this.blanks = recorder.blanks;
    /** @param {Child} text @param {() => void} act @param {Attributes} [attributes] */
    const make = (text, act, attributes) => button(text, () => this.#runWhenStored(act), attributes);
    this.title = h("span", {});
    this.cells = h("div", { class: "cells", role: "group", "aria-label": t("Cells of the line") });
    this.chips = new Chips(this.blanks, words, sheet, make, (at) => this.#choose(at));
    this.objection = new Objection(recorder);
    this.beside = h("div", { class: "beside" });
    this.finish = make(t("Finish …"), () => recorder.askFinish());
    this.quick = new QuickKeys(sheet.name, () => this.#draw());
    this.keys = this.#newKeys(make);
    this.pad = this.#newPad();
    element.replaceChildren(this.pad, this.beside);
    this.#formButtons = ["#undo", "#redo", "#more"].map((selector) => recorder.view.form.querySelector(selector));
    this.#formPlace = this.#formButtons[0].parentElement;
    this.#listen();
    this.#restore();
    if (this.#cell) this.#draw();
    else this.#beginLine();
  }

  /** @param {import("./keys.js").MakeKey} make */
  #newKeys(make) {
    return new KeypadKeys(this.words, make, {
      press: (key) => this.#press(key),
      enter: (value) => this.#enterValue(value),
      next: () => this.#next(),
      end: () => this.#record(),
      choose: () => this.quick.ask(),
    });
  }

  #newPad() {
    return h(
      "details",
      { open: this.#opensAtFirst, ontoggle: () => this.#handleToggle() },
      h("summary", {}, this.title),
      this.cells,
      h("div", { class: "row" }, this.keys.quick, this.finish),
      this.objection.element,
      this.keys.element,
    );
  }

  /** Listen to typing and recording elsewhere on the page. */
  #listen() {
    const { blanks, element, recorder } = this;
    recorder.store.addEventListener("change", () => {
      this.#showBreach();
      if (this.element.hidden === this.#isNeeded || this.finish.hidden === recorder.canFinish) this.#draw();
    });
    blanks.addEventListener("line", ({ detail }) => {
      this.#restore();
      this.#changeLine(detail.gone);
    });
    blanks.addEventListener("field", ({ detail }) => this.#choose(detail));
    blanks.addEventListener("input", () => this.#draw());
    blanks.element.addEventListener("focusin", ({ target }) => this.#followFocus(target));
    document.addEventListener("keydown", (event) => this.#handleKey(event));
    element.addEventListener("pointerdown", (event) => event.target.closest("button") && event.preventDefault()); // the focus stays
    recorder.record.addEventListener("position", () => this.#draw());
  }

  /**
   * Change one cell: `at` is its name in notation, `text` its value.
   *
   * @param {string} at
   * @param {string} text
   */
  changeCell(at, text) {
    if (!this.isOpen) return;
    this.objection.show("");
    this.#dispatch({ type: "changing", cell: { at, text, typed: false } });
  }

  get isOpen() {
    return this.pad.open && !this.element.hidden;
  }

  get #opensAtFirst() {
    const kept = this.#store["kifu:keypad"];
    return kept === undefined ? !matchMedia(WIDE).matches : kept === "open";
  }

  #handleToggle() {
    this.#store["kifu:keypad"] = this.pad.open ? "open" : "closed";
    this.#draw();
  }

  // Typed values that are not recorded, after a reload

  /**
   * The next entry after those that wait on this device, and its recorder. A waiting opening is counted, unless the
   * page is a draft, which counts it already.
   */
  get #nextEntry() {
    const { record, sync } = this.recorder;
    return {
      game: record.game,
      person: document.body.dataset.person ?? "",
      entry: record.head + sync.outbox.items().filter(({ body }) => body.events).length,
    };
  }

  /** Restore values typed before, once their lines are known: these may follow from waiting entries. */
  #restore() {
    if (this.#isRestored || !this.blanks.openMove) return;
    const { lines, cell } = storedValues(this.#store, this.#nextEntry);
    for (const [notation, values] of lines)
      if (this.blanks.open(notation)) {
        this.#isRestored = true;
        this.blanks.restoreValues(values);
      }
    if (!cell || !this.pad.open || (lines.length && !this.#isRestored)) return;
    this.#dispatch({ type: "changing", cell: { ...cell, typed: true } });
    this.recorder.move.typeText(this.#cellNotation);
  }

  #storeTyped() {
    const { moves } = this.blanks;
    const { at, text, typed } = this.#cell ?? {};
    const cell = at && typed ? { at, text: text ?? "" } : undefined;
    this.#isRestored ||= Boolean(cell) || moves.some(({ fields }) => fields.some(({ value }) => value));
    if (this.#isRestored) storeTyped(this.#store, this.#nextEntry, moves, this.#openLine?.notation, cell);
  }

  // Fields

  /** The cell that is changed, instead of a line. */
  get #cell() {
    return this.#filling.cell;
  }

  /** The line that the keys fill in; null while a cell is changed. */
  get #openLine() {
    return this.#cell ? null : (this.blanks.openMove ?? null);
  }

  get #fields() {
    return this.#openLine?.fields ?? [];
  }

  get #column() {
    const { columns } = this.sheet;
    return this.#cell ? columnOf(columns, this.#cell.at) : columns.find(({ id }) => id === this.#openLine?.move.column);
  }

  get #text() {
    return this.#cell ? this.#cell.text : (this.#fields[this.#filling.index]?.value ?? "");
  }

  /** The move that changes the cell; its name alone empties it. */
  get #cellNotation() {
    const { at = "", text = "" } = this.#cell ?? {};
    return `${at} ${evaluateSum(text)}`.trim();
  }

  /**
   * Fill in the current cell. A digit after it replaces a `fresh` text.
   *
   * @param {string} text
   * @param {boolean} fresh
   */
  #fill(text, fresh) {
    this.objection.clear();
    this.#filling = nextFilling(this.#filling, { type: "typed", text, fresh });
    if (!this.#cell) return this.blanks.fillField(this.#fields[this.#filling.index], text);
    this.recorder.move.typeText(this.#cellNotation);
    this.#draw();
  }

  /** The index of the first empty field of the line that is due. */
  get #firstEmpty() {
    return Math.max(this.blanks.openMove?.fields.findIndex(isEmpty) ?? 0, 0);
  }

  /** Begin the line that is due with its first empty cell. */
  #beginLine() {
    this.objection.showForm(false);
    this.#dispatch({ type: "begun", index: this.#firstEmpty });
  }

  /**
   * Switch to another line. If others filled in the previous one, pending keys are dropped.
   *
   * @param {OpenLine | null} gone
   */
  #changeLine(gone) {
    const before = this.#filling.phase;
    const typed = Boolean(gone?.fields.some(({ value }) => value));
    this.#dispatch({ type: "replaced", index: this.#firstEmpty, taken: Boolean(gone), typed });
    const { phase } = this.#filling;
    if (phase === "begun") this.objection.showForm(false);
    if (phase !== "lost" || before === "lost") return;
    this.objection.show(
      t("{line} is not due any more: the record has changed. Tap the cell where you want to go on.", {
        line: gone?.title ?? "",
      }),
    );
  }

  /**
   * Change the state by an action. If the focus is in the form, it moves along.
   *
   * @param {import("./filling.js").FillingAction} action
   */
  #dispatch(action) {
    this.#filling = nextFilling(this.#filling, action);
    const { index } = this.#filling;
    const { activeElement } = document;
    const field = this.#fields[index];
    if (field && this.blanks.element.contains(activeElement) && !field.contains(activeElement))
      this.blanks.focusField(index);
    this.#draw();
  }

  /**
   * Choose a field of the open line.
   *
   * @param {number} index
   */
  #choose(index) {
    this.objection.show("");
    this.#dispatch({ type: "chosen", index });
  }

  /** @param {Node} target */
  #followFocus(target) {
    const at = this.blanks.openMove?.fields.findIndex((field) => field.contains(target)) ?? -1;
    if (at >= 0 && (at !== this.#filling.index || this.#cell)) this.#choose(at);
  }

  #cancelCell() {
    this.recorder.move.typeText("");
    this.#beginLine();
  }

  // Keys

  /**
   * Run a key's action for the line that is due then: a line being stored is left first.
   *
   * @param {() => void} act
   */
  async #runWhenStored(act) {
    await this.recorder.sync.outbox.whenStored;
    act();
  }

  /** Whether there is a cell to fill in. */
  get #hasTarget() {
    return Boolean(this.#cell || this.#fields[this.#filling.index]);
  }

  /** @param {string} key */
  #press(key) {
    if (!this.#hasTarget) return;
    this.#fill(textAfterKey(this.#text, key, this.#filling.fresh), false);
  }

  /**
   * Enter a whole value: the end of an open sum, or a replacement.
   *
   * @param {string} value
   */
  #enterValue(value) {
    if (!this.#hasTarget) return;
    this.#fill(textAfterValue(this.#text, value), true);
    this.#next();
  }

  #next() {
    const index = this.#nextEmpty;
    if (index < 0) this.#record();
    else this.#dispatch({ type: "moved", index });
  }

  /** The index of the next empty field of the line; -1 without one. */
  get #nextEmpty() {
    return this.#fields.findIndex(({ stands }, at) => at > this.#filling.index && !stands);
  }

  /** Record the values, and continue with the next due line. */
  async #record() {
    const unfit = this.#firstMisfit;
    if (unfit) return this.objection.show(unfit.why, unfit.overridable);
    const { notation, fields, update } = this.#openLine ?? {};
    const values = fields?.map(({ value }) => value);
    if (values && !values.some(Boolean)) return this.blanks.openNext();
    update?.(); // something else may have been typed since
    const cell = this.#cell;
    this.#beginLine();
    const problem = await this.recorder.recordValues();
    if (!problem) return;
    this.objection.show(t("Not recorded: {why}", { why: refusalReason(problem) }), isOverridable(problem));
    if (cell && !this.#cell) this.#dispatch({ type: "changing", cell });
    else if (values && !this.blanks.openMove?.fields.some(({ value }) => value) && this.blanks.open(notation ?? ""))
      this.blanks.restoreValues(values);
    this.#draw();
  }

  /** Show above the keys which rule the line would break, once a dry run says so. The form stays hidden meanwhile. */
  #showBreach() {
    const { problem } = this.recorder.store.state.verdict ?? {};
    if (!this.isOpen || !problem || this.objection.isShown || this.objection.asksReason) return;
    this.objection.show(this.#firstMisfit?.why ?? refusalReason(problem.body), isOverridable(problem.body));
  }

  /** The first value that does not fit the column, and whether it can be recorded with a reason; null if all fit. */
  get #firstMisfit() {
    const cells = this.#cell
      ? [[this.words.cellName(this.#cell.at), this.#cell.text]]
      : this.#fields.map(({ ariaLabel, value }) => [ariaLabel ?? "", value]);
    return firstMisfit(cells, this.#column);
  }

  /**
   * Keyboard keys work like the keys of the keypad, unless a field has the focus.
   *
   * @param {KeyboardEvent & { target: any }} event
   */
  #handleKey(event) {
    const elsewhere = event.target.closest("input, textarea, select, dialog") || document.querySelector("dialog[open]");
    if (!this.isOpen || elsewhere || event.altKey || event.ctrlKey || event.metaKey) return;
    const key = keypadKey(event.key);
    if (event.key === "Enter" && !event.target.closest("button, a, summary")) this.#runWhenStored(() => this.#next());
    else if (key && !this.#labels) this.#runWhenStored(() => this.#press(key));
    else return;
    event.preventDefault();
  }

  // Drawing

  /** The labels of the column, instead of numbers; null without labels. */
  get #labels() {
    return columnLabels(this.#column);
  }

  #draw() {
    this.#storeTyped();
    this.element.hidden = !this.#isNeeded;
    const open = this.isOpen;
    this.#moveFormButtons(open);
    document.getElementById("game").classList.remove("keys-due");
    document.documentElement.classList.toggle("keys-below", !this.element.hidden);
    document.documentElement.classList.toggle("keys-open", open);
    this.blanks.keypad = open;
    this.recorder.move.input.inputMode = open && this.#cell ? "none" : "";
    if (this.element.hidden) return;
    this.title.replaceChildren(...this.#heading());
    if (!open) return;
    const { cell, index } = this.#filling;
    arrange(this.cells, cell ? this.#changedCellView(cell) : this.chips.draw(this.#openLine, index));
    this.cells.querySelector("[aria-pressed=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.keys.draw({ labels: this.#labels, quick: this.quick.values, end: this.#endLabel }, this.#nextEmpty < 0);
  }

  /** Whether there is something to fill in, at the newest moment of an open record. */
  get #isNeeded() {
    const { isAtNewest, closed, showsStory } = this.recorder.record;
    return isAtNewest && !closed && !showsStory && !this.recorder.asksFinish && Boolean(this.#openLine || this.#cell);
  }

  /**
   * Move the buttons of the form beside the keys, in reach of the thumb, or back.
   *
   * @param {boolean} open
   */
  #moveFormButtons(open) {
    const place = open ? this.beside : this.#formPlace;
    const { activeElement } = document;
    if (this.#formButtons[0].parentElement !== place) {
      place.append(...this.#formButtons);
      if (activeElement && place.contains(activeElement)) /** @type {HTMLElement} */ (activeElement).focus();
    }
    this.finish.hidden = !this.recorder.canFinish;
  }

  #heading() {
    const text = this.#cell
      ? t("Change {cell}", { cell: this.words.cellName(this.#cell.at) })
      : (this.#openLine?.title ?? "");
    const sum = evaluateSum(this.#text) === this.#text ? "" : this.#text;
    return [text, h("output", {}, sum)];
  }

  /** @param {Cell} cell */
  #changedCellView({ text }) {
    return [
      h("output", { class: "chip" }, this.chips.readableValue(text, this.#column?.id)),
      button(t("Leave it as it was"), () => this.#cancelCell()),
    ];
  }

  /** The text of the key that records a line before its last cell; "" without such a key. */
  get #endLabel() {
    if (this.#cell) return "";
    return this.#openLine?.move.round == null ? t("Next line") : t("Next round");
  }
}
