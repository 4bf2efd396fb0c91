import { h, svg } from "../base/dom.js";
import { t } from "../base/language.js";

/** The height of the chart: chances in percent, from the top. */
const FULL = 100;
const LINE_STYLES = 6;

/** @param {number} seat */
function seatClass(seat) {
  return `line-${seat % LINE_STYLES}`;
}

/**
 * A sample of a seat's line, with the seat's name as its title.
 *
 * @param {number} seat
 */
export function swatch(seat) {
  const line = svg("line", { class: `line ${seatClass(seat)}`, x1: 0, y1: 5, x2: 28, y2: 5 });
  return svg("svg", { class: "swatch", viewBox: "0 0 28 10", width: 28, height: 10, "aria-hidden": "true" }, line);
}

/** The least distance between two round numbers, as a part of the curve, so that they do not touch on a phone. */
const ROUND_GAP = 0.06;

/**
 * The rounds with enough space for their number on an axis, each with its position from 0 to 1.
 *
 * @param {RoundStart[]} rounds
 * @param {GameRecord} record
 */
export function visibleRounds(rounds, record) {
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
 * The position of the last of some marks above a curve, as a CSS length. It moves on so as to cover no earlier one,
 * and leaves space for later marks, so that all of them fit on the curve.
 *
 * @param {number[]} places the positions of the marks up to this one
 * @param {number} count the number of all marks
 */
export function markPosition(places, count) {
  /** @param {number} marks */
  const room = (marks) => `${(0.65 + 1.4 * marks).toFixed(2)}rem`;
  const at = places.length - 1;
  const free = places.map((place, before) => `${place}% + ${(1.4 * (at - before)).toFixed(2)}rem`);
  return `min(max(${room(at)}, ${free.join(", ")}), 100% - ${room(count - at - 1)})`;
}

/**
 * The axis of a curve, with each round at its beginning. Null for a game without rounds.
 *
 * @param {RoundStart[]} rounds
 * @param {GameRecord} record
 */
export function roundAxis(rounds, record) {
  if (rounds.length < 2) return null;
  const marks = visibleRounds(rounds, record).map(({ round, at }) => {
    const mark = h("span", {}, String(round));
    mark.style.setProperty("--at", `${100 * at}%`);
    return mark;
  });
  return h("div", { class: "rounds" }, h("div", {}, marks), h("small", {}, t("Rounds")));
}

/**
 * Chances along the entries of a record, in the order of its slider. Each seat has a line with a band. Swings and the
 * current moment have marks. A tap shows the moment at this place.
 */
export class Plot {
  #cursor = svg("line", { class: "cursor", y1: 0, y2: FULL });

  /** @param {GameRecord} record */
  constructor(record) {
    this.record = record;
  }

  /**
   * @param {WinPoint[]} points
   * @param {Swing[]} swings
   * @param {number[]} seats those with a line
   * @param {string} description
   */
  draw(points, swings, seats, description) {
    const last = Math.max(this.record.order.length - 1, 1);
    const chart = svg("svg", {
      viewBox: `0 0 ${last} ${FULL}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": description,
    });
    chart.addEventListener("click", (event) => {
      const { left, width } = chart.getBoundingClientRect();
      this.record.goToPlace(1 + Math.round(((event.clientX - left) / width) * last));
    });
    chart.append(
      ...[0, FULL / 2, FULL].map((y) => svg("line", { class: "grid", x1: 0, x2: last, y1: y, y2: y })),
      ...swings.map(({ version }) => this.#verticalLine("swing", version)),
      ...this.#seatLines(points, seats),
      this.#cursor,
    );
    const scale = h(
      "div",
      { class: "scale", "aria-hidden": "true" },
      ["100 %", "50 %", "0 %"].map((text) => h("span", {}, text)),
    );
    return h("div", { class: "plot" }, scale, chart);
  }

  /**
   * The bands of these seats, and their lines above them.
   *
   * @param {WinPoint[]} points
   * @param {number[]} seats
   */
  #seatLines(points, seats) {
    return [
      ...seats.map((seat) => svg("polygon", { class: `band ${seatClass(seat)}`, points: this.#band(points, seat) })),
      ...seats.map((seat) =>
        svg("polyline", { class: `line ${seatClass(seat)}`, points: this.#line(points, seat, "p") }),
      ),
    ];
  }

  /** Mark the current moment. */
  mark() {
    for (const name of ["x1", "x2"]) this.#cursor.setAttribute(name, String(this.record.currentPlace - 1));
  }

  /**
   * @param {string} name
   * @param {number} version
   */
  #verticalLine(name, version) {
    const x = this.#x(version);
    return svg("line", { class: name, x1: x, x2: x, y1: 0, y2: FULL });
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
