import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { wholePercent, roundFigure, oneDecimal } from "../../../../service/pages/static/js/base/figures.js";

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
