import { region } from "./language.js";
const DAY = new Intl.DateTimeFormat(region, { dateStyle: "medium", timeStyle: "short" });

/**
 * Say every time below `root` as the reader's clock and calendar have it.
 *
 * @param {ParentNode} root
 */
export function localise(root) {
  for (const time of root.querySelectorAll("time")) time.textContent = DAY.format(new Date(time.dateTime));
}

const DATE = new Intl.DateTimeFormat(region, { dateStyle: "medium" });

/**
 * A day as the reader's calendar has it.
 *
 * @param {string} text
 */
export function day(text) {
  return DATE.format(new Date(text));
}
