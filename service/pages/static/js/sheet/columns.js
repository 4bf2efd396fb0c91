import { arrowButtons, button, CODE_ATTRIBUTES, framedField, errorSlot } from "./fields.js";
import { h, nodes } from "../base/dom.js";
import { t } from "../base/language.js";
import { maxLength } from "../base/limits.js";
import { labelPairs, rangePairs } from "./pairs.js";
import { swapMembers, canRename, renameColumn, suggestId } from "./sheet.js";

const ENTERED = ["shared", "least", "most", "whole", "labels", "default"];
const COMPUTED = ["formula", "ranges", "round"];

/** The cards of a sheet's columns: the entered or computed values, and their order. */
export class ColumnCards {
  /** @type {Template} */
  template = { columns: [] };
  #cards = new WeakMap();
  #unnamed = new WeakSet();
  #lastIds = new WeakMap();
  #putAway = new WeakMap();

  /**
   * @param {import("./fields.js").TemplateFields} fields
   * @param {(focus?: string) => void} redraw
   */
  constructor(fields, redraw) {
    this.fields = fields;
    this.redraw = redraw;
  }

  /** @param {Template} template */
  draw(template) {
    this.template = template;
    const { columns } = template;
    return h(
      "fieldset",
      { class: "part", "data-path": "columns" },
      h("legend", {}, t("Columns")),
      errorSlot(),
      h(
        "ol",
        { class: "columns" },
        columns.map((column, index) => h("li", {}, this.#card(column, index))),
      ),
      button(t("Add a column"), () => this.#add(), { id: "add-column" }),
    );
  }

  /** Add a column. Its name makes the id, until somebody chooses one. */
  #add() {
    const { columns } = this.template;
    const column = { id: suggestId("column", columns) };
    this.#cards.set(column, { open: true });
    this.#unnamed.add(column);
    columns.push(column);
    this.redraw(`columns[${columns.length - 1}].name`);
  }

  /**
   * @param {Column} column
   * @param {number} index
   */
  #card(column, index) {
    const path = `columns[${index}]`;
    const summary = h("summary");
    this.fields.keepUpdated(() => summary.replaceChildren(columnSummary(column)));
    const card = h(
      "details",
      { class: "card column", open: Boolean(this.#cards.get(column)?.open), "data-path": path },
      summary,
      errorSlot(),
      h("div", { class: "fields" }, this.#nameFields(column, path), this.#kindFields(column, path)),
      column.formula === undefined ? this.#enteredFields(column, path) : this.#computedFields(column, path),
      this.#moveButtons(column, index),
    );
    this.#cards.set(column, card); // a redrawn card stays open or closed
    return card;
  }

  /**
   * The fields for a column's name and its id in formulas.
   *
   * @param {Column} column
   * @param {string} path
   */
  #nameFields(column, path) {
    const name = this.fields.text(column, "name", `${path}.name`, t("Name"), {
      maxlength: maxLength("label"),
      placeholder: column.id,
    });
    const japanese = this.fields.text(column, "ja", `${path}.ja`, t("In Japanese"), {
      maxlength: maxLength("label"),
      lang: "ja",
    });
    const id = this.fields.text(column, "id", `${path}.id`, t("Id, for typing and for formulas"), {
      maxlength: maxLength("id"),
      autocorrect: "off",
      ...CODE_ATTRIBUTES,
    });
    this.#linkNameAndId(column, name.querySelector("input"), id.querySelector("input"));
    return [name, japanese, id];
  }

  /**
   * The fields for entered or computed values, and how often there is one.
   *
   * @param {Column} column
   * @param {string} path
   */
  #kindFields(column, path) {
    const kind = h(
      "select",
      {},
      h("option", { value: "entered" }, t("written in by the players")),
      h("option", { value: "computed", selected: column.formula !== undefined }, t("computed by a formula")),
    );
    kind.addEventListener("change", () => {
      const computed = kind.value === "computed";
      swapMembers(column, computed ? ENTERED : COMPUTED, this.#putAway);
      if (computed) column.formula ??= "";
      this.redraw();
    });
    /** @returns {[string, string][]} */
    const choices = () => [
      ["game", t("for the whole game")],
      ["round", t("for each round")],
    ];
    const after = () => this.redraw();
    return [
      framedField(`${path}.kind`, t("Its values are"), kind),
      this.fields.choice(column, "per", `${path}.per`, t("There is one"), choices, { usual: "game", after }),
    ];
  }

  /**
   * Make the id from the name, until an id is chosen. Everything that names the column follows a new, valid id.
   *
   * @param {Column} column
   * @param {HTMLInputElement} name
   * @param {HTMLInputElement} id
   */
  #linkNameAndId(column, name, id) {
    const others = () => this.template.columns.filter((other) => other !== column);
    if (!this.#lastIds.has(column)) this.#lastIds.set(column, column.id); // a redrawn id may be mistyped now
    const follow = () => {
      if (canRename(this.template, column)) {
        const before = this.#lastIds.get(column);
        if (before && !others().some((other) => other.id === before)) renameColumn(this.template, before, column.id);
        this.#lastIds.set(column, column.id);
      }
      this.fields.notifyChange();
    };
    name.addEventListener("input", () => {
      if (!this.#unnamed.has(column)) return;
      column.id = suggestId(name.value || "column", others());
      follow();
    });
    id.addEventListener("input", () => this.#unnamed.delete(column));
    id.addEventListener("change", follow);
  }

  /**
   * @param {Column} column
   * @param {string} path
   */
  #enteredFields(column, path) {
    const share = () => {
      if (column.shared) column.counts = false;
      this.redraw();
    };
    const { fields } = this;
    return [
      h(
        "div",
        { class: "checks" },
        this.#countsField(column, path),
        fields.check(column, "shared", `${path}.shared`, t("All share one value"), { after: share }),
        column.counts === false && fields.check(column, "whole", `${path}.whole`, t("Whole numbers only")),
      ),
      this.#boundFields(column, path),
      fields.text(column, "check", `${path}.check`, t("Holds for every value"), {
        maxlength: maxLength("formula"),
        ...CODE_ATTRIBUTES,
        placeholder: `${column.id} % 5 == 0`,
        hint: t("A formula. The keypad asks about a value for which it is false. Empty: it never asks."),
      }),
      labelPairs(this.fields, column, `${path}.labels`),
    ];
  }

  /**
   * @param {Column} column
   * @param {string} path
   */
  #boundFields(column, path) {
    const { fields } = this;
    return h(
      "div",
      { class: "fields three" },
      fields.number(column, "least", `${path}.least`, t("At least")),
      fields.number(column, "most", `${path}.most`, t("At most")),
      fields.number(column, "default", `${path}.default`, t("If left empty")),
    );
  }

  /**
   * @param {Column} column
   * @param {string} path
   */
  #computedFields(column, path) {
    const formula = this.fields.text(column, "formula", `${path}.formula`, t("Formula"), {
      upright: true,
      rows: "2",
      maxlength: maxLength("formula"),
      autocorrect: "off",
      ...CODE_ATTRIBUTES,
      hint: h("span"),
    });
    const help = formula.querySelector(".hint span");
    this.fields.keepUpdated(() => help.replaceChildren(...nodes(formulaHelp(this.template.columns, column))));
    return [
      formula,
      h("div", { class: "checks" }, this.#countsField(column, path)),
      rangePairs(this.fields, column, `${path}.ranges`),
      this.fields.choice(column, "round", `${path}.round`, t("Rounding"), () => [
        [undefined, column.counts === false ? t("not") : t("to the nearest, as points are")],
        ["half", t("to the nearest")],
        ["up", t("upwards")],
        ["down", t("downwards")],
      ]),
    ];
  }

  /**
   * @param {Column} column
   * @param {string} path
   */
  #countsField(column, path) {
    const after = () => this.redraw();
    return this.fields.check(column, "counts", `${path}.counts`, t("Its values are points"), { usual: true, after });
  }

  /**
   * @param {Column} column
   * @param {number} index
   */
  #moveButtons(column, index) {
    const { columns } = this.template;
    const remove = () => {
      columns.splice(index, 1);
      this.redraw("add-column");
    };
    const name = column.name || column.id;
    const names = { up: t("Move {name} up", { name }), down: t("Move {name} down", { name }) };
    return h(
      "div",
      { class: "actions moving" },
      arrowButtons(columns, index, names, this.redraw),
      button(t("Remove the column"), remove),
    );
  }
}

/**
 * A column in one line.
 *
 * @param {Column} column
 */
function columnSummary(column) {
  const how = column.formula === undefined ? "" : column.formula ? ` = ${column.formula}` : " = …";
  const notes = [
    column.per === "round" && t("each round"),
    column.shared && t("shared"),
    column.counts === false && t("no points"),
    column.labels && Object.keys(column.labels).join(" / "),
  ].filter(Boolean);
  return h(
    "span",
    { class: "brief" },
    h("bdi", {}, column.name || String(column.id ?? "").replaceAll("_", " ") || t("unnamed")),
    how ? h("code", {}, how) : null,
    notes.length ? h("small", {}, notes.join(" · ")) : null,
  );
}

/**
 * @param {Column[]} columns
 * @param {Column} column
 */
function formulaHelp(columns, column) {
  const round = column.per === "round";
  const others = columns.filter((other) => other !== column && other.id && (!round || other.per === "round"));
  const names = others.flatMap(({ id, per }) => [h("code", {}, !round && per === "round" ? `sum(${id})` : id), " "]);
  return [
    names.length ? [t("Columns: {names}", { names }), h("br")] : null,
    t("Functions: {functions}. A choice: {choice}.", {
      functions: [
        h("code", {}, "sum min max count abs floor ceil round rank rank_low ties everyone given first last"),
        round ? [" ", h("code", {}, "before after")] : null,
      ],
      choice: h("code", {}, "10 if a > b else 0"),
    }),
  ];
}
