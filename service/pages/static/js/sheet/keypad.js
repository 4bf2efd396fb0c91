import { isEmpty, shortened } from "../base/notation.js";
import { arrange, h } from "../base/dom.js";
import { FormDialog, labelled } from "../base/formdialog.js";
import { joinWithCommas, t } from "../base/language.js";
import { refusalReason } from "../base/problem.js";
import { storage } from "../base/storage.js";
import { evaluateSum } from "./sums.js";
import { storeTyped, storedValues } from "./unsaved.js";
import {
  afterValue,
  keypadKey,
  firstMisfit,
  afterKey,
  parseQuickKeys,
  readableValue,
  columnLabels,
} from "./cell-text.js";
import { seatMark } from "../base/words.js";

/** @typedef {{ at: string, column: Column, text: string, typed?: boolean }} Cell */

const USUAL = "0 5 10 20";
/** The number keys, row by row. */
const NUMBER_KEYS = ["7", "8", "9", "back", "4", "5", "6", "±", "1", "2", "3", "+", "0", "."];
/** Keys that may be typed twice in a row: 77. */
const REPEATED = /^([0-9]|back)$/;
const WIDE = "(min-width: 56rem)";

/**
 * Keys for the thumb, for the due line of a score sheet, one player after the other, or for one changed cell. They fill
 * in the fields of the recorder, so the system keyboard is not needed.
 */
export class Keypad {
  /** The index of the current field of the line; -1 before one is chosen. */
  #index = 0;
  /** Whether somebody chose the field, instead of starting at the first one. */
  #chosen = false;
  /**
   * The cell being changed, instead of a line.
   *
   * @type {Cell | null}
   */
  #changedCell = null;
  /** Whether the next digit replaces the value. */
  #replaces = true;
  /** Whether the form above the keys asks for a reason for an irregular line. */
  #asksReason = false;
  /** Whether the form asks for confirmation to finish the game, instead of the keys. */
  #asksFinish = false;
  /** Whether values typed before a reload were restored, or something else was typed first. */
  #isRestored = false;
  #store = storage();
  /**
   * The button of each field of the line, and of each gap in other lines. They are kept, so none disappears under a
   * finger.
   */
  #chips = new WeakMap();
  #gapChips = new WeakMap();
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
    this.dialog = new FormDialog("quick-keys", () => this.#storeQuickKeys());
    this.title = h("span", {});
    this.cells = h("div", { class: "cells", role: "group", "aria-label": t("Cells of the line") });
    this.cause = h("p", { class: "cause", role: "alert" });
    this.insistButton = button(t("Record it anyway …"), () => this.#askReason(), { class: "plain" });
    this.beside = h("div", { class: "beside" });
    this.finish = this.#key(t("Finish …"), () => recorder.askFinish());
    this.quick = h("div", { class: "quick", role: "group", "aria-label": t("Quick keys") });
    this.keys = h("div", { class: "pad" });
    this.pad = h(
      "details",
      { open: this.#opensAtFirst, ontoggle: () => this.#toggled() },
      h("summary", {}, this.title),
      this.cells,
      h("div", { class: "row" }, this.quick, this.finish),
      this.cause,
      this.keys,
    );
    element.replaceChildren(this.pad, this.beside);
    this.#formButtons = ["#undo", "#redo", "#more"].map((selector) => recorder.view.form.querySelector(selector));
    this.#formPlace = this.#formButtons[0].parentElement;
    this.#listen();
    this.#restore();
    this.#beginLine();
  }

  /** Listen to typing and recording elsewhere on the page. */
  #listen() {
    const { blanks, element, recorder } = this;
    recorder.store.addEventListener("change", () => {
      this.#showBreach();
      if (this.#asksFinish !== recorder.asksFinish || this.finish.hidden === recorder.canFinish) this.#draw();
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
  change(at, text) {
    if (!this.isOpen) return;
    this.cause.textContent = "";
    this.#changedCell = { at, column: this.#columnOf(at), text };
    this.#replaces = true;
    this.#draw();
  }

  get isOpen() {
    return this.pad.open && !this.element.hidden;
  }

  get #opensAtFirst() {
    const kept = this.#store["kifu:keypad"];
    return kept === undefined ? !matchMedia(WIDE).matches : kept === "open";
  }

  #toggled() {
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
    if (this.#isRestored || !this.blanks.line) return;
    const { lines, cell } = storedValues(this.#store, this.#nextEntry);
    for (const [notation, values] of lines)
      if (this.blanks.open(notation)) {
        this.#isRestored = true;
        this.blanks.refill(values);
      }
    if (!cell || !this.pad.open || (lines.length && !this.#isRestored)) return;
    this.#changedCell = { at: cell.at, column: this.#columnOf(cell.at), text: "" };
    this.#text = cell.text;
  }

  #storeTyped() {
    const { lines } = this.blanks;
    const cell = this.#changedCell?.typed ? { at: this.#changedCell.at, text: this.#changedCell.text } : undefined;
    this.#isRestored ||= Boolean(cell) || lines.some(({ fields }) => fields.some(({ value }) => value));
    if (this.#isRestored) storeTyped(this.#store, this.#nextEntry, lines, this.#openLine?.notation, cell);
  }

  // Fields

  get #openLine() {
    return this.#changedCell ? null : this.blanks.line;
  }

  get #fields() {
    return this.#openLine?.fields ?? [];
  }

  get #column() {
    return this.#changedCell?.column ?? this.sheet.columns.find(({ id }) => id === this.#openLine?.move.column);
  }

  /**
   * The column of a cell in notation: `r3 p2 bid`, or `r3 p2` for the default column.
   *
   * @param {string} at
   */
  #columnOf(at) {
    const named = this.sheet.columns.find(({ id }) => id === at.split(" ").at(-1));
    const own = this.sheet.columns.filter(({ shared }) => !shared);
    return named ?? own.find(({ per }) => per === "round") ?? own[0];
  }

  get #text() {
    return this.#changedCell ? this.#changedCell.text : (this.#fields[this.#index]?.value ?? "");
  }

  /** @param {string} text */
  set #text(text) {
    this.cause.textContent = "";
    this.#showReasonForm(false);
    if (this.#changedCell) {
      Object.assign(this.#changedCell, { text, typed: true });
      this.recorder.move.type(`${this.#changedCell.at} ${evaluateSum(text)}`.trim());
      this.#draw();
    } else this.blanks.fill(this.#fields[this.#index], text);
  }

  /** Begin a line with its first empty cell. */
  #beginLine() {
    const first = this.#openLine?.fields.findIndex(isEmpty) ?? 0;
    this.#chosen = false;
    this.#showReasonForm(false);
    this.#goTo(Math.max(first, 0));
  }

  /**
   * Switch to another line. If others filled in the previous one, pending keys are dropped.
   *
   * @param {OpenLine | null} gone
   */
  #changeLine(gone) {
    const lost = gone && !this.#changedCell && (this.#chosen || gone.fields.some(({ value }) => value));
    if (!lost) return this.#changedCell ? this.#draw() : this.#beginLine();
    this.#goTo(-1);
    this.cause.textContent = t(
      "{line} is not due any more: the record has changed. Tap the cell where you want to go on.",
      {
        line: gone.title,
      },
    );
  }

  /** @param {number} at */
  #goTo(at) {
    this.#index = at;
    this.#replaces = true;
    const { activeElement } = document;
    const field = this.#openLine?.fields[at];
    if (field && this.blanks.element.contains(activeElement) && !field.contains(activeElement))
      this.blanks.focusField(at);
    this.#draw();
  }

  /**
   * Choose a field of the open line.
   *
   * @param {number} at
   */
  #choose(at) {
    this.#changedCell = null;
    this.#chosen = true;
    this.cause.textContent = "";
    this.#goTo(at);
  }

  /** @param {Node} target */
  #followFocus(target) {
    const at = this.blanks.line?.fields.findIndex((field) => field.contains(target)) ?? -1;
    if (at >= 0 && (at !== this.#index || this.#changedCell)) this.#choose(at);
  }

  #cancelCell() {
    this.#changedCell = null;
    this.recorder.move.type("");
    this.#beginLine();
  }

  // Keys

  /**
   * Run a key's action for the line that is due then: a line being stored is left first.
   *
   * @param {() => void} act
   */
  async #whenStored(act) {
    await this.recorder.sync.outbox.settled;
    act();
  }

  /** Whether there is a cell to fill in. */
  get #hasTarget() {
    return Boolean(this.#changedCell || this.#openLine?.fields[this.#index]);
  }

  /** @param {string} key */
  #press(key) {
    if (!this.#hasTarget) return;
    const text = afterKey(this.#text, key, this.#replaces);
    this.#replaces = false;
    this.#text = text;
  }

  /**
   * Enter a whole value: the end of an open sum, or a replacement.
   *
   * @param {string} value
   */
  #enterValue(value) {
    if (!this.#hasTarget) return;
    this.#text = afterValue(this.#text, value);
    this.#next();
  }

  #next() {
    const next = this.#nextEmpty;
    if (next < 0) this.#record();
    else this.#goTo(next);
  }

  /** The index of the next empty field of the line; -1 without one. */
  get #nextEmpty() {
    return this.#fields.findIndex(({ stands }, at) => at > this.#index && !stands);
  }

  /** Record the values, and continue with the next due line. */
  async #record() {
    const unfit = this.#firstMisfit;
    if (unfit) return this.#showProblem(unfit.why, unfit.excusable);
    const { notation, fields, update } = this.#openLine ?? {};
    const values = fields?.map(({ value }) => value);
    if (values && !values.some(Boolean)) return this.blanks.openNext();
    update?.(); // something else may have been typed since
    const cell = this.#changedCell;
    this.#changedCell = null;
    this.#beginLine();
    const problem = await this.recorder.recordValues();
    if (!problem) return;
    const reason = problem.status === 401 ? t("Log in and try again.") : refusalReason(problem);
    this.#showProblem(t("Not recorded: {why}", { why: reason }), isExcusable(problem));
    if (cell && !this.#changedCell) this.#changedCell = cell;
    else if (values && !this.blanks.line?.fields.some(({ value }) => value) && this.blanks.open(notation ?? ""))
      this.blanks.refill(values);
    this.#draw();
  }

  /** Show above the keys which rule the line would break, once a dry run says so. The form stays hidden meanwhile. */
  #showBreach() {
    const { problem } = this.recorder.store.state.verdict ?? {};
    if (!this.isOpen || !problem || this.cause.textContent || this.#asksReason) return;
    this.#showProblem(this.#firstMisfit?.why ?? refusalReason(problem.body), isExcusable(problem.body));
  }

  /** Ask above the keys for a reason for an irregular line. */
  #askReason() {
    this.cause.textContent = "";
    this.#showReasonForm(true);
    this.recorder.askReason();
  }

  /**
   * Show or hide the form above the keys that asks for a reason.
   *
   * @param {boolean} asked
   */
  #showReasonForm(asked) {
    this.#asksReason = asked;
    this.recorder.view.element.classList.toggle("excusing", asked);
  }

  /**
   * Show above the keys why nothing is recorded, and offer to record it with a reason if possible. The key for that
   * stays when the text changes: a dry run and the service may both report the problem.
   *
   * @param {string} why
   * @param {boolean} excusable
   */
  #showProblem(why, excusable) {
    if (excusable && this.cause.contains(this.insistButton)) this.cause.firstChild?.replaceWith(why);
    else this.cause.replaceChildren(why, ...(excusable ? [" ", this.insistButton] : []));
  }

  /** The first value that does not fit the column, and whether it can be recorded with a reason; null if all fit. */
  get #firstMisfit() {
    const cells = this.#changedCell
      ? [[this.words.cell(this.#changedCell.at), this.#changedCell.text]]
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
    if (event.key === "Enter" && !event.target.closest("button, a, summary")) this.#whenStored(() => this.#next());
    else if (key && !this.#labels) this.#whenStored(() => this.#press(key));
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
    this.#asksFinish = this.recorder.asksFinish;
    this.element.hidden = !this.#isNeeded;
    const open = this.isOpen;
    this.#moveFormButtons(open);
    document.getElementById("game").classList.remove("keys-due");
    document.documentElement.classList.toggle("keys-below", !this.element.hidden);
    document.documentElement.classList.toggle("keys-open", open);
    this.blanks.keypad = open;
    this.recorder.move.input.inputMode = open && this.#changedCell ? "none" : "";
    if (this.element.hidden) return;
    this.title.replaceChildren(...this.#heading());
    if (!open) return;
    const chips = () => [...this.#fields.map((field, at) => this.#chip(field, at)), ...this.#drawGaps()];
    arrange(this.cells, this.#changedCell ? this.#changedCellView(this.#changedCell) : chips());
    this.cells.querySelector("[aria-pressed=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.#drawKeys();
  }

  /** Whether there is something to fill in, at the newest moment of an open record. */
  get #isNeeded() {
    const { isAtNewest, closed, showsStory } = this.recorder.record;
    return isAtNewest && !closed && !showsStory && !this.#asksFinish && Boolean(this.#openLine || this.#changedCell);
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
    const text = this.#changedCell
      ? t("Change {cell}", { cell: this.words.cell(this.#changedCell.at) })
      : (this.#openLine?.title ?? "");
    const sum = evaluateSum(this.#text) === this.#text ? "" : this.#text;
    return [text, h("output", {}, sum)];
  }

  /** @param {Cell} cell */
  #changedCellView({ text }) {
    return [
      h("output", { class: "chip" }, this.#readable(text)),
      button(t("Leave it as it was"), () => this.#cancelCell()),
    ];
  }

  /**
   * The button names its line: it must not be taken for the redrawn button of another line in the same place.
   *
   * @param {BlankField} field
   * @param {number} at
   */
  #chip(field, at) {
    const { notation, blanks } = this.#openLine ?? {};
    const make = () =>
      this.#newChip(blanks?.[at].seat, () => this.#choose(at), { class: "chip", "data-cell": `${notation} ${at}` });
    const { value, stands } = field;
    const chip = this.#keptChip(this.#chips, field, make, this.#readable(value || (stands ?? "")));
    chip.setAttribute("aria-pressed", String(at === this.#index));
    chip.querySelector("b").classList.toggle("stands", !value);
    return chip;
  }

  /**
   * @param {number | null | undefined} seat
   * @param {() => void} act
   * @param {Attributes} attributes
   */
  #newChip(seat, act, attributes) {
    const inside = [h("span", {}, h("bdi")), h("span", { class: "value" }, seatMark(seat), h("b"))];
    return this.#key(inside, act, attributes);
  }

  /**
   * The button of a field, with the name of its cell and its value; it is made once.
   *
   * @param {WeakMap<BlankField, HTMLButtonElement>} chips
   * @param {BlankField} field
   * @param {() => HTMLButtonElement} make
   * @param {string} text
   */
  #keptChip(chips, field, make, text) {
    const chip = chips.get(field) ?? make();
    chips.set(field, chip);
    setText(chip.querySelector("bdi"), field.ariaLabel ?? "");
    setText(chip.querySelector("b"), text);
    return chip;
  }

  /** Show what is open in other lines: cells left empty in a round, and values that are not recorded. */
  #drawGaps() {
    return this.blanks.lines.flatMap((line) => {
      const gap = line.move.round != null && line.fields.some(({ stands }) => stands);
      const open = line.fields
        .map((field, at) => ({ line, field, at }))
        .filter(({ field }) => field.value || (gap && isEmpty(field)));
      return line === this.#openLine ? [] : open.map((cell) => this.#gapChip(cell));
    });
  }

  /** @param {{ line: OpenLine, field: BlankField, at: number }} gap */
  #gapChip({ line: { notation, title, blanks, move }, field, at }) {
    const { value, ariaLabel: name } = field;
    const column = this.sheet.columns.find(({ id }) => id === move.column);
    const text = `${shortened(notation)} ${value ? this.#readable(value, column) : "–"}`;
    const make = () => this.#newChip(blanks[at].seat, () => this.blanks.focus(notation, at), { class: "chip gap" });
    const chip = this.#keptChip(this.#gapChips, field, make, text);
    chip.setAttribute("aria-label", joinWithCommas([title, name, value && t("not recorded")].filter(Boolean)));
    return chip;
  }

  /**
   * A value for reading: labels are translated.
   *
   * @param {string} value
   * @param {Column | undefined} column
   */
  #readable(value, column = this.#column) {
    return columnLabels(column) && value ? this.words.termFor("label", value) : readableValue(value);
  }

  /** Draw the keys. Each kind is made once, so that none disappears under a finger. */
  #drawKeys() {
    const labels = this.#labels;
    const kind = JSON.stringify([labels, this.#quickValues, this.#endLabel]);
    if (kind !== this.keys.dataset.kind) {
      this.keys.dataset.kind = kind;
      this.keys.classList.toggle("words", Boolean(labels));
      this.keys.replaceChildren(...(labels ? this.#labelKeys(labels) : this.#numberKeys()), ...this.#endKeys());
      this.quick.hidden = Boolean(labels);
      this.quick.replaceChildren(...this.#quickButtons());
    }
    const last = this.#nextEmpty < 0;
    const next = this.keys.querySelector(".next");
    next.textContent = last ? t("Enter") : t("Next");
    next.setAttribute("aria-label", last ? t("Enter the line") : t("Next player"));
  }

  /**
   * A key. Its action is for the line that is due then.
   *
   * @param {Child} text
   * @param {() => void} act
   * @param {Attributes} [attributes]
   */
  #key(text, act, attributes) {
    return button(text, () => this.#whenStored(act), attributes);
  }

  #quickButtons() {
    const keys = this.#quickValues.map((value) =>
      this.#key(value, () => this.#enterValue(value), { "aria-label": t("{value}, and on", { value }) }),
    );
    return [
      ...keys,
      button("✎", () => this.#askQuickKeys(), { class: "plain", "aria-label": t("Choose the quick keys") }),
    ];
  }

  #numberKeys() {
    /** @type {Record<string, string>} */
    const names = { back: t("Delete the last character"), "±": t("Plus or minus"), "+": t("And") };
    return NUMBER_KEYS.map((key) =>
      this.#key(key === "back" ? "⌫" : key, () => this.#press(key), {
        "aria-label": names[key],
        "data-repeats": REPEATED.test(key),
      }),
    );
  }

  /** @param {string[]} labels */
  #labelKeys(labels) {
    return labels.map((label) => this.#key(this.words.termFor("label", label), () => this.#enterValue(label)));
  }

  /** Show the actions after the line, when it is left before its last cell. */
  get #endLabel() {
    if (this.#changedCell) return "";
    return this.#openLine?.move.round == null ? t("Next line") : t("Next round");
  }

  #endKeys() {
    const after = this.#endLabel;
    return [
      ...(after ? [this.#key(after, () => this.#record(), { class: "round" })] : []),
      this.#key(t("Next"), () => this.#next(), { class: "next primary" }),
    ];
  }

  // Quick keys

  get #quickValues() {
    return parseQuickKeys(this.#store[this.#quickKey] ?? USUAL);
  }

  /** The storage key for the quick keys of this sheet on this device. */
  get #quickKey() {
    return `kifu:quick:${this.sheet.name}`;
  }

  #askQuickKeys() {
    const field = h("input", {
      autocomplete: "off",
      pattern: "\\s*(-?\\d{1,6}(\\.\\d{1,3})?[\\s,]*)*",
      maxlength: "80",
    });
    field.value = this.#quickValues.join(" ");
    this.dialog.open({
      title: t("Quick keys"),
      lead: t("Each fills in its number and goes on. They are kept on this device, for {sheet}.", {
        sheet: this.sheet.name,
      }),
      fields: [labelled(t("Numbers, with spaces between them"), field)],
      verb: t("Keep them"),
    });
  }

  #storeQuickKeys() {
    this.#store[this.#quickKey] = parseQuickKeys(this.dialog.form.querySelector("input").value).join(" ");
    this.dialog.close();
    this.#draw();
  }
}

/**
 * Set the text of an element, unless it is the same.
 *
 * @param {Element} element
 * @param {string} text
 */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * @param {Child} text
 * @param {() => void} act
 * @param {Attributes} [attributes]
 */
function button(text, act, attributes) {
  return h("button", { type: "button", onclick: act, ...attributes }, text);
}

/**
 * Whether a line with this problem can be recorded with a reason.
 *
 * @param {ProblemBody} problem
 */
function isExcusable({ type, impossible }) {
  return Boolean(type?.endsWith("/rule-broken") && !impossible);
}
