import { h } from "../base/dom.js";
import { joinWithCommas, t } from "../base/language.js";
import { cutNames } from "../base/names.js";
import { isEmpty, fixedBeginning } from "../base/notation.js";
import { seatMark } from "../base/words.js";
import { columnLabels, readableValue } from "./cell-text.js";

/** @typedef {import("./keys.js").MakeKey} MakeKey */

/**
 * The buttons above the keys: one for each field of the open line, and one for each gap in other lines. They are kept,
 * so none disappears under a finger.
 */
export class Chips {
  #ofLine = new WeakMap();
  #ofGaps = new WeakMap();

  /**
   * `make` makes a key, and `choose` chooses a field of the open line.
   *
   * @param {Recorder["blanks"]} blanks
   * @param {Words} words
   * @param {Sheet} sheet
   * @param {MakeKey} make
   * @param {(at: number) => void} choose
   */
  constructor(blanks, words, sheet, make, choose) {
    this.blanks = blanks;
    this.words = words;
    this.sheet = sheet;
    this.make = make;
    this.choose = choose;
  }

  /**
   * The buttons for an open line, with the field at this index pressed.
   *
   * @param {OpenLine | null} line
   * @param {number} index
   */
  draw(line, index) {
    const chips = (line?.fields ?? []).map((_, at) => this.#chip(/** @type {OpenLine} */ (line), at, at === index));
    cutNames(chips.flatMap((chip) => chip.querySelector("bdi") ?? []));
    return [...chips, ...this.#gaps(line)];
  }

  /**
   * A value for reading: labels are translated.
   *
   * @param {string} value
   * @param {string | undefined} column its id
   */
  readableValue(value, column) {
    const found = this.sheet.columns.find(({ id }) => id === column);
    return columnLabels(found) && value ? this.words.termFor("label", value) : readableValue(value);
  }

  /**
   * The button names its line: it must not be taken for the redrawn button of another line in the same place.
   *
   * @param {OpenLine} line
   * @param {number} at
   * @param {boolean} isChosen
   */
  #chip({ notation, fields, blanks, move }, at, isChosen) {
    const make = () =>
      this.#newChip(blanks[at].seat, () => this.choose(at), { class: "chip", "data-cell": `${notation} ${at}` });
    const { value, stands } = fields[at];
    const chip = keptChip(this.#ofLine, fields[at], make, this.readableValue(value || (stands ?? ""), move.column));
    chip.setAttribute("aria-pressed", String(isChosen));
    chip.querySelector("b")?.classList.toggle("stands", !value);
    return chip;
  }

  /**
   * The buttons for what is open in other lines: cells left empty in a round, and values that are not recorded.
   *
   * @param {OpenLine | null} open
   */
  #gaps(open) {
    return this.blanks.moves.flatMap((line) => {
      const gap = line.move.round != null && line.fields.some(({ stands }) => stands);
      const fields = line.fields
        .map((field, at) => ({ line, field, at }))
        .filter(({ field }) => field.value || (gap && isEmpty(field)));
      return line === open ? [] : fields.map((cell) => this.#gapChip(cell));
    });
  }

  /** @param {{ line: OpenLine, field: BlankField, at: number }} gap */
  #gapChip({ line: { notation, title, blanks, move }, field, at }) {
    const { value, ariaLabel: name } = field;
    const text = `${fixedBeginning(notation)} ${value ? this.readableValue(value, move.column) : "–"}`;
    const make = () => this.#newChip(blanks[at].seat, () => this.blanks.focus(notation, at), { class: "chip gap" });
    const chip = keptChip(this.#ofGaps, field, make, text);
    chip.setAttribute("aria-label", joinWithCommas([title, name, value && t("not recorded")].filter(Boolean)));
    return chip;
  }

  /**
   * @param {number | null | undefined} seat
   * @param {() => void} act
   * @param {Attributes} attributes
   */
  #newChip(seat, act, attributes) {
    const inside = [h("span", {}, h("bdi")), h("span", { class: "value" }, seatMark(seat), h("b"))];
    return this.make(inside, act, attributes);
  }
}

/**
 * The button of a field, with the name of its cell and its value; it is made once.
 *
 * @param {WeakMap<BlankField, HTMLElement>} chips
 * @param {BlankField} field
 * @param {() => HTMLElement} make
 * @param {string} text
 */
function keptChip(chips, field, make, text) {
  const chip = chips.get(field) ?? make();
  chips.set(field, chip);
  setText(chip.querySelector("bdi"), field.ariaLabel ?? "");
  setText(chip.querySelector("b"), text);
  return chip;
}

/**
 * Set the text of an element, unless it is the same.
 *
 * @param {Element | null} element
 * @param {string} text
 */
function setText(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}
