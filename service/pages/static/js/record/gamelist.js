import { getText, Unreachable } from "../base/api.js";
import { h } from "../base/dom.js";
import { tn } from "../base/language.js";
import { Stream } from "../base/stream.js";
import { localise } from "../base/times.js";

const PATH = "/v1/stream";
/** Milliseconds in which what is told is gathered, before the list is asked for. */
const REST = 200;
/** Milliseconds between two looks at the list, while its stream does not hold. */
const EVERY = 15_000;
/** How often the list is asked for something that was told: it may be a moment behind, or leave it out for good. */
const TRIES = 8;

/**
 * Shows in the list what is recorded, as it is told by the stream of all games. What is there changes where it stands;
 * new games wait in `news`, beside which nothing moves, until somebody wants to see them.
 */
export class ListFollower {
  /**
   * The newest version of each game that was told of, and is not shown yet.
   *
   * @type {Map<string, number>}
   */
  #told = new Map();
  /**
   * The rows of games that are not in the list yet, the last recorded first.
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
    this.stream.addEventListener("told", ({ detail }) => this.#hear(detail));
    this.stream.addEventListener("change", () => (this.stream.holds ? this.#lookSoon() : this.#lookLater()));
    document.addEventListener("visibilitychange", () => this.#lookLater());
    this.#lookLater();
  }

  /** @param {StreamTold} told */
  #hear({ event, id, game, entry }) {
    if (event === "gone") return this.stream.end();
    this.#after = id;
    if (!entry) return; // of a club, a season or a tournament
    this.#told.set(game, entry.version);
    this.#tries = 0;
    if (!this.#timer || !this.stream.holds) this.#lookSoon();
  }

  /** @param {number} pause */
  #lookSoon(pause = REST) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), pause);
  }

  /** While the stream does not hold, the list is asked for again and again. */
  #lookLater() {
    clearTimeout(this.#timer);
    if (!this.stream.holds && document.visibilityState === "visible") this.#lookSoon(EVERY);
  }

  async #look() {
    this.#timer = 0;
    this.#tries += 1;
    try {
      const { href, pathname, search } = location;
      const rows = await rowsAt(href);
      this.#take(rows);
      if (!new URLSearchParams(search).get("cursor")) this.#offerNew(rows);
      // what does not fit a search any more is not in its answer, and shown as it is now all the same
      if ([...this.#told.keys()].some((game) => row(game)) && search) this.#take(await rowsAt(pathname));
      this.connection.report(true);
    } catch (failed) {
      this.connection.report(!(failed instanceof Unreachable)); // the stream, or the next look, does better
    }
    if (this.#tries >= TRIES) this.#told.clear();
    if (this.#told.size) this.#lookSoon();
    else this.#lookLater();
  }

  /**
   * Show the rows of games that are in the list as they are now. An answer can come after one that was asked for later.
   *
   * @param {HTMLElement[]} rows
   */
  #take(rows) {
    forgetShown(this.#told, rows);
    for (const fresh of rows) {
      const own = row(fresh.dataset.game);
      if (own && Number(fresh.dataset.version) >= Number(own.dataset.version)) renewInPlace(own, fresh);
    }
  }

  /**
   * Let the rows of games that are not in the list wait; in an empty list they are shown at once.
   *
   * @param {HTMLElement[]} rows
   */
  #offerNew(rows) {
    this.#waiting = rows.filter(({ dataset }) => !row(dataset.game));
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
 * Forget what was told of games that these rows show as they are then, or later.
 *
 * @param {Map<string, number>} told the newest version of each game
 * @param {{ dataset: DOMStringMap }[]} rows
 */
export function forgetShown(told, rows) {
  for (const { dataset } of rows) {
    const game = dataset.game ?? "";
    if ((told.get(game) ?? Number.POSITIVE_INFINITY) <= Number(dataset.version)) told.delete(game);
  }
}

/**
 * @param {string | undefined} game
 * @returns {HTMLElement | null}
 */
function row(game) {
  return document.querySelector(`.games > [data-game="${CSS.escape(game ?? "")}"]`);
}

/**
 * The rows of the list at an address.
 *
 * @param {string} address
 */
async function rowsAt(address) {
  const page = new DOMParser().parseFromString(await getText(address), "text/html");
  localise(page);
  return [...page.querySelectorAll(".games > [data-game]")].map((found) => document.adoptNode(found));
}

/**
 * Show a row as it is now, no higher than it was: those below it stay where they are until the page is scrolled.
 *
 * @param {HTMLElement} own
 * @param {HTMLElement} fresh
 */
function renewInPlace(own, fresh) {
  const { height } = own.getBoundingClientRect();
  const { style } = own;
  renew(own, fresh);
  style.height = "";
  if (own.getBoundingClientRect().height === height) return;
  Object.assign(style, { boxSizing: "border-box", height: `${height}px`, overflow: "clip" });
  addEventListener("scroll", () => own.removeAttribute("style"), { once: true, passive: true });
}

/**
 * Make an element like another one, and leave alone what is alike: what has the focus keeps it.
 *
 * @param {Element} element
 * @param {Element} fresh
 */
function renew(element, fresh) {
  if (element.isEqualNode(fresh)) return;
  if (element.tagName !== fresh.tagName) return element.replaceWith(fresh);
  for (const { name } of [...element.attributes]) if (!fresh.hasAttribute(name)) element.removeAttribute(name);
  for (const { name, value } of fresh.attributes) element.setAttribute(name, value);
  const [own, others] = [[...element.childNodes], [...fresh.childNodes]];
  if (own.length !== others.length) return element.replaceChildren(...others);
  own.forEach((node, at) => {
    if (node.nodeType === Node.ELEMENT_NODE && others[at].nodeType === Node.ELEMENT_NODE)
      renew(/** @type {Element} */ (node), /** @type {Element} */ (others[at]));
    else if (!node.isEqualNode(others[at])) node.replaceWith(others[at]);
  });
}
