import { isOverridable, Problem } from "../base/api.js";
import { Conflicts } from "./conflicts.js";
import { h, hint, nodes } from "../base/dom.js";
import { FormDialog, labelledField } from "../base/formdialog.js";
import { t } from "../base/language.js";
import { maxLength } from "../base/limits.js";
import { consequencesView } from "./consequences.js";
import { entryDescription, previewView } from "./preview.js";
import { problemView } from "../base/problem.js";
import { FOREIGN_PROBLEMS, dryRun } from "./dry-run.js";
import { isSendable } from "./entering.js";
import { reasonKeys, WHY_IT_IS_RULED, WHY_IT_STANDS } from "./reasons.js";
import { uuid7 } from "../base/uuid.js";

const PAUSE = 300;

/**
 * A dialog that composes one entry: it shows all effects from a dry run, and then records it. A dry run follows every
 * change, and asks about conflicting entries until all are resolved. Nothing is stored before.
 *
 * It composes a form:
 *
 * - The dialog shows `title`, `lead`, `fields`, `verb` and `leave`. The outbox shows the entry by its `label`.
 * - `compose()` returns `{type, data}`, or null while something is missing.
 * - `reason` is `{label, required}` for the reason's field.
 * - `override` says whether it can break a rule, and `excuse` is the reason.
 * - `was` is the corrected entry.
 * - `silent` says that there are no effects to show, and `begun()` that the typed text is incomplete.
 * - `asks()` returns a question to confirm first, besides the dry run.
 * - `further()` returns entries to record right after it.
 * - `stored(version)` is called after it is stored.
 */
export class EntryDialog {
  /** @type {EntryForm | null} */
  #form = null;
  /** @type {{ sendable: boolean } | null} */
  #verdict = null;
  #timer = 0;
  #trial = 0;

  /**
   * @param {GameRecord} record
   * @param {Sync} sync
   * @param {Words} words
   */
  constructor(record, sync, words) {
    this.record = record;
    this.sync = sync;
    this.words = words;
    this.frame = new FormDialog("entry", () => this.#send());
    this.conflicts = new Conflicts(record, words, () => this.#try());
    this.reason = h("textarea", { rows: "2", maxlength: maxLength("reason") });
    this.override = h("input", {
      maxlength: maxLength("reason"),
      autocomplete: "off",
      placeholder: t("seen too late, agreed by both …"),
    });
    this.excuse = h(
      "div",
      { class: "override" },
      labelledField(t("It breaks a rule: why does it count?"), this.override),
      reasonKeys(this.override, WHY_IT_STANDS()),
    );
    this.frame.form.addEventListener("input", ({ target }) => {
      if (target.type === "radio" && this.conflicts.element.contains(target)) return;
      if (target === this.reason) return this.#updateButton(); // it has no effect on the game
      if (target !== this.override) this.conflicts.reset();
      this.tryLater();
    });
    this.frame.dialog.addEventListener("close", () => this.#reset());
    record.addEventListener("entries", () => this.#form && this.#try());
  }

  /**
   * Open the dialog for a form, and record its entry.
   *
   * @param {EntryForm} form
   */
  ask(form) {
    const { reason, fields = [] } = form;
    this.#form = form;
    this.reason.value = this.override.value = "";
    this.reason.required = Boolean(reason?.required);
    this.excuse.hidden = !form.excuse;
    this.override.value = form.excuse ?? "";
    this.conflicts.reset();
    const parts = [
      fields,
      this.excuse,
      this.conflicts.element, // conflicts come first: they must be resolved before recording
      this.frame.answer,
      reason && labelledField(reason.label, this.reason),
      reason && reasonKeys(this.reason, reason.required ? WHY_IT_IS_RULED() : WHY_IT_STANDS()),
    ];
    this.frame.open({ ...form, fields: nodes(parts) });
    this.#try();
  }

  /** Try it once the typing pauses. */
  tryLater() {
    clearTimeout(this.#timer);
    this.#trial += 1;
    this.#verdict = null;
    this.#updateButton();
    this.frame.answer.setAttribute("aria-busy", "true");
    this.#timer = setTimeout(() => this.#try(), PAUSE);
  }

  /** Try it at once, after a pick. */
  tryNow() {
    this.#try();
  }

  #entry() {
    const reason = this.reason.value.trim();
    return this.#form?.reason?.required && !reason ? null : this.#compose(reason);
  }

  /** @param {string} given the reason as typed */
  #compose(given) {
    if (!this.#form) return null;
    const { compose, reason } = this.#form;
    const composed = compose();
    if (!composed) return null;
    const excuse = this.override.value.trim();
    /** @type {Json} */
    const data = {
      ...composed.data,
      ...(reason && given && { reason: given }),
      ...(excuse && { override: { reason: excuse } }),
      ...this.conflicts.choicesData,
    };
    return { id: uuid7(), type: composed.type, data };
  }

  /** @returns {Promise<void>} */
  async #try() {
    clearTimeout(this.#timer);
    const trial = ++this.#trial;
    const event = this.#entry() ?? this.#entryWithoutReason();
    this.#verdict = null;
    this.#updateButton();
    const wrong = this.frame.firstError();
    if (wrong || !event) return this.#show({ wrong });
    this.frame.answer.setAttribute("aria-busy", "true");
    const found = await dryRun(this.record, this.sync, event);
    if (trial !== this.#trial || !this.#form) return;
    this.#show(found);
  }

  /** The entry without its missing reason, so that the effects are visible before the reason is written. */
  #entryWithoutReason() {
    return this.#form?.reason?.required ? this.#compose("…") : null;
  }

  /**
   * @param {Verdict & { wrong?: string }} verdict
   * @returns {void | Promise<void>}
   */
  #show({ answer, before, problem, unknown, wrong }) {
    const { record, words } = this;
    const { was, silent, begun, override, asks } = this.#form ?? {};
    this.#verdict = { sendable: Boolean(answer || unknown || problem) && isSendable({ problem }) };
    if (answer) this.conflicts.setChoices(answer.data);
    if (problem?.name === "bad-correction" && Object.keys(this.conflicts.choicesData).length) {
      this.conflicts.reset(); // the choices fit again
      return this.#try();
    }
    if (problem?.name === "conflict") this.conflicts.showReported(problem.body.conflicts ?? []);
    if (problem && isOverridable(problem.body) && override) this.excuse.hidden = false;
    const quiet = problem?.name === "conflict" || (problem?.name === "bad-notation" && begun?.());
    /** @param {Recorded} would */
    const seen = (would) =>
      previewView(would, words, before, [
        entryDescription(would, words, was),
        consequencesView(would, was, record, words),
      ]);
    this.frame.answer.replaceChildren(
      ...nodes([
        answer && !silent && seen(answer),
        problem?.body.would && seen(problem.body.would),
        unknown && hint(unknown),
        wrong && h("p", { class: "cause", role: "alert" }, wrong),
        problem && !quiet && problemView(problem.body, words),
        asks?.(),
      ]),
    );
    this.frame.answer.setAttribute("aria-busy", "false");
    this.#updateButton();
  }

  #updateButton() {
    this.frame.button.disabled = !this.#verdict?.sendable || !this.#entry();
  }

  async #send() {
    const [event, form] = [this.#entry(), this.#form];
    if (!form || !event || this.frame.button.disabled) return;
    this.frame.button.disabled = true;
    const { sync, record } = this;
    const { left, version } = await this.#deliver(event, form);
    const problem = left?.problem && new Problem(left.problem);
    const own = problem && (problem.name === "stale-version" || !FOREIGN_PROBLEMS.has(problem.name));
    if (own && sync.outbox.firstItem()?.key === left?.key && this.#form === form) {
      await sync.outbox.drop(left?.key ?? "");
      if (problem.name !== "stale-version") return this.#show({ problem });
      this.#show({ unknown: t("Others recorded something meanwhile. Check again what your entry does.") });
      return record.refresh().catch(() => {}); // this starts another dry run
    }
    if (this.#form === form) this.frame.close(); // otherwise it composes another entry now
    if (left || !form.stored) return;
    await record.refresh().catch(() => {});
    if (version) form.stored(version);
  }

  /**
   * Send an entry and those after it. Returns the item left to send, or the version of the stored entry.
   *
   * @param {Sent} event
   * @param {EntryForm} form
   */
  async #deliver(event, { label, further }) {
    const { sync, record } = this;
    /** @type {number | undefined} */
    let version;
    /** @param {CustomEvent<Delivered>} event */
    const delivered = ({ detail: { answer } }) => {
      version ??= answer.entries?.find(({ id }) => id === event.id)?.version;
    };
    sync.addEventListener("delivered", delivered);
    const left = await sync.addAndSend({
      path: `${record.path}/events`,
      body: { events: [event, ...(further?.() ?? []).map((more) => ({ id: uuid7(), ...more }))] },
      base: record.head,
      label: event.data.move ? `${label}: ${event.data.move}` : label,
    });
    sync.removeEventListener("delivered", /** @type {EventListener} */ (delivered));
    return { left, version };
  }

  #reset() {
    clearTimeout(this.#timer);
    this.#trial += 1;
    this.#form = null;
  }
}
