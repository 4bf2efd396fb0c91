import { h } from "../base/dom.js";
import { t } from "../base/language.js";

/** How far analyses are, and the key that cancels them. It stays the same element, so no key goes away under a finger. */
export class ProgressView {
  /** @param {(() => void) | null} cancel nothing where nobody may cancel */
  constructor(cancel) {
    this.bar = h("progress", { "aria-label": t("How far the analysis is") });
    this.element = h(
      "div",
      { class: "progress" },
      h("p", {}, t("The game is being analysed …")),
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
    const planned = waiting.reduce((sum, each) => sum + each.planned, 0);
    this.bar.max = planned || 1;
    if (planned) this.bar.value = waiting.reduce((sum, each) => sum + each.done, 0);
    else this.bar.removeAttribute("value");
    return this.element;
  }
}
