import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { readableText } from "./history.js";

/**
 * Show the bookmarked moments as links.
 *
 * @param {HTMLElement} element
 * @param {GameRecord} record
 */
export function showBookmarks(element, record) {
  record.addEventListener("entries", () => {
    const marked = record.order.filter(({ bookmark, withdrawn_by: gone }) => bookmark && !gone);
    const links = marked.map((mark) => {
      const version = mark.entry ?? mark.version;
      const star = h("span", { "aria-hidden": "true" }, "★ ");
      const place = h("small", {}, " ", t("entry {version}", { version }));
      return h("li", {}, h("a", { href: `#${version}` }, star, readableText(mark, mark.text), place));
    });
    element.hidden = !links.length;
    element.replaceChildren(h("h3", {}, t("Bookmarks")), h("ul", {}, links));
  });
}
