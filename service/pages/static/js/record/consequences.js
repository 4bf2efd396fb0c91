import { h, hint } from "../base/dom.js";
import { t, tn } from "../base/language.js";
import { breachLines, entrySummary, effectLines, bulletList } from "./entry.js";

const FEW = 6;

/**
 * Show the other entries that a correction changes.
 *
 * @param {Recorded} answer
 * @param {Entry | undefined} was
 * @param {GameRecord} record
 * @param {Words} words
 */
export function consequencesView(
  { consequences: all = [], consequences_left_out: more = 0, version },
  was,
  record,
  words,
) {
  const later = all.filter(({ version: at }) => at !== version && at !== was?.version);
  if (!later.length) return null;
  return h(
    "details",
    { open: later.length <= FEW },
    h("summary", {}, tn(later.length + more, "{count} other entry changes", "{count} other entries change")),
    bulletList(
      "consequences",
      later.map((changed) => consequenceView(changed, record, words)),
    ),
    more ? hint(tn(more, "{count} more is not shown.", "{count} more are not shown.")) : null,
  );
}

/**
 * @param {Schemas["Consequence"]} changed
 * @param {GameRecord} record
 * @param {Words} words
 */
function consequenceView({ version, before, after, irregular = [] }, record, words) {
  const then = words.atPlace(record.placeOf(version));
  return [
    h("p", {}, h("b", {}, t("Entry {version}", { version })), " ", entrySummary(record.entries[version - 1], then)),
    !before && h("p", {}, t("It counts again.")),
    !after && h("p", {}, t("It no longer counts.")),
    bulletList("flags", breachLines(irregular, then)),
    bulletList("effects", [
      ...effectLines(after ? notIn(before ?? [], after) : [], then).map((line) =>
        t("no longer: {effect}", { effect: h("del", {}, line) }),
      ),
      ...effectLines(notIn(after ?? [], before ?? []), then).map((line) =>
        t("now: {effect}", { effect: h("ins", {}, line) }),
      ),
    ]),
  ];
}

/**
 * The effects that are missing in another list.
 *
 * @param {Effect[]} effects
 * @param {Effect[]} others
 */
export function notIn(effects, others) {
  const left = others.map((effect) => JSON.stringify(effect));
  return effects.filter((effect) => {
    const at = left.indexOf(JSON.stringify(effect));
    return at < 0 || !left.splice(at, 1);
  });
}
