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
    notes(entry, record),
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
  if (entry.type === "entry.withdrawn")
    return ["Withdrew ", h("a", { href: `#${entry.entry}` }, `entry ${entry.entry}`), reason(entry)];
  if (entry.type === "note.added")
    return entry.entry
      ? ["Note on ", h("a", { href: `#${entry.entry}` }, `entry ${entry.entry}`), reason(entry)]
      : ["Note", reason(entry)];
  return NAMES[entry.type] ?? entry.type;
}

function reason(entry) {
  return entry.text ? [": ", h("q", {}, entry.text)] : "";
}

function effects(entry, words) {
  if (!entry.effects) return null;
  const sentences = entry.effects.map((effect) => h("li", {}, words.effect(effect), " ", words.rule(effect.rule)));
  return h("ul", { class: "effects" }, sentences);
}

function flags(entry, words) {
  const flagged = (entry.irregular ?? []).map(({ rule, why }) =>
    h("li", {}, h("b", {}, "Irregular: "), why, " ", words.rule(rule)),
  );
  if (entry.override)
    flagged.push(
      h("li", {}, entry.irregular ? "It stands: " : "Entered with an override: ", h("q", {}, entry.override)),
    );
  if (entry.withdrawn_by)
    flagged.push(
      h("li", {}, "Withdrawn by ", h("a", { href: `#${entry.withdrawn_by}` }, `entry ${entry.withdrawn_by}`)),
    );
  return flagged.length ? h("ul", { class: "flags" }, flagged) : null;
}

/** What notes say about the entry. */
function notes(entry, record) {
  const about = record.entries.filter(
    (note) => note.type === "note.added" && note.entry === entry.version && !note.withdrawn_by,
  );
  return about.length
    ? h(
        "ul",
        { class: "notes" },
        about.map((note) => h("li", {}, note.text)),
      )
    : null;
}
