/**
 * What whoever looks at a game may record of it: `scopes`, and `seats`, if only what those do is theirs to record. `me`
 * is all that the record calls them.
 */
export class Permit {
  constructor({ scopes, seats, me }) {
    Object.assign(this, { scopes, seats, me });
  }

  may(scope) {
    return this.scopes.includes(scope);
  }

  /** Whether they may see the whole record. */
  get whole() {
    return this.may("hidden:read");
  }

  /** Whether the moves of a seat are theirs to record. */
  plays(seat) {
    return !this.seats || this.seats.includes(seat);
  }

  /** Whether they may do what `reversal` says: who does not see the whole record takes back their own last entry. */
  reverses(reversal, record) {
    if (!reversal || this.whole) return Boolean(reversal);
    return reversal.data.entry === record.head && this.me.includes(record.entries.at(-1)?.recorder);
  }
}
