import { h } from "../base/dom.js";
import { entrySummary } from "./entry.js";
import { t, tn } from "../base/language.js";

/**
 * The choice for a later entry that conflicts.
 *
 * @typedef {"keep" | "withdraw"} Choice
 */
/** @typedef {Omit<Conflict, "rule"> & { rule?: string | null }} Reported */

const CHOICE_TEXTS = { keep: t("Keep it, flagged irregular"), withdraw: t("Withdraw it, too") };

let made = 0;

/**
 * The later entries that conflict with a correction, each with the reason, the legal moves there, and a choice. Calls
 * `onchange` after a choice.
 */
export class Conflicts {
  /**
   * By version: the conflict, its choice if made, and its element.
   *
   * @type {Map<number, { conflict: Reported, choice?: Choice, element: HTMLElement }>}
   */
  #conflicts = new Map();
  /** @type {Choice | null} */
  #choiceForAll = null;

  /**
   * @param {Known} record
   * @param {Words} words
   * @param {() => void} onchange
   */
  constructor(record, words, onchange) {
    this.record = record;
    this.words = words;
    this.onchange = onchange;
    this.name = `conflict-${++made}`;
    this.status = h("p", { class: "told", role: "status" });
    this.list = h("div", { class: "list" });
    this.allButtons = h(
      "div",
      { class: "actions", role: "group", "aria-label": t("All at once") },
      this.#allButton("keep", t("Keep what can stand")),
      this.#allButton("withdraw", t("Withdraw all")),
    );
    this.element = h("section", { class: "conflicts", "aria-label": t("Entries that no longer fit"), hidden: true }, [
      this.status,
      this.allButtons,
      this.list,
    ]);
  }

  reset() {
    this.#conflicts.clear();
    this.#choiceForAll = null;
    this.#show(false);
  }

  /**
   * Show the conflicts that the service reports; choices stay.
   *
   * @param {Conflict[]} conflicts
   */
  showReported(conflicts) {
    this.#choiceForAll = null;
    for (const [version, { choice }] of this.#conflicts) if (!choice) this.#conflicts.delete(version);
    for (const conflict of conflicts) this.#add(conflict);
    this.#show(false);
  }

  /**
   * Set each choice from a dry run of the correction.
   *
   * @param {{ keep?: number[], withdraw?: number[] }} data
   */
  setChoices({ keep = [], withdraw = [] }) {
    this.#choiceForAll = null;
    for (const [choice, versions] of /** @type {[Choice, number[]][]} */ (Object.entries({ keep, withdraw }))) {
      for (const version of versions) {
        if (!this.#conflicts.has(version))
          this.#add({ version, choices: [choice], why: t("It does not fit because of these.") });
        const known = this.#conflicts.get(version);
        if (known) known.choice = choice;
      }
    }
    const chosen = new Set([...keep, ...withdraw]);
    for (const version of this.#conflicts.keys()) if (!chosen.has(version)) this.#conflicts.delete(version);
    this.#show(true);
  }

  /** The choices in the data of a correction. */
  get choicesData() {
    if (this.#choiceForAll)
      return this.#choiceForAll === "keep" ? { keep: "all", withdraw: "all" } : { withdraw: "all" };
    /** @type {Partial<Record<Choice, number[]>>} */
    const data = {};
    for (const [version, { choice }] of this.#conflicts) if (choice) data[choice] = [...(data[choice] ?? []), version];
    return data;
  }

  /**
   * @param {Choice} choice
   * @param {string} text
   */
  #allButton(choice, text) {
    const choose = () => {
      this.#choiceForAll = choice;
      this.onchange();
    };
    return h("button", { type: "button", onclick: choose }, text);
  }

  /** @param {Reported} conflict */
  #add(conflict) {
    const { version } = conflict;
    const choice = this.#conflicts.get(version)?.choice;
    this.#conflicts.set(version, { conflict, choice, element: this.#draw(conflict) });
  }

  /**
   * Show all conflicts, and whether the service confirms these choices.
   *
   * @param {boolean} fits
   */
  #show(fits) {
    const rows = [...this.#conflicts].sort(([a], [b]) => this.record.placeOf(a) - this.record.placeOf(b));
    const open = rows.filter(([, { choice }]) => !choice).length;
    this.element.hidden = !rows.length;
    this.element.classList.toggle("settled", fits);
    const ask = tn(
      open,
      "{count} later entry no longer fits. What should happen to it?",
      "{count} later entries no longer fit. What should happen to each?",
    );
    this.status.textContent = fits
      ? t("With these choices everything fits.")
      : open
        ? ask
        : t("Something is chosen for each.");
    const elements = rows.map(([, { element }]) => element);
    if (
      elements.some((element, at) => this.list.children[at] !== element) ||
      this.list.children.length > elements.length
    )
      this.list.replaceChildren(...elements);
    for (const [, { element, choice }] of rows) {
      for (const radio of element.querySelectorAll("input")) radio.checked = radio.value === choice;
    }
  }

  /** @param {Reported} conflict */
  #draw({ version, why, rule, choices, legal = [] }) {
    const entry = this.record.entries[version - 1];
    const then = this.words.atPlace(this.record.placeOf(version));
    const name = `${this.name}-${version}`;
    return h(
      "fieldset",
      { class: "conflict" },
      h("legend", {}, t("Entry {version} · {what}", { version, what: entrySummary(entry, then) })),
      h("p", {}, this.words.withPeople(why), " ", rule ? this.words.ruleLink(rule) : null),
      legal.length ? legalView(legal) : null,
      choices.map((choice) =>
        h(
          "label",
          { class: "check" },
          h("input", { type: "radio", name, value: choice, onchange: () => this.#choose(version, choice) }),
          CHOICE_TEXTS[choice],
        ),
      ),
    );
  }

  /**
   * When another entry is withdrawn, later conflicts may change: their choices are reset.
   *
   * @param {number} version
   * @param {Choice} choice
   */
  #choose(version, choice) {
    const chosen = this.#conflicts.get(version);
    if (!chosen) return;
    const other = chosen.conflict.choices.length > 1 && [chosen.choice, choice].includes("withdraw");
    chosen.choice = choice;
    if (other) {
      const place = this.record.placeOf(version);
      for (const [later, found] of this.#conflicts) if (this.record.placeOf(later) > place) found.choice = undefined;
    }
    this.#show(false);
    this.onchange();
  }
}

/** @param {string[]} legal the moves in notation */
function legalView(legal) {
  return h(
    "details",
    {},
    h("summary", {}, t("What would be legal there")),
    h(
      "p",
      { class: "legal" },
      legal.map((text) => [h("code", {}, text), " "]),
    ),
  );
}
