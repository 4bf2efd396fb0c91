import { embed } from "../base/api.js";
import { Prediction } from "./prediction.js";
import { Sync } from "../offline/sync.js";
import { whenIdle, waitForScript, loadScript } from "../base/lazy-scripts.js";
import { Outbox } from "../offline/outbox.js";
import { PendingList } from "../offline/pending.js";
import { Recorder } from "./recorder.js";
import { vibrateWhenStored, keepScreenOn } from "./settings.js";
import { Duplicates } from "./duplicates.js";

/**
 * @param {string} id
 * @returns {any}
 */
const find = (id) => document.getElementById(id);

/**
 * The tools of people who record: the form for moves, and the waiting entries. Other actions have a script of their
 * own, which is loaded after the page, before the network may go.
 */
export class Tools {
  /** @type {Promise<RecordActions> | null} */
  #actions = null;

  /**
   * @param {GameRecord} record
   * @param {Connection} connection
   * @param {Words} words
   * @param {Permit} permit
   * @param {import("../story/layout.js").PageLayout} layout
   * @param {import("../board/board.js").Board} board
   */
  constructor(record, connection, words, permit, layout, board) {
    const sync = new Sync(new Outbox(record.game), connection, () => record.viewpoint);
    sync.addEventListener("delivered", ({ detail: { answer } }) => {
      embed(answer.look ?? {});
      record.refresh().catch(() => connection.report(false));
    });
    this.record = record;
    this.connection = connection;
    this.words = words;
    this.permit = permit;
    this.layout = layout;
    this.sync = sync;
    const pad = find("keypad");
    const sheet = pad && JSON.parse(pad.dataset.sheet);
    this.recorder = new Recorder(find("recorder"), record, sync, words, permit, sheet);
    board.sendTapsTo(this.recorder);
    /** Resolves once the keypad is ready, if the sheet has one. */
    this.keys = sheet ? this.#loadKeypad(pad, sheet) : Promise.resolve();
    this.source = find("recorder").dataset.script;
    this.#showWaiting();
    this.#showUndo();
    sync.sendAll();
    if (record.info && !record.showsStory) record.redraw(); // it was loaded before there was a form for it
  }

  /** Show waiting entries, their predicted effects, and duplicates. */
  #showWaiting() {
    const { record, sync, words } = this;
    keepScreenOn(record);
    vibrateWhenStored(sync);
    new Duplicates(find("duplicates"), record, sync, words, this);
    new Prediction(find("record"), find("predicted"), sync, record, words);
    new PendingList(find("outbox"), sync, record, words);
  }

  /** Show the buttons for undo, redo, and more. */
  #showUndo() {
    const { record, sync, recorder } = this;
    const { outbox } = sync;
    const [undo, redo] = [find("undo"), find("redo")];
    undo.onclick = async () => {
      const isBack = outbox.firstItem() && (await recorder.takeBack());
      if (!isBack && this.undoable) this.withdraw(this.undoable);
    };
    redo.onclick = () => this.#withActions(({ corrections }) => this.redoable && corrections.restore(this.redoable));
    find("more").onclick = () => this.showGameMenu();
    const update = () => {
      const waits = outbox.firstItem();
      undo.disabled = !(waits ? recorder.lastWaiting : this.undoable);
      redo.hidden = Boolean(waits) || !this.redoable; // waiting entries are newer
    };
    outbox.addEventListener("change", update);
    record.addEventListener("entries", update);
  }

  /** Load what is not needed at once, when the browser is idle. */
  async prepare() {
    await whenIdle();
    await waitForScript(this.source, this.connection);
  }

  /** The last entry by the service, if it can be withdrawn here. */
  get undoable() {
    return this.#permitted(this.record.info?.undo);
  }

  /** The entry last withdrawn by Undo, if it can be restored here; not an older one. */
  get redoable() {
    const { undo, redo } = this.record.info ?? {};
    if (!redo) return null;
    const { withdraw = [] } = this.record.entries[redo.data.entry - 1] ?? {};
    return redo.entry > Math.max(undo?.entry ?? 0, ...withdraw) ? this.#permitted(redo) : null;
  }

  /**
   * An action that asks for confirmation to take back an entry; null if not possible.
   *
   * @param {Entry} entry
   */
  takeBackAction({ undo }) {
    const back = this.permit.seesAll ? undo : this.#permitted(undo);
    return back ? () => this.withdraw(back) : null;
  }

  /** @param {Reversal} reversal */
  withdraw(reversal) {
    return this.#withActions(({ corrections }) => corrections.withdraw(reversal));
  }

  /**
   * Open the dialog for a form, and record its entry.
   *
   * @param {EntryForm} form
   */
  ask(form) {
    return this.#withActions(({ dialog }) => dialog.ask(form));
  }

  /**
   * Show the actions for an entry.
   *
   * @param {number} version
   */
  showEntryMenu(version) {
    return this.#withActions((actions) => actions.showEntryMenu(version));
  }

  /** Show the actions for the game. */
  showGameMenu() {
    return this.#withActions((actions) => actions.showGameMenu());
  }

  /** Continue a finished game. */
  continueGame() {
    return this.#withActions((actions) => actions.continueGame());
  }

  /** Ask for the score that the table wrote down. */
  claim() {
    return this.#withActions((actions) => actions.claim());
  }

  /** @param {Reversal | null | undefined} reversal */
  #permitted(reversal) {
    return this.permit.mayReverse(reversal, this.record) ? reversal : null;
  }

  /** @param {(actions: RecordActions) => unknown} act */
  async #withActions(act) {
    try {
      act(await this.#load());
    } catch (error) {
      if (this.#actions) throw error;
      this.connection.report(false); // its script cannot be loaded
    }
  }

  /** @returns {Promise<RecordActions>} */
  #load() {
    const { record, sync, words, permit, recorder } = this;
    /** @type {Promise<typeof import("./actions.js")>} */
    const loading = loadScript(this.source);
    this.#actions ??= loading.then(
      ({ RecordActions }) => new RecordActions(record, sync, words, permit, recorder.sheet, this),
      (error) => {
        this.#actions = null;
        throw error;
      },
    );
    return this.#actions;
  }

  /**
   * @param {HTMLElement} pad
   * @param {Sheet} sheet
   */
  async #loadKeypad(pad, sheet) {
    /** @type {typeof import("../sheet/keypad.js")} */
    const { Keypad } = await waitForScript(pad.dataset.script ?? "", this.connection);
    this.recorder.keypad = new Keypad(pad, this.recorder, this.words, sheet);
  }
}
