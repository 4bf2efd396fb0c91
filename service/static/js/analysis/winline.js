import { h, hint } from "../base/dom.js";
import { Plot, swatch } from "./plot.js";
import { table, to } from "./tables.js";

const HUNDRED = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** A chance in points of a hundred. */
function percent(chance) {
  return HUNDRED.format(100 * chance);
}

/** A chance with the interval in which it lies. */
function told({ p, low, high }) {
  return low === high ? `${percent(p)} %` : `${percent(p)} % (${percent(low)} to ${percent(high)})`;
}

/**
 * Each seat's chance to win after every turn: a line with its band along the entries, with what it is at the moment
 * looked at; the swings in words; and all of it as a table.
 */
export class WinLineView {
  #points = [];
  #figures = new Map();

  constructor(record, words) {
    Object.assign(this, { record, words });
    this.plot = new Plot(record);
    record.addEventListener("position", () => this.#mark());
  }

  show(line) {
    this.#points = line.points
      .filter(({ chances }) => chances.length)
      .toSorted((one, other) => this.record.placeOf(one.version) - this.record.placeOf(other.version));
    if (!this.#points.length) return hint("Not enough is known: the game cannot be played on from what is seen from here.");
    this.#figures = new Map(this.words.seats.map(({ seat }) => [seat, h("b", { class: "number" })]));
    const figure = h(
      "figure",
      { class: "win-line" },
      h("figcaption", {}, this.#legend()),
      this.plot.draw(this.#points, line.swings, this.#inWords()),
    );
    this.#mark();
    return h("div", {}, figure, this.#by(line), this.#swings(line.swings), this.#table());
  }

  /** The chances at a moment are those after the last turn until then. */
  #mark() {
    this.plot.mark();
    const { place } = this.record;
    const point = this.#points.findLast(({ version }) => this.record.placeOf(version) <= place);
    for (const [seat, figure] of this.#figures) figure.textContent = point ? told(point.chances[seat]) : "";
  }

  #legend() {
    return h(
      "ul",
      { class: "legend" },
      this.words.seats.map(({ seat }) =>
        h("li", {}, swatch(seat), " ", h("bdi", {}, this.words.name(seat)), " ", this.#figures.get(seat)),
      ),
    );
  }

  #inWords() {
    const { chances } = this.#points.at(-1);
    const last = chances.map((chance, seat) => `${this.words.name(seat)} ${told(chance)}`).join(", ");
    return `Each seat’s chance to win along the entries of the record; at the end: ${last}. All figures are in the table.`;
  }

  #by({ policy, policy_revision: revision, games, precision, enough }) {
    const known = enough
      ? `to within ± ${precision} points`
      : `which is not enough to know all of them to within ± ${precision} points: the bands tell how well each is known`;
    return hint(
      `By ${games.toLocaleString("en")} games played on from here, ${known}. `,
      `These are the chances if everybody played by “${policy}” (revision ${revision}); a band holds the truth 95 times of 100.`,
    );
  }

  #swings(swings) {
    if (!swings.length) return hint("No turn changed the chances by more than their bands leave open.");
    return h(
      "div",
      {},
      h("h4", {}, "The greatest swings"),
      h(
        "ul",
        { class: "swings" },
        swings.map(({ seat, version, before, after }) =>
          h("li", {}, to(version), ": ", h("bdi", {}, this.words.name(seat)), ` from ${told(before)} to ${told(after)}`),
        ),
      ),
    );
  }

  #table() {
    const seats = this.words.seats.map(({ seat }) => h("bdi", {}, this.words.name(seat)));
    const rows = this.#points.map(({ version, seat, n, chances, over }) => [
      to(version, String(version)),
      h("bdi", {}, seat == null ? "the table" : this.words.name(seat)),
      ...chances.map(told),
      over ? "it was over" : String(n),
    ]);
    const made = table("Chances to win after every turn", ["Entry", "Turn of", ...seats, "Games played on"], rows);
    return h("details", {}, h("summary", {}, "All chances as a table"), made);
  }
}
