import { Problem, post } from "../base/api.js";

const PAUSES = [1_000, 2_000, 4_000, 8_000, 15_000];

/**
 * Sends what lies in an outbox, one item after the other, until all of it is acknowledged. Silence and faults of the
 * service are tried again for ever; a refusal stops at that item. Tells `delivered` with the item and the answer, and
 * `delayed` when the service answered with a `fault` of its own.
 */
export class Courier extends EventTarget {
  #running = Promise.resolve();
  #failures = 0;
  #timer = 0;
  fault = null;

  constructor(outbox, connection) {
    super();
    this.outbox = outbox;
    this.connection = connection;
    connection.addEventListener("change", () => {
      this.#failures = 0;
      if (connection.up) this.deliver();
    });
  }

  /** Send what there is; done when the outbox is empty, or its first item has to wait. */
  deliver() {
    clearTimeout(this.#timer);
    this.#running = this.#running.then(() => this.#run());
    return this.#running;
  }

  /** Put something into the outbox and send it; answers what is left of it: nothing once it is stored. */
  async send(item) {
    const key = this.outbox.add(item);
    await this.deliver();
    return this.outbox.get(key);
  }

  async #run() {
    for (let item = this.outbox.first(); item && !item.problem; item = this.outbox.first()) {
      try {
        const answer = await post(item.path, item.body, { base: item.base });
        this.outbox.remove(item.key);
        this.#reached();
        this.dispatchEvent(new CustomEvent("delivered", { detail: { item, answer } }));
      } catch (error) {
        if (!(error instanceof Problem) || error.body.status >= 500) return this.#later(error);
        this.#reached();
        this.outbox.refuse(item.key, error.body);
      }
    }
  }

  #reached() {
    this.#failures = 0;
    this.fault = null;
    this.connection.report(true);
  }

  #later(error) {
    const pause = PAUSES[Math.min(this.#failures++, PAUSES.length - 1)];
    this.#timer = setTimeout(() => this.deliver(), pause);
    this.fault = error instanceof Problem ? error.body : null;
    this.connection.report(this.fault !== null);
    this.dispatchEvent(new Event("delayed"));
  }
}
