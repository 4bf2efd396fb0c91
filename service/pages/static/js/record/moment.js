import { get, isTemporary, getText, Unreachable } from "../base/api.js";
import { t } from "../base/language.js";

const PAUSE = 60;
/** Milliseconds before a failed request is repeated. */
const RETRY_AFTER = 3_000;

/**
 * The view of a game after the current entry: its state and its board, loaded together. Sends `moment` with
 * `{at, state, board}`, or with `{missing}`, a sentence, if there is none; `at` is 0 while no entry is known.
 */
export class Moment extends EventTarget {
  #resolve = () => {};
  /** Resolves once a moment of the record was shown. */
  shown = new Promise((/** @type {(value: void) => void} */ resolve) => {
    this.#resolve = resolve;
  });
  #stop = new AbortController();
  #timer = 0;
  #moved = 0;

  /** @param {GameRecord} record */
  constructor(record) {
    super();
    this.record = record;
    record.addEventListener("position", () => {
      clearTimeout(this.#timer);
      if (performance.now() > this.#moved + PAUSE) this.#load();
      else this.#timer = setTimeout(() => this.#load(), PAUSE); // while a slider is dragged
      this.#moved = performance.now();
    });
  }

  /** Show the current state of the game before its entries are loaded. */
  load() {
    return this.#load();
  }

  async #load() {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const { record } = this;
    const { at } = record;
    const moment = at ? { after: at } : {};
    try {
      const [state, board] = await Promise.all([
        get(record.address("state", moment), { signal }),
        getText(record.address("board.svg", moment), { signal }),
      ]);
      this.#show({ at, state: state.body, board });
    } catch (error) {
      if (signal.aborted) return;
      if (isTemporary(error)) this.#timer = setTimeout(() => this.#load(), RETRY_AFTER);
      this.#show({
        missing:
          error instanceof Unreachable
            ? t("No connection: this moment cannot be shown now.")
            : error instanceof Error
              ? error.message
              : String(error),
      });
    }
  }

  /** @param {MomentShown} detail */
  #show(detail) {
    this.dispatchEvent(new CustomEvent("moment", { detail }));
    if (detail.at || detail.missing) this.#resolve();
  }
}
