import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { storage } from "../base/storage.js";

const CHOSEN = "kifu.tables";
/** What a cell says in which nothing stands, in the words of score sheets: on paper it is left blank. */
const EMPTY = t("empty");

/**
 * The board in rows and columns. Screen readers find it beside the picture. A switch shows it to
 * everybody in place of the picture, and this device remembers it.
 */
export class Tables {
  /**
   * @param {HTMLElement} element
   * @param {HTMLElement} board
   * @param {HTMLElement} button
   */
  constructor(element, board, button) {
    this.element = element;
    const kept = storage();
    /** @param {boolean} on */
    const turn = (on) => {
      button.setAttribute("aria-pressed", String(on));
      board.hidden = on;
      element.classList.toggle("hidden", !on);
      if (on)
        element.tabIndex = 0; // it scrolls
      else element.removeAttribute("tabindex");
    };
    turn(kept[CHOSEN] === "yes");
    button.addEventListener("click", () => {
      kept[CHOSEN] = element.classList.contains("hidden") ? "yes" : "no";
      turn(kept[CHOSEN] === "yes");
    });
  }

  /**
   * Show these tables, with people's names, and with the terms of the ruleset in the reader's language. Cells that say the same stay, so that nobody loses the place.
   *
   * @param {Schemas["Table"][]} tables
   * @param {Words} words
   */
  show(tables, words) {
    const made = tables.map((each) => table(each, (text) => words.people(words.term(text))));
    const [shown, fresh] = [parts(this.element), made.flatMap(parts)];
    if (form(shown) !== form(fresh)) return this.element.replaceChildren(...made);
    fresh.forEach(({ localName, textContent: text }, at) => {
      if (localName === "tr" || shown[at].textContent === text) return;
      shown[at].textContent = text;
      shown[at].className = fresh[at].className;
    });
  }
}

/**
 * @param {Schemas["Table"]} table
 * @param {(text: string) => string} said
 */
function table({ caption, columns, rows }, said) {
  return h(
    "table",
    {},
    h("caption", {}, said(caption)),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        columns.map((name) => h("th", { scope: "col" }, said(name))),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map(([name, ...values]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, said(name)),
          values.map((value) => h("td", { class: value === EMPTY && "blank" }, said(value))),
        ),
      ),
    ),
  );
}

/**
 * Rows, and what stands in them.
 *
 * @param {HTMLElement} element
 */
function parts(element) {
  return [...element.querySelectorAll("caption, tr, th, td")];
}

/**
 * The parts of all tables.
 *
 * @param {Element[]} parts
 */
function form(parts) {
  return parts.map(({ localName }) => localName).join();
}
