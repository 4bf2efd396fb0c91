import { sign } from "../base/blanks.js";
import { h } from "../base/dom.js";

/** Attributes of a field for formulas and ids: a phone changes nothing of what is typed. */
export const CODE = { spellcheck: "false", autocapitalize: "none", class: "code" };

let count = 0;

/**
 * Fields that write into an object as one types: `key` names its member, `path` where it stands in the whole, so that
 * an error can be shown below the field. A member at its usual value is left out. `onchange` is told of every change.
 */
export class Fields {
  /** @type {(() => void)[]} */
  #live = [];

  /** @param {() => void} onchange */
  constructor(onchange) {
    this.onchange = onchange;
  }

  /** Forget the fields that were there: others are drawn. */
  clear() {
    this.#live = [];
  }

  /**
   * Do this now, and again whenever anything was changed: an id that is changed here is named elsewhere.
   *
   * @param {() => void} update
   */
  live(update) {
    update();
    this.#live.push(update);
  }

  /** Bring all that is shown up to date, and tell. */
  changed() {
    for (const update of this.#live) update();
    this.onchange();
  }

  /**
   * @param {HTMLInputElement | HTMLTextAreaElement} field
   * @param {Record<string, any>} object
   * @param {string} key
   */
  #shown(field, object, key) {
    this.live(() => {
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
    this.#shown(field, object, key);
    field.addEventListener("input", () => this.set(object, key, field.value, usual));
    return framed(path, label, field, { hint });
  }

  /**
   * A number, or nothing. What is not a number stays as it was typed, and the check says so.
   *
   * @param {Record<string, any>} object
   * @param {string} key
   * @param {string} path
   * @param {string} label
   * @param {Attributes & { hint?: Child, upright?: boolean, usual?: string }} options
   */
  number(object, key, path, label, { hint, ...attributes } = {}) {
    const field = h("input", { inputmode: "decimal", autocomplete: "off", maxlength: "14", ...attributes });
    this.#shown(field, object, key);
    const tell = () => this.set(object, key, numeric(field.value));
    field.addEventListener("input", tell);
    return framed(path, label, field, {
      hint,
      beside: attributes.inputmode === "numeric" ? null : sign(field, label, tell),
    });
  }

  /**
   * One of several values: `choices` gives pairs of a value and its words.
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
    this.live(() => field.replaceChildren(...options()));
    field.addEventListener("change", () => {
      this.set(object, key, JSON.parse(field.value) ?? undefined, usual);
      after?.();
    });
    return framed(path, label, field, { hint });
  }

  /**
   * Yes or no.
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
      this.set(object, key, field.checked, usual);
      after?.();
    });
    return h("div", { class: "field", "data-path": path }, h("label", { class: "check" }, field, label), slot());
  }

  /**
   * Set a member, or leave it out at its usual value, and tell.
   *
   * @param {Record<string, any>} object
   * @param {string} key
   * @param {unknown} value
   * @param {unknown} [usual]
   */
  set(object, key, value, usual) {
    if (value === undefined || value === usual) delete object[key];
    else object[key] = value;
    this.changed();
  }
}

/**
 * A field with its label, a hint, and the place for an error.
 *
 * @param {string} path
 * @param {string} label
 * @param {HTMLElement} field
 * @param {{ hint?: Child, beside?: Child }} options
 */
export function framed(path, label, field, { hint, beside } = {}) {
  count += 1;
  field.id = `field-${count}`;
  return h(
    "div",
    { class: "field", "data-path": path },
    h("label", { for: field.id }, label),
    beside ? h("div", { class: "beside" }, field, beside) : field,
    hint ? h("p", { class: "hint" }, hint) : null,
    slot(),
  );
}

/** Where the error of a part is shown. */
export function slot() {
  count += 1;
  return h("div", { class: "error-slot", id: `error-${count}` });
}

/**
 * The number that a text is, with a comma or a typographic minus, too; the text if it is none, nothing if it is empty.
 *
 * @param {string} text
 */
export function numeric(text) {
  const common = text.trim().replace(/^[−–]/, "-").replace(",", ".");
  if (!common) return undefined;
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(common) ? Number(common) : text;
}

/**
 * A button of the form that sends nothing.
 *
 * @param {string} text
 * @param {() => void} onclick
 * @param {Attributes} attributes
 */
export function button(text, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes }, text);
}

/**
 * Move an item of a list one place up or down. Answers which arrow has the focus then, as `up-2`: the same one, or the
 * other one where the item can go no further.
 *
 * @param {unknown[]} list
 * @param {number} index
 * @param {1 | -1} by
 */
export function moved(list, index, by) {
  const place = index + by;
  list.splice(place, 0, ...list.splice(index, 1));
  const ends = place === (by < 0 ? 0 : list.length - 1);
  return `${by < 0 === ends ? "down" : "up"}-${place}`;
}

/**
 * The buttons that move an item of a list up and down. `redraw` is told which button has the focus then.
 *
 * @param {unknown[]} list
 * @param {number} index
 * @param {{ up: string, down: string, prefix?: string }} names what the buttons are called, and what their ids begin with
 * @param {(focus: string) => void} redraw
 */
export function arrows(list, index, { up, down, prefix = "" }, redraw) {
  /**
   * @param {string} sign
   * @param {1 | -1} by
   * @param {string} label
   */
  const arrow = (sign, by, label) =>
    button(sign, () => redraw(prefix + moved(list, index, by)), {
      id: `${prefix}${by < 0 ? "up" : "down"}-${index}`,
      class: "square",
      "aria-label": label,
      disabled: index === (by < 0 ? 0 : list.length - 1),
    });
  return [arrow("↑", -1, up), arrow("↓", 1, down)];
}
