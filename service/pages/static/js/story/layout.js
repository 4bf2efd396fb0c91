import { ruleWord } from "../base/words.js";

/**
 * The layout of a game's page: for recording or following an open game, or, once it is over, for its story.
 *
 * Recorders are asked before the form disappears, because the last entry may need a correction. A closed record needs
 * no form. The record's `told` says which layout is on. Sends `story` when the story begins.
 */
export class Layout extends EventTarget {
  /**
   * @param {HTMLElement} element
   * @param {GameRecord} record
   * @param {Words} words
   * @param {boolean} acts whether the visitor may record
   */
  constructor(element, record, words, acts) {
    super();
    this.element = element;
    this.record = record;
    this.words = words;
    this.acts = acts;
    this.ended = element.querySelector("#ended");
    this.closed = element.querySelector("#closed");
    this.ended?.querySelector("button").addEventListener("click", () => this.turn(true));
    record.told = element.classList.contains("story");
    record.addEventListener("entries", () => this.#follow());
  }

  get #over() {
    const { outcome, closed } = this.record.opened;
    return Boolean(outcome || closed);
  }

  #follow() {
    const { record, ended } = this;
    if (record.told && !this.#over) this.turn(false);
    else if (!record.told && this.#over && (!this.acts || record.closed)) this.turn(true);
    if (!ended) return;
    this.closed.hidden = !record.closed;
    this.closed.querySelector("b").textContent = record.closed ? ruleWord(record.closed) : "";
    const { outcome } = record.opened;
    ended.hidden = record.told || !outcome;
    if (outcome) ended.querySelector("span").textContent = this.words.outcome(outcome);
  }

  /**
   * Switch to the story of the game, or back to recording.
   *
   * @param {boolean} told
   */
  turn(told) {
    const { element, record } = this;
    /** @param {string} id */
    const part = (id) => element.querySelector(`#${id}`);
    record.told = told;
    element.classList.toggle("story", told);
    element.classList.toggle("records", this.acts && !told);
    for (const id of ["told", "course", "highlights"]) part(id).hidden = !told;
    (told ? part("course") : element.querySelector(".replay")).append(part("curve"));
    if (told) element.querySelector(".table").append(part("stepper"), part("moment"));
    else {
      element.querySelector(".replay").prepend(part("stepper"));
      element.querySelector(".side").prepend(part("moment"));
    }
    if (told) this.dispatchEvent(new Event("story"));
    record.look();
    if (told) part("headline").focus();
  }
}
