import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { duration } from "./course.js";

/** The seconds to measure before a remaining time is shown. */
const LEAST_SECONDS = 5;

/**
 * The progress of analyses, and their remaining time. The plan can grow, but the finished part never shrinks while the
 * same analyses run.
 */
export class ProgressEstimate {
  #analyses = "";
  #startTime = 0;
  #firstPart = 0;
  /** The finished part, from 0 to 1. */
  part = 0;

  /**
   * The estimated remaining seconds; null if unknown.
   *
   * @param {{ id: string, done: number, planned: number }[]} waiting
   * @param {number} now in milliseconds
   */
  remainingSeconds(waiting, now) {
    const ids = waiting
      .map(({ id }) => id)
      .toSorted()
      .join();
    const planned = waiting.reduce((sum, each) => sum + each.planned, 0);
    const part = planned ? waiting.reduce((sum, each) => sum + each.done, 0) / planned : 0;
    if (ids !== this.#analyses) {
      this.#analyses = ids;
      this.#startTime = now;
      this.#firstPart = part;
      this.part = part;
    }
    this.part = Math.max(this.part, Math.min(part, 1));
    const [seconds, progress] = [(now - this.#startTime) / 1000, this.part - this.#firstPart];
    return seconds >= LEAST_SECONDS && progress > 0 ? (seconds * (1 - this.part)) / progress : null;
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
