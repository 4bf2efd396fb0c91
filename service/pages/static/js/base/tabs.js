/**
 * Tabs for panels. Arrow keys move between tabs. A link or an address with a fragment in a panel opens the panel.
 *
 * @param {HTMLElement} list
 */
export function tabs(list) {
  const all = [...list.querySelectorAll("[role=tab]")];
  /** @param {HTMLElement} chosen */
  const choose = (chosen) => {
    for (const tab of all) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
    }
  };
  /** @param {{ hash: string }} address */
  const show = ({ hash }) => {
    const panel = document.getElementById(hash.slice(1))?.closest("[role=tabpanel]");
    if (panel) choose(all.find((tab) => tab.getAttribute("aria-controls") === panel.id));
  };
  for (const tab of all) tab.addEventListener("click", () => choose(tab));
  document.addEventListener("click", ({ target }) => {
    const link = target.closest?.("a[href^='#']");
    if (link) show(link);
  });
  addEventListener("hashchange", () => show(location));
  show(location);
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.stopPropagation();
    const next = all.at((all.indexOf(document.activeElement) + step) % all.length);
    choose(next);
    next.focus();
  });
}
