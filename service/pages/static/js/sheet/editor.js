import { ColumnCards } from "./columns.js";
import { h } from "../base/dom.js";
import { button, CODE_ATTRIBUTES, TemplateFields, framedField, errorSlot } from "./fields.js";
import { t } from "../base/language.js";
import { maxLength } from "../base/limits.js";
import { LATE_RULES } from "./late.js";
import { swapMembers } from "./sheet.js";
import { decidingChoices, betterChoices, tieBreakers } from "./ties.js";

const COMPETITIVE = ["by", "target", "ties", "tie_round", "last_turn", "loses", "ends", "first_wins"];

/** The form of a template. It changes the template while somebody types, and calls `onchange`. */
export class TemplateEditor {
  /** @type {Template} */
  template = { columns: [] };
  #putAway = new WeakMap();
  #teams = new WeakMap();
  #together = false;

  /**
   * @param {HTMLElement} element
   * @param {() => void} onchange
   */
  constructor(element, onchange) {
    this.element = element;
    this.onchange = onchange;
    this.fields = new TemplateFields(onchange);
    this.columns = new ColumnCards(this.fields, (focus) => this.#redraw(focus));
  }

  /**
   * Show a template, and edit it from now on.
   *
   * @param {Template} template
   */
  show(template) {
    this.template = template;
    this.fields.clear();
    this.element.replaceChildren(
      h("div", {}, this.#gamePart(), this.columns.draw(template)),
      h("div", {}, this.#sidesPart(), this.#endPart()),
    );
  }

  /**
   * Redraw everything and focus the same field, or another: a path, or the id of a button.
   *
   * @param {string} [next]
   */
  #redraw(next) {
    const place = next ?? document.activeElement?.closest("[data-path]")?.dataset.path;
    this.show(this.template);
    this.onchange();
    const field = `[data-path="${CSS.escape(place ?? "")}"] :is(input, select, textarea)`;
    (document.getElementById(place) ?? this.element.querySelector(field))?.focus();
  }

  #gamePart() {
    const { template, fields } = this;
    return section(
      t("The game"),
      h(
        "div",
        { class: "fields" },
        fields.text(template, "name", "name", t("Name of the sheet"), { maxlength: maxLength("label") }),
        fields.text(template, "ja", "ja", t("In Japanese"), { maxlength: maxLength("label"), lang: "ja" }),
        this.#namesField("aliases", t("Other names")),
        fields.number(template, "bgg", "bgg", t("Number at BoardGameGeek"), {
          inputmode: "numeric",
          hint: t("if it is listed there"),
        }),
        this.#roundFields(),
      ),
      this.#aboutFields(),
    );
  }

  /** The fields for the number of rounds and their names, if something is entered in rounds. */
  #roundFields() {
    const { template, fields } = this;
    const inRounds = template.columns.some(({ per }) => per === "round");
    const hint = t("empty: as many as are played");
    return [
      inRounds || template.rounds !== undefined
        ? fields.number(template, "rounds", "rounds", t("Rounds"), { inputmode: "numeric", hint })
        : null,
      inRounds || template.round_names !== undefined ? this.#namesField("round_names", t("Names of the rounds")) : null,
    ];
  }

  /** The fields for the instructions and the sources of the sheet. */
  #aboutFields() {
    const { template, fields } = this;
    return [
      fields.text(template, "about", "about", t("How to fill it in"), {
        maxlength: maxLength("about"),
        upright: true,
        usual: "",
        rows: 2,
      }),
      fields.text(template, "checked", "checked", t("Checked against"), {
        maxlength: maxLength("about"),
        hint: t("such as the printed rules; empty: not checked"),
      }),
    ];
  }

  /**
   * A field for several names: other names of the game, or the names of rounds.
   *
   * @param {string} key
   * @param {string} label
   */
  #namesField(key, label) {
    const { template } = this;
    const names = h("input", { autocomplete: "off" });
    names.value = (template[key] ?? []).join(", ");
    names.addEventListener("input", () => {
      const found = names.value
        .split(/[,、，]/)
        .map((name) => name.trim())
        .filter(Boolean);
      this.fields.setMember(template, key, found.length ? found : undefined);
    });
    return framedField(key, label, names, { hint: t("with commas between them") });
  }

  #sidesPart() {
    const { template, fields } = this;
    const kind = h(
      "select",
      {},
      h("option", { value: "" }, t("each for themselves")),
      h("option", { value: "teams", selected: Boolean(template.teams?.length) }, t("in teams")),
    );
    kind.addEventListener("change", () => {
      swapMembers(template, ["teams"], this.#teams);
      if (kind.value && !template.teams) template.teams = [1, 2].map((number) => ({ name: teamName(number) }));
      this.#redraw("sides");
    });
    return section(
      t("Players"),
      framedField("sides", t("They play"), kind),
      fields.choice(template, "late", "late", t("A late player begins with"), () => LATE_RULES, { usual: "nothing" }),
      template.teams?.length ? this.#teamList(template.teams) : null,
    );
  }

  /** @param {Json[]} teams */
  #teamList(teams) {
    const add = () => {
      teams.push({ name: teamName(teams.length + 1) });
      this.#redraw("add-team");
    };
    const lines = teams.map((team, index) => this.#teamLine(team, index));
    return [
      h("ol", { class: "plain-list", "data-path": "teams" }, lines, errorSlot()),
      button(t("Add a team"), add, { id: "add-team" }),
    ];
  }

  /**
   * @param {Json} team
   * @param {number} index
   */
  #teamLine(team, index) {
    const path = `teams[${index}]`;
    const seats = h("input", { autocomplete: "off", placeholder: t("in turn around the table") });
    seats.value = (team.seats ?? [])
      .map((/** @type {any} */ seat) => (Number.isInteger(seat) ? seat + 1 : seat))
      .join(" ");
    seats.addEventListener("input", () => {
      const found = seats.value
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map((text) => (/^\d+$/.test(text) ? Number(text) - 1 : text));
      this.fields.setMember(team, "seats", found.length ? found : undefined);
    });
    const remove = () => {
      this.template.teams.splice(index, 1);
      if (!this.template.teams.length) delete this.template.teams;
      this.#redraw("sides");
    };
    return h(
      "li",
      { class: "line-up", "data-path": path },
      this.fields.text(team, "name", `${path}.name`, teamName(index + 1), { maxlength: maxLength("label") }),
      framedField(`${path}.seats`, t("Its players, by number"), seats),
      button("×", remove, { class: "square", "aria-label": t("Remove team {name}", { name: team.name ?? index + 1 }) }),
    );
  }

  #endPart() {
    const { template, fields } = this;
    const turn = () => {
      const together = template.wins === "cooperative";
      if (together !== this.#together) swapMembers(template, COMPETITIVE, this.#putAway);
      this.#redraw();
    };
    this.#together = template.wins === "cooperative";
    const wins = fields.choice(
      template,
      "wins",
      "wins",
      t("Winner"),
      () => [...betterChoices(), ["cooperative", t("all together or nobody: no score decides")]],
      { usual: "highest", after: turn },
    );
    const decide = COMPETITIVE.some((key) => key in template) || !this.#together;
    return section(t("The end"), wins, decide ? this.#competitiveFields() : null);
  }

  #competitiveFields() {
    const { template, fields } = this;
    /** @returns {[string | undefined, string][]} */
    const deciders = () => [[undefined, t("the total of all points")], ...decidingChoices(template, template.by)];
    return [
      h(
        "div",
        { class: "fields" },
        fields.choice(template, "by", "by", t("Decided by"), deciders, { after: () => this.#redraw() }),
        fields.number(template, "target", "target", t("Played until a total of"), {
          inputmode: "numeric",
          hint: t("empty: no target"),
        }),
      ),
      tieBreakers(fields, template, (focus) => this.#redraw(focus)),
      fields.text(template, "loses", "loses", t("Forced loss, if"), {
        maxlength: maxLength("formula"),
        ...CODE_ATTRIBUTES,
        placeholder: "total < 10",
        hint: t("A formula of the whole game; {total} is the sum of all points. Empty: nobody has to.", {
          total: h("code", {}, "total"),
        }),
      }),
    ];
  }
}

/** @param {number} number */
function teamName(number) {
  return t("Team {number}", { number });
}

/**
 * @param {string} legend
 * @param {...Child} children
 */
function section(legend, ...children) {
  return h("fieldset", { class: "card part" }, h("legend", {}, legend), ...children);
}
