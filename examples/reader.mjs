#!/usr/bin/env node
// `node reader.mjs GAME.ndjson` reads an exported game without Kifu: docs/proof.md as a program for Node.js 18 or later.
// It proves the chain of hashes and what is opened of seals, applies the corrections, and prints a score sheet line by
// line. The rules are not in a record: of formulas it prints nothing, and of other games and of teams the moves.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const HASHED = "game version id type schema recorded_at happened_at recorder data sealed prev".split(" ");
const LINE = [...HASHED, "opened", "erased", "hash"];
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
const need = (holds, why) => { if (!holds) throw new Error(why); };

/** JSON with each number as a text that begins with NUL: JavaScript would write 100.0 and 1e-7 in other ways. */
const NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
const exact = (text) => JSON.parse(text.replace(NUMBERS, (part) => (part[0] === '"' ? part : `"\\u0000${part}"`)));

/** Canonical JSON: no blanks, keys by code point, numbers as they stood. */
function write(value) {
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  if (typeof value === "string" && value.startsWith("\0")) return value.slice(1);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return members(value, Object.keys(value).sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))));
}

/** An object with its members in this order, as far as it has them, each in the form for its name. */
function members(value, names, form = () => write) {
  const written = (name) => `${JSON.stringify(name)}:${form(name)(value[name])}`;
  return `{${names.filter((name) => Object.hasOwn(value, name)).map(written).join(",")}}`;
}

/** The names of seals in their order: record, record.text, seat-0, seat-1 …, text. */
function ordered(found = {}) {
  const place = (seal) => ({ record: 0, "record.text": 1, text: 1000 })[seal] ?? 16 + Number(seal.slice("seat-".length));
  return Object.keys(found).sort((one, other) => place(one) - place(other));
}

/** How an object of seals is written, each with these fields. */
const seals = (...fields) => (found) => members(found, ordered(found), () => (each) => (fields.length ? members(each, fields) : write(each)));
const form = (name) => ({ sealed: seals(), opened: seals("salt", "content"), erased: seals("by", "at") })[name] ?? write;

/** Prove what is opened of the seals: salt and content, filled with blanks to 32 bytes or a power of two. */
function prove({ sealed, opened = {} }) {
  for (const [name, { salt, content }] of Object.entries(opened)) {
    const bytes = Buffer.from(write(content));
    const size = 2 ** Math.max(5, Math.ceil(Math.log2(bytes.length)));
    const seal = sha256(Buffer.concat([Buffer.from(salt, "hex"), bytes, Buffer.alloc(size - bytes.length, " ")]));
    need(seal === (name === "record.text" ? opened.record?.content.sealed?.text : sealed?.[name]), `not what was sealed as ${name}`);
  }
}

/** What `act` returns. An error names this line. */
function inLine(number, act) {
  try { return act(); } catch (error) { throw new Error(`line ${number}: ${error.message}`); }
}

/** The entries of the first game in a file, each proved to follow from the one before. */
function read(text) {
  const [first, ...rest] = text.split("\n");
  const header = inLine(1, () => JSON.parse(first));
  need(header?.format === "kifu.game" && header.format_version <= 2, "no header of an exported game that this reader knows");
  let prev = "0".repeat(64);
  const entries = rest.slice(0, header.events).map((line, index) => inLine(index + 2, () => {
    const [entry, kept] = [JSON.parse(line), exact(line)];
    need(members(kept, LINE, form) === line, "not the canonical form");
    need(sha256(members(kept, HASHED, form)) === entry.hash, "not what was hashed");
    need(entry.game === header.game && entry.version === index + 1 && entry.prev === prev, "it does not follow from the line before");
    prove(kept);
    prev = entry.hash;
    const open = ordered(entry.opened).filter((name, _, all) => all[0] !== "record" || !name.startsWith("seat-"));
    return { ...entry, data: Object.assign({}, entry.data, ...open.map((name) => entry.opened[name].content)) };
  }));
  need(entries.length === header.events && prev === header.head, "the end is not that of the header");
  need(/^(\s*$|{"format":)/.test(rest[header.events] ?? ""), `line ${header.events + 2}: neither the end nor another game`);
  return entries;
}

/** The entries that count, in the order of play: after withdrawals, replacements and insertions. */
function effective(entries) {
  const [gone, moves] = [new Set(), new Map()];
  for (const { version, type, data } of [...entries].reverse()) {
    if (gone.has(version)) continue;
    for (const taken of data.withdraw ?? []) gone.add(taken);
    if (["entry.withdrawn", "ruling.revoked"].includes(type)) gone.add(data.entry ?? data.ruling);
    if (data.move && data.entry && !moves.has(data.entry)) moves.set(data.entry, data.move);
  }
  const inserted = entries.filter(({ type, data }) => data.after && ["entry.inserted", "ruling.given"].includes(type));
  const placed = (entry) => [entry, ...inserted.filter(({ data }) => data.after === entry.version).flatMap(placed)];
  const counts = ({ version, data }) => !gone.has(version) && !(data.move && data.entry);
  return entries.filter((entry) => !inserted.includes(entry)).flatMap(placed).filter(counts).map((entry) => ({ ...entry, data: { ...entry.data, move: moves.get(entry.version) ?? entry.data.move } }));
}

/** The lines of a score sheet: what stands in each cell at the end, and bonuses. */
function sheet(columns, moves) {
  const [counts, lines] = [new Set(columns.filter((each) => each.counts !== false && !each.shared).map(({ id }) => id)), new Map()];
  for (const { version, data: { move } } of moves) {
    const what = move.round == null ? move.column : `r${move.round} ${move.column}`;
    const cells = move.type === "enter" ? [[move.seat, move.value]] : [...(move.values ?? []).entries()];
    const put = (key, at, points, what) => lines.set(key, { at, points, what, version });
    for (const [at, points] of cells) if (points !== null && counts.has(move.column)) put(`${at} ${what}`, at, points, what);
    if (move.type === "adjust") put(version, move.seat, move.points, move.reason);
  }
  const sorted = [...lines.values()].sort((one, other) => one.at - other.at || one.version - other.version);
  return sorted.map(({ at, points, what, version }) => `player ${at + 1}: ${points} ${what} (entry ${version})`);
}

function told(entries) {
  const [{ ruleset, seats, components }, counting] = [entries[0].data, effective(entries)];
  const [moves, scored] = [counting.filter(({ data }) => data.move), ruleset === "scoresheet" && components && !components.teams];
  const shown = scored ? sheet(components.columns, moves) : moves.map(({ version, data }) => `entry ${version}: ${JSON.stringify(data.move)}`);
  const claims = counting.filter(({ type }) => type === "score.claimed").map(({ data }) => `the table wrote down ${(data.scores ?? []).join(":")}`);
  return [`${ruleset}, ${seats.length} seats, ${entries.length} entries: the chain holds`, ...shown, ...claims].join("\n");
}

try {
  console.log(told(read(readFileSync(process.argv[2], "utf8"))));
} catch (error) {
  console.log(`${process.argv[2]}: ${error.message}`);
  process.exitCode = 1;
}
