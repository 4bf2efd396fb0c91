import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { storage } from "../base/storage.js";

const CHOSEN = "kifu.tables";
/** The word of score sheets for an empty cell: on paper it is left blank. */
const EMPTY = t("empty");

/**
 * The board in rows and columns. Screen readers find it beside the picture. A switch shows it to everybody in place of
 * the picture, and this device remembers the choice.
 */
export class BoardTables {
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
        element.tabIndex = 0; // so that it scrolls by keyboard
      else element.removeAttribute("tabindex");
    };
    turn(kept[CHOSEN] === "yes");
    button.addEventListener("click", () => {
      kept[CHOSEN] = element.classList.contains("hidden") ? "yes" : "no";
      turn(kept[CHOSEN] === "yes");
    });
  }

  /**
   * Show these tables, with people's names and translated terms. Unchanged cells stay, so that nobody loses the place.
   *
   * @param {Schemas["Table"][]} tables
   * @param {Words} words
   */
  show(tables, words) {
    const made = tables.map((each) => table(each, (text) => words.withPeople(words.translateCell(text))));
    const [shown, fresh] = [parts(this.element), made.flatMap(parts)];
    if (structure(shown) !== structure(fresh)) return this.element.replaceChildren(...made);
    fresh.forEach(({ localName, textContent: text }, at) => {
      if (localName === "tr" || shown[at].textContent === text) return;
      shown[at].textContent = text;
      shown[at].className = fresh[at].className;
    });
  }
}

/**
 * @param {Schemas["Table"]} table
 * @param {(text: string) => string} translate
 */
function table({ caption, columns, rows }, translate) {
  return h(
    "table",
    {},
    h("caption", {}, translate(caption)),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        columns.map((name) => h("th", { scope: "col" }, translate(name))),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map(([name, ...values]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, translate(name)),
          values.map((value) => h("td", { class: value === EMPTY && "blank" }, translate(value))),
        ),
      ),
    ),
  );
}

/**
 * The rows of a table and their content.
 *
 * @param {HTMLElement} element
 */
function parts(element) {
  return [...element.querySelectorAll("caption, tr, th, td")];
}

/**
 * The structure of all tables, for comparing.
 *
 * @param {Element[]} parts
 */
function structure(parts) {
  return parts.map(({ localName }) => localName).join();
}
