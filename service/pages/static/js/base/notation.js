/** Lines of notation with gaps: what they leave open, and what fills them in. */

/**
 * The moves that have their fields asked for: those that need fields, and the picked one, if any.
 *
 * @param {Line[]} moves
 * @param {Line | null} picked
 */
export function openLines(moves, picked = null) {
  return moves.filter((line) => line === picked || (!line.aside && isOpen(line.notation)));
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
