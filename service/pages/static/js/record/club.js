import { get } from "../base/api.js";
import { h } from "../base/dom.js";
import { normalized } from "../base/folding.js";
import { t } from "../base/language.js";

/**
 * The club for a new game: it sets the options of its house rules, and offers its members first.
 *
 * Event: `changed` when the club has changed.
 */
export class ClubField extends EventTarget {
  /** @type {Promise<void> | undefined} */
  #clubsLoaded;
  /** @type {Schemas["ClubInfo"] | null} */
  #club = null;
  #choices = 0;
  /** The original buttons for people on the page. */
  #chips;

  /** @param {HTMLFormElement} form */
  constructor(form) {
    super();
    this.form = form;
    /** @type {HTMLSelectElement} */
    this.field = form.elements.club;
    this.#chips = [...form.querySelectorAll("[data-person]")];
    this.field.addEventListener("change", () => this.#choose());
  }

  /**
   * Offer the person's clubs, once, and choose the one with this id, if any. Without a connection there is no choice.
   *
   * @param {string} [club]
   */
  offerClubs(club) {
    this.#clubsLoaded ??= this.#loadClubs(club).catch(() => {
      this.#clubsLoaded = undefined;
    });
    return this.#clubsLoaded;
  }

  /** The API path for opening a game. */
  get openingPath() {
    return this.field.value ? `/v1/clubs/${this.field.value}/games` : "/v1/games";
  }

  /**
   * Fill in the options of the house rules for a ruleset, and show these rules.
   *
   * @param {string} ruleset
   */
  showHouseRules(ruleset) {
    const rules = this.#club?.rules.find((each) => each.ruleset === ruleset);
    fillOptions(this.form, rules?.options ?? {});
    const text = rules?.text ? [h("b", {}, t("House rules")), " ", h("bdi", {}, rules.text)] : [];
    this.form.querySelector(".house").replaceChildren(...text);
  }

  /** @param {string} [club] */
  async #loadClubs(club) {
    /** @type {Schemas["ClubList"]} */
    const { clubs } = (await get("/v1/clubs")).body;
    const own = clubs.filter(({ member }) => member);
    this.field.append(...own.map((each) => h("option", { value: each.club }, each.name)));
    if (this.field.parentElement) this.field.parentElement.hidden = !own.length;
    if (!own.some((each) => each.club === club)) return;
    this.field.value = club ?? "";
    await this.#choose();
  }

  async #choose() {
    const mine = ++this.#choices;
    const chosen = this.field.value;
    const found = chosen ? await get(`/v1/clubs/${chosen}`).catch(() => null) : null;
    if (mine !== this.#choices) return; // another one was chosen since
    this.#club = found?.body ?? null;
    this.#drawChips();
    this.dispatchEvent(new Event("changed"));
  }

  #drawChips() {
    const members = (this.#club?.members ?? []).flatMap(({ name }) => name ?? []);
    const known = this.form.querySelector(".known");
    for (const chip of known.querySelectorAll("[data-person]")) chip.remove();
    const names = membersFirst(
      members,
      this.#chips.map((chip) => chip.dataset.person),
    );
    known.append(...names.map((name) => this.#chip(name)));
  }

  /** @param {string} name */
  #chip(name) {
    const there = this.#chips.find((chip) => normalized(chip.dataset.person) === normalized(name));
    const made = { type: "button", "data-person": name, "aria-pressed": "false" };
    return there ?? h("button", made, h("bdi", {}, name));
  }
}

/**
 * The names of members, then of other known people.
 *
 * @param {string[]} members
 * @param {string[]} known
 */
export function membersFirst(members, known) {
  const own = new Set(members.map(normalized));
  return [...members, ...known.filter((name) => !own.has(normalized(name)))];
}

/**
 * The additions in an option value that is this sheet; empty for another sheet.
 *
 * @param {string} value
 * @param {string} sheet
 */
export function additionsFor(value, sheet) {
  const [name, ...words] = value.split("+");
  return name === sheet ? words : [];
}

/**
 * Fill in options that the form has.
 *
 * @param {HTMLFormElement} form
 * @param {Record<string, any>} options
 */
function fillOptions(form, options) {
  for (const [name, value] of Object.entries(options)) {
    const field = form.querySelector(`[data-option="${name}"]`);
    if (field?.type === "checkbox") field.checked = value === true;
    else if (field?.type === "hidden") tickAdditions(form, name, additionsFor(String(value), JSON.parse(field.value)));
    else if (field) chooseOption(field, JSON.stringify(value));
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {string[]} words
 */
function tickAdditions(form, name, words) {
  for (const box of form.querySelectorAll(`[data-addition="${name}"]`)) box.checked = words.includes(box.value);
}

/**
 * @param {HTMLSelectElement} field
 * @param {string} value
 */
function chooseOption(field, value) {
  if ([...field.options].some((option) => option.value === value)) field.value = value;
}
