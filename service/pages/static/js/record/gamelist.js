import { getText, Unreachable } from "../base/api.js";
import { h } from "../base/dom.js";
import { tn } from "../base/language.js";
import { Stream } from "../base/stream.js";
import { localiseTimes } from "../base/times.js";

const PATH = "/v1/stream";
/** Milliseconds to collect announcements before the list is loaded. */
const COLLECT_FOR = 200;
/** Milliseconds between two loads of the list without a working stream. */
const POLL_EVERY = 15_000;
/** The most loads for one announcement: the list may be a moment behind, or never show it. */
const TRIES = 8;

/**
 * Updates the list from the stream of all games. Rows change in place. New games wait in `news` until somebody wants to
 * see them, so nothing moves.
 */
export class ListFollower {
  /**
   * The newest announced version of each game that is not shown yet.
   *
   * @type {Map<string, number>}
   */
  #announced = new Map();
  /**
   * The rows of new games, the last recorded first.
   *
   * @type {HTMLElement[]}
   */
  #waiting = [];
  #after;
  #timer = 0;
  #tries = 0;

  /**
   * @param {HTMLElement} news
   * @param {Connection} connection
   */
  constructor(news, connection) {
    this.news = news;
    this.connection = connection;
    this.button = h("button", { type: "button", onclick: () => this.#showNew() });
    this.#after = Number(news.dataset.position);
    this.stream = new Stream(
      () => PATH,
      () => `${PATH}?last_event_id=${this.#after || "earliest"}`,
    );
    this.stream.addEventListener("received", ({ detail }) => this.#receive(detail));
    this.stream.addEventListener("change", () => (this.stream.isWorking ? this.#loadSoon() : this.#poll()));
    document.addEventListener("visibilitychange", () => this.#poll());
    this.#poll();
  }

  /** @param {StreamEvent} told */
  #receive({ event, id, game, entry }) {
    if (event === "gone") return this.stream.end();
    this.#after = id;
    if (!entry) return; // about a club, a season or a tournament
    this.#announced.set(game, entry.version);
    this.#tries = 0;
    if (!this.#timer || !this.stream.isWorking) this.#loadSoon();
  }

  /** @param {number} pause */
  #loadSoon(pause = COLLECT_FOR) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#load(), pause);
  }

  /** Poll the list while the stream does not work. */
  #poll() {
    clearTimeout(this.#timer);
    if (!this.stream.isWorking && document.visibilityState === "visible") this.#loadSoon(POLL_EVERY);
  }

  async #load() {
    this.#timer = 0;
    this.#tries += 1;
    try {
      const { href, pathname, search } = location;
      const rows = await rowsAt(href);
      this.#updateRows(rows);
      if (!new URLSearchParams(search).get("cursor")) this.#offerNew(rows);
      // a game that no longer fits the search is missing here, and loaded by itself
      if ([...this.#announced.keys()].some((game) => rowOf(game)) && search) this.#updateRows(await rowsAt(pathname));
      this.connection.report(true);
    } catch (failed) {
      this.connection.report(!(failed instanceof Unreachable)); // the stream or the next load will succeed
    }
    if (this.#tries >= TRIES) this.#announced.clear();
    if (this.#announced.size) this.#loadSoon();
    else this.#poll();
  }

  /**
   * Update the rows of games in the list. An older answer can arrive after a newer one.
   *
   * @param {HTMLElement[]} rows
   */
  #updateRows(rows) {
    dropShown(this.#announced, rows);
    for (const fresh of rows) {
      const own = rowOf(fresh.dataset.game);
      if (own && Number(fresh.dataset.version) >= Number(own.dataset.version)) updateInPlace(own, fresh);
    }
  }

  /**
   * Keep the rows of new games waiting; show them at once in an empty list.
   *
   * @param {HTMLElement[]} rows
   */
  #offerNew(rows) {
    this.#waiting = rows.filter(({ dataset }) => !rowOf(dataset.game));
    if (document.querySelector(".games")) this.#drawButton();
    else this.#showNew();
  }

  #drawButton() {
    const { news, button } = this;
    const { length } = this.#waiting;
    button.textContent = tn(length, "Show {count} new game", "Show {count} new games");
    if (!length) button.remove();
    else if (!button.isConnected) news.append(button);
  }

  #showNew() {
    const fresh = this.#waiting;
    if (!fresh.length) return;
    if (!document.querySelector(".games")) document.querySelector(".empty").replaceWith(h("ol", { class: "games" }));
    document.querySelector(".games").prepend(...fresh);
    if (this.news.contains(document.activeElement)) fresh[0].querySelector("a").focus({ preventScroll: true });
    this.#waiting = [];
    this.#drawButton();
  }
}

/**
 * Drop the announcements that these rows, at these versions or later ones, show.
 *
 * @param {Map<string, number>} announced the newest version of each game
 * @param {{ dataset: DOMStringMap }[]} rows
 */
export function dropShown(announced, rows) {
  for (const { dataset } of rows) {
    const game = dataset.game ?? "";
    if ((announced.get(game) ?? Number.POSITIVE_INFINITY) <= Number(dataset.version)) announced.delete(game);
  }
}

/**
 * @param {string | undefined} game
 * @returns {HTMLElement | null}
 */
function rowOf(game) {
  return document.querySelector(`.games > [data-game="${CSS.escape(game ?? "")}"]`);
}

/**
 * The rows of the list at an address.
 *
 * @param {string} address
 */
async function rowsAt(address) {
  const page = new DOMParser().parseFromString(await getText(address), "text/html");
  localiseTimes(page);
  return [...page.querySelectorAll(".games > [data-game]")].map((found) => document.adoptNode(found));
}

/**
 * Update a row without making it higher: the rows below stay in place until the page is scrolled.
 *
 * @param {HTMLElement} own
 * @param {HTMLElement} fresh
 */
function updateInPlace(own, fresh) {
  const { height } = own.getBoundingClientRect();
  const { style } = own;
  updateElement(own, fresh);
  style.height = "";
  if (own.getBoundingClientRect().height === height) return;
  Object.assign(style, { boxSizing: "border-box", height: `${height}px`, overflow: "clip" });
  addEventListener("scroll", () => own.removeAttribute("style"), { once: true, passive: true });
}

/**
 * Update an element to match another one. Equal parts stay, and keep the focus.
 *
 * @param {Element} element
 * @param {Element} fresh
 */
function updateElement(element, fresh) {
  if (element.isEqualNode(fresh)) return;
  if (element.tagName !== fresh.tagName) return element.replaceWith(fresh);
  for (const { name } of [...element.attributes]) if (!fresh.hasAttribute(name)) element.removeAttribute(name);
  for (const { name, value } of fresh.attributes) element.setAttribute(name, value);
  const [own, others] = [[...element.childNodes], [...fresh.childNodes]];
  if (own.length !== others.length) return element.replaceChildren(...others);
  own.forEach((node, at) => {
    if (node.nodeType === Node.ELEMENT_NODE && others[at].nodeType === Node.ELEMENT_NODE)
      updateElement(/** @type {Element} */ (node), /** @type {Element} */ (others[at]));
    else if (!node.isEqualNode(others[at])) node.replaceWith(others[at]);
  });
}
