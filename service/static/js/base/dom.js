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
