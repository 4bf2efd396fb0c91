import { storage } from "../base/storage.js";
import { parsed } from "./components.js";
import { uuid7 } from "../base/uuid.js";

/** Where drafts are in the browser's storage, each behind an id of its own; one of an older release has none. */
const PREFIX = "kifu:template";
/** How many are kept beside the one of this tab: those that were changed last. */
const OTHERS = 5;

/** @typedef {{ name: string, json: string, at?: number }} Draft */

/**
 * What was typed of a template, as this browser remembers it. Each tab has a draft of its own, also after it was loaded
 * anew. A new tab goes on with the draft that was changed last. If two tabs have the same one, it belongs to the one that
 * changes it first: the other keeps what it shows as another draft, and says so by `apart`.
 */
export class Drafts extends EventTarget {
  /** @type {string | undefined} What this tab wrote or read last. */
  #known;

  constructor(store = storage(), tab = storage("sessionStorage")) {
    super();
    this.store = store;
    this.tab = tab;
    tab[PREFIX] ??= this.#all()[0] ?? this.#fresh();
    this.#known = store[this.#key];
    for (const moment of ["storage", "pageshow"])
      addEventListener(moment, () => this.#isTaken() && this.own && this.dispatchEvent(new Event("apart")));
  }

  /** @returns {Draft | null} The draft of this tab, if there is one. */
  get own() {
    return read(this.store[this.#key]);
  }

  /** The drafts of other tabs, the last changed first: by their keys. */
  get others() {
    return this.#all()
      .filter((key) => key !== this.#key)
      .map((key) => ({ key, draft: /** @type {Draft} */ (read(this.store[key])) }));
  }

  /**
   * Remember what was typed, and let go of the oldest others.
   *
   * @param {Draft} draft
   */
  write(draft) {
    if (this.#isTaken()) this.tab[PREFIX] = this.#fresh();
    this.#known = JSON.stringify({ ...draft, at: Date.now() });
    this.store[this.#key] = this.#known;
    for (const { key } of this.others.slice(OTHERS)) delete this.store[key];
  }

  /** Forget the draft of this tab: it is kept as a sheet. */
  forget() {
    if (!this.#isTaken()) delete this.store[this.#key];
    this.#known = undefined;
  }

  /**
   * Go on with another draft in this tab.
   *
   * @param {string} key
   */
  take(key) {
    this.tab[PREFIX] = key;
    this.#known = this.store[key];
  }

  get #key() {
    return this.tab[PREFIX];
  }

  /** Whether another tab has changed the draft since this one wrote or read it. */
  #isTaken() {
    return this.store[this.#key] !== this.#known;
  }

  #fresh() {
    return `${PREFIX}:${uuid7()}`;
  }

  /** The keys of all drafts, the last changed first. */
  #all() {
    return Object.keys(this.store)
      .filter((key) => (key === PREFIX || key.startsWith(`${PREFIX}:`)) && read(this.store[key]))
      .sort((one, other) => (read(this.store[other])?.at ?? 0) - (read(this.store[one])?.at ?? 0));
  }
}

/**
 * @param {string | undefined} text
 * @returns {Draft | null}
 */
function read(text) {
  const draft = parsed(text ?? "null");
  return draft?.json ? draft : null;
}
