import { h } from "../base/dom.js";
import { entrySummary } from "./entry.js";
import { isCounted } from "./history.js";
import { t } from "../base/language.js";
import { withoutSeat } from "./moves.js";

/**
 * Shows a warning in `element` if another device recorded the same move right after this one. This happens when two
 * phones record one game. It offers to take back one of the moves.
 */
export class Duplicates {
  /** The versions recorded on this device. */
  #own = new Set();
  #checkedVersion = 0;

  /**
   * @param {HTMLElement} element
   * @param {GameRecord} record
   * @param {Sync} sync
   * @param {Words} words
   * @param {Tools} tools
   */
  constructor(element, record, sync, words, tools) {
    this.element = element;
    this.record = record;
    this.sync = sync;
    this.words = words;
    this.tools = tools;
    sync.addEventListener("delivered", ({ detail: { answer } }) => {
      for (const { version } of answer.entries ?? []) this.#own.add(version);
      this.#check();
    });
    record.addEventListener("entries", () => this.#check());
    sync.outbox.addEventListener("change", () => this.#check());
  }

  #check() {
    if (this.sync.outbox.firstItem()) return; // until that is stored, the sender of a new entry is unknown
    const fresh = this.record.entries.slice(this.#checkedVersion);
    this.#checkedVersion = this.record.head;
    const duplicate = fresh.findLast((entry) => isDuplicate(entry, this.record.entries, this.#own));
    if (duplicate) this.#warn(duplicate);
    else if (fresh.length) this.element.hidden = true; // it was resolved, or the game went on
  }

  /** @param {Entry} entry */
  #warn(entry) {
    const { version } = entry;
    const done = () => (this.element.hidden = true);
    const both = [entry, this.record.entries[version - 2]];
    const back = both.map((each) => this.tools.takeBackAction(each)).find(Boolean);
    const text = t("{what} is in the record twice: you recorded entry {before}, and somebody else entry {version}.", {
      what: h("b", {}, entrySummary(entry, this.words)),
      before: version - 1,
      version,
    });
    this.element.replaceChildren(
      h("p", {}, text),
      h(
        "div",
        { class: "actions" },
        back && h("button", { type: "button", onclick: back }, t("Take one back")),
        h("button", { type: "button", onclick: done }, t("Both happened")),
      ),
    );
    this.element.hidden = false;
  }
}

/**
 * Whether an entry is the same move of the same seat as the entry before it, which was recorded on this device.
 *
 * @param {Entry} entry
 * @param {Entry[]} entries those of the record
 * @param {Set<number>} own the versions recorded on this device
 */
export function isDuplicate({ version, seat, notation, ...entry }, entries, own) {
  const before = entries[version - 2];
  return Boolean(
    notation &&
      own.has(version - 1) &&
      !own.has(version) &&
      before.seat === seat &&
      withoutSeat(before.notation ?? "") === withoutSeat(notation) &&
      isCounted(entry) &&
      isCounted(before),
  );
}
