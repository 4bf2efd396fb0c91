import { markTexts } from "./entry.js";
import { joinWithCommas, t } from "../base/language.js";

const PLAY_EVERY = 800;

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
    this.slider.addEventListener("input", () => this.#goToPlace(this.slider.valueAsNumber));
    document.addEventListener("click", (event) => this.#take(event.target.closest?.("[data-go]")?.dataset.go));
    document.addEventListener("keydown", (event) => this.#key(event));
    record.addEventListener("position", () => this.#show());
  }

  /** @param {string | undefined} step */
  #take(step) {
    const { currentPlace: place, order } = this.record;
    if (step === "play") this.#toggle();
    else if (step)
      this.#goToPlace(
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
    this.#take(step);
  }

  /** @param {number} place */
  #goToPlace(place) {
    this.#stopPlaying();
    this.record.goToPlace(place);
  }

  #toggle() {
    if (this.#timer) return this.#stopPlaying();
    if (this.record.isAtNewest) this.record.goToPlace(1);
    this.play.setAttribute("aria-pressed", "true");
    this.play.textContent = t("Pause");
    this.#timer = setInterval(() => {
      this.record.goToPlace(this.record.currentPlace + 1);
      if (this.record.isAtNewest) this.#stopPlaying();
    }, PLAY_EVERY);
  }

  #stopPlaying() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.play.setAttribute("aria-pressed", "false");
    this.play.textContent = t("Play");
  }

  #show() {
    const { currentPlace: place, order, currentEntry: current } = this.record;
    const text = joinWithCommas(
      [t("entry {version}", current), ...markTexts(current), current.irregular && t("irregular")].filter(Boolean),
    );
    this.slider.max = order.length;
    this.slider.value = place;
    this.slider.setAttribute(
      "aria-valuetext",
      t("{place} of {all}: {what}", { place, all: order.length, what: `${text}: ${current.notation ?? current.type}` }),
    );
    this.output.textContent = `${place} / ${order.length}`;
  }
}
