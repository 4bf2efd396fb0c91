/**
 * What the reader of a page may record of a game: `scopes`, and `seats` if only moves of these seats are allowed. `me`
 * has the reader's names in the record.
 */
export class Permit {
  /** @param {{ scopes: string[], seats: number[] | null, me: string[] }} permit */
  constructor({ scopes, seats, me }) {
    this.scopes = scopes;
    this.seats = seats;
    this.me = me;
  }

  /** @param {string} scope */
  hasScope(scope) {
    return this.scopes.includes(scope);
  }

  /** Whether the reader may see the whole record. */
  get seesAll() {
    return this.hasScope("hidden:read");
  }

  /**
   * Whether the reader may record moves of a seat.
   *
   * @param {number | null | undefined} seat
   */
  mayPlay(seat) {
    return !this.seats || (seat != null && this.seats.includes(seat));
  }

  /**
   * Whether the reader may do a `reversal`. Readers who do not see the whole record may take back their own last entry.
   *
   * @param {Reversal | null | undefined} reversal
   * @param {GameRecord} record
   */
  mayReverse(reversal, record) {
    if (!reversal || this.seesAll) return Boolean(reversal);
    return reversal.data.entry === record.head && this.me.includes(record.entries.at(-1)?.recorder ?? "");
  }
}
