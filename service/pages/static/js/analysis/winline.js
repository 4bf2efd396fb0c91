import { h, hint } from "../base/dom.js";
import { joinWithCommas, region, t } from "../base/language.js";
import { Plot, swatch } from "./plot.js";
import { sideName, standsForSide } from "./sides.js";
import { chanceText, table, entryLink } from "./tables.js";

/**
 * The chance of each seat after every turn: a line with a band along the entries, and the chance at the current moment
 * beside it. Below are the swings in words, and everything as a table.
 */
export class WinLineView {
  /** @type {WinPoint[]} */
  #points = [];
  #figures = new Map();
  /** @type {WinLine | null} */
  #line = null;

  /**
   * @param {GameRecord} record
   * @param {Words} words
   */
  constructor(record, words) {
    this.record = record;
    this.words = words;
    this.plot = new Plot(record);
    record.addEventListener("position", () => this.#mark());
  }

  /**
   * The chart alone; null without data.
   *
   * @param {WinLine} line
   */
  figure(line) {
    this.#line = line;
    this.#points = line.points
      .filter(({ chances }) => chances.length)
      .toSorted((one, other) => this.record.placeOf(one.version) - this.record.placeOf(other.version));
    if (!this.#points.length) return null;
    this.#figures = new Map(this.#sides.map((seat) => [seat, h("b", { class: "number" })]));
    const figure = h(
      "figure",
      { class: "win-line" },
      h("figcaption", {}, this.#legend()),
      this.plot.draw(this.#points, line.swings, this.#sides, this.#description()),
    );
    this.#mark();
    return figure;
  }

  /** @param {WinLine} line */
  show(line) {
    const figure = this.figure(line);
    if (!figure && line.points.some(({ n }) => n)) return hint(t("Not enough is known."));
    if (!figure) return hint(t("Not enough is known: the game cannot be played on from what is seen from here."));
    return h("div", {}, figure, this.#methodHint(line), this.#swings(line.swings), this.#table());
  }

  /** Show the chances at a moment: those after the last turn before it. */
  #mark() {
    this.plot.mark();
    const { currentPlace: place } = this.record;
    const point = this.#points.findLast(({ version }) => this.record.placeOf(version) <= place);
    for (const [seat, figure] of this.#figures) figure.textContent = point ? chanceText(point.chances[seat]) : "";
  }

  /** The first seat of each side. */
  get #sides() {
    const line = this.#line ?? {};
    return this.words.seats.map(({ seat }) => seat).filter((seat) => standsForSide(line, seat));
  }

  /**
   * The names of a side, now or at an entry.
   *
   * @param {number} seat
   * @param {Words} words
   */
  #name(seat, words = this.words) {
    return sideName(this.#line ?? {}, seat, words);
  }

  #legend() {
    return h(
      "ul",
      { class: "legend" },
      this.#sides.map((seat) => h("li", {}, swatch(seat), " ", this.#name(seat), " ", this.#figures.get(seat))),
    );
  }

  #description() {
    const chances = this.#points.at(-1)?.chances ?? [];
    const last = joinWithCommas(
      this.#sides.map((seat) => `${this.#name(seat).textContent} ${chanceText(chances[seat])}`),
    );
    return t(
      "Each seat’s chance to win along the entries of the record; at the end: {chances}. All figures are in the table.",
      { chances: last },
    );
  }

  /** @param {WinLine} line */
  #methodHint({ policy, policy_revision: revision, blunders = 0, games, precision, enough }) {
    if (!games) return hint(t("No games were simulated."));
    const known = enough
      ? t("From {games} simulated games, to within ± {precision} points.", {
          games: games.toLocaleString(region),
          precision,
        })
      : t(
          "From {games} simulated games. A precision of ± {precision} points would take more of them: the bands show how precise each value is.",
          { games: games.toLocaleString(region), precision },
        );
    return hint(
      known,
      " ",
      t(
        "These are the chances if everybody played by “{policy}” (revision {revision}), and {blunders} of 100 moves at random; the true value lies within a band 95 times of 100.",
        { policy: this.words.translatePhrase(policy), revision, blunders },
      ),
    );
  }

  /** @param {Swing[]} swings */
  #swings(swings) {
    if (!swings.length) return hint(t("No turn changed the chances by more than the uncertainty."));
    return h(
      "div",
      {},
      h("h4", {}, t("The greatest swings")),
      h(
        "ul",
        { class: "swings" },
        swings.map(({ seat, version, before, after }) =>
          h(
            "li",
            {},
            entryLink(version),
            ": ",
            t("{name} from {before} to {after}", {
              name: this.#name(seat, this.words.atEntry(version)),
              before: chanceText(before),
              after: chanceText(after),
            }),
          ),
        ),
      ),
    );
  }

  #table() {
    const seats = this.#sides.map((seat) => this.#name(seat));
    const rows = this.#points.map(({ version, seat, n, chances, over }) => [
      entryLink(version, String(version)),
      h("bdi", {}, seat == null ? t("the table") : this.words.atEntry(version).name(seat)),
      ...this.#sides.map((each) => chanceText(chances[each])),
      over ? t("it was over") : String(n),
    ]);
    const made = table(
      t("Chances to win after every turn"),
      [t("Entry"), t("Turn of"), ...seats, t("Simulated games")],
      rows,
    );
    return h("details", {}, h("summary", {}, t("All chances as a table")), made);
  }
}
