import assert from "node:assert/strict";
import { test } from "node:test";
import { JS } from "./pages.mjs";

const { additionsFor, membersFirst } = await import(new URL("record/club.js", JS).href);

test("members are offered before other people, each once", () => {
  assert.deepEqual(membersFirst(["Aiko", "Ben"], ["Cai", "ＢＥＮ", "Dora"]), ["Aiko", "Ben", "Cai", "Dora"]);
  assert.deepEqual(membersFirst([], ["Cai"]), ["Cai"]);
});

test("house rules add words to the sheet that they are for, and to no other one", () => {
  assert.deepEqual(additionsFor("spades+minus+nil", "spades"), ["minus", "nil"]);
  assert.deepEqual(additionsFor("spades", "spades"), []);
  assert.deepEqual(additionsFor("spades+minus", "hearts"), []);
});
