import { h } from "./dom.js";
import { entryLine, standing } from "./entry.js";

/** All entries of the record, the newest first; the one looked at is marked. What did not change is not drawn anew. */
export class Timeline {
  #items = new WeakMap();
  #list = h("ul", { class: "timeline" });

  constructor(element, record, words) {
    element.append(this.#list);
    record.addEventListener("entries", () => this.#write(record, words));
    record.addEventListener("position", () => this.#mark(record));
  }

  #write(record, words) {
    for (const { type, entry } of record.entries.filter((added) => !this.#items.has(added))) {
      if (type === "note.added" && entry) this.#items.delete(record.entries[entry - 1]);
    }
    const items = record.entries.map((entry) => this.#items.get(entry) ?? this.#draw(entry, record, words));
    this.#list.replaceChildren(...items.reverse());
  }

  #draw(entry, record, words) {
    const attributes = { class: standing(entry), "data-version": entry.version };
    const item = h("li", attributes, entryLine(entry, record, words));
    this.#items.set(entry, item);
    return item;
  }

  #mark(record) {
    this.#list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const item = this.#list.children[record.head - record.at];
    item.setAttribute("aria-current", "true");
    const { offsetTop, offsetHeight } = item;
    const { scrollTop, clientHeight } = this.#list;
    if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight) {
      this.#list.scrollTop = offsetTop - clientHeight / 3;
    }
  }
}
