/** The analyses of a game: loaded and followed when somebody opens their tab. */
import { get, isTemporary, post, Problem, remove } from "../base/api.js";
import { arrange, h, hint, refill } from "../base/dom.js";
import { t } from "../base/language.js";
import { problemView } from "../base/problem.js";
import { eventType } from "../record/event-types.js";
import { courseView } from "./course.js";
import { followAnalysis, isWaiting } from "./following.js";
import { countSentence, luckView } from "./luck.js";
import { ProgressView } from "./progress.js";
import { ReviewView } from "./review.js";
import { sideName, sideOf } from "./sides.js";
import { TurningPointsView } from "./turning.js";
import { WinLineView } from "./winline.js";
import { sumSentences, worthView } from "./worth.js";

/**
 * @typedef {{ title: string, section: HTMLElement, show: (result: any, version: number, id: string) => HTMLElement | null }} Part
 */

const MAX_ANALYSES = 200;
/** Milliseconds before the analyses of a viewpoint are requested again, if they could not be loaded. */
const RETRY_AFTER = 2_000;
/**
 * The kinds in the order in which they are requested, and so made. What takes no time comes first. A review begins with
 * the games of the chances to win, and comes before what it does not need.
 */
const REQUEST_ORDER = ["timeline", "luck-counts", "win-line", "review", "turning-points", "luck-value"];
/** @type {Record<string, string>} */
const VIEWPOINTS = { record: t("the whole record"), public: t("what everybody may see") };
const NO_POLICY = t(
  "A program cannot play such a game to its end. So there are no chances to win, no effects of luck, no turning points and no slips.",
);

/**
 * The analyses of a page's game, from its viewpoint: requested, followed, shown. Sends the event `change` after news.
 */
export class Analyses extends EventTarget {
  /** @type {Map<string, Part>} */
  #parts;
  /**
   * The newest analysis of each kind from this viewpoint.
   *
   * @type {Map<string, Schemas["AnalysisInfo"]>}
   */
  #newest = new Map();
  /** The kinds that do not apply to such games. */
  #excluded;
  #controls = h("div", { class: "desk" });
  /**
   * The progress view in the tab, and the one in a story.
   *
   * @type {ProgressView}
   */
  #tabProgress;
  /** @type {ProgressView} */
  #storyProgress;
  /** The last drawn buttons. They stay until the possible requests change. */
  #buttons = h("div", {});
  /**
   * The last drawn chances to win, and their result.
   *
   * @type {{ line?: object, element: HTMLElement | null }}
   */
  #drawnChances = { element: null };
  /**
   * The kinds made without a request while a story is shown.
   *
   * @type {string[]}
   */
  storyKinds = [];
  /** Whether the existing analyses from this viewpoint are loaded. */
  loaded = false;
  /** The version of the record for which a story was completed. */
  #completedVersion = 0;
  /**
   * The loading of existing analyses from this viewpoint; null before it, and after it failed.
   *
   * @type {Promise<void> | null}
   */
  #loading = null;
  /** Aborts loading and following analyses of another viewpoint. */
  #stop = new AbortController();

  /**
   * @param {HTMLElement} element
   * @param {GameRecord} record
   * @param {Words} words
   * @param {Permit} may
   */
  constructor(element, record, words, may) {
    super();
    this.record = record;
    this.words = words;
    this.may = may;
    const cancel = may.hasScope("analyses:run") ? () => this.#cancel() : null;
    this.#tabProgress = new ProgressView(cancel);
    this.#storyProgress = new ProgressView(cancel);
    this.line = new WinLineView(record, words);
    this.#parts = partsOf(record, words, may);
    const kinds = (element.dataset.kinds ?? "").split(" ");
    this.#excluded = new Set([...this.#parts.keys()].filter((kind) => !kinds.includes(kind)));
    element.replaceChildren(this.#controls, ...[...this.#parts.values()].map(({ section }) => section));
    addEventListener("beforeprint", () => {
      for (const folded of element.querySelectorAll("details")) folded.open = true;
    });
    this.#listen();
  }

  /** Listen to changes of the record and its viewpoint. */
  #listen() {
    const { record } = this;
    record.addEventListener("viewpoint", () => {
      this.#stop.abort();
      this.#stop = new AbortController();
      this.#newest.clear();
      this.#loading = null;
      this.loaded = false;
      this.#showUntilLoaded(this.#stop.signal);
    });
    record.addEventListener("entries", () => {
      this.#drawnChances = { element: null };
      this.#draw();
      this.#updateStory();
    });
  }

  /**
   * Show the existing analyses of another viewpoint, also if there is no connection at first.
   *
   * @param {AbortSignal} signal
   */
  #showUntilLoaded(signal) {
    this.showExisting().catch((/** @type {unknown} */ error) => {
      this.#draw(error); // without those of the viewpoint before
      if (isTemporary(error)) setTimeout(() => signal.aborted || this.#showUntilLoaded(signal), RETRY_AFTER);
    });
  }

  /**
   * Show existing analyses. All callers share one request: the tab and the story may need them at the same time.
   *
   * @returns {Promise<void>}
   */
  async showExisting() {
    const { signal } = this.#stop;
    this.#loading ??= this.#loadExisting(signal);
    try {
      await this.#loading;
    } catch (error) {
      if (signal.aborted) return this.showExisting(); // those of the viewpoint since
      this.#loading = null;
      throw error;
    }
  }

  /** @param {AbortSignal} signal */
  async #loadExisting(signal) {
    /** @type {Answer<Got<"/v1/games/{game}/analyses">>} */
    const { body } = await get(`${this.record.path}/analyses?limit=${MAX_ANALYSES}`, { signal });
    signal.throwIfAborted(); // an embedded answer is not aborted
    for (const kind of this.#parts.keys()) {
      const found = body.analyses
        .filter((each) => each.kind === kind && this.#isFromHere(each))
        .toSorted((one, other) => other.version - one.version);
      const newest = found.find((each) => each.status === "done" || isWaiting(each));
      if (!newest) continue;
      this.#newest.set(kind, newest);
      this.#follow(newest, signal);
    }
    this.loaded = true;
    this.#draw();
    this.#requestMissing(signal);
  }

  /** @param {Schemas["AnalysisInfo"]} analysis */
  #isFromHere({ viewpoint }) {
    const { viewpoint: here } = this.record;
    return here == null || viewpoint === here || viewpoint === `seat-${here}`;
  }

  /**
   * The result of a kind if the record has not changed since: no move came, and no correction.
   *
   * @param {string} kind
   * @returns {any}
   */
  #currentResult(kind) {
    const found = this.#newest.get(kind);
    const later = this.record.entries.slice(found?.version).map(({ type }) => eventType(type));
    return later.some(({ plays, corrects }) => plays || corrects) ? undefined : (found?.result ?? undefined);
  }

  /**
   * The known chances to win, as lines along the record; null without any.
   *
   * @returns {HTMLElement | null}
   */
  get chances() {
    const line = this.#currentResult("win-line");
    if (line !== this.#drawnChances.line) {
      const figure = line && this.line.figure(line);
      this.#drawnChances = { line, element: figure ? h("div", {}, h("h3", {}, t("Chances to win")), figure) : null };
    }
    return this.#drawnChances.element;
  }

  /**
   * The turns known to have changed the chances.
   *
   * @returns {Swing[]}
   */
  get swings() {
    const [turning, line] = ["turning-points", "win-line"].map((kind) => this.#currentResult(kind));
    /** @type {Swing[]} */
    const swings = turning?.points ?? line?.swings ?? [];
    return swings.map((swing) => ({ ...swing, side: sideOf(turning ?? line, swing.seat) }));
  }

  /**
   * The rounds known to have begun.
   *
   * @returns {RoundStart[]}
   */
  get rounds() {
    return this.#currentResult("timeline")?.rounds ?? [];
  }

  /** The known effects of luck, in sentences; null without any. */
  get luck() {
    const [counted, worth] = ["luck-counts", "luck-value"].map((kind) => this.#currentResult(kind));
    const { words } = this;
    /** @param {number} seat */
    const name = (seat) => sideName(worth, seat, words);
    const sentences = [...(worth?.n ? sumSentences(worth, name, words) : []), ...extremeLuck(counted, words)];
    return sentences.length ? sentences.map((each) => h("p", {}, each)) : null;
  }

  /** The progress of running analyses; null without any. */
  get progress() {
    return this.#storyProgress.show(this.#waiting);
  }

  get #waiting() {
    return [...this.#newest.values()].filter(isWaiting);
  }

  /**
   * Request missing analyses one after another, until somebody cancels or the service is overloaded.
   *
   * @param {AbortSignal} signal
   */
  async #requestMissing(signal) {
    this.#completedVersion = this.record.head;
    if (!this.may.hasScope("analyses:run")) return;
    const due = this.storyKinds.filter((kind) => this.#newest.get(kind)?.version !== this.record.head);
    try {
      for (const kind of due) {
        const begun = await this.#request(kind, signal);
        if ((await begun.ended).status === "cancelled") return;
      }
    } catch {
      // no connection, or an overloaded service: the tab offers the rest
    }
  }

  /** Complete the story of a game that ended again after a correction. */
  #updateStory() {
    const { head, facts } = this.record;
    const over = facts.outcome || facts.closed;
    if (this.loaded && over && head !== this.#completedVersion) this.#requestMissing(this.#stop.signal);
  }

  /** The kinds that apply to such games. */
  get #kinds() {
    return [...this.#parts.keys()].filter((kind) => !this.#excluded.has(kind));
  }

  async #requestAll() {
    const { signal } = this.#stop;
    const kinds = REQUEST_ORDER.filter((kind) => this.#kinds.includes(kind));
    try {
      for (const kind of kinds) await this.#request(kind, signal);
    } catch (error) {
      if (!signal.aborted) this.#draw(error);
      return;
    }
    this.#draw();
  }

  /**
   * Request an analysis. Resolves when it has ended.
   *
   * @param {string} kind
   * @param {AbortSignal} signal
   */
  async #request(kind, signal) {
    const { path, viewpoint } = this.record;
    const body = viewpoint == null ? { kind } : { kind, seat: viewpoint };
    return { ended: this.#follow(await post(`${path}/analyses`, body, { signal }), signal) };
  }

  /**
   * Show an analysis and follow its progress. Resolves with its final state.
   *
   * @param {Schemas["AnalysisInfo"]} analysis
   * @param {AbortSignal} signal
   * @returns {Promise<Schemas["AnalysisInfo"]>}
   */
  #follow(analysis, signal) {
    return new Promise((ended) => {
      /** @param {Schemas["AnalysisInfo"]} current */
      const show = (current) => {
        this.#newest.set(current.kind, current);
        this.#drawControls();
        this.#showResult(current.kind);
        this.dispatchEvent(new Event("change"));
        if (!isWaiting(current)) ended(current);
      };
      followAnalysis(`${this.record.path}/analyses/${analysis.id}`, show, signal);
    });
  }

  async #cancel() {
    for (const { id } of this.#waiting) await remove(`${this.record.path}/analyses/${id}`).catch(() => {});
  }

  /** @param {any} error */
  #draw(error = null) {
    this.#drawControls(error);
    for (const kind of this.#parts.keys()) this.#showResult(kind);
    this.dispatchEvent(new Event("change"));
  }

  /** @param {any} error */
  #drawControls(error = null) {
    const known = [...this.#newest.values()];
    const version = Math.min(...known.map((each) => each.version));
    const shown = [];
    if (this.loaded || !error) shown.push(this.#tabProgress.show(this.#waiting) ?? this.#requestView(known, version));
    if (error)
      shown.push(error instanceof Problem ? problemView(error.body) : hint(t("No connection: try again later.")));
    arrange(this.#controls, shown);
  }

  /**
   * @param {Schemas["AnalysisInfo"][]} known
   * @param {number} version
   */
  #requestView(known, version) {
    const later = this.record.head - version;
    const lacks = this.#kinds.some((kind) => !this.#newest.has(kind));
    const stopped = known.some(({ status }) => status !== "done");
    const [text, verb] = completenessText({ known: known.length > 0, stopped, later, lacks, version });
    const asks = this.may.hasScope("analyses:run") && verb;
    const offer = h(
      "div",
      {},
      this.#excluded.has("win-line") ? hint(NO_POLICY) : null,
      text ? hint(text) : null,
      asks
        ? h("p", { class: "actions" }, h("button", { type: "button", onclick: () => this.#requestAll() }, verb))
        : null,
    );
    if (!offer.isEqualNode(this.#buttons)) this.#buttons = offer;
    return this.#buttons;
  }

  /**
   * Show the known result of a kind.
   *
   * @param {string} kind
   */
  #showResult(kind) {
    const { title, section, show } = /** @type {Part} */ (this.#parts.get(kind));
    const found = this.#newest.get(kind);
    if (!found) return section.replaceChildren();
    const failed = found.status === "failed" ? t("It cannot be made: {why}.", { why: found.cause }) : null;
    const part = found.result ? show(found.result, found.version, found.id) : failed ? hint(failed) : null;
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
    refill(section, h("h3", {}, title), part, made);
  }
}

/**
 * The parts of the page, one per kind of analysis, in their order.
 *
 * @param {GameRecord} record
 * @param {Words} words
 * @param {Permit} may
 */
function partsOf(record, words, may) {
  const winLine = new WinLineView(record, words);
  const turning = new TurningPointsView(record, words, may);
  const review = new ReviewView(record, words);
  /** @type {[string, string, Part["show"]][]} */
  const parts = [
    ["win-line", t("Chances to win"), (result) => winLine.show(result)],
    ["turning-points", t("Turning points"), (result, version) => turning.show(result, version)],
    ["review", t("Review"), (result, version, id) => review.show(result, version, id)],
    ["timeline", t("How it went"), (result) => courseView(result, words)],
    ["luck-counts", t("Luck"), (result) => luckView(result, words)],
    ["luck-value", t("What luck was worth"), (result) => worthView(result, words)],
  ];
  return new Map(
    parts.map(([kind, title, show]) => [kind, { title, section: h("section", { id: `analysis-${kind}` }), show }]),
  );
}

/**
 * The most notable figure of luck, in a sentence.
 *
 * @param {Luck | undefined} found
 * @param {Words} words
 * @returns {Child[]}
 */
function extremeLuck(found, words) {
  return found?.extreme ? [countSentence(found, words)] : [];
}

/**
 * How completely a game is analysed, and the possible requests, in words; nulls if it is complete.
 *
 * @param {{ known: boolean, stopped: boolean, later: number, lacks: boolean, version: number }} analysed
 */
function completenessText({ known, stopped, later, lacks, version }) {
  if (!known) return [t("This game has not been analysed from this point of view."), t("Analyse the game")];
  if (stopped) return [t("It is not analysed to the end."), t("Go on")];
  if (later > 0) return [t("It was analysed up to entry {version}.", { version }), t("Analyse what came since")];
  return lacks ? [t("Not all of it was analysed."), t("Analyse the rest")] : [null, null];
}
