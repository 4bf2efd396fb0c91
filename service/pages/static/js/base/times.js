import { region } from "./language.js";

/** @typedef {"moment" | "date" | "time"} Style */

/** @type {Record<Style, Intl.DateTimeFormatOptions>} */
const STYLES = {
  moment: { dateStyle: "medium", timeStyle: "short" },
  date: { dateStyle: "medium" },
  time: { timeStyle: "short" },
};
/**
 * The used formats: a phone takes some ten milliseconds to make one.
 *
 * @type {Partial<Record<Style, Intl.DateTimeFormat>>}
 */
const made = {};

/**
 * A time in the reader's time zone and calendar.
 *
 * @param {Style} style
 * @param {Date} time
 */
export function formatTime(style, time) {
  made[style] ??= new Intl.DateTimeFormat(region, STYLES[style]);
  return made[style].format(time);
}

/**
 * Show all times below `root` in the reader's time zone and calendar.
 *
 * @param {ParentNode} root
 */
export function localiseTimes(root) {
  for (const time of root.querySelectorAll("time")) time.textContent = formatTime("moment", new Date(time.dateTime));
}

/**
 * A day in the reader's calendar.
 *
 * @param {string} text
 */
export function formatDay(text) {
  return formatTime("date", new Date(text));
}
