import assert from "node:assert/strict";
import { test } from "node:test";
import { ProgressEstimate } from "../../../../service/pages/static/js/analysis/progress.js";

const made = (done, planned, id = "a") => [{ id, done, planned }];

test("the part that is done never gets smaller while more is planned", () => {
  const pace = new ProgressEstimate();
  const parts = [made(0, 10), made(5, 10), made(6, 60), made(40, 60)].map((waiting, at) => {
    pace.remainingSeconds(waiting, 1000 * at);
    return pace.part;
  });
  assert.deepEqual(parts, [0, 0.5, 0.5, 40 / 60]);
});

test("the time left follows from what was done since, and nothing is said too early", () => {
  const pace = new ProgressEstimate();
  assert.equal(pace.remainingSeconds(made(20, 100), 0), null);
  assert.equal(pace.remainingSeconds(made(30, 100), 4999), null);
  assert.equal(Math.round(pace.remainingSeconds(made(30, 100), 5000)), 35, "after five seconds");
  assert.equal(Math.round(pace.remainingSeconds(made(60, 100), 10_000)), 10);
  assert.equal(pace.remainingSeconds(made(1, 100, "b"), 11_000), null);
  assert.equal(pace.part, 0.01);
});
