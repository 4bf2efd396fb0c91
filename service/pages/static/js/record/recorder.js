import { Problem } from "../base/api.js";
import { t } from "../base/language.js";
import { isNamed, isRoll, openLines } from "../base/notation.js";
import { appeared, isDoubleTap } from "../base/taps.js";
import { uuid7 } from "../base/uuid.js";
import { ELSEWHERE, dryRun } from "./dry-run.js";
import { entering, isSendable, onlyMove, START } from "./entering.js";
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
  #offered = () => {};
  /** Resolves once the legal moves were offered. */
  offered = new Promise((/** @type {(value: void) => void} */ resolve) => {
    this.#offered = resolve;
  });
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
    /** @type {Store<Entering, EnteringAction>} */
    this.store = new Store(entering, START);
    /** @type {RecorderView} */
    this.view = new RecorderView(element, words, sheet, {
      typed: () => this.#act({ type: "typed", text: this.move.value, filled: this.blanks.told }),
      picked: (line, key) => this.#picked(line, key),
      left: () => this.view.goOn(this.#state),
      filled: (text) => this.#filled(text),
      reasoned: () => this.#act({ type: "reasoned", reason: this.view.reason.value }),
      excused: () => (this.#goesOn ? this.#submit() : this.#try()),
      submitted: () => this.#submit(),
      turned: () => this.#turn(),
    });
    this.move = this.view.move;
    this.blanks = this.view.blanks;
    this.store.addEventListener("change", () => this.view.draw(this.#state));
    sync.addEventListener("delivered", ({ detail: { item } }) => {
      const [event] = item.body.events ?? [];
      const version = item.base === null ? null : item.base + 1;
      if (event) this.#act({ type: "delivered", id: event.id, version, text: item.label });
    });
    // the lines of a sheet continue without waiting for an answer
    if (sheet) sync.outbox.addEventListener("change", () => queueMicrotask(() => this.#drawLines(false)));
    record.addEventListener("entries", () => this.#refresh());
    record.addEventListener("position", () => this.view.place(record));
  }

  get #state() {
    return this.store.state;
  }

  /** Whether a tapped move is recorded without confirmation. */
  get #goesOn() {
    return !this.sheet && !settings.confirm;
  }

  /**
   * Change the state by an action, and run what follows. A new text is tried when the typing pauses. Legal moves are
   * loaded again if they have changed or were held back.
   *
   * @param {EnteringAction} action
   */
  #act(action) {
    const before = this.#state;
    this.store.send(action);
    const after = this.#state;
    if (after.trial !== before.trial) this.#later();
    const released = before.sent?.held && before.sent.id !== after.sent?.id && action.type !== "offered";
    if (released || before.anyway !== after.anyway) this.#refresh();
  }

  /** Try the text once the typing pauses. */
  #later() {
    clearTimeout(this.#timer);
    if (this.#state.phase === "picked") this.#timer = setTimeout(() => this.#try(), PAUSE);
  }

  // Gestures

  /**
   * Handle a tap on a place of the board: it fills in a cell of a sheet, or chooses moves.
   *
   * @param {Place} place
   */
  tap(place) {
    const { following, closed, told } = this.record;
    if (!following || closed || told) return;
    const before = this.#state.tapped;
    this.#act({ type: "tapped", place: named(place) });
    if (isDoubleTap() && this.#state.tapped === before) return;
    if (this.#isTold(place)) return this.#submit();
    if (this.sheet) return place.types && this.#fillIn(place);
    const said = this.move.meaning(place);
    if (!said.text && !said.moves.length) return;
    this.move.take(said, place);
    if (said.moves.length !== 1 || this.view.button.disabled) return;
    this.#act({ type: "said", place: said.moves[0].aside ? "" : named(place) });
  }

  /**
   * Fill in a cell: an empty one with its line, if offered; any other one alone, replacing its value.
   *
   * @param {Place} place
   */
  #fillIn({ at = "", types = "", blank }) {
    if (blank && this.blanks.focus(types, Number(blank))) return;
    const text = blank ? `${at} ` : types;
    this.keypad?.change(at, text.slice(at.length).trim());
    this.move.take({ text, moves: [], only: false }, { types: text }, { preventScroll: this.keypad?.isOpen });
  }

  /**
   * Whether a tap on this place chose the whole move in the field.
   *
   * @param {Place} place
   */
  #isTold(place) {
    return Boolean(this.#state.confirms) && named(place) === this.#state.confirms;
  }

  /**
   * Whether a tap on a place of the board could lead to a legal move.
   *
   * @param {Place} place
   */
  leads(place) {
    return this.move.meaning(place).moves.length > 0;
  }

  /**
   * Whether another tap on a place would choose among the tapped moves, or confirm the chosen one.
   *
   * @param {Place} place
   */
  isTarget(place) {
    return this.#isTold(place) || this.move.targets(place).length > 0;
  }

  /**
   * Handle a picked move: fill in its blanks, then try it, or record it if it is complete.
   *
   * @param {Line} [line]
   * @param {boolean} key whether it was picked with a key, not on the board
   */
  #picked(line, key = false) {
    if (!this.sheet) this.#act({ type: "picked", line: line ?? null });
    this.blanks.open(line?.notation ?? this.move.value);
    if (this.#goesOn && !line?.blanks?.length) this.#submit();
    else if (key && line?.once) this.#submitOnce();
    else if (this.move.value) this.#try();
  }

  /** Record a move that its key says completely. A move that ends the game is shown first. */
  async #submitOnce() {
    if ((await this.#tried()) && !this.#state.verdict?.answer?.outcome) await this.#submit();
  }

  /**
   * Record a filled-in move at once if it needs no confirmation. The same holds for a move that was already shown: its
   * last value confirms it, as the last die of a roll does.
   *
   * @param {string} text
   */
  #filled(text) {
    const { asked } = this.#state;
    const seen = asked && !asked.aside && !openLines([asked]).length;
    this.move.type(text);
    if (!text || !this.blanks.complete) return;
    if (this.#goesOn || seen || isRoll(this.blanks.line)) this.#submit();
    else if (document.activeElement?.matches(".blanks button")) this.view.button.focus();
  }

  /** Offer irregular moves, or legal ones again. */
  #turn() {
    this.move.set("");
    this.#act({ type: "turned" });
  }

  // Trials

  /** Ask the service for the effects of the entry. */
  async #try() {
    clearTimeout(this.#timer);
    this.store.send({ type: "trying" });
    const { trial } = this.#state;
    const { head } = this.record;
    const found = await dryRun(this.record, this.sync, this.#draft());
    const verdict = { ...found, head: found.unknown ? undefined : head };
    this.#act({ type: "tried", trial, verdict, begun: this.move.begun });
  }

  /** Try the text until there is a verdict: new legal moves restart the trial. Returns false if the text changed. */
  async #tried() {
    const { text } = this.move;
    while (this.#state.phase === "picked" && this.move.text === text) await this.#try();
    return this.move.text === text && Boolean(this.#state.verdict);
  }

  /** Whether the text is exactly a listed legal move, or one made by its fields. */
  get #meant() {
    return this.move.listed || this.blanks.filled(this.move.value);
  }

  /** @returns {Sent} */
  #draft() {
    const reason = this.#state.reason.trim();
    return { id: uuid7(), data: { move: this.move.value, ...(reason && { override: { reason } }) } };
  }

  // Recording

  /**
   * Record a tried move. An untried one is tried first, and shown, unless it is exactly a legal move as listed or as
   * its fields make it.
   *
   * @returns {Promise<void>}
   */
  async #submit() {
    if (!this.move.value || this.view.button.disabled) return;
    if (!this.#state.verdict && !((await this.#tried()) && this.#meant)) return;
    if (!isSendable(this.#state.verdict)) {
      this.#act({ type: "insisted" });
      return this.view.mend();
    }
    await this.#send();
  }

  /** Ask for a reason to record a refused move. */
  async excuse() {
    if (!this.move.value || !(await this.#tried())) return;
    this.#act({ type: "insisted" });
    this.view.mend();
  }

  /**
   * Record the filled-in values without a trial, unless they are known to break a rule. Returns the problem if it is
   * not recorded. Values filled in since then stay.
   *
   * @returns {Promise<ProblemBody | null>}
   */
  async enter() {
    const { verdict } = this.#state;
    if (!this.move.value) return null;
    if (isSendable(verdict)) return this.#send();
    this.#act({ type: "insisted" });
    return verdict?.problem?.body ?? null;
  }

  /** @returns {Promise<ProblemBody | null>} */
  async #send() {
    const [draft, base, told] = [this.#draft(), this.record.head, this.#state.verdict?.answer];
    const inside = this.view.form.contains(document.activeElement);
    this.#act({ type: "sent", id: draft.id });
    if (this.#state.sent?.id !== draft.id) return null; // it is already being sent
    const left = await this.sync.send({
      path: `${this.record.path}/events`,
      body: { events: [draft] },
      base,
      label: draft.data.move,
      told, // the prediction until it is stored
    });
    const problem = left?.problem && new Problem(left.problem);
    if (left && problem && !ELSEWHERE.has(problem.name) && this.sync.outbox.first()?.key === left.key) {
      await this.sync.outbox.drop(left.key);
      this.#act({ type: "failed", id: draft.id, verdict: { problem, head: base } });
      return problem.body;
    }
    if (this.#state.sent?.id === draft.id) this.#begin();
    if (!this.keypad?.isOpen) this.#refocus(inside);
    return left?.problem ?? null;
  }

  /** Start again: the entry is recorded, and the next one begins empty. */
  #begin() {
    this.view.empty();
    this.#act({ type: "begun" });
  }

  /** @param {boolean} inside whether the form had the focus */
  #refocus(inside) {
    const { button } = this.view;
    if (matchMedia("(hover: hover)").matches)
      this.move.focus(); // a phone's keyboard would cover the board
    else if (inside && [button, document.body].includes(document.activeElement)) this.view.goOn(this.#state);
  }

  /**
   * The last waiting entry, if Undo can take it back. Not a withdrawal: without it, an older entry would count again.
   * It has its own button.
   */
  get waiting() {
    const last = this.sync.outbox.items().at(-1);
    const [event] = last?.body.events ?? [];
    return last && event && !eventType(event.type ?? "move.made").takes_back ? { key: last.key, event } : null;
  }

  /** Take the last waiting entry back into the field. */
  async takeBack() {
    const last = this.waiting;
    if (!last) return;
    await this.sync.outbox.drop(last.key);
    const { type, data } = last.event;
    this.move.type(type ? "" : data.move);
  }

  // The next moves

  /** Offer the legal moves at the newest version, if available. */
  async #refresh() {
    const [{ head }, { anyway }] = [this.record, this.#state];
    this.view.place(this.record);
    if (this.record.told) return;
    const known = "known" in this.record ? this.record.known : null;
    const all = known ?? (await legalMoves(this.record, { at: head }, anyway));
    if (head !== this.record.head) return;
    const before = this.#state;
    if (before.phase === "stored") this.view.empty();
    const own = all?.filter(({ move }) => this.permit.plays(move.seat)) ?? null;
    const moves = this.sheet || anyway ? own : (own?.map((line) => ({ ...line, once: isNamed(line) })) ?? null);
    this.#act({ type: "offered", head, moves, anyway });
    if (this.#state.sent || this.#state.anyway !== anyway) return;
    if (this.sheet) this.#drawLines(true);
    this.#offer(moves, all);
    this.view.element.dataset.offered = String(head);
    this.#offered();
    this.#prepare();
  }

  /**
   * @param {Line[] | null} moves
   * @param {Line[] | null} all with the moves of other seats
   */
  #offer(moves, all) {
    if (this.#state.anyway) {
      this.move.offer(moves, t("Type a move that breaks a rule: it cannot be offered."), t("moves against the rules"));
    } else if (this.sheet) this.move.offer(moves, moves?.length ? "" : undefined);
    else this.move.offer(moves, all?.some(({ aside }) => !aside) ? t("It is not your turn.") : undefined);
  }

  /** Fill in the only legal move and its only next ones, so that it just needs confirmation. */
  #prepare() {
    const { text, anyway } = this.#state;
    const isWritten = this.sheet && !text && !anyway && !this.blanks.lines.length;
    const line = this.sheet ? isWritten && this.#finishLine : !this.#goesOn && onlyMove(this.#state);
    if (line) this.#ready(line);
  }

  /**
   * Fill in a move that is the only one, or that was asked for.
   *
   * @param {Line} line
   */
  #ready(line) {
    appeared(this.view.button);
    this.move.propose(line.notation);
    this.#act({ type: "prepared", line });
    this.#try();
  }

  /** The move that finishes a sheet, if possible now. */
  get #finishLine() {
    return this.sheet ? this.#state.moves?.find(({ move }) => move.type === "finish") : undefined;
  }

  /** Whether the sheet can be finished now. */
  get finishes() {
    return Boolean(this.#finishLine);
  }

  /** Whether the form asks for confirmation to finish the sheet. */
  get finishing() {
    return Boolean(this.#state.text) && this.#finishLine?.notation === this.#state.text;
  }

  /** Ask for confirmation to finish the sheet, with the winner. */
  finish() {
    const line = this.#finishLine;
    if (line) this.#ready(line);
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
function named({ at, means, types }) {
  return [at, means, types].join();
}
