import { uuid7 } from "../base/uuid.js";

/**
 * What is to be sent and is not yet acknowledged, in order. It lies in the browser's storage, one place an item, so
 * that it outlives the page and two tabs do not overwrite each other; sent twice, the service stores it once.
 *
 * An item is `{key, path, body, base, label, problem}`: `base` is the game's version that it follows upon, `problem`
 * why the service refused it.
 */
export class Outbox extends EventTarget {
  #prefix;
  #store = storage();

  constructor(name) {
    super();
    this.#prefix = `kifu:${name}:`;
    addEventListener("storage", (event) => {
      if (event.key === null || event.key.startsWith(this.#prefix)) this.#changed();
    });
  }

  items() {
    return Object.keys(this.#store)
      .filter((name) => name.startsWith(this.#prefix))
      .sort()
      .map((name) => this.#store[name])
      .filter((text) => text !== undefined)
      .map((text) => JSON.parse(text));
  }

  get(key) {
    const text = this.#store[this.#prefix + key];
    return text === undefined ? undefined : JSON.parse(text);
  }

  first() {
    return this.items()[0];
  }

  /** Put an item at the end and return its key. `base` counts only if nothing else waits to be stored before it. */
  add({ path, body, base = null, label }) {
    const before = this.items().at(-1);
    const key = uuid7();
    this.#put({ key, path, body, base: before && base != null ? before.base + 1 : base, label });
    return key;
  }

  /** Put another body in an item's place, to be sent anew. */
  mend(key, body, label) {
    this.#put({ ...this.get(key), body, label, problem: undefined });
  }

  refuse(key, problem) {
    this.#put({ ...this.get(key), problem });
  }

  /** Let all items follow upon version `base`, one after the other, and forget why they were refused. */
  rebase(base) {
    this.items().forEach((item, index) => this.#put({ ...item, base: base + index, problem: undefined }));
  }

  /** Take out an item that was stored. */
  remove(key) {
    delete this.#store[this.#prefix + key];
    this.#changed();
  }

  /** Take out an item that shall not be stored; those after it move up. */
  drop(key) {
    const dropped = this.get(key);
    for (const item of this.items()) {
      if (item.key > key && item.base != null) this.#put({ ...item, base: item.base - 1 });
    }
    if (dropped) this.remove(key);
  }

  #put(item) {
    this.#store[this.#prefix + item.key] = JSON.stringify(item);
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/** The browser's storage; memory alone where the browser forbids it. */
export function storage() {
  try {
    localStorage.setItem("kifu", "");
    localStorage.removeItem("kifu");
    return localStorage;
  } catch {
    return {};
  }
}
