import { h } from "./dom.js";
import { score, stone } from "./words.js";

/** An entry's line: its number, who did what, what followed from it, and how the score stood then. */
export function entryLine(entry, record, words) {
  return [
    h(
      "div",
      { class: "head" },
      h(
        "a",
        { class: "number", href: `#${entry.version}`, "aria-label": `Entry ${entry.version}` },
        String(entry.version),
      ),
      entry.seat == null ? null : [stone(entry.seat), h("bdi", { class: "name" }, words.name(entry.seat))],
      h("span", { class: "what" }, what(entry)),
      h("span", { class: "points" }, score(entry.scores)),
    ),
    effects(entry, words),
    flags(entry, words),
    list(
      "notes",
      record.notesOn(entry.version).map((note) => note.text),
    ),
  ];
}

/** The classes that say how an entry stands. */
export function standing(entry) {
  return ["entry", entry.irregular && "irregular", entry.withdrawn_by && "withdrawn"].filter(Boolean).join(" ");
}

/** An entry in a few words, for sentences about it. */
export function brief(entry, words) {
  const said =
    entry.notation ?? (entry.text ? `${NAMES[entry.type]}: “${entry.text}”` : NAMES[entry.type]) ?? entry.type;
  return entry.seat == null ? said : `${words.name(entry.seat)}: ${said}`;
}

const NAMES = { "game.opened": "The game was opened", "entry.withdrawn": "A withdrawal", "note.added": "A note" };

function what(entry) {
  if (entry.notation) return h(entry.withdrawn_by ? "del" : "b", { class: "notation" }, entry.notation);
  if (entry.type === "entry.withdrawn") return ["Withdrew ", link(entry.entry), said(entry)];
  if (entry.type === "note.added") return ["Note", entry.entry ? [" on ", link(entry.entry)] : "", said(entry)];
  return NAMES[entry.type] ?? entry.type;
}

function link(version) {
  return h("a", { href: `#${version}` }, `entry ${version}`);
}

function said({ text }) {
  return text ? [": ", h("q", {}, text)] : "";
}

function effects({ effects: derived }, words) {
  return derived
    ? list(
        "effects",
        derived.map((effect) => [words.effect(effect), " ", words.rule(effect.rule)]),
      )
    : null;
}

function flags({ irregular = [], override, withdrawn_by: correction }, words) {
  const breaches = irregular.map(({ rule, why }) => [h("b", {}, "Irregular: "), why, " ", words.rule(rule)]);
  const standing = [irregular.length ? "It stands: " : "Entered with an override: ", h("q", {}, override ?? "")];
  return list("flags", [
    ...breaches,
    ...(override ? [standing] : []),
    ...(correction ? [["Withdrawn by ", link(correction)]] : []),
  ]);
}

function list(name, lines) {
  if (!lines.length) return null;
  return h(
    "ul",
    { class: name },
    lines.map((line) => h("li", {}, line)),
  );
}
