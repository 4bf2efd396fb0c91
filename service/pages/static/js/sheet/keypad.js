import { isEmpty, shortened } from "../base/notation.js";
import { arrange, h } from "../base/dom.js";
import { FormDialog, labelled } from "../base/formdialog.js";
import { commas, t } from "../base/language.js";
import { reasonOf } from "../base/problem.js";
import { storage } from "../base/storage.js";
import { summed } from "./sums.js";
import { keepTyped, typedBefore } from "./typed.js";
import { entered, keyOf, misfit, pressed, quickKeys, shown, wordsOf } from "./typing.js";
import { stone } from "../base/words.js";

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
  #at = 0;
  /** Whether somebody chose the field, instead of starting at the first one. */
  #chosen = false;
  /**
   * The cell being changed, instead of a line.
   *
   * @type {Cell | null}
   */
  #cell = null;
  /** Whether the next digit replaces the value. */
  #fresh = true;
  /** Whether the form above the keys asks for a reason for an irregular line. */
  #excusing = false;
  /** Whether the form asks for confirmation to finish the game, instead of the keys. */
  #finishing = false;
  /** Whether values typed before a reload were restored, or something else was typed first. */
  #gaveBack = false;
  #store = storage();
  /**
   * The button of each field of the line, and of each gap in other lines. They are kept, so none disappears under a
   * finger.
   */
  #chips = new WeakMap();
  #gapChips = new WeakMap();
  /** The buttons of the form that move beside the open keys, and their normal place. */
  #borrowed;
  #home;

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
    this.dialog = new FormDialog("quick-keys", () => this.#keepQuick());
    this.title = h("span", {});
    this.cells = h("div", { class: "cells", role: "group", "aria-label": t("Cells of the line") });
    this.cause = h("p", { class: "cause", role: "alert" });
    this.insist = button(t("Record it anyway …"), () => this.#insist(), { class: "plain" });
    this.beside = h("div", { class: "beside" });
    this.finish = this.#key(t("Finish …"), () => recorder.finish());
    this.quick = h("div", { class: "quick", role: "group", "aria-label": t("Quick keys") });
    this.keys = h("div", { class: "pad" });
    this.pad = h(
      "details",
      { open: this.#wanted, ontoggle: () => this.#toggled() },
      h("summary", {}, this.title),
      this.cells,
      h("div", { class: "row" }, this.quick, this.finish),
      this.cause,
      this.keys,
    );
    element.replaceChildren(this.pad, this.beside);
    this.#borrowed = ["#undo", "#redo", "#more"].map((selector) => recorder.view.form.querySelector(selector));
    this.#home = this.#borrowed[0].parentElement;
    this.#listen();
    this.#giveBack();
    this.#begin();
  }

  /** Listen to typing and recording elsewhere on the page. */
  #listen() {
    const { blanks, element, recorder } = this;
    recorder.store.addEventListener("change", () => {
      this.#judge();
      if (this.#finishing !== recorder.finishing || this.finish.hidden === recorder.finishes) this.#draw();
    });
    blanks.addEventListener("line", ({ detail }) => {
      this.#giveBack();
      this.#turn(detail.gone);
    });
    blanks.addEventListener("field", ({ detail }) => this.#choose(detail));
    blanks.addEventListener("input", () => this.#draw());
    blanks.element.addEventListener("focusin", ({ target }) => this.#focused(target));
    document.addEventListener("keydown", (event) => this.#typed(event));
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
    this.#cell = { at, column: this.#columnOf(at), text };
    this.#fresh = true;
    this.#draw();
  }

  get isOpen() {
    return this.pad.open && !this.element.hidden;
  }

  get #wanted() {
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
  get #coming() {
    const { record, sync } = this.recorder;
    return {
      game: record.game,
      person: document.body.dataset.person ?? "",
      entry: record.head + sync.outbox.items().filter(({ body }) => body.events).length,
    };
  }

  /** Restore values typed before, once their lines are known: these may follow from waiting entries. */
  #giveBack() {
    if (this.#gaveBack || !this.blanks.line) return;
    const { lines, cell } = typedBefore(this.#store, this.#coming);
    for (const [notation, values] of lines)
      if (this.blanks.open(notation)) {
        this.#gaveBack = true;
        this.blanks.refill(values);
      }
    if (!cell || !this.pad.open || (lines.length && !this.#gaveBack)) return;
    this.#cell = { at: cell.at, column: this.#columnOf(cell.at), text: "" };
    this.#text = cell.text;
  }

  #keepTyped() {
    const { lines } = this.blanks;
    const cell = this.#cell?.typed ? { at: this.#cell.at, text: this.#cell.text } : undefined;
    this.#gaveBack ||= Boolean(cell) || lines.some(({ fields }) => fields.some(({ value }) => value));
    if (this.#gaveBack) keepTyped(this.#store, this.#coming, lines, this.#line?.notation, cell);
  }

  // Fields

  get #line() {
    return this.#cell ? null : this.blanks.line;
  }

  get #fields() {
    return this.#line?.fields ?? [];
  }

  get #column() {
    return this.#cell?.column ?? this.sheet.columns.find(({ id }) => id === this.#line?.move.column);
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
    return this.#cell ? this.#cell.text : (this.#fields[this.#at]?.value ?? "");
  }

  /** @param {string} text */
  set #text(text) {
    this.cause.textContent = "";
    this.#excuse(false);
    if (this.#cell) {
      Object.assign(this.#cell, { text, typed: true });
      this.recorder.move.type(`${this.#cell.at} ${summed(text)}`.trim());
      this.#draw();
    } else this.blanks.fill(this.#fields[this.#at], text);
  }

  /** Begin a line with its first empty cell. */
  #begin() {
    const first = this.#line?.fields.findIndex(isEmpty) ?? 0;
    this.#chosen = false;
    this.#excuse(false);
    this.#go(Math.max(first, 0));
  }

  /**
   * Switch to another line. If others filled in the previous one, pending keys are dropped.
   *
   * @param {OpenLine | null} gone
   */
  #turn(gone) {
    const lost = gone && !this.#cell && (this.#chosen || gone.fields.some(({ value }) => value));
    if (!lost) return this.#cell ? this.#draw() : this.#begin();
    this.#go(-1);
    this.cause.textContent = t("{line} is not due any more: the record has changed. Tap the cell to go on with.", {
      line: gone.title,
    });
  }

  /** @param {number} at */
  #go(at) {
    this.#at = at;
    this.#fresh = true;
    const { activeElement } = document;
    const field = this.#line?.fields[at];
    if (field && this.blanks.element.contains(activeElement) && !field.contains(activeElement)) this.blanks.point(at);
    this.#draw();
  }

  /**
   * Choose a field of the open line.
   *
   * @param {number} at
   */
  #choose(at) {
    this.#cell = null;
    this.#chosen = true;
    this.cause.textContent = "";
    this.#go(at);
  }

  /** @param {Node} target */
  #focused(target) {
    const at = this.blanks.line?.fields.findIndex((field) => field.contains(target)) ?? -1;
    if (at >= 0 && (at !== this.#at || this.#cell)) this.#choose(at);
  }

  #leave() {
    this.#cell = null;
    this.recorder.move.type("");
    this.#begin();
  }

  // Keys

  /**
   * Run a key's action for the line that is due then: a line being stored is left first.
   *
   * @param {() => void} act
   */
  async #due(act) {
    await this.recorder.sync.outbox.settled;
    act();
  }

  /** Whether there is a cell to fill in. */
  get #aims() {
    return Boolean(this.#cell || this.#line?.fields[this.#at]);
  }

  /** @param {string} key */
  #press(key) {
    if (!this.#aims) return;
    const text = pressed(this.#text, key, this.#fresh);
    this.#fresh = false;
    this.#text = text;
  }

  /**
   * Enter a whole value: the end of an open sum, or a replacement.
   *
   * @param {string} value
   */
  #enter(value) {
    if (!this.#aims) return;
    this.#text = entered(this.#text, value);
    this.#next();
  }

  #next() {
    const next = this.#following;
    if (next < 0) this.#record();
    else this.#go(next);
  }

  /** The index of the next empty field of the line; -1 without one. */
  get #following() {
    return this.#fields.findIndex(({ stands }, at) => at > this.#at && !stands);
  }

  /** Record the values, and continue with the next due line. */
  async #record() {
    const unfit = this.#misfit;
    if (unfit) return this.#refuse(unfit.why, unfit.excusable);
    const { notation, fields, tell } = this.#line ?? {};
    const values = fields?.map(({ value }) => value);
    if (values && !values.some(Boolean)) return this.blanks.skip();
    tell?.(); // something else may have been typed since
    const cell = this.#cell;
    this.#cell = null;
    this.#begin();
    const problem = await this.recorder.enter();
    if (!problem) return;
    const said = problem.status === 401 ? t("Log in and try again.") : reasonOf(problem);
    this.#refuse(t("Not recorded: {why}", { why: said }), isExcusable(problem));
    if (cell && !this.#cell) this.#cell = cell;
    else if (values && !this.blanks.line?.fields.some(({ value }) => value) && this.blanks.open(notation ?? ""))
      this.blanks.refill(values);
    this.#draw();
  }

  /** Show above the keys which rule the line would break, once a dry run says so. The form stays hidden meanwhile. */
  #judge() {
    const { problem } = this.recorder.store.state.verdict ?? {};
    if (!this.isOpen || !problem || this.cause.textContent || this.#excusing) return;
    this.#refuse(this.#misfit?.why ?? reasonOf(problem.body), isExcusable(problem.body));
  }

  /** Ask above the keys for a reason for an irregular line. */
  #insist() {
    this.cause.textContent = "";
    this.#excuse(true);
    this.recorder.excuse();
  }

  /**
   * Show or hide the form above the keys that asks for a reason.
   *
   * @param {boolean} asked
   */
  #excuse(asked) {
    this.#excusing = asked;
    this.recorder.view.element.classList.toggle("excusing", asked);
  }

  /**
   * Show above the keys why nothing is recorded, and offer to record it with a reason if possible. The key for that
   * stays when the text changes: a dry run and the service may both report the problem.
   *
   * @param {string} why
   * @param {boolean} excusable
   */
  #refuse(why, excusable) {
    if (excusable && this.cause.contains(this.insist)) this.cause.firstChild?.replaceWith(why);
    else this.cause.replaceChildren(why, ...(excusable ? [" ", this.insist] : []));
  }

  /** The first value that does not fit the column, and whether it can be recorded with a reason; null if all fit. */
  get #misfit() {
    const cells = this.#cell
      ? [[this.words.cell(this.#cell.at), this.#cell.text]]
      : this.#fields.map(({ ariaLabel, value }) => [ariaLabel ?? "", value]);
    return misfit(cells, this.#column);
  }

  /**
   * Keyboard keys work like the keys of the keypad, unless a field has the focus.
   *
   * @param {KeyboardEvent & { target: any }} event
   */
  #typed(event) {
    const elsewhere = event.target.closest("input, textarea, select, dialog") || document.querySelector("dialog[open]");
    if (!this.isOpen || elsewhere || event.altKey || event.ctrlKey || event.metaKey) return;
    const key = keyOf(event.key);
    if (event.key === "Enter" && !event.target.closest("button, a, summary")) this.#due(() => this.#next());
    else if (key && !this.#labels) this.#due(() => this.#press(key));
    else return;
    event.preventDefault();
  }

  // Drawing

  /** The labels of the column, instead of numbers; null without labels. */
  get #labels() {
    return wordsOf(this.#column);
  }

  #draw() {
    this.#keepTyped();
    this.#finishing = this.recorder.finishing;
    this.element.hidden = !this.#serves;
    const open = this.isOpen;
    this.#borrow(open);
    document.getElementById("game").classList.remove("keys-due");
    document.documentElement.classList.toggle("keys-below", !this.element.hidden);
    document.documentElement.classList.toggle("keys-open", open);
    this.blanks.keypad = open;
    this.recorder.move.input.inputMode = open && this.#cell ? "none" : "";
    if (this.element.hidden) return;
    this.title.replaceChildren(...this.#heading());
    if (!open) return;
    const chips = () => [...this.#fields.map((field, at) => this.#chip(field, at)), ...this.#gaps()];
    arrange(this.cells, this.#cell ? this.#changed(this.#cell) : chips());
    this.cells.querySelector("[aria-pressed=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.#drawKeys();
  }

  /** Whether there is something to fill in, at the newest moment of an open record. */
  get #serves() {
    const { following, closed, told } = this.recorder.record;
    return following && !closed && !told && !this.#finishing && Boolean(this.#line || this.#cell);
  }

  /**
   * Move the buttons of the form beside the keys, in reach of the thumb, or back.
   *
   * @param {boolean} open
   */
  #borrow(open) {
    const place = open ? this.beside : this.#home;
    const { activeElement } = document;
    if (this.#borrowed[0].parentElement !== place) {
      place.append(...this.#borrowed);
      if (activeElement && place.contains(activeElement)) /** @type {HTMLElement} */ (activeElement).focus();
    }
    this.finish.hidden = !this.recorder.finishes;
  }

  #heading() {
    const said = this.#cell ? t("Change {cell}", { cell: this.words.cell(this.#cell.at) }) : (this.#line?.title ?? "");
    const sum = summed(this.#text) === this.#text ? "" : this.#text;
    return [said, h("output", {}, sum)];
  }

  /** @param {Cell} cell */
  #changed({ text }) {
    return [h("output", { class: "chip" }, this.#shown(text)), button(t("Leave it as it was"), () => this.#leave())];
  }

  /**
   * The button names its line: it must not be taken for the redrawn button of another line in the same place.
   *
   * @param {BlankField} field
   * @param {number} at
   */
  #chip(field, at) {
    const { notation, blanks } = this.#line ?? {};
    const make = () =>
      this.#newChip(blanks?.[at].seat, () => this.#choose(at), { class: "chip", "data-cell": `${notation} ${at}` });
    const { value, stands } = field;
    const chip = this.#drawn(this.#chips, field, make, this.#shown(value || (stands ?? "")));
    chip.setAttribute("aria-pressed", String(at === this.#at));
    chip.querySelector("b").classList.toggle("stands", !value);
    return chip;
  }

  /**
   * @param {number | null | undefined} seat
   * @param {() => void} act
   * @param {Attributes} attributes
   */
  #newChip(seat, act, attributes) {
    const inside = [h("span", {}, h("bdi")), h("span", { class: "value" }, stone(seat), h("b"))];
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
  #drawn(chips, field, make, text) {
    const chip = chips.get(field) ?? make();
    chips.set(field, chip);
    write(chip.querySelector("bdi"), field.ariaLabel ?? "");
    write(chip.querySelector("b"), text);
    return chip;
  }

  /** Show what is open in other lines: cells left empty in a round, and values that are not recorded. */
  #gaps() {
    return this.blanks.lines.flatMap((line) => {
      const gap = line.move.round != null && line.fields.some(({ stands }) => stands);
      const open = line.fields
        .map((field, at) => ({ line, field, at }))
        .filter(({ field }) => field.value || (gap && isEmpty(field)));
      return line === this.#line ? [] : open.map((cell) => this.#gap(cell));
    });
  }

  /** @param {{ line: OpenLine, field: BlankField, at: number }} gap */
  #gap({ line: { notation, title, blanks, move }, field, at }) {
    const { value, ariaLabel: name } = field;
    const column = this.sheet.columns.find(({ id }) => id === move.column);
    const text = `${shortened(notation)} ${value ? this.#shown(value, column) : "–"}`;
    const make = () => this.#newChip(blanks[at].seat, () => this.blanks.focus(notation, at), { class: "chip gap" });
    const chip = this.#drawn(this.#gapChips, field, make, text);
    chip.setAttribute("aria-label", commas([title, name, value && t("not recorded")].filter(Boolean)));
    return chip;
  }

  /**
   * A value for reading: labels are translated.
   *
   * @param {string} value
   * @param {Column | undefined} column
   */
  #shown(value, column = this.#column) {
    return wordsOf(column) && value ? this.words.nameOf("label", value) : shown(value);
  }

  /** Draw the keys. Each kind is made once, so that none disappears under a finger. */
  #drawKeys() {
    const labels = this.#labels;
    const kind = JSON.stringify([labels, this.#quick, this.#after]);
    if (kind !== this.keys.dataset.kind) {
      this.keys.dataset.kind = kind;
      this.keys.classList.toggle("words", Boolean(labels));
      this.keys.replaceChildren(...(labels ? this.#labelKeys(labels) : this.#numberKeys()), ...this.#ends());
      this.quick.hidden = Boolean(labels);
      this.quick.replaceChildren(...this.#quickButtons());
    }
    const last = this.#following < 0;
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
    return button(text, () => this.#due(act), attributes);
  }

  #quickButtons() {
    const keys = this.#quick.map((value) =>
      this.#key(value, () => this.#enter(value), { "aria-label": t("{value}, and on", { value }) }),
    );
    return [...keys, button("✎", () => this.#ask(), { class: "plain", "aria-label": t("Choose the quick keys") })];
  }

  #numberKeys() {
    /** @type {Record<string, string>} */
    const names = { back: t("Delete the last sign"), "±": t("Plus or minus"), "+": t("And") };
    return NUMBER_KEYS.map((key) =>
      this.#key(key === "back" ? "⌫" : key, () => this.#press(key), {
        "aria-label": names[key],
        "data-repeats": REPEATED.test(key),
      }),
    );
  }

  /** @param {string[]} labels */
  #labelKeys(labels) {
    return labels.map((label) => this.#key(this.words.nameOf("label", label), () => this.#enter(label)));
  }

  /** Show the actions after the line, when it is left before its last cell. */
  get #after() {
    if (this.#cell) return "";
    return this.#line?.move.round == null ? t("Next line") : t("Next round");
  }

  #ends() {
    const after = this.#after;
    return [
      ...(after ? [this.#key(after, () => this.#record(), { class: "round" })] : []),
      this.#key(t("Next"), () => this.#next(), { class: "next primary" }),
    ];
  }

  // Quick keys

  get #quick() {
    return quickKeys(this.#store[this.#place] ?? USUAL);
  }

  /** The storage key for the quick keys of this sheet on this device. */
  get #place() {
    return `kifu:quick:${this.sheet.name}`;
  }

  #ask() {
    const field = h("input", {
      autocomplete: "off",
      pattern: "\\s*(-?\\d{1,6}(\\.\\d{1,3})?[\\s,]*)*",
      maxlength: "80",
    });
    field.value = this.#quick.join(" ");
    this.dialog.open({
      title: t("Quick keys"),
      lead: t("Each fills in its number and goes on. They are kept on this device, for {sheet}.", {
        sheet: this.sheet.name,
      }),
      fields: [labelled(t("Numbers, with blanks between them"), field)],
      verb: t("Keep them"),
    });
  }

  #keepQuick() {
    this.#store[this.#place] = quickKeys(this.dialog.form.querySelector("input").value).join(" ");
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
function write(element, text) {
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
