import assert from "node:assert/strict";
import { test } from "node:test";
import {
  textAfterValue,
  keypadKey,
  firstMisfit,
  textAfterKey,
  parseQuickKeys,
  readableValue,
  changeSign,
  columnLabels,
} from "../../../../service/pages/static/js/sheet/cell-text.js";
import { forSeeds } from "./random.mjs";

const type = (keys, text = "") => keys.reduce((before, key, at) => textAfterKey(before, key, at === 0), text);

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

test("turning the sign of a number twice leaves it as it is", () => {
  forSeeds(200, (random) => {
    const number = String(random.below(1000) / 10);
    const text = random.of(["", "3+", "12-"]) + number;
    assert.equal(changeSign(changeSign(text)), text);
  });
});

test("a quick key ends an open sum, or replaces the whole value", () => {
  assert.equal(textAfterValue("10+", "5"), "10+5");
  assert.equal(textAfterValue("10-", "5"), "10-5");
  assert.equal(textAfterValue("10", "5"), "5");
  assert.equal(textAfterValue("-", "5"), "5");
});

test("a cell is shown as people write numbers", () => {
  assert.deepEqual(["", "10+5", "-3", "small_slam"].map(readableValue), ["–", "15", "−3", "small slam"]);
});

test("words for values are offered from the highest to the lowest", () => {
  assert.deepEqual(columnLabels({ labels: { one: 1, three: 3, two: 2 } }), ["three", "two", "one"]);
  assert.equal(columnLabels({ labels: {} }), null);
  assert.equal(columnLabels(), null);
});

test("a keyboard has the keys of the keypad in every layout, and no others", () => {
  assert.deepEqual(["7", ".", ",", "+", "-", "−", "Backspace"].map(keypadKey), ["7", ".", ".", "+", "-", "-", "back"]);
  assert.deepEqual(["Enter", "Tab", "a", "F5", "±", "12", ""].map(keypadKey), ["", "", "", "", "", "", ""]);
});

test("quick keys are numbers with spaces or commas between them, as many as fit", () => {
  assert.deepEqual(parseQuickKeys(" 0 25,  -5,"), ["0", "25", "-5"]);
  assert.deepEqual(parseQuickKeys(""), []);
  assert.equal(parseQuickKeys("1 ".repeat(20)).length, 12);
});

test("a value that does not fit its column is named, and can still be recorded if it is a number", () => {
  const golf = { least: 1, most: 30 };
  for (const limit of ["1", "30"]) assert.equal(firstMisfit([["Aiko", limit]], golf), null, "a limit itself fits");
  const cells = (...values) => values.map((text, at) => [["Aiko", "Ben"][at], text]);
  assert.equal(firstMisfit(cells("4", "3"), golf), null);
  assert.deepEqual(firstMisfit(cells("4", "31"), golf), { why: "Ben: 31 is more than 30.", overridable: true });
  assert.deepEqual(firstMisfit(cells("0", "3"), golf), { why: "Aiko: 0 is less than 1.", overridable: true });
  assert.deepEqual(firstMisfit(cells("10+15+8", "3"), golf), { why: "Aiko: 33 is more than 30.", overridable: true });
  assert.deepEqual(firstMisfit(cells("..5", "1"), golf), { why: "Aiko: ..5 is not a number.", overridable: false });
  assert.deepEqual(firstMisfit(cells("31", "..5"), golf), { why: "Aiko: 31 is more than 30.", overridable: false });
});

test("an empty cell, a column without bounds and a label are valid", () => {
  assert.equal(firstMisfit([["Aiko", ""]], { least: 1 }), null);
  assert.equal(firstMisfit([["Aiko", "-1000"]]), null);
  assert.equal(firstMisfit([["Aiko", "win"]], { labels: { win: 2 }, most: 1 }), null);
});
