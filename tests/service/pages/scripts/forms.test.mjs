import assert from "node:assert/strict";
import { test } from "node:test";
import { JS } from "./pages.mjs";
import "./document.mjs";

const { seatsFit, noonOf } = await import(new URL("record/opening.js", JS));
const { seatsTaken } = await import(new URL("record/seatfields.js", JS));
const { dropShown } = await import(new URL("record/gamelist.js", JS));
const { fileFormat } = await import(new URL("record/imports.js", JS));
const { changesNothing } = await import(new URL("record/revised.js", JS));
const { moveData } = await import(new URL("offline/pending.js", JS));

test("the form takes the chosen number of seats, and all seats up to the last name", () => {
  assert.equal(seatsTaken(["", "", ""], 2), 2);
  assert.equal(seatsTaken(["Aiko", " ", "Ben", " "], 2), 3);
  assert.equal(seatsTaken(["Aiko"], 2), 2);
  assert.equal(seatsTaken([], 0), 0);
});

test("the people of last time fit if each has a seat and no required seat is empty", () => {
  const ruleset = { min_seats: 2, max_seats: 3 };
  assert.deepEqual(
    [1, 2, 3, 4].map((length) => seatsFit(Array.from({ length }), ruleset)),
    [false, true, true, false],
  );
});

test("a date means noon of that day in local time", () => {
  const happened = noonOf("2026-07-04");
  assert.match(happened, /^2026-07-04T12:00:00[+-]\d\d:\d\d$/);
  assert.equal(new Date(happened).getTime(), new Date("2026-07-04T12:00").getTime());
});

test("a game in the list is not loaded again, unless the list has an older version", () => {
  const news = new Map([
    ["a", 3],
    ["b", 3],
    ["c", 3],
  ]);
  const rows = ["a", "b", "d"].map((game, at) => ({ dataset: { game, version: String(at === 0 ? 3 : 2) } }));
  dropShown(news, rows);
  assert.deepEqual([...news.keys()], ["b", "c"]);
  dropShown(news, [{ dataset: { game: "b", version: "10" } }]);
  assert.deepEqual([...news.keys()], ["c"]);
});

test("the beginning of a file shows its format", () => {
  assert.equal(fileFormat('{"kifu": 1, "boxes": []'), "waiting");
  assert.equal(fileFormat(' {\n "kifu": 1'), "waiting");
  assert.equal(fileFormat('{"id":"0190","type":"game.opened"}'), "events");
  assert.equal(fileFormat('\n{"type": "kifu"}'), "events");
  assert.equal(fileFormat('[Ruleset "kahuna"]\n\n1. BARI'), "notation");
  assert.equal(fileFormat(""), "notation");
});

test("a replacement that breaks a rule needs a reason", () => {
  assert.deepEqual(moveData(" BARI-DUDA ", " it happened "), {
    move: "BARI-DUDA",
    override: { reason: "it happened" },
  });
  assert.deepEqual(moveData("ALOA", " "), { move: "ALOA", override: undefined });
});

test("newer rules change nothing if entries, scores and outcome stay the same", () => {
  const same = { entries: [], scores: [1, 2], scores_after: [1, 2], outcome: null, outcome_after: null };
  assert.equal(changesNothing(same), true);
  assert.equal(changesNothing({ ...same, scores_after: [2, 1] }), false);
  assert.equal(changesNothing({ ...same, outcome_after: { winners: [0] } }), false);
  assert.equal(changesNothing({ ...same, entries: [{ version: 3 }] }), false);
});
