/** A document of their own for views that are drawn in node: elements, their texts and listeners, and nothing else. */

/** What a form's field has as properties, too. */
const REFLECTED = new Set(["type", "value", "min", "max"]);

class Part {
  #attributes = new Map();
  #listeners = new Map();
  #value = "";
  childNodes = [];

  constructor(localName) {
    this.localName = localName;
    this.tagName = localName.toUpperCase();
  }

  setAttribute(name, value) {
    this.#attributes.set(name, value);
    if (REFLECTED.has(name)) this[name] = value;
  }

  getAttribute(name) {
    return this.#attributes.get(name) ?? null;
  }

  addEventListener(type, listener) {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  append(...nodes) {
    for (const node of nodes) if (node instanceof Part) node.parent = this;
    this.childNodes.push(...nodes);
  }

  replaceChildren(...nodes) {
    this.childNodes = [];
    this.append(...nodes);
  }

  remove() {
    this.parent.childNodes = this.parent.childNodes.filter((node) => node !== this);
  }

  click(more = {}) {
    this.dispatchEvent({ type: "click", ...more });
  }

  get value() {
    return this.#value;
  }

  set value(value) {
    this.#value = String(value);
  }

  /** Tell this element, and those around it, of an event. */
  dispatchEvent({ type, ...more }) {
    for (let part = this; part; part = part.parent) part.#hear({ ...more, type, target: this, preventDefault() {} });
  }

  #hear(event) {
    for (const listener of this.#listeners.get(event.type) ?? []) listener(event);
  }

  get textContent() {
    return this.childNodes.map((node) => node.textContent ?? String(node)).join("");
  }

  set textContent(text) {
    this.replaceChildren(text);
  }

  /** All elements of this name inside this one, in their order. */
  all(localName) {
    const parts = this.childNodes.filter((node) => node instanceof Part);
    return parts.flatMap((part) => [...(part.localName === localName ? [part] : []), ...part.all(localName)]);
  }
}

globalThis.document = {
  createElement: (localName) => new Part(localName),
  createElementNS: (_, localName) => new Part(localName),
  getElementById: () => null,
  body: Object.assign(new Part("body"), { dataset: {} }),
};

/** Let all happen that waits for nothing but promises. */
export async function settled() {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

/** The texts of all elements of this name inside a part. */
export const texts = (part, localName) => part.all(localName).map(({ textContent }) => textContent);

/** The first element of this name inside a part that says this, or is called so. */
export const called = (part, localName, name) =>
  part.all(localName).find((each) => name === (each.getAttribute("aria-label") ?? each.textContent.trim()));

/** Fill in a field, as somebody who types or chooses. */
export function fill(field, value) {
  field.value = value;
  field.dispatchEvent(new Event("input"));
}
