import assert from "node:assert/strict";
import { test } from "node:test";
import { sentences } from "../../../../service/pages/static/js/story/telling.js";

const move = (version, scores, more = {}) => ({
  version,
  place: version,
  type: "move.made",
  notation: "m",
  scores,
  ...more,
});
const opening = { ...move(1, [0, 0]), type: "game.opened", notation: null };
const won = (seat) => ({ winners: [seat], ranks: seat ? [2, 1] : [1, 2] });

test("a game is told in its order, each sentence with its entry", () => {
  const order = [opening, move(2, [5, 2]), move(3, [5, 11]), move(4, [6, 11]), move(5, [26, 11]), move(6, [26, 12])];
  assert.deepEqual(sentences(order, won(0), "highest", []), [
    { version: 2, what: "first", seat: 0 },
    { version: 3, what: "behind", seat: 0, count: 6 },
    { version: 5, what: "changes", count: 2 },
    { version: 5, what: "gain", seat: 0, count: 20 },
    { version: 6, what: "end" },
  ]);
});

test("who came to lead once, and won, took the lead and kept it", () => {
  const order = [opening, move(2, [0, 3]), move(3, [5, 3])];
  const ahead = sentences(order, won(0), "highest", []).find(({ what }) => what === "ahead");
  assert.deepEqual(ahead, { version: 3, what: "ahead", seat: 0 });
});

test("a tie in between is no change of the lead", () => {
  const order = [opening, move(2, [2, 0]), move(3, [2, 2]), move(4, [3, 2])];
  const told = sentences(order, won(0), "highest", []);
  assert.deepEqual(
    told.map(({ version, what }) => [version, what]),
    [
      [2, "first"],
      [2, "gain"],
      [4, "end"],
    ],
  );
});

test("a game that a ruling ended has its end there, and not at a note after it", () => {
  const ruling = { ...move(3, [3, 0]), type: "ruling.given", notation: undefined };
  const note = { ...move(4, [3, 0]), type: "note.added", notation: undefined };
  const order = [opening, move(2, [3, 0]), ruling, note];
  assert.deepEqual(sentences(order, won(0), "highest", []).at(-1), { version: 3, what: "end" });
  const revoked = [opening, move(2, [3, 0]), { ...ruling, withdrawn_by: 4 }];
  assert.deepEqual(sentences(revoked, won(0), "highest", []).at(-1), { version: 2, what: "end" });
});

test("the greatest swing that is known is told, and none of an entry that does not count", () => {
  const swing = (version, before, after) => ({ seat: 1, version, before: { p: before }, after: { p: after } });
  const order = [opening, move(2, [1, 0]), move(3, [1, 3], { withdrawn_by: 4 })];
  const told = sentences(order, null, "highest", [swing(2, 0.5, 0.4), swing(3, 0.5, 0.9)]);
  assert.equal(
    told.some(({ what }) => what === "swing"),
    false,
  );
  const [, , found] = sentences(order, null, "highest", [swing(2, 0.5, 0.4)]);
  assert.equal(found.what, "swing");
});

test("who plays together leads nobody", () => {
  const told = sentences([opening, move(2, [4, 4])], null, "cooperative", []);
  assert.deepEqual(
    told.map(({ what }) => what),
    ["gain"],
  );
});
