#!/usr/bin/env node
// Read an exported game of Kifu without Kifu: docs/proof.md as a program for Node.js 18 or later, without libraries.
//   node reader.mjs GAME.ndjson
// It proves the chain of hashes, applies the corrections, and prints a score sheet line by line. Formulas and the rules
// of other games are not in a record: of other games it prints the moves, and what the table wrote down itself.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { argv, exit, stdout } from "node:process";

const ORDER = ["game", "version", "id", "type", "schema", "recorded_at", "happened_at", "recorder", "data"];

function need(holds, why) {
  if (!holds) throw new Error(why);
}

/** Canonical JSON: no blanks, keys by code point. Numbers of records are plain enough for JavaScript. */
function write(value) {
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const keys = Object.keys(value).sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  return `{${keys.map((key) => `${JSON.stringify(key)}:${write(value[key])}`).join(",")}}`;
}

/** The place of a seal among others: record, record.text, seat-0, seat-1 …, text. */
function place(seal) {
  return { record: 0, "record.text": 1, text: 1000 }[seal] ?? 16 + Number(seal.slice("seat-".length));
}

/** A member with an object of seals, in their order; nothing if there are none. */
function seals(name, found, fields) {
  const one = (seal) => (fields ? `{${fields.map((each) => `"${each}":${write(seal[each])}`).join(",")}}` : write(seal));
  const names = Object.keys(found ?? {}).sort((left, right) => place(left) - place(right));
  return names.length ? [`"${name}":{${names.map((each) => `"${each}":${one(found[each])}`).join(",")}}`] : [];
}

/** The line as it must stand, and the part of it that is hashed. */
function written(entry) {
  const hashed = ORDER.map((name) => `"${name}":${write(entry[name])}`);
  hashed.push(...seals("sealed", entry.sealed), `"prev":${write(entry.prev)}`);
  const opened = seals("opened", entry.opened, ["salt", "content"]);
  const erased = seals("erased", entry.erased, ["by", "at"]);
  const line = [...hashed, ...opened, ...erased, `"hash":${write(entry.hash)}`];
  return { line: `{${line.join(",")}}`, hashed: `{${hashed.join(",")}}` };
}

/** The entries of the first game in a file, each proved to follow from the one before. */
function read(text) {
  const [first, ...rest] = text.split("\n");
  const header = JSON.parse(first);
  need(header.format === "kifu.game", "no header of an exported game");
  let prev = "0".repeat(64);
  const entries = rest.slice(0, header.events).map((line, index) => {
    const entry = JSON.parse(line);
    const should = written(entry);
    need(should.line === line, `line ${index + 2}: not the canonical form`);
    const hash = createHash("sha256").update(should.hashed).digest("hex");
    need(hash === entry.hash, `line ${index + 2}: not what was hashed`);
    need(entry.prev === prev && entry.version === index + 1, `line ${index + 2}: it does not follow from the line before`);
    prev = hash;
    return { ...entry, data: Object.assign({}, entry.data, ...contents(entry.opened)) };
  });
  need(entries.length === header.events && prev === header.head, "the end is not that of the header");
  return entries;
}

function contents(opened) {
  return Object.keys(opened ?? {}).sort((left, right) => place(left) - place(right)).map((seal) => opened[seal].content);
}

/** The entries with moves as they count: in the order of play, after withdrawals, replacements and insertions. */
function effective(entries) {
  const gone = new Set();
  for (const { version, type, data } of [...entries].reverse()) {
    if (gone.has(version)) continue;
    if (type === "entry.withdrawn" || type === "ruling.revoked") gone.add(data.entry ?? data.ruling);
    for (const later of data.withdraw ?? []) gone.add(later);
  }
  const moves = [];
  for (const { version, type, data } of entries) {
    if (gone.has(version) || !data.move) continue;
    const at = moves.findIndex((move) => move.version === (data.entry ?? data.after));
    if (type === "move.made") moves.push({ version, move: data.move });
    else if (type === "entry.inserted") moves.splice(at + 1, 0, { version, move: data.move });
    else if (at >= 0) moves[at] = { ...moves[at], move: data.move };
  }
  return moves;
}

/** The lines of a score sheet: what stands in each cell at the end, and bonuses. */
function sheet(opening, moves) {
  const counts = new Map(opening.components.columns.map((column) => [column.id, column.counts !== false && !column.shared]));
  const lines = new Map();
  for (const { version, move } of moves) {
    const { type, column, round = null } = move;
    const cells = type === "line" ? move.values.map((value, seat) => [seat, value]) : type === "enter" ? [[move.seat, move.value]] : [];
    for (const [seat, points] of cells) {
      if (points !== null && counts.get(column)) lines.set(`${seat} ${column} ${round}`, { seat, points, what: round === null ? column : `r${round} ${column}`, version });
    }
    if (type === "adjust") lines.set(version, { seat: move.seat, points: move.points, what: move.reason, version });
  }
  return [...lines.values()].sort((one, other) => one.seat - other.seat || one.version - other.version);
}

function main(file) {
  const entries = read(readFileSync(file, "utf8"));
  const [opening, moves] = [entries[0].data, effective(entries)];
  const say = (text) => stdout.write(`${text}\n`);
  say(`${opening.ruleset}, ${opening.seats.length} seats, ${entries.length} entries: the chain holds`);
  if (opening.ruleset !== "scoresheet") for (const { version, move } of moves) say(`entry ${version}: ${JSON.stringify(move)}`);
  else for (const { seat, points, what, version } of sheet(opening, moves)) say(`player ${seat + 1}: ${points} ${what} (entry ${version})`);
  for (const { type, data } of entries) if (type === "score.claimed") say(`the table wrote down ${(data.scores ?? []).join(":")}`);
}

try {
  main(argv[2]);
} catch (error) {
  stdout.write(`${argv[2]}: ${error.message}\n`);
  exit(1);
}
