import { shortName } from "../base/names.js";
import { compareRanks } from "../base/order.js";
import { markAppeared } from "../base/taps.js";

const REACH = 20;
/** The least size of a name's letters, in units of a picture, for reading on a phone. */
const LEGIBLE = 24;
/** How much longer than its place a text may be: letters of a fitting size are rounded to parts of a pixel. */
const ROUNDING = 2;
/** The selector for everything that a tap can mean. */
const PLACES = "[data-at], [data-means]";

const FRAME = `
  svg { display: block; width: max(100%, var(--narrowest, var(--least))); height: auto; max-height: max(var(--story-height, 9999vmax), var(--least-height)); }
  svg[data-whole] { width: 100%; min-width: var(--narrowest, var(--least)); max-height: max(var(--board-height, 100vmax), var(--least-height)); }
  svg:not([data-least]) { width: 100%; max-height: var(--board-height, none); }
  .touched { filter: drop-shadow(0 0 6px var(--touched)) drop-shadow(0 0 2px var(--touched)); }
  .target { filter: drop-shadow(0 0 3px var(--target)) drop-shadow(0 0 7px var(--target-glow)); }
  line.target { stroke-dasharray: 14 7; stroke-width: 9px; }
  @media (prefers-color-scheme: dark) {
    svg[data-ground="light"] { filter: invert(0.9) hue-rotate(180deg); }
    svg[data-ground="dark"] { filter: brightness(0.82); }
  }
  :host([data-dark]) svg { width: auto; min-width: 0; max-width: 100%; height: var(--board-height); }
  :host([data-dark]) svg[data-ground="light"] { filter: invert(0.9) hue-rotate(180deg); }
  :host([data-dark]) svg[data-ground="dark"] { filter: brightness(0.82); }
  :host([data-tappable]) :is([data-at], [data-means]) { cursor: pointer; }
`;

/**
 * The board: the ruleset's picture in a shadow tree, so that its ids do not clash with the page's.
 *
 * Places with `data-at`, in the words of the effects, are marked if the current entry touched them. A tap on or near a
 * place calls `tap(place)` of the recorder, if there is one. Its `leadsToMove(place)` says whether a place leads to a legal
 * move: these places have priority.
 */
export class Board {
  #root;
  /** @type {Recorder | null} */
  #recorder = null;
  /** The board can be reached by keyboard as long as it scrolls, also after the screen was turned. */
  #sizes = new ResizeObserver(() => {
    const { element } = this;
    if (element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
  });

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.#sizes.observe(element);
    this.#root = element.attachShadow({ mode: "open" });
    const style = new CSSStyleSheet();
    style.replaceSync(FRAME);
    this.#root.adoptedStyleSheets = [style];
    this.#root.append(...element.children); // reserves the space until there is a picture
  }

  /**
   * Send taps to a recorder from now on.
   *
   * @param {Recorder} recorder
   */
  sendTapsTo(recorder) {
    this.#recorder = recorder;
    this.element.toggleAttribute("data-tappable", true);
    recorder.store.addEventListener("change", () => this.#markTargets());
    this.#root.addEventListener("click", (event) => {
      const { clientX, clientY } = /** @type {MouseEvent} */ (event);
      const place = this.#placeNear(clientX, clientY);
      if (place) recorder.handleTap(place.dataset);
    });
  }

  /**
   * Show a picture (an SVG document) with people's names, and mark the places in `touched`.
   *
   * @param {string} picture
   * @param {Set<string>} touched
   * @param {Words} words
   */
  show(picture, touched, words) {
    const svg = document.importNode(new DOMParser().parseFromString(picture, "image/svg+xml").documentElement, true);
    for (const part of svg.querySelectorAll("script, foreignObject")) part.remove();
    for (const place of svg.querySelectorAll("[data-at]")) {
      if (touched.has(place.dataset.at)) place.classList.add("touched");
    }
    svg.setAttribute("role", "img");
    for (const text of svg.querySelectorAll("title, :not([data-seat]) > text")) translateText(text, words);
    for (const text of svg.querySelectorAll(":scope > :is(title, desc)"))
      text.textContent = words.withPeople(text.textContent);
    this.#root.replaceChildren(svg);
    markAppeared(this.element);
    this.#fitPicture(/** @type {any} */ (svg));
    for (const place of svg.querySelectorAll("[data-room]")) {
      const { seat } = place.dataset;
      const text = seat ? words.name(Number(seat)) : words.withPeople(place.textContent);
      writeName(
        place,
        text,
        words.seats.map((_, other) => words.name(other)),
      );
    }
    this.element.setAttribute("aria-busy", "false");
  }

  /**
   * Make a picture large enough to read: in a smaller space, the board scrolls to the marked places.
   *
   * @param {SVGSVGElement} svg
   */
  #fitPicture(svg) {
    const { element } = this;
    const { least } = svg.dataset;
    svg.style.setProperty("--least", `${least}px`);
    svg.style.setProperty(
      "--least-height",
      `${(Number(least) * svg.viewBox.baseVal.height) / svg.viewBox.baseVal.width}px`,
    );
    this.#sizes.observe(svg);
    const [room, now] = [element, svg.querySelector("[data-now]")].map((part) => part?.getBoundingClientRect());
    if (!now) return;
    if (now.top < room.top || now.bottom > room.bottom)
      element.scrollTop += (now.top + now.bottom - room.top - room.bottom) / 2;
    if (now.left < room.left || now.right > room.right)
      element.scrollLeft += (now.left + now.right - room.left - room.right) / 2;
  }

  /** Light up the places for a possible next tap. */
  #markTargets() {
    for (const place of this.#root.querySelectorAll(PLACES))
      place.classList.toggle("target", Boolean(this.#recorder?.isTarget(place.dataset)));
  }

  /**
   * Show the reason for a missing picture.
   *
   * @param {string} why
   */
  showMissing(why) {
    this.#root.replaceChildren(why);
    this.element.setAttribute("aria-busy", "false");
  }

  /**
   * The place meant by a tap: the place under the finger, unless it is a line, which is too thin. Otherwise the nearest
   * in reach of a thumb: places that lead to a legal move first, and lines first among these.
   *
   * @param {number} x
   * @param {number} y
   */
  #placeNear(x, y) {
    const under = this.#root.elementFromPoint(x, y)?.closest(PLACES);
    if (under && !isLine(under)) return under;
    const near = [...this.#root.querySelectorAll(PLACES)]
      .map((place) => ({ place, far: distance(place, x, y) }))
      .filter(({ far }) => far <= REACH)
      .map(({ place, far }) => ({ place, rank: [!this.#recorder?.leadsToMove(place.dataset), !isLine(place), far] }))
      .sort((one, other) => compareRanks(one.rank, other.rank));
    return near[0]?.place;
  }
}

/** @param {Element} place */
function isLine({ localName }) {
  return localName === "line";
}

/**
 * The distance from a point of the screen to a place.
 *
 * @param {SVGGraphicsElement} place
 * @param {number} x
 * @param {number} y
 */
function distance(place, x, y) {
  if (isLine(place)) return distanceToLine(/** @type {any} */ (place), x, y);
  const round = place.localName === "circle" ? place : place.querySelector(":scope > circle:first-child");
  const { left, right, top, bottom } = (round ?? place).getBoundingClientRect();
  if (round) return Math.max(0, Math.hypot(x - (left + right) / 2, y - (top + bottom) / 2) - (right - left) / 2);
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

/**
 * @param {SVGLineElement} line
 * @param {number} x
 * @param {number} y
 */
function distanceToLine(line, x, y) {
  const toScreen = line.getScreenCTM() ?? undefined;
  /**
   * @param {SVGAnimatedLength} x
   * @param {SVGAnimatedLength} y
   */
  const end = (x, y) => new DOMPoint(x.baseVal.value, y.baseVal.value).matrixTransform(toScreen);
  const [a, b] = [end(line.x1, line.y1), end(line.x2, line.y2)];
  const [right, down] = [b.x - a.x, b.y - a.y];
  const along = ((x - a.x) * right + (y - a.y) * down) / (right ** 2 + down ** 2);
  const at = Math.min(Math.max(along, 0), 1);
  return Math.hypot(x - a.x - at * right, y - a.y - at * down);
}

/**
 * Write a text into a place: in smaller letters first, and shortened only if it still does not fit.
 *
 * @param {SVGElement} place
 * @param {string} text
 * @param {string[]} names
 */
export function writeName({ dataset, firstElementChild }, text, names) {
  const line = /** @type {SVGTextElement} */ (firstElementChild);
  line.textContent = text;
  const size = Number(line.getAttribute("font-size"));
  const fitting = (size * Number(dataset.room)) / line.getComputedTextLength();
  if (fitting < size) line.setAttribute("font-size", String(Math.max(fitting, Math.min(size, LEGIBLE))));
  line.textContent = shortName(text, names, (name) => {
    line.textContent = name;
    return line.getComputedTextLength() <= Number(dataset.room) + ROUNDING;
  });
}

/**
 * Translate a text of a picture, in smaller letters if the translation is longer.
 *
 * @param {Element} text
 * @param {Words} words
 */
function translateText(text, words) {
  const before = text.textContent;
  const after = words.translatePhrase(before);
  if (after === before) return;
  text.textContent = after;
  const size = Number(text.getAttribute("font-size")) * Math.min(1, widthInKanji(before) / widthInKanji(after));
  text.setAttribute("font-size", String(size));
}

/**
 * The approximate length of a text, in widths of a kanji.
 *
 * @param {string} text
 */
function widthInKanji(text) {
  return [...text].reduce((sum, letter) => sum + (letter > "\u2e80" ? 1 : 0.6), 0);
}
