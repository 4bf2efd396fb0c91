/**
 * What the reader of a page may record of a game: `scopes`, and `seats` where only moves of those seats are theirs to
 * record. `me` is all that the record calls them.
 */
export class Permit {
  /** @param {{ scopes: string[], seats: number[] | null, me: string[] }} permit */
  constructor({ scopes, seats, me }) {
    this.scopes = scopes;
    this.seats = seats;
    this.me = me;
  }

  /** @param {string} scope */
  may(scope) {
    return this.scopes.includes(scope);
  }

  /** Whether they may see the whole record. */
  get whole() {
    return this.may("hidden:read");
  }

  /**
   * Whether the moves of a seat are theirs to record.
   *
   * @param {number | null | undefined} seat
   */
  plays(seat) {
    return !this.seats || (seat != null && this.seats.includes(seat));
  }

  /**
   * Whether they may do what `reversal` says: who does not see the whole record takes back their own last entry.
   *
   * @param {Reversal | null | undefined} reversal
   * @param {GameRecord} record
   */
  reverses(reversal, record) {
    if (!reversal || this.whole) return Boolean(reversal);
    return reversal.data.entry === record.head && this.me.includes(record.entries.at(-1)?.recorder ?? "");
  }
}
