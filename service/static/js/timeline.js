import { h } from "./dom.js";
import { entryLine, standing } from "./entry.js";

/** All entries of the record, the newest first; the one looked at is marked. */
export class Timeline {
  #list = h("ol", { class: "timeline", reversed: true });

  constructor(element, record, words) {
    element.append(this.#list);
    record.addEventListener("entries", () => this.#write(record, words));
    record.addEventListener("position", () => this.#mark(record));
  }

  #write(record, words) {
    const items = record.entries.map((entry) =>
      h("li", { class: standing(entry), "data-version": entry.version }, entryLine(entry, record, words)),
    );
    this.#list.replaceChildren(...items.reverse());
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
