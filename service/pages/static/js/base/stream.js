import { listen, share } from "./api.js";

/** After so long without a word the connection is taken for lost: a sign of life comes every 15 seconds. */
const SILENCE = 40_000;
const PAUSES = [1_000, 2_000, 4_000, 8_000, 15_000];

/**
 * A stream of the service. It is followed as long as somebody looks at the page. It holds after it brought something: so
 * no proxy on the way keeps it back.
 *
 * Events: `told` for each event of the stream, and `change` when it begins or ceases to hold.
 *
 * A browser has few connections to one service. So one page follows the stream and tells the other pages of the browser.
 * A browser without locks follows it from each page that somebody looks at.
 */
export class Stream extends EventTarget {
  holds = false;
  /** @type {AbortController | null} */
  #stop = null;
  /** @type {BroadcastChannel | null} */
  #channel = null;
  #silence = 0;
  #over = new AbortController();

  /**
   * `name()` is what is followed, as its address, and `address()` the same with where to begin.
   *
   * @param {() => string} name
   * @param {() => string} address
   */
  constructor(name, address) {
    super();
    this.name = name;
    this.address = address;
    const { signal } = this.#over;
    document.addEventListener("visibilitychange", () => this.#attend(), { signal });
    // a stream does not always hear that the network has gone, and would seem to hold until it is missed
    for (const change of ["online", "offline"]) addEventListener(change, () => this.reopen(), { signal });
    this.#attend();
  }

  /** Follow anew, by what `name` and `address` are now. */
  reopen() {
    this.#close();
    this.#attend();
  }

  /** Follow no more. */
  end() {
    this.#over.abort();
    this.#close();
  }

  #attend() {
    if (this.#over.signal.aborted) return;
    if (document.visibilityState === "hidden") this.#close();
    else if (!this.#stop) this.#open();
  }

  #open() {
    const name = `${share() ?? ""} ${this.name()}`;
    const [stop, channel] = [new AbortController(), new BroadcastChannel(name)];
    this.#stop = stop;
    this.#channel = channel;
    channel.addEventListener("message", ({ data }) => this.#hear(data));
    this.#wait();
    this.#follow(name, channel, stop.signal);
  }

  #close() {
    clearTimeout(this.#silence);
    this.#stop?.abort();
    this.#channel?.close();
    this.#stop = null;
    this.#hold(false);
  }

  /**
   * Follow again and again, however it ends.
   *
   * @param {string} name
   * @param {BroadcastChannel} channel
   * @param {AbortSignal} signal
   */
  async #follow(name, channel, signal) {
    let failures = 0;
    /** @param {StreamTold | null} told */
    const hear = (told) => {
      if (signal.aborted) return;
      failures = 0;
      channel.postMessage(told);
      this.#hear(told);
    };
    while (!signal.aborted) {
      try {
        await alone(name, signal, () => listen(this.address(), hear, { signal }));
      } catch {
        // refused, or the connection is lost: an ordinary request says why
      }
      if (signal.aborted) return;
      this.#hold(false);
      await new Promise((later) => setTimeout(later, PAUSES[Math.min(failures++, PAUSES.length - 1)]));
    }
  }

  /** @param {StreamTold | null} told */
  #hear(told) {
    this.#wait();
    this.#hold(true);
    if (told) this.dispatchEvent(new CustomEvent("told", { detail: told }));
  }

  #wait() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.reopen(), SILENCE);
  }

  /** @param {boolean} holds */
  #hold(holds) {
    if (holds === this.holds) return;
    this.holds = holds;
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * Do something while no other page of the browser does anything by this name.
 *
 * @param {string} name
 * @param {AbortSignal} signal
 * @param {() => unknown} work
 */
function alone(name, signal, work) {
  return navigator.locks ? navigator.locks.request(name, { signal }, work) : work();
}
