import { h } from "../base/dom.js";
import { t } from "../base/language.js";

/**
 * A table that scrolls on a small screen; `name` describes it.
 *
 * @param {string} name
 * @param {Child[]} heads
 * @param {Child[][]} rows
 */
export function table(name, heads, rows) {
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": name },
    h(
      "table",
      {},
      h("thead", {}, line(heads.map((head) => h("th", { scope: "col" }, head)))),
      h(
        "tbody",
        {},
        rows.map((cells) => line(cells.map((cell) => h("td", { class: "number" }, cell)))),
      ),
    ),
  );
}

/** @param {HTMLElement[]} cells */
function line(cells) {
  return h("tr", {}, cells);
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
