import { h } from "../base/dom.js";
import { counts, WITHDRAWING } from "./history.js";
import { entriesNamed, score, stone } from "../base/words.js";

/** An entry's line: its number, who did what, what followed from it, and how the score stood then. */
export function entryLine(entry, record, words, ...tools) {
  const then = words.at(record.placeOf(entry.version));
  return [
    h(
      "div",
      { class: "head" },
      h(
        "a",
        { class: "number", href: `#${entry.version}`, "aria-label": `Entry ${entry.version}` },
        String(entry.version),
      ),
      entry.seat == null ? null : [stone(entry.seat), h("bdi", { class: "name" }, then.name(entry.seat))],
      h("span", { class: "what" }, what(entry, record, then)),
      marks(entry)
        .filter((mark) => mark !== "ruling") // it says so itself
        .map((mark) => h("span", { class: `badge ${mark}` }, mark)),
      h("span", { class: "points" }, score(entry.scores)),
      tools,
    ),
    adjustmentList(entry.adjustments ?? []),
    list("effects", effectLines(entry.effects ?? [], then)),
    list("flags", flags(entry, record, words)),
    list(
      "notes",
      record.about(entry.version, "note.added").map(({ text, bookmark }) => (bookmark ? ["★ ", text] : text)),
    ),
  ];
}

/** Who recorded an entry; nothing where they have no name, or it is not told. */
export function recordedBy({ recorder }, record) {
  const name = record.called(recorder);
  return name && h("small", { class: "by" }, "by ", h("bdi", {}, name));
}

/** The classes that say how an entry stands. */
export function standing(entry) {
  return ["entry", entry.irregular && "irregular", ...marks(entry)].filter(Boolean).join(" ");
}

/** What became of an entry, or how it came here, in a word each. */
export function marks(entry) {
  return [
    !counts(entry) && "withdrawn",
    entry.replaced_by && "replaced",
    entry.type === "entry.inserted" && "inserted",
    entry.type === "ruling.given" && "ruling",
  ].filter(Boolean);
}

/** An entry in a few words, for sentences about it. */
export function brief(entry, words) {
  const name = NAMES[entry.type] ?? entry.type;
  const said = entry.notation ?? (entry.text ? `${name}: “${entry.text}”` : name);
  return entry.seat == null ? said : `${words.name(entry.seat)}: ${said}`;
}

/** Effects as lines, each with its rule. */
export function effectLines(effects, words) {
  return effects.map((effect) => [words.effect(effect), " ", words.rule(effect.rule)]);
}

/** What a ruling changes, as one types it. */
export function adjustmentList(adjustments) {
  return list(
    "adjustments",
    adjustments.map((text) => h("code", {}, text)),
  );
}

/** Broken rules as lines, each with why. */
export function breachLines(irregular, words) {
  return irregular.map(({ rule, why }) => [h("b", {}, "Irregular: "), words.people(why), " ", words.rule(rule)]);
}

export function list(name, lines) {
  if (!lines.length) return null;
  return h(
    "ul",
    { class: name },
    lines.map((line) => h("li", {}, line)),
  );
}

const NAMES = {
  "game.opened": "The game was opened",
  "entry.withdrawn": "A withdrawal",
  "entry.replaced": "A replacement",
  "move.revealed": "What was told later",
  "ruling.given": "A ruling",
  "ruling.revoked": "The end of a ruling",
  "revision.adopted": "Newer rules",
  "note.added": "A note",
  "score.claimed": "What the table wrote down",
  "seat.changed": "A change of seats",
  "game.closed": "The record was closed",
  "game.reopened": "The record was reopened",
  "record.signed": "A signature",
};

const WHAT = {
  "entry.withdrawn": ({ entry }, record) => [
    WITHDRAWING.has(record.entries[entry - 1].type) ? "Took back " : "Withdrew ",
    link(entry),
  ],
  "entry.replaced": ({ entry }) => ["Replaced ", link(entry)],
  "move.revealed": ({ entry }) => ["Told what ", link(entry), " was"],
  "ruling.given": ({ player }, _, { seating }) => [
    "Ruling",
    player ? [" of ", h("bdi", {}, seating.called(player) ?? "somebody without a name")] : "",
  ],
  "ruling.revoked": ({ entry }) => ["Revoked the ruling of ", link(entry)],
  "revision.adopted": ({ revision, from }) => [`Moved on from revision ${from} of the rules to revision ${revision}`],
  "note.added": ({ entry, bookmark }) => [bookmark ? "Bookmark" : "Note", entry ? [" on ", link(entry)] : ""],
  "score.claimed": ({ claim }) => ["The table’s paper says ", h("b", {}, claimed(claim))],
  "seat.changed": ({ seat }, _, words) => ["sits here from now on, as ", words.seats[seat].label.en],
  "record.signed": ({ entry, signed }) => [
    "Signed the record up to ",
    link(entry),
    ", with the key ",
    h("code", { title: signed.key }, signed.key.slice(0, 8)),
  ],
  "game.closed": ({ how }) => ["The record was closed: ", how],
};

function what(entry, record, words) {
  if (entry.notation) {
    const move = h(counts(entry) ? "b" : "del", { class: "notation" }, entry.notation);
    return entry.original && entry.original !== entry.notation
      ? [move, " ", h("s", { class: "notation original" }, entry.original)]
      : move;
  }
  const sentence = WHAT[entry.type]?.(entry, record, words) ?? NAMES[entry.type] ?? entry.type;
  return [sentence, entry.text ? [": ", h("q", {}, entry.text)] : ""];
}

function claimed({ scores, lines = [] }) {
  return scores ? score(scores.map((points) => points ?? "?")) : `${lines.length} lines`;
}

function link(version) {
  return h("a", { href: `#${version}` }, `entry ${version}`);
}

function flags(entry, record, words) {
  const { irregular = [], override, withdrawn_by: correction, replaced_by: replacement, kept_by: kept, after } = entry;
  const stands = [irregular.length ? "It stands: " : "Entered with an override: ", h("q", {}, override ?? "")];
  const inserted = entry.type === "entry.inserted";
  return [
    ...breachLines(irregular, words),
    override && stands,
    kept && ["It was kept by ", link(kept)],
    replacement && [
      "Recorded first as ",
      h("s", { class: "notation" }, entry.original),
      "; changed by ",
      link(replacement),
    ],
    after && [
      inserted ? "Inserted after " : "Given for the moment after ",
      link(after),
      inserted ? reason(entry) : "",
    ],
    entry.keep && `Kept ${entriesNamed(entry.keep)} as irregular`,
    entry.withdraw && `Withdrew ${entriesNamed(entry.withdraw)}, too`,
    ...(entry.erased ?? []).map(({ what, by, at }) => [
      `${what === "text" ? "Its text" : "What it hid"} was erased on ${new Date(at).toLocaleDateString()}`,
      record.called(by) ? [" by ", h("bdi", {}, record.called(by))] : "",
    ]),
    entry.signed?.changed_by.length > 0 && [
      "What was signed was corrected since: ",
      entry.signed.changed_by.map((version, at) => [at ? ", " : "", link(version)]),
    ],
    correction && ["Withdrawn by ", link(correction)],
    ...record.about(entry.version, "ruling.given").map(({ version }) => ["Ruled on in ", link(version)]),
  ].filter(Boolean);
}

function reason({ text }) {
  return text ? [": ", h("q", {}, text)] : "";
}
