import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { duration } from "./course.js";

/** The seconds to measure before a remaining time is shown. */
const FEWEST_SECONDS = 5;

/**
 * The progress of analyses, and their remaining time. The plan can grow, but the finished part never shrinks while the
 * same analyses run.
 */
export class Pace {
  #made = "";
  #begun = 0;
  #first = 0;
  /** The finished part, from 0 to 1. */
  part = 0;

  /**
   * The estimated remaining seconds; null if unknown.
   *
   * @param {{ id: string, done: number, planned: number }[]} waiting
   * @param {number} now in milliseconds
   */
  left(waiting, now) {
    const made = waiting
      .map(({ id }) => id)
      .toSorted()
      .join();
    const planned = waiting.reduce((sum, each) => sum + each.planned, 0);
    const part = planned ? waiting.reduce((sum, each) => sum + each.done, 0) / planned : 0;
    if (made !== this.#made) {
      this.#made = made;
      this.#begun = now;
      this.#first = part;
      this.part = part;
    }
    this.part = Math.max(this.part, Math.min(part, 1));
    const [seconds, gone] = [(now - this.#begun) / 1000, this.part - this.#first];
    return seconds >= FEWEST_SECONDS && gone > 0 ? (seconds * (1 - this.part)) / gone : null;
  }
}

/** Shows the progress of analyses, with a cancel button. It keeps its elements, so a button stays under a finger. */
export class ProgressView {
  #pace = new Pace();

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
    const left = this.#pace.left(waiting, Date.now());
    this.time.textContent = left == null ? "" : t("About {time} left.", { time: duration(left) });
    if (this.#pace.part) this.bar.value = this.#pace.part;
    else this.bar.removeAttribute("value");
    return this.element;
  }
}
