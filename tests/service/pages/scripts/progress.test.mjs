import assert from "node:assert/strict";
import { test } from "node:test";
import { ProgressEstimate } from "../../../../service/pages/static/js/analysis/progress.js";

const made = (done, planned, id = "a") => [{ id, done, planned }];

test("the completed part never shrinks when more is planned", () => {
  const pace = new ProgressEstimate();
  const parts = [made(0, 10), made(5, 10), made(6, 60), made(40, 60)].map((waiting, at) => {
    pace.remainingSeconds(waiting, 1000 * at);
    return pace.part;
  });
  assert.deepEqual(parts, [0, 0.5, 0.5, 40 / 60]);
});

test("the time left is computed from the progress, and not shown too early", () => {
  const pace = new ProgressEstimate();
  assert.equal(pace.remainingSeconds(made(20, 100), 0), null);
  assert.equal(pace.remainingSeconds(made(30, 100), 4999), null);
  assert.equal(Math.round(pace.remainingSeconds(made(30, 100), 5000)), 35, "after five seconds");
  assert.equal(Math.round(pace.remainingSeconds(made(60, 100), 10_000)), 10);
  assert.equal(pace.remainingSeconds(made(1, 100, "b"), 11_000), null);
  assert.equal(pace.part, 0.01);
});

test("the finished part does not shrink when one of several analyses begins, ends or comes later", () => {
  const pace = new ProgressEstimate();
  const at = (id, done, planned) => ({ id, done, planned });
  const looks = [
    [at("line", 0, 100), at("luck", 0, 0)],
    [at("line", 40, 100), at("luck", 0, 0)],
    [at("line", 60, 100), at("luck", 300, 400)],
    [at("line", 70, 100), at("review", 0, 0)], // that of luck has ended
    [at("line", 90, 100), at("review", 100, 1000)],
    [at("review", 400, 1000)],
  ];
  const parts = looks.map((waiting, place) => {
    pace.remainingSeconds(waiting, 10_000 * place);
    return pace.part;
  });
  assert.deepEqual(
    parts,
    parts.toSorted((one, other) => one - other),
  );
  assert.equal(parts[1], 0.2, "the other one is as long, as far as is known");
  assert.equal(parts[5], 0.72, "900 of 1,500 pieces, but more seemed to be done before");
  assert.equal(pace.remainingSeconds([at("review", 400, 1000)], 50_000), (50 * 600) / 900);
  assert.equal(pace.remainingSeconds([at("other", 7, 10)], 60_000), null, "all have ended before");
  assert.equal(pace.part, 0.7);
});
