/** A sheet's template as data: the empty one, and changes that keep it consistent. */
import { locale, t } from "../base/language.js";

/** @type {Template} */
export const EMPTY_TEMPLATE = { name: "", columns: [{ id: "points", per: "round" }] };

/**
 * The translated names of columns, by id.
 *
 * @param {Column[]} columns
 */
export function columnNames(columns) {
  return Object.fromEntries(
    columns.map(({ id, name, ja }) => [id, (locale === "ja" && ja) || name || id.replaceAll("_", " ")]),
  );
}

/**
 * Make an unused column id from some words: "Wood & stone" becomes `wood_stone`.
 *
 * @param {string} words
 * @param {{ id: string }[]} columns
 */
export function suggestId(words, columns) {
  const plain = words
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{Nd}]+/gu, "_")
    .replace(/^[_\p{M}\p{Nd}]+|_+$/gu, "");
  const base = (plain || "column").slice(0, 26);
  const taken = new Set(columns.map(({ id }) => id));
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}_${number}`;
    if (!taken.has(id)) return id;
  }
}

const WORDS = /[\p{L}_][\p{L}\p{M}\p{Nd}_]*/gu;

/**
 * Give a column a new id, everywhere in the template.
 *
 * @param {Template} template
 * @param {string} before
 * @param {string} after
 */
export function renameColumn(template, before, after) {
  if (template.by === before) template.by = after;
  for (const tie of template.ties ?? []) if (tie.column === before) tie.column = after;
  for (const [part, key] of formulas(template))
    part[key] = part[key].replace(WORDS, (/** @type {string} */ word) => (word === before ? after : word));
}

/**
 * Whether a column can be renamed safely to its id and back: the id is one word, and no other column or formula uses
 * it.
 *
 * @param {Template} template
 * @param {Column} column
 */
export function canRename(template, column) {
  const { id = "" } = column;
  const isTaken = template.columns.some((other) => other !== column && other.id === id);
  if (isTaken || id.match(WORDS)?.[0] !== id) return false;
  return formulas(template).every(([part, key]) => !part[key].match(WORDS)?.includes(id));
}

/**
 * All formulas: an object and the name of its member.
 *
 * @param {Template} template
 * @returns {[Json, string][]}
 */
function formulas(template) {
  const keys = ["formula", "check", "holds", "value", "loses", "ends"];
  return [template, ...template.columns, ...(template.checks ?? [])].flatMap((part) =>
    keys.filter((key) => typeof part[key] === "string").map((key) => /** @type {[Json, string]} */ ([part, key])),
  );
}

/**
 * Remove members that have no meaning now, and restore those that were removed before.
 *
 * @param {Json} object
 * @param {string[]} keys
 * @param {WeakMap<object, object>} away
 */
export function swapMembers(object, keys, away) {
  const restored = away.get(object) ?? {};
  const removed = Object.fromEntries(keys.filter((key) => key in object).map((key) => [key, object[key]]));
  for (const key of keys) delete object[key];
  Object.assign(object, restored);
  away.set(object, removed);
}

/**
 * The columns that can decide: those with one value per side.
 *
 * @param {Template} template
 */
export function decidingColumns({ columns }) {
  return columns.filter(({ id, per, shared }) => id && per !== "round" && !shared);
}

/**
 * Why the form cannot show some JSON; empty if it can.
 *
 * @param {any} template
 * @returns {string}
 */
export function shapeProblem(template) {
  if (!isObject(template)) return t("a template must be an object");
  if (!isList(template.columns)) return t("{name} is a list of objects", { name: "columns" });
  for (const key of ["teams", "ties"])
    if (key in template && !isList(template[key])) return t("{name} is a list of objects", { name: key });
  if ("aliases" in template && !Array.isArray(template.aliases))
    return t("{name} is a list of names", { name: "aliases" });
  for (const [index, column] of template.columns.entries()) {
    const why = columnShapeProblem(column, `columns[${index}]`);
    if (why) return why;
  }
  if (!(template.teams ?? []).every((/** @type {{ seats?: unknown }} */ { seats = [] }) => Array.isArray(seats)))
    return t("a team’s seats are a list");
  return template.loses === undefined || typeof template.loses === "string"
    ? ""
    : t("{name} is a text", { name: "loses" });
}

/**
 * @param {Json} column
 * @param {string} place
 */
function columnShapeProblem({ labels, ranges, formula }, place) {
  if (labels !== undefined && !isObject(labels)) return t("{name} is an object", { name: `${place}.labels` });
  if (ranges !== undefined && !(Array.isArray(ranges) && ranges.every(Array.isArray)))
    return t("{name} is a list of pairs", { name: `${place}.ranges` });
  return formula === undefined || typeof formula === "string"
    ? ""
    : t("{name} is a text", { name: `${place}.formula` });
}

/** @param {unknown} value */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {unknown} value */
function isList(value) {
  return Array.isArray(value) && value.every(isObject);
}
