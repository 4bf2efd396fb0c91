import { get } from "./api.js";

const PAGE = 500;

/**
 * A game's record as it is known here, seen from a viewpoint and looked at after entry `at`.
 *
 * Tells `entries` when the record has grown or changed, `viewpoint` when it is seen from elsewhere, and `position`
 * whenever another version is to be shown: after each of these, too.
 */
export class GameRecord extends EventTarget {
  info = null;
  entries = [];
  at = 0;
  #notes = new Map();
  #tag = null;
  #work = Promise.resolve();

  constructor(game, viewpoint) {
    super();
    this.path = `/v1/games/${game}`;
    this.viewpoint = viewpoint;
  }

  /** The newest version that is known here. */
  get head() {
    return this.entries.length;
  }

  get following() {
    return this.at === this.head;
  }

  /** Where a part of the game is, as seen from the viewpoint after entry `at`. */
  address(part, at) {
    const query = new URLSearchParams(this.viewpoint == null ? {} : { seat: this.viewpoint });
    if (at != null) query.set("at", at);
    return `${this.path}/${part}?${query}`;
  }

  /** Take in what was recorded since; who looks at the newest entry goes on doing so. */
  refresh() {
    return this.#queue(() => this.#refresh());
  }

  /** See the record from elsewhere. */
  see(viewpoint) {
    return this.#queue(async () => {
      this.viewpoint = viewpoint;
      this.entries = await this.#read(0);
      this.#gatherNotes();
      this.#tell("viewpoint", "entries", "position");
    });
  }

  /** Look at the game after another entry. */
  go(version) {
    const at = Math.min(Math.max(version, 1), this.head);
    if (at === this.at) return;
    this.at = at;
    this.#tell("position");
  }

  /** One after the other, so that no answer overtakes another. */
  #queue(work) {
    const done = this.#work.then(work);
    this.#work = done.catch(() => {});
    return done;
  }

  async #refresh() {
    const found = await get(this.path, { tag: this.#tag });
    if (!found) return;
    const following = this.following;
    const cut = found.body.version < this.head; // restored from an older copy
    const fresh = cut ? [] : await this.#read(this.head);
    const corrected = cut || (this.head > 0 && fresh.some((entry) => entry.type === "entry.withdrawn"));
    this.entries = corrected ? await this.#read(0) : [...this.entries, ...fresh];
    this.#gatherNotes();
    this.info = found.body;
    this.#tag = found.tag;
    if (following || cut) this.at = this.head;
    this.#tell("entries", "position");
  }

  async #read(after) {
    const entries = [];
    for (let next = after; next != null;) {
      const { body } = await get(`${this.address("timeline")}&after=${next}&limit=${PAGE}`);
      entries.push(...body.entries);
      next = body.next;
    }
    return entries;
  }

  /** The notes about an entry that count. */
  notesOn(version) {
    return this.#notes.get(version) ?? [];
  }

  #gatherNotes() {
    this.#notes = new Map();
    for (const entry of this.entries) {
      if (entry.type !== "note.added" || !entry.entry || entry.withdrawn_by) continue;
      this.#notes.set(entry.entry, [...this.notesOn(entry.entry), entry]);
    }
  }

  #tell(...names) {
    for (const name of names) this.dispatchEvent(new Event(name));
  }
}
