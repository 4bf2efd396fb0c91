/** The effects of keypad keys on the text of a cell. */
import { t } from "../base/language.js";
import { evaluateSum } from "./sums.js";

/** The most quick keys. */
const MOST = 12;

/** Keys that begin a new number: a digit or a point. */
const DIGITS = /^[0-9.]$/;

/**
 * The keypad key for a keyboard key; "" if there is none.
 *
 * @param {string} name
 */
export function keypadKey(name) {
  const key = { Backspace: "back", "−": "-", ",": "." }[name] ?? name;
  return DIGITS.test(key) || ["back", "+", "-"].includes(key) ? key : "";
}

/**
 * The chosen quick keys.
 *
 * @param {string} text numbers with blanks or commas between them
 */
export function parseQuickKeys(text) {
  return text
    .split(/[\s,]+/)
    .filter(Boolean)
    .slice(0, MOST);
}

/**
 * The first value that does not fit its column: why, and whether it can be recorded with a reason. Null if all fit.
 *
 * @param {string[][]} cells the name and the text of each
 * @param {{ least?: number, most?: number, labels?: Record<string, number> }} column
 */
export function firstMisfit(cells, column = {}) {
  const { least = -Infinity, most = Infinity } = column;
  const isNumber = (/** @type {string} */ text) =>
    Boolean(columnLabels(column)) || !Number.isNaN(Number(evaluateSum(text)));
  const filled = cells.filter(([, text]) => text);
  for (const [who, text] of filled) {
    const value = Number(evaluateSum(text));
    const why =
      (!isNumber(text) && t("{who}: {text} is not a number.", { who, text })) ||
      (value < least && t("{who}: {value} is less than {least}.", { who, value, least })) ||
      (value > most && t("{who}: {value} is more than {most}.", { who, value, most }));
    if (why) return { why, overridable: filled.every(([, each]) => isNumber(each)) };
  }
  return null;
}

/**
 * The text after a key was pressed; digits replace a `fresh` text.
 *
 * @param {string} text
 * @param {string} key a digit, a point, `+`, `-`, `±` or `back`
 * @param {boolean} fresh
 */
export function textAfterKey(text, key, fresh) {
  const before = fresh && DIGITS.test(key) ? "" : text;
  if (key === "back") return before.slice(0, -1);
  if (key === "±") return changeSign(before);
  if (key === "+" || key === "-") return `${before.replace(/[+-]$/, "")}${before || key === "-" ? key : ""}`;
  return before + key;
}

/**
 * The text after a whole value was entered by one key: it ends an open sum, or replaces the text.
 *
 * @param {string} text
 * @param {string} value
 */
export function textAfterValue(text, value) {
  return /\d[+-]$/.test(text) ? text + value : value;
}

/**
 * Change the sign of the last number in a text.
 *
 * @param {string} text
 */
export function changeSign(text) {
  const [, before, sign, number] = /^(.*?)([+-]?)([\d.]*)$/.exec(text) ?? ["", text, "", ""];
  const other = sign === "-" ? (before ? "+" : "") : "-";
  return before + other + number;
}

/**
 * The content of a cell, with the result of a sum.
 *
 * @param {string} text
 */
export function readableValue(text) {
  return evaluateSum(text).replace(/^-/, "−").replaceAll("_", " ") || "–";
}

/**
 * The labels of a column, the highest value first; null without labels.
 *
 * @param {{ labels?: Record<string, number> }} column
 */
export function columnLabels({ labels = {} } = {}) {
  const all = Object.keys(labels);
  return all.length ? all.sort((one, other) => labels[other] - labels[one]) : null;
}
