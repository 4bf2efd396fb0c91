import { h } from "../base/dom.js";
import { t } from "../base/language.js";

/** The number keys, row by row. */
const NUMBER_KEYS = ["7", "8", "9", "back", "4", "5", "6", "±", "1", "2", "3", "+", "0", "."];
/** Keys that may be typed twice in a row: 77. */
const REPEATED = /^([0-9]|back)$/;

/**
 * What the keys are for: the labels of a column or null, the quick values, and the name of the key after the line.
 *
 * @typedef {{ labels: string[] | null, quick: string[], end: string }} Kind
 */
/** @typedef {(text: Child, act: () => void, attributes?: Attributes) => HTMLElement} MakeKey */

/** The keys under the cells: numbers or labels, quick values, and how to go on. */
export class KeypadKeys {
  #kind = "";

  /**
   * `make` makes a key, and `acts` has what the keys do.
   *
   * @param {Words} words
   * @param {MakeKey} make
   * @param {{ press: (key: string) => void, enter: (value: string) => void, next: () => void, end: () => void,
   *   choose: () => void }} acts
   */
  constructor(words, make, acts) {
    this.words = words;
    this.make = make;
    this.acts = acts;
    this.quick = h("div", { class: "quick", role: "group", "aria-label": t("Quick keys") });
    this.element = h("div", { class: "pad" });
    this.next = make(t("Next"), acts.next, { class: "next primary" });
  }

  /**
   * Draw the keys. Each kind is made once, so that none disappears under a finger.
   *
   * @param {Kind} kind
   * @param {boolean} isLast whether no cell of the line is empty after this one
   */
  draw(kind, isLast) {
    const name = JSON.stringify(kind);
    if (name !== this.#kind) {
      this.#kind = name;
      this.#drawKind(kind);
    }
    this.next.textContent = isLast ? t("Enter") : t("Next");
    this.next.setAttribute("aria-label", isLast ? t("Enter the line") : t("Next player"));
  }

  /** @param {Kind} kind */
  #drawKind({ labels, quick, end }) {
    const { make, acts } = this;
    const ends = end ? [make(end, acts.end, { class: "round" })] : [];
    this.element.classList.toggle("words", Boolean(labels));
    this.element.replaceChildren(...(labels ? this.#labelKeys(labels) : this.#numberKeys()), ...ends, this.next);
    this.quick.hidden = Boolean(labels);
    this.quick.replaceChildren(...this.#quickKeys(quick));
  }

  #numberKeys() {
    /** @type {Record<string, string>} */
    const names = { back: t("Delete the last character"), "±": t("Plus or minus"), "+": t("And") };
    return NUMBER_KEYS.map((key) =>
      this.make(key === "back" ? "⌫" : key, () => this.acts.press(key), {
        "aria-label": names[key],
        "data-repeats": REPEATED.test(key),
      }),
    );
  }

  /** @param {string[]} labels */
  #labelKeys(labels) {
    return labels.map((label) => this.make(this.words.termFor("label", label), () => this.acts.enter(label)));
  }

  /** @param {string[]} values */
  #quickKeys(values) {
    const choosing = { class: "plain", "aria-label": t("Choose the quick keys") };
    const keys = values.map((value) =>
      this.make(value, () => this.acts.enter(value), { "aria-label": t("{value}, and on", { value }) }),
    );
    return [...keys, button("✎", this.acts.choose, choosing)];
  }
}

/**
 * @param {Child} text
 * @param {() => void} act
 * @param {Attributes} [attributes]
 */
export function button(text, act, attributes) {
  return h("button", { type: "button", onclick: act, ...attributes }, text);
}
