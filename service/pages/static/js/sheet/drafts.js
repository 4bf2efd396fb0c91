import { storage } from "../base/storage.js";
import { parseJson } from "./components.js";
import { uuid7 } from "../base/uuid.js";

/** The prefix of drafts in the browser's storage, followed by their id. A draft of an older release has no id. */
const PREFIX = "kifu:template";
/** The most drafts kept besides that of this tab: the last changed ones. */
const OTHERS = 5;

/** @typedef {{ name: string, json: string, at?: number }} Draft */

/**
 * Drafts of templates in this browser. Each tab has its own draft, also after a reload. A new tab continues the last
 * changed draft. If two tabs have the same one, it belongs to the first that changes it: the other stores its content
 * as another draft, and sends `apart`.
 */
export class Drafts extends EventTarget {
  /** @type {string | undefined} What this tab wrote or read last. */
  #lastContent;

  constructor(store = storage(), tab = storage("sessionStorage")) {
    super();
    this.store = store;
    this.tab = tab;
    tab[PREFIX] ??= this.#all()[0] ?? this.#newKey();
    this.#lastContent = store[this.#key];
    for (const moment of ["storage", "pageshow"])
      addEventListener(
        moment,
        () => this.#isChangedElsewhere() && this.ownDraft && this.dispatchEvent(new Event("apart")),
      );
  }

  /** @returns {Draft | null} The draft of this tab, if there is one. */
  get ownDraft() {
    return parseDraft(this.store[this.#key]);
  }

  /** The drafts of other tabs by key, the last changed first. */
  get otherDrafts() {
    return this.#all()
      .filter((key) => key !== this.#key)
      .map((key) => ({ key, draft: /** @type {Draft} */ (parseDraft(this.store[key])) }));
  }

  /**
   * Store a draft, and delete the oldest others.
   *
   * @param {Draft} draft
   */
  storeDraft(draft) {
    if (this.#isChangedElsewhere()) this.tab[PREFIX] = this.#newKey();
    this.#lastContent = JSON.stringify({ ...draft, at: Date.now() });
    this.store[this.#key] = this.#lastContent;
    for (const { key } of this.otherDrafts.slice(OTHERS)) delete this.store[key];
  }

  /** Delete the draft of this tab: it is stored as a sheet. */
  deleteOwn() {
    if (!this.#isChangedElsewhere()) delete this.store[this.#key];
    this.#lastContent = undefined;
  }

  /**
   * Continue another draft in this tab.
   *
   * @param {string} key
   */
  continueDraft(key) {
    this.tab[PREFIX] = key;
    this.#lastContent = this.store[key];
  }

  get #key() {
    return this.tab[PREFIX];
  }

  /** Whether another tab has changed the draft since this one wrote or read it. */
  #isChangedElsewhere() {
    return this.store[this.#key] !== this.#lastContent;
  }

  #newKey() {
    return `${PREFIX}:${uuid7()}`;
  }

  /** The keys of all drafts, the last changed first. */
  #all() {
    return Object.keys(this.store)
      .filter((key) => (key === PREFIX || key.startsWith(`${PREFIX}:`)) && parseDraft(this.store[key]))
      .sort((one, other) => (parseDraft(this.store[other])?.at ?? 0) - (parseDraft(this.store[one])?.at ?? 0));
  }
}

/**
 * @param {string | undefined} text
 * @returns {Draft | null}
 */
function parseDraft(text) {
  const draft = parseJson(text ?? "null");
  return draft?.json ? draft : null;
}
