import { signButton } from "../base/blank-fields.js";
import { h } from "../base/dom.js";

/** Attributes of a field for formulas and ids: they stop phones from changing the typed text. */
export const CODE_ATTRIBUTES = { spellcheck: "false", autocapitalize: "none", class: "code" };

let count = 0;

/**
 * Fields that write into an object while somebody types: `key` is the member, and `path` its place in the template, for
 * errors below the field. A member with its default value is left out. `onchange` is called after every change.
 */
export class TemplateFields {
  /** @type {(() => void)[]} */
  #updates = [];

  /** @param {() => void} onchange */
  constructor(onchange) {
    this.onchange = onchange;
  }

  /** Forget the fields: others will be drawn. */
  clear() {
    this.#updates = [];
  }

  /**
   * Run an update now, and again after every change: an id that is changed here is used elsewhere.
   *
   * @param {() => void} update
   */
  keepUpdated(update) {
    update();
    this.#updates.push(update);
  }

  /** Run all updates, and call `onchange`. */
  notifyChange() {
    for (const update of this.#updates) update();
    this.onchange();
  }

  /**
   * @param {HTMLInputElement | HTMLTextAreaElement} field
   * @param {Record<string, any>} object
   * @param {string} key
   */
  #keepValue(field, object, key) {
    this.keepUpdated(() => {
      if (field !== document.activeElement) field.value = object[key] ?? "";
    });
  }

  /**
   * A line of text.
   *
   * @param {Record<string, any>} object
   * @param {string} key
   * @param {string} path
   * @param {string} label
   * @param {Attributes & { hint?: Child, upright?: boolean, usual?: string }} options
   */
  text(object, key, path, label, { hint, upright, usual = upright ? undefined : "", ...attributes } = {}) {
    const field = h(upright ? "textarea" : "input", { autocomplete: "off", ...attributes });
    this.#keepValue(field, object, key);
    field.addEventListener("input", () => this.setMember(object, key, field.value, usual));
    return framedField(path, label, field, { hint });
  }

  /**
   * An optional number. A text that is not a number stays, and the check reports it.
   *
   * @param {Record<string, any>} object
   * @param {string} key
   * @param {string} path
   * @param {string} label
   * @param {Attributes & { hint?: Child, upright?: boolean, usual?: string }} options
   */
  number(object, key, path, label, { hint, ...attributes } = {}) {
    const field = h("input", { inputmode: "decimal", autocomplete: "off", maxlength: "14", ...attributes });
    this.#keepValue(field, object, key);
    const update = () => this.setMember(object, key, parseNumber(field.value));
    field.addEventListener("input", update);
    return framedField(path, label, field, {
      hint,
      beside: attributes.inputmode === "numeric" ? null : signButton(field, label, update),
    });
  }

  /**
   * A choice of one value: `choices` returns pairs of a value and its label.
   *
   * @param {Record<string, any>} object
   * @param {string} key
   * @param {string} path
   * @param {string} label
   * @param {() => [any, string][]} choices
   * @param {{ usual?: string, hint?: Child, after?: () => void }} options
   */
  choice(object, key, path, label, choices, { usual, hint, after } = {}) {
    const field = h("select");
    const options = () =>
      choices().map(([value, words]) =>
        h("option", { value: JSON.stringify(value ?? null), selected: value === (object[key] ?? usual) }, words),
      );
    this.keepUpdated(() => field.replaceChildren(...options()));
    field.addEventListener("change", () => {
      this.setMember(object, key, JSON.parse(field.value) ?? undefined, usual);
      after?.();
    });
    return framedField(path, label, field, { hint });
  }

  /**
   * A checkbox.
   *
   * @param {Record<string, any>} object
   * @param {string} key
   * @param {string} path
   * @param {string} label
   * @param {{ usual?: boolean, after?: () => void }} options
   */
  check(object, key, path, label, { usual = false, after } = {}) {
    const field = h("input", { type: "checkbox", checked: object[key] ?? usual });
    field.addEventListener("change", () => {
      this.setMember(object, key, field.checked, usual);
      after?.();
    });
    return h("div", { class: "field", "data-path": path }, h("label", { class: "check" }, field, label), errorSlot());
  }

  /**
   * Set a member, or remove it at its default value, and call `onchange`.
   *
   * @param {Record<string, any>} object
   * @param {string} key
   * @param {unknown} value
   * @param {unknown} [usual]
   */
  setMember(object, key, value, usual) {
    if (value === undefined || value === usual) delete object[key];
    else object[key] = value;
    this.notifyChange();
  }
}

/**
 * A field with its label, a hint, and a place for its error.
 *
 * @param {string} path
 * @param {string} label
 * @param {HTMLElement} field
 * @param {{ hint?: Child, beside?: Child }} options
 */
export function framedField(path, label, field, { hint, beside } = {}) {
  count += 1;
  field.id = `field-${count}`;
  return h(
    "div",
    { class: "field", "data-path": path },
    h("label", { for: field.id }, label),
    beside ? h("div", { class: "beside" }, field, beside) : field,
    hint ? h("p", { class: "hint" }, hint) : null,
    errorSlot(),
  );
}

/** The place for the error of a part. */
export function errorSlot() {
  count += 1;
  return h("div", { class: "error-slot", id: `error-${count}` });
}

/**
 * Parse a number, also with a comma or a typographic minus; returns the text if it is not a number, undefined if empty.
 *
 * @param {string} text
 */
export function parseNumber(text) {
  const common = text.trim().replace(/^[−–]/, "-").replace(",", ".");
  if (!common) return undefined;
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(common) ? Number(common) : text;
}

/**
 * A button that does not submit the form.
 *
 * @param {string} text
 * @param {() => void} onclick
 * @param {Attributes} attributes
 */
export function button(text, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes }, text);
}

/**
 * Move an item of a list one place up or down. Returns the arrow that gets the focus, as `up-2`: the same, or the other
 * one at the end of the list.
 *
 * @param {unknown[]} list
 * @param {number} index
 * @param {1 | -1} by
 */
export function moveItem(list, index, by) {
  const place = index + by;
  list.splice(place, 0, ...list.splice(index, 1));
  const ends = place === (by < 0 ? 0 : list.length - 1);
  return `${by < 0 === ends ? "down" : "up"}-${place}`;
}

/**
 * The buttons that move an item of a list up and down. `redraw` gets the id of the button to focus.
 *
 * @param {unknown[]} list
 * @param {number} index
 * @param {{ up: string, down: string, prefix?: string }} names the labels of the buttons, and the prefix of their ids
 * @param {(focus: string) => void} redraw
 */
export function arrowButtons(list, index, { up, down, prefix = "" }, redraw) {
  /**
   * @param {string} sign
   * @param {1 | -1} by
   * @param {string} label
   */
  const arrow = (sign, by, label) =>
    button(sign, () => redraw(prefix + moveItem(list, index, by)), {
      id: `${prefix}${by < 0 ? "up" : "down"}-${index}`,
      class: "square",
      "aria-label": label,
      disabled: index === (by < 0 ? 0 : list.length - 1),
    });
  return [arrow("↑", -1, up), arrow("↓", 1, down)];
}
