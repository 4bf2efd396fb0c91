/** A document of their own for views that are drawn in node: elements, their texts and listeners, and nothing else. */

/** Attributes that are properties, too. */
const REFLECTED = new Set(["type", "value", "min", "max"]);
/** Attributes that are on or off. */
const SWITCHES = new Set(["checked", "disabled", "hidden", "open"]);
/** What a selector says of one element: a name, an id, classes, attributes that it has, and one that it has not. */
const SELECTOR = /^(\w*)(?:#([\w-]+))?((?:\.[\w-]+)*)((?:\[[^\]]+\])*)(?::not\(\[(\w+)(?:=(\w+))?\]\))?$/;

class Part {
  #attributes = new Map();
  #listeners = new Map();
  #value = null;
  childNodes = [];
  parentElement = null;
  dataset = {};
  style = { setProperty() {} };

  constructor(localName) {
    this.localName = localName;
    this.tagName = localName.toUpperCase();
  }

  setAttribute(name, value) {
    this.#attributes.set(name, value);
    if (REFLECTED.has(name)) this[name] = value;
    if (SWITCHES.has(name)) this[name] = true;
    if (name.startsWith("data-")) this.dataset[name.slice(5)] = value;
  }

  removeAttribute(name) {
    this.#attributes.delete(name);
  }

  toggleAttribute(name, wanted) {
    if (wanted) this.setAttribute(name, "");
    else this.removeAttribute(name);
  }

  get className() {
    return this.getAttribute("class") ?? "";
  }

  set className(names) {
    this.setAttribute("class", names);
  }

  get classList() {
    const own = () => (this.getAttribute("class") ?? "").split(" ").filter(Boolean);
    const toggle = (name, wanted = !own().includes(name)) =>
      this.setAttribute("class", [...own().filter((each) => each !== name), ...(wanted ? [name] : [])].join(" "));
    return {
      contains: (name) => own().includes(name),
      add: (name) => toggle(name, true),
      remove: (name) => toggle(name, false),
      toggle,
    };
  }

  get role() {
    return this.getAttribute("role");
  }

  get ariaLabel() {
    return this.getAttribute("aria-label");
  }

  get firstChild() {
    return this.childNodes[0] ?? null;
  }

  getAttribute(name) {
    return this.#attributes.get(name) ?? null;
  }

  addEventListener(type, listener) {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  get children() {
    return this.childNodes.filter((node) => node instanceof Part);
  }

  get lastElementChild() {
    return this.children.at(-1) ?? null;
  }

  get isConnected() {
    return this === document.body || Boolean(this.parentElement?.isConnected);
  }

  append(...nodes) {
    for (const node of nodes) this.insertBefore(node, null);
  }

  insertBefore(node, next) {
    if (node instanceof Part) {
      node.remove();
      node.parentElement = this;
    }
    const at = next ? this.childNodes.indexOf(next) : this.childNodes.length;
    this.childNodes.splice(at, 0, node);
  }

  replaceChildren(...nodes) {
    for (const part of this.children) part.parentElement = null;
    this.childNodes = [];
    this.append(...nodes);
  }

  prepend(...nodes) {
    const [first] = this.childNodes;
    for (const node of nodes) this.insertBefore(node, first);
  }

  get parentNode() {
    return this.parentElement;
  }

  before(node) {
    this.parentElement.insertBefore(node, this);
  }

  after(node) {
    const around = this.parentElement.childNodes;
    this.parentElement.insertBefore(node, around[around.indexOf(this) + 1] ?? null);
  }

  contains(node) {
    return node === this || Boolean(node?.parentElement && this.contains(node.parentElement));
  }

  cloneNode() {
    const copy = new Part(this.localName);
    for (const [name, value] of this.#attributes) copy.setAttribute(name, value);
    return copy;
  }

  /** Whether another element has the same name, attributes and contents. */
  isEqualNode(other) {
    return other instanceof Part && this.#asText() === other.#asText();
  }

  #asText() {
    const inside = this.childNodes.map((node) => (node instanceof Part ? node.#asText() : [String(node)]));
    return JSON.stringify([this.localName, [...this.#attributes], inside]);
  }

  remove() {
    const around = this.parentElement;
    if (around) around.childNodes = around.childNodes.filter((node) => node !== this);
    this.parentElement = null;
  }

  replaceWith(node) {
    this.parentElement?.insertBefore(node, this);
    this.remove();
  }

  focus(options) {
    document.activeElement = this;
    this.focusedWith = options;
    this.dispatchEvent({ type: "focusin" });
  }

  select() {
    this.setSelectionRange(0, this.value.length);
  }

  setSelectionRange(...range) {
    this.selection = range;
  }

  scrollIntoView() {}

  click(more = {}) {
    this.dispatchEvent({ type: "click", ...more });
  }

  /** A list for which nothing was chosen has the value of its selected option, or of the first. */
  get value() {
    if (this.localName !== "select" || this.#value !== null) return this.#value ?? "";
    return (this.options.find((each) => each.getAttribute("selected") != null) ?? this.options[0])?.value ?? "";
  }

  set value(value) {
    this.#value = String(value);
  }

  /** Tell this element, and those around it, of an event. */
  dispatchEvent({ type, ...more }) {
    for (let part = this; part; part = part.parentElement)
      part.#hear({ ...more, type, target: this, preventDefault() {} });
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

  get valueAsNumber() {
    return this.value === "" ? Number.NaN : Number(this.value);
  }

  get options() {
    return this.all("option");
  }

  /** Whether one of these selectors is for this element. A child is looked for at any depth. */
  matches(selectors) {
    const all = selectors.replaceAll(" > ", " ").split(", ");
    return all.some((selector) => {
      const [, around, own] = /^(?:(.*) )?(\S+)$/.exec(selector);
      return this.#fits(...SELECTOR.exec(own).slice(1)) && (!around || Boolean(this.parentElement?.closest(around)));
    });
  }

  #fits(name, id, classes, attributes, without, but) {
    const own = (this.getAttribute("class") ?? "").split(" ");
    const wanted = [...attributes.matchAll(/\[([\w-]+)(?:="?(.*?)"?)?\]/g)];
    return (
      (!name || name === this.localName) &&
      (!id || id === this.getAttribute("id")) &&
      !(without && (but ? this[without] === but : this[without])) &&
      classes
        .split(".")
        .slice(1)
        .every((each) => own.includes(each)) &&
      wanted.every(([, key, value]) =>
        value === undefined ? this.#attributes.has(key) : this.getAttribute(key) === value,
      )
    );
  }

  /** All elements inside this one that a selector is for, in their order. */
  querySelectorAll(selector) {
    return this.children.flatMap((part) => [
      ...(part.matches(selector) ? [part] : []),
      ...part.querySelectorAll(selector),
    ]);
  }

  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  getElementsByTagName(name) {
    return this.all(name);
  }

  closest(selector) {
    return this.matches(selector) ? this : (this.parentElement?.closest(selector) ?? null);
  }

  /** All elements of this name inside this one, in their order. */
  all(localName) {
    return this.querySelectorAll(localName);
  }
}

globalThis.document = {
  createElement: (localName) => new Part(localName),
  createElementNS: (_, localName) => new Part(localName),
  getElementById: () => null,
  querySelector: () => null,
  querySelectorAll: () => [],
  addEventListener() {},
  documentElement: new Part("html"),
  body: Object.assign(new Part("body"), { dataset: {} }),
};

/** Let all happen that waits for nothing but promises. */
export async function settled() {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

/** The texts of all elements inside a part that a selector is for. */
export const texts = (part, selector) => part.querySelectorAll(selector).map(({ textContent }) => textContent);

/** The first element of this name inside a part that says this, or is called so. */
export const called = (part, localName, name) =>
  part.all(localName).find((each) => name === (each.getAttribute("aria-label") ?? each.textContent.trim()));

/** Fill in a field, as somebody who types or chooses. */
export function fill(field, value) {
  field.value = value;
  field.dispatchEvent(new Event("input"));
}
