/** Luck in words and tables: what came, and what was to be expected. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "./document.mjs";
import { extremeSentence, luckView } from "../../../../service/pages/static/js/analysis/luck.js";

const WORDS = { name: (seat) => ["Ann", "Ben"][seat], phrase: (text) => text };
const COUNT = { got: 3, expected: 2.25, sd: 1.5 };
const EXTREME = {
  ...{ title: "cards drawn", seat: 0, outcome: null, brought_to: 1, count: COUNT },
  ...{ by_chance: 0.021, stands_out: true },
};

test("each outcome has how often it came, and what was to be expected with its deviation", () => {
  const kind = {
    ...{ title: "dice", seat: null, n: 9, outcomes: [{ outcome: "six", count: COUNT }] },
    brought: [{ seat: 1, n: 4, count: { ...COUNT, got: 1 } }],
  };
  const view = luckView({ n: 9, left_out: 0, kinds: [kind], figures: 2, extreme: null }, WORDS);
  assert.deepEqual(texts(view, "td"), ["Six", "3", "2.3 ± 1.5", "9", "brought to Ben", "1", "2.3 ± 1.5", "4"]);
});

test("what stands out names whose figure it is, to whom it was brought, and how rare it is at most", () => {
  const sentence = extremeSentence(EXTREME, 12, WORDS)
    .map((part) => part.textContent ?? part)
    .join("");
  assert.match(sentence, /of 12 figures: Cards drawn · Ann · brought to Ben: 3, where 2\.3 ± 1\.5 were/);
  assert.match(sentence, /in at most 3 of 100 games/);
});
