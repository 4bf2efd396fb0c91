import assert from "node:assert/strict";
import { test } from "node:test";
import { courseView, duration } from "../../../../service/pages/static/js/analysis/course.js";
import { texts } from "./document.mjs";

const name = (seat) => ["Aiko", "Ben"][seat];
const WORDS = { name, names: (seats) => seats.map(name).join(" and "), atEntry: () => WORDS };
const FIRST = { what: "first", version: 2, seats: [0] };
const won = (...seats) => [FIRST, { what: "end", version: 6, seats }];
const untimed = [0, 1].map((seat) => ({ seat, turns: 2, timed: 0 }));
const COURSE = { lead_changes: [], decided: null, comeback: null, pace: untimed, together: false, story: won(0) };
const told = (more) => texts(courseView({ ...COURSE, ...more }, WORDS), "p").slice(0, -1);

test("the entries are named at which somebody else came to be in front", () => {
  const view = courseView({ ...COURSE, lead_changes: [2, 3] }, WORDS);
  assert.deepEqual(texts(view, "p"), [
    "The lead, alone or shared, changed 2 times: entry 2, entry 3.",
    "Nobody noted how long the turns took.",
  ]);
  assert.deepEqual(
    view.all("a").map((link) => link.getAttribute("href")),
    ["#2", "#3"],
  );
  assert.deepEqual(told({ lead_changes: [4] }), ["The lead, alone or shared, changed once: entry 4."]);
});

test("of a lead that changed often the entries are left out", () => {
  const [ten, more] = [10, 11].map((count) => told({ lead_changes: Array.from({ length: count }, (_, at) => at + 2) }));
  assert.match(ten[0], /^The lead, alone or shared, changed 10 times: entry 2, .*entry 11\.$/);
  assert.deepEqual(more, ["The lead, alone or shared, changed 11 times."]);
});

test("a lead that nobody had is not told, nor any of people who play together", () => {
  assert.deepEqual(told({}), ["The lead never changed."]);
  assert.deepEqual(told({ story: [] }), []);
  assert.deepEqual(told({ together: true, lead_changes: [3] }), ["All played together."]);
});

test("since when the winner was in front is told of one winner, and by how much one that was behind", () => {
  const never = "The winner was never behind after entry 5.";
  assert.equal(told({ decided: 5 }).at(-1), never);
  assert.equal(told({ decided: 1 }).at(-1), "The winner was never behind.");
  assert.ok(!told({ decided: 5, story: won(0, 1) }).includes(never));
  assert.ok(!told({ decided: 6 }).some((fact) => fact.includes("behind")), "the last entry decided it");
  assert.ok(!told({ decided: 5, story: [] }).includes(never));
});

test("that a winner was behind is told as the words of the game have it, of partners and of a draw, too", () => {
  const behind = (seats, count, ...winners) =>
    told({ story: [...won(...winners), { what: "behind", version: 3, seats, count }] }).at(-1);
  assert.equal(behind([1], 6, 1), "Ben was behind by 6 points at entry 3, and won.");
  assert.equal(behind([1], 1, 0, 1), "Behind by 1 point at entry 3: Ben.");
  assert.equal(behind([0, 1], 6, 0, 1), "Behind by 6 points at entry 3: Aiko and Ben.");
  const level = { seat: 1, deficit: 0, version: 3 };
  assert.deepEqual(told({ comeback: level }), ["The lead never changed."], "nobody is behind by no points");
});

test("who was behind did not win if somebody else sits there now", () => {
  const words = { ...WORDS, atEntry: () => ({ names: () => "Eva" }) };
  const story = [...won(1), { what: "behind", version: 3, seats: [1], count: 6 }];
  assert.equal(texts(courseView({ ...COURSE, story }, words), "p").at(-2), "Behind by 6 points at entry 3: Eva.");
});

test("how long everybody took has a row for each seat, of turns with times alone", () => {
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
