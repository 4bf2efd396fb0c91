/** The lines of a score sheet that are due once all that was entered here is stored. */

/**
 * `moves` as they are legal by what is stored; `entered` the lines of notation that are on their way. Each column goes
 * on with the round after those that were entered, up to the last of the `rounds`; as on the sheet, no column is more
 * than a round ahead of another, and one with a default holds nothing up.
 */
export function onward(moves, entered, { rounds, columns }) {
  const order = columns.map(({ id }) => id);
  const optional = new Set(columns.filter((column) => column.default !== undefined).map(({ id }) => id));
  const begun = Math.max(0, ...entered.map((text) => Number(/^r(\d+) /.exec(text)?.[1] ?? 0)));
  const due = moves
    .map((line) => behind(optional.has(line.move.column) ? from(line, begun) : line, entered))
    .filter((line) => line && !(line.move.round > (rounds ?? Infinity)));
  const needed = due.filter(({ move }) => !optional.has(move.column));
  const oldest = Math.min(...(needed.length ? needed : due).map(({ move }) => move.round ?? Infinity));
  const place = ({ move }) => [move.round ?? Infinity, order.indexOf(move.column)];
  return due
    .filter(({ move }) => !(move.round > oldest + 1))
    .sort((one, other) => compare(place(one), place(other)));
}

/** The line of a column after those of its own that were entered; none after the only one. */
function behind(line, entered) {
  for (let due = line; ; due = next(due)) {
    if (!due || !entered.some((text) => fills(text, due.notation))) return due;
  }
}

/** The line in a round, or in a later one if it is due there. */
function from(line, round) {
  for (let due = line; ; due = next(due)) if (!due || due.move.round == null || due.move.round >= round) return due;
}

/** Whether a text is a line of notation with all of its values filled in. */
function fills(text, notation) {
  const [words, open] = [text.split(" "), notation.split(" ")];
  return words.length === open.length && open.every((word, at) => (word === "?" ? words[at] !== "?" : words[at] === word));
}

function next({ move, notation, template, ...line }) {
  if (move.round == null || !notation.includes("?")) return null;
  const round = move.round + 1;
  const [written, open] = [notation, template].map((text) => text.replace(/^r\d+/, `r${round}`));
  return { ...line, move: { ...move, round }, notation: written, template: open };
}

function compare(one, other) {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 || Number.isNaN(one[at] - other[at]) ? 0 : one[at] - other[at];
}
