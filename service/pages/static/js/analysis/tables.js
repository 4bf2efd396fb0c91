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
 * A move that could be made: its notation, and what it does in the words of the timeline, or else the name of its
 * type. Older results have neither.
 *
 * @param {Pick<TriedMove, "move" | "effects" | "type">} option
 * @param {Words} words Those at its entry.
 */
export function optionView({ move, effects = [], type = "" }, words) {
  const done = effects.map((effect) => words.effect({ ...effect, text: "" })).join(" · ");
  const told = done || (type && words.termFor("move", type));
  return [h("code", {}, move), told && told !== move ? [" ", h("small", {}, told)] : null];
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
