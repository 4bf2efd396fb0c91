import { take } from "../base/api.js";
import { Coming } from "./coming.js";
import { Courier } from "../offline/courier.js";
import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { idle, later, load } from "../base/later.js";
import { Outbox } from "../offline/outbox.js";
import { Pending } from "../offline/pending.js";
import { Recorder } from "./recorder.js";
import { feelStored, stayAwake } from "./settings.js";
import { Twice } from "./twice.js";
import { ruleWord } from "../base/words.js";

/**
 * What only those have who record: the entry of moves, and the look from other seats. What else they can do has a script
 * of its own, which is loaded once the page stands: before the network may go.
 */
export class Tools {
  #deeds = null;

  constructor(record, connection, words, permit) {
    const find = (id) => document.getElementById(id);
    const courier = new Courier(new Outbox(record.game), connection, () => record.viewpoint);
    courier.addEventListener("delivered", ({ detail: { answer } }) => {
      take(answer.look ?? {});
      record.refresh().catch(() => connection.report(false));
    });
    Object.assign(this, { record, connection, words, permit, courier });
    const pad = find("keypad");
    const sheet = pad && JSON.parse(pad.dataset.sheet);
    this.recorder = new Recorder(find("recorder"), record, courier, words, permit, sheet);
    if (sheet) this.#bring(pad, sheet);
    stayAwake(record);
    feelStored(courier);
    new Twice(find("twice"), record, courier, words, this);
    new Coming(find("record"), find("coming"), courier, record, words);
    new Pending(find("outbox"), courier, record, words);
    this.source = find("recorder").dataset.script;
    const on = (id, act) => find(id)?.addEventListener("click", act);
    const does = (act) => () => this.#do(act);
    on("undo", () => (courier.outbox.first() ? this.recorder.takeBack() : this.undoable && this.withdraw(this.undoable)));
    on("redo", does(({ corrections }) => this.redoable && corrections.restore(this.redoable)));
    on("more", does((deeds) => deeds.aboutTheGame()));
    on("claim", does((deeds) => deeds.claim()));
    on("reopen", does((deeds) => deeds.reopen()));
    this.#lookFrom(find("viewpoint"));
    const reversible = () => {
      const waits = courier.outbox.first();
      find("undo").disabled = !(waits ? this.recorder.waiting : this.undoable);
      find("redo").hidden = Boolean(waits) || !this.redoable; // what waits was done since
    };
    courier.outbox.addEventListener("change", reversible);
    record.addEventListener("entries", () => {
      reversible();
      find("closed").hidden = !record.closed;
      find("closed").querySelector("b").textContent = record.closed ? ruleWord(record.closed) : "";
    });
    courier.deliver();
  }

  /** Have at hand what is not needed at once, as soon as nothing else is to be done. */
  async prepare() {
    await idle();
    await later(this.source, this.connection);
  }

  /** What the service says was done last, as far as it can be taken back from here. */
  get undoable() {
    return this.#permitted(this.record.info?.undo);
  }

  /** What Undo took last, as far as it can be let count again from here: no older entry that was withdrawn. */
  get redoable() {
    const { undo, redo } = this.record.info ?? {};
    if (!redo) return null;
    const { withdraw = [] } = this.record.entries[redo.data.entry - 1] ?? {};
    return redo.entry > Math.max(undo?.entry ?? 0, ...withdraw) ? this.#permitted(redo) : null;
  }

  /** What asks whether an entry shall be taken back; null where that cannot be. */
  takingBack({ undo }) {
    const back = this.permit.whole ? undo : this.#permitted(undo);
    return back ? () => this.withdraw(back) : null;
  }

  withdraw(reversal) {
    return this.#do(({ corrections }) => corrections.withdraw(reversal));
  }

  /** Ask in a dialog for what a deed needs, and record it. */
  ask(deed) {
    return this.#do(({ dialog }) => dialog.ask(deed));
  }

  /** Offer what can be done about an entry. */
  about(version) {
    return this.#do((deeds) => deeds.about(version));
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

  #permitted(reversal) {
    return this.permit.reverses(reversal, this.record) ? reversal : null;
  }

  async #do(act) {
    try {
      act(await this.#load());
    } catch (error) {
      if (this.#deeds) throw error;
      this.connection.report(false); // its script cannot be had
    }
  }

  #load() {
    const { record, courier, words, permit, recorder } = this;
    this.#deeds ??= load(this.source).then(
      ({ Deeds }) => new Deeds(record, courier, words, permit, recorder.sheet?.stops),
      (error) => {
        this.#deeds = null;
        throw error;
      },
    );
    return this.#deeds;
  }

  async #bring(pad, sheet) {
    const { Keypad } = await later(pad.dataset.script, this.connection);
    this.recorder.keypad = new Keypad(pad, this.recorder, this.words, sheet);
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
