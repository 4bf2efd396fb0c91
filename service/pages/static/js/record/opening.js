import { get } from "../base/api.js";
import { h } from "../base/dom.js";
import { firstRepeated } from "../base/folding.js";
import { draftPage } from "../offline/page-copies.js";
import { translated, t } from "../base/language.js";
import { offerPlayers } from "../people/players.js";
import { problemView } from "../base/problem.js";
import { uuid7 } from "../base/uuid.js";
import { optionText, ruleWord } from "../base/words.js";
import { ClubField } from "./club.js";
import { listenToChips, markSeated } from "./people.js";
import { GameFinder } from "./search.js";
import { SeatFields } from "./seatfields.js";

const SHEET = "scoresheet";

/**
 * The form that opens a game in three steps: the game, the players, the start. Most visitors of the list open no game,
 * so the parts of the form are loaded when a game is chosen.
 */
export class OpeningForm {
  /**
   * The chosen game.
   *
   * @type {{ playable: Playable, ruleset: Ruleset } | null}
   */
  #game = null;
  /** The number of choices: a late answer to an earlier choice is ignored. */
  #choices = 0;
  /** The repeated name that the person was asked about. */
  #askedName = "";

  /**
   * @param {HTMLElement} card
   * @param {WaitingGames} waiting
   */
  constructor(card, waiting) {
    this.waiting = waiting;
    /** @type {HTMLFormElement} */
    this.form = card.querySelector("form");
    this.answer = this.form.querySelector(".answer");
    this.chosen = this.form.querySelector(".chosen");
    /** @type {HTMLButtonElement | null} */
    this.again = this.form.querySelector(".as-last-time");
    this.finder = new GameFinder(this.form.querySelector(".what"));
    this.club = new ClubField(this.form);
    this.#listen();
    this.#listenToNames();
    this.#begin();
  }

  #listen() {
    const { form, finder, club, again } = this;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    finder.addEventListener("chosen", (/** @type {any} */ { detail }) => this.#choose(detail));
    club.addEventListener("changed", () => {
      markSeated(form);
      this.#drawOptions();
    });
    again?.addEventListener("click", () => {
      form.querySelector("[data-people]").click();
      form.requestSubmit();
    });
    form.querySelector(".other").addEventListener("click", () => {
      this.chosen.hidden = true;
      this.#game = null;
      finder.show();
    });
  }

  #listenToNames() {
    const { form } = this;
    form.addEventListener("input", ({ target }) => {
      if (!("seat" in target.dataset)) return;
      offerPlayers(target, form.querySelector("datalist"));
      markSeated(form);
    });
    form.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || !("seat" in event.target.dataset)) return;
      event.preventDefault(); // the game starts only by its button: Enter after a name does not start it
      const stops = [...form.querySelectorAll("[data-seat], .another:not([hidden]), .start .primary")];
      stops[stops.indexOf(event.target) + 1].focus();
    });
  }

  /** Begin with the choices in the address. */
  #begin() {
    const { ruleset, components, template, club } = Object.fromEntries(new URLSearchParams(location.search));
    if (club) this.club.offerClubs(club);
    if (ruleset) this.finder.choose({ ruleset, components, template });
    if (location.hash === "#opening" && !ruleset) this.form.elements.what.focus();
  }

  async #submit() {
    if (!this.#game) return;
    const { playable } = this.#game;
    const body = requestBody(this.form, playable);
    const twice = firstRepeated(body.seats.map(({ name }) => name ?? ""));
    if (twice && twice !== this.#askedName) {
      this.#askedName = twice;
      this.answer.replaceChildren(
        t("{name} sits at two seats. Change a name, or press the button again.", { name: twice }),
      );
    } else await this.#send(body, body.title || translated(playable.title));
  }

  /**
   * Open the game, or store it here until there is a connection.
   *
   * @param {NewGame} body
   * @param {string} label
   */
  async #send(body, label) {
    const sync = this.waiting.sync(body.id);
    sync.addEventListener("delivered", () => location.assign(`/games/${body.id}`));
    const left = await sync.addAndSend({ path: this.club.openingPath, body, label });
    if (left?.problem) {
      await sync.outbox.drop(left.key);
      return this.answer.replaceChildren(problemView(left.problem, undefined, (field) => labelOf(this.form, field)));
    }
    this.answer.replaceChildren(left ? t("No connection: the game is opened once it is back.") : "");
    const draft = left && !sync.outbox.fault && (await draftPage(body.id));
    if (draft) location.assign(draft);
  }

  /** @param {{ playable: Playable, called?: string }} choice */
  async #choose({ playable, called }) {
    const choice = ++this.#choices;
    try {
      const { ruleset, components } = await rulesOf(playable);
      if (choice !== this.#choices) return; // another one was chosen since
      this.#game = { playable, ruleset };
      this.#showFields(ruleset, components);
    } catch {
      return this.finder.announce(t("No connection: the game is opened once it is back."));
    }
    this.finder.hide();
    this.answer.replaceChildren();
    this.chosen.querySelector("b").replaceChildren(translated(playable.title));
    if (called) this.form.elements.title.value ||= called;
    this.chosen.hidden = false;
    markSeated(this.form);
    (this.form.querySelector(".known button") ?? this.form.querySelector("[data-seat]")).focus({ preventScroll: true });
  }

  /**
   * Show the fields that the chosen game needs.
   *
   * @param {Ruleset} ruleset
   * @param {Schemas["ComponentsInfo"][]} components
   */
  #showFields(ruleset, components) {
    const { form, again } = this;
    listenToChips(form, new SeatFields(form, ruleset));
    form
      .querySelector("#components")
      .replaceChildren(...(components.length ? componentsField(ruleset, components) : []));
    this.#drawOptions();
    this.club.offerClubs();
    if (again)
      again.hidden = !seatsFit(JSON.parse(form.querySelector("[data-people]").dataset.people ?? "[]"), ruleset);
  }

  /** Show the option fields of the chosen game, with the club's house rules. */
  #drawOptions() {
    if (!this.#game) return;
    const { ruleset, playable } = this.#game;
    this.form.querySelector("#options").replaceChildren(...optionFields(ruleset, playable));
    this.club.showHouseRules(ruleset.name);
  }
}

/**
 * The ruleset of a game, and its stored components.
 *
 * @param {Playable} playable
 */
async function rulesOf({ ruleset: name }) {
  /** @type {Ruleset} */
  const ruleset = (await get(`/v1/rulesets/${name}`)).body;
  const boxed = ruleset.components_help && name !== SHEET;
  /** @type {Schemas["ComponentsInfo"][]} */
  const components = boxed ? (await get(`/v1/components/${name}`)).body.components : [];
  return { ruleset, components };
}

/**
 * Whether there are enough seats for these people, and enough people for the required seats.
 *
 * @param {string[]} people
 * @param {Ruleset} ruleset
 */
export function seatsFit({ length }, { min_seats: min, max_seats: max }) {
  return min <= length && length <= max;
}

/**
 * The choice among the stored components of a box.
 *
 * @param {Ruleset} ruleset
 * @param {Schemas["ComponentsInfo"][]} components
 */
function componentsField({ name }, components) {
  const options = components.map((found) => h("option", { value: found.name }, found.name));
  const none = h("option", { value: "" }, t("none of your own"));
  return [
    h("label", {}, t("Components"), h("select", { name: "components" }, none, options)),
    h("p", { class: "hint" }, h("a", { href: `/rulesets/${name}#components` }, t("Enter those of your box once"))),
  ];
}

/**
 * The options of a ruleset. For a score sheet, the sheet is already chosen: only its additions are offered.
 *
 * @param {Ruleset} ruleset
 * @param {Playable} playable
 */
function optionFields(ruleset, { template }) {
  return ruleset.options.flatMap((option) =>
    ruleset.name === SHEET && option.name === "template" ? sheetField(option, template) : [optionField(option)],
  );
}

/**
 * The chosen ready sheet with its possible additions; empty for a sheet of one's own.
 *
 * @param {Schemas["Option"]} option
 * @param {string | null} template
 * @returns {Element[]}
 */
function sheetField({ name, additions = {} }, template) {
  if (!template) return [];
  const field = h("input", { type: "hidden", "data-option": name, value: JSON.stringify(template) });
  const words = Object.entries(additions[template] ?? {}).map(([value, title]) =>
    check({ "data-addition": name, value, "data-group": title.group, onchange: untickOthers }, title),
  );
  return [field, ...(words.length ? [h("div", { class: "checks additions" }, words)] : [])];
}

/**
 * Keep only the last ticked addition of a group.
 *
 * @param {{ target: any }} event
 */
function untickOthers({ target }) {
  if (!target.checked || !target.dataset.group) return;
  for (const other of target.closest(".additions").querySelectorAll(`[data-group="${target.dataset.group}"]`))
    if (other !== target) other.checked = false;
}

/**
 * @param {Attributes} attributes
 * @param {Schemas["Title"]} title
 */
function check(attributes, title) {
  return h("label", { class: "check" }, h("input", { type: "checkbox", ...attributes }), " ", translated(title));
}

/** @param {Schemas["Option"]} option */
function optionField({ name, title, choices, names, default: usual }) {
  if (choices.every((choice) => typeof choice === "boolean"))
    return check({ "data-option": name, checked: usual }, title);
  const options = choices.map((choice, index) =>
    h(
      "option",
      { value: JSON.stringify(choice), selected: choice === usual },
      names?.[index] ? ruleWord(names[index]) : optionText(choice),
    ),
  );
  return h("label", {}, translated(title), h("select", { "data-option": name }, options));
}

/**
 * The value of a list, with the ticked additions.
 *
 * @param {HTMLFormElement} form
 * @param {any} field
 */
function choiceOf(form, field) {
  const value = JSON.parse(field.value);
  const added = /** @type {NodeListOf<HTMLInputElement>} */ (
    form.querySelectorAll(`[data-addition="${field.dataset.option}"]:checked`)
  );
  return added.length ? [value, ...[...added].map((word) => word.value)].join("+") : value;
}

/**
 * The request from the form. The same form sent again opens another game, with another id.
 *
 * @param {HTMLFormElement} form
 * @param {Playable} playable
 * @returns {NewGame}
 */
function requestBody(form, playable) {
  const seats = [...form.querySelectorAll("[data-seat]:not([data-free])")].map((field) =>
    field.value.trim() ? { name: field.value.trim() } : {},
  );
  const { title, place, day, components } = form.elements;
  const box = playable.components || components?.value;
  return {
    id: uuid7(),
    ruleset: playable.ruleset,
    options: optionsOf(form),
    ...(box && { components_name: box }),
    seats,
    title: title.value.trim(),
    place: place.value.trim(),
    ...(day.value && { happened_at: noonOf(day.value) }),
  };
}

/** @param {HTMLFormElement} form */
function optionsOf(form) {
  return Object.fromEntries(
    [...form.querySelectorAll("[data-option]")].map((field) => [
      field.dataset.option,
      field.type === "checkbox" ? field.checked : choiceOf(form, field),
    ]),
  );
}

/** Fields of the request that have another name in the form. */
const NAMED = { components_name: "components", happened_at: "day" };

/**
 * The label of a field of the request in the form; null if the form has no such field.
 *
 * @param {HTMLFormElement} form
 * @param {string} field
 */
function labelOf(form, field) {
  const seat = /^seats\[(\d+)\]/.exec(field)?.[1];
  const name = /** @type {Record<string, string>} */ (NAMED)[field] ?? field;
  const found = seat ? form.querySelector(`[data-seat="${seat}"]`) : form.elements[name];
  return found?.closest("label")?.firstChild.textContent.trim() ?? null;
}

/**
 * Noon of a day in local time, with its offset.
 *
 * @param {string} day
 */
export function noonOf(day) {
  const offset = -new Date(`${day}T12:00`).getTimezoneOffset();
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
    String(part).padStart(2, "0"),
  );
  return `${day}T12:00:00${offset < 0 ? "-" : "+"}${hours}:${minutes}`;
}
