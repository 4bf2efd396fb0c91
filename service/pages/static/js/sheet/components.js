import { get, Problem, put, remove } from "../base/api.js";
import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { problemView } from "../base/problem.js";

/**
 * The components of a ruleset's boxes. It is a list, with a form to enter or change some for people with the right to.
 *
 * @param {HTMLDetailsElement} details
 */
export async function componentsForm(details) {
  const path = `/v1/components/${details.dataset.ruleset}`;
  const form = details.querySelector("form");
  const list = details.querySelector(".entered");
  const answer = details.querySelector(".answer");
  /** @param {string} name */
  const address = (name) => `${path}/${encodeURIComponent(name)}`;

  const refresh = async () => {
    const { components } = (await get(path)).body;
    list.replaceChildren(...components.map(line));
  };

  /** @param {Schemas["ComponentsInfo"]} components */
  const line = ({ name, data, invented }) => {
    const show = () => fill(form, invented ? "" : name, data);
    const drop = () =>
      attempt(async () => {
        await remove(address(name));
        return t("{name} is removed. Games that were opened with it keep it.", { name });
      });
    return h(
      "li",
      {},
      h("bdi", {}, name),
      invented ? h("small", {}, " ", t("made up, to try things out")) : null,
      form && [" ", h("button", { type: "button", onclick: show }, t("Take as a start"))],
      form && !invented ? [" ", h("button", { type: "button", onclick: drop }, t("Remove"))] : null,
    );
  };

  /** @param {() => Promise<string>} act */
  const attempt = async (act) => {
    try {
      const done = await act();
      await refresh();
      answer.replaceChildren(done);
    } catch (error) {
      answer.replaceChildren(
        error instanceof Problem ? problemView(error.body) : t("No connection: nothing was kept."),
      );
    }
  };

  form?.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const name = form.elements.name.value.trim();
    const data = parsed(form.elements.data.value);
    if (data instanceof SyntaxError) answer.replaceChildren(t("This is no JSON: {why}", { why: data.message }));
    else
      attempt(async () =>
        t("{name} is kept. Choose it when you open a game.", { name: (await put(address(name), { data })).name }),
      );
  });
  await refresh();
}

/**
 * Put components into the form.
 *
 * @param {any} form
 * @param {string} name
 * @param {Json} data
 */
function fill(form, name, data) {
  form.elements.name.value = name;
  form.elements.data.value = pretty(data);
  form.elements.name.focus();
}

/**
 * JSON for people: one line a list of plain values.
 *
 * @param {unknown} data
 */
export function pretty(data) {
  return JSON.stringify(data, null, 2).replace(
    /\[\s+([^[\]{}]*?)\s+\]/g,
    (_, inner) => `[${inner.replace(/\s+/g, " ")}]`,
  );
}

/**
 * What a text says in JSON; the error if it is none.
 *
 * @param {string} text
 * @returns {any}
 */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}
