import { uuid7 } from "../base/uuid.js";
import { withItem, withChange, withoutDropped, sortItems, rebased, withoutStored, withOthers } from "./items.js";
import { changeItems } from "./store.js";

/** @type {BroadcastChannel | null | undefined} */
let channel;

/** Tell other tabs which box has changed. */
function tabsChannel() {
  channel ??= "BroadcastChannel" in globalThis ? new BroadcastChannel("kifu:outbox") : null;
  return channel;
}

/**
 * The unsent entries of one game, in order. They are stored on this device before any event, survive the page, and are
 * shared by all tabs. If an entry is sent twice, the service stores it once.
 *
 * An item is `{key, place, path, body, base, label, told, problem, stale}`. `base` is the game's version before it,
 * `told` the result of its dry run, if any, and `problem` the reason of a refusal. `stale` has entries of others that
 * were not compared with it yet. `items` and all readers show the last stored state; changes resolve when they are
 * stored.
 *
 * If the browser cannot store (forbidden, or full), the items are only in this page, `fault` has the reason, and
 * leaving the page asks for confirmation. Each later change tries to store them again.
 */
export class Outbox extends EventTarget {
  /** @type {Item[]} */
  #items = [];
  /**
   * Changes that could not be stored, by key: items, and null for removed ones.
   *
   * @type {Map<string, Item | null>}
   */
  #unstored = new Map();
  #work = Promise.resolve();
  /** The first reading, or the last change of this page. */
  #stored;
  /** @type {unknown} */
  fault = null;

  /** @param {string} name */
  constructor(name) {
    super();
    this.name = name;
    tabsChannel()?.addEventListener("message", ({ data }) => data === name && this.reload());
    addEventListener("beforeunload", (event) => [...this.#unstored.values()].some(Boolean) && event.preventDefault());
    this.#stored = this.reload();
  }

  items() {
    return this.#items;
  }

  /** Resolves when the items are known, and all changes so far are stored. Does not wait until they are read again. */
  get whenStored() {
    return this.#stored;
  }

  /** @param {string} key */
  getItem(key) {
    return this.#items.find((item) => item.key === key);
  }

  firstItem() {
    return this.#items[0];
  }

  /** Read what is stored: another tab may have changed it. */
  reload() {
    return this.#queue((items) => items);
  }

  /**
   * Add an item at the end, and return its key. `base` counts only if no other item waits before it.
   *
   * @param {{ path: string, body: SentBody, base?: number | null, label: string, told?: Recorded, by?: string }} item
   */
  async add(item) {
    const key = uuid7();
    await this.#change((items) => withItem(items, { ...item, key }));
    return key;
  }

  /**
   * Add the items of another device at the end, except those that are already here.
   *
   * @param {Item[]} others
   */
  addFromDevice(others) {
    return this.#change((items) => withOthers(items, others));
  }

  /**
   * Replace the body of an item, and send it again.
   *
   * @param {string} key
   * @param {SentBody} body
   * @param {string} label
   */
  replace(key, body, label) {
    return this.#changeItem(key, { body, label, problem: undefined, told: undefined });
  }

  /**
   * @param {string} key
   * @param {ProblemBody} problem
   */
  markRefused(key, problem) {
    return this.#changeItem(key, { problem });
  }

  /**
   * Set the base of all items to a version, and clear refusals. The entries of others in `problem` were compared with
   * the item with this `key`, but not yet with those after it.
   *
   * @param {number} base
   * @param {{ key?: string, problem?: ProblemBody }} [held]
   */
  rebase(base, held) {
    return this.#change((items) => rebased(items, base, held));
  }

  /**
   * Clear the entries of others before an item: it can follow them.
   *
   * @param {string} key
   */
  clearMissed(key) {
    return this.#changeItem(key, { stale: undefined });
  }

  /**
   * Remove a stored item.
   *
   * @param {string} key
   */
  remove(key) {
    return this.#change((items) => withoutStored(items, key));
  }

  /**
   * Remove an item that will not be stored; those after it move up.
   *
   * @param {string} key
   */
  drop(key) {
    return this.#change((items) => withoutDropped(items, key));
  }

  /** Remove all items. */
  clear() {
    return this.#change(() => []);
  }

  /**
   * @param {string} key
   * @param {Partial<Item>} parts
   */
  #changeItem(key, parts) {
    return this.#change((items) => withChange(items, key, parts));
  }

  /**
   * Change the items with `work`, store them, and tell of it; one change after the other.
   *
   * @param {(items: Item[]) => Item[]} work
   * @returns {Promise<void>}
   */
  #change(work) {
    this.#stored = this.#queue(work);
    return this.#stored;
  }

  /**
   * Run `work` on the stored items after earlier work.
   *
   * @param {(items: Item[]) => Item[]} work
   * @returns {Promise<void>}
   */
  #queue(work) {
    const done = this.#work.then(() => this.#apply(work));
    this.#work = done;
    return done;
  }

  /** @param {(items: Item[]) => Item[]} work */
  async #apply(work) {
    const before = this.#items;
    let changed = false;
    try {
      this.#items = await changeItems(this.name, (kept) => {
        const after = work(this.#itemsWithUnstored(kept));
        changed = after !== kept;
        return after;
      });
      this.#unstored.clear();
      this.fault = null;
    } catch (error) {
      this.#items = work(before);
      for (const { key } of before) this.#unstored.set(key, null);
      for (const item of this.#items) this.#unstored.set(item.key, item);
      this.fault = error;
    }
    if (changed) tabsChannel()?.postMessage(this.name);
    this.dispatchEvent(new Event("change"));
  }

  /**
   * The stored items, with the changes that could not be stored.
   *
   * @param {Item[]} kept
   */
  #itemsWithUnstored(kept) {
    if (!this.#unstored.size) return kept;
    const others = kept.filter(({ key }) => !this.#unstored.has(key));
    return sortItems([...others, ...[...this.#unstored.values()].filter((item) => item !== null)]);
  }
}
