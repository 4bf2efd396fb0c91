import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { button } from "./keys.js";

/** The line above the keys that says why nothing is recorded, with a button to record it with a reason, if possible. */
export class Objection {
  /** Whether the form above the keys asks for a reason for an irregular line. */
  asksReason = false;

  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.recorder = recorder;
    this.element = h("p", { class: "cause", role: "alert" });
    this.insist = button(t("Record it anyway …"), () => this.#askReason(), { class: "plain" });
  }

  /** Whether it says something. */
  get isShown() {
    return Boolean(this.element.textContent);
  }

  /**
   * Show why nothing is recorded. The button stays when the text changes: a dry run and the service may both report
   * the problem.
   *
   * @param {string} why
   * @param {boolean} overridable
   */
  show(why, overridable = false) {
    if (overridable && this.element.contains(this.insist)) this.element.firstChild?.replaceWith(why);
    else this.element.replaceChildren(why, ...(overridable ? [" ", this.insist] : []));
  }

  /** Say nothing, and ask for no reason. */
  clear() {
    this.show("");
    this.showForm(false);
  }

  /**
   * Show or hide the form that asks for a reason.
   *
   * @param {boolean} asked
   */
  showForm(asked) {
    this.asksReason = asked;
    this.recorder.view.element.classList.toggle("excusing", asked);
  }

  #askReason() {
    this.show("");
    this.showForm(true);
    this.recorder.askReason();
  }
}
