import assert from "node:assert/strict";
import { test } from "node:test";
import { entered, pressed, shown, turned, wordsOf } from "../../../../service/pages/static/js/sheet/typing.js";
import { forSeeds } from "./random.mjs";

const type = (keys, text = "") => keys.reduce((before, key, at) => pressed(before, key, at === 0), text);

for (const [keys, before, after] of [
  [["1", "2"], "", "12"],
  [["7"], "50", "7"],
  [["+"], "50", "50+"],
  [["+", "5"], "50", "50+5"],
  [["+", "-"], "5", "5-"],
  [["+"], "", ""],
  [["-"], "", "-"],
  [["back"], "50", "5"],
  [["back"], "", ""],
  [["±"], "5", "-5"],
  [["±"], "-5", "5"],
  [["±"], "5+3", "5-3"],
  [["±"], "5-3", "5+3"],
  [["±"], "", "-"],
  [["."], "5", "."],
  [["5", "."], "", "5."],
  [["6", ".", "5"], "", "6.5"],
])
  test(`keys ${keys.join(" ")} make “${after}” of “${before}”`, () => assert.equal(type(keys, before), after));

test("two turns of a number leave it as it is", () => {
  forSeeds(200, (random) => {
    const number = String(random.below(1000) / 10);
    const text = random.of(["", "3+", "12-"]) + number;
    assert.equal(turned(turned(text)), text);
  });
});

test("a quick key ends a sum that is open, and else stands in place of all", () => {
  assert.equal(entered("10+", "5"), "10+5");
  assert.equal(entered("10-", "5"), "10-5");
  assert.equal(entered("10", "5"), "5");
  assert.equal(entered("-", "5"), "5");
});

test("what stands in a cell is read as a person writes it", () => {
  assert.deepEqual(["", "10+5", "-3", "small_slam"].map(shown), ["–", "15", "−3", "small slam"]);
});

test("words for values are offered from the highest to the lowest", () => {
  assert.deepEqual(wordsOf({ labels: { one: 1, three: 3, two: 2 } }), ["three", "two", "one"]);
  assert.equal(wordsOf({ labels: {} }), null);
  assert.equal(wordsOf(), null);
});
