import { ruleWord } from "../base/words.js";

/**
 * The layout of a game's page: for recording or following an open game, or, once it is over, for its story.
 *
 * Recorders are asked before the form disappears, because the last entry may need a correction. A closed record needs
 * no form. The record's `showsStory` is the chosen layout. Sends `story` when the story begins.
 */
export class PageLayout extends EventTarget {
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
    this.records = acts;
    this.ended = element.querySelector("#ended");
    this.closed = element.querySelector("#closed");
    this.ended?.querySelector("button").addEventListener("click", () => this.showStory(true));
    record.showsStory = element.classList.contains("story");
    record.addEventListener("entries", () => this.#update());
  }

  get #over() {
    const { outcome, closed } = this.record.facts;
    return Boolean(outcome || closed);
  }

  #update() {
    const { record, ended } = this;
    if (record.showsStory && !this.#over) this.showStory(false);
    else if (!record.showsStory && this.#over && (!this.records || record.closed)) this.showStory(true);
    if (!ended) return;
    this.closed.hidden = !record.closed;
    this.closed.querySelector("b").textContent = record.closed ? ruleWord(record.closed) : "";
    const { outcome } = record.facts;
    ended.hidden = record.showsStory || !outcome;
    if (outcome) ended.querySelector("span").textContent = this.words.outcomeText(outcome);
  }

  /**
   * Switch to the story of the game, or back to recording.
   *
   * @param {boolean} story
   */
  showStory(story) {
    const { element, record } = this;
    /** @param {string} id */
    const part = (id) => element.querySelector(`#${id}`);
    record.showsStory = story;
    element.classList.toggle("story", story);
    element.classList.toggle("records", this.records && !story);
    for (const id of ["told", "course", "highlights"]) part(id).hidden = !story;
    (story ? part("course") : element.querySelector(".replay")).append(part("curve"));
    if (story) element.querySelector(".table").append(part("stepper"), part("moment"));
    else {
      element.querySelector(".replay").prepend(part("stepper"));
      element.querySelector(".side").prepend(part("moment"));
    }
    if (story) this.dispatchEvent(new Event("story"));
    record.redraw();
    if (story) part("headline").focus();
  }
}
