/** What the keys of the keypad make of the text of a cell. */
import { summed } from "./sums.js";

/** What begins a number anew: a digit, or a point. */
export const DIGITS = /^[0-9.]$/;

/**
 * A text after a key was pressed; a `fresh` one is typed over by digits.
 *
 * @param {string} text
 * @param {string} key a digit, a point, `+`, `-`, `±` or `back`
 * @param {boolean} fresh
 */
export function pressed(text, key, fresh) {
  const before = fresh && DIGITS.test(key) ? "" : text;
  if (key === "back") return before.slice(0, -1);
  if (key === "±") return turned(before);
  if (key === "+" || key === "-") return `${before.replace(/[+-]$/, "")}${before || key === "-" ? key : ""}`;
  return before + key;
}

/**
 * A text with a whole value from a key: it ends a sum that is open, and else stands in place of all.
 *
 * @param {string} text
 * @param {string} value
 */
export function entered(text, value) {
  return /\d[+-]$/.test(text) ? text + value : value;
}

/**
 * The same text with the other sign before its last number.
 *
 * @param {string} text
 */
export function turned(text) {
  const [, before, sign, number] = /^(.*?)([+-]?)([\d.]*)$/.exec(text) ?? ["", text, "", ""];
  const other = sign === "-" ? (before ? "+" : "") : "-";
  return before + other + number;
}

/**
 * What stands in a cell; of a sum what it comes to.
 *
 * @param {string} text
 */
export function shown(text) {
  return summed(text).replace(/^-/, "−").replaceAll("_", " ") || "–";
}

/**
 * The labels of a column, that of the highest value first; null where it has none.
 *
 * @param {{ labels?: Record<string, number> }} column
 */
export function wordsOf({ labels = {} } = {}) {
  const all = Object.keys(labels);
  return all.length ? all.sort((one, other) => labels[other] - labels[one]) : null;
}
