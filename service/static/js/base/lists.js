import { h } from "./dom.js";

/** A line of a list: what it is, more about it, and what can be done with it. */
export function lineItem(what, more, ...actions) {
  const done = actions.flat().filter(Boolean);
  return h(
    "li",
    {},
    h("div", { class: "what" }, what, h("small", {}, more)),
    done.length ? h("div", { class: "actions" }, done) : null,
  );
}

/** A button of a line; whoever listens is told which line, too. */
export function lineButton(text, about, act) {
  return h("button", { type: "button", "aria-label": `${text}: ${about}`, onclick: act }, text);
}

/** Show these lines in a list, or what is said where there are none. */
export function fillList(list, items, empty) {
  list.replaceChildren(...(items.length ? items : empty ? [h("li", { class: "hint" }, empty)] : []));
  list.hidden = !list.children.length;
}
