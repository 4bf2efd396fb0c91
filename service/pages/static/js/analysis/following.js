import { get, passes } from "../base/api.js";
import { Stream } from "../base/stream.js";

/** Milliseconds between two looks at an analysis, while its stream does not hold. */
const EVERY = 1_000;
/** Milliseconds of silence of a stream that holds, before a look: without workers, a request makes the analysis. */
const SILENT = 2_000;
/** How many streams of analyses there are at a time: a browser has few connections to one service. */
const MOST = 2;
const WAITING = new Set(["waiting", "running"]);

/**
 * What is followed, in the order in which it was begun.
 *
 * @type {Set<Following>}
 */
const following = new Set();

/**
 * Whether an analysis is still being made.
 *
 * @param {{ status: string }} analysis
 */
export const isWaiting = ({ status }) => WAITING.has(status);

/**
 * Follow the analysis at an address until it has ended, or `signal` says so: `show` is called with it as it is, and
 * again whenever there is more of it.
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

/** An analysis that is followed by a stream, as soon as one is free, and by asking while none tells anything. */
class Following {
  /** Whether it is known that there is more to come. */
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

/** Have those who came first follow by a stream. */
function open() {
  for (const one of [...following].filter(({ waits }) => waits).slice(0, MOST)) one.open();
}
