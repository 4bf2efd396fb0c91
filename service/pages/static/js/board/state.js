import { h, refill } from "../base/dom.js";
import { t } from "../base/language.js";
import { scoreText, capitalized } from "../base/words.js";

/** Keys of a ruleset's state with seat numbers as values. */
const SEAT_KEYS = new Set(["to_move", "active", "holder", "last_turns", "starts", "seat"]);

/** Keys of a state with next steps as values. */
const STEP_KEYS = new Set(["due", "phase"]);

/** Keys with long values that are fixed when a game is opened. */
const SETTINGS = new Set(["options", "components"]);

/** The most characters of a name that is a sign for a place, written as on the board. */
const SIGN = 2;

/**
 * Show the state in words and lists: the places of things, and the known facts about hands.
 *
 * @param {Element} element
 * @param {Json} state
 * @param {Words} words
 */
export function showState(element, state, words) {
  /** @type {Child[][]} */
  const [facts, settings] = [[], []];
  for (const [key, value] of Object.entries(state)) (SETTINGS.has(key) ? settings : facts).push(row(key, value, words));
  refill(
    element,
    h("dl", { class: "state" }, facts),
    settings.length
      ? h("details", {}, h("summary", {}, t("What it is played with")), h("dl", { class: "state" }, settings))
      : "",
  );
}

/**
 * @param {string} key
 * @param {any} value
 * @param {Words} words
 */
function row(key, value, words) {
  return h(
    "div",
    { class: isShort(value) ? "short" : false },
    h("dt", {}, partName(key, words)),
    h("dd", {}, describe(key, value, words)),
  );
}

/**
 * Whether a value stands beside its name instead of below it.
 *
 * @param {any} value
 */
function isShort(value) {
  return [value].flat().every((part) => part === null || typeof part !== "object");
}

/**
 * @param {string} key
 * @param {any} value
 * @param {Words} words
 * @returns {Child}
 */
function describe(key, value, words) {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? t("yes") : t("no");
  if (Array.isArray(value)) return list(key, value, words);
  if (typeof value === "object")
    return isPile(value)
      ? pile(value, words)
      : isTally(value)
        ? tally(value, words)
        : isTable(value)
          ? table(value, words)
          : tree(value, words);
  if (SEAT_KEYS.has(key)) return words.name(value);
  const text = String(value);
  return STEP_KEYS.has(key)
    ? words.termFor("move", text)
    : words.labelText(text, words.translatePhrase(words.placeName(text)));
}

/**
 * @param {string} key
 * @param {any[]} values
 * @param {Words} words
 */
function list(key, values, words) {
  if (!values.length) return t("none");
  if (isBySeat(values, words)) {
    return h(
      "ul",
      {},
      values.map((value, seat) =>
        h(
          "li",
          { class: Array.isArray(value) || isPile(value) ? false : "whole" },
          h("bdi", { class: "name" }, words.name(seat)),
          " ",
          describe(key, value, words),
        ),
      ),
    );
  }
  if (isTable(values)) return table(values, words);
  return chips(values.map((value) => describe(key, value === null ? "?" : value, words)));
}

/**
 * Whether a list has one thing per seat. Not if each thing names its seat.
 *
 * @param {any[]} values
 * @param {Words} words
 */
function isBySeat(values, { seats }) {
  return (
    values.length === seats.length &&
    values.every((value) => typeof value === "object" && value !== null && !namesSeat(value))
  );
}

/** @param {object} value */
function namesSeat(value) {
  return Object.keys(value).some((key) => SEAT_KEYS.has(key));
}

/**
 * Whether a value is a pile of cards: known ones by name, unknown ones by number.
 *
 * @param {Json} value
 */
function isPile(value) {
  return Array.isArray(value.known) && typeof value.unknown === "number";
}

/**
 * @param {{ known: string[], unknown: number }} pile
 * @param {Words} words
 */
function pile({ known, unknown }, words) {
  const named = known.map((card) => words.translatePhrase(card));
  const cards = unknown ? [...named, t("{count} unknown", { count: unknown })] : named;
  return cards.length ? chips(cards) : t("none");
}

/** @param {Child[]} texts */
function chips(texts) {
  return h(
    "span",
    { class: "chips" },
    texts.map((text) => h("span", { class: "chip" }, text)),
  );
}

/**
 * Whether a value counts several things.
 *
 * @param {object} value
 */
function isTally(value) {
  const counts = Object.values(value);
  return counts.length > 1 && counts.every((count) => typeof count === "number") && !namesSeat(value);
}

/**
 * @param {Record<string, number>} value
 * @param {Words} words
 */
function tally(value, words) {
  return chips(
    Object.entries(value).map(([name, count]) => `${words.translatePhrase(thingName(name, words))} ${count}`),
  );
}

/**
 * Whether a value has things with equal properties.
 *
 * @param {object} value
 */
function isTable(value) {
  const rows = Object.values(value);
  const shapes = new Set(rows.map((row) => (isThing(row) ? Object.keys(row).join() : "")));
  return rows.length > 1 && shapes.size === 1 && !shapes.has("");
}

/**
 * The name of a part of a state.
 *
 * @param {string} key
 * @param {Words} words
 */
function partName(key, words) {
  return capitalized(words.termFor("part", key));
}

/**
 * The name of one of several things: a team of a sheet by its own name.
 *
 * @param {string} key
 * @param {Words} words
 */
function thingName(key, words) {
  return words.own.get(key) ?? words.termFor("part", key);
}

/** @param {unknown} value */
function isThing(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * @param {any} value
 * @param {Words} words
 */
function table(value, words) {
  const rows = Array.isArray(value)
    ? (/** @type {string} */ index) => String(Number(index) + 1)
    : (/** @type {string} */ name) => words.translatePhrase(words.placeName(name).replaceAll("_", " "));
  const columns = Object.keys(Object.values(value)[0]);
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": t("Table") },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        line(h("td"), ...columns.map((name) => h("th", { scope: "col" }, capitalized(thingName(name, words))))),
      ),
      h(
        "tbody",
        {},
        Object.entries(value).map(([name, row]) =>
          line(
            h("th", { scope: "row" }, rows(name)),
            ...columns.map((column) => h("td", {}, cell(column, row[column], words))),
          ),
        ),
      ),
    ),
  );
}

/** @param {...HTMLElement} cells */
function line(...cells) {
  return h("tr", {}, cells);
}

/**
 * @param {string} key
 * @param {any} value
 * @param {Words} words
 */
function cell(key, value, words) {
  return Array.isArray(value) && value.every((part) => typeof part === "number")
    ? scoreText(value)
    : describe(key, value, words);
}

/**
 * @param {Json} value
 * @param {Words} words
 */
function tree(value, words) {
  const rows = Object.entries(value).map(([key, inner]) => [
    h("dt", {}, key.length > SIGN ? partName(words.translatePhrase(words.placeName(key)), words) : key),
    h("dd", {}, describe(key, inner, words)),
  ]);
  return rows.length ? h("dl", { class: "tree" }, rows) : t("none");
}
