import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { JS } from "./pages.mjs";

const { BrokenLineError, proved } = await import(new URL("filed/proof.js", JS));

const RECORDS = new URL("../../../golden/events/", import.meta.url);
const records = readdirSync(RECORDS).map((name) => [name, readFileSync(new URL(name, RECORDS), "utf-8")]);
const [, record] = records.find(([name]) => name === "schema-3.ndjson");

/** The record with another text in one line, counted from 1. */
const changed = (line, from, to) =>
  record
    .split("\n")
    .map((text, at) => {
      if (at !== line - 1) return text;
      assert.ok(text.includes(from), text);
      return text.replace(from, to);
    })
    .join("\n");

test("every record of the corpus is unchanged", async () => {
  for (const [name, text] of records) {
    const { events, head } = JSON.parse(text.split("\n")[0]);
    assert.deepEqual(await proved(text), { entries: events, head }, name);
  }
});

test("a changed, missing or moved line is named", async () => {
  const lines = record.trimEnd().split("\n");
  const isBroken = (line) => (error) => error instanceof BrokenLineError && error.line === line;
  await assert.rejects(proved(changed(4, '"type":"', '"type":"x')), isBroken(4));
  await assert.rejects(proved(changed(3, '"hash":"', '"hash":"0')), isBroken(3));
  await assert.rejects(proved(changed(1, '"head":"', '"head":"0')), isBroken(1));
  await assert.rejects(proved(lines.slice(0, -1).join("\n")), isBroken(1));
  await assert.rejects(proved([...lines.slice(0, 2), lines[3], lines[2], ...lines.slice(4)].join("\n")), isBroken(3));
  await assert.rejects(proved([...lines.slice(0, 3), "{", ...lines.slice(4)].join("\n")), isBroken(4));
});

test("a hidden fact that differs from its seal is named with its line", async () => {
  const at = record.split("\n").findIndex((line) => line.includes('"salt":"'));
  assert.ok(at > 0);
  await assert.rejects(proved(changed(at + 1, '"salt":"', '"salt":"00')), { line: at + 1 });
});
