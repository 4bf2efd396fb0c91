import assert from "node:assert/strict";
import { test } from "node:test";
import { slipOptions, sharesText, winnerOf } from "../../../../service/pages/static/js/analysis/review.js";
import { strokesOfLuck } from "../../../../service/pages/static/js/analysis/worth.js";

/** @param {[number, number][]} worth */
const event = (...worth) => ({ worth: worth.map(([p, margin]) => ({ p, margin })) });

/** @param {ReturnType<typeof event>[]} events */
const certain = (...events) => within(1, ...events);

/**
 * @param {number} wider
 * @param {ReturnType<typeof event>[]} events
 */
const within = (wider, ...events) =>
  strokesOfLuck({ events, wider }).map(({ event, seat }) => [events.indexOf(event), seat]);

test("a stroke of luck belongs to the seat that certainly gained", () => {
  assert.deepEqual(certain(event([-0.1, 0.05], [0.1, 0.05])), [[0, 1]]);
  assert.deepEqual(certain(event([0.04, 0.08], [0.03, 0.01], [-0.07, 0.08])), [[0, 1]]);
});

test("if only losses are certain, it belongs to the seat that lost most", () => {
  assert.deepEqual(certain(event([0.08, 0.1], [-0.05, 0.02], [-0.09, 0.02])), [[0, 2]]);
});

test("luck that may be worth nothing, or is not known to within 20 points, is left out", () => {
  assert.deepEqual(certain(event([0.1, 0.1], [-0.1, 0.11]), event([0.5, 0.21], [-0.5, 0.21])), []);
  assert.deepEqual(certain(event([0.5, 0.2])), [[0, 0]], "20 points are near enough");
});

test("the greatest of many events is shown only if it is certain among so many", () => {
  assert.deepEqual(within(1.5, event([0.1, 0.05]), event([0.1, 0.07])), [[0, 0]]);
});

test("the greatest strokes come first", () => {
  assert.deepEqual(certain(event([0.05, 0.01]), event([-0.3, 0.01]), event([0.2, 0.01])), [
    [1, 0],
    [2, 0],
    [0, 0],
  ]);
});

test("a result without luck is shown if it is known for all seats", () => {
  assert.equal(
    sharesText([{ without_luck: { p: 0.46, margin: 0.1 } }, { without_luck: { p: 0.54, margin: 0.1 } }]),
    "46 : 54",
  );
  assert.equal(
    sharesText([{ without_luck: { p: 1.2, margin: 0.1 } }, { without_luck: { p: -0.2, margin: 0.1 } }]),
    "100 : 0",
  );
});

test("the winner comes from the review, and not from the current record", () => {
  const seat = (luck, own) => ({
    luck: { p: luck, margin: 0.1 },
    without_luck: own == null ? null : { p: own, margin: 0.1 },
  });
  const [winner, loser] = [seat(0.3, 0.7), seat(-0.3, 0.3)];
  assert.equal(winnerOf([winner, loser]), winner);
  assert.equal(winnerOf([loser, winner]), winner);
  assert.equal(winnerOf([seat(0.3, 0.2), seat(-0.3, 0.8)]), null, "a draw");
  assert.equal(winnerOf([winner, winner, loser]), null, "two have won together");
  assert.equal(winnerOf([winner, seat(0.3, null)]), null);
});

test("the moves of a slip are sorted by name, so that their order does not give away the better one", () => {
  const [a, b, c] = ["BARI-DUDA", "ALOA", "+COCO"].map((move) => ({ move }));
  const inOrder = ["+COCO", "ALOA", "BARI-DUDA"];
  /** @param {object} slip */
  const movesOf = (slip) => slipOptions(slip).map(({ move }) => move);
  assert.deepEqual(movesOf({ made: a, better: b, others: [c] }), inOrder);
  assert.deepEqual(movesOf({ made: c, better: a, others: [b] }), inOrder);
});
