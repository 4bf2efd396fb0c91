/**
 * The sheet of a template with the columns and lines of all its options. Some options change the number of rounds.
 *
 * @typedef {Sheet & { lines: { move: Json, notation: string, words?: string[] }[], firsts?: number[],
 *   chosen?: string[], rounds_with?: Record<string, number | null> }} DraftSheet
 */

/**
 * The record of a game that is not on the service yet: only its opening, because entries are recorded after it. `sheet`
 * is the keypad's data for a score sheet, and `known` are the first legal moves, if available.
 */
export class Draft extends EventTarget {
  head = 1;
  at = 1;
  /**
   * There is no entry yet.
   *
   * @type {Entry | undefined}
   */
  lastEntry;
  isAtNewest = true;
  /** @type {string | null} */
  closed = null;
  showsStory = false;
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
    const [template, ...chosen] = String(options?.template).split("+");
    const whole = own ? sheets.own[own] : sheets.ready[template];
    this.sheet = whole ? withOptions(whole, own ? (whole.chosen ?? []) : chosen) : null;
    this.known = this.sheet && lines(this.sheet, seats.length);
  }

  /** @returns {Entry[]} */
  get entries() {
    return [];
  }

  /**
   * Entries happen in the order of recording.
   *
   * @param {number} version
   */
  placeOf(version) {
    return version;
  }

  /** Tell that the possible moves are known. */
  announceMoves() {
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
 * The sheet with the columns and lines for the chosen options.
 *
 * @param {DraftSheet} sheet
 * @param {string[]} chosen
 * @returns {DraftSheet}
 */
export function withOptions(sheet, chosen) {
  /** @param {any} condition */
  const named = (condition) => [condition].flat().some((option) => chosen.includes(option));
  const columns = sheet.columns.filter(({ when, unless }) => (when === undefined || named(when)) && !named(unless));
  const ids = new Set(columns.map(({ id }) => id));
  const lines = sheet.lines.filter(({ move }) => move.column === undefined || ids.has(move.column));
  const rounds = chosen.reduce((number, option) => sheet.rounds_with?.[option] ?? number, sheet.rounds);
  return { ...sheet, columns, lines, rounds };
}

/**
 * The first lines of a sheet for this number of people, as the service would offer them.
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
