import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { arrowButtons, button, errorSlot } from "./fields.js";
import { decidingColumns } from "./sheet.js";

/**
 * The columns that can decide, as choices; also the chosen one if it cannot.
 *
 * @param {Template} template
 * @param {string} [id]
 * @returns {[string, string][]}
 */
export function decidingChoices(template, id) {
  /** @type {[string, string][]} */
  const columns = decidingColumns(template).map((column) => [column.id, column.name || column.id.replaceAll("_", " ")]);
  return id === undefined || columns.some(([other]) => other === id)
    ? columns
    : [...columns, [id, t("{id} (cannot decide)", { id })]];
}

/**
 * The tie-breakers of a template, in their order. `redraw` gets the id of the button to focus.
 *
 * @param {import("./fields.js").TemplateFields} fields
 * @param {Template} template
 * @param {(focus: string) => void} redraw
 */
export function tieBreakers(fields, template, redraw) {
  const ties = template.ties ?? [];
  const add = () => {
    template.ties = [...ties, { column: decidingChoices(template)[0]?.[0] ?? "" }];
    redraw(`ties[${ties.length}].column`);
  };
  return h(
    "fieldset",
    { class: "rows", "data-path": "ties" },
    h("legend", {}, t("If some are level, in this order")),
    ties.length
      ? h(
          "ol",
          { class: "plain-list" },
          ties.map((/** @type {Json} */ _, /** @type {number} */ index) => tieLine(fields, template, index, redraw)),
        )
      : null,
    button(t("Add a tie-breaker"), add, { id: "add-tie" }),
    h("p", { class: "hint" }, t("A column for the whole game with one value a player can break ties.")),
    errorSlot(),
  );
}

/**
 * @param {import("./fields.js").TemplateFields} fields
 * @param {Template} template
 * @param {number} index
 * @param {(focus: string) => void} redraw
 */
function tieLine(fields, template, index, redraw) {
  const { ties } = template;
  const tie = ties[index];
  const path = `ties[${index}]`;
  const number = index + 1;
  const remove = () => {
    ties.splice(index, 1);
    if (!ties.length) delete template.ties;
    redraw("add-tie");
  };
  const names = {
    up: t("Move tie-breaker {number} up", { number }),
    down: t("Move tie-breaker {number} down", { number }),
    prefix: "tie-",
  };
  return h(
    "li",
    { class: "line-up tie", "data-path": path },
    fields.choice(tie, "column", `${path}.column`, t("Tie-breaker {number}", { number }), () =>
      decidingChoices(template, tie.column),
    ),
    fields.choice(tie, "wins", `${path}.wins`, t("Better is"), betterChoices, { usual: "highest" }),
    arrowButtons(ties, index, names, redraw),
    button("×", remove, { class: "square", "aria-label": t("Remove tie-breaker {number}", { number }) }),
  );
}

/**
 * The most or the fewest points.
 *
 * @returns {[string, string][]}
 */
export function betterChoices() {
  return [
    ["highest", t("the highest")],
    ["lowest", t("the lowest")],
  ];
}
