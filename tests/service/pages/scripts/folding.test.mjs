import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { normalized, firstRepeated } from "../../../../service/pages/static/js/base/folding.js";

const NAMES = JSON.parse(readFileSync(new URL("names.json", import.meta.url), "utf-8"));

for (const names of NAMES)
  test(`${names[0]} is one name in ${names.length} forms`, () => {
    assert.equal(new Set(names.map(normalized)).size, 1);
  });

test("other names stay apart", () => {
  assert.equal(new Set(NAMES.map(([first]) => normalized(first))).size, NAMES.length);
});

test("the same name in two seats is found in any form; guests do not count", () => {
  assert.equal(firstRepeated(["José", "Ben", " JOSE\u0301 "]), " JOSE\u0301 ");
  assert.equal(firstRepeated(["Ann Lee", "ann\u3000\u00a0lee"]), "ann\u3000\u00a0lee");
  assert.equal(firstRepeated(["Anna", "", "", "Ben"]), undefined);
});
