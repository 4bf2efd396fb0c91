import { getText } from "../base/api.js";
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
 * Show in the list what is recorded, as it is told by the stream of all games. What is there changes where it stands;
 * new games wait in `news`, beside which nothing moves, until somebody wants to see them.
 *
 * @param {HTMLElement} news
 */
export function followList(news) {
  /** The newest version of each game that was told of, and is not shown yet. */
  const told = new Map();
  /**
   * The rows of games that are not in the list yet, the last recorded first.
   *
   * @type {HTMLElement[]}
   */
  let waiting = [];
  let after = Number(news.dataset.position);
  let timer = 0;
  let tries = 0;
  const stream = new Stream(
    () => PATH,
    () => `${PATH}?last_event_id=${after || "earliest"}`,
  );
  const look = async () => {
    timer = 0;
    tries += 1;
    try {
      const { href, pathname, search } = location;
      take(await rowsAt(href), !new URLSearchParams(search).get("cursor"));
      // what does not fit a search any more is not in its answer, and shown as it is now all the same
      if ([...told.keys()].some((game) => row(game)) && search) take(await rowsAt(pathname), false);
    } catch {
      // the stream, or the next look, does better
    }
    if (tries >= TRIES) told.clear();
    if (told.size) soon();
    else wait();
  };
  /** @param {number} pause */
  const soon = (pause = REST) => {
    clearTimeout(timer);
    timer = setTimeout(look, pause);
  };
  const wait = () => {
    clearTimeout(timer);
    if (!stream.holds && document.visibilityState === "visible") soon(EVERY);
  };
  /**
   * @param {HTMLElement[]} rows
   * @param {boolean} takesNew
   */
  const take = (rows, takesNew) => {
    for (const { dataset } of rows) if (told.get(dataset.game) <= Number(dataset.version)) told.delete(dataset.game);
    for (const fresh of rows) {
      const own = row(fresh.dataset.game);
      if (own) renewInPlace(own, fresh);
    }
    if (!takesNew) return;
    waiting = rows.filter(({ dataset }) => !row(dataset.game));
    if (document.querySelector(".games")) draw();
    else show();
  };
  const draw = () => {
    button.textContent = tn(waiting.length, "Show {count} new game", "Show {count} new games");
    if (!waiting.length) button.remove();
    else if (!button.isConnected) news.append(button);
  };
  const show = () => {
    if (!waiting.length) return;
    if (!document.querySelector(".games")) document.querySelector(".empty").replaceWith(h("ol", { class: "games" }));
    document.querySelector(".games").prepend(...waiting);
    if (news.contains(document.activeElement)) waiting[0].querySelector("a").focus({ preventScroll: true });
    waiting = [];
    draw();
  };
  const button = h("button", { type: "button", onclick: show });
  stream.addEventListener("told", ({ detail: { event, id, game, entry } }) => {
    if (event === "gone") return stream.end();
    after = id;
    if (!entry) return; // of a club, a season or a tournament
    told.set(game, entry.version);
    tries = 0;
    if (!timer || !stream.holds) soon();
  });
  stream.addEventListener("change", () => (stream.holds ? soon() : wait()));
  document.addEventListener("visibilitychange", wait);
  wait();
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
