/** The next move, from a gesture to a recorded entry: it runs what the state machine of `entering.js` only describes. */
import { Problem } from "../base/api.js";
import { t } from "../base/language.js";
import { isWholeMove, isRoll, movesWithFields } from "../base/notation.js";
import { markAppeared, isDoubleTap } from "../base/taps.js";
import { uuid7 } from "../base/uuid.js";
import { FOREIGN_PROBLEMS, dryRun } from "./dry-run.js";
import { nextState, isOvertaken, isSendable, onlyMove, INITIAL_STATE } from "./entering.js";
import { eventType } from "./event-types.js";
import { legalMoves } from "./movefield.js";
import { RecorderView } from "./recorderview.js";
import { settings } from "./settings.js";
import { Store } from "./store.js";

const PAUSE = 300;

/** @typedef {import("./entering.js").Entering} Entering */
/** @typedef {import("./entering.js").EnteringAction} EnteringAction */

/**
 * The entry of the next move: picked or typed, tried in a dry run that shows its effects or the broken rule, and then
 * recorded. A refused move stays in the field.
 *
 * Gestures and answers of the service become actions. The store makes the next state of them (`entering`), and the view
 * is drawn from that.
 */
export class Recorder {
  #timer = 0;
  /**
   * The trial that is running, by its number.
   *
   * @type {{ trial: number, ended: Promise<void> } | null}
   */
  #running = null;
  /** The versions that this page has recorded. */
  #own = new Set();
  #offered = () => {};
  /** Resolves once the legal moves were offered. */
  offered = new Promise((/** @type {(value: void) => void} */ resolve) => {
    this.#offered = resolve;
  });
  /** Resolves once it is known what waits on this device: the lines of a sheet begin after that. */
  #known;
  /** @type {import("../sheet/keypad.js").Keypad | null} */
  keypad = null;

  /**
   * @param {HTMLElement} element
   * @param {Known} record
   * @param {Sync} sync
   * @param {Words} words
   * @param {Permit} permit
   * @param {Sheet | null} sheet
   */
  constructor(element, record, sync, words, permit, sheet = null) {
    this.record = record;
    this.sync = sync;
    this.permit = permit;
    this.sheet = sheet;
    this.#known = sync.outbox.whenStored;
    /** @type {Store<Entering, EnteringAction>} */
    this.store = new Store(nextState, { ...INITIAL_STATE, hidden: element.hidden, told: element.hidden });
    /** @type {RecorderView} */
    this.view = new RecorderView(element, words, sheet, {
      typed: () =>
        this.#dispatch({ type: "typed", text: this.move.value, filled: this.blanks.notation, head: this.record.head }),
      picked: (line, key) => this.#handlePick(line, key),
      left: () => this.view.focusNext(this.#state),
      filled: (text) => this.#handleFilled(text),
      reasoned: () => this.#dispatch({ type: "reasoned", reason: this.view.reason.value }),
      excused: () => (this.#recordsAtOnce ? this.#submit() : this.#try()),
      submitted: () => this.#submit(),
      toggled: () => this.#toggleIrregular(),
    });
    this.move = this.view.move;
    this.blanks = this.view.blanks;
    this.store.addEventListener("change", (/** @type {any} */ { detail: before }) =>
      this.view.draw(this.#state, before),
    );
    sync.addEventListener("delivered", ({ detail: { item } }) => {
      const [event] = item.body.events ?? [];
      const version = item.base === null ? null : item.base + 1;
      this.#own.add(version);
      if (event) this.#dispatch({ type: "delivered", id: event.id, version, text: item.label });
    });
    // the lines of a sheet continue without waiting for an answer
    if (sheet) sync.outbox.addEventListener("change", () => queueMicrotask(() => this.#drawLines(false)));
    record.addEventListener("entries", () => this.#loadMoves());
    record.addEventListener("position", () => this.#position());
  }

  get #state() {
    return this.store.state;
  }

  /** Whether a tapped move is recorded without confirmation. */
  get #recordsAtOnce() {
    return !this.sheet && !settings.asksConfirmation;
  }

  /**
   * Change the state by an action, and run what follows. A new text is tried when the typing pauses. Legal moves are
   * loaded again if they have changed or were held back.
   *
   * @param {EnteringAction} action
   */
  #dispatch(action) {
    const before = this.#state;
    this.store.dispatch(action);
    const after = this.#state;
    if (after.trial !== before.trial) this.#tryLater();
    const released = before.sent?.held && before.sent.id !== after.sent?.id && action.type !== "offered";
    if (released || before.anyway !== after.anyway) this.#loadMoves();
  }

  #position() {
    const { isAtNewest: newest, closed, showsStory: story } = this.record;
    const outcome = "facts" in this.record && Boolean(this.record.facts.outcome);
    this.#dispatch({ type: "positioned", newest, closed: Boolean(closed), story, outcome });
  }

  /** Try the text once the typing pauses. */
  #tryLater() {
    clearTimeout(this.#timer);
    if (this.#state.phase === "picked") this.#timer = setTimeout(() => this.#try(), PAUSE);
  }

  // Gestures

  /**
   * Handle a tap on a place of the board: it fills in a cell of a sheet, or chooses moves.
   *
   * @param {Place} place
   */
  handleTap(place) {
    const { isAtNewest, closed, showsStory } = this.record;
    if (!isAtNewest || closed || showsStory) return;
    const before = this.#state.tapped;
    this.#dispatch({ type: "tapped", place: placeKey(place) });
    if (isDoubleTap() && this.#state.tapped === before) return;
    if (this.#isConfirmed(place)) return this.#submit();
    if (this.sheet) return place.types && this.#fillIn(place);
    const meaning = this.move.tapMeaning(place);
    if (!meaning.text && !meaning.moves.length) return;
    this.move.applyTap(meaning, place);
    if (meaning.moves.length === 1)
      this.#dispatch({ type: "chosen", place: meaning.moves[0].aside ? "" : placeKey(place) });
  }

  /**
   * Fill in a cell: an empty one with its line, if offered; any other one alone, replacing its value.
   *
   * @param {Place} place
   */
  #fillIn({ at = "", types = "", blank }) {
    if (blank && this.blanks.focus(types, Number(blank))) return;
    const text = blank ? `${at} ` : types;
    this.keypad?.changeCell(at, text.slice(at.length).trim());
    this.move.applyTap({ text, moves: [], only: false }, { types: text }, { preventScroll: this.keypad?.isOpen });
  }

  /**
   * Whether a tap on this place chose the whole move in the field.
   *
   * @param {Place} place
   */
  #isConfirmed(place) {
    return Boolean(this.#state.confirms) && placeKey(place) === this.#state.confirms;
  }

  /**
   * Whether a tap on a place of the board could lead to a legal move.
   *
   * @param {Place} place
   */
  leadsToMove(place) {
    return this.move.tapMeaning(place).moves.length > 0;
  }

  /**
   * Whether another tap on a place would choose among the tapped moves, or confirm the chosen one.
   *
   * @param {Place} place
   */
  isTarget(place) {
    return this.#isConfirmed(place) || this.move.targets(place).length > 0;
  }

  /**
   * Handle a picked move: fill in its blanks, then try it, or record it if it is complete.
   *
   * @param {Line} [line]
   * @param {boolean} key whether it was picked with a key, not on the board
   */
  #handlePick(line, key = false) {
    this.#dispatch({ type: "picked", line: line ?? null });
    this.blanks.open(line?.notation ?? this.move.value);
    const isOld = isOvertaken(this.#state, this.record.head, this.#state.head); // it was offered for another moment
    if (this.#recordsAtOnce && !line?.blanks?.length && !isOld) this.#submit();
    else if (key && line?.once && !isOld) this.#submitOnce();
    else if (this.move.value) this.#try();
  }

  /** Record a move that its key says completely. A move that ends the game is shown first. */
  async #submitOnce() {
    if ((await this.#tryUntilVerdict()) && !this.#state.verdict?.answer?.outcome) await this.#submit();
  }

  /**
   * Record a filled-in move at once if it needs no confirmation. The same holds for a move that was already shown: its
   * last value confirms it, as the last die of a roll does.
   *
   * @param {string} text
   */
  #handleFilled(text) {
    const { asked } = this.#state;
    const isOwn = asked && asked.notation === this.blanks.openMove?.notation;
    const seen = isOwn && !asked.aside && !movesWithFields([asked]).length;
    this.move.typeText(text);
    if (!text || !this.blanks.isComplete) return;
    if (this.#recordsAtOnce || seen || isRoll(this.blanks.openMove)) this.#submit();
    else if (document.activeElement?.matches(".blanks button")) this.view.button.focus();
  }

  /** Offer irregular moves, or legal ones again. */
  #toggleIrregular() {
    this.move.setText("");
    this.#dispatch({ type: "toggled" });
  }

  // Trials

  /**
   * Ask the service for the effects of the entry. A trial of the same entry that is running goes on: on a slow network,
   * people who tap again and again would never get an answer otherwise.
   */
  #try() {
    clearTimeout(this.#timer);
    if (this.#running?.trial === this.#state.trial) return this.#running.ended;
    this.store.dispatch({ type: "trying" });
    const { trial } = this.#state;
    const ended = this.#tryNow(trial).finally(() => {
      if (this.#running?.trial === trial) this.#running = null;
    });
    this.#running = { trial, ended };
    return ended;
  }

  /** @param {number} trial */
  async #tryNow(trial) {
    const { head } = this.record;
    const found = await dryRun(this.record, this.sync, this.#newEvent());
    const verdict = { ...found, head: found.unknown ? undefined : head };
    this.#dispatch({ type: "tried", trial, verdict, begun: this.move.isBeginning });
  }

  /** Try the text until there is a verdict: new legal moves restart the trial. Returns false if the text changed. */
  async #tryUntilVerdict() {
    const { text } = this.move;
    while (this.#state.phase === "picked" && this.move.text === text) await this.#try();
    return this.move.text === text && Boolean(this.#state.verdict);
  }

  /** Whether the text is exactly a listed legal move, or one made by its fields. */
  get #isExact() {
    return this.move.isListed || this.blanks.isResult(this.move.value);
  }

  /** @returns {Sent} */
  #newEvent() {
    const reason = this.#state.reason.trim();
    return { id: uuid7(), data: { move: this.move.value, ...(reason && { override: { reason } }) } };
  }

  // Recording

  /** Whether others have recorded since the move was shown. */
  get #isOvertaken() {
    return this.#followsOthers && isOvertaken(this.#state, this.record.head);
  }

  /**
   * Whether the move has another meaning after entries of others. Lines of a sheet mean the same after them, but its end
   * may have another winner.
   */
  get #followsOthers() {
    return !this.sheet || this.asksFinish;
  }

  /**
   * Whether others have recorded since a version.
   *
   * @param {number} version
   */
  #hasMissed(version) {
    const missed = Array.from({ length: Math.max(0, this.record.head - version) }, (_, later) => version + later + 1);
    return missed.some((each) => !this.#own.has(each));
  }

  /**
   * Record a tried move. An untried one is tried first, and shown, unless it is exactly a legal move as listed or as
   * its fields make it. So is one that others have overtaken, also during the trial.
   *
   * @returns {Promise<void>}
   */
  async #submit() {
    if (!this.move.value || this.view.button.disabled) return;
    if (this.#isOvertaken) return this.#try();
    const { head } = this.record;
    if (!this.#state.verdict && !((await this.#tryUntilVerdict()) && this.#isExact)) return;
    if (this.#followsOthers && this.#hasMissed(head)) return;
    if (!isSendable(this.#state.verdict)) {
      this.#dispatch({ type: "insisted" });
      return this.view.focusMistake();
    }
    await this.#send();
  }

  /** Ask for a reason to record a refused move. */
  async askReason() {
    if (!this.move.value || !(await this.#tryUntilVerdict())) return;
    this.#dispatch({ type: "insisted" });
    this.view.focusMistake();
  }

  /**
   * Record the filled-in values without a trial, unless they are known to break a rule. Returns the problem if it is
   * not recorded. Values filled in since then stay.
   *
   * @returns {Promise<ProblemBody | null>}
   */
  async recordValues() {
    const { verdict } = this.#state;
    if (!this.move.value) return null;
    if (isSendable(verdict)) return this.#send();
    this.#dispatch({ type: "insisted" });
    return verdict?.problem?.body ?? null;
  }

  /** @returns {Promise<ProblemBody | null>} */
  async #send() {
    const [draft, base, prediction] = [this.#newEvent(), this.record.head, this.#state.verdict?.answer];
    const inside = this.view.form.contains(document.activeElement);
    this.#dispatch({ type: "sent", id: draft.id });
    if (this.#state.sent?.id !== draft.id) return null; // it is already being sent
    const left = await this.sync.addAndSend({
      path: `${this.record.path}/events`,
      body: { events: [draft] },
      base,
      label: draft.data.move,
      told: prediction, // the prediction until it is stored
    });
    const problem = left?.problem && new Problem(left.problem);
    if (left && problem && !FOREIGN_PROBLEMS.has(problem.name) && this.sync.outbox.firstItem()?.key === left.key) {
      await this.sync.outbox.drop(left.key);
      this.#dispatch({ type: "failed", id: draft.id, verdict: { problem, head: base } });
      return problem.body;
    }
    if (this.#state.sent?.id === draft.id) this.#dispatch({ type: "begun" });
    if (!this.keypad?.isOpen) this.#refocus(inside);
    return left?.problem ?? null;
  }

  /** @param {boolean} inside whether the form had the focus */
  #refocus(inside) {
    const { button } = this.view;
    if (matchMedia("(hover: hover)").matches)
      this.move.focus(); // a phone's keyboard would cover the board
    else if (inside && [button, document.body].includes(document.activeElement)) this.view.focusNext(this.#state);
  }

  /**
   * The last waiting entry, if Undo can take it back. Not a withdrawal: without it, an older entry would count again.
   * It has its own button.
   */
  get lastWaiting() {
    const last = this.sync.outbox.items().at(-1);
    const [event] = last?.body.events ?? [];
    return last && event && !eventType(event.type ?? "move.made").takes_back ? { key: last.key, event } : null;
  }

  /** Take the last waiting entry back into the field, unless it is stored. Resolves to whether it was taken back. */
  async takeBack() {
    const last = this.lastWaiting;
    await this.sync.whenSent; // an entry that is on its way may be stored
    if (!last || !this.sync.outbox.getItem(last.key)) return false;
    await this.sync.outbox.drop(last.key);
    const { type, data } = last.event;
    this.move.typeText(type ? "" : data.move);
    return true;
  }

  // The next moves

  /** Offer the legal moves at the newest version, if available. */
  async #loadMoves() {
    const [{ head }, { anyway }] = [this.record, this.#state];
    this.#position();
    if (this.record.showsStory) return;
    const known = "known" in this.record ? this.record.known : null;
    const all = known ?? (await legalMoves(this.record, { at: head }, anyway));
    if (this.sheet) await this.#known;
    if (head !== this.record.head) return;
    const own = all?.filter(({ move }) => this.permit.mayPlay(move.seat)) ?? null;
    const moves = this.sheet || anyway ? own : (own?.map((line) => ({ ...line, once: isWholeMove(line) })) ?? null);
    this.#dispatch({ type: "offered", head, moves, anyway });
    if (this.#state.sent || this.#state.anyway !== anyway) return;
    if (this.sheet) this.#drawLines(true);
    this.#offer(moves, all);
    this.view.element.dataset.offered = String(head);
    this.#offered();
    this.#fillInOnlyMove();
  }

  /**
   * @param {Line[] | null} moves
   * @param {Line[] | null} all with the moves of other seats
   */
  #offer(moves, all) {
    if (this.#state.anyway) {
      this.move.offerMoves(moves, t("A move that breaks a rule is not listed: type it."), t("moves against the rules"));
    } else if (this.sheet) this.move.offerMoves(moves, moves?.length ? "" : undefined);
    else this.move.offerMoves(moves, all?.some(({ aside }) => !aside) ? t("It is not your turn.") : undefined);
  }

  /** Fill in the only legal move and its only next ones, so that it just needs confirmation. */
  #fillInOnlyMove() {
    const { text, anyway } = this.#state;
    const isWritten = this.sheet && !text && !anyway && !this.blanks.moves.length;
    const line = this.sheet ? isWritten && this.#finishLine : !this.#recordsAtOnce && onlyMove(this.#state);
    if (line) this.#propose(line);
  }

  /**
   * Fill in a move that is the only one, or that was asked for.
   *
   * @param {Line} line
   */
  #propose(line) {
    markAppeared(this.view.button);
    this.move.proposeMove(line.notation);
    this.#dispatch({ type: "prepared", line });
    this.#try();
  }

  /** The move that finishes a sheet, if possible now. */
  get #finishLine() {
    return this.sheet ? this.#state.moves?.find(({ move }) => move.type === "finish") : undefined;
  }

  /** Whether the sheet can be finished now. */
  get canFinish() {
    return Boolean(this.#finishLine);
  }

  /** Whether the form asks for confirmation to finish the sheet. */
  get asksFinish() {
    return this.#finishLine?.notation === this.#state.text;
  }

  /** Ask for confirmation to finish the sheet, with the winner. */
  askFinish() {
    const line = this.#finishLine;
    if (line) this.#propose(line);
    this.view.button.focus();
  }

  /** @param {boolean} others whether entries of others changed the lines */
  #drawLines(others) {
    const waiting = this.sync.outbox.items().filter(({ body }) => body.events);
    this.view.drawLines(
      this.#state,
      waiting.map(({ label }) => label),
      others,
    );
  }
}

/**
 * The identity of a place of the board: its picture may be redrawn.
 *
 * @param {Place} place
 */
function placeKey({ at, means, types }) {
  return [at, means, types].join();
}
