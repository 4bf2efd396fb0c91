import assert from "node:assert/strict";
import { test } from "node:test";
import {
  fillTemplate,
  isEmpty,
  hasOpenValue,
  isRoll,
  moveKey,
  nextFields,
  movesWithFields,
  diceForm,
  fixedBeginning,
} from "../../../../service/pages/static/js/base/notation.js";

const line = (notation, more = {}) => ({ move: {}, notation, template: notation.replaceAll("?", "{}"), ...more });

test("a line with a gap as a word is open", () => {
  assert.ok(hasOpenValue("r1 bid ? 3"));
  assert.ok(!hasOpenValue("r1 bid 2 3"));
  assert.ok(!hasOpenValue("what?"));
});

test("the form asks for lines with required gaps, and for the picked line", () => {
  const [open, closed, aside] = [line("points ? ?"), line("end"), line("gold ?", { aside: true })];
  assert.deepEqual(movesWithFields([open, closed, aside]), [open]);
  assert.deepEqual(movesWithFields([open, closed, aside], closed), [open, closed]);
  assert.deepEqual(movesWithFields([open, closed, aside], aside), [open, aside]);
});

test("a list of all rolls of two dice becomes keys for both dice", () => {
  /** @type {(words: string[], most: number) => any[]} */
  const rolls = (words, most) =>
    words.flatMap((word) =>
      Array.from({ length: most }, (_, at) => line(`roll ${word} ${at + 1}`, { move: { type: "roll", seat: 1 } })),
    );
  const [all, beside] = [
    rolls(["trade", "plenty", "event"], 6),
    line("play Alchemist", { move: { type: "alchemist" } }),
  ];
  const form = diceForm([beside, ...all]);
  assert.equal(form?.notation, "roll ? ?");
  assert.deepEqual(
    form.blanks.map(({ choices, seat }) => [choices, seat]),
    [
      [["trade", "plenty", "event"], 1],
      [["1", "2", "3", "4", "5", "6"], 1],
    ],
  );
  assert.equal(movesWithFields([beside, ...all])[0].notation, "roll ? ?");
  assert.ok(isRoll(form));
  assert.ok(!isRoll(beside));
  assert.ok(!isRoll(undefined));
  assert.equal(diceForm(all.slice(1)), null, "a roll is missing");
  assert.equal(diceForm([...all, { ...all[0], notation: "roll trade 1 again" }]), null, "a roll is longer");
  assert.equal(diceForm(rolls(["trade", "plenty"], 7)), null, "too many for keys");
  assert.equal(diceForm(rolls(["trade"], 6)), null, "one die");
  assert.equal(diceForm([beside]), null);
});

test("a line is shortened to its filled part", () => {
  assert.equal(fixedBeginning("r1 bid ? ?"), "r1 bid");
  assert.equal(fixedBeginning("end"), "end");
});

test("values fill the gaps in order; optional gaps are left out, and required ones stay open", () => {
  const blanks = [{}, { optional: true }, {}];
  assert.equal(fillTemplate("take {} with {} for {}", blanks, ["BARI", "", "3"]), "take BARI with for 3");
  assert.equal(fillTemplate("take {} {} {}", blanks, ["BARI", "", ""]), "take BARI ?");
  assert.equal(fillTemplate("cost={} {}", [{}, {}], ["4", "x"]), "cost=4 x");
});

test("the next field is the first empty one, or the first required one", () => {
  const [full, optional, needed] = [{ value: "1" }, { value: "" }, { value: "" }];
  const blanks = [{}, { optional: true }, {}];
  assert.deepEqual(nextFields(blanks, [full, optional, needed]), [optional, needed]);
  assert.deepEqual(nextFields(blanks, [full, full, full]), [undefined, undefined]);
});

test("a field with a recorded value is not empty", () => {
  assert.ok(isEmpty({ value: "" }));
  assert.ok(!isEmpty({ value: "", stands: "3" }));
  assert.ok(!isEmpty({ value: "3" }));
});

test("a line stays the same line with other values", () => {
  const [before, after] = [
    line("points ? ?", { blanks: [{ seat: 0 }] }),
    line("points ? ?", { blanks: [{ seat: 0, stands: "3" }] }),
  ];
  assert.equal(moveKey(before), moveKey(after));
  assert.notEqual(moveKey(before), moveKey({ ...before, blanks: [{ seat: 1 }] }));
});
