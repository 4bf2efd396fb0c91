import { h } from "../base/dom.js";
import { t } from "../base/language.js";

/**
 * The moments that were marked, to jump to.
 *
 * @param {HTMLElement} element
 * @param {GameRecord} record
 */
export function showBookmarks(element, record) {
  record.addEventListener("entries", () => {
    const marked = record.order.filter(({ bookmark, withdrawn_by: gone }) => bookmark && !gone);
    const links = marked.map(({ version, entry, text }) =>
      h(
        "li",
        {},
        h(
          "a",
          { href: `#${entry ?? version}` },
          h("span", { "aria-hidden": "true" }, "★ "),
          text,
          h("small", {}, " ", t("entry {version}", { version: entry ?? version })),
        ),
      ),
    );
    element.hidden = !links.length;
    element.replaceChildren(h("h3", {}, t("Bookmarks")), h("ul", {}, links));
  });
}
