import assert from "node:assert/strict";
import { test } from "node:test";
import * as items from "../../../../service/pages/static/js/offline/items.js";
import { pauseAfter } from "../../../../service/pages/static/js/offline/sync.js";
import { forSeeds } from "./random.mjs";

const entry = (key, more = {}) => ({
  key,
  path: "/v1/games/1/events",
  body: { events: [{ id: key, data: {} }] },
  base: 4,
  label: key,
  ...more,
});
const filled = (...keys) => keys.reduce((all, key) => items.withItem(all, entry(key)), []);
const bases = (all) => all.map(({ base }) => base);
const keys = (all) => all.map(({ key }) => key);

test("each item follows the one before, from any version that its page knew", () => {
  assert.deepEqual(bases(filled("a", "b", "c")), [4, 5, 6]);
  assert.deepEqual(
    filled("a", "b").map(({ place }) => place),
    [0, 1],
  );
});

test("an item after one with two entries follows both of them", () => {
  const two = entry("a", {
    body: {
      events: [
        { id: "a", data: {} },
        { id: "a2", data: {} },
      ],
    },
  });
  const all = ["b", "c"].reduce((before, key) => items.withItem(before, entry(key)), items.withItem([], two));
  assert.deepEqual(bases(all), [4, 6, 7]);
  assert.deepEqual(bases(items.rebased(all, 9)), [9, 11, 12]);
  assert.deepEqual(bases(items.withoutDropped(all, "a")), [4, 5]);
});

test("entries of a game that waits to be opened follow its opening", () => {
  const opening = items.withItem([], entry("a", { base: null, body: { id: "1" } }));
  assert.deepEqual(bases(items.withItem(opening, entry("b", { base: 1 }))), [null, 1]);
});

test("items of another device come after the own ones, each once", () => {
  const here = filled("a", "b");
  const taken = items.withOthers(here, [entry("b"), entry("c", { place: 7 })]);
  assert.deepEqual(keys(taken), ["a", "b", "c"]);
  assert.equal(taken[2].place, 2);
  assert.deepEqual(
    items.withOthers([], [entry("c")]).map(({ place }) => place),
    [0],
  );
});

test("later items move up after a dropped item, and not after a stored one", () => {
  const all = filled("a", "b", "c");
  assert.deepEqual(bases(items.withoutDropped(all, "b")), [4, 5]);
  assert.deepEqual(bases(items.withoutStored(all, "a")), [5, 6]);
  assert.equal(items.withoutDropped(all, "z"), all);
});

test("a rebased item follows the new version, and loses its refusal", () => {
  const refused = items.withChange(filled("a", "b"), "a", { problem: { type: "/problems/stale-version" } });
  const rebased = items.rebased(refused, 9);
  assert.deepEqual(bases(rebased), [9, 10]);
  assert.ok(rebased.every(({ problem }) => problem === undefined));
});

const cells = (version, values) => ({
  version,
  type: "move.made",
  data: { move: { type: "line", column: "points", round: version, values } },
});
const stale = (...missed) => ({ type: "/problems/stale-version", missed });

test("entries of others are kept for items that were not compared with them", () => {
  const problem = stale(cells(5, [1, null]));
  const joined = items.rebased(filled("a", "b", "c"), 5, { key: "a", problem });
  assert.deepEqual(
    joined.map((item) => item.stale),
    [undefined, problem, problem],
  );
  const again = items.rebased(items.withoutStored(joined, "a"), 8, { key: "b", problem: stale(cells(7, [2, null])) });
  assert.deepEqual(
    again.map((item) => item.stale?.missed.map(({ version }) => version)),
    [[5], [5, 7]],
  );
  const gone = items.rebased(items.withoutStored(filled("a", "b"), "a"), 5, { key: "a", problem });
  assert.deepEqual(gone[0].stale, problem, "what they had filled in alike was left out");
});

test("moves of a game without a sheet follow those of others only after a decision", () => {
  const problem = stale({ version: 5, type: "move.made", data: { move: { type: "place" } } });
  assert.ok(items.rebased(filled("a", "b"), 5, { key: "a", problem }).every((item) => item.stale === undefined));
  assert.ok(items.rebased(filled("a", "b"), 5).every((item) => item.stale === undefined));
});

test("only a line of another round cannot meet the cells of others", () => {
  const missed = [cells(2, [1, null]), { version: 3, type: "note.added", data: { text: "x" } }];
  for (const [text, meets] of [
    ["r2 ? 4", true],
    ["R2 4 ?", true],
    ["r3 ? 4", false],
    ["r20 4 ?", false],
    ["4 5", true],
    [undefined, true],
  ])
    assert.equal(items.mayShareLine(text, missed), meets, String(text));
});

test("items come in the order in which they were entered", () => {
  assert.deepEqual(
    keys(items.sortItems([entry("b", { place: 1 }), entry("c", { place: 0 }), entry("a", { place: 1 })])),
    ["c", "a", "b"],
  );
});

test("any changes leave items in their places, each following upon the one before", () => {
  forSeeds(200, (random) => {
    let all = [];
    for (let step = 0; step < 30; step += 1) {
      const key = `k${random.below(20)}`;
      const change = random.of([
        () => (keys(all).includes(key) ? all : items.withItem(all, entry(key))),
        () => items.withoutDropped(all, key),
        () => (all.length ? items.withoutStored(all, all[0].key) : all),
        () => items.rebased(all, 1 + random.below(9)),
        () => items.withChange(all, key, { label: "other" }),
      ]);
      all = change();
      assert.equal(new Set(keys(all)).size, all.length);
      assert.deepEqual(keys(items.sortItems([...all])), keys(all));
      for (let at = 1; at < all.length; at += 1) assert.equal(all[at].base, all[at - 1].base + 1);
    }
  });
});

test("a pause grows with each failure up to a minute, and is not the same for all phones", () => {
  assert.deepEqual(
    [0, 1, 2, 5, 9].map((failures) => pauseAfter(failures, 0, 1)),
    [2000, 4000, 8000, 60_000, 60_000],
  );
  assert.equal(pauseAfter(0, 0, 0), 1500);
  assert.equal(pauseAfter(0, 30, 1), 30_000);
});

test("another person on the same device does not send an entry", () => {
  assert.equal(items.maySend(entry("a", { by: "aiko" }), "aiko"), true);
  assert.equal(items.maySend(entry("a", { by: "aiko" }), "ben"), false);
  assert.equal(items.maySend(entry("a", { by: "aiko" }), undefined), true); // the service says that nobody is logged in
  assert.equal(items.maySend(entry("a"), "ben"), true); // an earlier release kept it
});

test("an entry refused without a session is sent again only for its recorder", () => {
  const refused = entry("a", { by: "aiko", problem: { status: 401 } });
  assert.equal(items.mayRetry(refused, "aiko"), true);
  assert.equal(items.mayRetry(refused, "ben"), false);
  assert.equal(items.mayRetry(refused, undefined), false);
  assert.equal(items.mayRetry({ ...refused, by: undefined }, undefined), false);
  assert.equal(items.mayRetry({ ...refused, problem: { status: 409 } }, "aiko"), false);
  assert.equal(items.mayRetry(undefined, "aiko"), false);
});

const line = (values, more = {}) => ({ type: "line", column: "points", round: 1, values, ...more });
const enter = (seat, value, more = {}) => ({ type: "enter", column: "points", round: 1, seat, value, ...more });
const recorded = (...moves) => moves.map((move) => ({ type: "move.made", data: { move } }));
const note = { type: "note.added", data: { text: "nice" } };

test("lines of two phones join, are equal, or differ in a cell", () => {
  const mine = line([null, 8, 3]);
  assert.equal(items.compareWithMissed(mine, recorded(line([7, null, null]))), "join");
  assert.equal(items.compareWithMissed(mine, recorded(line([7, 8, null]))), "join");
  assert.equal(items.compareWithMissed(mine, recorded(line([7, 9, null]))), "differ");
  assert.equal(items.compareWithMissed(mine, recorded(line([7, 9, null]), line([null, 8, 3]))), "same");
  assert.equal(items.compareWithMissed(mine, recorded(line([7, 9, 1], { round: 2 }))), "join");
  assert.equal(items.compareWithMissed(mine, recorded(line([7, 9, 1], { column: "bid" }))), "join");
  assert.equal(items.compareWithMissed(line([5], { round: null }), recorded(line([5], { round: undefined }))), "same");
  assert.equal(items.compareWithMissed(line([0, null]), recorded(line([null, 4]))), "join");
  assert.equal(items.compareWithMissed(line([0, null]), recorded(line([4, null]))), "differ");
});

test("single cells join lines and cells of other sides; the same cell can differ", () => {
  const sides = items.sidesOf({ p1: ["p1"], p2: ["p2"], p3: ["p3"] });
  const mine = line([null, 8, 3]);
  assert.equal(items.compareWithMissed(mine, recorded(enter(0, 5)), sides), "join");
  assert.equal(items.compareWithMissed(mine, recorded(enter(1, 8), enter(2, 3)), sides), "same");
  assert.equal(items.compareWithMissed(mine, recorded(enter(1, 8), enter(1, 9)), sides), "differ");
  assert.equal(items.compareWithMissed(enter(1, 8), recorded(line([1, null, 2])), sides), "join");
  assert.equal(items.compareWithMissed(enter(1, 8), recorded(line([1, 7, 2])), sides), "differ");
  assert.equal(items.compareWithMissed(enter(1, 8), recorded(enter(1, 8)), sides), "same");
  assert.equal(items.compareWithMissed(enter(1, 8), recorded(enter(0, 7)), sides), "join");
  assert.equal(items.compareWithMissed(enter(1, 8), recorded(enter(1, 7, { round: 2 })), sides), "join");
});

test("members of one team share a cell, and those of different teams do not", () => {
  const sides = items.sidesOf({ East: ["p2", "p4"], West: ["p1", "p3"] });
  assert.deepEqual(sides, [1, 0, 1, 0]);
  assert.equal(items.compareWithMissed(enter(0, 8), recorded(enter(1, 7)), sides), "join");
  assert.equal(items.compareWithMissed(enter(0, 8), recorded(enter(2, 7)), sides), "differ");
  assert.equal(items.compareWithMissed(enter(0, 8), recorded(enter(2, 8)), sides), "same");
  assert.equal(items.compareWithMissed(enter(0, 8), recorded(line([4, null])), sides), "join");
  assert.equal(items.compareWithMissed(enter(0, 8), recorded(line([8, 4])), sides), "differ");
  assert.equal(items.compareWithMissed(line([4, null]), recorded(enter(2, 5)), sides), "join");
});

test("an unknown side of a seat gives no result", () => {
  for (const sides of [[], items.sidesOf({ 2: ["p1"], 1: ["p2", "p3"] })]) {
    assert.equal(items.compareWithMissed(line([4, null]), recorded(enter(2, 5)), sides), null);
    assert.equal(items.compareWithMissed(enter(2, 5), recorded(enter(0, 4)), sides), null);
    assert.equal(items.compareWithMissed(enter(2, 5), recorded(line([4, null])), sides), null);
    assert.equal(items.compareWithMissed(enter(2, 5), recorded(line([4], { column: "bid" })), sides), "join");
  }
});

test("any move follows notes of others", () => {
  assert.equal(items.compareWithMissed({ type: "end" }, [note]), "join");
  assert.equal(items.compareWithMissed(line([0, null]), [note, ...recorded(line([null, 4])), note]), "join");
  assert.equal(items.compareWithMissed({ type: "end" }, [note, ...recorded(line([1]))]), null);
  assert.equal(items.compareWithMissed(undefined, [note]), null);
});

test("a line joins only cells", () => {
  assert.equal(items.compareWithMissed(line([1]), recorded(line([null]), { type: "end" })), null);
  assert.equal(items.compareWithMissed(line([1]), [{ data: { withdraws: 3 } }]), null);
  assert.equal(items.compareWithMissed({ type: "end" }, recorded(line([1]))), null);
  assert.equal(items.compareWithMissed(undefined, recorded(line([1]))), null);
});
