import { showOnce } from "../base/copying.js";
import { h, hint } from "../base/dom.js";
import { labelledField } from "../base/formdialog.js";
import { t } from "../base/language.js";
import { maxLength } from "../base/limits.js";
import { createOnce } from "../people/create.js";
import { roleWithMeaning } from "./roles.js";

/**
 * The form for a new token of a program.
 *
 * @param {string[]} roles
 * @param {Record<string, string>} scopes the meaning of each scope
 * @param {{ game: string, title: string }[]} games
 * @returns {Asked}
 */
export function tokenForm(roles, scopes, games) {
  const name = h("input", {
    maxlength: maxLength("name"),
    required: true,
    autocomplete: "off",
    placeholder: t("The scoreboard"),
  });
  const role = tokenRoleField(roles);
  const days = h("input", { type: "number", min: "1", max: "3650", value: "365", required: true });
  const ticked = checkboxList(Object.entries(scopes).map(([value, what]) => [value, `${what} (${value})`]));
  const only = checkboxList(games.map(({ game, title }) => [game, title || t("an untitled game")]));
  ticked.element.addEventListener("change", () => (role.value = ""));
  return {
    title: t("Make a token"),
    lead: t("A program with this token gets these rights, and never more than you have."),
    fields: [
      labelledField(t("What it is for"), name),
      labelledField(t("What it may do"), role),
      foldedPart(t("One by one"), ticked.element),
      foldedPart(t("Only in some games"), games.length ? only.element : hint(t("There are none yet."))),
      labelledField(t("How many days it lasts"), days),
    ],
    verb: t("Make it"),
    work: () => postToken(name.value.trim(), Number(days.value), role.value, ticked.value, only.value),
  };
}

/** @param {string[]} roles */
function tokenRoleField(roles) {
  return h(
    "select",
    {},
    roles.map((each) => h("option", { value: each }, roleWithMeaning(each))),
    h("option", { value: "" }, t("what is ticked below")),
  );
}

/**
 * @param {string} text
 * @param {Child} inside
 */
function foldedPart(text, inside) {
  return h("details", {}, h("summary", {}, text), inside);
}

/**
 * Create a token with a role's rights, or with these scopes if there is no role, and show it once.
 *
 * @param {string} name
 * @param {number} days
 * @param {string} role
 * @param {string[]} scopes
 * @param {string[]} games empty for all games
 */
async function postToken(name, days, role, scopes, games) {
  const rights = role ? { role } : { scopes };
  const made = await createOnce("/v1/tokens", { name, days, ...rights, ...(games.length && { games }) });
  showOnce(t("The token of {name}", { name: made.info.name }), t("The token"), made.token);
}

/**
 * A list of checkboxes: `element`, with the ticked values as `value`.
 *
 * @param {[string, string][]} choices
 */
function checkboxList(choices) {
  const boxes = choices.map(([value]) => h("input", { type: "checkbox", value }));
  return {
    element: h(
      "div",
      { class: "checks" },
      choices.map(([, text], at) => h("label", { class: "check" }, boxes[at], text)),
    ),
    get value() {
      return boxes.filter(({ checked }) => checked).map(({ value }) => value);
    },
  };
}
