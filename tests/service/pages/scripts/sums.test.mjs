import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluateSum } from "../../../../service/pages/static/js/sheet/sums.js";
import { forSeeds } from "./random.mjs";

for (const [typed, sum] of [
  ["", ""],
  ["7", "7"],
  [" 12 ", "12"],
  ["10+15-8", "17"],
  ["-3", "-3"],
  ["−3+−1", "−3+−1"],
  ["5 + 5", "10"],
  ["１＋１", "１＋１"],
  ["1＋1", "2"],
  ["0.1+0.2", "0.3"],
  ["6.5", "6.5"],
  ["1,5+1", "2.5"],
  [".5+.25", "0.75"],
  ["12+", "12"],
  ["12-", "12"],
  ["12.+", "12"],
  ["nil", "nil"],
  ["?", "?"],
  ["3..4", "3..4"],
])
  test(`“${typed}” comes to “${sum}”`, () => assert.equal(evaluateSum(typed), sum));

test("a sum of whole numbers is exact, and its own sum is the same", () => {
  forSeeds(300, (random) => {
    const numbers = [random.below(1000), ...random.list(6, () => random.below(2000) - 1000)];
    const text = numbers.map((number, at) => (at && number >= 0 ? `+${number}` : String(number))).join("");
    const sum = evaluateSum(text);
    assert.equal(sum, String(numbers.reduce((total, number) => total + number, 0)));
    assert.equal(evaluateSum(sum), sum);
  });
});
