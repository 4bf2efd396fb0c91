import { Problem } from "../base/api.js";
import { Blanks, openLines } from "../base/blanks.js";
import { hint } from "../base/dom.js";
import { t } from "../base/language.js";
import { WITHDRAWING } from "./history.js";
import { settings } from "./settings.js";
import { onward } from "../sheet/lines.js";
import { legalMoves, MoveField } from "./movefield.js";
import { preview } from "./preview.js";
import { reasons, WHY_IT_STANDS } from "./reasons.js";
import { problemView } from "../base/problem.js";
import { ELSEWHERE, tryOut } from "./trial.js";
import { appeared, isDoubleTap } from "../base/taps.js";
import { uuid7 } from "../base/uuid.js";

const PAUSE = 300;

/**
 * The entry of the next move: picked or typed, tried in a dry run that shows what it does or which rule it breaks, and
 * then recorded. What the service refuses stays in the field.
 */
export class Recorder {
  #timer = 0;
  #trial = 0;
  #verdict = null;
  #resolve = null;
  /** Settles once the legal moves were offered. */
  offered = new Promise((resolve) => (this.#resolve = resolve));

  /** The legal moves, and of these the one that was picked, whose blanks are asked for. */
  #moves = [];
  #asked = null;
  /** The place of the board whose tap told the whole move: another tap on it confirms. */
  #told = null;
  /** The place that was tapped last. */
  #tapped = "";
  /** Whether moves against the rules are offered in place of the legal ones. */
  #anyway = false;
  /** The line that was put ready because nothing else can come next. */
  #ready = "";
  /**
   * What is on its way and still stands in the field, until something else is said; whether it is `stored`, and whether
   * what can come next is `held` back until then.
   */
  #sent = null;
  /** What is told when the moves that are meant have changed. */
  ontap = null;

  /** The legal moves as they were had last, and what was stored since then: its version and its line. */
  #legal = null;
  #stored = [];

  constructor(element, record, courier, words, permit, sheet = null) {
    Object.assign(this, { element, record, courier, words, permit });
    const find = (selector) => element.querySelector(selector);
    this.form = find("form.move");
    this.move = new MoveField(t("Move in notation"), words, {
      id: "move",
      described: "preview",
      onchange: () => this.#typed(),
      onpick: (line) => this.#picked(line),
      onleft: () => this.#goOnFrom(),
    });
    find(".field").replaceWith(this.move.element);
    this.reason = find("#reason");
    this.override = find(".override");
    this.button = find(".record");
    this.blanks = new Blanks(find(".blanks"), words, (text) => this.#filled(text));
    this.preview = find(".preview");
    this.elsewhere = find(".elsewhere");
    this.reason.addEventListener("input", () => this.#later());
    this.reason.after(reasons(this.reason, WHY_IT_STANDS(), () => (this.#goesOn ? this.#submit() : this.#try())));
    this.anyway = find(".anyway");
    this.anyway?.addEventListener("click", () => this.#turn(!this.#anyway));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    courier.addEventListener("delivered", ({ detail: { item } }) => {
      if (this.#sent && item.body.events?.[0].id === this.#sent.id) this.#sent.stored = true;
    });
    record.addEventListener("entries", () => this.#refresh());
    if (sheet) this.#goOn(sheet);
    record.addEventListener("position", () => this.#place());
  }

  /** Take a tap on a place of the board: a cell of a sheet is filled in, any other place says which move. */
  tap(place) {
    if (!this.record.following || this.record.closed) return;
    const before = this.#tapped;
    this.#tapped = named(place);
    if (isDoubleTap() && this.#tapped === before) return;
    if (this.#isTold(place)) return this.#submit();
    if (this.sheet) return place.types && this.#fillIn(place);
    const said = this.move.meaning(place);
    if (!said.text && !said.moves.length) return;
    this.move.take(said, place);
    if (said.moves.length !== 1 || this.button.disabled) return;
    this.#told = said.moves[0].aside ? null : place;
    this.ontap?.();
  }

  /** Fill in a cell: an empty one with its line, if that is offered; any other one by itself, over what stands there. */
  #fillIn({ at, types, blank }) {
    if (blank && this.blanks.focus(types, Number(blank))) return;
    const text = blank ? `${at} ` : types;
    this.keypad?.change(at, text.slice(at.length).trim());
    this.move.take({ text, moves: [], only: false }, { types: text }, { preventScroll: this.keypad?.isOpen });
  }

  /** Ask for the reason why what was refused stands all the same. */
  excuse() {
    this.override.hidden = false;
    this.override.scrollIntoView({ block: "nearest" });
    (this.override.querySelector("button") ?? this.reason).focus({ preventScroll: true });
  }

  /** Whether a tap on this place told the whole move that stands there now. */
  #isTold(place) {
    return Boolean(this.#told) && named(place) === named(this.#told);
  }

  /** Whether a tap on a place of the board would lead to a legal move. */
  leads(place) {
    return this.move.meaning(place).moves.length > 0;
  }

  /** Whether another tap on a place would choose among the moves that were tapped so far, or confirm the one it told. */
  isTarget(place) {
    return this.#isTold(place) || this.move.targets(place).length > 0;
  }

  /** A move was picked as a whole: what it leaves open is asked for, and it is tried, or recorded if that is all. */
  #picked(line) {
    if (!this.sheet) this.#ask(line);
    this.blanks.open(line?.notation ?? this.move.value);
    if (this.#goesOn && !line?.blanks?.length) this.#submit();
    else if (this.move.value) this.#try();
  }

  /** Ask for what moves leave open that cannot stand without, and the one that was picked. */
  #ask(line = null) {
    this.#asked = line;
    this.blanks.show(openLines(this.#moves, line));
  }

  /** Begin anew: what was told is recorded, and the next move of the kind begins empty. */
  #begin() {
    this.move.type("");
    if (this.#anyway) this.#turn(false);
    if (this.sheet) return;
    this.blanks.show([]);
    this.#ask();
  }

  /**
   * What was filled in is recorded at once where nobody is to confirm it, and where the move was seen before as it stands
   * without: the last fact that is told of it confirms it, too.
   */
  #filled(text) {
    const seen = this.#asked && !this.#asked.aside && !openLines([this.#asked]).length;
    this.move.type(text);
    if (!text || !this.blanks.complete) return;
    if (this.#goesOn || seen) this.#submit();
    else if (document.activeElement.matches(".blanks button")) this.button.focus();
  }

  /** Bring the focus to what comes next, after what had it is gone: a fact, the button that records, or a choice. */
  #goOnFrom() {
    if (this.move.value && !this.#asked?.blanks?.length) return this.button.focus();
    if (!this.blanks.enter() && !this.move.enter()) (this.button.disabled ? this.move.clear : this.button).focus();
  }

  /** Offer what is against the rules, or what is legal again. */
  #turn(anyway) {
    this.#anyway = anyway;
    this.anyway.setAttribute("aria-pressed", String(anyway));
    this.element.classList.toggle("against", anyway);
    this.move.type("");
    this.#refresh();
  }

  /** Put the only legal move ready, and what follows from it, so that all that is left is to confirm it. */
  #prepare() {
    const legal = this.#moves.filter(({ aside }) => !aside);
    const [line] = legal;
    if (this.sheet || this.#anyway || this.#goesOn || this.move.value || legal.length !== 1 || openLines(legal).length) return;
    this.#ready = line.notation;
    appeared(this.button);
    this.move.propose(line.notation);
    this.#ask(line);
    this.#try();
  }

  /** Whether what was tapped is recorded without being confirmed. */
  get #goesOn() {
    return !this.sheet && !settings.confirm;
  }

  #typed() {
    if (this.#asked && ![this.#asked.notation, this.blanks.told].includes(this.move.value)) this.#ask();
    this.#told = null;
    this.#letGo();
    if (this.move.value !== this.#ready) this.#ready = "";
    this.ontap?.();
    if (!this.move.value) this.reason.value = this.#tapped = "";
    this.override.hidden = !this.reason.value.trim();
    this.#later();
  }

  /** Try what is typed as soon as the typing rests. */
  #later() {
    clearTimeout(this.#timer);
    this.#verdict = null;
    this.#trial += 1;
    this.button.classList.add("primary");
    this.#enable();
    this.preview.setAttribute("aria-busy", String(Boolean(this.move.value)));
    if (!this.move.value) this.preview.replaceChildren();
    else this.#timer = setTimeout(() => this.#try(), PAUSE);
  }

  /** Stand by what was sent no more: whatever was held back for its sake is offered. */
  #letGo() {
    const sent = this.#sent;
    this.#sent = null;
    if (sent?.held) this.#refresh();
  }

  #enable() {
    this.button.disabled = !this.move.value;
    this.button.textContent = this.reason.value.trim() ? t("Record as irregular") : t("Record");
  }

  /** Ask the service what the entry would do. */
  async #try() {
    clearTimeout(this.#timer);
    const trial = ++this.#trial;
    const { head } = this.record;
    const { answer, before, problem, unknown } = await tryOut(this.record, this.courier, this.#draft());
    if (trial !== this.#trial) return;
    this.#verdict = problem
      ? this.#refusal(problem, head)
      : { sendable: true, head: answer && head, answer, view: answer ? preview(answer, { before }, this.words) : hint(unknown) };
    this.preview.setAttribute("aria-busy", "false");
    if (problem?.name === "bad-notation" && this.move.begun)
      this.preview.replaceChildren(); // no mistake yet
    else this.#show(this.#verdict);
  }

  get #meant() {
    return this.move.listed || this.blanks.filled(this.move.value);
  }

  /** Try what is typed until there is a verdict: new legal moves begin the trial anew. False if others words came. */
  async #tried() {
    const { text } = this.move;
    while (!this.#verdict && this.move.text === text) await this.#try();
    return this.move.text === text;
  }

  #show({ sendable, problem, view }) {
    this.preview.replaceChildren(view);
    this.button.classList.toggle("primary", sendable);
    if (problem?.name === "rule-broken" && !problem.body.impossible) this.override.hidden = false;
  }

  #refusal(problem, head) {
    return { sendable: problem.body.status >= 500, head, problem, view: problemView(problem.body, this.words) };
  }

  #draft() {
    const reason = this.reason.value.trim();
    const data = { move: this.move.value, ...(reason && { override: { reason } }) };
    return { id: uuid7(), data };
  }

  /**
   * Record what was tried. What was not tried yet is tried first, and shown unless it is a legal move as listed, or as
   * its fields make it.
   */
  async #submit() {
    if (!this.move.value || this.button.disabled) return;
    if (!this.#verdict && !((await this.#tried()) && this.#meant)) return;
    if (!this.#verdict.sendable) {
      this.#show(this.#verdict);
      const typing = document.activeElement === this.move.input || matchMedia("(hover: hover)").matches;
      const reason = typing ? this.reason : this.override.querySelector("button"); // no keyboard before it is wanted
      (this.override.hidden ? this.move : reason).focus();
      return;
    }
    await this.#send();
  }

  /**
   * Record what is filled in without trying it first, unless it is known to break a rule. Answers the problem if it is
   * not recorded; whatever was filled in since is left alone.
   */
  async enter() {
    if (!this.move.value) return null;
    if (this.#verdict && !this.#verdict.sendable) {
      this.#show(this.#verdict);
      return this.#verdict.problem.body;
    }
    return this.#send();
  }

  async #send() {
    clearTimeout(this.#timer);
    this.#trial += 1;
    const [path, draft, base] = [`${this.record.path}/events`, this.#draft(), this.record.head];
    const told = this.#verdict?.answer; // what stands in the record until it is stored
    const sent = (this.#sent = { id: draft.id, stored: false, held: false });
    const inside = this.form.contains(document.activeElement);
    this.button.disabled = true;
    this.button.textContent = t("Recording …");
    const left = await this.courier.send({
      path,
      body: { events: [draft] },
      base,
      label: draft.data.move,
      told,
    });
    if (
      left?.problem &&
      !ELSEWHERE.has(new Problem(left.problem).name) &&
      this.courier.outbox.first().key === left.key
    ) {
      await this.courier.outbox.drop(left.key);
      if (this.#sent === sent) this.#letGo();
      this.#verdict = this.#refusal(new Problem(left.problem), base);
      this.#show(this.#verdict);
      this.#enable();
      return left.problem;
    }
    if (this.#sent === sent) this.#begin();
    if (this.keypad?.isOpen) return left?.problem ?? null;
    if (matchMedia("(hover: hover)").matches) this.move.focus(); // a phone's keyboard would cover the board
    else if (inside && [this.button, document.body].includes(document.activeElement)) this.#goOnFrom();
    return left?.problem ?? null;
  }

  /** Let the lines of a sheet go on as soon as one was entered: what is on its way needs no answer for that. */
  #goOn(sheet) {
    const show = () => queueMicrotask(() => this.#offerLines());
    this.courier.outbox.addEventListener("change", show);
    this.courier.addEventListener("delivered", ({ detail: { item } }) => {
      if (item.base != null) this.#stored.push({ version: item.base + 1, text: item.label });
    });
    this.sheet = sheet;
  }

  /** Offer the lines that are due; `others` tells that they follow from what others recorded. */
  #offerLines(others = false) {
    if (!this.#legal) return;
    const waiting = this.courier.outbox.items().filter(({ body }) => body.events).map(({ label }) => label);
    this.blanks.show(onward(this.#legal, [...this.#stored.map(({ text }) => text), ...waiting], this.sheet), { others });
  }

  /**
   * What was entered last and still waits, if Undo takes it back. A withdrawal is none of it, as without it an older
   * entry would count again: it is dropped by its own button.
   */
  get waiting() {
    const last = this.courier.outbox.items().at(-1);
    return last?.body.events && !WITHDRAWING.has(last.body.events[0].type) ? last : null;
  }

  /** Take back what was entered last and still waits, into the field. */
  async takeBack() {
    const last = this.waiting;
    if (!last) return;
    await this.courier.outbox.drop(last.key);
    const { type, data } = last.body.events[0];
    this.move.type(type ? "" : data.move);
  }

  /** The legal moves of the newest version; null where they cannot be had. */
  async #refresh() {
    const [{ head }, anyway] = [this.record, this.#anyway];
    this.#place();
    const all = this.record.known ?? (await legalMoves(this.record, { at: head }, anyway));
    if (head !== this.record.head) return;
    if (this.#sent) this.#sent.held = !this.#sent.stored;
    if (this.#sent?.held) return;
    if (this.#sent) this.#begin(); // along with what can come next, so that no choice is drawn twice
    if (anyway !== this.#anyway) return;
    if (this.move.value && this.move.value === this.#ready) this.move.type("");
    const moves = all?.filter(({ move }) => this.permit.plays(move.seat)) ?? null;
    if (this.sheet) {
      this.#legal = moves ?? this.#legal;
      if (moves) this.#stored = this.#stored.filter(({ version }) => version > head);
      this.#offerLines(true);
    } else {
      this.#moves = moves ?? [];
      this.#ask(this.#moves.find(({ notation }) => notation === this.#asked?.notation));
    }
    if (anyway) this.move.offer(moves, t("Nothing against the rules can be offered: type it."), t("moves against the rules"));
    else this.move.offer(moves, all?.some(({ aside }) => !aside) ? t("It is not your turn.") : undefined);
    this.element.dataset.offered = head;
    this.#resolve();
    if (!this.move.value) this.#prepare();
    else if (this.#verdict?.head !== head) this.#later(); // what was seen of it holds as long as nothing was recorded
  }

  /** Moves are entered at the end of a record that is open. */
  #place() {
    const { following, closed } = this.record;
    this.element.hidden = Boolean(closed);
    this.elsewhere.hidden = following;
    this.form.hidden = !following;
  }
}

/** A place of the board by what it says: the picture that it lies in is drawn anew. */
function named({ at, means, types }) {
  return [at, means, types].join();
}
