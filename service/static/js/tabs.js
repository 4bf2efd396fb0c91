/** Tabs of which one panel shows; arrow keys go from tab to tab. */
export function tabs(list) {
  const all = [...list.querySelectorAll("[role=tab]")];
  const choose = (chosen) => {
    for (const tab of all) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
    }
  };
  for (const tab of all) tab.addEventListener("click", () => choose(tab));
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.stopPropagation();
    const next = all.at((all.indexOf(document.activeElement) + step) % all.length);
    choose(next);
    next.focus();
  });
}
