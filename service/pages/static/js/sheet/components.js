import { get, Problem, put, remove } from "../base/api.js";
import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { problemView } from "../base/problem.js";

/** The components of a ruleset's boxes as a list, with a form to enter or change them for people with the right to. */
export class BoxComponents {
  /** @param {HTMLDetailsElement} details */
  constructor(details) {
    this.path = `/v1/components/${details.dataset.ruleset}`;
    this.form = details.querySelector("form");
    this.list = details.querySelector(".entered");
    this.answer = details.querySelector(".answer");
    this.form?.addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#submit();
    });
  }

  /** Load and show the stored components. */
  async refresh() {
    /** @type {Schemas["ComponentsList"]} */
    const { components } = (await get(this.path)).body;
    this.list.replaceChildren(...components.map((found) => this.#item(found)));
  }

  /** @param {Schemas["ComponentsInfo"]} components */
  #item({ name, data, invented }) {
    /**
     * @param {string} text
     * @param {() => void} onclick
     */
    const button = (text, onclick) => [" ", h("button", { type: "button", onclick }, text)];
    return h(
      "li",
      {},
      h("bdi", {}, name),
      invented ? h("small", {}, " ", t("made up, to try things out")) : null,
      this.form && button(t("Take as a start"), () => this.#fill(invented ? "" : name, data)),
      this.form && !invented ? button(t("Remove"), () => this.#remove(name)) : null,
    );
  }

  /**
   * Put components into the form.
   *
   * @param {string} name
   * @param {Json} data
   */
  #fill(name, data) {
    const { elements } = this.form;
    elements.name.value = name;
    elements.data.value = formatJson(data);
    elements.name.focus();
  }

  #submit() {
    const { name, data: json } = this.form.elements;
    const data = parseJson(json.value);
    if (data instanceof SyntaxError)
      return this.answer.replaceChildren(t("This is not JSON: {why}", { why: data.message }));
    return this.#attempt(async () => {
      const kept = await put(this.#address(name.value.trim()), { data });
      return t("{name} is kept. Choose it when you open a game.", { name: kept.name });
    });
  }

  /** @param {string} name */
  #remove(name) {
    return this.#attempt(async () => {
      await remove(this.#address(name));
      return t("{name} is removed. Games that were opened with it keep it.", { name });
    });
  }

  /** @param {string} name */
  #address(name) {
    return `${this.path}/${encodeURIComponent(name)}`;
  }

  /**
   * Make a change, and show the result or the problem.
   *
   * @param {() => Promise<string>} act
   */
  async #attempt(act) {
    try {
      const done = await act();
      await this.refresh();
      this.answer.replaceChildren(done);
    } catch (error) {
      this.answer.replaceChildren(
        error instanceof Problem ? problemView(error.body) : t("No connection: nothing was kept."),
      );
    }
  }
}

/**
 * Readable JSON: lists of plain values on one line.
 *
 * @param {unknown} data
 */
export function formatJson(data) {
  return JSON.stringify(data, null, 2).replace(
    /\[\s+([^[\]{}]*?)\s+\]/g,
    (_, inner) => `[${inner.replace(/\s+/g, " ")}]`,
  );
}

/**
 * Parse JSON; returns the error if it is invalid.
 *
 * @param {string} text
 * @returns {any}
 */
export function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}
