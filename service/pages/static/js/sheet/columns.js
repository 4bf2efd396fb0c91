import { button, framed, numeric, slot } from "./fields.js";
import { h, nodes } from "../base/dom.js";
import { t } from "../base/language.js";
import { limit } from "../base/limits.js";
import { exchange, isFreeName, rename, suggested } from "./sheet.js";

/**
 * Rows of fields: what they are called, their values, and what is made of what is typed.
 *
 * @typedef {{ legend: string, add: string, heads: string[], rows: any[][], read: (rows: string[][]) => unknown }} Rows
 */

const ENTERED = ["shared", "least", "most", "whole", "labels", "default"];
const COMPUTED = ["formula", "ranges", "round"];

/** The cards of a sheet's columns: what is entered or computed in each, and their order. */
export class Columns {
  /** @type {Template} */
  template = { columns: [] };
  #cards = new WeakMap();
  #named = new WeakSet();
  #followed = new WeakMap();
  #put = new WeakMap();

  /**
   * @param {import("./fields.js").Fields} fields
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
      slot(),
      h(
        "ol",
        { class: "columns" },
        columns.map((column, index) => h("li", {}, this.#card(column, index))),
      ),
      button(t("Add a column"), () => this.#add(), { id: "add-column" }),
    );
  }

  /** A new column: until somebody chooses an id, its name makes one. */
  #add() {
    const { columns } = this.template;
    const column = { id: suggested("column", columns) };
    this.#cards.set(column, { open: true });
    this.#named.add(column);
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
    this.fields.live(() => summary.replaceChildren(brief(column)));
    const card = h(
      "details",
      { class: "card column", open: Boolean(this.#cards.get(column)?.open), "data-path": path },
      summary,
      slot(),
      h("div", { class: "fields" }, this.#kind(column, path)),
      column.formula === undefined ? this.#entered(column, path) : this.#computed(column, path),
      this.#moving(column, index),
    );
    this.#cards.set(column, card); // drawn anew, it is as open as it was
    return card;
  }

  /**
   * @param {Column} column
   * @param {string} path
   */
  #kind(column, path) {
    const name = this.fields.text(column, "name", `${path}.name`, t("Name"), {
      maxlength: limit("label"),
      placeholder: column.id,
    });
    const japanese = this.fields.text(column, "ja", `${path}.ja`, t("In Japanese"), {
      maxlength: limit("label"),
      lang: "ja",
    });
    const id = this.fields.text(column, "id", `${path}.id`, t("Id, for typing and for formulas"), {
      maxlength: limit("id"),
      autocapitalize: "none",
      autocorrect: "off",
      spellcheck: "false",
      class: "code",
    });
    this.#naming(column, name.querySelector("input"), id.querySelector("input"));
    const kind = h(
      "select",
      {},
      h("option", { value: "entered" }, t("written in by the players")),
      h("option", { value: "computed", selected: column.formula !== undefined }, t("computed by a formula")),
    );
    kind.addEventListener("change", () => {
      const computed = kind.value === "computed";
      exchange(column, computed ? ENTERED : COMPUTED, this.#put);
      if (computed) column.formula ??= "";
      this.redraw();
    });
    return [
      name,
      japanese,
      id,
      framed(`${path}.kind`, t("Its values are"), kind),
      this.fields.choice(
        column,
        "per",
        `${path}.per`,
        t("There is one"),
        () => [
          ["game", t("for the whole game")],
          ["round", t("for each round")],
        ],
        {
          usual: "game",
          after: () => this.redraw(),
        },
      ),
    ];
  }

  /**
   * Let a name make the id, until that is chosen; and let all that names the column follow a new id, once it is one.
   *
   * @param {Column} column
   * @param {HTMLInputElement} name
   * @param {HTMLInputElement} id
   */
  #naming(column, name, id) {
    const others = () => this.template.columns.filter((other) => other !== column);
    if (!this.#followed.has(column)) this.#followed.set(column, column.id); // what is drawn anew may be mistyped now
    const follow = () => {
      if (isFreeName(this.template, column)) {
        const before = this.#followed.get(column);
        if (before && !others().some((other) => other.id === before)) rename(this.template, before, column.id);
        this.#followed.set(column, column.id);
      }
      this.fields.changed();
    };
    name.addEventListener("input", () => {
      if (!this.#named.has(column)) return;
      column.id = suggested(name.value || "column", others());
      follow();
    });
    id.addEventListener("input", () => this.#named.delete(column));
    id.addEventListener("change", follow);
  }

  /**
   * @param {Column} column
   * @param {string} path
   */
  #entered(column, path) {
    const share = () => {
      if (column.shared) column.counts = false;
      this.redraw();
    };
    return [
      h(
        "div",
        { class: "checks" },
        this.#counts(column, path),
        this.fields.check(column, "shared", `${path}.shared`, t("All share one value"), { after: share }),
        column.counts === false && this.fields.check(column, "whole", `${path}.whole`, t("Whole numbers only")),
      ),
      h(
        "div",
        { class: "fields three" },
        this.fields.number(column, "least", `${path}.least`, t("At least")),
        this.fields.number(column, "most", `${path}.most`, t("At most")),
        this.fields.number(column, "default", `${path}.default`, t("If left empty")),
      ),
      this.fields.text(column, "check", `${path}.check`, t("Holds for every value"), {
        maxlength: limit("formula"),
        spellcheck: "false",
        autocapitalize: "none",
        class: "code",
        placeholder: `${column.id} % 5 == 0`,
        hint: t("A formula. The keypad asks about a value for which it is false. Empty: it never asks."),
      }),
      this.#labels(column, path),
    ];
  }

  /**
   * @param {Column} column
   * @param {string} path
   */
  #computed(column, path) {
    const formula = this.fields.text(column, "formula", `${path}.formula`, t("Formula"), {
      upright: true,
      rows: "2",
      maxlength: limit("formula"),
      spellcheck: "false",
      autocapitalize: "none",
      autocorrect: "off",
      class: "code",
      hint: h("span"),
    });
    const help = formula.querySelector(".hint span");
    this.fields.live(() => help.replaceChildren(...nodes(formulaHelp(this.template.columns, column))));
    return [
      formula,
      h("div", { class: "checks" }, this.#counts(column, path)),
      this.#ranges(column, path),
      this.fields.choice(column, "round", `${path}.round`, t("Made whole"), () => [
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
  #counts(column, path) {
    const after = () => this.redraw();
    return this.fields.check(column, "counts", `${path}.counts`, t("Its values are points"), { usual: true, after });
  }

  /**
   * Words that stand for values. Rows stay as they are typed. A row with a word or a value is written down.
   *
   * @param {Column} column
   * @param {string} path
   */
  #labels(column, path) {
    return this.#rows(column, "labels", `${path}.labels`, {
      legend: t("Words for its values"),
      add: t("Add a word"),
      heads: [t("Word"), t("Value")],
      rows: Object.entries(column.labels ?? {}),
      read: (rows) => {
        const kept = rows.filter(([word, value]) => word || value);
        return kept.length
          ? Object.fromEntries(kept.map(([word, value]) => [word, numeric(value) ?? null]))
          : undefined;
      },
    });
  }

  /**
   * @param {Column} column
   * @param {string} path
   */
  #ranges(column, path) {
    return this.#rows(column, "ranges", `${path}.ranges`, {
      legend: t("Looked up in ranges"),
      add: t("Add a range"),
      heads: [t("From"), t("it gives")],
      rows: column.ranges ?? [],
      read: (rows) => {
        const kept = rows.filter(([from, gives]) => from || gives);
        return kept.length ? kept.map((pair) => pair.map((text) => numeric(text) ?? null)) : undefined;
      },
    });
  }

  /**
   * @param {Column} column
   * @param {string} key
   * @param {string} path
   * @param {Rows} rows
   */
  #rows(column, key, path, { legend, add, heads, rows, read }) {
    const list = h("div", { class: "pairs" });
    const tell = () => {
      const pairs = [...list.children].map((row) =>
        [...row.querySelectorAll("input")].map((field) => field.value.trim()),
      );
      this.fields.set(column, key, read(pairs));
    };
    /** @param {any[]} pair */
    const row = (pair) => {
      const line = h("div", { class: "pair" });
      const inputs = heads.map((head, index) => {
        const field = h("input", {
          "aria-label": head,
          placeholder: head,
          autocomplete: "off",
          autocapitalize: "none",
          maxlength: limit("word"),
        });
        field.value = pair[index] ?? "";
        field.addEventListener("input", tell);
        return field;
      });
      const remove = button(
        "×",
        () => {
          line.remove();
          tell();
        },
        {
          class: "square",
          "aria-label": t("Remove {what}", { what: `${heads[0].toLowerCase()} ${pair[0] ?? ""}`.trim() }),
        },
      );
      line.append(...inputs, remove);
      return line;
    };
    list.append(...rows.map(row));
    const more = () => {
      list.append(row([]));
      list.lastElementChild?.querySelector("input").focus();
    };
    return h(
      "fieldset",
      { class: "rows", "data-path": path },
      h("legend", {}, legend),
      list,
      button(add, more, { class: "small" }),
      slot(),
    );
  }

  /**
   * @param {Column} column
   * @param {number} index
   */
  #moving(column, index) {
    const { columns } = this.template;
    /** @param {number} by */
    const move = (by) => {
      columns.splice(index, 1);
      columns.splice(index + by, 0, column);
      const arrow = by < 0 ? "up" : "down";
      const stuck = index + by === (by < 0 ? 0 : columns.length - 1);
      this.redraw(`${stuck ? (by < 0 ? "down" : "up") : arrow}-${index + by}`);
    };
    const remove = () => {
      columns.splice(index, 1);
      this.redraw("add-column");
    };
    const called = column.name || column.id;
    return h(
      "div",
      { class: "actions moving" },
      button("↑", () => move(-1), {
        id: `up-${index}`,
        class: "square",
        "aria-label": t("Move {name} up", { name: called }),
        disabled: index === 0,
      }),
      button("↓", () => move(1), {
        id: `down-${index}`,
        class: "square",
        "aria-label": t("Move {name} down", { name: called }),
        disabled: index === columns.length - 1,
      }),
      button(t("Remove the column"), remove),
    );
  }
}

/**
 * A column in one line.
 *
 * @param {Column} column
 */
function brief(column) {
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
