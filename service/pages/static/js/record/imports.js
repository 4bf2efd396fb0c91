import { Problem, Unreachable, upload } from "../base/api.js";
import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { problemView } from "../base/problem.js";
import { parseItems } from "../offline/payload.js";
import { uuid7 } from "../base/uuid.js";

/** The number of bytes that identify a file. */
const BEGINNING = 64;

/**
 * The form for importing a game, or entries that waited on another device. The same file is stored only once.
 */
export class ImportForm {
  /** The id for the chosen file's game, if the file has none. */
  #id = uuid7();

  /**
   * @param {HTMLDetailsElement} details
   * @param {WaitingGames} waiting
   */
  constructor(details, waiting) {
    /** @type {HTMLFormElement} */
    const form = details.querySelector("form");
    this.waiting = waiting;
    this.field = form.elements.file;
    this.answer = form.querySelector(".answer");
    this.button = form.querySelector("button");
    this.field.addEventListener("change", () => {
      this.#id = uuid7();
      this.answer.replaceChildren();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      return this.#import("");
    });
  }

  /**
   * Import the chosen file; `erased` says what to do with names in it that were erased here.
   *
   * @param {string} erased
   */
  async #import(erased) {
    this.button.disabled = true;
    this.answer.replaceChildren(t("Importing …"));
    try {
      await this.#importFile(this.field.files[0], erased);
    } catch (error) {
      const asks = error instanceof Problem && error.name === "names-erased";
      this.answer.replaceChildren(errorView(error), asks ? this.#choice() : "");
    } finally {
      this.button.disabled = false;
    }
  }

  /**
   * @param {File} file
   * @param {string} erased
   */
  async #importFile(file, erased) {
    const form = fileFormat(await file.slice(0, BEGINNING).text());
    const boxes = form === "waiting" && parseItems(await file.text());
    if (boxes) {
      await this.waiting.addFromDevice(boxes);
      return this.answer.replaceChildren(t("It is imported, and listed above until it is stored."));
    }
    const imported = await (form === "notation"
      ? upload(`/v1/imports?id=${this.#id}`, file, "text/plain")
      : upload(`/v1/imports${erased && `?erased=${erased}`}`, file, "application/x-ndjson"));
    if (imported.games) this.answer.replaceChildren(...gamesList(imported.games));
    else location.assign(`/games/${imported.game}`);
  }

  #choice() {
    const omit = { type: "button", class: "primary", onclick: () => this.#import("omit") };
    const restore = { type: "button", onclick: () => this.#import("restore") };
    return h(
      "p",
      { class: "actions" },
      h("button", omit, t("Leave them erased")),
      " ",
      h("button", restore, t("Bring the names back")),
    );
  }
}

/**
 * The format of a file, from its beginning: waiting entries of another device, events, or moves in notation.
 *
 * @param {string} beginning without its byte order mark
 */
export function fileFormat(beginning) {
  if (/^\s*\{\s*"kifu"/.test(beginning)) return "waiting";
  return beginning.trimStart().startsWith("{") ? "events" : "notation";
}

/**
 * The games of a file with several, each with its address.
 *
 * @param {Schemas["ImportedGame"][]} games
 */
function gamesList(games) {
  const links = games.map(({ game }) => h("li", {}, h("a", { href: `/games/${game}` }, game)));
  return [h("p", {}, t("{count} games are imported:", { count: games.length })), h("ul", {}, links)];
}

/** @param {unknown} error */
function errorView(error) {
  if (error instanceof Problem) return problemView(error.body);
  return error instanceof Unreachable
    ? t("No connection: nothing was lost, import it again.")
    : t("Not imported: {why}.", { why: error instanceof Error ? error.message : String(error) });
}
