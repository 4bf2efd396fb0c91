import { marked } from "./entry.js";
import { commas, t } from "../base/language.js";

const BEAT = 800;

/** The slider, buttons and keys (arrows, Home, End, space) that step through a record in the order of the game. */
export class Stepper {
  #timer = 0;

  /**
   * @param {HTMLElement} element
   * @param {GameRecord} record
   */
  constructor(element, record) {
    this.record = record;
    this.slider = element.querySelector("input");
    this.output = element.querySelector("output");
    this.play = element.querySelector("[data-go=play]");
    this.slider.addEventListener("input", () => this.#go(this.slider.valueAsNumber));
    document.addEventListener("click", (event) => this.#move(event.target.closest?.("[data-go]")?.dataset.go));
    document.addEventListener("keydown", (event) => this.#key(event));
    record.addEventListener("position", () => this.#show());
  }

  /** @param {string | undefined} step */
  #move(step) {
    const { place, order } = this.record;
    if (step === "play") this.#toggle();
    else if (step)
      this.#go(
        /** @type {Record<string, number>} */ ({ first: 1, back: place - 1, on: place + 1, last: order.length })[step],
      );
  }

  /** @param {KeyboardEvent & { target: any }} event */
  #key(event) {
    const typing = event.target.closest("input:not([type=range]), textarea, select, dialog");
    if (typing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const onButton = event.target.closest("button, a, summary");
    const step = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", " ": onButton ? "" : "play" }[
      event.key
    ];
    if (!step) return;
    event.preventDefault();
    this.#move(step);
  }

  /** @param {number} place */
  #go(place) {
    this.#rest();
    this.record.step(place);
  }

  #toggle() {
    if (this.#timer) return this.#rest();
    if (this.record.following) this.record.step(1);
    this.play.setAttribute("aria-pressed", "true");
    this.play.textContent = t("Pause");
    this.#timer = setInterval(() => {
      this.record.step(this.record.place + 1);
      if (this.record.following) this.#rest();
    }, BEAT);
  }

  #rest() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.play.setAttribute("aria-pressed", "false");
    this.play.textContent = t("Play");
  }

  #show() {
    const { place, order, shown } = this.record;
    const said = commas(
      [t("entry {version}", shown), ...marked(shown), shown.irregular && t("irregular")].filter(Boolean),
    );
    this.slider.max = order.length;
    this.slider.value = place;
    this.slider.setAttribute(
      "aria-valuetext",
      t("{place} of {all}: {what}", { place, all: order.length, what: `${said}: ${shown.notation ?? shown.type}` }),
    );
    this.output.textContent = `${place} / ${order.length}`;
  }
}
