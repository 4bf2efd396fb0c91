import assert from "node:assert/strict";
import { test } from "node:test";
import { markPosition, visibleRounds } from "../../../../service/pages/static/js/analysis/plot.js";

const record = (length) => ({ order: Array.from({ length }), placeOf: (version) => version });

test("each round is at the entry that began it", () => {
  const rounds = [
    { round: 1, version: 1 },
    { round: 2, version: 6 },
    { round: 3, version: 11 },
  ];
  assert.deepEqual(visibleRounds(rounds, record(11)), [
    { round: 1, at: 0 },
    { round: 2, at: 0.5 },
    { round: 3, at: 1 },
  ]);
});

test("a round close to the last number has no number", () => {
  const rounds = [1, 2, 3, 4].map((round) => ({ round, version: round }));
  assert.deepEqual(
    visibleRounds(rounds, record(41)).map(({ round }) => round),
    [1, 4],
  );
});

/** Where marks at these places stand on a curve of so many rem: the lengths of CSS, computed. */
const stand = (places, rem) =>
  places.map((_, at) => {
    const length = markPosition(places.slice(0, at + 1), places.length);
    const { min, max } = Math;
    const computed = length
      .replaceAll(/([\d.]+)%/g, (_all, percent) => `${(percent * rem) / 100}`)
      .replaceAll("rem", "");
    return new Function("min", "max", `return ${computed}`)(min, max);
  });

test("marks over a curve stand at their places, and beside each other where they would meet", () => {
  assert.deepEqual(stand([0, 50, 100], 20).map(Math.round), [1, 10, 19]);
  for (const places of [
    [95, 96, 97],
    [0, 0, 1],
    [48, 50, 52],
    [50, 50, 50, 50],
    [0, 99, 100],
  ]) {
    const found = stand(places, 20);
    found.forEach((place, at) => {
      assert.ok(place >= 0.65 - 1e-9 && place <= 20 - 0.65 + 1e-9, `${places}: ${found}`);
      assert.ok(!at || place - found[at - 1] >= 1.4 - 1e-9, `${places}: ${found}`);
    });
  }
});
