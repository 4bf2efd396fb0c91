/**
 * An element with attributes (functions under `on…` listen, `false` and `null` are left out) and children.
 * Everything else becomes text, so a title, name or note can never become markup.
 *
 * @template {string} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {ElementOf<Tag>}
 */
export function h(tag, attributes = {}, ...children) {
  const element = /** @type {ElementOf<Tag>} */ (document.createElement(tag));
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...nodes(children));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element of a drawing (SVG).
 *
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...Node} children
 */
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * Flatten children for an element: nested lists are opened, and empty values are removed.
 *
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
export function nodes(children) {
  return /** @type {any[]} */ (children).flat(Infinity).filter((child) => child != null && child !== false);
}

/**
 * A paragraph in a quiet style.
 *
 * @param {...Child} children
 */
export function hint(...children) {
  return h("p", { class: "hint" }, ...children);
}

/**
 * Set the children of an element. Existing ones keep their place in the page, with all typed text.
 *
 * @param {Element} element
 * @param {Element[]} children
 */
export function arrange(element, children) {
  const wanted = new Set(children);
  for (const child of [...element.children]) if (!wanted.has(child)) child.remove();
  children.forEach((child, at) => {
    if (element.children[at] !== child) element.insertBefore(child, element.children[at] ?? null);
  });
}

/**
 * Replace the children of an element. Open details and the focus are restored.
 *
 * @param {Element} element
 * @param {...Child} children
 */
export function refill(element, ...children) {
  const parts = () => byText(element.querySelectorAll("a, button, summary, [tabindex]"));
  const folds = () => byText(element.querySelectorAll("details > summary"));
  const open = [...folds()].filter(([, summary]) => summary.parentElement.open);
  const before = [...parts()];
  const focus = before.findIndex(([, part]) => part === document.activeElement);
  element.replaceChildren(...nodes(children));
  for (const [text] of open) folds().get(text)?.parentElement.setAttribute("open", "");
  if (focus < 0) return;
  const now = parts();
  const same = now.get(before[focus][0]) ?? [...now.values()][focus];
  same?.focus({ preventScroll: true });
}

/**
 * Elements by their text. A counter distinguishes those with the same text.
 *
 * @param {Iterable<any>} elements
 */
function byText(elements) {
  /** @type {Map<string, any>} */
  const found = new Map();
  for (const element of elements) {
    let text = element.textContent;
    while (found.has(text)) text += "\n";
    found.set(text, element);
  }
  return found;
}

/**
 * Replace the children of an element, unless they are equal: redrawing loses a press and a selection.
 *
 * @param {Element} element
 * @param {...Child} children
 */
export function refillIfChanged(element, ...children) {
  const fresh = /** @type {Element} */ (element.cloneNode(false));
  fresh.append(...nodes(children));
  if (!fresh.isEqualNode(element)) refill(element, ...fresh.childNodes);
}
