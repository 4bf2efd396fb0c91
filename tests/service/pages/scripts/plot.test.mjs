import assert from "node:assert/strict";
import { test } from "node:test";
import { roundPlaces } from "../../../../service/pages/static/js/analysis/plot.js";

const record = (length) => ({ order: Array.from({ length }), placeOf: (version) => version });

test("each round stands where it began along the record", () => {
  const rounds = [
    { round: 1, version: 1 },
    { round: 2, version: 6 },
    { round: 3, version: 11 },
  ];
  assert.deepEqual(roundPlaces(rounds, record(11)), [
    { round: 1, at: 0 },
    { round: 2, at: 0.5 },
    { round: 3, at: 1 },
  ]);
});

test("rounds that begin too near to the last number have none", () => {
  const rounds = [1, 2, 3, 4].map((round) => ({ round, version: round }));
  assert.deepEqual(
    roundPlaces(rounds, record(41)).map(({ round }) => round),
    [1, 4],
  );
});
