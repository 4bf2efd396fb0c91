/** @typedef {Sheet & { lines: { move: Json, notation: string, words?: string[] }[], firsts?: number[] }} DraftSheet */

/**
 * The record of a game that no service knows yet: its opening alone, as entries are recorded after it. `sheet` is what
 * the keypad has to know if it is kept on a score sheet, and `known` the moves that are legal at first, where they can
 * be had.
 */
export class Draft extends EventTarget {
  head = 1;
  at = 1;
  /**
   * Nothing happened yet.
   *
   * @type {Entry | undefined}
   */
  last;
  following = true;
  /** @type {string | null} */
  closed = null;
  told = false;
  /** @type {DraftSheet | null} */
  sheet = null;
  /** @type {Line[] | null} */
  known = null;

  /**
   * @param {string} game
   * @param {NewGame} opening
   * @param {{ own: Record<string, DraftSheet>, ready: Record<string, DraftSheet> }} sheets
   */
  constructor(game, { ruleset, options, components_name: own, seats }, sheets) {
    super();
    this.game = game;
    this.path = `/v1/games/${game}`;
    if (ruleset !== "scoresheet") return;
    this.sheet = (own ? sheets.own[own] : sheets.ready[String(options?.template).split("+")[0]]) ?? null;
    this.known = this.sheet && lines(this.sheet, seats.length);
  }

  /** @returns {Entry[]} */
  get entries() {
    return [];
  }

  /**
   * Entries happen in the order in which they are recorded.
   *
   * @param {number} version
   */
  placeOf(version) {
    return version;
  }

  /** The moves that may be made are there. */
  tell() {
    for (const name of ["entries", "position"]) this.dispatchEvent(new Event(name));
  }

  /**
   * @param {string} part
   * @returns {Address<any>}
   */
  address(part) {
    return `${this.path}/${part}`;
  }

  async refresh() {}
}

/**
 * The first lines of a sheet for so many people, as the service would offer them.
 *
 * @param {DraftSheet} sheet
 * @param {number} seats
 */
function lines({ lines, firsts, columns }, seats) {
  const sides = firsts ?? Array.from({ length: seats }, (_, seat) => seat);
  return lines.map(({ move, notation, words }) => {
    if (!words) return { move, notation };
    const column = columns.find(({ id }) => id === move.column);
    const blanks = (column?.shared ? [null] : sides).map((seat) => ({ seat, choices: words }));
    const [open, template] = ["?", "{}"].map((gap) => [notation, ...blanks.map(() => gap)].join(" "));
    return { move, notation: open, template, blanks };
  });
}
