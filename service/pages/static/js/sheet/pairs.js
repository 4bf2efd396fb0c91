import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { maxLength } from "../base/limits.js";
import { button, parseNumber, errorSlot } from "./fields.js";

/** @typedef {import("./fields.js").TemplateFields} TemplateFields */
/**
 * Pairs of fields: their headings, their values, and a function that reads what was typed.
 *
 * @typedef {{ legend: string, add: string, heads: string[], pairs: any[][], read: (pairs: string[][]) => unknown }} Pairs
 */

/**
 * Fields for labels of values. Rows keep their typed text. A row with a label or a value is stored.
 *
 * @param {TemplateFields} fields
 * @param {Column} column
 * @param {string} path
 */
export function labelPairs(fields, column, path) {
  return pairFields(fields, column, "labels", path, {
    legend: t("Words for its values"),
    add: t("Add a word"),
    heads: [t("Word"), t("Value")],
    pairs: Object.entries(column.labels ?? {}),
    read: readLabels,
  });
}

/**
 * Fields for ranges of values with their points.
 *
 * @param {TemplateFields} fields
 * @param {Column} column
 * @param {string} path
 */
export function rangePairs(fields, column, path) {
  return pairFields(fields, column, "ranges", path, {
    legend: t("Looked up in ranges"),
    add: t("Add a range"),
    heads: [t("From"), t("it gives")],
    pairs: column.ranges ?? [],
    read: readRanges,
  });
}

/**
 * The labels from typed rows; undefined if all are empty.
 *
 * @param {string[][]} pairs
 */
export function readLabels(pairs) {
  const labels = pairs.filter(isFilled).map(([word, value]) => [word, parseNumber(value) ?? null]);
  return labels.length ? Object.fromEntries(labels) : undefined;
}

/**
 * The ranges from typed rows; undefined if all are empty.
 *
 * @param {string[][]} pairs
 */
export function readRanges(pairs) {
  const ranges = pairs.filter(isFilled).map((pair) => pair.map((text) => parseNumber(text) ?? null));
  return ranges.length ? ranges : undefined;
}

/** @param {string[]} pair */
function isFilled([one, other]) {
  return one || other;
}

/**
 * @param {TemplateFields} fields
 * @param {Column} column
 * @param {string} key
 * @param {string} path
 * @param {Pairs} pairs
 */
function pairFields(fields, column, key, path, { legend, add, heads, pairs, read }) {
  const list = h("div", { class: "pairs" });
  const update = () => {
    const typed = [...list.children].map((row) =>
      [...row.querySelectorAll("input")].map((field) => field.value.trim()),
    );
    fields.setMember(column, key, read(typed));
  };
  list.append(...pairs.map((pair) => pairRow(heads, pair, update)));
  const addRow = () => {
    list.append(pairRow(heads, [], update));
    list.lastElementChild?.querySelector("input").focus();
  };
  return h(
    "fieldset",
    { class: "rows", "data-path": path },
    h("legend", {}, legend),
    list,
    button(add, addRow, { class: "small" }),
    errorSlot(),
  );
}

/**
 * A row with a field for each heading, and a button that removes it; it calls `update` after every change.
 *
 * @param {string[]} heads
 * @param {any[]} pair
 * @param {() => void} update
 */
function pairRow(heads, pair, update) {
  const inputs = heads.map((head, index) =>
    h("input", {
      "aria-label": head,
      placeholder: head,
      autocomplete: "off",
      autocapitalize: "none",
      maxlength: maxLength("word"),
      value: pair[index],
      oninput: update,
    }),
  );
  const remove = () => {
    line.remove();
    update();
  };
  const what = `${heads[0].toLowerCase()} ${pair[0] ?? ""}`.trim();
  const line = h(
    "div",
    { class: "pair" },
    inputs,
    button("×", remove, { class: "square", "aria-label": t("Remove {what}", { what }) }),
  );
  return line;
}
