import { get, getChanged } from "../base/api.js";
import { isCounted, changesNothingEarlier, correctedVersions } from "./history.js";

const PAGE = 1000;

/**
 * The known record of a game, from a viewpoint, looked at right after entry `at`.
 *
 * `entries` are in the order of recording, `order` in the order of the game. Sends `entries` when the record has grown
 * or changed, `viewpoint` when the viewpoint changes, and `position` whenever another moment is shown, also after the
 * other two.
 */
export class GameRecord extends EventTarget {
  /** @type {GameInfo | null} */
  info = null;
  /** @type {Entry[]} */
  entries = [];
  /** The names, by id, of players, referees and recorders. */
  people;
  /** @type {Entry[]} */
  order = [];
  at = 0;
  /** Whether the page tells the story of the game, and records nothing. */
  showsStory = false;
  /** @type {Map<number, Entry[]>} */
  #remarks = new Map();
  /** @type {string | null} */
  #tag = null;
  #work = Promise.resolve();

  /**
   * @param {string} game
   * @param {string | null} viewpoint
   * @param {Record<string, string>} people
   */
  constructor(game, viewpoint, people) {
    super();
    this.people = people;
    this.game = game;
    this.path = /** @type {Address<GameInfo>} */ (`/v1/games/${game}`);
    this.viewpoint = viewpoint;
  }

  /** The newest known version. */
  get head() {
    return this.entries.length;
  }

  /** The service's facts about the game. They are there from the first `entries` on. */
  get facts() {
    return /** @type {GameInfo} */ (this.info);
  }

  /** The last entry in the order of the game. */
  get lastEntry() {
    return this.order.at(-1);
  }

  get isAtNewest() {
    return this.at === (this.lastEntry?.version ?? 0);
  }

  get closed() {
    return this.info?.closed ?? null;
  }

  /** The current entry. */
  get currentEntry() {
    return this.entries[this.at - 1];
  }

  /** The place of the current entry in the order, from 1. */
  get currentPlace() {
    return this.placeOf(this.at);
  }

  /** @param {number} version */
  placeOf(version) {
    return this.entries[version - 1]?.place ?? 0;
  }

  /**
   * The address of a part of the game, from the viewpoint: `at` a version, or `after` an entry as the record counts
   * now.
   *
   * @template {string} Part
   * @param {Part} part
   * @param {Moment} [moment]
   * @returns {Address<GotPart<Part>>}
   */
  address(part, moment = {}) {
    const asked = Object.entries(moment).map(([name, value]) => [name, String(value)]);
    const query = new URLSearchParams(this.viewpoint == null ? asked : [["seat", this.viewpoint], ...asked]);
    return `${this.path}/${part}?${query}`;
  }

  /**
   * Load new entries. `found` is the game from `get`, if known. A page on the newest entry stays on the newest.
   *
   * @param {Answer<GameInfo>} [found]
   */
  refresh(found) {
    return this.#queue(() => this.#refresh(found));
  }

  /** Resolves once all requested entries are loaded. */
  get whenLoaded() {
    return this.#work;
  }

  /**
   * Change the viewpoint.
   *
   * @param {string} viewpoint
   */
  changeViewpoint(viewpoint) {
    return this.#queue(async () => {
      this.viewpoint = viewpoint;
      this.#setEntries(await this.#read(0));
      this.#send("viewpoint", "entries", "position");
    });
  }

  /** Draw everything again: the page has another layout. */
  redraw() {
    this.#send("entries", "position");
  }

  /**
   * Show the game right after another entry.
   *
   * @param {number} version
   */
  goTo(version) {
    const at = Math.min(Math.max(version, 1), this.head);
    if (at === this.at) return;
    this.at = at;
    this.#send("position");
  }

  /**
   * Show the game at another place of the order.
   *
   * @param {number} place
   */
  goToPlace(place) {
    this.goTo(this.order[Math.min(Math.max(place, 1), this.order.length) - 1].version);
  }

  /**
   * Run `work` after earlier work, so that answers keep their order.
   *
   * @param {() => Promise<void>} work
   */
  #queue(work) {
    const done = this.#work.then(work);
    this.#work = done.catch(() => {});
    return done;
  }

  /**
   * @param {Answer<GameInfo>} [known]
   * @returns {Promise<void>}
   */
  async #refresh(known) {
    const found = known ?? (await getChanged(this.path, this.#tag));
    if (!found) return;
    const cut = found.body.version < this.head; // restored from an older copy
    const fresh = cut ? [] : await this.#read(this.head);
    const same = cut ? 0 : this.#unchangedUpTo(fresh);
    const read = same < this.head ? await this.#read(same) : fresh;
    // it has grown since the announcement, or its entries came before it
    if (same + read.length !== found.body.version) return this.#refresh();
    const following = this.isAtNewest; // now: somebody may have gone to another entry meanwhile
    this.#setEntries([...this.entries.slice(0, same), ...read]);
    this.info = found.body;
    this.#tag = found.tag;
    if (following || cut) this.at = this.lastEntry?.version ?? 0;
    this.#send("entries", "position");
  }

  /**
   * The version up to which new entries change nothing: a correction changes the game from its entry on.
   *
   * @param {Entry[]} fresh
   */
  #unchangedUpTo(fresh) {
    const changed = fresh
      .filter((entry) => !changesNothingEarlier(entry))
      .flatMap((entry) => correctedVersions(entry, this.entries));
    const places = changed.map((version) => this.placeOf(version));
    if (!places.length) return this.head;
    const later = this.order.slice(Math.min(...places) - 1).map(({ version }) => version);
    return later.reduce((least, version) => Math.min(least, version), this.head) - 1;
  }

  /**
   * Load the entries after `after`, all as they counted at one version. Restarts if the record grows meanwhile.
   *
   * @param {number} after
   * @returns {Promise<Entry[]>}
   */
  async #read(after) {
    /** @type {Entry[]} */
    const entries = [];
    /** @type {number | null} */
    let version = null;
    for (let next = /** @type {number | null} */ (after); next != null; ) {
      const { body } = await get(this.address("timeline", { after: next, limit: PAGE, brief: true }));
      version ??= body.version;
      if (body.version !== version) return this.#read(after);
      entries.push(...body.entries);
      Object.assign(this.people, body.people);
      next = body.next;
    }
    return entries;
  }

  /**
   * The name of a recorder, if any. Older records have one fixed word for the owner.
   *
   * @param {string} recorder
   */
  recorderName(recorder) {
    return this.people[recorder] ?? (recorder.includes("-") ? "" : recorder);
  }

  /**
   * The valid notes about an entry, and the valid rulings on the moment after it.
   *
   * @param {number} version
   * @param {string} type
   */
  remarksOn(version, type) {
    return (this.#remarks.get(version) ?? []).filter((entry) => entry.type === type);
  }

  /** @param {Entry[]} entries */
  #setEntries(entries) {
    this.entries = entries;
    this.order = entries.toSorted((one, other) => one.place - other.place);
    this.#remarks = new Map();
    for (const entry of entries.filter(isCounted)) {
      const named = { "note.added": entry.entry, "ruling.given": entry.after }[entry.type];
      if (named) this.#remarks.set(named, [...(this.#remarks.get(named) ?? []), entry]);
    }
  }

  /** @param {...string} names */
  #send(...names) {
    for (const name of names) this.dispatchEvent(new Event(name));
  }
}
