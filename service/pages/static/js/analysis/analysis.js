/** What the analyses of a game say: loaded, and followed, when somebody opens their tab. */
import { get, post, Problem, remove } from "../base/api.js";
import { h, hint, nodes } from "../base/dom.js";
import { t } from "../base/language.js";
import { problemView } from "../base/problem.js";
import { courseView } from "./course.js";
import { follow, isWaiting } from "./following.js";
import { luckView } from "./luck.js";
import { TurningView } from "./turning.js";
import { WinLineView } from "./winline.js";
import { worthView } from "./worth.js";

/** @typedef {{ title: string, section: HTMLElement, show: (result: any) => HTMLElement | null }} Part */

const MOST = 200;
/** @type {Record<string, string>} */
const VIEWPOINTS = { record: t("the whole record"), public: t("what everybody may see") };
const NOTHING = t(
  "Such a game cannot be played on by a program: nothing can be said of chances to win, of what luck was worth, or of turning points.",
);

/** The analyses of the game of a page, from the viewpoint that it is looked at from: asked for, followed, shown. */
export class Analyses {
  /** @type {Map<string, Part>} */
  #parts;
  /**
   * What is known of each kind: its newest analysis from this viewpoint.
   *
   * @type {Map<string, Schemas["AnalysisInfo"]>}
   */
  #known = new Map();
  /**
   * The kinds that say nothing of such games.
   *
   * @type {Set<string>}
   */
  #mute = new Set();
  #desk = h("div", { class: "desk" });
  /** Aborts whatever is followed for another viewpoint than this one. */
  #stop = new AbortController();

  /**
   * @param {HTMLElement} element
   * @param {GameRecord} record
   * @param {Words} words
   * @param {Permit} may
   */
  constructor(element, record, words, may) {
    this.record = record;
    this.words = words;
    this.may = may;
    const winLine = new WinLineView(record, words);
    const turning = new TurningView(record, words, may);
    const parts = /** @type {[string, Part][]} */ ([
      ["win-line", { title: t("Chances to win"), section: h("section"), show: (result) => winLine.show(result) }],
      ["turning-points", { title: t("Turning points"), section: h("section"), show: (result) => turning.show(result) }],
      ["timeline", { title: t("How it went"), section: h("section"), show: (result) => courseView(result, words) }],
      ["luck-counts", { title: t("Luck"), section: h("section"), show: (result) => luckView(result, words) }],
      [
        "luck-value",
        { title: t("What luck was worth"), section: h("section"), show: (result) => worthView(result, words) },
      ],
    ]);
    this.#parts = new Map(parts);
    element.replaceChildren(this.#desk, ...[...this.#parts.values()].map(({ section }) => section));
    record.addEventListener("viewpoint", () => this.open());
    record.addEventListener("entries", () => this.#draw());
  }

  /** Show what was analysed before. */
  async open() {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#known.clear();
    const { signal } = this.#stop;
    /** @type {Answer<Got<"/v1/games/{game}/analyses">>} */
    const { body } = await get(`${this.record.path}/analyses?limit=${MOST}`, { signal });
    for (const kind of this.#parts.keys()) {
      const found = body.analyses.filter((each) => each.kind === kind && this.#isFromHere(each));
      const newest = found.find((each) => each.status === "done" || isWaiting(each));
      if (newest) this.#follow(newest, signal);
    }
    this.#draw();
  }

  /** @param {Schemas["AnalysisInfo"]} analysis */
  #isFromHere({ viewpoint }) {
    const { viewpoint: here } = this.record;
    return here == null || viewpoint === here || viewpoint === `seat-${here}`;
  }

  async #ask() {
    const { signal } = this.#stop;
    const { record } = this;
    for (const kind of this.#parts.keys()) {
      const body = record.viewpoint == null ? { kind } : { kind, seat: record.viewpoint };
      try {
        this.#follow(await post(`${record.path}/analyses`, body, { signal }), signal);
      } catch (error) {
        if (signal.aborted) return;
        const fields = error instanceof Problem ? (error.body.errors ?? []).map(({ field }) => field) : [];
        if (fields.includes("kind")) this.#mute.add(kind);
        else return this.#draw(error);
      }
    }
    this.#draw();
  }

  /**
   * Show an analysis, and what becomes of it while it is made.
   *
   * @param {Schemas["AnalysisInfo"]} found
   * @param {AbortSignal} signal
   */
  #follow(found, signal) {
    /** @param {Schemas["AnalysisInfo"]} now */
    const show = (now) => {
      this.#known.set(now.kind, now);
      this.#draw();
    };
    follow(`${this.record.path}/analyses/${found.id}`, show, signal);
  }

  /** @param {Schemas["AnalysisInfo"][]} waiting */
  async #cancel(waiting) {
    for (const { id } of waiting) await remove(`${this.record.path}/analyses/${id}`).catch(() => {});
  }

  /** @param {any} error */
  #draw(error = null) {
    const known = [...this.#known.values()];
    const waiting = known.filter(isWaiting);
    const version = Math.min(...known.map((each) => each.version));
    this.#desk.replaceChildren(
      ...nodes([
        waiting.length ? this.#progress(waiting) : this.#offer(known, version),
        error
          ? error instanceof Problem
            ? problemView(error.body)
            : hint(t("No connection: try again later."))
          : null,
      ]),
    );
    for (const [kind, part] of this.#parts) this.#fill(part, this.#known.get(kind));
  }

  /**
   * @param {Schemas["AnalysisInfo"][]} known
   * @param {number} version
   */
  #offer(known, version) {
    const later = this.record.head - version;
    const lacks = [...this.#parts.keys()].some((kind) => !this.#known.has(kind) && !this.#mute.has(kind));
    const stopped = known.some(({ status }) => status !== "done");
    const [said, verb] = stateOf({ known: known.length > 0, stopped, later, lacks, version });
    const asks = this.may.may("analyses:run") && verb;
    return h(
      "div",
      {},
      this.#mute.has("win-line") ? hint(NOTHING) : null,
      said ? hint(said) : null,
      asks ? h("p", { class: "actions" }, h("button", { type: "button", onclick: () => this.#ask() }, verb)) : null,
    );
  }

  /** @param {Schemas["AnalysisInfo"][]} waiting */
  #progress(waiting) {
    const done = waiting.reduce((sum, each) => sum + each.done, 0);
    const planned = waiting.reduce((sum, each) => sum + each.planned, 0);
    const bar = h("progress", {
      "aria-label": t("How far the analysis is"),
      max: planned || 1,
      value: planned ? done : false,
    });
    const asks = this.may.may("analyses:run");
    return h(
      "div",
      { class: "progress" },
      h("p", {}, t("The game is being analysed …")),
      bar,
      asks ? h("button", { type: "button", onclick: () => this.#cancel(waiting) }, t("Cancel")) : null,
    );
  }

  /**
   * @param {Part} part
   * @param {Schemas["AnalysisInfo"] | undefined} found
   */
  #fill({ title, section, show }, found) {
    if (!found) return section.replaceChildren();
    const failed = found.status === "failed" ? t("It cannot be made: {why}.", { why: found.cause }) : null;
    const part = found.result ? show(found.result) : failed ? hint(failed) : null;
    if (!part) return section.replaceChildren();
    const seat = /^seat-(\d+)$/.exec(found.viewpoint);
    const from = seat
      ? t("the seat of {name}", { name: h("bdi", {}, this.words.name(Number(seat[1]))) })
      : VIEWPOINTS[found.viewpoint];
    const made = hint(
      t("Up to entry {version}, seen from {view}; revision {revision}.", {
        version: found.version,
        view: from,
        revision: found.revision,
      }),
    );
    const open = section.querySelector("details[open]") != null;
    section.replaceChildren(h("h3", {}, title), part, made);
    if (open) section.querySelector("details")?.setAttribute("open", "");
  }
}

/**
 * How far a game is analysed, and what can be asked for, in words; nulls if it is analysed whole.
 *
 * @param {{ known: boolean, stopped: boolean, later: number, lacks: boolean, version: number }} analysed
 */
function stateOf({ known, stopped, later, lacks, version }) {
  if (!known) return [t("This game has not been analysed from this point of view."), t("Analyse the game")];
  if (stopped) return [t("It is not analysed to the end."), t("Go on")];
  if (later > 0) return [t("It was analysed up to entry {version}.", { version }), t("Analyse what came since")];
  return lacks ? [t("Not all of it was analysed."), t("Analyse the rest")] : [null, null];
}
