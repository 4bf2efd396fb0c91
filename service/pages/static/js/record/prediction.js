import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { entrySummary, effectLines, bulletList } from "./entry.js";
import { scoreText, seatMark } from "../base/words.js";

/** @typedef {Described & { version?: number, type: string, scores?: number[] }} Predicted */

/**
 * The entries of this device that are being sent. Each stands in the record at once, with the result of its dry run,
 * and in short above the board (`place`). A stored entry moves to the record itself. An entry that is refused, or
 * cannot be sent, moves to the pending ones.
 */
export class Prediction {
  #list = h("ul", { class: "predicted", "aria-label": t("Being stored") });

  /**
   * @param {HTMLElement} panel
   * @param {HTMLElement} place
   * @param {Sync} sync
   * @param {GameRecord} record
   * @param {Words} words
   */
  constructor(panel, place, sync, record, words) {
    this.place = place;
    this.sync = sync;
    this.record = record;
    this.words = words;
    panel.prepend(this.#list);
    const show = () => this.#show();
    sync.outbox.addEventListener("change", show);
    sync.connection.addEventListener("change", show);
    sync.addEventListener("delayed", show);
    record.addEventListener("entries", show);
  }

  #show() {
    const { outbox, connection, fault } = this.sync;
    const sent = connection.isReachable && !fault && !outbox.firstItem()?.problem ? outbox.items() : [];
    const entries = predictedEntries(sent, this.record.head);
    this.#list.replaceChildren(...entries.map((entry) => this.#line(entry)).reverse());
    const last = entries.at(-1);
    this.place.replaceChildren(last ? entrySummary(last, this.words) : "");
    this.place.parentElement?.classList.toggle("predicted", entries.length > 0);
  }

  /** @param {Predicted} entry */
  #line(entry) {
    const { version, seat, notation, effects = [], scores } = entry;
    return h(
      "li",
      { class: "entry predicted" },
      h(
        "div",
        { class: "head" },
        h("span", { class: "number" }, version),
        seat == null ? null : [seatMark(seat), h("bdi", { class: "name" }, this.words.name(seat))],
        h("span", { class: "what" }, h("b", { class: "notation" }, notation)),
        h("span", { class: "badge" }, t("being stored")),
        h("span", { class: "points" }, scores ? scoreText(scores) : ""),
      ),
      bulletList("effects", effectLines(effects, this.words)),
    );
  }
}

/**
 * The waiting entries that the record at version `head` does not have yet, each with the result of its dry run or its
 * typed text.
 *
 * @param {Item[]} items
 * @param {number} head
 * @returns {Predicted[]}
 */
export function predictedEntries(items, head) {
  return items
    .filter(({ base }) => (base ?? head) >= head)
    .map(({ told, label, base }) => ({
      ...(base != null && { version: base + 1 }),
      notation: label,
      ...told,
      type: told?.type ?? "move.made",
    }));
}
