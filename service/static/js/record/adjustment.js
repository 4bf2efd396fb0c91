import { h } from "../base/dom.js";
import { labelled } from "../base/formdialog.js";
import { named, t } from "../base/language.js";
import { LIMITS } from "../base/limits.js";
import { optionText, title } from "../base/words.js";

/**
 * The fields of an adjustment, made from its JSON Schema: `element`, and as `value` what they make, or null as long as
 * something is missing.
 */
export function adjustmentForm({ name, schema }, record, words) {
  const special = OF_THE_GAME[name]?.(record, words);
  const fields = special ?? Object.entries(schema.properties).map(([key, form]) => fieldOf(key, form, schema, words));
  const shown = fields.filter(({ element }) => element);
  return {
    element: h(
      "div",
      { class: "fields" },
      shown.map(({ label, element }) => labelled(label, element)),
    ),
    get value() {
      const parts = fields.map((field) => field.read());
      return parts.includes(null) ? null : Object.assign({ type: name }, ...parts);
    },
  };
}

/** Two kinds mean the same in every game, and their choices are the game's own: no schema of a ruleset can say them. */
const OF_THE_GAME = {
  adjudge: (_, words) => {
    const ranks = words.seats.map(() => number({ minimum: 1, maximum: words.seats.length }));
    const read = () => {
      const values = ranks.map(({ value }) => value.trim());
      return values.includes("") ? null : { ranks: values.map(Number) };
    };
    return ranks.map((element, seat) => ({
      label: t("Rank of {name}", { name: words.name(seat) }),
      element,
      read: seat ? () => ({}) : read,
    }));
  },
  option: ({ info }, { ruleset }) => {
    const choices = ruleset.options
      .filter(({ switchable }) => switchable)
      .flatMap(({ name, title, choices: values }) =>
        values.filter((value) => value !== info.options[name]).map((value) => ({ name, title, value })),
      );
    const texts = choices.map(({ title, value }) => `${named(title)}: ${optionText(value)}`);
    const element = select(texts.map((text, index) => [index, text]));
    return [
      { label: t("Option"), element, read: () => (element.value ? pick(choices[element.value], "name", "value") : null) },
    ];
  },
};

function pick(object, ...names) {
  return Object.fromEntries(names.map((name) => [name, object[name]]));
}

function fieldOf(key, form, { required = [] }, words) {
  if (key === "type") return { read: () => ({}) };
  const field = control(form, words);
  const read = () => {
    const value = field.read();
    if (value === undefined) return required.includes(key) ? null : {};
    return { [key]: value };
  };
  return { label: title(key), element: field.element, read };
}

/** A control for a value of this schema: its element, and how its value is read, undefined if there is none. */
function control(form, words) {
  const kinds = (form.anyOf ?? [form]).filter(({ type }) => type !== "null");
  const [kind] = kinds;
  if (kind["x-seat"]) return choice(words.seats.map(({ seat }) => [seat, words.name(seat)]));
  if (kind.enum) return choice(kind.enum.map((value) => [value, String(value)]));
  if (kind.type === "boolean")
    return choice([
      [true, t("yes")],
      [false, t("no")],
    ]);
  if (kind.type === "array") return several(kind.items ?? {}, words);
  const element = kind.type === "integer" ? number(kind) : h("input", { maxlength: LIMITS.line, autocomplete: "off" });
  const read = () => {
    const text = element.value.trim();
    if (!text) return undefined;
    return kind.type === "integer" ? Number(text) : text;
  };
  return { element, read };
}

function choice(values) {
  const element = select(values.map(([, text], index) => [index, text]));
  return { element, read: () => (element.value === "" ? undefined : values[element.value][0]) };
}

/** As many controls as there are values, and one more to add another. */
function several(form, words) {
  const parts = [];
  const element = h("span", { class: "several" });
  const grow = () => {
    if (parts.length && parts.at(-1).read() === undefined) return;
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

function select(options) {
  return h(
    "select",
    {},
    h("option", { value: "" }, "–"),
    options.map(([value, text]) => h("option", { value }, text)),
  );
}

function number({ minimum, maximum }) {
  return h("input", { type: "number", min: minimum, max: maximum, step: "1", autocomplete: "off" });
}
