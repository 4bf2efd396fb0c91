import { h, nodes } from "./dom.js";
import { t } from "./language.js";
import { failureView } from "./problem.js";

/** A dialog with a title, a form, and the service's answer; Escape and the second button close it. */
export class FormDialog {
  /** How many times it was opened. */
  #openings = 0;

  /**
   * @param {string} id
   * @param {() => void} onsubmit
   */
  constructor(id, onsubmit) {
    this.title = h("h2", { id: `${id}-title`, tabindex: "-1" });
    this.lead = h("p", { class: "lead" });
    this.fields = h("div", { class: "parts" });
    this.answer = h("div", { class: "answer", "aria-live": "polite" });
    this.button = h("button", { class: "primary" });
    this.leave = h("button", { type: "button", onclick: () => this.close() });
    this.form = h("form", {}, this.title, this.lead, this.fields, this.answer, this.actions());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      onsubmit();
    });
    /** @type {HTMLDialogElement} */
    this.dialog = h("dialog", { class: "form-dialog", "aria-labelledby": `${id}-title` }, this.form);
    this.dialog.addEventListener("close", () => this.fields.replaceChildren());
    document.body.append(this.dialog);
  }

  actions() {
    return h("div", { class: "actions" }, this.button, this.leave);
  }

  /**
   * Open it with these contents.
   *
   * @param {Dialog} shown
   */
  open({ title, lead = "", fields = [], verb, leave = t("Cancel") }) {
    this.title.textContent = title;
    this.lead.replaceChildren(...nodes([lead]));
    this.fields.replaceChildren(...fields);
    this.answer.replaceChildren();
    this.button.disabled = false;
    this.button.textContent = verb;
    this.leave.textContent = leave;
    this.#openings += 1;
    this.dialog.showModal();
  }

  /** The first validation error of a field, apart from an empty one; empty if all fields are readable. */
  firstError() {
    const all = /** @type {HTMLInputElement[]} */ ([...this.form.elements]);
    const field = all.find(({ validity }) => !validity.valid && !validity.valueMissing);
    return field && `${field.labels?.[0]?.firstChild?.textContent ?? field.ariaLabel}: ${field.validationMessage}`;
  }

  /**
   * Run the action of the form, and close it. Returns whether it was done.
   *
   * @param {() => unknown} act
   * @param {Words} [words]
   */
  async send(act, words) {
    const opening = this.#openings;
    const done = await this.attempt(act, words);
    if (done && opening === this.#openings) this.close(); // otherwise it shows another form now
    return done;
  }

  /**
   * Run an action. If it fails, the form stays open and says why. Returns whether it was done.
   *
   * @param {() => unknown} act
   * @param {Words} [words]
   */
  async attempt(act, words) {
    const opening = this.#openings;
    this.button.disabled = true;
    try {
      await act();
      return true;
    } catch (error) {
      if (opening !== this.#openings) return false;
      this.answer.replaceChildren(failureView(error, words));
      this.button.disabled = false;
      return false;
    }
  }

  close() {
    this.dialog.close();
  }
}

/**
 * A labelled form field. A label around a list would read all its choices, so a list has a separate label.
 *
 * @param {string} text
 * @param {Element} field
 */
export function labelledField(text, field) {
  if (field.tagName === "SELECT") field.setAttribute("aria-label", text);
  return h("label", {}, text, " ", field);
}
