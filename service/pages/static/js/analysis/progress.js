import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { duration } from "./course.js";

/** The seconds to measure before a remaining time is shown. */
const LEAST_SECONDS = 5;

/** @typedef {{ done: number, planned: number, first: number }} Work the pieces of an analysis, also those at first */

/**
 * The progress of analyses, and their remaining time. The plan can grow, and analyses begin and end, but the finished
 * part never shrinks until all of them have ended.
 */
export class ProgressEstimate {
  /**
   * The analyses, by their ids, also those that have ended since.
   *
   * @type {Map<string, Work>}
   */
  #work = new Map();
  #startTime = 0;
  /** The finished part, from 0 to 1. */
  part = 0;

  /**
   * The estimated remaining seconds; null if unknown.
   *
   * @param {{ id: string, done: number, planned: number }[]} waiting
   * @param {number} now in milliseconds
   */
  remainingSeconds(waiting, now) {
    if (!waiting.some(({ id }) => this.#work.has(id))) {
      this.#work.clear();
      this.#startTime = now;
      this.part = 0;
    }
    for (const [id, work] of this.#work) if (!waiting.some((each) => each.id === id)) work.done = work.planned;
    for (const { id, done, planned } of waiting)
      this.#work.set(id, { done, planned, first: this.#work.get(id)?.first ?? done });
    const [done, planned, first] = this.#sums();
    if (planned) this.part = Math.max(this.part, Math.min(done / planned, 1));
    const seconds = (now - this.#startTime) / 1000;
    return seconds >= LEAST_SECONDS && done > first ? (seconds * Math.max(planned - done, 0)) / (done - first) : null;
  }

  /** The pieces that are done, planned, and were done at first. One that is not planned yet is like the others. */
  #sums() {
    const known = [...this.#work.values()].filter(({ planned }) => planned);
    const planned = known.reduce((sum, each) => sum + each.planned, 0);
    return [
      known.reduce((sum, each) => sum + each.done, 0),
      known.length ? (planned * this.#work.size) / known.length : 0,
      known.reduce((sum, each) => sum + each.first, 0),
    ];
  }
}

/** Shows the progress of analyses, with a cancel button. It keeps its elements, so a button stays under a finger. */
export class ProgressView {
  #estimate = new ProgressEstimate();

  /** @param {(() => void) | null} cancel null if nobody may cancel */
  constructor(cancel) {
    this.time = h("span", {});
    this.bar = h("progress", { "aria-label": t("How far the analysis is") });
    this.element = h(
      "div",
      { class: "progress" },
      h("p", {}, t("The game is being analysed …"), " ", this.time),
      this.bar,
      cancel ? h("button", { type: "button", onclick: cancel }, t("Cancel")) : null,
    );
  }

  /**
   * The element with the progress of these analyses; null if none is running.
   *
   * @param {Schemas["AnalysisInfo"][]} waiting
   */
  show(waiting) {
    if (!waiting.length) return null;
    const seconds = this.#estimate.remainingSeconds(waiting, Date.now());
    this.time.textContent = seconds == null ? "" : t("About {time} left.", { time: duration(seconds) });
    if (this.#estimate.part) this.bar.value = this.#estimate.part;
    else this.bar.removeAttribute("value");
    return this.element;
  }
}
