import { get, getChanged } from "../base/api.js";
import { counts, isPlain, touched } from "./history.js";

const PAGE = 1000;

/**
 * A game's record as it is known here, seen from a viewpoint and looked at right after entry `at`.
 *
 * `entries` are in the order in which they were recorded, `order` in the one in which they happened. Tells `entries`
 * when the record has grown or changed, `viewpoint` when it is seen from elsewhere, and `position` whenever another
 * moment is to be shown: after each of these, too.
 */
export class GameRecord extends EventTarget {
  /** @type {GameInfo | null} */
  info = null;
  /** @type {Entry[]} */
  entries = [];
  /** The names, by id, of those who took a seat, ruled as a referee or recorded. */
  people;
  /** @type {Entry[]} */
  order = [];
  at = 0;
  /** Whether the page tells how the game went, and records nothing. */
  told = false;
  /** @type {Map<number, Entry[]>} */
  #about = new Map();
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

  /** The newest version that is known here. */
  get head() {
    return this.entries.length;
  }

  /** What the service says of the game, for what is done once that was read. */
  get opened() {
    return /** @type {GameInfo} */ (this.info);
  }

  /** The entry that happened last. */
  get last() {
    return this.order.at(-1);
  }

  get following() {
    return this.at === (this.last?.version ?? 0);
  }

  get closed() {
    return this.info?.closed ?? null;
  }

  /** The entry looked at. */
  get shown() {
    return this.entries[this.at - 1];
  }

  /** At which place of the order the entry looked at stands, from 1 on. */
  get place() {
    return this.placeOf(this.at);
  }

  /** @param {number} version */
  placeOf(version) {
    return this.entries[version - 1]?.place ?? 0;
  }

  /**
   * Where a part of the game is, seen from the viewpoint: `at` a version, or `after` an entry as it counts today.
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
   * Take in what was recorded since. `found` is the game as `get` answers it, where it is known already. A page that
   * shows the newest entry goes on to show the newest.
   *
   * @param {Answer<GameInfo>} [found]
   */
  refresh(found) {
    return this.#queue(() => this.#refresh(found));
  }

  /** Settles once all is taken in that was asked for. */
  get rests() {
    return this.#work;
  }

  /**
   * See the record from elsewhere.
   *
   * @param {string} viewpoint
   */
  see(viewpoint) {
    return this.#queue(async () => {
      this.viewpoint = viewpoint;
      this.#take(await this.#read(0));
      this.#tell("viewpoint", "entries", "position");
    });
  }

  /** Look at it anew: the page stands in another way. */
  look() {
    this.#tell("entries", "position");
  }

  /**
   * Look at the game right after another entry.
   *
   * @param {number} version
   */
  go(version) {
    const at = Math.min(Math.max(version, 1), this.head);
    if (at === this.at) return;
    this.at = at;
    this.#tell("position");
  }

  /**
   * Look at the game at another place of the order.
   *
   * @param {number} place
   */
  step(place) {
    this.go(this.order[Math.min(Math.max(place, 1), this.order.length) - 1].version);
  }

  /**
   * One after the other, so that no answer overtakes another.
   *
   * @param {() => Promise<void>} work
   */
  #queue(work) {
    const done = this.#work.then(work);
    this.#work = done.catch(() => {});
    return done;
  }

  /**
   * @param {Answer<GameInfo>} [told]
   * @returns {Promise<void>}
   */
  async #refresh(told) {
    const found = told ?? (await getChanged(this.path, this.#tag));
    if (!found) return;
    const following = this.following;
    const cut = found.body.version < this.head; // restored from an older copy
    const fresh = cut ? [] : await this.#read(this.head);
    const same = cut ? 0 : this.#unchanged(fresh);
    const read = same < this.head ? await this.#read(same) : fresh;
    // it has grown since it was told of, or its entries were told before it had
    if (same + read.length !== found.body.version) return this.#refresh();
    this.#take([...this.entries.slice(0, same), ...read]);
    this.info = found.body;
    this.#tag = found.tag;
    if (following || cut) this.at = this.last?.version ?? 0;
    this.#tell("entries", "position");
  }

  /**
   * Up to which version nothing changes by new entries: a correction changes what happened from its entry on.
   *
   * @param {Entry[]} fresh
   */
  #unchanged(fresh) {
    const changed = fresh.filter((entry) => !isPlain(entry)).flatMap((entry) => touched(entry, this.entries));
    const places = changed.map((version) => this.placeOf(version));
    if (!places.length) return this.head;
    const later = this.order.slice(Math.min(...places) - 1).map(({ version }) => version);
    return later.reduce((least, version) => Math.min(least, version), this.head) - 1;
  }

  /**
   * The entries after `after`, all as they counted at one version: begun anew if the record grows in between.
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
   * How somebody is called who recorded, if they have a name; older records name the owner alone, by this word.
   *
   * @param {string} recorder
   */
  called(recorder) {
    return this.people[recorder] ?? (recorder.includes("-") ? "" : recorder);
  }

  /**
   * The notes about an entry, and the rulings on the moment after it, that count.
   *
   * @param {number} version
   * @param {string} type
   */
  about(version, type) {
    return (this.#about.get(version) ?? []).filter((entry) => entry.type === type);
  }

  /** @param {Entry[]} entries */
  #take(entries) {
    this.entries = entries;
    this.order = entries.toSorted((one, other) => one.place - other.place);
    this.#about = new Map();
    for (const entry of entries.filter(counts)) {
      const named = { "note.added": entry.entry, "ruling.given": entry.after }[entry.type];
      if (named) this.#about.set(named, [...(this.#about.get(named) ?? []), entry]);
    }
  }

  /** @param {...string} names */
  #tell(...names) {
    for (const name of names) this.dispatchEvent(new Event(name));
  }
}
