import { get } from "../base/api.js";
import { h } from "../base/dom.js";
import { named, t, tn } from "../base/language.js";

const PAUSE = 200;
const SHOWN = 6;
const LISTED = 100;

/**
 * Finds sheets by the names of a game.
 *
 * Events: `listed` when the stored sheets are known. `take` with the `data` of a chosen sheet, and the name that it was
 * `called` by. `file` with a file.
 */
export class Finder extends EventTarget {
  #timer = 0;
  #asked = 0;
  /** The names of stored sheets. */
  kept = new Set();

  /**
   * @param {HTMLElement} element
   * @param {boolean} edits
   */
  constructor(element, edits) {
    super();
    this.element = element;
    this.edits = edits;
    this.field = element.querySelector("input[type=search]");
    this.field.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.find(), PAUSE);
    });
    element.querySelector(".anew")?.addEventListener("click", () => this.take({}));
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
    const asked = ++this.#asked;
    const words = this.field.value.trim();
    try {
      const { body } = await get(`/v1/templates?${new URLSearchParams({ q: words, limit: String(LISTED) })}`);
      if (asked === this.#asked) this.#show(body, words);
    } catch {
      this.#count(t("No connection: sheets are found once it is back."));
    }
  }

  /**
   * Begin with a sheet.
   *
   * @param {{ data?: Template, called?: string }} detail
   */
  take(detail) {
    this.say("");
    this.dispatchEvent(new CustomEvent("take", { detail }));
  }

  /**
   * Show why a sheet is not available.
   *
   * @param {string} why
   */
  say(why) {
    this.element.querySelector(".answer").replaceChildren(why ? h("p", { class: "cause", role: "alert" }, why) : "");
  }

  /**
   * @param {Schemas["TemplateList"]} list
   * @param {string} words
   */
  #show({ templates, found }, words) {
    if (!words) this.kept = new Set(templates.filter(({ kept }) => kept).map(({ name }) => name));
    const more = found - SHOWN;
    const many = more > 0 ? tn(found, "{count} sheet", "{count} sheets: type more of a name to see fewer.") : "";
    this.#count(found ? many : t("No sheet goes by that name."));
    this.element.querySelector(".found").replaceChildren(...templates.slice(0, SHOWN).map((one) => this.#line(one)));
    this.dispatchEvent(new Event("listed"));
  }

  /** @param {Schemas["TemplateInfo"]} template */
  #line(template) {
    const { name, kept, title, ja, about, checked, sources } = template;
    const called = kept ? name : named({ en: title, ja: ja || title });
    const address = `/?${new URLSearchParams({ ruleset: "scoresheet", [kept ? "components" : "template"]: name })}#opening`;
    const begin = () => this.#begin(template);
    return h(
      "li",
      {},
      h("h3", {}, h("bdi", {}, called), kept ? h("small", {}, " ", t("kept here")) : null),
      about ? h("p", {}, about) : null,
      h("p", { class: "hint" }, heldAgainst(sources, checked)),
      h(
        "div",
        { class: "actions" },
        h(
          "a",
          { class: "button", href: address, "aria-label": t("Open a game with {name}", { name: called }) },
          t("Open a game"),
        ),
        this.edits
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
  async #begin({ name, kept, about, checked, path }) {
    try {
      const { data } = (await get(path)).body;
      this.take(
        kept ? { data, called: name } : { data: { ...data, ...(about && { about }), ...(checked && { checked }) } },
      );
    } catch {
      this.say(t("No connection: try again once it is back."));
    }
  }

  /** @param {string} words */
  #count(words) {
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
function heldAgainst(sources, checked) {
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
