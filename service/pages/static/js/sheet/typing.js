/** What the keys of the keypad make of the text of a cell. */
import { t } from "../base/language.js";
import { summed } from "./sums.js";

/** How many quick keys there is room for. */
const MOST = 12;

/** What begins a number anew: a digit, or a point. */
const DIGITS = /^[0-9.]$/;

/**
 * The key of the keypad that a key of a keyboard stands for; "" if it stands for none.
 *
 * @param {string} name
 */
export function keyOf(name) {
  const key = { Backspace: "back", "−": "-", ",": "." }[name] ?? name;
  return DIGITS.test(key) || ["back", "+", "-"].includes(key) ? key : "";
}

/**
 * The quick keys that somebody chose.
 *
 * @param {string} text numbers with blanks or commas between them
 */
export function quickKeys(text) {
  return text
    .split(/[\s,]+/)
    .filter(Boolean)
    .slice(0, MOST);
}

/**
 * What of the values does not fit their column: why, and whether it can stand all the same. Null if all fit.
 *
 * @param {string[][]} cells the name and the text of each
 * @param {{ least?: number, most?: number, labels?: Record<string, number> }} column
 */
export function misfit(cells, column = {}) {
  const { least = -Infinity, most = Infinity } = column;
  const isNumber = (/** @type {string} */ text) => Boolean(wordsOf(column)) || !Number.isNaN(Number(summed(text)));
  const filled = cells.filter(([, text]) => text);
  for (const [who, text] of filled) {
    const value = Number(summed(text));
    const why =
      (!isNumber(text) && t("{who}: {text} is not a number.", { who, text })) ||
      (value < least && t("{who}: {value} is less than {least}.", { who, value, least })) ||
      (value > most && t("{who}: {value} is more than {most}.", { who, value, most }));
    if (why) return { why, excusable: filled.every(([, each]) => isNumber(each)) };
  }
  return null;
}

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
