import { h } from "./dom.js";
import { title } from "./words.js";

/** Where a ruleset's description of a state speaks of seats by their number. */
const SEAT_KEYS = new Set(["to_move", "turn", "holder", "last_turns", "starts"]);

/** The state in words and lists: what lies where, and what is known of hands. */
export function showState(element, state, words) {
  const rows = Object.entries(state).map(([key, value]) =>
    h(
      "div",
      { class: isShort(value) ? "short" : false },
      h("dt", {}, title(key)),
      h("dd", {}, describe(key, value, words)),
    ),
  );
  element.replaceChildren(h("dl", { class: "state" }, rows));
}

/** Whether a value stands beside its name, not below it. */
function isShort(value) {
  return [value].flat().every((part) => part === null || typeof part !== "object");
}

function describe(key, value, words) {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return list(key, value, words);
  if (typeof value === "object")
    return isPile(value) ? pile(value) : isTable(value) ? table(value, words) : tree(value, words);
  return SEAT_KEYS.has(key) ? words.name(value) : String(value);
}

function list(key, values, words) {
  if (!values.length) return "none";
  const bySeat =
    values.length === words.seats.length && values.every((value) => typeof value === "object" && value !== null);
  if (bySeat) {
    return h(
      "ul",
      {},
      values.map((value, seat) =>
        h("li", {}, h("bdi", { class: "name" }, words.name(seat)), " ", describe(key, value, words)),
      ),
    );
  }
  return chips(values.map((value) => describe(key, value === null ? "?" : value, words)));
}

/** Cards: known ones by name, unknown ones by number. */
function isPile(value) {
  return Array.isArray(value.known) && typeof value.unknown === "number";
}

function pile({ known, unknown }) {
  const cards = unknown ? [...known, `${unknown} unknown`] : known;
  return cards.length ? chips(cards) : "none";
}

function chips(texts) {
  return h(
    "span",
    { class: "chips" },
    texts.map((text) => h("span", { class: "chip" }, text)),
  );
}

/** Things that all have the same properties. */
function isTable(value) {
  const rows = Object.values(value);
  const shapes = new Set(rows.map((row) => (row && typeof row === "object" ? Object.keys(row).join() : "")));
  return rows.length > 1 && shapes.size === 1 && !shapes.has("");
}

function table(value, words) {
  const columns = Object.keys(Object.values(value)[0]);
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table" },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td"),
          columns.map((name) => h("th", { scope: "col" }, title(name))),
        ),
      ),
      h(
        "tbody",
        {},
        Object.entries(value).map(([name, row]) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, name),
            columns.map((column) => h("td", {}, cell(column, row[column], words))),
          ),
        ),
      ),
    ),
  );
}

function cell(key, value, words) {
  return Array.isArray(value) && value.every((part) => typeof part === "number")
    ? value.join(" – ")
    : describe(key, value, words);
}

function tree(value, words) {
  return h(
    "dl",
    {},
    Object.entries(value)
      .map(([key, inner]) => [h("dt", {}, title(key)), h("dd", {}, describe(key, inner, words))])
      .flat(),
  );
}
