import { followStream, shareCode } from "./api.js";

/** Milliseconds of silence before the connection counts as lost: a sign of life comes every 15 seconds. */
const SILENCE = 40_000;
const PAUSES = [1_000, 2_000, 4_000, 8_000, 15_000];

/**
 * A stream of the service, followed while the page is visible. It counts as working once it has brought something: then
 * no proxy on the way holds it back.
 *
 * Events: `received` for each event of the stream, and `change` when it starts or stops working.
 *
 * A browser has few connections to a service. So one page follows the stream and tells the browser's other pages.
 * In a browser without locks, every visible page follows it.
 */
export class Stream extends EventTarget {
  isWorking = false;
  /** @type {AbortController | null} */
  #stop = null;
  /** @type {BroadcastChannel | null} */
  #channel = null;
  #silence = 0;
  #over = new AbortController();

  /**
   * `name()` is the address of the stream, and `address()` is the address with the position to start from.
   *
   * @param {() => string} name
   * @param {() => string} address
   */
  constructor(name, address) {
    super();
    this.name = name;
    this.address = address;
    const { signal } = this.#over;
    document.addEventListener("visibilitychange", () => this.#update(), { signal });
    // a stream may not notice that the network has gone, and would seem to work until its silence is noticed
    for (const change of ["online", "offline"]) addEventListener(change, () => this.reopen(), { signal });
    this.#update();
  }

  /** Restart with the current `name` and `address`. */
  reopen() {
    this.#close();
    this.#update();
  }

  /** Stop following. */
  end() {
    this.#over.abort();
    this.#close();
  }

  #update() {
    if (this.#over.signal.aborted) return;
    if (document.visibilityState === "hidden") this.#close();
    else if (!this.#stop) this.#open();
  }

  #open() {
    const name = `${shareCode() ?? ""} ${this.name()}`;
    const [stop, channel] = [new AbortController(), new BroadcastChannel(name)];
    this.#stop = stop;
    this.#channel = channel;
    channel.addEventListener("message", ({ data }) => this.#receive(data));
    this.#wait();
    this.#follow(name, channel, stop.signal);
  }

  #close() {
    clearTimeout(this.#silence);
    this.#stop?.abort();
    this.#channel?.close();
    this.#stop = null;
    this.#setWorking(false);
  }

  /**
   * Follow again and again, after every kind of end.
   *
   * @param {string} name
   * @param {BroadcastChannel} channel
   * @param {AbortSignal} signal
   */
  async #follow(name, channel, signal) {
    let failures = 0;
    /** @param {StreamEvent | null} event */
    const receive = (event) => {
      if (signal.aborted) return;
      failures = 0;
      channel.postMessage(event);
      this.#receive(event);
    };
    while (!signal.aborted) {
      try {
        await runAlone(name, signal, () => followStream(this.address(), receive, { signal }));
      } catch {
        // refused, or the connection is lost: a normal request finds the reason
      }
      if (signal.aborted) return;
      this.#setWorking(false);
      await new Promise((later) => setTimeout(later, PAUSES[Math.min(failures++, PAUSES.length - 1)]));
    }
  }

  /** @param {StreamEvent | null} event */
  #receive(event) {
    this.#wait();
    this.#setWorking(true);
    if (event) this.dispatchEvent(new CustomEvent("received", { detail: event }));
  }

  #wait() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.reopen(), SILENCE);
  }

  /** @param {boolean} holds */
  #setWorking(holds) {
    if (holds === this.isWorking) return;
    this.isWorking = holds;
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * Run `work` while no other page of the browser runs work with this name.
 *
 * @param {string} name
 * @param {AbortSignal} signal
 * @param {() => unknown} work
 */
function runAlone(name, signal, work) {
  return navigator.locks ? navigator.locks.request(name, { signal }, work) : work();
}
