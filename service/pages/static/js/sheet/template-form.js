import { Problem, put } from "../base/api.js";
import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { problemView } from "../base/problem.js";
import { Checker } from "../record/checker.js";
import { parseJson, formatJson } from "./components.js";
import { Drafts } from "./drafts.js";
import { TemplateEditor } from "./editor.js";
import { sheetInAddress, readFile, saveFile, shareLink } from "./sharing.js";
import { EMPTY_TEMPLATE, shapeProblem } from "./sheet.js";

const TEMPLATES = "/v1/components/scoresheet";

/** The form of a score sheet's template: begun from a ready or own one, checked while typing, stored. */
export class TemplateForm {
  /** @type {Template} What the form shows; JSON that it cannot show stands in its own field alone. */
  #template = EMPTY_TEMPLATE;
  #drafts = new Drafts();

  /**
   * @param {HTMLFormElement} form
   * @param {import("./finder.js").SheetFinder} finder
   */
  constructor(form, finder) {
    this.form = form;
    this.finder = finder;
    this.name = form.elements.name;
    this.json = form.elements.json;
    this.jsonAnswer = form.querySelector(".json .answer");
    this.answer = form.querySelector(".keep .answer");
    this.restored = form.querySelector(".restored");
    this.checker = new Checker(form, form.querySelector(".verdict"), () => this.#template);
    this.editor = new TemplateEditor(form.querySelector(".form"), () => this.#edited());
    this.#listen();
    this.#listenToFinder();
    this.#begin(EMPTY_TEMPLATE, "");
    this.#restore();
    this.#showOthers();
    form.setAttribute("aria-busy", "false");
    sheetInAddress()
      .then((data) => data && finder.choose({ data }))
      .catch((error) => finder.showProblem(error.message));
  }

  #listen() {
    const { form, name, json, answer } = this;
    const { play, save, link } = form.elements;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#attempt((kept) => this.#showStored(kept));
    });
    play.addEventListener("click", () => this.#attempt((kept) => location.assign(openingAddress(kept))));
    save.addEventListener("click", () => saveFile(this.#template));
    link.addEventListener("click", async () => {
      answer.replaceChildren(await shareLink(this.#template));
    });
    json.addEventListener("input", () => this.#readJson());
    name.addEventListener("input", () => {
      this.#warnOfName();
      this.#changed();
    });
    this.#drafts.addEventListener("apart", () => {
      this.#storeDraft();
      form.querySelector(".apart").hidden = false;
    });
  }

  #listenToFinder() {
    const { form, finder } = this;
    finder.addEventListener("chosen", ({ detail: { data, called = "" } }) => {
      this.#begin(data ?? EMPTY_TEMPLATE, called);
      if (data) this.#storeDraft();
      else this.#drafts.deleteOwn();
      this.restored.hidden = true;
      form.scrollIntoView();
      form.querySelector("input").focus({ preventScroll: true });
    });
    finder.addEventListener("listed", () => this.#warnOfName());
    finder.addEventListener("file", async ({ detail: file }) => {
      try {
        finder.choose({ data: await readFile(file) });
      } catch (error) {
        finder.showProblem(error instanceof Error ? error.message : String(error));
      }
    });
  }

  /**
   * Begin with a template: the old content of the form is gone.
   *
   * @param {Template} data
   * @param {string} name
   */
  #begin(data, name) {
    this.#template = structuredClone(data);
    this.name.value = name;
    this.#writeJson();
    this.editor.show(this.#template);
    this.#warnOfName();
    this.checker.checkLater();
  }

  /** Continue the draft of this tab, if there is one. */
  #restore() {
    const draft = this.#drafts.ownDraft;
    if (!draft) return;
    this.name.value = draft.name;
    this.json.value = draft.json;
    this.restored.hidden = false;
    this.#warnOfName();
    this.#readJson();
    if (this.jsonAnswer.textContent) this.form.querySelector(".json").open = true;
  }

  /** Offer the drafts of other tabs, and older ones. */
  #showOthers() {
    const others = this.#drafts.otherDrafts.map(({ key, draft }) => {
      const go = () => {
        this.#drafts.continueDraft(key);
        this.#restore();
        this.#showOthers();
      };
      const name = draft.name || parseJson(draft.json)?.name || t("a sheet without a name");
      return h("button", { type: "button", onclick: go }, h("bdi", {}, name));
    });
    this.form.querySelector(".others").hidden = !others.length;
    this.form.querySelector(".others .actions").replaceChildren(...others);
  }

  #storeDraft() {
    this.#drafts.storeDraft({ name: this.name.value, json: this.json.value });
  }

  #writeJson() {
    this.json.value = formatJson(this.#template);
    this.jsonAnswer.replaceChildren();
  }

  /** Use the typed JSON, if the form can show it. */
  #readJson() {
    const data = parseJson(this.json.value);
    const why = data instanceof Error ? t("This is not JSON: {why}", { why: data.message }) : shapeProblem(data);
    this.jsonAnswer.replaceChildren(
      why ? h("p", { class: "cause" }, t("{why}. The form above shows it as it was before.", { why })) : "",
    );
    this.#storeDraft();
    if (why) return;
    this.#template = data;
    this.editor.show(data);
    this.#changed();
  }

  /** Handle a change of a form field. */
  #edited() {
    this.#writeJson();
    this.#changed();
  }

  #changed() {
    this.answer.replaceChildren();
    this.#storeDraft();
    this.checker.checkLater();
  }

  /** Warn beside the name that a template already has it. */
  #warnOfName() {
    this.form.querySelector(".taken").hidden = !this.finder.ownNames.has(this.name.value.trim());
  }

  /**
   * Store the template, then call `then` with its name; otherwise show the problem.
   *
   * @param {(kept: string) => unknown} then
   */
  async #attempt(then) {
    try {
      then(await this.#store());
    } catch (error) {
      this.answer.replaceChildren(errorView(error));
    }
  }

  async #store() {
    const name = nameToStore(this.name.value, this.#template);
    if (this.jsonAnswer.textContent)
      throw new UnfinishedError(t("Correct the JSON first. A change in the form discards it."));
    if (!name) throw new UnfinishedError(t("Give it a name."));
    try {
      const found = await put(`${TEMPLATES}/${encodeURIComponent(name)}`, { data: this.#template });
      this.#drafts.deleteOwn();
      return found.name;
    } catch (error) {
      if (error instanceof Problem) this.checker.show(error.body);
      throw error;
    }
  }

  /** @param {string} name */
  async #showStored(name) {
    this.name.value = name;
    const open = h("a", { href: openingAddress(name) }, t("Open a game with it"));
    this.answer.replaceChildren(h("p", { class: "fits" }, t("{name} is kept.", { name }), " ", open));
    await this.finder.find();
  }
}

/** Something must be done before anything is sent. */
class UnfinishedError extends Error {}

/**
 * The name for storing a template: the typed one, or that of the sheet.
 *
 * @param {string} typed
 * @param {Template} template
 */
export function nameToStore(typed, template) {
  return typed.trim() || String(template.name ?? "").trim();
}

/**
 * The address for opening a game with a template.
 *
 * @param {string} name
 */
export function openingAddress(name) {
  return `/?${new URLSearchParams({ ruleset: "scoresheet", components: name })}#opening`;
}

/** @param {unknown} error */
function errorView(error) {
  if (error instanceof Problem) return problemView(error.body);
  if (error instanceof UnfinishedError) return h("p", { class: "cause", role: "alert" }, error.message);
  return h(
    "p",
    { class: "cause", role: "alert" },
    t("No connection: nothing is kept yet. What you typed stays in this browser; try again later."),
  );
}
