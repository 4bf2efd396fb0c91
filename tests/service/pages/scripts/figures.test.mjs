import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { wholePercent, roundFigure } from "../../../../service/pages/static/js/base/figures.js";
import { oddsText, oneDecimal, partsOfHundred } from "../../../../service/pages/static/js/analysis/figures.js";
import { chanceText } from "../../../../service/pages/static/js/analysis/tables.js";
import { isCertain, pointsText } from "../../../../service/pages/static/js/analysis/worth.js";

/** The service has the same examples (tests/service/api/test_figures.py). */
const EXAMPLES = JSON.parse(readFileSync(new URL("figures.json", import.meta.url), "utf-8"));

test("figures are rounded as the service rounds them", () => {
  for (const [figure, whole] of EXAMPLES.whole) assert.equal(roundFigure(figure), whole, `${figure}`);
  for (const [share, whole] of EXAMPLES.percent) assert.equal(wholePercent(share), whole, `${share}`);
  for (const [figure, tenth] of EXAMPLES.tenths) {
    assert.equal(roundFigure(figure, 1), tenth, `${figure}`);
    assert.equal(oneDecimal(figure), tenth.toFixed(1), `${figure}`);
  }
});

test("0 and 100 are told of what is certain alone", () => {
  for (const [[p, low, high], text] of EXAMPLES.chances) assert.equal(chanceText({ p, low, high }), text);
  for (const [share, text] of EXAMPLES.odds) assert.equal(oddsText(share), text);
});

test("a worth is certain as it is told", () => {
  for (const [p, margin, text, certain] of EXAMPLES.worths)
    assert.deepEqual([pointsText({ p, margin }), isCertain({ p, margin })], [text, certain]);
});

test("shares of a whole are 100 together", () => {
  for (const [shares, parts] of EXAMPLES.shares) assert.deepEqual(partsOfHundred(shares), parts);
});
