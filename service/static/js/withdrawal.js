import { post, Problem } from "./api.js";
import { h } from "./dom.js";
import { brief } from "./entry.js";
import { preview } from "./preview.js";
import { problemView } from "./problem.js";
import { uuid7 } from "./uuid.js";

/** Taking an entry back: shown first with what it changes, then recorded as a correction. */
export class Withdrawal {
  #entry = 0;

  constructor(record, courier, words) {
    Object.assign(this, { record, courier, words });
    this.title = h("h2", { id: "withdrawal-title" });
    this.what = h("p");
    this.answer = h("div", { class: "answer", "aria-live": "polite" });
    this.reason = h("input", { maxlength: "1000", autocomplete: "off" });
    this.button = h("button", { class: "primary" }, "Withdraw");
    const keep = h("button", { type: "button", autofocus: true, onclick: () => this.dialog.close() }, "Keep it");
    const form = h(
      "form",
      {},
      this.title,
      this.what,
      this.answer,
      h("label", {}, "Reason, if there is one to note ", this.reason),
      h("div", { class: "actions" }, this.button, keep),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    this.dialog = h("dialog", { "aria-labelledby": "withdrawal-title" }, form);
    document.body.append(this.dialog);
  }

  /** Ask whether the last entry that counts did not happen. */
  undo() {
    const last = this.record.entries.findLast(
      (entry) => ["move.made", "note.added"].includes(entry.type) && !entry.withdrawn_by,
    );
    if (last) this.ask(last);
  }

  /** Ask whether `entry` did not happen. */
  async ask(entry) {
    this.#entry = entry.version;
    this.reason.value = "";
    this.title.textContent = `Withdraw entry ${entry.version}?`;
    this.what.textContent = `${brief(entry, this.words)}. It stays in the record, struck through, and counts no more.`;
    this.answer.replaceChildren();
    this.button.disabled = false;
    this.dialog.showModal();
    try {
      const { entries } = await post(`${this.record.path}/events?dry_run=true`, this.#body(), {
        base: this.record.head,
      });
      this.answer.replaceChildren(preview(entries[0], this.record.entries.at(-1).scores, this.words));
    } catch (error) {
      if (error instanceof Problem) this.#refuse(error.body);
    }
  }

  async #send() {
    this.button.disabled = true;
    const item = {
      path: `${this.record.path}/events`,
      body: this.#body(),
      base: this.record.head,
      label: `withdraw entry ${this.#entry}`,
    };
    const left = await this.courier.send(item);
    if (left?.problem?.status === 409 || left?.problem?.status === 422) {
      this.courier.outbox.drop(left.key);
      this.#refuse(left.problem);
    } else this.dialog.close();
  }

  #refuse(problem) {
    this.answer.replaceChildren(problemView(problem, this.words));
    this.button.disabled = problem.type !== "/problems/stale-version";
  }

  #body() {
    const reason = this.reason.value.trim();
    return {
      events: [{ id: uuid7(), type: "entry.withdrawn", data: { entry: this.#entry, ...(reason && { reason }) } }],
    };
  }
}
