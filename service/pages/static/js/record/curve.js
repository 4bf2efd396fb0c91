import { h, svg } from "../base/dom.js";
import { t } from "../base/language.js";
import { headedTable } from "../base/table.js";

/**
 * A change of the scores: the leaders from there on, and whether others led before.
 *
 * @typedef {{ place: number, version: number, scores: number[], leaders: number[], passes: boolean }} Step
 */

const HEIGHT = 100;

/**
 * The scores along the slider: a line per seat, a mark at each change of the lead, and a mark at the current entry. The
 * same as a table. The highest score leads, or the lowest, as the element's `data-wins` says.
 */
export class Curve {
  /** @type {Step[]} */
  #changes = [];

  /**
   * @param {HTMLElement} element
   * @param {GameRecord} record
   * @param {Words} words
   */
  constructor(element, record, words) {
    this.element = element;
    this.record = record;
    this.words = words;
    this.now = svg("line", { class: "now", y1: 0, y2: HEIGHT });
    this.lines = svg("svg", { preserveAspectRatio: "none", "aria-hidden": "true" });
    this.table = h("div", { class: "scroll" });
    this.more = h(
      "details",
      { ontoggle: () => this.#drawTable() },
      h("summary", {}, t("The scores as a table")),
      this.table,
    );
    this.lines.addEventListener("click", (event) => {
      const { left, width } = this.lines.getBoundingClientRect();
      const { clientX } = /** @type {MouseEvent} */ (event);
      record.goToPlace(1 + Math.round(((clientX - left) / width) * this.#span));
    });
    element.append(this.lines, this.more);
    record.addEventListener("entries", () => this.#draw());
    record.addEventListener("position", () => this.#mark());
  }

  /** The number of entries after the first. */
  get #span() {
    return Math.max(this.record.order.length - 1, 1);
  }

  #draw() {
    const { order } = this.record;
    this.#changes = scoreChanges(order, this.element.dataset.wins);
    this.element.hidden = this.#changes.length < 2;
    const all = this.#changes.flatMap(({ scores }) => scores);
    const [low, high] = all.reduce(([low, high], each) => [Math.min(low, each), Math.max(high, each)], [0, 1]);
    /** @param {number} points */
    const y = (points) => HEIGHT - ((points - low) / (high - low)) * HEIGHT;
    this.lines.setAttribute("viewBox", `1 -4 ${this.#span} ${HEIGHT + 8}`);
    const seats = this.#changes.at(-1)?.scores.map((_, seat) => {
      const there = this.#changes.filter(({ scores }) => seat < scores.length);
      const path = there.map(({ place, scores }, at) => `${at ? "H" : "M"}${place}${at ? "V" : " "}${y(scores[seat])}`);
      return svg("path", { class: `line-${seat % 6}`, d: `${path.join("")}H${order.length}` });
    });
    const marks = this.#changes.filter(({ passes }) => passes);
    this.lines.replaceChildren(
      ...marks.map(({ place }) => svg("line", { class: "lead", x1: place, x2: place, y1: 0, y2: HEIGHT })),
      ...(seats ?? []),
      this.now,
    );
    this.#drawTable();
  }

  #mark() {
    for (const end of ["x1", "x2"]) this.now.setAttribute(end, String(this.record.currentPlace));
  }

  #drawTable() {
    if (!this.more.open) return;
    const { words } = this;
    const heads = [t("Entry"), ...words.seats.map(({ seat }) => words.name(seat)), t("Lead")];
    this.table.replaceChildren(
      headedTable(
        heads,
        this.#changes.map((step) => this.#row(step)),
      ),
    );
  }

  /** @param {Step} step */
  #row({ version, scores, leaders, passes }) {
    const lead = passes ? leadersText(leaders, scores, this.words) : "";
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, h("a", { href: `#${version}` }, String(version))),
      this.words.seats.map(({ seat }) => h("td", { class: "number" }, String(scores[seat] ?? ""))),
      h("td", {}, lead),
    );
  }
}

/**
 * @param {number[]} leaders
 * @param {number[]} scores
 * @param {Words} words
 */
function leadersText(leaders, scores, words) {
  return leaders.length === scores.length ? t("level") : words.namesText(leaders);
}

/**
 * The changes of the scores, with the leaders, and whether others led before. `partial` scores wait for other players
 * in the round, so they change no lead.
 *
 * @param {Entry[]} order
 * @param {string | undefined} wins
 * @returns {Step[]}
 */
export function scoreChanges(order, wins) {
  /** @type {Step[]} */
  const found = [];
  for (const { place, version, scores, partial } of order) {
    if (!scores?.length) continue;
    const before = found.at(-1);
    const best = wins === "lowest" ? Math.min(...scores) : Math.max(...scores);
    const ahead = wins === "cooperative" ? [] : [...scores.keys()].filter((seat) => scores[seat] === best);
    const leaders = partial && before ? before.leaders : ahead;
    const passes = before !== undefined && `${before.leaders}` !== `${leaders}`;
    if (passes || `${before?.scores}` !== `${scores}`) found.push({ place, version, scores, leaders, passes });
  }
  return found;
}
