import { h } from "./dom.js";
import { entryLine, standing } from "./entry.js";

/**
 * All entries of the record, the last that happened first; the one looked at is marked. What did not change is not
 * drawn anew. `tools(entry)` is what can be done about an entry.
 */
export class Timeline {
  #items = new Map();
  #list = h("ul", { class: "timeline" });

  constructor(element, record, words, tools) {
    Object.assign(this, { record, words, tools });
    element.append(this.#list);
    record.addEventListener("entries", () => this.#write());
    record.addEventListener("position", () => this.#mark());
  }

  /** Draw all of it anew the next time: names have changed. */
  forget() {
    this.#items.clear();
  }

  #write() {
    const { record } = this;
    const known = this.#items;
    this.#items = new Map(record.order.map((entry) => [entry.version, known.get(entry.version)]));
    for (const entry of record.order) {
      const item = this.#items.get(entry.version);
      if (item?.entry !== entry || item.about !== this.#about(entry)) this.#items.set(entry.version, this.#draw(entry));
    }
    this.#list.replaceChildren(...[...this.#items.values()].map(({ line }) => line).reverse());
  }

  /** What others say of an entry, to compare. */
  #about({ version }) {
    const { record } = this;
    return [...record.about(version, "note.added"), ...record.about(version, "ruling.given"), record.keptBy(version)]
      .map((said) => said?.version ?? said)
      .join();
  }

  #draw(entry) {
    const attributes = { class: standing(entry), "data-version": entry.version };
    const line = h("li", attributes, entryLine(entry, this.record, this.words, this.tools(entry)));
    return { entry, about: this.#about(entry), line };
  }

  #mark() {
    this.#list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const { line } = this.#items.get(this.record.at);
    line.setAttribute("aria-current", "true");
    const { offsetTop, offsetHeight } = line;
    const { scrollTop, clientHeight } = this.#list;
    if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight) {
      this.#list.scrollTop = offsetTop - clientHeight / 3;
    }
  }
}
