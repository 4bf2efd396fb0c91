import { isCounted } from "../record/history.js";

/**
 * Who sat where after each entry. `opened` has the players of the game's opening by seat, and `people` their names, if
 * known.
 */
export class Seating {
  #opened;
  #people;
  /** @type {{ place: number, seats: Seat[] }[]} */
  #rows = [];
  /** @type {GameRecord | null} */
  #record = null;

  /** @param {{ opened: (string | null)[], people: Record<string, string | null> }} seating */
  constructor({ opened, people }) {
    this.#opened = opened;
    this.#people = people;
  }

  /**
   * Update from a record. Returns whether people changed seats, or their names, since the last time.
   *
   * @param {GameRecord} record
   */
  update(record) {
    this.#record = record;
    const labels = record.facts.seats;
    Object.assign(this.#people, record.people);
    for (const { player, name } of labels) if (player) this.#people[player] = name;
    const before = JSON.stringify(this.#rows);
    let players = this.#opened;
    this.#rows = [{ place: 1, seats: this.#named(players, labels) }];
    for (const { type, seat, player, version, scores = [] } of record.order.filter(isCounted)) {
      const added = scores.length - players.length;
      if (added > 0) players = [...players, ...Array(added).fill(null)];
      else if (type !== "seat.changed") continue;
      if (type === "seat.changed") players = players.with(/** @type {number} */ (seat), player ?? null);
      this.#rows.push({ place: record.placeOf(version), seats: this.#named(players, labels) });
    }
    return JSON.stringify(this.#rows) !== before;
  }

  /**
   * The name of a person, null if unknown.
   *
   * @param {string} player
   */
  nameOf(player) {
    return this.#people[player] ?? null;
  }

  /** @param {number} version */
  placeOf(version) {
    return this.#record?.placeOf(version) ?? 0;
  }

  /**
   * The seats at a place of the order.
   *
   * @param {number} place
   */
  seatsAt(place) {
    return this.#rows.findLast((row) => row.place <= place)?.seats;
  }

  /**
   * @param {(string | null)[]} players
   * @param {Seat[]} labels
   * @returns {Seat[]}
   */
  #named(players, labels) {
    return players.map((player, seat) => ({
      seat,
      label: labels[seat].label,
      player,
      name: player ? this.nameOf(player) : null,
    }));
  }
}
