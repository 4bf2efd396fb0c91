import { sign } from "../base/blanks.js";
import { h } from "../base/dom.js";

let count = 0;

/**
 * Fields that write into an object as one types: `key` names its member, `path` where it stands in the whole, so that
 * an error can be shown below the field. A member at its usual value is left out. `onchange` is told of every change.
 */
export class Fields {
  #live = [];

  constructor(onchange) {
    this.onchange = onchange;
  }

  /** Forget the fields that were there: others are drawn. */
  clear() {
    this.#live = [];
  }

  /** Do this now, and again whenever anything was changed: an id that is changed here is named elsewhere. */
  live(update) {
    update();
    this.#live.push(update);
  }

  /** Bring all that is shown up to date, and tell. */
  changed() {
    for (const update of this.#live) update();
    this.onchange();
  }

  #shown(field, object, key) {
    this.live(() => {
      if (field !== document.activeElement) field.value = object[key] ?? "";
    });
  }

  /** A line of text. */
  text(object, key, path, label, { hint, upright, usual = upright ? undefined : "", ...attributes } = {}) {
    const field = h(upright ? "textarea" : "input", { autocomplete: "off", ...attributes });
    this.#shown(field, object, key);
    field.addEventListener("input", () => this.set(object, key, field.value, usual));
    return framed(path, label, field, { hint });
  }

  /** A number, or nothing. What is no number stays as it was typed, and the check says so. */
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

  /** One of several values: `choices` gives pairs of a value and its words. */
  choice(object, key, path, label, choices, { usual, hint, then } = {}) {
    const field = h("select");
    const options = () =>
      choices().map(([value, words]) =>
        h("option", { value: JSON.stringify(value ?? null), selected: value === (object[key] ?? usual) }, words),
      );
    this.live(() => field.replaceChildren(...options()));
    field.addEventListener("change", () => {
      this.set(object, key, JSON.parse(field.value) ?? undefined, usual);
      then?.();
    });
    return framed(path, label, field, { hint });
  }

  /** Yes or no. */
  check(object, key, path, label, { usual = false, then } = {}) {
    const field = h("input", { type: "checkbox", checked: object[key] ?? usual });
    field.addEventListener("change", () => {
      this.set(object, key, field.checked, usual);
      then?.();
    });
    return h("div", { class: "field", "data-path": path }, h("label", { class: "check" }, field, label), slot());
  }

  /** Set a member, or leave it out at its usual value, and tell. */
  set(object, key, value, usual) {
    if (value === undefined || value === usual) delete object[key];
    else object[key] = value;
    this.changed();
  }
}

/** A field with its label, a hint, and the place for an error. */
export function framed(path, label, field, { hint, beside } = {}) {
  field.id = `field-${(count += 1)}`;
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
  return h("div", { class: "error-slot", id: `error-${(count += 1)}` });
}

/** The number that a text is, with a comma or a typographic minus, too; the text if it is none, nothing if it is empty. */
export function numeric(text) {
  const common = text.trim().replace(/^[−–]/, "-").replace(",", ".");
  if (!common) return undefined;
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(common) ? Number(common) : text;
}

/** A button of the form that sends nothing. */
export function button(text, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes }, text);
}
