import { h } from "../base/dom.js";
import { likelihood, wholePercent } from "../base/figures.js";
import { t } from "../base/language.js";
import { scrollTable } from "../base/table.js";

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
 * A move that could be made: its notation, and what it does in the words of the timeline. It has the name of its type
 * if no effects are known, or if its notation has no word. Older results have neither.
 *
 * @param {Pick<TriedMove, "move" | "effects" | "type">} option
 * @param {Words} words Those at its entry.
 */
export function optionView({ move, effects = [], type = "" }, words) {
  const done = effects.map((effect) => words.effectText({ ...effect, text: "" }));
  const name = type && !(effects.length && hasWord(move)) ? words.termFor("move", type) : "";
  const told = [name, ...done].filter(Boolean).join(" · ");
  return [h("code", {}, move), told && told !== move ? [" ", h("small", {}, told)] : null];
}

/**
 * The notation of a move in a sentence. One without a word, such as `-`, has the name of its type, too.
 *
 * @param {Pick<TriedMove, "move" | "type">} option
 * @param {Words} words
 */
export function moveText({ move, type = "" }, words) {
  return [h("code", {}, move), type && !hasWord(move) ? ` (${words.termFor("move", type)})` : null];
}

/** @param {string} notation */
function hasWord(notation) {
  return /\p{L}/u.test(notation);
}

/**
 * A chance with its interval.
 *
 * @param {Chance} chance
 */
export function chanceText(chance) {
  const { low, high } = chance;
  return low === high
    ? `${likelihood(chance)} %`
    : t("{chance} % ({low} to {high})", {
        chance: likelihood(chance),
        low: Math.min(99, wholePercent(low)),
        high: Math.max(1, wholePercent(high)),
      });
}
