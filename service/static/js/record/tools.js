import { claim } from "../audit/claims.js";
import { Corrections } from "./corrections.js";
import { Courier } from "../offline/courier.js";
import { h } from "../base/dom.js";
import { brief } from "./entry.js";
import { EntryDialog } from "./entrydialog.js";
import { EraseDialog } from "./erasing.js";
import { ForkDialog } from "./forks.js";
import { Keypad } from "../sheet/keypad.js";
import { t } from "../base/language.js";
import { Menu } from "../base/menu.js";
import { Outbox } from "../offline/outbox.js";
import { Pending } from "../offline/pending.js";
import { closing, closingText, note, reopening, seatChange } from "./proceedings.js";
import { Recorder } from "./recorder.js";
import { ReceiptDialog } from "./receipt.js";
import { feelStored, settings, stayAwake } from "./settings.js";
import { ruling } from "./ruling.js";
import { Twice } from "./twice.js";
import { canSign, SignDialog } from "./signing.js";
import { ruleWord } from "../base/words.js";

/** What only those have who record: the entry of moves, corrections, rulings and notes, and the look from other seats. */
export class Tools {
  constructor(record, connection, words, permit) {
    const find = (id) => document.getElementById(id);
    const courier = new Courier(new Outbox(record.game), connection);
    courier.addEventListener("delivered", () => record.refresh().catch(() => connection.report(false)));
    Object.assign(this, { record, connection, words, permit });
    this.menu = new Menu();
    const pad = find("keypad");
    const sheet = pad && JSON.parse(pad.dataset.sheet);
    this.recorder = new Recorder(find("recorder"), record, courier, words, permit, sheet);
    if (sheet) this.recorder.keypad = new Keypad(pad, this.recorder, words, sheet);
    this.dialog = new EntryDialog(record, courier, words);
    this.corrections = new Corrections(record, words, this.dialog, permit);
    this.fork = new ForkDialog(record, words);
    this.erase = new EraseDialog(record, words);
    this.receipt = new ReceiptDialog(record);
    this.signing = new SignDialog(record, words, permit);
    stayAwake(record);
    feelStored(courier);
    new Twice(find("twice"), record, courier, words, this.corrections);
    new Pending(find("outbox"), courier, record, words);
    const on = (id, act) => find(id)?.addEventListener("click", act);
    on("undo", async () => (await this.recorder.takeBack()) || this.corrections.undo());
    on("redo", () => this.corrections.redo());
    on("more", () => this.menu.open(t("More about this game"), this.#aboutTheGame()));
    on("claim", () => this.dialog.ask(claim(record, words, this.dialog)));
    on("reopen", () => this.dialog.ask(reopening()));
    this.#lookFrom(find("viewpoint"));
    const undoable = () => (find("undo").disabled = !this.corrections.undoable && !courier.outbox.first());
    courier.outbox.addEventListener("change", undoable);
    record.addEventListener("entries", () => {
      find("redo").hidden = !this.corrections.redoable;
      undoable();
      find("closed").hidden = !record.closed;
      find("closed").querySelector("b").textContent = record.closed ? ruleWord(record.closed) : "";
    });
    courier.deliver();
  }

  /** The button that opens the menu of an entry. */
  button(entry) {
    return h(
      "button",
      {
        type: "button",
        class: "plain more",
        "aria-label": t("More about entry {version}", entry),
        onclick: () => this.about(entry.version),
      },
      "⋯",
    );
  }

  about(version) {
    const entry = this.record.entries[version - 1];
    const then = this.words.at(this.record.placeOf(version));
    const { dialog } = this;
    const noted = [
      { text: t("Add a note"), act: () => dialog.ask(note(this.record, this.words, entry)) },
      { text: t("Bookmark this moment"), act: () => dialog.ask(note(this.record, this.words, entry, { bookmark: true })) },
      ...this.#whatIf(entry),
      { text: t("Receipt"), hint: t("proves that it was recorded"), act: () => this.receipt.ask(entry) },
      ...this.#allowed(
        "games:erase",
        { text: t("Erase its text"), hint: t("for good, what somebody typed"), act: () => this.erase.ask(entry, "text") },
        { text: t("Erase what it hides"), hint: t("for good, as if never noted"), act: () => this.erase.ask(entry, "hidden") },
      ),
    ];
    const changing = this.record.closed
      ? this.#allowed("games:close", {
          text: t("Reopen the record"),
          hint: t("it is closed, and takes no corrections"),
          act: () => dialog.ask(reopening()),
        })
      : [...this.corrections.actions(entry), ...this.#ruling(entry)];
    this.menu.open(t("Entry {version} · {what}", { version, what: brief(entry, then) }), [...changing, ...noted]);
  }

  /** These actions, where they may be done. */
  #allowed(scope, ...actions) {
    return this.permit.may(scope) ? actions : [];
  }

  #aboutTheGame() {
    const { dialog, words } = this;
    return [
      ...this.#ruling(null),
      { text: t("Add a note"), act: () => dialog.ask(note(this.record, words, this.record.shown)) },
      ...this.#allowed(
        "hidden:read",
        {
          text: t("What does your paper say?"),
          hint: t("the table’s score beside the audit"),
          act: () => dialog.ask(claim(this.record, words, dialog)),
        },
        { text: t("Somebody else sits down"), act: () => dialog.ask(seatChange(this.record, words, dialog)) },
      ),
      ...this.#whatIf(this.record.shown),
      ...this.#allowed("games:share", { text: t("Let a player’s phone in"), hint: t("by a QR code"), act: showSharing }),
      ...(canSign()
        ? [{ text: t("Sign the record"), hint: t("with a key of this device"), act: () => this.signing.ask() }]
        : []),
      ...this.#allowed("games:close", {
        text: closingText(this.record.info),
        act: () => dialog.ask(closing(this.record.info)),
      }),
      ...settings.actions(),
    ];
  }

  #ruling(entry) {
    const text = entry ? t("Give a ruling here") : t("Give a ruling");
    return this.#allowed("games:rule", {
      text,
      hint: t("what a referee decided"),
      act: () => this.dialog.ask(ruling(this.record, this.words, entry, this.dialog)),
    });
  }

  #whatIf(entry) {
    if (!this.permit.whole) return [];
    const act = () => this.fork.ask(entry);
    return this.#allowed("games:open", { text: t("What if …"), hint: t("another game goes on from here"), act });
  }

  #lookFrom(select) {
    if (!select) return;
    const { record, connection } = this;
    select.value = record.viewpoint;
    select.addEventListener("change", () => {
      const url = new URL(location.href);
      url.searchParams.set("seat", select.value);
      history.replaceState(null, "", url);
      record.see(select.value).catch(() => connection.report(false));
    });
  }
}

function showSharing() {
  document.getElementById("tab-about").click();
  document.getElementById("sharing").scrollIntoView();
}
