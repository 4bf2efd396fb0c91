/** A document of their own for views that are drawn in node: elements, their texts and listeners, and nothing else. */

class Part {
  #attributes = new Map();
  #listeners = new Map();
  childNodes = [];

  constructor(localName) {
    this.localName = localName;
  }

  setAttribute(name, value) {
    this.#attributes.set(name, value);
  }

  getAttribute(name) {
    return this.#attributes.get(name) ?? null;
  }

  addEventListener(type, listener) {
    this.#listeners.set(type, listener);
  }

  append(...nodes) {
    this.childNodes.push(...nodes);
  }

  click() {
    this.#listeners.get("click")({ target: this });
  }

  get textContent() {
    return this.childNodes.map((node) => node.textContent ?? String(node)).join("");
  }

  /** All elements of this name inside this one, in their order. */
  all(localName) {
    const parts = this.childNodes.filter((node) => node instanceof Part);
    return parts.flatMap((part) => [...(part.localName === localName ? [part] : []), ...part.all(localName)]);
  }
}

globalThis.document = {
  createElement: (localName) => new Part(localName),
  body: Object.assign(new Part("body"), { dataset: {} }),
};

/** The texts of all elements of this name inside a part. */
export const texts = (part, localName) => part.all(localName).map(({ textContent }) => textContent);
