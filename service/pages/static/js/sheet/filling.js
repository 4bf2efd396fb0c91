/**
 * The cell that the keys of a keypad fill in, as a state machine: a pure function of a state and an action.
 *
 * - `begun`: the open line was begun at its first empty field.
 * - `chosen`: somebody chose a field of the open line.
 * - `lost`: others filled in the line that somebody had begun. The keys fill in nothing until somebody goes on.
 * - `cell`: one cell of the sheet is changed, instead of a line.
 */

/** @typedef {"begun" | "chosen" | "lost" | "cell"} Phase */

/**
 * A cell that is changed: its name in notation, its value, and whether the value was typed here.
 *
 * @typedef {{ at: string, text: string, typed: boolean }} Cell
 */

/**
 * The state.
 *
 * - `index` is the index of the current field of the open line, -1 without one.
 * - `fresh` says that the next digit replaces the value.
 * - `cell` is the cell that is changed, null in the other phases.
 *
 * @typedef {{ phase: Phase, index: number, fresh: boolean, cell: Cell | null }} Filling
 */

/**
 * The actions.
 *
 * - `begun`: a line begins at this field. `chosen`: somebody chose this field. `moved`: somebody goes on to this field.
 * - `replaced`: another line is open, with this first field. `taken`: others filled in the one before. `typed`: it had
 *   values that are not recorded.
 * - `changing`: somebody changes a cell. `typed`: the current cell has another text. A digit after it replaces a `fresh`
 *   text.
 *
 * @typedef {{ type: "begun", index: number }
 *   | { type: "chosen", index: number }
 *   | { type: "moved", index: number }
 *   | { type: "replaced", index: number, taken: boolean, typed: boolean }
 *   | { type: "changing", cell: Cell }
 *   | { type: "typed", text: string, fresh: boolean }
 * } FillingAction
 */

/** @type {Filling} */
export const INITIAL_FILLING = { phase: "begun", index: 0, fresh: true, cell: null };

/**
 * The state after an action.
 *
 * @param {Filling} state
 * @param {FillingAction} action
 * @returns {Filling}
 */
export function nextFilling(state, action) {
  switch (action.type) {
    case "begun":
    case "chosen":
      return { phase: action.type, index: action.index, fresh: true, cell: null };
    case "moved":
      return { ...state, phase: state.phase === "lost" ? "chosen" : state.phase, index: action.index, fresh: true };
    case "replaced":
      return afterReplacement(state, action);
    case "changing":
      return { ...state, phase: "cell", fresh: true, cell: action.cell };
    case "typed": {
      const { text, fresh } = action;
      return { ...state, fresh, cell: state.cell && { ...state.cell, text, typed: true } };
    }
  }
}

/**
 * Begin the line that is open now, unless the person filled in something else: the next digit would go to another line.
 *
 * @param {Filling} state
 * @param {{ index: number, taken: boolean, typed: boolean }} action
 * @returns {Filling}
 */
function afterReplacement(state, { index, taken, typed }) {
  if (state.phase === "cell") return state;
  const isLost = taken && (typed || state.phase !== "begun");
  return isLost
    ? { phase: "lost", index: -1, fresh: true, cell: null }
    : { phase: "begun", index, fresh: true, cell: null };
}

/**
 * The column of a cell in notation: `r3 p2 bid`, or `r3 p2` for the default column.
 *
 * @param {Column[]} columns
 * @param {string} at
 */
export function columnOf(columns, at) {
  const named = columns.find(({ id }) => id === at.split(" ").at(-1));
  const own = columns.filter(({ shared }) => !shared);
  return named ?? own.find(({ per }) => per === "round") ?? own[0];
}
