import { h } from "./dom.js";

/**
 * A table with a heading for each column.
 *
 * @param {Child[]} heads
 * @param {Child[]} rows elements `tr`
 */
export function headedTable(heads, rows) {
  return h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heads.map((head) => h("th", { scope: "col" }, head)),
      ),
    ),
    h("tbody", {}, rows),
  );
}

/**
 * Such a table, which scrolls on a small screen; `name` describes it.
 *
 * @param {string} name
 * @param {Child[]} heads
 * @param {Child[]} rows
 */
export function scrollTable(name, heads, rows) {
  return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": name }, headedTable(heads, rows));
}
