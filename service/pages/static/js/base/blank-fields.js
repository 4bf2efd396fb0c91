/** The fields of blanks: each has a `value`, "" while it is open, and fires `input` events. */
import { h } from "./dom.js";
import { rovingTabindex } from "./roving-tabindex.js";
import { t } from "./language.js";

/** @param {BlankField} field */
export function clearField(field) {
  field.value = "";
  for (const key of field.children) key.setAttribute("aria-pressed", "false");
}

/**
 * @param {BlankField} field
 * @param {string} stands
 */
export function showRecorded(field, stands) {
  field.stands = stands;
  if (field.role === "group") for (const key of field.children) key.classList.toggle("stands", key.value === stands);
  else field.placeholder = stands;
}

/**
 * The element for a blank: its `value` is "" while it is open, and it fires `input` events.
 *
 * @param {Blank} blank
 * @param {Words} words
 * @returns {BlankField}
 */
export function blankField({ choices = [] }, words) {
  return choices.length ? choiceKeys(choices, words) : numberField();
}

function numberField() {
  return /** @type {any} */ (
    h("input", { inputmode: "decimal", autocomplete: "off", size: "5", maxlength: "40", enterkeyhint: "next" })
  );
}

/**
 * Offer each single piece only where it is still possible. Returns the last piece's key if only one place is left.
 *
 * @param {Blank[]} blanks
 * @param {BlankField[]} fields
 */
export function lastPieceKey(blanks, fields) {
  const all = fields.filter((_, index) => blanks[index].once);
  const gone = new Set(all.map(({ value }) => value));
  for (const { value, children, settle } of all) {
    for (const key of children) key.hidden = key.value !== value && gone.has(key.value);
    settle?.([...children].find((key) => key.value === value));
  }
  const open = all.filter(({ value }) => !value);
  const left = open.flatMap(({ children }) => [...children].filter(({ hidden }) => !hidden));
  return open.length === 1 && left.length === 1 ? left[0] : null;
}

/**
 * Choices as toggle keys: a second tap releases a key. Labels of values are translated.
 *
 * @param {string[]} choices
 * @param {Words} words
 * @returns {BlankField}
 */
function choiceKeys(choices, words) {
  const all = choices.map((value) =>
    h("button", { type: "button", value, "aria-pressed": "false" }, words.labelText(value)),
  );
  const element = /** @type {any} */ (h("div", { role: "group", class: "keys" }, all));
  element.value = "";
  element.addEventListener("click", (/** @type {{ target: any }} */ { target }) => {
    if (!target.matches("button")) return;
    element.value = element.value === target.value ? "" : target.value;
    for (const key of all) key.setAttribute("aria-pressed", String(key.value === element.value));
    element.dispatchEvent(new Event("input"));
  });
  element.settle = rovingTabindex(element);
  return element;
}

/**
 * A sign key for a number field: the number keyboard of many phones has no minus.
 *
 * @param {BlankField | HTMLInputElement} field
 * @param {string} name
 * @param {() => void} update
 */
export function signButton(field, name, update) {
  const turn = () => {
    field.value = field.value.startsWith("-") ? field.value.slice(1) : `-${field.value}`;
    if (field.value !== "-") update();
    field.focus();
  };
  return h(
    "button",
    { type: "button", class: "sign", "aria-label": t("Minus for {name}", { name }), onclick: turn },
    "±",
  );
}
