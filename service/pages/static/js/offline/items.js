/**
 * Lists of waiting items as pure functions. Each change makes a new list, in which every item follows the one before.
 */

/** The status of a refusal without login. */
export const UNAUTHENTICATED = 401;

/**
 * How many entries of its game an item becomes: an opening is one.
 *
 * @param {{ body: SentBody }} item
 */
export function entryCount({ body }) {
  return body.events?.length ?? 1;
}

/**
 * Add an item at the end of a list. Its `base` counts only if no other item waits before it.
 *
 * @param {Item[]} items
 * @param {{ key: string, path: string, body: SentBody, base?: number | null, label: string, told?: Recorded }} item
 * @returns {Item[]}
 */
export function withItem(items, { base = null, ...item }) {
  const before = items.at(-1);
  const follows = before && base !== null ? (before.base ?? 0) + entryCount(before) : base;
  return [...items, { ...item, place: before ? before.place + 1 : 0, base: follows }];
}

/**
 * Add the items of another device at the end of a list, except those that it already has.
 *
 * @param {Item[]} items
 * @param {Item[]} others
 * @returns {Item[]}
 */
export function withOthers(items, others) {
  const known = new Set(items.map(({ key }) => key));
  const fresh = others.filter(({ key }) => !known.has(key));
  const next = (items.at(-1)?.place ?? -1) + 1;
  return [...items, ...fresh.map((item, index) => ({ ...item, place: next + index }))];
}

/**
 * Change parts of an item.
 *
 * @param {Item[]} items
 * @param {string} key
 * @param {Partial<Item>} parts
 * @returns {Item[]}
 */
export function withChange(items, key, parts) {
  return items.map((item) => (item.key === key ? { ...item, ...parts } : item));
}

/**
 * Set the `base` of all items to a version, and clear refusals. Only the item with this `key` was compared with what
 * others recorded meanwhile: the `problem` with these entries is kept for the other items until it is their turn.
 *
 * @param {Item[]} items
 * @param {number} base
 * @param {{ key?: string, problem?: ProblemBody }} held
 * @returns {Item[]}
 */
export function rebased(items, base, { key, problem } = {}) {
  let next = base;
  return items.map((item) => {
    const follows = next;
    next += entryCount(item);
    const stale =
      item.key === key || !areCellsOrNotes(problem?.missed ?? []) ? item.stale : withEarlier(problem, item.stale);
    return { ...item, base: follows, problem: undefined, stale };
  });
}

/**
 * A problem together with the missed entries of an earlier one.
 *
 * @param {ProblemBody | undefined} problem
 * @param {ProblemBody | undefined} before
 * @returns {any}
 */
function withEarlier(problem, before) {
  return { ...problem, missed: [...(before?.missed ?? []), ...(problem?.missed ?? [])] };
}

/**
 * Remove a stored item.
 *
 * @param {Item[]} items
 * @param {string} key
 */
export function withoutStored(items, key) {
  return items.filter((item) => item.key !== key);
}

/**
 * Remove an item that will not be stored; those after it move up.
 *
 * @param {Item[]} items
 * @param {string} key
 * @returns {Item[]}
 */
export function withoutDropped(items, key) {
  const at = items.findIndex((item) => item.key === key);
  if (at < 0) return items;
  const gone = entryCount(items[at]);
  const later = items.slice(at + 1).map((item) => (item.base == null ? item : { ...item, base: item.base - gone }));
  return [...items.slice(0, at), ...later];
}

/**
 * Whether this person may send an item: others who log in on the device must not send it as theirs.
 *
 * @param {Item} item
 * @param {string | undefined} person
 */
export function maySend({ by }, person) {
  return !by || !person || by === person;
}

/**
 * Whether an item is retried: it was refused without login, and the same person is logged in again.
 *
 * @param {Item | undefined} item
 * @param {string | undefined} person
 */
export function mayRetry(item, person) {
  return item?.problem?.status === UNAUTHENTICATED && Boolean(item.by) && item.by === person;
}

/**
 * @typedef {{ type: string, column: string, round?: number | null, values?: (number | null)[], seat?: number, value?:
 * number }} Cells
 */

/**
 * Whether others recorded only cells of a score sheet, by line or one by one, and notes.
 *
 * @param {{ type?: string, data: any }[]} missed
 */
export function areCellsOrNotes(missed) {
  return missed.length > 0 && missed.every(({ type, data }) => isNote({ type }) || isCells(data.move));
}

/** @param {{ type?: string }} entry */
function isNote({ type }) {
  return type === "note.added";
}

/**
 * Whether others may have filled in the same line as a move. In that case, the move may mean another round for them.
 *
 * @param {unknown} text the move as it was typed
 * @param {any[]} missed
 */
export function mayShareLine(text, missed) {
  const round = /^r([0-9]+)/i.exec(String(text))?.[1];
  return !round || missed.some(({ data }) => data.move?.round === +round);
}

/** @param {any} move */
export function isCells(move) {
  return move?.type === "line" || move?.type === "enter";
}

/**
 * The side of each seat. Empty if teams have numbers as names, because objects sort these.
 *
 * @param {Record<string, string[]>} [sides] the seats of each: `p1`, `p2` …
 * @returns {number[]}
 */
export function sidesOf(sides = {}) {
  if (Object.keys(sides).some((name) => /^\d/.test(name))) return [];
  /** @type {number[]} */
  const found = [];
  Object.values(sides).forEach((seats, side) => {
    for (const seat of seats) found[+seat.slice(1) - 1] = side;
  });
  return found;
}

/**
 * How a move fits with what others recorded meanwhile. It can `join` their notes, or their cells if it fills in cells.
 * The cells can be the `same`, or `differ`. Null if the side of a seat is unknown.
 *
 * @param {any} mine the move
 * @param {any[]} missed the entries of the others
 * @param {number[]} [sides] the side of each seat
 * @returns {"join" | "same" | "differ" | null}
 */
export function compareWithMissed(mine, missed, sides = []) {
  if (!mine || !areCellsOrNotes(missed)) return null;
  /** @type {Cells[]} */
  const moves = missed.filter((entry) => !isNote(entry)).map(({ data }) => data.move);
  if (!moves.length) return "join";
  if (!isCells(mine)) return null;
  const own = moves.filter(({ column, round }) => column === mine.column && (round ?? null) === (mine.round ?? null));
  if (own.length && [mine, ...own].some(({ type, seat }) => type === "enter" && sides[seat] === undefined)) return null;
  const filled = filledCells(mine, sides).map(([at, value]) => ({
    value,
    stands: own.flatMap((move) => filledCells(move, sides)).findLast(([other]) => other === at)?.[1],
  }));
  if (filled.some(({ value, stands }) => stands !== undefined && stands !== value)) return "differ";
  return filled.every(({ value, stands }) => value === stands) ? "same" : "join";
}

/**
 * The sides that a move fills in, with their values.
 *
 * @param {Cells} move
 * @param {number[]} sides
 * @returns {[number, number][]}
 */
function filledCells({ values, seat = 0, value = 0 }, sides) {
  if (!values) return [[sides[seat], value]];
  return values.flatMap((each, at) => (each === null ? [] : [/** @type {[number, number]} */ ([at, each])]));
}

/**
 * Items in the order of entering, independent of the device's clock.
 *
 * @param {Item[]} items
 */
export function sortItems(items) {
  return items.toSorted((one, other) => one.place - other.place || (one.key < other.key ? -1 : 1));
}
