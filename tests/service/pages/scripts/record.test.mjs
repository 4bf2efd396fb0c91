import assert from "node:assert/strict";
import { test } from "node:test";
import { duration } from "../../../../service/pages/static/js/analysis/course.js";
import { pointsText } from "../../../../service/pages/static/js/analysis/worth.js";
import { compareRanks } from "../../../../service/pages/static/js/base/order.js";
import { uuid7 } from "../../../../service/pages/static/js/base/uuid.js";
import { Draft, withOptions } from "../../../../service/pages/static/js/offline/draft.js";
import { Permit } from "../../../../service/pages/static/js/people/permit.js";
import { Seating } from "../../../../service/pages/static/js/people/seating.js";
import { scoreChanges } from "../../../../service/pages/static/js/record/curve.js";
import { isDuplicate } from "../../../../service/pages/static/js/record/duplicates.js";
import { predictedEntries } from "../../../../service/pages/static/js/record/prediction.js";
import { notIn } from "../../../../service/pages/static/js/record/consequences.js";

const entry = (version, more = {}) => ({
  version,
  place: version,
  type: "move.made",
  scores: [0, 0],
  recorder: "me",
  ...more,
});

test("the curve has a step where the scores change, and a pass where others lead", () => {
  const scores = [
    [0, 0],
    [0, 0],
    [2, 0],
    [2, 3],
    [2, 4],
  ];
  const found = scoreChanges(
    scores.map((each, at) => entry(at + 1, { scores: each })),
    "highest",
  );
  assert.deepEqual(
    found.map(({ version, leaders, passes }) => [version, leaders, passes]),
    [
      [1, [0, 1], false],
      [3, [0], true],
      [4, [1], true],
      [5, [1], false],
    ],
  );
  assert.deepEqual(scoreChanges([entry(1, { scores: [3, 5] })], "lowest")[0].leaders, [0]);
  assert.deepEqual(scoreChanges([entry(1, { scores: [3, 5] })], "cooperative")[0].leaders, []);
});

test("the curve shows a lead after all sides are filled in", () => {
  const rows = [
    { scores: [0, 0] },
    { scores: [0, 9], partial: true },
    { scores: [5, 9] },
    { scores: [9, 9], partial: true },
    { scores: [9, 9] },
  ];
  const found = scoreChanges(
    rows.map((row, at) => entry(at + 1, row)),
    "highest",
  );
  assert.deepEqual(
    found.map(({ version, leaders, passes }) => [version, leaders, passes]),
    [
      [1, [0, 1], false],
      [2, [0, 1], false],
      [3, [1], true],
      [4, [1], false],
      [5, [0, 1], true],
    ],
  );
});

test("a seat that was added during the game has its people and scores from there on", () => {
  const seats = ["a", "b", "c"].map((player, seat) => ({ seat, label: { en: `P${seat}` }, player, name: player }));
  const order = [
    entry(1, { type: "game.opened" }),
    entry(2, { scores: [1, 2] }),
    entry(3, { scores: [1, 2, 0] }),
    entry(4, { type: "seat.changed", seat: 2, player: "c", scores: [1, 2, 0] }),
    entry(5, { scores: [1, 2, 5] }),
  ];
  const record = { people: {}, facts: { seats }, order, placeOf: (version) => version };
  const seating = new Seating({ opened: ["a", "b"], people: {} });
  assert.ok(seating.update(record));
  assert.deepEqual(
    [2, 3, 5].map((place) => seating.seatsAt(place).map(({ player }) => player)),
    [
      ["a", "b"],
      ["a", "b", null],
      ["a", "b", "c"],
    ],
  );
  assert.ok(!seating.update(record), "nothing new");
  assert.deepEqual(scoreChanges(order, "highest").at(-1).leaders, [2]);
});

test("a duplicate is the same move of the same seat, by another device, right after an own one", () => {
  const entries = [entry(1), entry(2, { seat: 0, notation: "+" }), entry(3, { seat: 0, notation: "black: +" })];
  const own = new Set([2]);
  assert.ok(isDuplicate(entries[2], entries, own));
  assert.ok(!isDuplicate(entries[2], entries, new Set([2, 3])), "both are own");
  assert.ok(!isDuplicate(entries[2], entries, new Set()), "none is own");
  assert.ok(!isDuplicate({ ...entries[2], seat: 1 }, entries, own), "another seat");
  assert.ok(!isDuplicate({ ...entries[2], notation: "-" }, entries, own), "another move");
  assert.ok(!isDuplicate({ ...entries[2], withdrawn_by: 4 }, entries, own), "it was taken back");
  assert.ok(!isDuplicate(entry(3, { seat: 0, notation: undefined }), entries, own), "no move");
});

test("a sent entry is shown as its dry run predicted it, at its future place", () => {
  const item = (more) => ({ key: "k", label: "+", base: 4, body: { events: [{}] }, ...more });
  assert.deepEqual(predictedEntries([item()], 4), [{ version: 5, notation: "+", type: "move.made" }]);
  const prediction = { version: 9, type: "note.added", notation: "x" };
  assert.deepEqual(predictedEntries([item({ told: prediction })], 4), [prediction]);
  assert.deepEqual(predictedEntries([item({ base: 3 })], 4), [], "the record has it");
  assert.equal(predictedEntries([item({ base: null })], 4).length, 1);
});

test("lost effects are those missing from the others, with their number", () => {
  const [a, b] = [{ kind: "a" }, { kind: "b" }];
  assert.deepEqual(notIn([a, a, b], [a]), [a, b]);
  assert.deepEqual(notIn([a], [a, b]), []);
});

test("each place of the record has its seating", () => {
  const labels = ["Black", "White"].map((en, seat) => ({ seat, label: { en, ja: en } }));
  const seating = new Seating({ opened: ["1", "2"], people: { 1: "Anna", 2: "Ben", 3: "Chiara" } });
  const record = {
    people: {},
    facts: { seats: labels },
    order: [
      entry(1),
      entry(2, { type: "seat.changed", seat: 1, player: "3" }),
      entry(3, { type: "seat.changed", seat: 0, player: "9", withdrawn_by: 4 }),
    ],
    placeOf: (version) => version,
  };
  assert.ok(seating.update(record));
  assert.ok(!seating.update(record));
  assert.deepEqual(
    seating.seatsAt(1).map(({ name }) => name),
    ["Anna", "Ben"],
  );
  assert.deepEqual(
    seating.seatsAt(3).map(({ name }) => name),
    ["Anna", "Chiara"],
  );
});

test("a player takes back the last entry if it is their own, and a recorder any", () => {
  const record = { head: 3, entries: [{}, {}, entry(3)] };
  const back = (version) => ({ type: "entry.withdrawn", entry: version, data: { entry: version } });
  const [player, recorder] = [[], ["hidden:read"]].map((scopes) => new Permit({ scopes, seats: [1], me: ["me"] }));
  assert.ok(player.mayReverse(back(3), record));
  assert.ok(!player.mayReverse(back(2), record));
  assert.ok(!player.mayReverse(null, record));
  assert.ok(recorder.mayReverse(back(2), record));
  assert.deepEqual(
    [0, 1, null, undefined].map((seat) => player.mayPlay(seat)),
    [false, true, false, false],
  );
});

test("the first lines of a sheet are there before the game is opened", () => {
  const sheet = {
    name: "a sheet",
    columns: [{ id: "bid" }, { id: "trump", shared: true }],
    lines: [
      { move: { column: "bid" }, notation: "r1 bid", words: ["nil"] },
      { move: { column: "trump" }, notation: "r1 trump", words: ["red"] },
      { move: {}, notation: "end" },
    ],
  };
  const opening = { ruleset: "scoresheet", options: { template: "ready" }, seats: [{}, {}] };
  const { known } = new Draft("1", opening, { own: {}, ready: { ready: sheet } });
  assert.deepEqual(
    known.map(({ notation }) => notation),
    ["r1 bid ? ?", "r1 trump ?", "end"],
  );
  assert.deepEqual(known[0].blanks, [
    { seat: 0, choices: ["nil"] },
    { seat: 1, choices: ["nil"] },
  ]);
});

test("a sheet that is opened offline has the lines of the options that are chosen", () => {
  const sheet = {
    name: "a sheet",
    rounds: 5,
    columns: [
      { id: "a" },
      { id: "b", when: "x" },
      { id: "c", when: ["x", "y"] },
      { id: "d", unless: ["x", "z"] },
      { id: "e", unless: "x", most: 1 },
      { id: "e", when: "x", most: 2 },
    ],
    lines: [..."abcde"].map((column) => ({ move: { column }, notation: column, words: null })).concat({ move: {} }),
    chosen: ["y"],
    rounds_with: { z: 9 },
  };
  const shown = (...chosen) => {
    const { columns, lines, rounds } = withOptions(sheet, chosen);
    const there = lines.map(({ move }) => move.column ?? "-").join("");
    return [columns.map(({ id, most = "" }) => id + most).join(""), there, rounds];
  };
  assert.deepEqual(shown(), ["ade1", "ade-", 5]);
  assert.deepEqual(shown("x"), ["abce2", "abce-", 5]);
  assert.deepEqual(shown("y", "z"), ["ace1", "ace-", 9]);
  const opened = (more) =>
    new Draft("1", { ruleset: "scoresheet", seats: [{}], ...more }, { own: { mine: sheet }, ready: { it: sheet } });
  const offered = (more) =>
    opened(more)
      .known.map(({ notation }) => notation ?? "-")
      .join("");
  assert.equal(offered({ options: { template: "it" } }), "ade-");
  assert.equal(offered({ options: { template: "it+x" } }), "abce-");
  assert.equal(offered({ components_name: "mine" }), "acde-");
});

test("ranks are compared by their first difference", () => {
  const ranks = [
    [true, 1],
    [false, 9],
    [false, Infinity],
    [false, 2],
  ];
  assert.deepEqual(ranks.toSorted(compareRanks), [
    [false, 2],
    [false, 9],
    [false, Infinity],
    [true, 1],
  ]);
  assert.equal(compareRanks([1, 2], [1, 2]), 0);
});

test("ids are UUIDs of version 7, each later than the one before", () => {
  const ids = Array.from({ length: 500 }, uuid7);
  for (let at = 1; at < ids.length; at += 1) assert.ok(ids[at - 1] < ids[at]);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.ok(Math.abs(parseInt(ids[0].slice(0, 13).replace("-", ""), 16) - Date.now()) < 10_000);
});

test("ids go on upwards where a device learns the time again", (context) => {
  const before = uuid7();
  context.mock.method(Date, "now", () => 1_000_000_000_000);
  assert.ok(uuid7() > before);
});

test("times and points are shown as people write them", () => {
  assert.deepEqual([7.4, 75, 3725].map(duration), ["7 s", "1 min 15 s", "1 h 2 min"]);
  assert.deepEqual(
    [
      { p: 0.114, margin: 0.04 },
      { p: -0.05, margin: 0 },
    ].map(pointsText),
    ["11 ± 4", "−5 ± 0"],
  );
});
