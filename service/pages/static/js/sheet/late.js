import { t } from "../base/language.js";

/** What somebody who comes late can get for what was missed, with its words. */
export const LATE = /** @type {[string, string][]} */ ([
  ["nothing", t("nothing")],
  ["zero", t("0 points")],
  ["average", t("the average of the others")],
  ["lowest", t("the lowest score of the others")],
  ["highest", t("the highest score of the others")],
]);
