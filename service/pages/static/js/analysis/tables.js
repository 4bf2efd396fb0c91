import { h } from "../base/dom.js";
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
