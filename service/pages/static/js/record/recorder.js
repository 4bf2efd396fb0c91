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
 * The entry of the next move: picked or typed, tried in a dry run that shows what it does or which rule it breaks, and
 * then recorded. What the service refuses stays in the field.
 *
 * What somebody does, and what the service answers, become actions; the store makes the next state of them (`entering`);
 * and the view is drawn from that.
 */
export class Recorder {
  #timer = 0;
  #offered = () => {};
  /** Settles once the legal moves were offered. */
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
    // the lines of a sheet go on as soon as one was entered: what is on its way needs no answer for that
    if (sheet) sync.outbox.addEventListener("change", () => queueMicrotask(() => this.#drawLines(false)));
    record.addEventListener("entries", () => this.#refresh());
    record.addEventListener("position", () => this.view.place(record));
  }

  get #state() {
    return this.store.state;
  }

  /** Whether what was tapped is recorded without being confirmed. */
  get #goesOn() {
    return !this.sheet && !settings.confirm;
  }

  /**
   * Let an action make the next state, and do what follows. A new text is tried when the typing rests. Legal moves are
   * asked for when they have changed, or were held back.
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

  /** Try what is typed as soon as the typing rests. */
  #later() {
    clearTimeout(this.#timer);
    if (this.#state.phase === "picked") this.#timer = setTimeout(() => this.#try(), PAUSE);
  }

  // What somebody does

  /**
   * Take a tap on a place of the board: a cell of a sheet is filled in, any other place says which move.
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
   * Fill in a cell: an empty one with its line, if that is offered; any other one by itself, over what stands there.
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
   * Whether a tap on this place told the whole move that stands there now.
   *
   * @param {Place} place
   */
  #isTold(place) {
    return Boolean(this.#state.confirms) && named(place) === this.#state.confirms;
  }

  /**
   * Whether a tap on a place of the board would lead to a legal move.
   *
   * @param {Place} place
   */
  leads(place) {
    return this.move.meaning(place).moves.length > 0;
  }

  /**
   * Whether another tap on a place would choose among the moves that were tapped so far, or confirm the one it told.
   *
   * @param {Place} place
   */
  isTarget(place) {
    return this.#isTold(place) || this.move.targets(place).length > 0;
  }

  /**
   * A move was picked as a whole: what it leaves open is asked for, and it is tried, or recorded if that is all.
   *
   * @param {Line} [line]
   * @param {boolean} key whether a key said it, and no place of the board
   */
  #picked(line, key = false) {
    if (!this.sheet) this.#act({ type: "picked", line: line ?? null });
    this.blanks.open(line?.notation ?? this.move.value);
    if (this.#goesOn && !line?.blanks?.length) this.#submit();
    else if (key && line?.once) this.#submitOnce();
    else if (this.move.value) this.#try();
  }

  /** Record what its key says all of, unless the game ends with it: then it is shown first. */
  async #submitOnce() {
    if ((await this.#tried()) && !this.#state.verdict?.answer?.outcome) await this.#submit();
  }

  /**
   * Record a filled-in move at once if nobody has to confirm it. The same holds for a move that was on show before: its last
   * fact confirms it, too, as the last die of a roll does.
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

  /** Offer what is against the rules, or what is legal again. */
  #turn() {
    this.move.set("");
    this.#act({ type: "turned" });
  }

  // What is tried

  /** Ask the service what the entry would do. */
  async #try() {
    clearTimeout(this.#timer);
    this.store.send({ type: "trying" });
    const { trial } = this.#state;
    const { head } = this.record;
    const found = await dryRun(this.record, this.sync, this.#draft());
    const verdict = { ...found, head: found.unknown ? undefined : head };
    this.#act({ type: "tried", trial, verdict, begun: this.move.begun });
  }

  /** Try what is typed until there is a verdict: new legal moves begin the trial anew. False if others words came. */
  async #tried() {
    const { text } = this.move;
    while (this.#state.phase === "picked" && this.move.text === text) await this.#try();
    return this.move.text === text && Boolean(this.#state.verdict);
  }

  /** Whether what is typed is a legal move as it is listed, or as its fields make it. */
  get #meant() {
    return this.move.listed || this.blanks.filled(this.move.value);
  }

  /** @returns {Sent} */
  #draft() {
    const reason = this.#state.reason.trim();
    return { id: uuid7(), data: { move: this.move.value, ...(reason && { override: { reason } }) } };
  }

  // What is recorded

  /**
   * Record what was tried. What was not tried yet is tried first, and shown unless it is a legal move as listed, or as
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

  /** Ask for the reason why what was refused stands all the same. */
  async excuse() {
    if (!this.move.value || !(await this.#tried())) return;
    this.#act({ type: "insisted" });
    this.view.mend();
  }

  /**
   * Record what is filled in without trying it first, unless it is known to break a rule. Answers the problem if it is
   * not recorded. What was filled in since then is left alone.
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
    if (this.#state.sent?.id !== draft.id) return null; // it is on its way already
    const left = await this.sync.send({
      path: `${this.record.path}/events`,
      body: { events: [draft] },
      base,
      label: draft.data.move,
      told, // which stands in the record until it is stored
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

  /** Begin anew: what was told is recorded, and the next move of the kind begins empty. */
  #begin() {
    this.view.empty();
    this.#act({ type: "begun" });
  }

  /** @param {boolean} inside whether the focus was in the form */
  #refocus(inside) {
    const { button } = this.view;
    if (matchMedia("(hover: hover)").matches)
      this.move.focus(); // a phone's keyboard would cover the board
    else if (inside && [button, document.body].includes(document.activeElement)) this.view.goOn(this.#state);
  }

  /**
   * What was entered last and still waits, if Undo takes it back. A withdrawal is none of it, as without it an older
   * entry would count again: it is dropped by its own button.
   */
  get waiting() {
    const last = this.sync.outbox.items().at(-1);
    const [event] = last?.body.events ?? [];
    return last && event && !eventType(event.type ?? "move.made").takes_back ? { key: last.key, event } : null;
  }

  /** Take back what was entered last and still waits, into the field. */
  async takeBack() {
    const last = this.waiting;
    if (!last) return;
    await this.sync.outbox.drop(last.key);
    const { type, data } = last.event;
    this.move.type(type ? "" : data.move);
  }

  // What can come next

  /** Offer the legal moves of the newest version, if they can be had. */
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
   * @param {Line[] | null} all also those of other seats
   */
  #offer(moves, all) {
    if (this.#state.anyway) {
      this.move.offer(moves, t("Type a move that breaks a rule: it cannot be offered."), t("moves against the rules"));
    } else if (this.sheet) this.move.offer(moves, moves?.length ? "" : undefined);
    else this.move.offer(moves, all?.some(({ aside }) => !aside) ? t("It is not your turn.") : undefined);
  }

  /** Put the only legal move ready, and what follows from it, so that all that is left is to confirm it. */
  #prepare() {
    const { text, anyway } = this.#state;
    const isWritten = this.sheet && !text && !anyway && !this.blanks.lines.length;
    const line = this.sheet ? isWritten && this.#finishLine : !this.#goesOn && onlyMove(this.#state);
    if (line) this.#ready(line);
  }

  /**
   * Put a move ready that is all that is left, or that was asked for.
   *
   * @param {Line} line
   */
  #ready(line) {
    appeared(this.view.button);
    this.move.propose(line.notation);
    this.#act({ type: "prepared", line });
    this.#try();
  }

  /** The move that ends a sheet, where it can be made. */
  get #finishLine() {
    return this.sheet ? this.#state.moves?.find(({ move }) => move.type === "finish") : undefined;
  }

  /** Whether the sheet can be finished now. */
  get finishes() {
    return Boolean(this.#finishLine);
  }

  /** Whether it is asked whether the sheet shall be finished. */
  get finishing() {
    return Boolean(this.#state.text) && this.#finishLine?.notation === this.#state.text;
  }

  /** Ask whether the sheet shall be finished, with who wins then. */
  finish() {
    const line = this.#finishLine;
    if (line) this.#ready(line);
    this.view.button.focus();
  }

  /** @param {boolean} others whether the lines follow from what others recorded */
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
 * A place of the board by what it says: the picture that it lies in is drawn anew.
 *
 * @param {Place} place
 */
function named({ at, means, types }) {
  return [at, means, types].join();
}
