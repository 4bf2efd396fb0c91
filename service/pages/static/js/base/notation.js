/** Lines of notation with gaps: what they leave open, and what fills them in. */

/** So many keys stand beside each other on a phone. */
export const KEYS = 6;

/**
 * The moves that have their fields asked for: those that need fields, and the picked one, if any.
 *
 * @param {Line[]} moves
 * @param {Line | null} picked
 */
export function openLines(moves, picked = null) {
  const pair = pairForm(moves);
  const open = moves.filter((line) => line === picked || (!line.aside && isOpen(line.notation)));
  return pair ? [pair, ...open] : open;
}

/**
 * Whether a move says what dice show: nobody weighs it, so its last die confirms it.
 *
 * @param {{ move: Json }} [line]
 */
export function isRoll(line) {
  return line?.move.type === "roll";
}

/**
 * Whether a key says all of a move: the move has a name, and nothing else that was chosen or can be filled in.
 *
 * @param {Line} line
 */
export function isNamed({ move, blanks }) {
  return !blanks?.length && Object.keys(move).every((field) => field === "type" || field === "seat");
}

/**
 * Where all rolls of two dice are listed, one open move with keys for both dice.
 *
 * @param {Line[]} moves
 * @returns {Line | null}
 */
export function pairForm(moves) {
  const rolls = moves.filter(isRoll);
  const split = rolls.map(({ notation }) => notation.split(" "));
  const columns = split[0]?.map((_, at) => [...new Set(split.map((line) => line[at]))]) ?? [];
  const dice = columns.filter(({ length }) => length > 1);
  const few = dice.every(({ length }) => length <= KEYS) && split.every(({ length }) => length === columns.length);
  if (dice.length !== 2 || !few || dice[0].length * dice[1].length !== rolls.length) return null;
  const { type, seat } = rolls[0].move;
  const template = columns.map((words) => (words.length > 1 ? "{}" : words[0])).join(" ");
  const blanks = dice.map((choices) => ({ seat, choices }));
  return { move: { type, seat }, notation: template.replaceAll("{}", "?"), template, blanks, whole: true };
}

/**
 * Whether a line cannot stand before something is filled in.
 *
 * @param {string} notation
 */
export function isOpen(notation) {
  return notation.split(" ").includes("?");
}

/**
 * A line up to what is still to be filled in.
 *
 * @param {string} notation
 */
export function shortened(notation) {
  return notation.replace(/\s\?.*$/, "");
}

/**
 * A template with values in its gaps: without one stands `?`, or nothing where it may be left out.
 *
 * @param {string} template
 * @param {Blank[]} blanks
 * @param {string[]} values
 */
export function fillIn(template, blanks, values) {
  let at = 0;
  const said = () => {
    const index = at++;
    return values[index] || (blanks[index].optional ? "" : "?");
  };
  return template
    .split(" ")
    .map((word) => word.replaceAll("{}", said))
    .filter(Boolean)
    .join(" ");
}

/**
 * What is asked for next: the first field that is empty and, as that one may be left out, the first that may not.
 *
 * @template {{ value: string, stands?: string }} Field
 * @param {Blank[]} blanks
 * @param {Field[]} fields
 * @returns {(Field | undefined)[]}
 */
export function nextOf(blanks, fields) {
  const open = fields.filter(isEmpty);
  return [open[0], open.find((field) => !blanks[fields.indexOf(field)].optional)];
}

/**
 * A move by what it says and leaves open; what stands there can change.
 *
 * @param {{ notation: string, blanks: Blank[] }} line
 */
export function keyOf({ notation, blanks }) {
  return JSON.stringify([notation, blanks.map(({ stands, ...blank }) => blank)]);
}

/**
 * Whether a field is still to be filled in.
 *
 * @param {{ value: string, stands?: string }} field
 */
export function isEmpty({ value, stands }) {
  return !value && !stands;
}
