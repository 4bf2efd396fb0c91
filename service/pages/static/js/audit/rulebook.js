import { getText } from "../base/api.js";
import { h } from "../base/dom.js";
import { t } from "../base/language.js";

const pages = new Map();

/**
 * The section for a rule in its rulebook page: titles and text.
 *
 * @param {string} rule the id: `kahuna:CTRL-2`
 */
export async function ruleSection(rule) {
  const [ruleset, id] = rule.split(":");
  if (!pages.has(ruleset)) pages.set(ruleset, loadPage(ruleset));
  const found = (await pages.get(ruleset)).getElementById(id);
  const copy = document.importNode(found, true);
  copy.removeAttribute("id");
  for (const link of copy.querySelectorAll("a[href^='#']")) {
    link.setAttribute("href", `/rulesets/${ruleset}${link.getAttribute("href")}`);
    link.classList.add("rule-id");
  }
  return copy;
}

/** @param {string} ruleset */
async function loadPage(ruleset) {
  try {
    return new DOMParser().parseFromString(await getText(`/rulesets/${ruleset}`), "text/html");
  } catch (error) {
    pages.delete(ruleset);
    throw error;
  }
}

/** Make every rule id on the page show its rule in place, instead of opening another page. */
export function showRules() {
  const text = h("div");
  const dialog = h(
    "dialog",
    { class: "rule-dialog", "aria-label": t("Rule") },
    text,
    h("form", { method: "dialog" }, h("button", {}, t("Close"))),
  );
  document.body.append(dialog);
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("a.rule-id");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { pathname, hash } = new URL(link.href);
    try {
      text.replaceChildren(await ruleSection(`${pathname.split("/").at(-1)}:${hash.slice(1)}`));
      if (!dialog.open) dialog.showModal();
    } catch {
      location.assign(link.href);
    }
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}
