import { compareRanks } from "../base/order.js";

/** The lines of a score sheet that are due after all values entered here are stored. */

/**
 * `moves` are legal now, and `entered` are the lines of notation being sent. Each column continues with the round after
 * its entered rounds, up to the last of the `rounds`. As on the sheet, no column is more than a round ahead of another.
 * A column with a default does not hold others up: the service says whether its gaps can be filled in. Lines with some
 * empty cells come last, and their entered values `stand` in their blanks.
 *
 * @param {Line[]} moves
 * @param {string[]} entered
 * @param {Sheet} sheet
 * @returns {Line[]}
 */
export function dueLines(moves, entered, { rounds, columns }) {
  const order = columns.map(({ id }) => id);
  const optional = new Set(columns.filter((column) => column.default !== undefined).map(({ id }) => id));
  const begun = Math.max(0, ...entered.map((text) => Number(/^r(\d+) /.exec(text)?.[1] ?? 0)));
  const all = moves
    .flatMap((line) =>
      optional.has(line.move.column) && !isGap(line)
        ? unfilledFrom(fromRound(line, begun), entered).filter((due) => !isGap(due))
        : unfilledFrom(line, entered),
    )
    .filter(({ move }) => !(move.round > (rounds ?? Infinity)));
  const due = all.filter((line) => !isGap(line));
  const needed = due.filter(({ move }) => !optional.has(move.column));
  const oldest = Math.min(...(needed.length ? needed : due).map(({ move }) => move.round ?? Infinity));
  /** @param {Line} line */
  const place = (line) => [isGap(line), line.move.round ?? Infinity, order.indexOf(line.move.column)];
  return all
    .filter((line) => isGap(line) || !(line.move.round > oldest + 1))
    .sort((one, other) => compareRanks(place(one), place(other)));
}

/**
 * The rest of a line, and the next empty line of its column, if any.
 *
 * @param {Line | null} line
 * @param {string[]} entered
 * @returns {Line[]}
 */
function unfilledFrom(line, entered) {
  /** @type {Line[]} */
  const gaps = [];
  for (let due = line; due; due = !line || isGap(line) ? null : inNextRound(due)) {
    const now = withEntered(due, entered);
    if (now && !isGap(now)) return [now, ...gaps];
    if (now) gaps.push(now);
  }
  return gaps;
}

/**
 * Whether some cells of a line are recorded.
 *
 * @param {{ blanks?: Blank[] }} line
 */
function isGap({ blanks }) {
  return Boolean(blanks?.some(({ stands }) => stands));
}

/**
 * A line with its entered values; null if it is complete.
 *
 * @param {Line} line
 * @param {string[]} entered
 * @returns {Line | null}
 */
function withEntered(line, entered) {
  const open = line.notation.split(" ");
  const at = (line.template ?? "").split(" ").flatMap((word, index) => (word === "{}" ? [index] : []));
  let blanks = line.blanks ?? [];
  for (const text of entered) {
    const words = text.split(" ");
    const same = words.length === open.length && open.every((word, index) => word === "?" || word === words[index]);
    if (same && !at.length) return null;
    if (same)
      blanks = blanks.map((blank, index) =>
        words[at[index]] === "?" ? blank : { ...blank, stands: words[at[index]] },
      );
  }
  if (blanks.length && blanks.every(({ stands }) => stands)) return null;
  return { ...line, blanks };
}

/**
 * The line in a round, or in a later one if it is due there.
 *
 * @param {Line} line
 * @param {number} round
 * @returns {Line | null}
 */
function fromRound(line, round) {
  for (let due = /** @type {Line | null} */ (line); ; due = inNextRound(due))
    if (!due || due.move.round == null || due.move.round >= round) return due;
}

/**
 * @param {Line} line
 * @returns {Line | null}
 */
function inNextRound({ move, notation, template, ...line }) {
  if (move.round == null || !notation.includes("?")) return null;
  const round = move.round + 1;
  const [written, open] = [notation, template ?? ""].map((text) => text.replace(/^r\d+/, `r${round}`));
  return { ...line, move: { ...move, round }, notation: written, template: open };
}
