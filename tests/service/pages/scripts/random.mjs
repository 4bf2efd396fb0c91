/** Random values from a seed, for properties: the same seed makes the same values on every machine. */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** A whole number below `limit` (mulberry32). */
  below(limit) {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  /** One of several values. */
  of(values) {
    return values[this.below(values.length)];
  }

  /** A list of up to `most` values. */
  list(most, make) {
    return Array.from({ length: this.below(most + 1) }, make);
  }
}

/** Check something for many seeds; what fails names its seed. */
export function forSeeds(count, check) {
  for (let seed = 1; seed <= count; seed += 1) {
    try {
      check(new Random(seed));
    } catch (error) {
      error.message = `seed ${seed}: ${error.message}`;
      throw error;
    }
  }
}
