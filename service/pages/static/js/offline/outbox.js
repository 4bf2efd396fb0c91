import { uuid7 } from "../base/uuid.js";
import { added, altered, dropped, ordered, rebased, removed, taken } from "./items.js";
import { change } from "./store.js";

/** @type {BroadcastChannel | null | undefined} */
let channel;

/** Tells other tabs in which box something has changed. */
function news() {
  channel ??= "BroadcastChannel" in globalThis ? new BroadcastChannel("kifu:outbox") : null;
  return channel;
}

/**
 * What is to be sent of one game and is not yet acknowledged, in order. It is kept on this device before anything here
 * tells of it, outlives the page, and is the same in all tabs; sent twice, the service stores it once.
 *
 * An item is `{key, place, path, body, base, label, told, problem, stale}`: `base` is the game's version that it follows
 * upon, `told` what its dry run said, if it had one, and `problem` why the service refused it. `stale` tells what others
 * recorded that was not held against it yet. `items` and what reads them know what was kept last; what changes them is done
 * when that is kept.
 *
 * Where the browser keeps nothing, because it is forbidden to or full, the items are in this page alone, `fault` says
 * why, and leaving the page is asked about. Each later change tries to keep them again.
 */
export class Outbox extends EventTarget {
  /** @type {Item[]} */
  #items = [];
  /**
   * What is to be kept and could not be, by key: items, and null for those that are gone.
   *
   * @type {Map<string, Item | null>}
   */
  #loose = new Map();
  #work = Promise.resolve();
  /** @type {unknown} */
  fault = null;

  /** @param {string} name */
  constructor(name) {
    super();
    this.name = name;
    news()?.addEventListener("message", ({ data }) => data === name && this.look());
    addEventListener("beforeunload", (event) => [...this.#loose.values()].some(Boolean) && event.preventDefault());
    this.look();
  }

  items() {
    return this.#items;
  }

  /** Done when all that was changed so far is kept. */
  get settled() {
    return this.#work;
  }

  /** @param {string} key */
  get(key) {
    return this.#items.find((item) => item.key === key);
  }

  first() {
    return this.#items[0];
  }

  /** See what is kept: another tab may have changed it. */
  look() {
    return this.#change((items) => items);
  }

  /**
   * Put an item at the end and return its key. `base` counts only if nothing else waits to be stored before it.
   *
   * @param {{ path: string, body: SentBody, base?: number | null, label: string, told?: Recorded, by?: string }} item
   */
  async add(item) {
    const key = uuid7();
    await this.#change((items) => added(items, { ...item, key }));
    return key;
  }

  /**
   * Put items of another device at the end, but for those that are here already.
   *
   * @param {Item[]} others
   */
  take(others) {
    return this.#change((items) => taken(items, others));
  }

  /**
   * Put another body in an item's place, to be sent anew.
   *
   * @param {string} key
   * @param {SentBody} body
   * @param {string} label
   */
  mend(key, body, label) {
    return this.#alter(key, { body, label, problem: undefined, told: undefined });
  }

  /**
   * @param {string} key
   * @param {ProblemBody} problem
   */
  refuse(key, problem) {
    return this.#alter(key, { problem });
  }

  /**
   * Let all items follow upon version `base`, one after the other, and forget why they were refused. What the `problem`
   * says that others recorded was held against the item with this `key`, and not yet against those after it.
   *
   * @param {number} base
   * @param {{ key?: string, problem?: ProblemBody }} [held]
   */
  rebase(base, held) {
    return this.#change((items) => rebased(items, base, held));
  }

  /**
   * Forget what others recorded before an item: it can follow upon that.
   *
   * @param {string} key
   */
  settle(key) {
    return this.#alter(key, { stale: undefined });
  }

  /**
   * Take out an item that was stored.
   *
   * @param {string} key
   */
  remove(key) {
    return this.#change((items) => removed(items, key));
  }

  /**
   * Take out an item that shall not be stored; those after it move up.
   *
   * @param {string} key
   */
  drop(key) {
    return this.#change((items) => dropped(items, key));
  }

  /** Take out all of it. */
  clear() {
    return this.#change(() => []);
  }

  /**
   * @param {string} key
   * @param {Partial<Item>} parts
   */
  #alter(key, parts) {
    return this.#change((items) => altered(items, key, parts));
  }

  /**
   * One after the other: let `work` make other items of these, keep them, and tell of it.
   *
   * @param {(items: Item[]) => Item[]} work
   * @returns {Promise<void>}
   */
  #change(work) {
    const done = this.#work.then(() => this.#keep(work));
    this.#work = done;
    return done;
  }

  /** @param {(items: Item[]) => Item[]} work */
  async #keep(work) {
    const before = this.#items;
    let changed = false;
    try {
      this.#items = await change(this.name, (kept) => {
        const after = work(this.#whole(kept));
        changed = after !== kept;
        return after;
      });
      this.#loose.clear();
      this.fault = null;
    } catch (error) {
      this.#items = work(before);
      for (const { key } of before) this.#loose.set(key, null);
      for (const item of this.#items) this.#loose.set(item.key, item);
      this.fault = error;
    }
    if (changed) news()?.postMessage(this.name);
    this.dispatchEvent(new Event("change"));
  }

  /**
   * What is kept, with what could not be.
   *
   * @param {Item[]} kept
   */
  #whole(kept) {
    if (!this.#loose.size) return kept;
    const others = kept.filter(({ key }) => !this.#loose.has(key));
    return ordered([...others, ...[...this.#loose.values()].filter((item) => item !== null)]);
  }
}
