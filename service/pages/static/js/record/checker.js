import { Problem, put } from "../base/api.js";
import { h, nodes } from "../base/dom.js";
import { t } from "../base/language.js";
import { markedText, refusalReason } from "../base/problem.js";

const PAUSE = 350;

/** Checks a template while it is typed, with a dry run, and shows each error below its field. */
export class Checker {
  #timer = 0;
  #stop = new AbortController();

  /**
   * @param {HTMLFormElement} form
   * @param {HTMLElement} verdict
   * @param {() => Template} template
   */
  constructor(form, verdict, template) {
    this.form = form;
    this.verdict = verdict;
    this.template = template;
    addEventListener("online", () => this.checkLater());
    form.addEventListener("input", ({ target }) => (target.dataset.touched = ""));
  }

  /** Check once the typing pauses. */
  checkLater() {
    clearTimeout(this.#timer);
    this.#stop.abort();
    this.#timer = setTimeout(() => this.#check(), PAUSE);
  }

  async #check() {
    const stop = new AbortController();
    this.#stop = stop;
    try {
      await put("/v1/components/scoresheet/draft?dry_run=true", { data: this.template() }, { signal: stop.signal });
      this.show(null);
    } catch (error) {
      if (stop.signal.aborted) return;
      if (error instanceof Problem) this.show(error.body);
      else
        this.#showVerdict(
          "waiting",
          t("No connection. It will be checked when you are online. What you typed stays here."),
        );
    }
  }

  /**
   * Show the problem of a template, if any: below its field, and beside the button.
   *
   * @param {ProblemBody | null} problem
   */
  show(problem) {
    for (const old of this.form.querySelectorAll(".error-slot")) old.replaceChildren();
    for (const field of this.form.querySelectorAll("[aria-invalid]")) {
      field.removeAttribute("aria-invalid");
      field.removeAttribute("aria-describedby");
    }
    if (!problem) {
      this.#showVerdict("fits", t("Everything fits."));
      return;
    }
    const [{ field, message } = { field: "", message: problem.detail }] = problem.errors ?? [];
    const place = this.#partAt(field.replace(/^data\.?/, ""));
    const box = place?.matches(".field") ? place.querySelector("input, textarea") : null;
    const empty = box?.value === "";
    const words = empty ? t("This is still to be filled in.") : message;
    const text = refusalReason(problem, words);
    if (place && empty && !("touched" in box.dataset)) {
      this.#showVerdict(
        "waiting",
        t("To begin with: {field}", { field: this.#errorButton(place, box.labels[0].firstChild.textContent.trim()) }),
      );
      return;
    }
    if (place) this.#markError(place, text, problem);
    this.#showVerdict("cause", place ? t("Not yet: {why}", { why: this.#errorButton(place, text) }) : text);
  }

  /**
   * The part of the form at a path, or the nearest part around it.
   *
   * @param {string} path
   * @returns {HTMLElement | null}
   */
  #partAt(path) {
    for (let at = path; at; at = at.replace(/(\.[^.[\]]*|\[[^\]]*\])$|^[^.[\]]*$/, "")) {
      const found = this.form.querySelector(`[data-path="${CSS.escape(at)}"]`);
      if (found) return found;
    }
    return null;
  }

  /**
   * @param {HTMLElement} place
   * @param {string} message
   * @param {ProblemBody} problem
   */
  #markError(place, message, { text, at }) {
    const slot = place.querySelector(".error-slot");
    slot.replaceChildren(h("p", { class: "cause" }, message), at == null ? "" : h("p", {}, markedText(text ?? "", at)));
    const field = place.matches(".field") && place.querySelector("input, select, textarea");
    if (field) {
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", slot.id);
    }
  }

  /**
   * A button that leads to the error.
   *
   * @param {HTMLElement} place
   * @param {string} message
   */
  #errorButton(place, message) {
    const go = () => {
      for (let part = place; part; part = part.parentElement?.closest("details"))
        if (part instanceof HTMLDetailsElement) part.open = true;
      place.querySelector("input, select, textarea, button")?.focus();
      place.scrollIntoView({ block: "center" });
    };
    return h("button", { type: "button", class: "plain", onclick: go }, message);
  }

  /**
   * @param {string} kind
   * @param {Child} words
   */
  #showVerdict(kind, words) {
    this.verdict.className = `verdict ${kind}`;
    this.verdict.replaceChildren(...nodes([words]));
  }
}
