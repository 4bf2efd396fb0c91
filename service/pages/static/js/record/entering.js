/**
 * The entry of the next move, as phases that follow one another: a pure function of a state and an action.
 *
 * - `idle`: nothing is entered.
 * - `picked`: a move stands in the field and is not tried yet.
 * - `tried`: a dry run said what it does.
 * - `offline`: it could not be tried, and can be recorded all the same.
 * - `refused`: the service refused it, in a dry run or when it was sent.
 * - `sent`: it is on its way, and still stands in the field.
 * - `stored`: it is recorded, and stands in the field until the moves that can follow are known.
 *
 * What waits in the outbox, because there is no connection or because others recorded first, is not in the field any
 * more: `pending` shows it.
 */

/** @typedef {"idle" | "picked" | "tried" | "offline" | "refused" | "sent" | "stored"} Phase */

/**
 * What the service said of the text in the field, at version `head` of the record, if that matters.
 *
 * @typedef {Verdict & { head?: number }} Judged
 */

/**
 * The state.
 *
 * - `verdict` is what is known of the text; of one that was sent, what was known then.
 * - `shown` is what of it stands below the field: while another text is tried, still what was said before.
 * - `excusable` tells whether a reason can be given why it stands.
 * - `trial` numbers the trials: the answer to an earlier one does not count.
 * - `sent` is the event that is on its way; `held` tells that newer moves wait until it is stored.
 * - `moves` are the moves that are offered, null where they cannot be had; `anyway` tells that they are against the rules.
 * - `asked` is the one that was picked, and has its blanks asked for.
 * - `confirms` is a place of the board: a tap on it said the whole move, and another tap on it confirms the move.
 * - `tapped` is the place that was tapped last.
 * - `ready` is the text that was put ready, because no other move can come next.
 * - `entered` are the lines that were stored since the moves were had.
 *
 * @typedef {{
 *   phase: Phase, text: string, reason: string, verdict: Judged | null, shown: Judged | null, excusable: boolean,
 *   trial: number, sent: { id: string, held: boolean } | null, moves: Line[] | null, anyway: boolean,
 *   asked: Line | null, confirms: string, tapped: string, ready: string, entered: { version: number, text: string }[],
 * }} Entering
 */

/**
 * What can happen.
 *
 * - `typed`: a text came into the field; `filled` is the line that the fields of blanks make.
 * - `reasoned`: a reason was typed. `picked`: a whole move was picked. `prepared`: the only legal move is put ready.
 * - `tapped`: a place of the board was tapped. `said`: that tap said the whole move.
 * - `trying`: a trial begins. `tried`: it ended; `begun` tells that the text is only the beginning of a move.
 * - `insisted`: somebody records what was refused, and is to see why.
 * - `sent`: it goes to the outbox. `delivered`: an entry was stored. `failed`: the service refused it.
 * - `begun`: the next entry begins. `turned`: moves against the rules are asked for, or legal ones again.
 * - `offered`: these moves can be made at version `head`.
 *
 * @typedef {{ type: "typed", text: string, filled: string }
 *   | { type: "reasoned", reason: string }
 *   | { type: "picked", line: Line | null }
 *   | { type: "prepared", line: Line }
 *   | { type: "tapped", place: string }
 *   | { type: "said", place: string }
 *   | { type: "trying" }
 *   | { type: "tried", trial: number, verdict: Judged, begun: boolean }
 *   | { type: "insisted" }
 *   | { type: "sent", id: string }
 *   | { type: "delivered", id: string, version: number | null, text: string }
 *   | { type: "failed", id: string, verdict: Judged }
 *   | { type: "begun" }
 *   | { type: "turned" }
 *   | { type: "offered", head: number, moves: Line[] | null, anyway: boolean }
 * } EnteringAction
 */

/** @type {Entering} */
export const START = {
  phase: "idle",
  text: "",
  reason: "",
  verdict: null,
  shown: null,
  excusable: false,
  trial: 0,
  sent: null,
  moves: [],
  anyway: false,
  asked: null,
  confirms: "",
  tapped: "",
  ready: "",
  entered: [],
};

/**
 * Whether a text can be recorded as far as is known: not if the service refused it. A fault of the service refuses nothing.
 *
 * @param {Judged | null} verdict
 */
export function isSendable(verdict) {
  return !verdict?.problem || verdict.problem.body.status >= 500;
}

/**
 * Whether a move that was refused can stand, with a reason.
 *
 * @param {Judged} verdict
 */
export function isExcusable({ problem }) {
  return problem?.name === "rule-broken" && !problem.body.impossible;
}

/**
 * The state after an action.
 *
 * @param {Entering} state
 * @param {EnteringAction} action
 * @returns {Entering}
 */
export function entering(state, action) {
  switch (action.type) {
    case "typed":
      return typed(state, action.text, action.filled);
    case "reasoned":
      return isOnItsWay(state) ? { ...state, reason: action.reason } : { ...untried(state), reason: action.reason };
    case "picked":
      return { ...state, asked: action.line };
    case "prepared": {
      const { line } = action;
      return { ...typed(state, line.notation, ""), asked: line, ready: line.notation };
    }
    case "tapped":
      return { ...state, tapped: action.place };
    case "said":
      return state.text ? { ...state, confirms: action.place } : state;
    case "trying":
      return { ...state, trial: state.trial + 1 };
    case "tried":
      return tried(state, action);
    case "insisted":
      return state.phase === "refused"
        ? { ...state, shown: state.verdict, excusable: excusable(state, state.verdict) }
        : state;
    case "sent":
      return sendable(state)
        ? { ...state, phase: "sent", sent: { id: action.id, held: false }, trial: state.trial + 1 }
        : state;
    case "delivered":
      return delivered(state, action);
    case "failed":
      return state.sent?.id === action.id ? judged({ ...state, sent: null }, action.verdict) : state;
    case "begun":
      return begun(state);
    case "turned":
      return { ...typed(state, "", ""), anyway: !state.anyway };
    case "offered":
      return offered(state, action);
  }
}

/** @param {Entering} state */
function isOnItsWay({ phase }) {
  return phase === "sent" || phase === "stored";
}

/** @param {Entering} state */
function sendable(state) {
  return state.phase !== "idle" && !isOnItsWay(state) && isSendable(state.verdict);
}

/**
 * The text is another one, or the same again: what was sent is not in the field any more.
 *
 * @param {Entering} state
 * @param {string} text
 * @param {string} filled
 */
function typed(state, text, filled) {
  const { asked, ready, reason } = state;
  const left = text ? reason : "";
  return untried({
    ...state,
    text,
    reason: left,
    sent: null,
    excusable: Boolean(left.trim()),
    asked: asked && [asked.notation, filled].includes(text) ? asked : null,
    confirms: "",
    tapped: text ? state.tapped : "",
    ready: text === ready ? ready : "",
  });
}

/**
 * What is known of the text does not count any more: it is to be tried.
 *
 * @param {Entering} state
 * @returns {Entering}
 */
function untried(state) {
  const { text, shown, trial } = state;
  return { ...state, phase: text ? "picked" : "idle", verdict: null, shown: text ? shown : null, trial: trial + 1 };
}

/**
 * @param {Entering} state
 * @param {{ trial: number, verdict: Judged, begun: boolean }} action
 */
function tried(state, { trial, verdict, begun: isBegun }) {
  if (trial !== state.trial || !state.text || isOnItsWay(state)) return state;
  const next = judged(state, verdict);
  const unfinished = verdict.problem?.name === "bad-notation" && isBegun; // no mistake yet
  return unfinished ? { ...next, shown: null } : next;
}

/**
 * @param {Entering} state
 * @param {Judged} verdict
 * @returns {Entering}
 */
function judged(state, verdict) {
  const phase = isSendable(verdict) ? (verdict.answer ? "tried" : "offline") : "refused";
  return { ...state, phase, verdict, shown: verdict, excusable: excusable(state, verdict) };
}

/**
 * @param {Entering} state
 * @param {Judged | null} verdict
 */
function excusable(state, verdict) {
  return state.excusable || Boolean(verdict && isExcusable(verdict));
}

/**
 * @param {Entering} state
 * @param {{ id: string, version: number | null, text: string }} action
 * @returns {Entering}
 */
function delivered(state, { id, version, text }) {
  const entered = version === null ? state.entered : [...state.entered, { version, text }];
  const next = { ...state, entered };
  return state.sent?.id === id ? { ...next, phase: "stored" } : next;
}

/**
 * What was told is recorded, or waits in the outbox: the next entry begins empty, and with legal moves.
 *
 * @param {Entering} state
 */
function begun(state) {
  return { ...typed(state, "", ""), anyway: false };
}

/**
 * Other moves can be made. As long as an entry is on its way they are held back, so that no choice is drawn twice.
 *
 * @param {Entering} state
 * @param {{ head: number, moves: Line[] | null, anyway: boolean }} action
 * @returns {Entering}
 */
function offered(state, { head, moves, anyway }) {
  const { phase, sent } = state;
  if (phase === "sent" && sent) return sent.held ? state : { ...state, sent: { ...sent, held: true } };
  const next = phase === "stored" ? begun(state) : state;
  if (anyway !== next.anyway) return next;
  const open = next.text && next.text === next.ready ? typed(next, "", "") : next;
  const taken = {
    ...open,
    moves,
    asked: moves?.find(({ notation }) => notation === open.asked?.notation) ?? null,
    entered: moves ? open.entered.filter(({ version }) => version > head) : open.entered,
  };
  return open.text && open.verdict?.head !== head ? untried(taken) : taken; // what was seen of it holds until then
}

/**
 * The only move that can come next, if there is nothing else to choose, to fill in or to say.
 *
 * @param {Entering} state
 */
export function onlyMove({ text, anyway, moves }) {
  const legal = (moves ?? []).filter(({ aside }) => !aside);
  const open = legal.some(({ notation }) => notation.split(" ").includes("?"));
  return !text && !anyway && legal.length === 1 && !open ? legal[0] : null;
}
