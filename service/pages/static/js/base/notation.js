/** Lines of notation with blanks: which values are open, and how they are filled in. */

/** The number of keys in a row on a phone. */
export const KEYS_PER_ROW = 6;

/**
 * The moves that get fields: those that need them, and the picked one, if any.
 *
 * @param {Line[]} moves
 * @param {Line | null} picked
 */
export function movesWithFields(moves, picked = null) {
  const pair = diceForm(moves);
  const open = moves.filter((line) => line === picked || (!line.aside && hasOpenValue(line.notation)));
  return pair ? [pair, ...open] : open;
}

/**
 * Whether a move is a dice roll: it needs no consideration, so its last die confirms it.
 *
 * @param {{ move: Json }} [line]
 */
export function isRoll(line) {
  return line?.move.type === "roll";
}

/**
 * Whether one key says the whole move: it has a name, and no other chosen or open value.
 *
 * @param {Line} line
 */
export function isWholeMove({ move, blanks }) {
  return !blanks?.length && Object.keys(move).every((field) => field === "type" || field === "seat");
}

/**
 * A form with keys for two dice, in place of all their listed rolls.
 *
 * @param {Line[]} moves
 * @returns {Line | null}
 */
export function diceForm(moves) {
  const rolls = moves.filter(isRoll);
  const split = rolls.map(({ notation }) => notation.split(" "));
  const columns = split[0]?.map((_, at) => [...new Set(split.map((line) => line[at]))]) ?? [];
  const dice = columns.filter(({ length }) => length > 1);
  const few =
    dice.every(({ length }) => length <= KEYS_PER_ROW) && split.every(({ length }) => length === columns.length);
  if (dice.length !== 2 || !few || dice[0].length * dice[1].length !== rolls.length) return null;
  const { type, seat } = rolls[0].move;
  const template = columns.map((words) => (words.length > 1 ? "{}" : words[0])).join(" ");
  const blanks = dice.map((choices) => ({ seat, choices }));
  return { move: { type, seat }, notation: template.replaceAll("{}", "?"), template, blanks, whole: true };
}

/**
 * Whether a line needs a value before it can be recorded.
 *
 * @param {string} notation
 */
export function hasOpenValue(notation) {
  return notation.split(" ").includes("?");
}

/**
 * A line up to its first open value.
 *
 * @param {string} notation
 */
export function fixedBeginning(notation) {
  return notation.replace(/\s\?.*$/, "");
}

/**
 * Fill values into a template. A missing value becomes `?`, or nothing if it is optional.
 *
 * @param {string} template
 * @param {Blank[]} blanks
 * @param {string[]} values
 */
export function fillTemplate(template, blanks, values) {
  let at = 0;
  const nextValue = () => {
    const index = at++;
    return values[index] || (blanks[index].optional ? "" : "?");
  };
  return template
    .split(" ")
    .map((word) => word.replaceAll("{}", nextValue))
    .filter(Boolean)
    .join(" ");
}

/**
 * The next fields to fill in: the first empty one and, if that is optional, also the first required one.
 *
 * @template {{ value: string, stands?: string }} Field
 * @param {Blank[]} blanks
 * @param {Field[]} fields
 * @returns {(Field | undefined)[]}
 */
export function nextFields(blanks, fields) {
  const open = fields.filter(isEmpty);
  return [open[0], open.find((field) => !blanks[fields.indexOf(field)].optional)];
}

/**
 * The identity of a move: its notation and blanks, without recorded values.
 *
 * @param {{ notation: string, blanks: Blank[] }} line
 */
export function moveKey({ notation, blanks }) {
  return JSON.stringify([notation, blanks.map(({ stands, ...blank }) => blank)]);
}

/**
 * Whether a field still needs a value.
 *
 * @param {{ value: string, stands?: string }} field
 */
export function isEmpty({ value, stands }) {
  return !value && !stands;
}
