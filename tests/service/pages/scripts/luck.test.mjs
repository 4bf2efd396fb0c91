/** Luck in words and tables: what came, and what was to be expected. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "./document.mjs";
import { countSentence, luckView } from "../../../../service/pages/static/js/analysis/luck.js";

const WORDS = { name: (seat) => ["Ann", "Ben"][seat], translatePhrase: (text) => text };
const COUNT = { got: 3, expected: 2.25, sd: 1.5 };
const EXTREME = {
  ...{ title: "cards drawn", seat: 0, outcome: null, brought_to: 1, count: COUNT },
  ...{ by_chance: 0.021, stands_out: true },
};

test("each outcome has its count, and the expected count with its deviation", () => {
  const kind = {
    ...{ title: "dice", seat: null, n: 9, outcomes: [{ outcome: "six", count: COUNT }] },
    brought: [{ seat: 1, n: 4, count: { ...COUNT, got: 1 } }],
  };
  const view = luckView({ n: 9, left_out: 0, kinds: [kind], figures: 2, extreme: null }, WORDS);
  assert.deepEqual(texts(view, "td"), ["Six", "3", "2.3 ± 1.5", "9", "brought to Ben", "1", "2.3 ± 1.5", "4"]);
});

/** @param {object} found */
function sentence(found) {
  const sentence = countSentence({ n: 9, left_out: 3, figures: 12, extreme: null, ...found }, WORDS);
  return [sentence ?? ""]
    .flat()
    .map((part) => part.textContent ?? part)
    .join("");
}

test("the notable figure has its person, its distance from the expected one, and its greatest probability", () => {
  const more = sentence({ extreme: EXTREME });
  assert.match(more, /^Cards drawn · Ann · brought to Ben: 3, 0\.8 more than expected \(2\.3\)\. /);
  assert.match(
    more,
    /the most extreme of 12 figures: by chance alone, one of so many is as far off in at most 3 of 100/,
  );
  const fewer = sentence({ extreme: { ...EXTREME, outcome: "brick", brought_to: null, count: { ...COUNT, got: 1 } } });
  assert.match(fewer, /^Cards drawn · Ann · Brick: 1, 1\.3 fewer than expected \(2\.3\)\. /);
});

test("luck that chance alone explains is called ordinary, and luck of hidden events alone unknown", () => {
  const ordinary = sentence({ extreme: { ...EXTREME, stands_out: false } });
  assert.equal(ordinary, "Luck was ordinary: chance alone explains the differences in all 12 figures.");
  const hidden = "Not enough is known: the results of 3 events of chance are hidden from here.";
  assert.equal(sentence({ n: 0 }), hidden);
  assert.equal(sentence({}), "", "no figure had a choice");
});
