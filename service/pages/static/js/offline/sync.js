import { get, Problem, post } from "../base/api.js";
import {
  areCellsOrNotes,
  compareWithMissed,
  entryCount,
  isCells,
  mayRetry,
  maySend,
  mayShareLine,
  sidesOf,
} from "./items.js";

const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 60_000;
const TOO_MANY = 429;

/** A move that names its round means the same line of a score sheet, even after entries of others. */
const NAMES_ROUND = /^r\d/i;

/** The logged-in person, from the page. */
const person = () => document.body.dataset.person;

/**
 * Sends the items of an outbox, one after the other, until all are acknowledged. Without an answer, after an internal
 * error, or if the service is overloaded, it retries forever. A refusal stops at its item. Items that were refused
 * after the session ended go out once the same person is logged in again. Cells of a score sheet join cells that others
 * recorded meanwhile, and any move follows notes.
 *
 * Events: `delivered` with the item and the answer, before the item leaves the outbox. `delayed` when the service
 * answered with an error of its own (`fault`).
 *
 * One of several tabs sends at a time. Browsers have locks for that over HTTPS and on localhost; elsewhere two tabs may
 * send the same item. The service stores it once, because it has an id, and both tabs get the same answer.
 */
export class Sync extends EventTarget {
  #running = Promise.resolve();
  #failures = 0;
  #timer = 0;
  /** Whether this page has retried what was refused without a session. */
  #hasRetried = false;
  /** The version after the last stored item of this page. */
  #lastStored = 0;
  /** @type {ProblemBody | null} */
  fault = null;

  /**
   * `look()` returns the viewpoint for the answers to entries, or null.
   *
   * @param {Outbox} outbox
   * @param {Connection} connection
   * @param {() => string | null} look
   */
  constructor(outbox, connection, look = () => null) {
    super();
    this.outbox = outbox;
    this.connection = connection;
    this.viewpoint = look;
    connection.addEventListener("change", () => connection.isReachable && this.#retryNow());
    addEventListener("online", () => this.#retryNow());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.sendAll());
  }

  /** Resolves once nothing is being sent. */
  get whenSent() {
    return this.#running;
  }

  /** Send all items. Resolves when the outbox is empty, or its first item has to wait. */
  sendAll() {
    this.#running = this.#running.then(() => runAlone(`kifu:${this.outbox.name}`, () => this.#run()));
    return this.#running;
  }

  /**
   * Add an item to the outbox and send it. Returns the item that is left, or nothing once it is stored.
   *
   * @param {{ path: string, body: SentBody, base?: number | null, label: string, told?: Recorded }} item
   */
  async addAndSend({ base = null, ...item }) {
    const by = person();
    const since = base == null ? null : Math.max(base, this.#lastStored);
    const key = await this.outbox.add({ ...item, base: since, ...(by ? { by } : {}) });
    await this.sendAll();
    return this.outbox.getItem(key);
  }

  #retryNow() {
    this.#failures = 0;
    this.sendAll();
  }

  async #run() {
    clearTimeout(this.#timer);
    await this.outbox.reload();
    await this.#retryFirst();
    for (let item = this.outbox.firstItem(); item && !item.problem; item = this.outbox.firstItem()) {
      if (!maySend(item, person())) return;
      try {
        await (item.stale ? this.#compareMissed(item) : this.#store(item));
      } catch (error) {
        if (!(error instanceof Problem) || error.body.status >= 500 || error.body.status === TOO_MANY) {
          return this.#retryLater(error);
        }
        this.#noteAnswer();
        if (await this.#tryToJoin(item, error)) continue;
        await this.outbox.markRefused(item.key, error.body);
      }
    }
  }

  /** @param {Item} item */
  async #store(item) {
    const look = item.body.events && this.viewpoint();
    const path = look ? `${item.path}?look=${look}` : item.path;
    const answer = await post(path, item.body, { base: item.base, by: item.by });
    this.#lastStored = (item.base ?? 0) + entryCount(item);
    this.#noteAnswer();
    this.dispatchEvent(new CustomEvent("delivered", { detail: { item, answer } }));
    await this.outbox.remove(item.key);
  }

  /** Retry the first item, once, if it was refused without a session and its recorder is logged in again. */
  async #retryFirst() {
    const item = this.outbox.firstItem();
    if (this.#hasRetried || !item || !mayRetry(item, person())) return;
    this.#hasRetried = true;
    await this.outbox.replace(item.key, item.body, item.label);
  }

  /**
   * Let an entry follow notes, and cells of a score sheet follow cells that others filled in meanwhile, unless these
   * are the same cells with other values. Equal cells are not sent again. If all of it together breaks a rule, the
   * service says so when it is sent.
   *
   * @param {Item} item
   * @param {Problem} error
   */
  async #tryToJoin(item, { name, body: problem }) {
    const { missed = [] } = problem;
    if (name !== "stale-version" || !areCellsOrNotes(missed)) return false;
    const head = missed[missed.length - 1].version;
    const found = await this.#compare(item, missed, head).catch(() => null);
    if (found === "same") await this.outbox.remove(item.key);
    else if (found !== "join") return false;
    await this.outbox.rebase(head, { key: item.key, problem });
    return true;
  }

  /**
   * Compare an item with what others recorded, after an earlier item joined that. Cells with other values need a
   * decision.
   *
   * @param {Item} item
   */
  async #compareMissed(item) {
    const { key, body, base, stale } = item;
    const missed = stale?.missed ?? [];
    const meets = mayShareLine(body.events?.[0].data?.move, missed);
    const found = meets && (await this.#compare(item, missed, base ?? 0));
    if (found === "same") await this.outbox.drop(key);
    else if (found === "differ" && stale) await this.outbox.markRefused(key, stale);
    else await this.outbox.clearMissed(key);
  }

  /**
   * How an entry fits with what others recorded meanwhile. Unknown cells may differ.
   *
   * @param {Item} item
   * @param {any[]} missed
   * @param {number} head the version that the entry would follow
   */
  async #compare(item, missed, head) {
    const { data, ...event } = item.body.events?.[0] ?? {};
    if (typeof data?.move !== "string") return null;
    const asked = { events: [{ ...event, data: { override: { reason: "?" }, ...data } }] };
    const answer = await post(`${item.path}?dry_run=true`, asked, { base: head });
    const { move } = answer.entries[0].data;
    const now = await get(item.path.replace(/events$/, "state"));
    const found =
      move?.round && !NAMES_ROUND.test(data.move)
        ? null
        : compareWithMissed(move, missed, sidesOf(now?.body.state.sides));
    return found ?? (isCells(move) ? "differ" : null);
  }

  #noteAnswer() {
    this.#failures = 0;
    this.fault = null;
    this.connection.report(true);
  }

  /**
   * Retry after a while.
   *
   * @param {any} error
   */
  #retryLater(error) {
    this.#timer = setTimeout(() => this.sendAll(), pauseAfter(this.#failures, error.wait ?? 0, Math.random()));
    this.#failures += 1;
    this.fault = error instanceof Problem ? error.body : null;
    if (!this.fault) navigator.storage?.persist?.(); // it may have to stay here for days
    this.connection.report(this.fault !== null);
    this.dispatchEvent(new Event("delayed"));
  }
}

/**
 * Milliseconds before a retry: more after each failure, and at least the seconds that the service asks for. Chance
 * spreads the retries of phones.
 *
 * @param {number} failures the number of failures before
 * @param {number} wait seconds
 * @param {number} chance from 0 to 1
 */
export function pauseAfter(failures, wait, chance) {
  return Math.max(Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE) * (0.75 + chance / 4), wait * 1_000);
}

/**
 * Run `work` while no other tab does.
 *
 * @param {string} name
 * @param {() => Promise<void>} work
 */
async function runAlone(name, work) {
  await (navigator.locks ? navigator.locks.request(name, work) : work());
}
