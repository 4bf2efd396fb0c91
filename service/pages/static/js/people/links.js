import { t, tn } from "../base/language.js";
import { formatDay } from "../base/times.js";

/**
 * The number of times a share link was opened, and the end of its validity.
 *
 * @param {number} opened
 * @param {string} ends
 */
export function linkUseText(opened, ends) {
  return [tn(opened, "opened {count} time", "opened {count} times"), t("until {day}", { day: formatDay(ends) })];
}
