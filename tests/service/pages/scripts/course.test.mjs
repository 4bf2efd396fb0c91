import assert from "node:assert/strict";
import { test } from "node:test";
import { courseView, duration } from "../../../../service/pages/static/js/analysis/course.js";
import { texts } from "./document.mjs";

const name = (seat) => ["Aiko", "Ben"][seat];
const WORDS = { name, namesText: (seats) => seats.map(name).join(" and "), atEntry: () => WORDS };
const FIRST = { what: "first", version: 2, seats: [0] };
const won = (...seats) => [FIRST, { what: "end", version: 6, seats }];
const untimed = [0, 1].map((seat) => ({ seat, turns: 2, timed: 0 }));
const COURSE = { lead_changes: [], decided: null, comeback: null, pace: untimed, together: false, story: won(0) };
const sentences = (more) => texts(courseView({ ...COURSE, ...more }, WORDS), "p").slice(0, -1);

test("the entries that changed the lead are named", () => {
  const view = courseView({ ...COURSE, lead_changes: [2, 3] }, WORDS);
  assert.deepEqual(texts(view, "p"), [
    "The lead, alone or shared, changed 2 times: entry 2, entry 3.",
    "Nobody noted how long the turns took.",
  ]);
  assert.deepEqual(
    view.all("a").map((link) => link.getAttribute("href")),
    ["#2", "#3"],
  );
  assert.deepEqual(sentences({ lead_changes: [4] }), ["The lead, alone or shared, changed once: entry 4."]);
});

test("no entries are named if the lead changed often", () => {
  const [ten, more] = [10, 11].map((count) =>
    sentences({ lead_changes: Array.from({ length: count }, (_, at) => at + 2) }),
  );
  assert.match(ten[0], /^The lead, alone or shared, changed 10 times: entry 2, .*entry 11\.$/);
  assert.deepEqual(more, ["The lead, alone or shared, changed 11 times."]);
});

test("a game without a leader, or one played together, has no sentence about a lead", () => {
  assert.deepEqual(sentences({}), ["The lead never changed."]);
  assert.deepEqual(sentences({ story: [] }), []);
  assert.deepEqual(sentences({ together: true, lead_changes: [3] }), ["All played together."]);
});

test("one winner has a sentence about the lead; a winner who was behind has one with the points", () => {
  const never = "The winner was never behind after entry 5.";
  assert.equal(sentences({ decided: 5 }).at(-1), never);
  assert.match(sentences({ decided: 2 }).at(-1), /never behind after entry 2/);
  assert.equal(sentences({ decided: 1 }).at(-1), "The winner was never behind.");
  assert.ok(!sentences({ decided: 5, story: won(0, 1) }).includes(never));
  assert.ok(!sentences({ decided: 6 }).some((fact) => fact.includes("behind")), "the last entry decided it");
  assert.ok(!sentences({ decided: 5, story: [] }).includes(never));
});

test("partners and players of a draw share the sentence about a winner who was behind", () => {
  const behind = (seats, count, ...winners) =>
    sentences({ story: [...won(...winners), { what: "behind", version: 3, seats, count }] }).at(-1);
  assert.equal(behind([1], 6, 1), "Ben was behind by 6 points at entry 3, and won.");
  assert.equal(behind([1], 1, 0, 1), "Behind by 1 point at entry 3: Ben.");
  assert.equal(behind([0, 1], 6, 0, 1), "Behind by 6 points at entry 3: Aiko and Ben.");
  const level = { seat: 1, deficit: 0, version: 3 };
  assert.deepEqual(sentences({ comeback: level }), ["The lead never changed."], "nobody is behind by no points");
});

test("a person who was behind has not won if another person sits there now", () => {
  const words = { ...WORDS, atEntry: () => ({ namesText: () => "Eva" }) };
  const story = [...won(1), { what: "behind", version: 3, seats: [1], count: 6 }];
  assert.equal(texts(courseView({ ...COURSE, story }, words), "p").at(-2), "Behind by 6 points at entry 3: Eva.");
});

test("the table of times has a row for each seat, and counts only turns with times", () => {
  const pace = [
    { seat: 0, turns: 3, timed: 2, seconds: 90, median: 45, longest: 60 },
    { seat: 1, turns: 2, timed: 0, seconds: 0, median: null, longest: null },
    { seat: 0, turns: 1, timed: 1, seconds: 5, median: 5, longest: 5 },
  ];
  const view = courseView({ ...COURSE, pace }, WORDS);
  assert.deepEqual(texts(view, "td"), [
    ...["Aiko", "3, 2 with times", "1 min 30 s", "45 s", "1 min 0 s"],
    ...["Ben", "2, 0 with times", "not known", "", ""],
    ...["Aiko", "1", "5 s", "5 s", "5 s"],
  ]);
  assert.deepEqual([59.4, 60, 3599, 3600].map(duration), ["59 s", "1 min 0 s", "59 min 59 s", "1 h 0 min"]);
});
