import { get } from "../base/api.js";
import { h } from "../base/dom.js";
import { translated, t, tn } from "../base/language.js";

const PAUSE = 200;
const MAX_SHOWN = 6;
const MAX_LISTED = 100;

/**
 * Finds sheets by the names of a game.
 *
 * Events: `listed` when the stored sheets are known. `chosen` with the `data` of a chosen sheet, and the name that it was
 * `called` by. `file` with a file.
 */
export class SheetFinder extends EventTarget {
  #timer = 0;
  #requests = 0;
  /** The names of stored sheets. */
  ownNames = new Set();

  /**
   * @param {HTMLElement} element
   * @param {boolean} edits
   */
  constructor(element, edits) {
    super();
    this.element = element;
    this.mayEdit = edits;
    this.field = element.querySelector("input[type=search]");
    this.field.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.find(), PAUSE);
    });
    element.querySelector(".anew")?.addEventListener("click", () => this.choose({}));
    const files = element.querySelector("[type=file]");
    element.querySelector(".file")?.addEventListener("click", () => files.click());
    files?.addEventListener("change", (/** @type {{ target: any }} */ { target }) => {
      const [file] = target.files;
      target.value = ""; // so that the same file can be read again
      if (file) this.dispatchEvent(new CustomEvent("file", { detail: file }));
    });
  }

  /** List the sheets that match the typed name. */
  async find() {
    const asked = ++this.#requests;
    const words = this.field.value.trim();
    try {
      const { body } = await get(`/v1/templates?${new URLSearchParams({ q: words, limit: String(MAX_LISTED) })}`);
      if (asked === this.#requests) this.#show(body, words);
    } catch {
      this.#showCount(t("No connection: sheets are found once it is back."));
    }
  }

  /**
   * Begin with a sheet.
   *
   * @param {{ data?: Template, called?: string }} detail
   */
  choose(detail) {
    this.showProblem("");
    this.dispatchEvent(new CustomEvent("chosen", { detail }));
  }

  /**
   * Show why a sheet is not available.
   *
   * @param {string} why
   */
  showProblem(why) {
    this.element.querySelector(".answer").replaceChildren(why ? h("p", { class: "cause", role: "alert" }, why) : "");
  }

  /**
   * @param {Schemas["TemplateList"]} list
   * @param {string} words
   */
  #show({ templates, found }, words) {
    if (!words) this.ownNames = new Set(templates.filter(({ kept }) => kept).map(({ name }) => name));
    const more = found - MAX_SHOWN;
    const many = more > 0 ? tn(found, "{count} sheet", "{count} sheets: type more of a name to see fewer.") : "";
    this.#showCount(found ? many : t("No sheet has that name."));
    this.element
      .querySelector(".found")
      .replaceChildren(...templates.slice(0, MAX_SHOWN).map((one) => this.#item(one)));
    this.dispatchEvent(new Event("listed"));
  }

  /** @param {Schemas["TemplateInfo"]} template */
  #item(template) {
    const { name, kept, title, ja, about, checked, sources } = template;
    const called = kept ? name : translated({ en: title, ja: ja || title });
    const address = `/?${new URLSearchParams({ ruleset: "scoresheet", [kept ? "components" : "template"]: name })}#opening`;
    const begin = () => this.#chooseTemplate(template);
    return h(
      "li",
      {},
      h("h3", {}, h("bdi", {}, called), kept ? h("small", {}, " ", t("kept here")) : null),
      about ? h("p", {}, about) : null,
      h("p", { class: "hint" }, sourcesText(sources, checked)),
      h(
        "div",
        { class: "actions" },
        h(
          "a",
          { class: "button", href: address, "aria-label": t("Open a game with {name}", { name: called }) },
          t("Open a game"),
        ),
        this.mayEdit
          ? h(
              "button",
              { type: "button", onclick: begin, "aria-label": t("Take as a start: {name}", { name: called }) },
              t("Take as a start"),
            )
          : null,
      ),
    );
  }

  /**
   * Begin with a sheet in the reader's language.
   *
   * @param {Schemas["TemplateInfo"]} template
   */
  async #chooseTemplate({ name, kept, about, checked, path }) {
    try {
      const { data } = (await get(path)).body;
      this.choose(
        kept ? { data, called: name } : { data: { ...data, ...(about && { about }), ...(checked && { checked }) } },
      );
    } catch {
      this.showProblem(t("No connection: try again once it is back."));
    }
  }

  /** @param {string} words */
  #showCount(words) {
    this.element.setAttribute("aria-busy", "false");
    this.element.querySelector(".count").textContent = words;
  }
}

/**
 * The sources that a sheet was checked against, with links, and its own remark.
 *
 * @param {Schemas["Source"][]} sources
 * @param {string | null} checked
 */
function sourcesText(sources, checked) {
  const rules = sources.map(({ title, year, url }) => {
    const called = year ? `${title} (${year})` : title;
    const name = h("bdi", {}, called); // in the language of the source
    return url ? h("a", { href: url, rel: "external noopener" }, name) : name;
  });
  if (!rules.length)
    return checked ? t("Checked against {source}.", { source: checked }) : t("Its figures are not checked.");
  const parted = rules.flatMap((rule, index) => (index ? [", ", rule] : [rule]));
  return [t("Checked against {source}.", { source: h("span", {}, parted) }), checked ? ` (${checked})` : ""].flat();
}
