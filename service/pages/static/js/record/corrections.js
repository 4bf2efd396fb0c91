import { Blanks } from "../base/blanks.js";
import { movesWithFields } from "../base/notation.js";
import { h } from "../base/dom.js";
import { entrySummary } from "./entry.js";
import { readableText } from "./history.js";
import { eventType } from "./event-types.js";
import { t } from "../base/language.js";
import { legalMoves, MoveField } from "./movefield.js";

/**
 * A form for a move, typed or picked from the legal moves at its moment, with an optional first `value`.
 *
 * @typedef {Omit<EntryForm, "label" | "compose"> & {
 *   name: string, value?: string, moment?: Moment, type: string, data: Json,
 * }} MoveForm
 */

const WHY = { label: t("Reason, if there is one to note") };

/** The corrections of a record, each as a form for the entry dialog. Nothing is deleted. */
export class Corrections {
  /**
   * @param {GameRecord} record
   * @param {Words} words
   * @param {EntryDialog} dialog
   * @param {Permit} permit
   */
  constructor(record, words, dialog, permit) {
    this.record = record;
    this.words = words;
    this.dialog = dialog;
    this.permit = permit;
  }

  /**
   * The actions for an entry, as menu items.
   *
   * @param {Entry} entry
   * @returns {Action[]}
   */
  actions(entry) {
    const { version, type, undo, redo } = entry;
    if (!this.permit.seesAll) return this.#playerActions(entry);
    if (redo)
      return [
        {
          text: t("Let it count again"),
          hint: t("withdraw entry {version}", { version: redo.data.entry }),
          act: () => this.restore(redo),
        },
      ];
    if (type === "ruling.given" && undo)
      return [{ text: t("Revoke the ruling"), act: () => this.withdraw(undo) }, this.#insertAction(entry)];
    if (eventType(type).takes_back) {
      const back = undo && { ...undo, entry: entry.entry ?? undo.entry };
      return [
        {
          text: t("Take it back"),
          hint: t("entry {version} counts again", { version: entry.entry }),
          act: () => back && this.restore(back),
        },
      ];
    }
    if (!undo) return type === "game.opened" ? [this.#insertAction(entry)] : [];
    const move = eventType(type).plays
      ? [
          { text: t("Replace"), hint: t("another move was made"), act: () => this.replace(entry) },
          { text: t("Add details"), hint: t("fill in what nobody saw then"), act: () => this.reveal(entry) },
        ]
      : [];
    return [
      { text: t("Withdraw"), hint: t("entry {version} did not happen", { version }), act: () => this.withdraw(undo) },
      ...move,
      this.#insertAction(entry),
    ];
  }

  /**
   * The actions for people who do not see the whole record.
   *
   * @param {Entry} entry
   * @returns {Action[]}
   */
  #playerActions(entry) {
    const { version, type, seat, undo } = entry;
    const back = this.permit.mayReverse(undo, this.record) ? undo : null;
    return [
      ...(eventType(type).plays && undo && this.permit.mayPlay(seat)
        ? [{ text: t("Add details"), hint: t("what only you knew then"), act: () => this.reveal(entry) }]
        : []),
      ...(back
        ? [
            {
              text: t("Take it back"),
              hint: t("entry {version} did not happen", { version }),
              act: () => this.withdraw(back),
            },
          ]
        : []),
    ];
  }

  /**
   * @param {Entry} entry
   * @returns {Action}
   */
  #insertAction(entry) {
    return { text: t("Insert after it"), hint: t("a move was forgotten"), act: () => this.insert(entry) };
  }

  /**
   * Ask for confirmation to withdraw an entry or a ruling, as its `undo` says.
   *
   * @param {Reversal} reversal
   */
  withdraw({ entry: version, type, data }) {
    const entry = this.record.entries[version - 1];
    const ruling = type === "ruling.revoked";
    this.dialog.ask({
      title: ruling
        ? t("Revoke the ruling of entry {version}?", { version })
        : t("Withdraw entry {version}?", { version }),
      lead: t("{what}. It stays in the record, crossed out, and no longer counts.", { what: this.#brief(entry) }),
      verb: ruling ? t("Revoke") : t("Withdraw"),
      leave: t("Leave it"),
      label: ruling ? t("revoke entry {version}", { version }) : t("withdraw entry {version}", { version }),
      was: entry.notation || ruling ? entry : undefined,
      reason: WHY,
      compose: () => ({ type, data }),
    });
  }

  /**
   * Ask for confirmation to restore a withdrawn entry, as its `redo` says.
   *
   * @param {Reversal} reversal
   */
  restore({ entry: version, type, data }) {
    const [entry, by] = [version, data.entry].map((named) => this.record.entries[named - 1]);
    const back = eventType(by.type).takes_back;
    this.dialog.ask({
      title: back
        ? t("Let entry {version} count again?", { version })
        : t("Withdraw entry {version}?", { version: by.version }),
      lead: back
        ? t("{what}. Entry {version} had withdrawn it. That entry stays in the record and no longer counts.", {
            what: this.#brief(entry),
            version: by.version,
          })
        : t("{what}. What it withdrew counts again.", { what: this.#brief(by) }),
      verb: back ? t("Let it count") : t("Withdraw"),
      leave: t("Leave it"),
      label: t("take back entry {version}", { version: by.version }),
      reason: WHY,
      compose: () => ({ type, data }),
    });
  }

  /** @param {Entry} entry */
  replace(entry) {
    this.#askMove({
      title: t("Replace entry {version}", { version: entry.version }),
      lead: t("The record has {what}. What was really played?", { what: this.#brief(entry) }),
      verb: t("Replace"),
      name: t("Move that was made"),
      value: entry.notation ?? "",
      moment: { after: this.#entryBefore(entry) },
      was: entry,
      type: "entry.replaced",
      data: { entry: entry.version },
    });
  }

  /** @param {Entry} entry */
  reveal(entry) {
    this.#askMove({
      title: t("Add details to entry {version}", { version: entry.version }),
      lead: t("The record has {what}. Fill in what was left open. What was seen stays as it is.", {
        what: this.#brief(entry),
      }),
      verb: t("Add them"),
      name: t("Move with all that is known now"),
      value: entry.notation ?? "",
      excuse: readableText(entry, entry.override) ?? undefined,
      was: entry,
      silent: !this.permit.seesAll, // its effects for others stay hidden
      type: "move.revealed",
      data: { entry: entry.version },
    });
  }

  /** @param {Entry} entry */
  insert(entry) {
    this.#askMove({
      title: t("Insert after entry {version}", { version: entry.version }),
      lead: t("Right after {what}: which move was forgotten?", { what: this.#brief(entry) }),
      verb: t("Insert"),
      name: t("Move that was forgotten"),
      moment: { after: entry.version },
      type: "entry.inserted",
      data: { after: entry.version },
      stored: (version) => this.record.goTo(version),
    });
  }

  /**
   * A form for a move, typed or picked from the legal moves at its moment.
   *
   * @param {MoveForm} form
   */
  #askMove({ name, value, moment, type, data, ...form }) {
    /** @type {Line[]} */
    let moves = [];
    /** @param {Line} [line] */
    const onpick = (line) => {
      ask(line);
      if (field.value) this.dialog.tryNow();
    };
    const field = new MoveField(name, this.words, { value, onchange: () => this.dialog.tryLater(), onpick });
    const blanks = new Blanks(h("div", { class: "blanks" }), this.words, (text) => field.typeText(text));
    /** @param {Line} [line] */
    const ask = (line) => {
      blanks.show(movesWithFields(moves, line));
      if (line) blanks.open(line.notation);
    };
    /** @param {Line[] | null} found */
    const offer = (found) => {
      moves = found ?? [];
      field.offerMoves(found);
      ask();
    };
    if (moment) legalMoves(this.record, moment).then(offer);
    this.dialog.ask({
      ...form,
      fields: [h("p", { class: "name" }, name), blanks.element, field.element],
      label: form.title.toLowerCase(),
      reason: WHY,
      override: true,
      begun: () => field.isBeginning,
      compose: () => (field.value && field.value !== value ? { type, data: { ...data, move: field.value } } : null),
    });
  }

  /**
   * The entry right before another one, in the order of the game.
   *
   * @param {Entry} entry
   */
  #entryBefore({ version }) {
    return this.record.order[this.record.placeOf(version) - 2].version;
  }

  /** @param {Entry} entry */
  #brief(entry) {
    return entrySummary(entry, this.words.atPlace(this.record.placeOf(entry.version)));
  }
}
