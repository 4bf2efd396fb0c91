import { arrange, h, refillIfChanged } from "../base/dom.js";
import { t, tn } from "../base/language.js";
import { isFromService } from "../base/release.js";
import { decidingView, hasPoints } from "../board/scoreboard.js";
import { ruleWord, seatMark } from "../base/words.js";
import { entrySummary } from "../record/entry.js";
import { isCounted, readableText } from "../record/history.js";
import { markPosition, roundAxis, swatch } from "../analysis/plot.js";
import { findHighlights, reasonText } from "./highlights.js";

/** @typedef {import("./highlights.js").Highlight} Highlight */
/** @typedef {import("../analysis/analysis.js").Analyses} Analyses */

/** Milliseconds before a picture that failed to load is loaded again. */
const RETRY_AFTER = 2_000;

/**
 * The story of a finished game: the winner and why, the ranks, the curve, highlights, and luck. The text comes with the
 * page.
 */
export class Story {
  /** @type {Analyses | null} */
  #analyses = null;
  /** The record and viewpoint of the story's text in the page. */
  #shownText = "";
  /** The addresses of boards that were visible. */
  #loadedPictures = new Set();
  #watch = new IntersectionObserver((found) => {
    for (const { isIntersecting, target } of found)
      if (isIntersecting) this.#loadPicture(/** @type {HTMLElement} */ (target));
  });

  /**
   * @param {HTMLElement} element
   * @param {GameRecord} record
   * @param {Words} words
   * @param {import("../record/curve.js").Curve} curve
   */
  constructor(element, record, words, curve) {
    /**
     * @param {string} selector
     * @returns {any}
     */
    const find = (selector) => element.querySelector(selector);
    this.record = record;
    this.words = words;
    this.curve = curve;
    this.headline = find("#headline");
    this.why = find("#told .why");
    this.standing = find("#told .standing");
    this.chances = find("#course .chances");
    this.moments = h("div", {});
    this.luck = h("div", {});
    this.sentences = find("#highlights .telling");
    find("#highlights").append(this.moments, this.luck);
    this.board = find("#board");
    this.legend = h("ul", { class: "legend" });
    this.marks = h("div", {});
    this.axis = h("div", {});
    curve.element.prepend(h("h3", {}, t("Scores")), this.legend, this.marks);
    curve.lines.after(this.axis);
    this.#shownText = `${this.sentences.dataset.version} ${record.viewpoint}`;
    record.addEventListener("entries", () => this.#draw());
    const table = find(".table");
    new ResizeObserver(() => table.style.setProperty("--table-height", `${table.offsetHeight}px`)).observe(table);
    addEventListener("beforeprint", () => {
      for (const picture of this.moments.querySelectorAll("img")) this.#loadPicture(picture);
    });
  }

  /**
   * Also show results of analyses, and request missing ones.
   *
   * @param {Analyses} analyses
   */
  async showAnalyses(analyses) {
    if (!this.#analyses) analyses.addEventListener("change", () => this.#draw());
    this.#analyses = analyses;
    analyses.storyKinds = (this.chances.dataset.completes ?? "").split(" ").filter(Boolean);
    await analyses.showExisting();
  }

  #draw() {
    if (!this.record.showsStory) return;
    const { record, words } = this;
    const { outcome, closed, deciding } = record.facts;
    refillIfChanged(
      this.headline,
      outcome ? words.winnersText(outcome) : t("The game was {how}", { how: ruleWord(closed ?? "") }),
    );
    const why = outcome
      ? [words.endingText(outcome.reason, deciding?.title), " ", words.ruleLink(outcome.rule), this.#leadText()]
      : this.#closingReason();
    refillIfChanged(this.why, why);
    refillIfChanged(this.standing, this.#rankedSeats());
    this.#reloadText();
    this.#drawHighlights();
  }

  get #lowestWins() {
    return this.curve.element.dataset.wins === "lowest";
  }

  /** The reason for closing an unfinished game, if given. */
  #closingReason() {
    const closing = this.record.order.findLast(({ type }) => type === "game.closed");
    const text = closing && readableText(closing, closing.text);
    return text ? h("q", {}, text) : null;
  }

  /** The winner's lead over the next player in points, if points decide. */
  #leadText() {
    const { outcome, scores } = this.record.facts;
    if (outcome?.winners.length !== 1) return null;
    const [winner] = outcome.winners;
    const next = outcome.ranks.indexOf(Math.min(...outcome.ranks.filter((_, seat) => seat !== winner)));
    const ahead = (scores[winner] - scores[next]) * (this.#lowestWins ? -1 : 1);
    if (next < 0 || ahead <= 0) return null;
    return [
      " · ",
      tn(ahead, "{count} point ahead of {name}", "{count} points ahead of {name}", {
        name: h("bdi", {}, this.words.name(next)),
      }),
    ];
  }

  #rankedSeats() {
    const { words } = this;
    const { facts } = this.record;
    const { outcome, scores } = facts;
    const gone = resignedSeats(this.record.order);
    const seats = words.seats.toSorted((one, other) => rankOf(outcome, one) - rankOf(outcome, other));
    return seats.map(({ seat }) =>
      h(
        "li",
        { class: outcome?.winners.includes(seat) ? "won" : false },
        h("span", { class: "rank" }, outcome?.winners.length ? String(outcome.ranks[seat]) : ""),
        seatMark(seat),
        h("span", { class: "name" }, h("bdi", {}, words.name(seat))),
        gone.has(seat) ? h("small", {}, ruleWord("resigned")) : null,
        decidingView(facts, seat, words),
        hasPoints(facts) ? h("b", { class: "points" }, String(scores[seat])) : null,
      ),
    );
  }

  #drawHighlights() {
    const { record } = this;
    const analyses = this.#analyses;
    const sentences = JSON.parse(this.sentences.dataset.story);
    const found = findHighlights(record.order, record.facts.outcome, sentences, analyses?.swings ?? []);
    this.#drawCurves(found.map(({ version }) => record.placeOf(version)));
    const luck = analyses?.luck;
    const moments = found.map((each) => h("li", {}, this.#highlightLink(each)));
    refillIfChanged(this.moments, moments.length ? [h("h3", {}, t("Moments to look at")), h("ol", {}, moments)] : null);
    for (const picture of this.moments.querySelectorAll("img:not([src])")) this.#watch.observe(picture);
    refillIfChanged(this.luck, luck ? [h("h3", {}, t("Luck")), luck] : null);
  }

  /**
   * A small board after an entry, loaded once visible. A score sheet has none.
   *
   * @param {number} version
   */
  #smallBoard(version) {
    if (document.getElementById("game")?.dataset.ruleset === "scoresheet") return null;
    const address = this.record.address("board.svg", { after: version });
    const src = this.#loadedPictures.has(address) && address;
    /** @param {{ target: any }} event */
    const onerror = ({ target }) => this.#loadPictureLater(target);
    return h("img", { alt: "", "data-address": address, src, width: 72, onerror });
  }

  /**
   * Load a picture again after a while, if it is still visible: there was no connection.
   *
   * @param {HTMLElement} picture
   */
  #loadPictureLater(picture) {
    this.#loadedPictures.delete(picture.dataset.address);
    picture.removeAttribute("src");
    setTimeout(() => this.#watch.observe(picture), RETRY_AFTER);
  }

  /** @param {HTMLElement} picture */
  #loadPicture(picture) {
    const { address = "" } = picture.dataset;
    this.#watch.unobserve(picture);
    this.#loadedPictures.add(address);
    picture.setAttribute("src", address);
  }

  /** Load the story's text again if the page has that of another record. */
  async #reloadText() {
    const { record } = this;
    const wanted = `${record.head} ${record.viewpoint}`;
    if (wanted === this.#shownText) return;
    this.#shownText = wanted;
    this.sentences.replaceChildren(); // its highlights stay until the new ones are known: most are the same
    const text = await fetch(location.pathname + location.search).then(
      (answer) => (answer.ok && isFromService(answer) ? answer.text() : null),
      () => null,
    );
    if (this.#shownText !== wanted) return;
    if (text == null) {
      this.#shownText = ""; // loaded again when the record is redrawn
      return;
    }
    /** @type {HTMLElement | null} */
    const found = new DOMParser().parseFromString(text, "text/html").querySelector(".telling");
    this.sentences.replaceChildren(...(found?.childNodes ?? []));
    this.sentences.dataset.story = found?.dataset.story ?? "[]";
    this.#drawHighlights();
  }

  /**
   * The curves. The upper one has the numbers of the highlights.
   *
   * @param {number[]} places
   */
  #drawCurves(places) {
    const analyses = this.#analyses;
    const chances = analyses?.chances ?? null;
    const axis = roundAxis(analyses?.rounds ?? [], this.record);
    arrange(
      this.chances,
      [chances, analyses?.progress ?? null].filter((each) => each != null),
    );
    this.chances.classList.toggle("due", !analyses?.loaded && this.chances.classList.contains("due"));
    this.#placeMarks(chances?.querySelector(".plot"));
    refillIfChanged(this.marks, highlightNumbers(places, this.record));
    refillIfChanged(this.axis, axis);
    this.axis.hidden = !axis;
    refillIfChanged(
      this.legend,
      this.words.seats.map(({ seat }) => h("li", {}, swatch(seat), " ", h("bdi", {}, this.words.name(seat)))),
    );
  }

  /**
   * Put the numbers of highlights and rounds at the upper curve.
   *
   * @param {Element | null | undefined} plot the chances to win, if known
   */
  #placeMarks(plot) {
    const { curve, marks, axis } = this;
    if (plot && marks.parentNode !== plot) {
      plot.prepend(marks);
      plot.append(axis);
    } else if (!plot && marks.parentNode !== curve.element) {
      this.legend.after(marks);
      curve.lines.after(axis);
    }
  }

  /** @param {Highlight} highlight */
  #highlightLink(highlight) {
    const { version } = highlight;
    const { record, words } = this;
    const then = words.atPlace(record.placeOf(version));
    const show = () => this.board.scrollIntoView({ block: "nearest" });
    return h(
      "a",
      { class: "button", href: `#${version}`, onclick: show },
      this.#smallBoard(version),
      h("span", {}, reasonText(highlight, words, then, record.facts.outcome)),
      h("small", { class: "notation" }, entrySummary(record.entries[version - 1], then)),
    );
  }
}

/**
 * The seats that gave up by a ruling: they rank after others, with any number of points.
 *
 * @param {Entry[]} order
 */
function resignedSeats(order) {
  const effects = order.flatMap((each) => (isCounted(each) ? (each.effects ?? []) : []));
  return new Set(effects.filter(({ kind }) => kind === "seat.resigned").map(({ seat }) => seat));
}

/**
 * @param {Outcome | null} outcome
 * @param {Seat} seat
 */
function rankOf(outcome, { seat }) {
  return outcome ? outcome.ranks[seat] : seat;
}

/**
 * Numbers over a curve, at these places of the order. A number that would cover another moves beside it.
 *
 * @param {number[]} places
 * @param {GameRecord} record
 */
function highlightNumbers(places, { order }) {
  const percents = places.map((place) => (100 * (place - 1)) / Math.max(order.length - 1, 1));
  return h(
    "div",
    { class: "marks", "aria-hidden": "true" },
    percents.map((_, at) => {
      const mark = h("span", {}, String(at + 1));
      mark.style.left = markPosition(percents.slice(0, at + 1), percents.length);
      return mark;
    }),
  );
}
