import { arrange, h } from "./dom.js";

/**
 * A list item: its name, details, and actions.
 *
 * @param {Child} what
 * @param {Child} more
 * @param {...Child} actions
 */
export function listItem(what, more, ...actions) {
  const done = actions.flat().filter(Boolean);
  return h(
    "li",
    {},
    h("div", { class: "what" }, what, h("small", {}, more)),
    done.length ? h("div", { class: "actions" }, done) : null,
  );
}

/**
 * A button of a list item. Its accessible name includes the item.
 *
 * @param {string} text
 * @param {string} about
 * @param {() => unknown} act
 */
export function listButton(text, about, act) {
  return h("button", { type: "button", "aria-label": `${text}: ${about}`, onclick: act }, text);
}

/**
 * Show these items in a list, or `empty` if there are none.
 *
 * @param {HTMLElement} list
 * @param {Element[]} items
 * @param {string} [empty]
 */
export function fillList(list, items, empty) {
  list.replaceChildren(...(items.length ? items : empty ? [h("li", { class: "hint" }, empty)] : []));
  list.hidden = !list.children.length;
}

/** A list that redraws an item only when it has changed, so taps and typed text are not lost. */
export class SteadyList {
  #drawn = new Map();

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  /**
   * Show one element per item: `state` is a text of everything that its element depends on, `draw` makes the element.
   *
   * @template Item
   * @param {Item[]} items
   * @param {(item: Item) => string} state
   * @param {(item: Item) => HTMLElement} draw
   */
  show(items, state, draw) {
    this.#drawn = new Map(
      items.map((item) => {
        const now = state(item);
        return [now, this.#drawn.get(now) ?? draw(item)];
      }),
    );
    arrange(this.element, [...this.#drawn.values()]);
  }
}
