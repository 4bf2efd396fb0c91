import { h } from "../base/dom.js";
import { t } from "../base/language.js";

const SVG = "http://www.w3.org/2000/svg";
/** Chances are drawn in points of a hundred, from the top. */
const FULL = 100;
const KINDS = 6;

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...Node} children
 */
function s(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** @param {number} seat */
function seatClass(seat) {
  return `line-${seat % KINDS}`;
}

/**
 * A piece of a seat's line, with a title that names the seat.
 *
 * @param {number} seat
 */
export function swatch(seat) {
  const line = s("line", { class: `line ${seatClass(seat)}`, x1: 0, y1: 5, x2: 28, y2: 5 });
  return s("svg", { class: "swatch", viewBox: "0 0 28 10", width: 28, height: 10, "aria-hidden": "true" }, line);
}

/** The least part of a curve between two numbers of rounds, so that they do not meet on a phone. */
const ROUND_GAP = 0.06;

/**
 * The rounds that have room for their number on an axis, each with its place from 0 to 1.
 *
 * @param {RoundStart[]} rounds
 * @param {GameRecord} record
 */
export function roundPlaces(rounds, record) {
  const span = Math.max(record.order.length - 1, 1);
  /** @type {{ round: number, at: number }[]} */
  const found = [];
  for (const { round, version } of rounds) {
    const at = (record.placeOf(version) - 1) / span;
    const last = found.at(-1);
    if (!last || at - last.at >= ROUND_GAP) found.push({ round, at });
  }
  return found;
}

/**
 * Where the last of some marks over a curve stands, as a length of CSS. It is moved on from its place where it would cover
 * a mark before it. It leaves room for those after it, so that all of them end with the curve.
 *
 * @param {number[]} places those of the marks up to this one, in their order
 * @param {number} count how many marks there are
 */
export function beside(places, count) {
  /** @param {number} marks */
  const room = (marks) => `${(0.65 + 1.4 * marks).toFixed(2)}rem`;
  const at = places.length - 1;
  const free = places.map((place, before) => `${place}% + ${(1.4 * (at - before)).toFixed(2)}rem`);
  return `min(max(${room(at)}, ${free.join(", ")}), 100% - ${room(count - at - 1)})`;
}

/**
 * The axis of a curve: each round where it began. Null in a game without rounds.
 *
 * @param {RoundStart[]} rounds
 * @param {GameRecord} record
 */
export function roundAxis(rounds, record) {
  if (rounds.length < 2) return null;
  const marks = roundPlaces(rounds, record).map(({ round, at }) => {
    const mark = h("span", {}, String(round));
    mark.style.setProperty("--at", `${100 * at}%`);
    return mark;
  });
  return h("div", { class: "rounds" }, h("div", {}, marks), h("small", {}, t("Rounds")));
}

/**
 * Chances along the entries of a record, in the order of its slider. Each seat has a line with a band. Each swing has a
 * mark, and so has the moment on show. A tap goes to the tapped moment.
 */
export class Plot {
  #cursor = s("line", { class: "cursor", y1: 0, y2: FULL });

  /** @param {GameRecord} record */
  constructor(record) {
    this.record = record;
  }

  /**
   * @param {WinPoint[]} points
   * @param {Swing[]} swings
   * @param {string} said
   */
  draw(points, swings, said) {
    const last = Math.max(this.record.order.length - 1, 1);
    const svg = s("svg", {
      viewBox: `0 0 ${last} ${FULL}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": said,
    });
    svg.addEventListener("click", (event) => {
      const { left, width } = svg.getBoundingClientRect();
      this.record.step(1 + Math.round(((event.clientX - left) / width) * last));
    });
    svg.append(
      ...[0, FULL / 2, FULL].map((y) => s("line", { class: "grid", x1: 0, x2: last, y1: y, y2: y })),
      ...swings.map(({ version }) => this.#across("swing", version)),
      ...this.#seatLines(points),
      this.#cursor,
    );
    const scale = h(
      "div",
      { class: "scale", "aria-hidden": "true" },
      ["100 %", "50 %", "0 %"].map((text) => h("span", {}, text)),
    );
    return h("div", { class: "plot" }, scale, svg);
  }

  /**
   * The bands of all seats, and their lines above them.
   *
   * @param {WinPoint[]} points
   */
  #seatLines(points) {
    const seats = points[0].chances.map((_, seat) => seat);
    return [
      ...seats.map((seat) => s("polygon", { class: `band ${seatClass(seat)}`, points: this.#band(points, seat) })),
      ...seats.map((seat) =>
        s("polyline", { class: `line ${seatClass(seat)}`, points: this.#line(points, seat, "p") }),
      ),
    ];
  }

  /** Mark the moment looked at. */
  mark() {
    for (const name of ["x1", "x2"]) this.#cursor.setAttribute(name, String(this.record.place - 1));
  }

  /**
   * @param {string} name
   * @param {number} version
   */
  #across(name, version) {
    const x = this.#x(version);
    return s("line", { class: name, x1: x, x2: x, y1: 0, y2: FULL });
  }

  /** @param {number} version */
  #x(version) {
    return this.record.placeOf(version) - 1;
  }

  /**
   * @param {WinPoint[]} points
   * @param {number} seat
   * @param {"p" | "low" | "high"} figure
   */
  #line(points, seat, figure) {
    return points.map(({ version, chances }) => `${this.#x(version)},${FULL - FULL * chances[seat][figure]}`).join(" ");
  }

  /**
   * @param {WinPoint[]} points
   * @param {number} seat
   */
  #band(points, seat) {
    return `${this.#line(points, seat, "high")} ${this.#line(points.toReversed(), seat, "low")}`;
  }
}
