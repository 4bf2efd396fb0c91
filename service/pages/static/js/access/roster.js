import { t } from "../base/language.js";

/** @typedef {Schemas["TokenInfo"]} Token */
/** @typedef {{ id: string, role: string | null, holders: string[], devices: Token[] }} Person */

/** The people of the service: their names, and the ids that belong to one person. */
export class Roster {
  /** The ids of all people, each person once. */
  ids = /** @type {string[]} */ ([]);
  /** @type {Record<string, string>} */
  #names = {};
  /**
   * The id that each merged id belongs to.
   *
   * @type {Record<string, string>}
   */
  #merged = {};
  /** @type {Set<string>} */
  #mine;

  /**
   * `me` and `people` are the ids of the reader, and `roles` is sorted by rights.
   *
   * @param {{ me: string, people: string[], owner: string }} page
   * @param {string[]} roles
   */
  constructor({ me, people, owner }, roles) {
    this.me = me;
    this.owner = owner;
    this.roles = roles;
    this.#mine = new Set(people);
  }

  /**
   * Take over the newest names and merges.
   *
   * @param {{ id: string, name: string }[]} players
   * @param {Schemas["MergeInfo"][]} merges
   */
  update(players, merges) {
    this.#names = { [this.owner]: t("owner"), ...Object.fromEntries(players.map(({ id, name }) => [id, name])) };
    this.#merged = Object.fromEntries(merges.map(({ player, into }) => [player, into]));
    this.ids = players.map(({ id }) => id);
  }

  /** @param {string} id */
  nameOf(id) {
    return this.#names[this.currentId(id)] ?? t("Somebody without a name");
  }

  /**
   * The current id of a person: their own, or the one that they were merged into.
   *
   * @param {string} id
   * @returns {string}
   */
  currentId(id) {
    return this.#merged[id] ? this.currentId(this.#merged[id]) : id;
  }

  /** @param {string} id */
  isMe(id) {
    return this.#mine.has(id);
  }

  /**
   * The other people with a role or a device, by name. They and the reader join the ids of all people.
   *
   * @param {Schemas["RoleInfo"][]} given
   * @param {Token[]} devices
   * @returns {Person[]}
   */
  otherPeople(given, devices) {
    const me = this.currentId(this.me);
    const found = [...given.map(({ player }) => player), ...devices.map(({ person }) => person)];
    const ids = new Set(found.map((id) => this.currentId(id)));
    ids.delete(me);
    this.ids = [...new Set([...ids, ...this.ids, me])];
    return this.#byName([...ids]).map((id) => this.#personOf(id, given, devices));
  }

  /** The ids of all people, by name. */
  get sortedIds() {
    return this.#byName(this.ids);
  }

  /**
   * @param {string} id
   * @param {Schemas["RoleInfo"][]} given
   * @param {Token[]} devices
   */
  #personOf(id, given, devices) {
    const own = given.filter(({ player }) => this.currentId(player) === id);
    const held = own.map(({ role }) => role);
    return {
      id,
      role: id === this.owner ? "owner" : (this.roles.findLast((role) => held.includes(role)) ?? null),
      holders: own.map(({ player }) => player),
      devices: devices.filter(({ person }) => this.currentId(person) === id),
    };
  }

  /** @param {string[]} ids */
  #byName(ids) {
    return ids.toSorted((one, other) => this.nameOf(one).localeCompare(this.nameOf(other)));
  }
}
