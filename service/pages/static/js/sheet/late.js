import { t } from "../base/language.js";

/** The rules for the missed rounds of late players, with their labels. */
export const LATE_RULES = /** @type {[string, string][]} */ ([
  ["nothing", t("nothing")],
  ["zero", t("0 points")],
  ["average", t("the average of the others")],
  ["lowest", t("the lowest score of the others")],
  ["highest", t("the highest score of the others")],
]);
