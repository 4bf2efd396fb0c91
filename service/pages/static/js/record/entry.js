import { h } from "../base/dom.js";
import { eventType } from "./event-types.js";
import { isCounted, readableText } from "./history.js";
import { region, t, tn } from "../base/language.js";
import { entriesText, ruleWord, scoreText, seatMark } from "../base/words.js";

/**
 * An entry's line: its number, the move and its seat, the effects, and the score after it.
 *
 * @param {Entry} entry
 * @param {GameRecord} record
 * @param {Words} words
 * @param {...Child} tools
 */
export function entryLine(entry, record, words, ...tools) {
  const then = words.atPlace(record.placeOf(entry.version));
  return [
    h(
      "div",
      { class: "head" },
      h(
        "a",
        { class: "number", href: `#${entry.version}`, "aria-label": t("Entry {version}", entry) },
        String(entry.version),
      ),
      entry.seat == null ? null : [seatMark(entry.seat), h("bdi", { class: "name" }, then.name(entry.seat))],
      h("span", { class: "what" }, entryText(entry, record, then)),
      entryMarks(entry)
        .filter((mark) => mark !== "ruling") // its text says it already
        .map((mark) => h("span", { class: `badge ${mark}` }, MARKS[mark])),
      h("span", { class: "points" }, scoreText(entry.scores)),
      tools,
    ),
    adjustmentList(entry.adjustments ?? []),
    bulletList("effects", effectLines(entry.effects ?? [], then)),
    bulletList("flags", entryFlags(entry, record, words)),
    bulletList(
      "notes",
      record
        .remarksOn(entry.version, "note.added")
        .map((note) => [note.bookmark ? "★ " : null, readableText(note, note.text)].filter(Boolean))
        .filter(({ length }) => length),
    ),
  ];
}

/**
 * The recorder of an entry; empty if hidden or without a name.
 *
 * @param {{ recorder: string }} entry
 * @param {GameRecord} record
 */
export function recordedBy({ recorder }, record) {
  const name = record.recorderName(recorder);
  return name && h("small", { class: "by" }, t("by {name}", { name: h("bdi", {}, name) }));
}

/**
 * The CSS classes for the status of an entry.
 *
 * @param {Entry} entry
 */
export function entryClasses(entry) {
  return ["entry", entry.irregular && "irregular", ...entryMarks(entry)].filter(Boolean).join(" ");
}

/**
 * The marks of an entry: its corrections and origin, one word each.
 *
 * @param {Entry} entry
 * @returns {(keyof typeof MARKS)[]}
 */
export function entryMarks(entry) {
  /** @type {(keyof typeof MARKS | false)[]} */
  const found = [
    !isCounted(entry) && "withdrawn",
    Boolean(entry.replaced_by) && "replaced",
    entry.type === "entry.inserted" && "inserted",
    entry.type === "ruling.given" && "ruling",
  ];
  return found.filter((mark) => mark !== false);
}

/**
 * The marks of an entry in words.
 *
 * @param {Entry} entry
 */
export function markTexts(entry) {
  return entryMarks(entry).map((mark) => MARKS[mark]);
}

/**
 * A short description of an entry, for sentences.
 *
 * @param {Described & Pick<Entry, "erased"> & { type: string, text?: string | null }} entry
 * @param {Words} words
 */
export function entrySummary(entry, words) {
  const name = eventType(entry.type).label;
  const text = readableText(entry, entry.text);
  const summary = entry.notation ?? (text ? `${name}: “${text}”` : name);
  return entry.seat == null ? summary : `${words.name(entry.seat)}: ${summary}`;
}

/**
 * Effects as lines, each with its rule.
 *
 * @param {Effect[]} effects
 * @param {Words} words
 */
export function effectLines(effects, words) {
  return effects.map((effect) => [words.effectText(effect), " ", words.ruleLink(effect.rule)]);
}

/**
 * The adjustments of a ruling, in notation.
 *
 * @param {string[]} adjustments
 */
export function adjustmentList(adjustments) {
  return bulletList(
    "adjustments",
    adjustments.map((text) => h("code", {}, text)),
  );
}

/**
 * Broken rules as lines, each with the reason.
 *
 * @param {Breach[]} irregular
 * @param {Words} words
 */
export function breachLines(irregular, words) {
  return irregular.map(({ rule, why }) => [
    h("b", {}, t("Irregular:"), " "),
    words.withPeople(why),
    " ",
    words.ruleLink(rule),
  ]);
}

/**
 * @param {string} name
 * @param {Child[]} lines
 */
export function bulletList(name, lines) {
  if (!lines.length) return null;
  return h(
    "ul",
    { class: name },
    lines.map((line) => h("li", {}, line)),
  );
}

const MARKS = {
  withdrawn: t("withdrawn"),
  replaced: t("replaced"),
  inserted: t("inserted"),
  ruling: t("ruling"),
};

/** @type {Record<string, (entry: Entry, record: GameRecord, words: Words) => Child>} */
const SENTENCES = {
  "entry.withdrawn": ({ entry: version }, record) => {
    const entry = entryLink(version);
    return version && eventType(record.entries[version - 1].type).takes_back
      ? t("Took back {entry}", { entry })
      : t("Withdrew {entry}", { entry });
  },
  "entry.replaced": ({ entry }) => t("Replaced {entry}", { entry: entryLink(entry) }),
  "move.revealed": ({ entry }) => t("Added details to {entry}", { entry: entryLink(entry) }),
  "ruling.given": ({ player }, _, { seating }) =>
    player
      ? t("Ruling of {name}", { name: h("bdi", {}, seating?.nameOf(player) ?? t("somebody without a name")) })
      : t("Ruling"),
  "ruling.revoked": ({ entry }) => t("Revoked the ruling of {entry}", { entry: entryLink(entry) }),
  "revision.adopted": ({ revision, from }) =>
    t("Moved on from revision {from} of the rules to revision {revision}", { from, revision }),
  "note.added": ({ entry: version, bookmark }) => {
    if (!version) return bookmark ? t("Bookmark") : t("Note");
    const entry = entryLink(version);
    return bookmark ? t("Bookmark on {entry}", { entry }) : t("Note on {entry}", { entry });
  },
  "score.claimed": ({ claim }) => t("The table’s paper says {score}", { score: h("b", {}, claimText(claim ?? {})) }),
  "seat.changed": ({ seat }, _, words) => t("sits here from now on, as {seat}", { seat: words.seatName(seat ?? 0) }),
  "record.signed": ({ entry, signed }) =>
    t("Signed the record up to {entry}, with the key {key}", {
      entry: entryLink(entry),
      key: h("code", { title: signed?.key }, signed?.key.slice(0, 8)),
    }),
  "entry.erased": ({ entry, what: part }) =>
    part === "hidden"
      ? t("Erased what {entry} hid", { entry: entryLink(entry) })
      : t("Erased the text of {entry}", { entry: entryLink(entry) }),
  "game.closed": ({ how }) => t("The record was closed: {how}", { how: ruleWord(how ?? "") }),
};

/**
 * @param {Entry} entry
 * @param {GameRecord} record
 * @param {Words} words
 */
function entryText(entry, record, words) {
  if (entry.notation) {
    const move = h(isCounted(entry) ? "b" : "del", { class: "notation" }, entry.notation);
    return entry.original && entry.original !== entry.notation
      ? [move, " ", h("s", { class: "notation original" }, entry.original)]
      : move;
  }
  const sentence = SENTENCES[entry.type]?.(entry, record, words) ?? eventType(entry.type).label;
  return [sentence, reasonQuote(entry)];
}

/** @param {Json} claim */
function claimText({ scores, lines = [] }) {
  return scores
    ? scoreText(scores.map((/** @type {number | null} */ points) => points ?? "?"))
    : tn(lines.length, "{count} line", "{count} lines");
}

/**
 * A link to an entry of the shown game.
 *
 * @param {number | null | undefined} version
 * @param {Child} text
 */
export function entryLink(version, text = t("entry {version}", { version })) {
  return h("a", { href: `#${version}` }, text);
}

/**
 * @param {Entry} entry
 * @param {GameRecord} record
 * @param {Words} words
 */
function entryFlags(entry, record, words) {
  const { irregular = [], withdrawn_by: correction, replaced_by: replacement, kept_by: kept } = entry;
  return [
    ...breachLines(irregular, words),
    overrideReason(entry),
    kept && t("It was kept by {entry}", { entry: entryLink(kept) }),
    replacement &&
      t("Recorded first as {move}; changed by {entry}", {
        move: h("s", { class: "notation" }, entry.original),
        entry: entryLink(replacement),
      }),
    momentFlag(entry),
    entry.keep && t("Kept {entries} as irregular", { entries: entriesText(entry.keep) }),
    entry.withdraw && t("Withdrew {entries}, too", { entries: entriesText(entry.withdraw) }),
    ...(entry.erased ?? []).map((erased) => erasureText(erased, record)),
    ...signatureFlags(entry),
    correction && t("Withdrawn by {entry}", { entry: entryLink(correction) }),
    ...record
      .remarksOn(entry.version, "ruling.given")
      .map(({ version }) => t("Ruled on in {entry}", { entry: entryLink(version) })),
  ].filter(Boolean);
}

/** @param {Entry} entry */
function overrideReason(entry) {
  const text = readableText(entry, entry.override);
  const why = h("q", {}, text ?? "");
  if (!text) return null;
  return entry.irregular?.length ? t("It stands: {why}", { why }) : t("Entered with an override: {why}", { why });
}

/**
 * The moment of an entry that was recorded out of order.
 *
 * @param {Entry} entry
 */
function momentFlag(entry) {
  const { after } = entry;
  if (!after) return null;
  return entry.type === "entry.inserted"
    ? [t("Inserted after {entry}", { entry: entryLink(after) }), reasonQuote(entry)]
    : t("Given for the moment after {entry}", { entry: entryLink(after) });
}

/** @param {Entry} entry */
function signatureFlags({ signed, seat }) {
  return [
    signed &&
      seat != null &&
      (signed.own ? t("Entered by the player of the seat") : t("Entered by somebody other than the player")),
    signed?.changed_by.length && [
      t("What was signed was corrected since:"),
      " ",
      signed.changed_by.map((version, at) => [at ? ", " : "", entryLink(version)]),
    ],
  ];
}

/**
 * @param {Schemas["Erased"]} erased
 * @param {GameRecord} record
 */
function erasureText({ what, by, at }, record) {
  const date = new Date(at).toLocaleDateString(region);
  const text =
    what === "text" ? t("Its text was erased on {date}", { date }) : t("What it hid was erased on {date}", { date });
  const name = record.recorderName(by);
  return [text, name ? [" ", t("by {name}", { name: h("bdi", {}, name) })] : ""];
}

/** @param {Entry} entry */
function reasonQuote(entry) {
  const text = readableText(entry, entry.text);
  return text ? [": ", h("q", {}, text)] : "";
}
