/**
 * An element with attributes (functions under `on…` listen, `false` and `null` are left out) and children.
 * Whatever is no element becomes text, so that no title, name or note can ever become markup.
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

/** A quiet sentence. */
export function hint(...children) {
  return h("p", { class: "hint" }, ...children);
}

/** Let an element have these children; those that it has already are left alone, with all that is typed in them. */
export function arrange(element, children) {
  const wanted = new Set(children);
  for (const child of [...element.children]) if (!wanted.has(child)) child.remove();
  children.forEach((child, at) => {
    if (element.children[at] !== child) element.insertBefore(child, element.children[at] ?? null);
  });
}

/** Put new children in an element's place; what was open in it is open again, and what had the focus has it. */
export function refill(element, ...children) {
  const parts = () => [...element.querySelectorAll("a, button, summary, [tabindex]")];
  const open = new Set([...element.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent));
  const focus = parts().indexOf(document.activeElement);
  const called = document.activeElement.textContent;
  element.replaceChildren(...children);
  for (const summary of element.querySelectorAll("details > summary"))
    if (open.has(summary.textContent)) summary.parentElement.open = true;
  if (focus < 0) return;
  const same = parts().find((part) => part.textContent === called) ?? parts()[focus];
  same?.focus({ preventScroll: true });
}
