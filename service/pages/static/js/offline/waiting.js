import { h } from "../base/dom.js";
import { FormDialog } from "../base/formdialog.js";
import { Sync } from "./sync.js";
import { draftPage } from "./page-copies.js";
import { t, tn } from "../base/language.js";
import { SteadyList } from "../base/lists.js";
import { maySend, UNAUTHENTICATED } from "./items.js";
import { Outbox } from "./outbox.js";
import { saveButton } from "./payload.js";
import { readBoxes } from "./store.js";

/** The games with waiting entries on this device. This page sends all of them, and lists them until then. */
export class WaitingGames {
  /** @type {Map<string, Sync>} */
  #syncs = new Map();
  #lines;
  /**
   * The box that a dialog asks about forgetting.
   *
   * @type {Outbox | null}
   */
  #boxToForget = null;

  /**
   * @param {HTMLElement} list
   * @param {Connection} connection
   */
  constructor(list, connection) {
    this.connection = connection;
    this.#lines = new SteadyList(list);
    this.saving = saveButton(() => [...this.#syncs.values()].map(({ outbox }) => outbox));
    list.after(this.saving);
    this.dialog = new FormDialog("forget", () => this.#forget());
    connection.addEventListener("change", () => this.#show());
  }

  /** Send what an earlier page left. */
  async sendAll() {
    const found = await readBoxes().catch(() => new Map()); // the outboxes report storage errors
    for (const box of found.keys()) this.sync(box).sendAll();
  }

  /**
   * Add items that waited on another device, and send them.
   *
   * @param {Map<string, Item[]>} boxes
   */
  async addFromDevice(boxes) {
    for (const [box, items] of boxes) {
      const sync = this.sync(box);
      await sync.outbox.addFromDevice(items);
      sync.sendAll();
    }
  }

  /**
   * The `Sync` for a game's box.
   *
   * @param {string} box
   * @returns {Sync}
   */
  sync(box) {
    const known = this.#syncs.get(box);
    if (known) return known;
    const sync = new Sync(new Outbox(box), this.connection);
    const show = () => this.#show();
    sync.outbox.addEventListener("change", show);
    sync.addEventListener("delayed", show);
    this.#syncs.set(box, sync);
    return sync;
  }

  async #show() {
    const pages = await draftPage("");
    const syncs = [...this.#syncs.values()];
    const count = syncs.reduce((sum, { outbox }) => sum + outbox.items().length, 0);
    this.connection.setStorage(!syncs.some(({ outbox }) => outbox.fault), count);
    const held = syncs.filter(({ outbox }) => outbox.firstItem());
    this.saving.hidden = !held.length;
    this.#lines.show(
      held,
      (sync) => this.#state(sync, pages),
      (sync) => this.#item(sync, pages),
    );
  }

  /**
   * A text of everything that a game's line depends on.
   *
   * @param {Sync} sync
   * @param {string | null} pages
   */
  #state({ outbox, fault }, pages) {
    const [first, ...others] = outbox.items();
    const { label, body } = first;
    const why = waitingReason(first, fault);
    return JSON.stringify([outbox.name, pages, this.connection.isReachable, label, !body.events, others.length, why]);
  }

  /**
   * @param {Outbox} outbox
   * @param {string} called
   * @param {number} count
   */
  #ask(outbox, called, count) {
    this.#boxToForget = outbox;
    this.dialog.open({
      title: t("Forget {game}?", { game: called }),
      lead: tn(
        count,
        "This removes {count} entry that is not stored yet, for good.",
        "This removes {count} entries that are not stored yet, for good.",
      ),
      verb: t("Forget it"),
      leave: t("Leave it"),
    });
  }

  #forget() {
    this.dialog.send(() => this.#boxToForget?.clear());
  }

  /** @param {number} count */
  #opened(count) {
    return this.connection.isReachable
      ? tn(count, "is opened now, with {count} entry", "is opened now, with {count} entries")
      : tn(
          count,
          "is opened once the connection is back, with {count} entry",
          "is opened once the connection is back, with {count} entries",
        );
  }

  /** @param {number} count */
  #stored(count) {
    return this.connection.isReachable
      ? tn(count, "{count} entry of it to be stored now", "{count} entries of it to be stored now")
      : tn(
          count,
          "{count} entry of it to be stored once the connection is back",
          "{count} entries of it to be stored once the connection is back",
        );
  }

  /**
   * @param {Sync} sync
   * @param {string | null} pages
   */
  #item({ outbox, fault }, pages) {
    const [first, ...others] = outbox.items();
    const opens = !first.body.events;
    const page = opens ? pages && pages + outbox.name : `/games/${outbox.name}`;
    const what = opens ? this.#opened(others.length) : this.#stored(others.length + 1);
    const called = opens ? first.label : t("A game");
    const why = waitingReason(first, fault);
    return h(
      "li",
      { class: "waiting" },
      page ? h("a", { href: page }, called) : h("b", {}, called),
      " ",
      h("small", {}, why ? t("{what}. {why}", { what, why }) : what),
      h("button", { type: "button", onclick: () => this.#ask(outbox, called, others.length + 1) }, t("Forget it …")),
    );
  }
}

/**
 * The reason why an item is not stored yet; nothing if it only waits for the connection.
 *
 * @param {Item} item
 * @param {ProblemBody | null} fault
 */
function waitingReason(item, fault) {
  if (!maySend(item, document.body.dataset.person))
    return t("It is sent when the person who entered it logs in again.");
  if (item.problem?.status === UNAUTHENTICATED) return t("It is sent when you log in again.");
  return (item.problem ?? fault)?.detail;
}
