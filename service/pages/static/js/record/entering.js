/**
 * The entry of the next move as a state machine: a pure function of a state and an action.
 *
 * - `idle`: nothing is entered.
 * - `picked`: a move is in the field and not tried yet.
 * - `tried`: a dry run showed its effects.
 * - `offline`: a dry run was not possible, but it can be recorded.
 * - `refused`: the service refused it, in a dry run or when it was sent.
 * - `sent`: it is being sent, and still in the field.
 * - `stored`: it is recorded, and stays in the field until the next moves are known.
 *
 * An entry that waits in the outbox, without a connection or after entries of others, is not in the field: `pending`
 * shows it.
 */
import { isOverridable } from "../base/api.js";

/** @typedef {"idle" | "picked" | "tried" | "offline" | "refused" | "sent" | "stored"} Phase */

/**
 * The service's verdict on the text in the field, at version `head` of the record if relevant.
 *
 * @typedef {Verdict & { head?: number }} Judged
 */

/**
 * The state.
 *
 * - `verdict` is the verdict on the text, or on the sent text at its time.
 * - `shown` is the verdict below the field. While another text is tried, it is the one before.
 * - `overridable` says whether the move can be recorded with a reason.
 * - `trial` numbers the trials: an answer to an earlier one is ignored.
 * - `sent` is the event being sent; `held` says that newer moves wait until it is stored.
 * - `moves` are the offered moves, null if unavailable; `anyway` says that they break a rule.
 * - `asked` is the picked move, while its blanks are filled in.
 * - `confirms` is a place of the board: a tap on it chose the whole move, and another tap on it confirms the move.
 * - `tapped` is the last tapped place.
 * - `ready` is the text that was filled in because no other move is possible.
 * - `entered` are the lines stored since the moves were loaded. `head` is the version that these are for, null at first.
 * - `since` is the version that the text was entered for. `overtaken`: others have recorded since then, and what the
 *   text means now was not shown yet.
 * - `entry` numbers the entries: the fields of the next one are empty.
 * - `lines` are the last moves that were available: a sheet goes on with them.
 * - `newest` says that the page shows the newest entry. `hidden`: the record is closed, or the page tells its story.
 * - `told` says that the page has told the story before. `ended`: the game has ended. It does not count after the
 *   story: people who return from it want to record more.
 *
 * @typedef {{
 *   phase: Phase, text: string, reason: string, verdict: Judged | null, shown: Judged | null, overridable: boolean,
 *   trial: number, sent: { id: string, held: boolean } | null, moves: Line[] | null, anyway: boolean,
 *   asked: Line | null, confirms: string, tapped: string, ready: string, entered: { version: number, text: string }[],
 *   head: number | null, since: number | null, overtaken: boolean, entry: number, lines: Line[],
 *   newest: boolean, hidden: boolean, told: boolean, ended: boolean,
 * }} Entering
 */

/**
 * The actions.
 *
 * - `typed`: a text was typed for version `head`; `filled` is the line made by the fields of blanks.
 * - `reasoned`: a reason was typed. `picked`: a whole move was picked. `prepared`: the only legal move was filled in.
 * - `tapped`: a place of the board was tapped. `chosen`: that tap chose the whole move.
 * - `trying`: a trial begins. `tried`: it ended; `begun` says that the text is only the beginning of a move.
 * - `insisted`: somebody records a refused move, and should see the reason.
 * - `sent`: it goes to the outbox. `delivered`: it was stored. `failed`: the service refused it.
 * - `begun`: the next entry begins. `toggled`: somebody asks for irregular moves, or for legal ones again.
 * - `offered`: these moves are possible at version `head`.
 * - `positioned`: the page shows another entry, or the record another end. `story`: the page tells the story.
 *
 * @typedef {{ type: "typed", text: string, filled: string, head: number }
 *   | { type: "reasoned", reason: string }
 *   | { type: "picked", line: Line | null }
 *   | { type: "prepared", line: Line }
 *   | { type: "tapped", place: string }
 *   | { type: "chosen", place: string }
 *   | { type: "trying" }
 *   | { type: "tried", trial: number, verdict: Judged, begun: boolean }
 *   | { type: "insisted" }
 *   | { type: "sent", id: string }
 *   | { type: "delivered", id: string, version: number | null, text: string }
 *   | { type: "failed", id: string, verdict: Judged }
 *   | { type: "begun" }
 *   | { type: "toggled" }
 *   | { type: "offered", head: number, moves: Line[] | null, anyway: boolean }
 *   | { type: "positioned", newest: boolean, closed: boolean, story: boolean, outcome: boolean }
 * } EnteringAction
 */

/** @type {Entering} */
export const INITIAL_STATE = {
  phase: "idle",
  text: "",
  reason: "",
  verdict: null,
  shown: null,
  overridable: false,
  trial: 0,
  sent: null,
  moves: [],
  anyway: false,
  asked: null,
  confirms: "",
  tapped: "",
  ready: "",
  entered: [],
  head: null,
  since: null,
  overtaken: false,
  entry: 0,
  lines: [],
  newest: true,
  hidden: false,
  told: false,
  ended: false,
};

/**
 * Whether a text can be recorded: not if the service refused it. An internal error of the service is no refusal.
 *
 * @param {Judged | null} verdict
 */
export function isSendable(verdict) {
  return !verdict?.problem || verdict.problem.body.status >= 500;
}

/**
 * The state after an action.
 *
 * @param {Entering} state
 * @param {EnteringAction} action
 * @returns {Entering}
 */
export function nextState(state, action) {
  switch (action.type) {
    case "typed":
      return { ...withText(state, action.text, action.filled), since: action.head };
    case "reasoned":
      return isBeingSent(state)
        ? { ...state, reason: action.reason }
        : { ...withoutVerdict(state), reason: action.reason };
    case "picked":
      return { ...state, asked: action.line };
    case "prepared": {
      const { line } = action;
      return { ...withText(state, line.notation, ""), asked: line, ready: line.notation, since: state.head };
    }
    case "tapped":
      return { ...state, tapped: action.place };
    case "chosen":
      return state.text ? { ...state, confirms: action.place } : state;
    case "trying":
      return { ...state, trial: state.trial + 1 };
    case "tried":
      return afterTrial(state, action);
    case "insisted":
      return state.phase === "refused"
        ? { ...state, shown: state.verdict, overridable: isOverridableNow(state, state.verdict) }
        : state;
    case "sent":
      return canSend(state)
        ? { ...state, phase: "sent", sent: { id: action.id, held: false }, trial: state.trial + 1 }
        : state;
    case "delivered":
      return afterDelivery(state, action);
    case "failed":
      return state.sent?.id === action.id ? withVerdict({ ...state, sent: null }, action.verdict) : state;
    case "begun":
      return afterRecording(state);
    case "toggled":
      return { ...withText(state, "", ""), anyway: !state.anyway };
    case "offered":
      return withMoves(state, action);
    case "positioned": {
      const { newest, closed, story, outcome } = action;
      const told = state.told || story;
      return { ...state, newest, hidden: closed || story, told, ended: outcome && !told };
    }
  }
}

/** @param {Entering} state */
function isBeingSent({ phase }) {
  return phase === "sent" || phase === "stored";
}

/** @param {Entering} state */
function canSend(state) {
  return state.phase !== "idle" && !isBeingSent(state) && isSendable(state.verdict);
}

/**
 * Change the text, or confirm the same one: a sent text is no longer in the field.
 *
 * @param {Entering} state
 * @param {string} text
 * @param {string} filled
 */
function withText(state, text, filled) {
  const { asked, ready, reason } = state;
  const left = text ? reason : "";
  return withoutVerdict({
    ...state,
    text,
    reason: left,
    sent: null,
    overridable: Boolean(left.trim()),
    asked: asked && [asked.notation, filled].includes(text) ? asked : null,
    confirms: "",
    tapped: text ? state.tapped : "",
    ready: text === ready ? ready : "",
    overtaken: false,
  });
}

/**
 * Drop the verdict on the text: it needs a new trial.
 *
 * @param {Entering} state
 * @returns {Entering}
 */
function withoutVerdict(state) {
  const { text, shown, trial } = state;
  return { ...state, phase: text ? "picked" : "idle", verdict: null, shown: text ? shown : null, trial: trial + 1 };
}

/**
 * @param {Entering} state
 * @param {{ trial: number, verdict: Judged, begun: boolean }} action
 */
function afterTrial(state, { trial, verdict, begun: isBegun }) {
  if (trial !== state.trial || !state.text || isBeingSent(state)) return state;
  const next = withVerdict(state, verdict);
  const unfinished = verdict.problem?.name === "bad-notation" && isBegun; // not a mistake yet
  return unfinished ? { ...next, shown: null } : next;
}

/**
 * @param {Entering} state
 * @param {Judged} verdict
 * @returns {Entering}
 */
function withVerdict(state, verdict) {
  const phase = isSendable(verdict) ? (verdict.answer ? "tried" : "offline") : "refused";
  return { ...state, phase, verdict, shown: verdict, overridable: isOverridableNow(state, verdict), overtaken: false };
}

/**
 * @param {Entering} state
 * @param {Judged | null} verdict
 */
function isOverridableNow(state, verdict) {
  return state.overridable || Boolean(verdict?.problem && isOverridable(verdict.problem.body));
}

/**
 * @param {Entering} state
 * @param {{ id: string, version: number | null, text: string }} action
 * @returns {Entering}
 */
function afterDelivery(state, { id, version, text }) {
  const entered = version === null ? state.entered : [...state.entered, { version, text }];
  const next = { ...state, entered };
  return state.sent?.id === id ? { ...next, phase: "stored" } : next;
}

/**
 * After the entry is recorded or waits in the outbox: the next one begins empty, with legal moves.
 *
 * @param {Entering} state
 */
function afterRecording(state) {
  return { ...withText(state, "", ""), anyway: false, entry: state.entry + 1 };
}

/**
 * Offer other moves. While an entry is being sent they are held back, so that choices are not drawn twice.
 *
 * @param {Entering} state
 * @param {{ head: number, moves: Line[] | null, anyway: boolean }} action
 * @returns {Entering}
 */
function withMoves(state, { head, moves, anyway }) {
  const { phase, sent } = state;
  if (phase === "sent" && sent) return sent.held ? state : { ...state, sent: { ...sent, held: true } };
  const next = phase === "stored" ? afterRecording(state) : state;
  if (anyway !== next.anyway) return next;
  const open = next.text && next.text === next.ready ? withText(next, "", "") : next;
  const taken = {
    ...open,
    moves,
    lines: moves ?? open.lines,
    asked: moves?.find(({ notation }) => notation === open.asked?.notation) ?? null,
    entered: moves ? open.entered.filter(({ version }) => version > head) : open.entered,
    head,
    since: head,
  };
  if (!open.text || open.verdict?.head === head) return taken;
  return { ...withoutVerdict(taken), overtaken: isOvertaken(open, head) }; // the verdict is valid until then
}

/**
 * Whether others have recorded since the text was shown with its effects, or entered: it can mean the move of another
 * seat now.
 *
 * @param {Entering} state
 * @param {number} newest the newest version of the record
 * @param {number | null} from the version that it was for
 */
export function isOvertaken({ verdict, entered, since, overtaken }, newest, from = verdict?.head ?? since) {
  if (overtaken || from === null) return overtaken;
  return entered.filter(({ version }) => from < version && version <= newest).length < newest - from;
}

/**
 * Whether the game is over: then only taking back its last move is possible.
 *
 * @param {Entering} state
 */
export function isOver({ ended, text, moves }) {
  return ended && !text && !moves?.length;
}

/**
 * The only possible next move, if there is nothing else to choose or fill in.
 *
 * @param {Entering} state
 */
export function onlyMove({ text, anyway, moves }) {
  const legal = (moves ?? []).filter(({ aside }) => !aside);
  const open = legal.some(({ notation }) => notation.split(" ").includes("?"));
  return !text && !anyway && legal.length === 1 && !open ? legal[0] : null;
}
