import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { limit } from "../base/limits.js";
import { button, numeric, slot } from "./fields.js";

/** @typedef {import("./fields.js").Fields} Fields */
/**
 * Pairs of fields: their headings, their values, and a function that reads what was typed.
 *
 * @typedef {{ legend: string, add: string, heads: string[], pairs: any[][], read: (pairs: string[][]) => unknown }} Pairs
 */

/**
 * Fields for labels of values. Rows keep their typed text. A row with a label or a value is stored.
 *
 * @param {Fields} fields
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
 * @param {Fields} fields
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
  const labels = pairs.filter(isTyped).map(([word, value]) => [word, numeric(value) ?? null]);
  return labels.length ? Object.fromEntries(labels) : undefined;
}

/**
 * The ranges from typed rows; undefined if all are empty.
 *
 * @param {string[][]} pairs
 */
export function readRanges(pairs) {
  const ranges = pairs.filter(isTyped).map((pair) => pair.map((text) => numeric(text) ?? null));
  return ranges.length ? ranges : undefined;
}

/** @param {string[]} pair */
function isTyped([one, other]) {
  return one || other;
}

/**
 * @param {Fields} fields
 * @param {Column} column
 * @param {string} key
 * @param {string} path
 * @param {Pairs} pairs
 */
function pairFields(fields, column, key, path, { legend, add, heads, pairs, read }) {
  const list = h("div", { class: "pairs" });
  const tell = () => {
    const typed = [...list.children].map((row) =>
      [...row.querySelectorAll("input")].map((field) => field.value.trim()),
    );
    fields.set(column, key, read(typed));
  };
  list.append(...pairs.map((pair) => pairLine(heads, pair, tell)));
  const more = () => {
    list.append(pairLine(heads, [], tell));
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
 * A row with a field for each heading, and a button that removes it; it calls `tell` after every change.
 *
 * @param {string[]} heads
 * @param {any[]} pair
 * @param {() => void} tell
 */
function pairLine(heads, pair, tell) {
  const inputs = heads.map((head, index) =>
    h("input", {
      "aria-label": head,
      placeholder: head,
      autocomplete: "off",
      autocapitalize: "none",
      maxlength: limit("word"),
      value: pair[index],
      oninput: tell,
    }),
  );
  const remove = () => {
    line.remove();
    tell();
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
