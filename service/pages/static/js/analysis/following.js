import { get, passes } from "../base/api.js";
import { Stream } from "../base/stream.js";

/** Milliseconds between two requests for an analysis without a working stream. */
const EVERY = 1_000;
/** Milliseconds without news on a working stream before a request: without workers, the request makes the analysis. */
const SILENT = 2_000;
/** The most streams of analyses at a time: a browser has few connections to one service. */
const MOST = 2;
const WAITING = new Set(["waiting", "running"]);

/**
 * The followed analyses, in the order of their beginning.
 *
 * @type {Set<Following>}
 */
const following = new Set();

/**
 * Whether an analysis is still waiting or running.
 *
 * @param {{ status: string }} analysis
 */
export const isWaiting = ({ status }) => WAITING.has(status);

/**
 * Follow an analysis until it has ended or `signal` aborts. Calls `show` with its current state, and again after
 * each change.
 *
 * @param {string} address
 * @param {(found: Schemas["AnalysisInfo"]) => void} show
 * @param {AbortSignal} signal
 */
export function follow(address, show, signal) {
  const one = new Following(address, show, signal);
  following.add(one);
  signal.addEventListener("abort", () => one.end());
  one.look();
}

/** An analysis that is followed by a stream once one is free, and by polling until then. */
class Following {
  /** Whether more is to come. */
  waits = false;
  /** @type {Stream | null} */
  #stream = null;
  #timer = 0;
  #mark = 0;

  /**
   * @param {string} address
   * @param {(found: Schemas["AnalysisInfo"]) => void} show
   * @param {AbortSignal} signal
   */
  constructor(address, show, signal) {
    this.address = address;
    this.show = show;
    this.signal = signal;
  }

  look = async () => {
    if (document.visibilityState === "hidden") return this.#wait();
    try {
      this.#take((await get(this.address, { signal: this.signal })).body);
    } catch (error) {
      if (passes(error)) this.#wait();
      else this.end();
    }
  };

  end() {
    if (!following.delete(this)) return;
    clearTimeout(this.#timer);
    this.#stream?.end();
    open();
  }

  open() {
    if (this.#stream) return;
    const path = `${this.address}/stream`;
    const stream = new Stream(
      () => path,
      () => `${path}?last_event_id=${this.#mark}`,
    );
    this.#stream = stream;
    stream.addEventListener("change", () => this.#wait());
    stream.addEventListener("told", ({ detail: { event, id, analysis } }) => {
      if (event === "gone") return this.end();
      this.#mark = id;
      this.#take(analysis);
    });
  }

  /** @param {Schemas["AnalysisInfo"]} now */
  #take(now) {
    if (!following.has(this)) return;
    this.show(now);
    if (!isWaiting(now)) return this.end();
    this.waits = true;
    this.#wait();
    open();
  }

  #wait() {
    clearTimeout(this.#timer);
    if (following.has(this)) this.#timer = setTimeout(this.look, this.#stream?.holds ? SILENT : EVERY);
  }
}

/** Give free streams to the analyses that began first. */
function open() {
  for (const one of [...following].filter(({ waits }) => waits).slice(0, MOST)) one.open();
}
