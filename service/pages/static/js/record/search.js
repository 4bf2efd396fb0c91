import { get } from "../base/api.js";
import { h } from "../base/dom.js";
import { normalized } from "../base/folding.js";
import { translated, t } from "../base/language.js";
import { waitForTouchEnd } from "../base/taps.js";

const PAUSE = 150;
const EVERY = "/v1/playable";

/**
 * The search for a game to play. Sends `chosen` with the tapped game, and for a game without its own sheet the name it
 * was `called` by.
 */
export class GameFinder extends EventTarget {
  #searches = 0;
  #timer = 0;
  /** Resolves once no finger is on the list: redrawing earlier would lose the tap. */
  #lifted = Promise.resolve();

  /** @param {HTMLElement} element */
  constructor(element) {
    super();
    this.element = element;
    this.field = element.querySelector("input");
    this.news = element.querySelector("[role=status]");
    this.list = element.querySelector(".playable");
    this.offered = [...this.list.children];
    this.field.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#search(), PAUSE);
    });
    this.field.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      this.#chooseFirst();
    });
    this.list.addEventListener("pointerdown", () => (this.#lifted = waitForTouchEnd()));
    this.list.addEventListener("click", (/** @type {{ target: any }} */ { target }) => {
      const button = target.closest("button");
      if (button?.matches(".every")) this.#showAll();
      else if (button) this.#choose(JSON.parse(button.dataset.playable));
    });
  }

  /** Show the search for another choice. */
  show() {
    this.element.hidden = false;
    this.field.focus();
  }

  hide() {
    this.element.hidden = true;
    this.announce("");
  }

  /** @param {string} text */
  announce(text) {
    this.news.textContent = text;
  }

  /**
   * Choose the game in an address.
   *
   * @param {{ ruleset: string, template?: string, components?: string }} wanted
   */
  async choose({ ruleset, template, components }) {
    const found = await this.#load("").catch(() => []);
    const usual = ruleset === "scoresheet" && !components ? "plain" : undefined;
    const one = found.find(
      (one) =>
        one.ruleset === ruleset &&
        (one.components ?? undefined) === components &&
        (one.template ?? undefined) === (template ?? usual),
    );
    if (one) this.#choose(one);
    else this.announce(t("This game is not known here. Look for it by its name."));
  }

  /** @param {Playable} playable */
  #choose(playable) {
    const words = this.field.value.trim();
    const called = playable.fits === "any" ? words : "";
    this.dispatchEvent(new CustomEvent("chosen", { detail: { playable, called } }));
  }

  /** Choose the best match, for the keyboard. */
  async #chooseFirst() {
    clearTimeout(this.#timer);
    await this.#search();
    const first = this.list.querySelector("[data-playable]");
    if (first && this.field.value.trim()) this.#choose(JSON.parse(first.dataset.playable));
  }

  async #showAll() {
    try {
      this.#show(await this.#load(""));
      this.list.querySelector("button")?.focus();
    } catch {
      this.announce(t("No connection: sheets are found once it is back."));
    }
  }

  async #search() {
    const trial = ++this.#searches;
    const words = this.field.value.trim();
    try {
      const found = words ? await this.#load(words) : null;
      await this.#lifted;
      if (trial !== this.#searches) return;
      if (!found) {
        this.announce("");
        return this.list.replaceChildren(...this.offered);
      }
      this.#show(found);
      this.announce(found.length && found[0].fits === "name" ? "" : t("No game has that name. Similar names:"));
    } catch {
      if (trial === this.#searches) this.announce(t("No connection: sheets are found once it is back."));
    }
  }

  /**
   * The games that match a name. Without a connection, only stored ones.
   *
   * @param {string} words
   * @returns {Promise<Playable[]>}
   */
  async #load(words) {
    const every = async () => (await get(EVERY)).body.playable;
    if (!words) return every();
    const asked = get(`${EVERY}?${new URLSearchParams({ q: words })}`);
    return asked.then(({ body }) => body.playable).catch(async () => storedMatches(await every(), words));
  }

  /** @param {Playable[]} found */
  #show(found) {
    this.list.replaceChildren(
      ...found.map((one) =>
        h("button", { type: "button", "data-playable": JSON.stringify(one) }, h("bdi", {}, translated(one.title))),
      ),
    );
  }
}

/**
 * The stored games that match a name; plain points without a match.
 *
 * @param {Playable[]} every
 * @param {string} words
 * @returns {Playable[]}
 */
export function storedMatches(every, words) {
  const wanted = normalized(words);
  const found = every.filter(({ title }) => [title.en, title.ja].some((name) => normalized(name).includes(wanted)));
  if (found.length) return found;
  return every.filter(({ template }) => template === "plain").map((one) => ({ ...one, fits: "any" }));
}
