import { Problem, Unreachable, upload } from "../base/api.js";
import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { problemView } from "../base/problem.js";
import { unpack } from "../offline/payload.js";
import { uuid7 } from "../base/uuid.js";

/**
 * The form that imports a game from a file, or what waited on another device to be sent: sent again, the same file is
 * stored once.
 *
 * @param {HTMLDetailsElement} details
 * @param {Waiting} waiting
 */
export function importForm(details, waiting) {
  /** @type {HTMLFormElement} */
  const form = details.querySelector("form");
  const answer = form.querySelector(".answer");
  const button = form.querySelector("button");
  let id = uuid7();
  form.elements.file.addEventListener("change", () => {
    id = uuid7();
    answer.replaceChildren();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    return bring("");
  });

  /**
   * Import the chosen file; `erased` says what becomes of names in it that were erased here.
   *
   * @param {string} erased
   */
  async function bring(erased) {
    const [file] = form.elements.file.files;
    button.disabled = true;
    answer.replaceChildren(t("Importing …"));
    try {
      if (await takeIn(file)) return;
      const chained = (await file.slice(0, 64).text()).trimStart().startsWith("{"); // without its byte order mark
      const imported = await (chained
        ? upload(`/v1/imports${erased && `?erased=${erased}`}`, file, "application/x-ndjson")
        : upload(`/v1/imports?id=${id}`, file, "text/plain"));
      if (imported.games) answer.replaceChildren(...several(imported.games));
      else location.assign(`/games/${imported.game}`);
    } catch (error) {
      answer.replaceChildren(told(error), error instanceof Problem && error.name === "names-erased" ? choice() : "");
    } finally {
      button.disabled = false;
    }
  }

  /**
   * Send what waited on another device; answers whether that is what the file holds.
   *
   * @param {File} file
   */
  async function takeIn(file) {
    if (!/^\s*\{\s*"kifu"/.test(await file.slice(0, 64).text())) return false;
    const boxes = unpack(await file.text());
    if (!boxes) return false;
    await waiting.take(boxes);
    answer.replaceChildren(t("It is taken in, and listed above until it is stored."));
    return true;
  }

  function choice() {
    const omit = h(
      "button",
      { type: "button", class: "primary", onclick: () => bring("omit") },
      t("Leave them erased"),
    );
    const restore = h("button", { type: "button", onclick: () => bring("restore") }, t("Bring the names back"));
    return h("p", { class: "actions" }, omit, " ", restore);
  }
}

/**
 * The games of a file that holds more than one, each with its address.
 *
 * @param {Schemas["ImportedGame"][]} games
 */
function several(games) {
  const links = games.map(({ game }) => h("li", {}, h("a", { href: `/games/${game}` }, game)));
  return [h("p", {}, t("{count} games are taken in:", { count: games.length })), h("ul", {}, links)];
}

/** @param {unknown} error */
function told(error) {
  if (error instanceof Problem) return problemView(error.body);
  return error instanceof Unreachable
    ? t("No connection: nothing was lost, import it again.")
    : t("Not taken in: {why}.", { why: error instanceof Error ? error.message : String(error) });
}
