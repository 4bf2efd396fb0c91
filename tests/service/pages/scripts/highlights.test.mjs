import assert from "node:assert/strict";
import { test } from "node:test";
import "./document.mjs";
import { findHighlights, reasonText } from "../../../../service/pages/static/js/story/highlights.js";

const move = (version, scores, more = {}) => ({
  version,
  place: version,
  type: "move.made",
  notation: "m",
  scores,
  ...more,
});
const versionsAndReasons = (...all) => all.map(({ version, why }) => [version, why]);
const won = (seat, of = 2) => ({
  winners: [seat],
  ranks: Array.from({ length: of }, (_, each) => (each === seat ? 1 : 2)),
});

const GAME = [
  { ...move(1, [0, 0]), type: "game.opened", notation: null },
  move(2, [5, 2]),
  move(3, [5, 11]),
  move(4, [6, 11]),
  move(5, [26, 11]),
  move(6, [26, 12]),
];

const WORDS = [
  { version: 2, what: "first", seats: [0] },
  { version: 3, what: "behind", seats: [0], count: 6 },
  { version: 5, what: "changes", seats: [0], count: 2 },
  { version: 5, what: "gain", seats: [0], count: 20 },
  { version: 6, what: "end", seats: [0] },
];

test("the highlights have the last change of the lead, the winner's lowest point and the most points at once", () => {
  assert.deepEqual(versionsAndReasons(...findHighlights(GAME, won(0), WORDS, [])), [
    [3, "behind"],
    [5, "changes"],
    [6, "last"],
  ]);
  const [behind] = findHighlights(GAME, won(0), WORDS, []);
  assert.deepEqual([behind.seats, behind.points], [[0], 6]);
  const once = WORDS.map((each) => (each.what === "changes" ? { version: 4, what: "ahead", seats: [0] } : each));
  assert.deepEqual(versionsAndReasons(...findHighlights(GAME, won(0), once, [])), [
    [3, "behind"],
    [4, "ahead"],
    [5, "gain"],
  ]);
});

test("a lead that began with the end was not kept", () => {
  const last = WORDS.map((each) => (each.what === "changes" ? { version: 6, what: "ahead", seats: [0] } : each));
  assert.deepEqual(versionsAndReasons(...findHighlights(GAME, won(0), last, [])), [
    [3, "behind"],
    [5, "gain"],
    [6, "changes"],
  ]);
});

test("the last leader is a highlight if nobody else won", () => {
  for (const outcome of [won(1), { winners: [0, 1], ranks: [1, 1] }, { winners: [], ranks: [1, 1] }, null])
    assert.deepEqual(versionsAndReasons(...findHighlights(GAME, outcome, WORDS, [])), [
      [3, "behind"],
      [5, "gain"],
      [6, "last"],
    ]);
});

test("if there are many swings, the greatest are shown", () => {
  const swing = (version, after) => ({ seat: 1, version, before: { p: 0.3 }, after: { p: after } });
  const found = findHighlights(GAME, won(0), WORDS, [swing(2, 0.4), swing(3, 0.9), swing(4, 0), swing(5, 0.5)]);
  assert.deepEqual(versionsAndReasons(...found), [
    [3, "swing"],
    [4, "swing"],
    [5, "swing"],
  ]);
});

test("bookmarks come before swings, and swings before scores", () => {
  const swing = (version, before, after) => ({ seat: 1, version, before: { p: before }, after: { p: after } });
  const marked = [
    ...GAME,
    { version: 7, place: 7, type: "note.added", entry: 4, bookmark: true, text: "ha", scores: [26, 12] },
  ];
  const found = findHighlights(marked, won(0), WORDS, [swing(2, 0.5, 0.6), swing(3, 0.3, 0.9), swing(99, 0, 1)]);
  assert.deepEqual(versionsAndReasons(...found), [
    [2, "swing"],
    [3, "swing"],
    [4, "mark"],
  ]);
});

test("a withdrawn bookmark does not count, and no moment comes twice", () => {
  const marked = [
    ...GAME,
    {
      version: 7,
      place: 7,
      type: "note.added",
      entry: 5,
      bookmark: true,
      text: "ha",
      scores: [26, 12],
      withdrawn_by: 8,
    },
  ];
  assert.deepEqual(
    versionsAndReasons(...findHighlights(marked, won(0), WORDS, [])),
    versionsAndReasons(...findHighlights(GAME, won(0), WORDS, [])),
  );
});

test("moments come in the order in which they happened", () => {
  const moved = GAME.map((entry) =>
    entry.version === 6 ? { ...entry, place: 2 } : entry.version > 1 ? { ...entry, place: entry.version + 1 } : entry,
  );
  const order = moved.toSorted((one, other) => one.place - other.place);
  const places = new Map(order.map(({ version, place }) => [version, place]));
  const found = findHighlights(order, won(0), WORDS, []).map(({ version }) => places.get(version));
  assert.deepEqual(
    found,
    found.toSorted((one, other) => one - other),
  );
});

test("a game without a story, a winner or a move has its other highlights", () => {
  const level = [1, 2, 3].map((version) => move(version, [0, 0, 0]));
  assert.deepEqual(versionsAndReasons(...findHighlights(level, won(2, 3), [], [])), [[3, "last"]]);
  assert.deepEqual(versionsAndReasons(...findHighlights(level, null, [], [])), [[3, "last"]]);
  assert.deepEqual(findHighlights([{ ...move(1, [0]), notation: null }], null, [], []), []);
  assert.deepEqual(findHighlights([], null, WORDS, []), []);
});

test("a highlight names the person of that time, and no other person as the winner", () => {
  const called = (name) => ({ namesText: (seats) => seats.map((seat) => [name, "Ben"][seat]).join() });
  const [ada, eva] = [called("Ada"), called("Eva")];
  const chance = { seat: 0, before: { p: 0.4 }, after: { p: 0.6 } };
  const sentence = (highlight, now, outcome = won(0)) => {
    const parts = [reasonText(highlight, now, ada, outcome)].flat();
    return parts.map((part) => part.textContent ?? part).join("");
  };
  const behind = { version: 3, why: "behind", seats: [0], points: 6 };
  assert.equal(sentence(behind, ada), "Ada was 6 points behind, and won");
  assert.equal(sentence(behind, eva), "Behind by 6 points: Ada");
  assert.equal(sentence({ ...behind, points: 1 }, ada, won(1)), "Behind by 1 point: Ada");
  assert.equal(sentence({ ...behind, seats: [0, 1] }, ada, { winners: [0, 1] }), "Behind by 6 points: Ada,Ben");
  assert.equal(sentence({ version: 4, why: "ahead", seats: [0] }, ada), "Ada took the lead and kept it");
  assert.equal(sentence({ version: 4, why: "ahead", seats: [0] }, eva), "Ada took the lead for the last time");
  assert.equal(sentence({ version: 4, why: "swing", swing: chance }, eva), "Ada’s chance to win went from 40 to 60 %");
});
