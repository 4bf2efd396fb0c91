import { h } from "../base/dom.js";
import { labelledField } from "../base/formdialog.js";
import { translated, t } from "../base/language.js";
import { maxLength } from "../base/limits.js";
import { optionText, seatMark, capitalized } from "../base/words.js";

/**
 * A field of an adjustment: its label if shown, and `read` for its value; null while it is missing.
 *
 * @typedef {{ label?: string, element?: HTMLElement, read: () => Json | null }} Control
 */

const FEW = 20;

/**
 * The fields of an adjustment, made from its JSON Schema: `element`, and its `value`, null while something is missing.
 *
 * @param {Schemas["AdjustmentInfo"]} adjustment
 * @param {GameRecord} record
 * @param {Words} words
 * @param {Ruleset} ruleset
 */
export function adjustmentForm({ name, schema }, record, words, ruleset) {
  const special = GAME_SPECIFIC[name]?.(record, words, ruleset);
  const fields =
    special ??
    Object.entries(/** @type {Json} */ (schema.properties)).map(([key, form]) => controlFor(key, form, schema, words));
  const shown = fields.filter(({ element }) => element);
  return {
    element: h(
      "div",
      { class: "fields" },
      shown.map(({ label = "", element }) => controlField(label, element)),
    ),
    get value() {
      const parts = fields.map((field) => field.read());
      return parts.includes(null) ? null : Object.assign({ type: name }, ...parts);
    },
  };
}

/**
 * A labelled field.
 *
 * @param {string} label
 * @param {any} element
 */
function controlField(label, element) {
  if (element.getAttribute("role") === "group") {
    element.setAttribute("aria-label", label);
    return h("div", {}, h("span", { class: "hint" }, label), element);
  }
  return element.type === "number" ? steppedField(label, element) : labelledField(label, element);
}

/**
 * A number field with keys that step up and down.
 *
 * @param {string} label
 * @param {any} element
 */
function steppedField(label, element) {
  /** @param {number} by */
  const step = (by) => {
    const next = Number(element.value || 0) + by;
    element.value = Math.min(Math.max(next, element.min || -Infinity), element.max || Infinity);
    element.dispatchEvent(new Event("input", { bubbles: true }));
  };
  /**
   * @param {string} text
   * @param {number} by
   */
  const key = (text, by) =>
    h(
      "button",
      {
        type: "button",
        "data-repeats": true,
        "aria-label": t("{field}: {step}", { field: label, step: text }),
        onclick: () => step(by),
      },
      text,
    );
  const big = Math.abs(element.min || 0) > FEW ? [key("−5", -5), key("+5", 5)] : [];
  return h("div", { class: "stepped" }, labelledField(label, element), key("−1", -1), key("+1", 1), big);
}

/**
 * Two kinds are the same in every game, and their choices depend on the game: a ruleset's schema cannot list them.
 *
 * @type {Record<string, (record: GameRecord, words: Words, ruleset: Ruleset) => Control[]>}
 */
const GAME_SPECIFIC = {
  adjudge: (_, words) => {
    const ranks = words.seats.map(() => numberControl({ minimum: 1, maximum: words.seats.length }));
    const read = () => {
      const values = ranks.map(({ value }) => value.trim());
      return values.includes("") ? null : { ranks: values.map(Number) };
    };
    const inOrder = { label: t("Tap who is first, second …"), element: rankKeys(ranks, words), read: () => ({}) };
    const typed = ranks.map((element, seat) => ({
      label: t("Rank of {name}", { name: words.name(seat) }),
      element,
      read: seat ? () => ({}) : read,
    }));
    return [inOrder, ...typed];
  },
  option: ({ facts: info }, _, { options }) => {
    const choices = options
      .filter(({ switchable }) => switchable)
      .flatMap(({ name, title, choices: values }) =>
        values.filter((value) => value !== info.options[name]).map((value) => ({ name, title, value })),
      );
    const texts = choices.map(({ title, value }) => `${translated(title)}: ${optionText(value)}`);
    const element = selectField(texts.map((text, index) => [index, text]));
    return [
      {
        label: t("Option"),
        element,
        read: () => (element.value ? pickMembers(choices[Number(element.value)], "name", "value") : null),
      },
    ];
  },
};

/**
 * Seats to tap in the order of their ranks. A tap after the last one restarts.
 *
 * @param {HTMLInputElement[]} ranks
 * @param {Words} words
 */
function rankKeys(ranks, words) {
  /** @param {number} seat */
  const place = (seat) => {
    if (ranks.every(({ value }) => value)) for (const rank of ranks) rank.value = "";
    if (!ranks[seat].value) ranks[seat].value = String(1 + ranks.filter(({ value }) => value).length);
    ranks[seat].dispatchEvent(new Event("input", { bubbles: true }));
  };
  const seats = words.seats.map(({ seat }) =>
    h("button", { type: "button", onclick: () => place(seat) }, seatMark(seat), h("bdi", {}, words.name(seat))),
  );
  return h("div", { class: "keys reasons", role: "group" }, seats);
}

/**
 * @param {Json} object
 * @param {...string} names
 */
function pickMembers(object, ...names) {
  return Object.fromEntries(names.map((name) => [name, object[name]]));
}

/**
 * @param {string} key
 * @param {Json} form
 * @param {Json} schema
 * @param {Words} words
 * @returns {Control}
 */
function controlFor(key, form, { required = [] }, words) {
  if (key === "type") return { read: () => ({}) };
  const field = control(form, words);
  const read = () => {
    const value = field.read();
    if (value === undefined) return required.includes(key) ? null : {};
    return { [key]: value };
  };
  return { label: capitalized(words.termFor("part", key)), element: field.element, read };
}

/**
 * A control for a value of this schema: its element, and `read` for its value, undefined if empty.
 *
 * @param {Json} form
 * @param {Words} words
 * @returns {{ element: HTMLElement, read: () => any }}
 */
function control(form, words) {
  const kinds = (form.anyOf ?? [form]).filter((/** @type {Json} */ { type }) => type !== "null");
  const [kind] = kinds;
  if (kind["x-seat"]) return choiceControl(words.seats.map(({ seat }) => [seat, words.name(seat)]));
  if (kind.enum)
    return choiceControl(
      kind.enum.map((/** @type {unknown} */ value) => [value, words.translatePhrase(String(value))]),
    );
  if (kind.type === "boolean")
    return choiceControl([
      [true, t("yes")],
      [false, t("no")],
    ]);
  if (kind.type === "array") return listControl(kind.items ?? {}, words);
  const element =
    kind.type === "integer" ? numberControl(kind) : h("input", { maxlength: maxLength("line"), autocomplete: "off" });
  const read = () => {
    const text = element.value.trim();
    if (!text) return undefined;
    return kind.type === "integer" ? Number(text) : text;
  };
  return { element, read };
}

/** @param {[any, string][]} values */
function choiceControl(values) {
  const element = selectField(values.map(([, text], index) => [index, text]));
  return { element, read: () => (element.value === "" ? undefined : values[Number(element.value)][0]) };
}

/**
 * One control per value, and a button that adds another one.
 *
 * @param {Json} form
 * @param {Words} words
 */
function listControl(form, words) {
  /** @type {{ element: HTMLElement, read: () => any }[]} */
  const parts = [];
  const element = h("span", { class: "several" });
  const grow = () => {
    if (parts.length && parts.at(-1)?.read() === undefined) return;
    const part = control(form, words);
    part.element.setAttribute("aria-label", t("Number {number}", { number: parts.length + 1 }));
    parts.push(part);
    element.append(part.element);
  };
  element.addEventListener("input", grow);
  grow();
  const read = () => {
    const values = parts.map((part) => part.read()).filter((value) => value !== undefined);
    return values.length ? values : undefined;
  };
  return { element, read };
}

/** @param {[any, string][]} options */
function selectField(options) {
  return h(
    "select",
    {},
    h("option", { value: "" }, "–"),
    options.map(([value, text]) => h("option", { value }, text)),
  );
}

/** @param {Json} schema */
function numberControl({ minimum, maximum }) {
  return h("input", { type: "number", min: minimum, max: maximum, step: "1", autocomplete: "off" });
}
