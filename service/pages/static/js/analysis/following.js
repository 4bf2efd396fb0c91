import { get, isTemporary } from "../base/api.js";
import { Stream } from "../base/stream.js";

/** Milliseconds between two requests for an analysis without a working stream. */
const POLL_EVERY = 1_000;
/** Milliseconds without news on a working stream before a request: without workers, the request makes the analysis. */
const POLL_BESIDE_STREAM = 2_000;
/** The most streams of analyses at a time: a browser has few connections to one service. */
const MAX_STREAMS = 2;
const WAITING = new Set(["waiting", "running"]);

/**
 * The followed analyses, in the order of their beginning.
 *
 * @type {Set<FollowedAnalysis>}
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
export function followAnalysis(address, show, signal) {
  const one = new FollowedAnalysis(address, show, signal);
  following.add(one);
  signal.addEventListener("abort", () => one.end());
  one.load();
}

/** An analysis that is followed by a stream once one is free, and by polling until then. */
class FollowedAnalysis {
  /** Whether more is to come. */
  unfinished = false;
  /** @type {Stream | null} */
  #stream = null;
  #timer = 0;
  #lastEvent = 0;

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

  load = async () => {
    if (document.visibilityState === "hidden") return this.#loadLater();
    try {
      this.#update((await get(this.address, { signal: this.signal })).body);
    } catch (error) {
      if (isTemporary(error)) this.#loadLater();
      else this.end();
    }
  };

  end() {
    if (!following.delete(this)) return;
    clearTimeout(this.#timer);
    this.#stream?.end();
    openStreams();
  }

  openStream() {
    if (this.#stream) return;
    const path = `${this.address}/stream`;
    const stream = new Stream(
      () => path,
      () => `${path}?last_event_id=${this.#lastEvent}`,
    );
    this.#stream = stream;
    stream.addEventListener("change", () => this.#loadLater());
    stream.addEventListener("received", ({ detail: { event, id, analysis } }) => {
      if (event === "gone") return this.end();
      this.#lastEvent = id;
      this.#update(analysis);
    });
  }

  /** @param {Schemas["AnalysisInfo"]} now */
  #update(now) {
    if (!following.has(this)) return;
    this.show(now);
    if (!isWaiting(now)) return this.end();
    this.unfinished = true;
    this.#loadLater();
    openStreams();
  }

  #loadLater() {
    clearTimeout(this.#timer);
    if (following.has(this))
      this.#timer = setTimeout(this.load, this.#stream?.isWorking ? POLL_BESIDE_STREAM : POLL_EVERY);
  }
}

/** Give free streams to the analyses that began first. */
function openStreams() {
  for (const one of [...following].filter(({ unfinished }) => unfinished).slice(0, MAX_STREAMS)) one.openStream();
}
