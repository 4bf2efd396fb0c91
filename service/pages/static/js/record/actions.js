import { claimForm } from "../audit/claim-form.js";
import { get } from "../base/api.js";
import { Corrections } from "./corrections.js";
import { entrySummary } from "./entry.js";
import { EntryDialog } from "./entrydialog.js";
import { EraseDialog } from "./erasing.js";
import { ForkDialog } from "./forking.js";
import { endingEntry, onlyEndsGame } from "./history.js";
import { joinWithCommas, t } from "../base/language.js";
import { loadScript } from "../base/lazy-scripts.js";
import { Menu } from "../base/menu.js";
import { closingForm, closingAction, noteForm, reopeningForm, seatChangeForm } from "./entry-forms.js";
import { ReceiptDialog } from "./receipt.js";
import { acceptsType } from "./event-types.js";
import { lateForm } from "./late-form.js";
import { markerForm } from "./marker-form.js";
import { stopForm } from "./stop-form.js";
import { settings } from "./settings.js";
import { uuid7 } from "../base/uuid.js";
import { canSign, SignDialog } from "./signing.js";

/** The actions besides recording moves: corrections, rulings, notes and everything else with a dialog. */
export class RecordActions {
  /**
   * @param {GameRecord} record
   * @param {Sync} sync
   * @param {Words} words
   * @param {Permit} permit
   * @param {Sheet | null | undefined} sheet the extra actions of a score sheet; empty for other games
   * @param {Tools} tools
   */
  constructor(record, sync, words, permit, sheet, tools) {
    this.record = record;
    this.sync = sync;
    this.words = words;
    this.permit = permit;
    this.sheet = sheet;
    this.tools = tools;
    this.menu = new Menu();
    this.dialog = new EntryDialog(record, sync, words);
    this.corrections = new Corrections(record, words, this.dialog, permit);
    this.fork = new ForkDialog(record, words);
    this.erase = new EraseDialog(record, words);
    this.receipt = new ReceiptDialog(record);
    this.signing = new SignDialog(record, words, permit);
  }

  claim() {
    this.dialog.ask(claimForm(this.record, this.words, this.dialog));
  }

  /**
   * Show the actions for an entry.
   *
   * @param {number} version
   */
  showEntryMenu(version) {
    const entry = this.record.entries[version - 1];
    const then = this.words.atPlace(this.record.placeOf(version));
    const { dialog } = this;
    const noted = [
      { text: t("Add a note"), act: () => dialog.ask(noteForm(this.record, this.words, entry)) },
      {
        text: t("Bookmark this moment"),
        act: () => dialog.ask(noteForm(this.record, this.words, entry, { bookmark: true })),
      },
      ...this.#forkActions(entry),
      { text: t("Receipt"), hint: t("proves that it was recorded"), act: () => this.receipt.ask(entry) },
      ...this.#allowed(
        "games:erase",
        {
          text: t("Erase its text"),
          hint: t("for good, what somebody typed"),
          act: () => this.erase.ask(entry, "text"),
        },
        {
          text: t("Erase what it hides"),
          hint: t("for good, as if never noted"),
          act: () => this.erase.ask(entry, "hidden"),
        },
      ),
    ];
    const changing = this.record.closed
      ? this.#reopenActions()
      : [...this.corrections.actions(entry), ...this.#rulingActions(entry)];
    this.menu.open(t("Entry {version} · {what}", { version, what: entrySummary(entry, then) }), [
      ...changing,
      ...noted,
    ]);
  }

  /**
   * These actions, without those that are not permitted, and without entry types that the record does not accept now.
   *
   * @param {string} scope
   * @param {...(Action & { type?: string })} actions
   * @returns {Action[]}
   */
  #allowed(scope, ...actions) {
    return this.permit.hasScope(scope) ? actions.filter(({ type }) => !type || acceptsType(this.record, type)) : [];
  }

  /** Show the actions for the game. */
  showGameMenu() {
    const { dialog, words } = this;
    this.menu.open(t("More about this game"), [
      ...this.#afterEndActions(),
      ...this.#sheetActions(),
      ...this.#rulingActions(null),
      { text: t("Add a note"), act: () => dialog.ask(noteForm(this.record, words, this.record.currentEntry)) },
      ...this.#allowed("hidden:read", {
        type: "score.claimed",
        text: t("What does your paper say?"),
        hint: t("the table’s score beside the audit"),
        act: () => this.claim(),
      }),
      ...this.#allowed("hidden:read", {
        type: "seat.changed",
        text: t("Change the player of a seat"),
        act: () => dialog.ask(seatChangeForm(words, dialog)),
      }),
      ...this.#forkActions(this.record.currentEntry),
      ...this.#allowed("games:share", {
        text: t("Let a player’s phone in"),
        hint: t("by a QR code"),
        act: showSharing,
      }),
      ...(canSign()
        ? [{ text: t("Sign the record"), hint: t("with a key of this device"), act: () => this.signing.ask() }]
        : []),
      ...this.#closeActions(),
      ...settings.actions(),
    ]);
  }

  /**
   * Continue a finished game: reopen its record, and take back its end. It asks only if more than the end is taken
   * back.
   */
  async continueGame() {
    const { record, tools } = this;
    if (record.closed)
      await this.#store("game.reopened", { reason: t("It goes on") }, t("the reopening of the record"));
    const last = endingEntry(record.order);
    const back = last && tools.takeBackAction(last);
    if (last?.undo && back && onlyEndsGame(last, record.order))
      await this.#store(last.undo.type, last.undo.data, t("withdraw entry {version}", { version: last.version }));
    else if (back) back();
    else if (!record.closed) tools.layout.showStory(false);
    if (!record.showsStory) document.querySelector("h1")?.focus(); // the button with the focus is gone
  }

  /**
   * @param {string} type
   * @param {Json} data
   * @param {string} label
   */
  async #store(type, data, label) {
    const { record } = this;
    const body = { events: [{ id: uuid7(), type, data }] };
    const left = await this.sync.addAndSend({ path: `${record.path}/events`, body, base: record.head, label });
    if (!left) await record.refresh().catch(() => {});
  }

  /** The actions that reopen a closed record, or show the form of a finished game. */
  #afterEndActions() {
    const { record, tools } = this;
    if (record.closed) return this.#reopenActions();
    if (!record.showsStory) return [];
    const { undoable } = tools;
    const last = undoable && record.entries[undoable.data.entry - 1];
    return [
      ...(last ? [{ text: t("Undo"), hint: entrySummary(last, this.words), act: () => tools.withdraw(undoable) }] : []),
      {
        text: t("Show the form for moves"),
        hint: t("for what happened after the end"),
        act: () => tools.layout.showStory(false),
      },
    ];
  }

  #closeActions() {
    const { record, dialog } = this;
    if (record.closed) return [];
    const text = closingAction(record.facts);
    return this.#allowed("games:close", { text, act: () => dialog.ask(closingForm(record.facts)) });
  }

  #reopenActions() {
    return this.#allowed("games:close", {
      text: t("Reopen the record"),
      hint: t("it is closed, and takes no corrections"),
      act: () => this.dialog.ask(reopeningForm()),
    });
  }

  /** The actions of a score sheet besides its cells: stopping, late players, and markers. */
  #sheetActions() {
    const { sheet, record, words, permit, dialog } = this;
    if (!sheet || record.info?.outcome || record.closed || !permit.mayPlay(null)) return [];
    const { stops, markers, late } = sheet;
    const stop = {
      text: t("Stopped early"),
      hint: t("it got late: the player who is ahead wins, or nobody"),
      act: () => dialog.ask(stopForm(stops, dialog)),
    };
    const mark = {
      text: t("Change a marker"),
      hint: joinWithCommas(markers.map(({ name }) => name)),
      act: () => dialog.ask(markerForm(markers, words, dialog)),
    };
    const join = {
      text: t("Somebody comes late"),
      hint: t("with points for missed rounds, or without"),
      act: () => dialog.ask(lateForm(words, late, dialog)),
    };
    return [...(markers.length ? [mark] : []), join, stop];
  }

  /** @param {Entry | null} entry */
  #rulingActions(entry) {
    const text = entry ? t("Give a ruling here") : t("Give a ruling");
    return this.#allowed("games:rule", {
      type: "ruling.given",
      text,
      hint: t("what a referee decided"),
      act: () => this.#askRuling(entry).catch(() => this.tools.connection.report(false)),
    });
  }

  /** @param {Entry | null} entry */
  async #askRuling(entry) {
    const { script = "" } = document.getElementById("more").dataset;
    /** @type {Promise<typeof import("./ruling.js")>} */
    const loading = loadScript(script);
    const [{ rulingForm }, { body }] = await Promise.all([
      loading,
      get(/** @type {Address<Ruleset>} */ (`/v1/rulesets/${this.words.ruleset.name}`)),
    ]);
    this.dialog.ask(rulingForm(this.record, this.words, body, entry, this.dialog));
  }

  /**
   * @param {Entry} entry
   * @returns {Action[]}
   */
  #forkActions(entry) {
    if (!this.permit.seesAll) return [];
    const act = () => this.fork.ask(entry);
    return this.#allowed("games:open", { text: t("What if …"), hint: t("another game goes on from here"), act });
  }
}

function showSharing() {
  document.getElementById("tab-about").click();
  document.getElementById("sharing").scrollIntoView();
}
