import { h } from "../base/dom.js";
import { region, t } from "../base/language.js";
import { scrollTable } from "../base/table.js";

const HUNDRED = new Intl.NumberFormat(region, { maximumFractionDigits: 0 });

/**
 * A table of values that scrolls on a small screen; `name` describes it.
 *
 * @param {string} name
 * @param {Child[]} heads
 * @param {Child[][]} rows
 */
export function table(name, heads, rows) {
  const lines = rows.map((cells) =>
    h(
      "tr",
      {},
      cells.map((cell) => h("td", { class: "number" }, cell)),
    ),
  );
  return scrollTable(name, heads, lines);
}

/**
 * A link to an entry.
 *
 * @param {number} version
 * @param {string} text
 */
export function entryLink(version, text = t("Entry {version}", { version })) {
  return h("a", { href: `#${version}`, class: "to", "aria-label": t("Entry {version}", { version }) }, text);
}

/**
 * A move that could be made: its notation, and what it does in the words of the timeline; older results have none.
 *
 * @param {Pick<TriedMove, "move" | "effects">} option
 * @param {Words} words Those at its entry.
 */
export function optionView({ move, effects = [] }, words) {
  const told = effects.map((effect) => words.effect({ ...effect, text: "" })).filter(Boolean);
  return [h("code", {}, move), told.length ? [" ", h("small", {}, told.join(" · "))] : null];
}

/**
 * A chance in percent.
 *
 * @param {number} chance
 */
function percent(chance) {
  return HUNDRED.format(100 * chance);
}

/**
 * A chance with its interval.
 *
 * @param {Chance} chance
 */
export function chanceText({ p, low, high }) {
  return low === high
    ? `${percent(p)} %`
    : t("{chance} % ({low} to {high})", { chance: percent(p), low: percent(low), high: percent(high) });
}
