import { arrange, h } from "./dom.js";

/**
 * A line of a list: what it is, more about it, and what can be done with it.
 *
 * @param {Child} what
 * @param {Child} more
 * @param {...Child} actions
 */
export function lineItem(what, more, ...actions) {
  const done = actions.flat().filter(Boolean);
  return h(
    "li",
    {},
    h("div", { class: "what" }, what, h("small", {}, more)),
    done.length ? h("div", { class: "actions" }, done) : null,
  );
}

/**
 * A button of a line. Its event names the line.
 *
 * @param {string} text
 * @param {string} about
 * @param {() => unknown} act
 */
export function lineButton(text, about, act) {
  return h("button", { type: "button", "aria-label": `${text}: ${about}`, onclick: act }, text);
}

/**
 * Show these lines in a list, or what is said where there are none.
 *
 * @param {HTMLElement} list
 * @param {Element[]} items
 * @param {string} [empty]
 */
export function fillList(list, items, empty) {
  list.replaceChildren(...(items.length ? items : empty ? [h("li", { class: "hint" }, empty)] : []));
  list.hidden = !list.children.length;
}

/** A list that draws a line anew only when it says something else. So no tap and no typed text is lost. */
export class SteadyList {
  #drawn = new Map();

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  /**
   * Show a line for each of `items`: `state` is all that its line depends on, as one text, and `draw` makes the line.
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
