import { arrange, h } from "../base/dom.js";
import { entryLine, recordedBy, entryClasses } from "./entry.js";

const CHUNK = 25;
const LINE_HEIGHT = "5rem";

/**
 * All entries of the record, newest first in the order of the game; the current one is marked. They are drawn in
 * chunks: the newest, the current, and those scrolled to. Unchanged entries are not redrawn. `tools(entry)` returns the
 * controls for an entry.
 */
export class Timeline {
  /** @type {Map<number, { entry: Entry, about: string, line: HTMLElement }>} */
  #items = new Map();
  /**
   * The lists of the chunks, oldest first. Those in `#drawn` have their lines, the others only reserve space.
   *
   * @type {HTMLElement[]}
   */
  #lists = [];
  /** @type {Set<number>} */
  #drawn = new Set();
  #element = h("div", { class: "timeline" });
  #watch = new IntersectionObserver((seen) => {
    for (const { isIntersecting, target } of seen)
      if (isIntersecting) this.#draw(this.#lists.indexOf(/** @type {HTMLElement} */ (target)));
  });

  /**
   * @param {HTMLElement} element
   * @param {GameRecord} record
   * @param {Words} words
   * @param {(entry: Entry) => Child} tools
   */
  constructor(element, record, words, tools) {
    this.record = record;
    this.words = words;
    this.tools = tools;
    element.append(this.#element);
    record.addEventListener("entries", () => this.#drawAll());
    record.addEventListener("position", () => this.#mark());
  }

  /** Redraw everything the next time: names have changed. */
  redrawNextTime() {
    this.#items.clear();
  }

  #drawAll() {
    const count = Math.ceil(this.record.order.length / CHUNK);
    while (this.#lists.length > count) this.#removeChunk();
    while (this.#lists.length < count) this.#addChunk();
    for (const number of this.#lists.keys()) {
      if (number >= count - 2 || this.#drawn.has(number)) this.#draw(number);
      else this.#reserveSpace(number);
    }
  }

  #addChunk() {
    const list = h("ul");
    this.#lists.push(list);
    this.#element.prepend(list);
    this.#watch.observe(list);
  }

  #removeChunk() {
    const list = this.#lists.pop();
    if (!list) return;
    this.#drawn.delete(this.#lists.length);
    this.#watch.unobserve(list);
    list.remove();
  }

  /** @param {number} number */
  #entries(number) {
    return this.record.order.slice(number * CHUNK, (number + 1) * CHUNK);
  }

  /** @param {number} number */
  #reserveSpace(number) {
    this.#lists[number].style.height = `calc(${this.#entries(number).length} * ${LINE_HEIGHT})`;
  }

  /** @param {number} number */
  #draw(number) {
    const list = this.#lists[number];
    const lines = this.#entries(number)
      .map((entry) => this.#line(entry))
      .reverse();
    this.#drawn.add(number);
    list.style.height = "";
    arrange(list, lines);
  }

  /** @param {Entry} entry */
  #line(entry) {
    const known = this.#items.get(entry.version);
    const about = this.#remarksKey(entry);
    if (known?.entry === entry && known.about === about) return known.line;
    const attributes = { class: entryClasses(entry), "data-version": entry.version };
    const line = h(
      "li",
      attributes,
      entryLine(entry, this.record, this.words, recordedBy(entry, this.record), this.tools(entry)),
    );
    line.style.setProperty("--lines", String(line.querySelectorAll("li, p").length)); // its space while it is not drawn
    this.#items.set(entry.version, { entry, about, line });
    return line;
  }

  /**
   * The versions of notes and rulings on an entry, for comparing: a new one leaves the entry itself as it was.
   *
   * @param {Entry} entry
   */
  #remarksKey({ version }) {
    const { record } = this;
    const remarks = [...record.remarksOn(version, "note.added"), ...record.remarksOn(version, "ruling.given")];
    return remarks.map((entry) => entry.version).join();
  }

  #mark() {
    const { record } = this;
    this.#draw(Math.floor((record.currentPlace - 1) / CHUNK));
    this.#element.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const line = this.#line(record.currentEntry);
    line.setAttribute("aria-current", "true");
    requestAnimationFrame(() => this.#reveal(line)); // after the page is built: measuring earlier costs a layout
  }

  /** @param {HTMLElement} line */
  #reveal({ offsetTop, offsetHeight }) {
    const { scrollTop, clientHeight } = this.#element;
    if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight) {
      this.#element.scrollTop = offsetTop - clientHeight / 3;
    }
  }
}
