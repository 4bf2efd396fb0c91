import { isOverridable } from "../base/api.js";
import { Conflicts } from "../record/conflicts.js";
import { h } from "../base/dom.js";
import { entrySummary } from "../record/entry.js";
import { NOTATION_ATTRIBUTES } from "../record/movefield.js";
import { t } from "../base/language.js";
import { maxLength } from "../base/limits.js";
import { SteadyList } from "../base/lists.js";
import { meansMove } from "../record/moves.js";
import { isCounted } from "../record/history.js";
import { areCellsOrNotes, maySend } from "./items.js";
import { saveButton } from "./payload.js";
import { problemView } from "../base/problem.js";
import { uuid7 } from "../base/uuid.js";

/**
 * The list of entries not stored yet: those waiting for the connection, and refused ones, to be corrected or dropped.
 */
export class PendingList {
  #lines;

  /**
   * @param {HTMLElement} list
   * @param {Sync} sync
   * @param {Known} record
   * @param {Words} words
   */
  constructor(list, sync, record, words) {
    this.sync = sync;
    this.record = record;
    this.words = words;
    this.#lines = new SteadyList(list);
    const show = () => this.#show();
    sync.outbox.addEventListener("change", show);
    sync.connection.addEventListener("change", show);
    sync.addEventListener("delayed", show);
    this.saving = saveButton(() => [sync.outbox]);
    list.after(this.saving);
    show();
  }

  #show() {
    const { outbox, connection, fault } = this.sync;
    const quiet = connection.isReachable && !fault;
    const items = outbox.items();
    const goes = items[0] && !items[0].problem && maySend(items[0], document.body.dataset.person);
    const shown = quiet && goes ? [] : items;
    connection.setStorage(!outbox.fault, items.length);
    this.saving.hidden = !shown.length;
    this.#lines.show(
      shown,
      (item) => JSON.stringify([item, fault?.detail]),
      (item) => this.#item(item, fault),
    );
  }

  /**
   * @param {Item} item
   * @param {ProblemBody | null} fault
   */
  #item(item, fault) {
    const mine = maySend(item, document.body.dataset.person);
    const problem = mine ? item.problem : undefined; // other people cannot change it
    const [event] = item.body.events ?? [];
    if (problem && !event) return this.#unopened(item, problem);
    if (problem?.type === "/problems/stale-version") return this.#stale(item, event, problem);
    if (problem) return this.#refused(item, event, problem);
    const why = fault
      ? t("not stored yet, will be tried again: {why}", { why: fault.detail })
      : mine
        ? t("kept here until it is stored")
        : t("kept here until the person who entered it logs in again");
    return h(
      "li",
      { class: "waiting" },
      h("b", { class: "notation" }, item.label),
      h("small", {}, why),
      item.body.events ? this.#drop(item) : null,
    );
  }

  /**
   * The opening of the game was refused: its entries wait.
   *
   * @param {Item} item
   * @param {ProblemBody} problem
   */
  #unopened(item, problem) {
    const { outbox } = this.sync;
    const again = async () => {
      await outbox.replace(item.key, item.body, item.label);
      await this.sync.sendAll();
    };
    return h(
      "li",
      { class: "refused" },
      h("b", {}, t("{game} is not opened", { game: item.label })),
      problemView(problem, this.words),
      h("div", { class: "actions" }, this.#button(t("Send again"), again)),
    );
  }

  /**
   * Others recorded something first: show it, and let the person decide. It may include the same move.
   *
   * @param {Item} item
   * @param {Sent} event
   * @param {ProblemBody} problem
   */
  #stale(item, { data }, problem) {
    const reason = h("p", {}, "…");
    const missed = h("ul");
    const actions = h("div", { class: "actions" }, this.#drop(item));
    const { missed: others = [] } = problem;
    this.record.refresh().then(() => {
      const base = item.base ?? 0;
      const entries = this.record.entries.filter(
        ({ version }) => version > base || others.some((each) => each.version === version),
      );
      const same = entries.find(
        (entry) => entry.notation && isCounted(entry) && meansMove(data.move ?? "", entry.notation),
      );
      const move = h("b", { class: "notation" }, item.label);
      reason.replaceChildren(...staleReason(move, same?.version, areCellsOrNotes(others)));
      missed.replaceChildren(
        ...entries.map((entry) => h("li", {}, `${entry.version} · ${entrySummary(entry, this.words)}`)),
      );
      const after = this.#button(same ? t("Record it once more") : t("Record it after them"), async () => {
        await this.record.refresh();
        const head = areCellsOrNotes(others) ? Math.max(base, others[others.length - 1].version) : this.record.head;
        await this.sync.outbox.rebase(head, { key: item.key, problem: item.stale ? undefined : problem });
        await this.sync.outbox.clearMissed(item.key);
        await this.sync.sendAll();
      });
      if (same) actions.replaceChildren(this.#drop(item, { stored: same.version === base + 1 }), after);
      else actions.prepend(after);
    });
    return h("li", { class: "refused" }, reason, missed, actions);
  }

  /**
   * Refused for another reason: the move can be corrected or recorded as irregular. Conflicts offer a choice.
   *
   * @param {Item} item
   * @param {Sent} sent
   * @param {ProblemBody} problem
   */
  #refused(item, sent, problem) {
    const { data } = sent;
    const conflicts = new Conflicts(this.record, this.words, () => {});
    const found = problem.type === "/problems/conflict" ? (problem.conflicts ?? []) : [];
    this.#whenRecordKnown(() => conflicts.showReported(found));
    const isMove = typeof data.move === "string";
    const broken = isOverridable(problem) || data.override;
    const move = h("input", { ...NOTATION_ATTRIBUTES, value: data.move, "aria-label": t("Move") });
    const reason = h("input", {
      value: data.override?.reason,
      "aria-label": t("Why it counts"),
      placeholder: t("It really happened, because …"),
      maxlength: maxLength("reason"),
    });
    const again = () => {
      const changed = { ...data, ...(isMove && moveData(move.value, reason.value)), ...conflicts.choicesData };
      return this.#sendAgain(item, sent, changed);
    };
    return h(
      "li",
      { class: "refused" },
      isMove ? move : h("b", {}, item.label),
      problemView(problem, this.words),
      isMove && broken ? reason : null,
      conflicts.element,
      h("div", { class: "actions" }, this.#button(t("Send again"), again), this.#drop(item)),
    );
  }

  /**
   * Send a refused entry again. Changed content gets a new id.
   *
   * @param {Item} item
   * @param {Sent} sent
   * @param {Json} data
   */
  async #sendAgain(item, sent, data) {
    const event = { ...sent, data };
    if (JSON.stringify(data) !== JSON.stringify(sent.data)) event.id = uuid7();
    const label = typeof sent.data.move === "string" && !sent.type ? String(data.move) : item.label;
    await this.sync.outbox.replace(item.key, { events: [event] }, label);
    return this.sync.sendAll();
  }

  /**
   * Run `work` when the record is known; it may be loading.
   *
   * @param {() => void} work
   */
  #whenRecordKnown(work) {
    if (this.record.head) work();
    else this.record.addEventListener("entries", work, { once: true });
  }

  /**
   * Drop an item. If others `stored` the same, later items follow their entry.
   *
   * @param {Item} item
   * @param {{ stored?: boolean }} options
   */
  #drop(item, { stored = false } = {}) {
    return this.#button(t("Discard it"), async () => {
      const { outbox } = this.sync;
      if (stored) await outbox.remove(item.key);
      else await outbox.drop(item.key);
      return this.sync.sendAll();
    });
  }

  /**
   * @param {string} text
   * @param {() => unknown} work
   */
  #button(text, work) {
    return h("button", { type: "button", onclick: work }, text);
  }
}

/**
 * The data of a move after a correction. With a reason, it is irregular.
 *
 * @param {string} move
 * @param {string} reason
 */
export function moveData(move, reason) {
  const why = reason.trim();
  return { move: move.trim(), override: why ? { reason: why } : undefined };
}

/**
 * The reason why a move is not stored: others recorded something first.
 *
 * @param {HTMLElement} move
 * @param {number | undefined} version the version of the same move, if it was recorded
 * @param {boolean} cells whether they filled in cells
 */
function staleReason(move, version, cells) {
  if (version)
    return t("{move} is in the record already, as entry {version}: somebody else entered it meanwhile.", {
      move,
      version,
    });
  return cells
    ? t("{move} is not stored: somebody else has filled in the sheet differently meanwhile.", { move })
    : t("{move} is not stored: somebody else has recorded meanwhile.", { move });
}
