import { Blanks, openLines } from "../base/blanks.js";
import { h } from "../base/dom.js";
import { brief } from "./entry.js";
import { MOVES, WITHDRAWING } from "./history.js";
import { legalMoves, MoveField } from "./movefield.js";

const WHY = { label: "Reason, if there is one to note" };

/** The corrections of a record, each as a deed of its entry dialog. Nothing of it is ever deleted. */
export class Corrections {
  constructor(record, words, dialog, permit) {
    Object.assign(this, { record, words, dialog, permit });
  }

  /** Take back what the service says was done last. */
  undo() {
    if (this.undoable) this.withdraw(this.undoable);
  }

  /** Let what was taken back last count again. */
  redo() {
    if (this.redoable) this.restore(this.redoable);
  }

  get undoable() {
    return this.#permitted(this.record.info?.undo);
  }

  get redoable() {
    return this.#permitted(this.record.info?.redo);
  }

  #permitted(reversal) {
    return this.permit.reverses(reversal, this.record) ? reversal : null;
  }

  /** What asks whether an entry shall be taken back; null where that cannot be. */
  takingBack({ undo }) {
    const back = this.permit.whole ? undo : this.#permitted(undo);
    return back ? () => this.withdraw(back) : null;
  }

  /** What can be done about an entry, as actions of a menu. */
  actions(entry) {
    const { version, type, undo, redo } = entry;
    if (!this.permit.whole) return this.#own(entry);
    if (redo)
      return [{ text: "Let it count again", hint: `withdraw entry ${redo.data.entry}`, act: () => this.restore(redo) }];
    if (type === "ruling.given")
      return [{ text: "Revoke the ruling", act: () => this.withdraw(undo) }, this.#insertion(entry)];
    if (WITHDRAWING.has(type)) {
      const back = { ...undo, entry: entry.entry };
      return [{ text: "Take it back", hint: `entry ${entry.entry} counts again`, act: () => this.restore(back) }];
    }
    if (!undo) return type === "game.opened" ? [this.#insertion(entry)] : [];
    const move = MOVES.has(type)
      ? [
          { text: "Replace", hint: "another move was made", act: () => this.replace(entry) },
          { text: "Tell what it was", hint: "fill in what nobody saw then", act: () => this.reveal(entry) },
        ]
      : [];
    return [
      { text: "Withdraw", hint: `entry ${version} did not happen`, act: () => this.withdraw(undo) },
      ...move,
      this.#insertion(entry),
    ];
  }

  /** What those can do about an entry who do not see the whole record. */
  #own(entry) {
    const { version, type, seat, undo } = entry;
    const back = this.#permitted(undo);
    return [
      ...(MOVES.has(type) && undo && this.permit.plays(seat)
        ? [{ text: "Tell what it was", hint: "what only you knew then", act: () => this.reveal(entry) }]
        : []),
      ...(back
        ? [{ text: "Take it back", hint: `entry ${version} did not happen`, act: () => this.withdraw(back) }]
        : []),
    ];
  }

  #insertion(entry) {
    return { text: "Insert after it", hint: "a move was forgotten", act: () => this.insert(entry) };
  }

  /** Ask whether an entry did not happen, or whether a ruling does not stand: what `undo` of it says. */
  withdraw({ entry: version, type, data }) {
    const entry = this.record.entries[version - 1];
    const ruling = type === "ruling.revoked";
    this.dialog.ask({
      title: ruling ? `Revoke the ruling of entry ${version}?` : `Withdraw entry ${version}?`,
      lead: `${this.#brief(entry)}. It stays in the record, struck through, and counts no more.`,
      verb: ruling ? "Revoke" : "Withdraw",
      leave: "Keep it",
      label: `${ruling ? "revoke" : "withdraw"} entry ${version}`,
      was: entry.notation || ruling ? entry : undefined,
      reason: WHY,
      compose: () => ({ type, data }),
    });
  }

  /** Ask whether what took an entry out did not happen, so that it counts again: what `redo` of it says. */
  restore({ entry: version, type, data }) {
    const [entry, by] = [version, data.entry].map((named) => this.record.entries[named - 1]);
    const back = WITHDRAWING.has(by.type);
    this.dialog.ask({
      title: back ? `Let entry ${version} count again?` : `Withdraw entry ${by.version}?`,
      lead: back
        ? `${this.#brief(entry)}. Entry ${by.version}, which withdrew it, stays in the record and counts no more.`
        : `${this.#brief(by)}. What it withdrew counts again.`,
      verb: back ? "Let it count" : "Withdraw",
      leave: "Leave it",
      label: `take back entry ${by.version}`,
      reason: WHY,
      compose: () => ({ type, data }),
    });
  }

  replace(entry) {
    this.#withMove({
      title: `Replace entry ${entry.version}`,
      lead: `Recorded is ${this.#brief(entry)}. What was played in its place?`,
      verb: "Replace",
      name: "Move that was made",
      value: entry.notation,
      moment: { after: this.#before(entry) },
      was: entry,
      type: "entry.replaced",
      data: { entry: entry.version },
    });
  }

  reveal(entry) {
    this.#withMove({
      title: `Tell what entry ${entry.version} was`,
      lead: `Recorded is ${this.#brief(entry)}. Fill in what was open; what was seen stays as it is.`,
      verb: "Tell it",
      name: "Move with all that is known now",
      value: entry.notation,
      excuse: entry.override,
      was: entry,
      silent: !this.permit.whole, // what it changes for others is not told
      type: "move.revealed",
      data: { entry: entry.version },
    });
  }

  insert(entry) {
    this.#withMove({
      title: `Insert after entry ${entry.version}`,
      lead: `Right after ${this.#brief(entry)}: which move was forgotten?`,
      verb: "Insert",
      name: "Move that was forgotten",
      moment: { after: entry.version },
      type: "entry.inserted",
      data: { after: entry.version },
      stored: (version) => this.record.go(version),
    });
  }

  /** A deed with a move, typed or picked from those that are legal at its moment. */
  #withMove({ name, value, moment, type, data, ...deed }) {
    let moves = [];
    const onpick = (line) => {
      ask(line);
      if (field.value) this.dialog.now();
    };
    const field = new MoveField(name, { value, onchange: () => this.dialog.later(), onpick });
    const blanks = new Blanks(h("div", { class: "blanks" }), this.words, (text) => field.type(text));
    const ask = (line) => {
      blanks.show(openLines(moves, line));
      if (line) blanks.open(line.notation);
    };
    const offer = (found) => {
      moves = found ?? [];
      field.offer(found);
      ask();
    };
    if (moment) legalMoves(this.record, moment).then(offer);
    this.dialog.ask({
      ...deed,
      fields: [h("p", { class: "name" }, name), blanks.element, field.element],
      label: deed.title.toLowerCase(),
      reason: WHY,
      override: true,
      begun: () => field.begun,
      compose: () => (field.value && field.value !== value ? { type, data: { ...data, move: field.value } } : null),
    });
  }

  /** The entry that happened right before another one. */
  #before({ version }) {
    return this.record.order[this.record.placeOf(version) - 2].version;
  }

  #brief(entry) {
    return brief(entry, this.words.at(this.record.placeOf(entry.version)));
  }
}
