import assert from "node:assert/strict";
import { test } from "node:test";
import { dueLines } from "../../../../service/pages/static/js/sheet/lines.js";
import { forSeeds } from "./random.mjs";

const SEATS = [0, 1];
const perRound = (column, round = 1) => ({
  move: { type: "enter", column, round },
  notation: `r${round} ${column} ? ?`,
  template: `r${round} ${column} {} {}`,
  blanks: SEATS.map((seat) => ({ seat })),
});
const once = (column) => ({
  move: { type: "enter", column },
  notation: `${column} ? ?`,
  template: `${column} {} {}`,
  blanks: SEATS.map((seat) => ({ seat })),
});
const notations = (lines) => lines.map(({ notation }) => notation);
const sheet = (columns, rounds) => ({ name: "a sheet", columns, rounds });

test("the lines due are those of the sheet, in the order of its columns", () => {
  const columns = [{ id: "bid" }, { id: "tricks" }];
  assert.deepEqual(notations(dueLines([perRound("tricks"), perRound("bid")], [], sheet(columns))), [
    "r1 bid ? ?",
    "r1 tricks ? ?",
  ]);
});

test("a sent line continues with the next round", () => {
  const columns = [{ id: "bid" }, { id: "tricks" }];
  const moves = [perRound("bid"), perRound("tricks")];
  assert.deepEqual(notations(dueLines(moves, ["r1 bid 1 2"], sheet(columns))), ["r1 tricks ? ?", "r2 bid ? ?"]);
});

test("no column is more than a round ahead of another", () => {
  const columns = [{ id: "bid" }, { id: "tricks" }];
  const moves = [perRound("bid"), perRound("tricks")];
  assert.deepEqual(notations(dueLines(moves, ["r1 bid 1 2", "r2 bid 1 2"], sheet(columns))), ["r1 tricks ? ?"]);
});

test("a column with a default does not hold up others", () => {
  const columns = [{ id: "bid" }, { id: "bonus", default: 0 }];
  const moves = [perRound("bid"), perRound("bonus")];
  const entered = ["r1 bid 1 2", "r2 bid 1 2"];
  assert.deepEqual(notations(dueLines(moves, entered, sheet(columns))), ["r2 bonus ? ?", "r3 bid ? ?"]);
});

test("the service names the gaps of a column with a default", () => {
  const columns = [{ id: "points", default: 0 }];
  assert.deepEqual(notations(dueLines([perRound("points")], ["r1 points 5 ?"], sheet(columns))), ["r2 points ? ?"]);
  const gap = { ...perRound("points"), blanks: [{ seat: 0, stands: "5" }, { seat: 1 }] };
  const moves = [perRound("points", 2), gap];
  assert.deepEqual(notations(dueLines(moves, [], sheet(columns))), ["r2 points ? ?", "r1 points ? ?"]);
});

test("nothing is due after the last round", () => {
  assert.deepEqual(dueLines([perRound("bid")], ["r1 bid 1 2"], sheet([{ id: "bid" }], 1)), []);
});

test("a line for the whole game is due once", () => {
  const columns = [{ id: "stones" }];
  assert.deepEqual(notations(dueLines([once("stones")], [], sheet(columns))), ["stones ? ?"]);
  assert.deepEqual(dueLines([once("stones")], ["stones 1 2"], sheet(columns)), []);
});

test("empty cells come last, with the values beside them", () => {
  const columns = [{ id: "bid" }];
  const found = dueLines([perRound("bid")], ["r1 bid 3 ?"], sheet(columns));
  assert.deepEqual(notations(found), ["r2 bid ? ?", "r1 bid ? ?"]);
  assert.deepEqual(found[1].blanks, [{ seat: 0, stands: "3" }, { seat: 1 }]);
  assert.deepEqual(notations(dueLines([perRound("bid")], ["r1 bid 3 ?", "r1 bid ? 4"], sheet(columns))), [
    "r2 bid ? ?",
  ]);
});

test("a cell without a player has no blank, also in the next round", () => {
  const columns = [{ id: "bid" }];
  const line = {
    ...perRound("bid"),
    notation: "r1 bid ? ? ?",
    template: "r1 bid {} ? {}",
    blanks: [{ seat: 0 }, { seat: 2 }],
  };
  const [next, gap] = dueLines([line], ["r1 bid ? ? 4"], sheet(columns));
  assert.deepEqual(next.template, "r2 bid {} ? {}");
  assert.deepEqual(gap.blanks, [{ seat: 0 }, { seat: 2, stands: "4" }]);
  assert.deepEqual(notations(dueLines([line], ["r1 bid 3 ? 4"], sheet(columns))), ["r2 bid ? ? ?"]);
});

test("whole rounds in any order of the columns leave each column its next round", () => {
  forSeeds(100, (random) => {
    const columns = ["a", "b", "c"].map((id) => ({ id }));
    const rounds = 1 + random.below(4);
    const entered = [];
    for (let round = 1; round <= rounds; round += 1)
      for (const { id } of columns.toSorted(() => random.below(3) - 1)) entered.push(`r${round} ${id} 1 2`);
    const found = dueLines(
      columns.map(({ id }) => perRound(id)),
      entered,
      sheet(columns),
    );
    assert.deepEqual(
      notations(found),
      columns.map(({ id }) => `r${rounds + 1} ${id} ? ?`),
    );
  });
});
