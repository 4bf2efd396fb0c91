import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { duration } from "./course.js";

/** So many seconds have to be measured before a time is told. */
const FEWEST_SECONDS = 5;

/**
 * How far analyses are, and how long they still take. What is planned can grow, but the part that is done never gets
 * smaller, as long as the same analyses are made.
 */
export class Pace {
  #made = "";
  #begun = 0;
  #first = 0;
  /** The part that is done, from 0 to 1. */
  part = 0;

  /**
   * The seconds that are left, as far as that can be said; null where it cannot.
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

/** How far analyses are, and the key that cancels them. It stays the same element, so no key goes away under a finger. */
export class ProgressView {
  #pace = new Pace();

  /** @param {(() => void) | null} cancel nothing where nobody may cancel */
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
   * The element, once it shows how far these analyses are; null where none is being made.
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
