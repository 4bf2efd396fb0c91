/** The chart of chances to win, and its words: lines, bands, marks and swings. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "./document.mjs";
import { Plot } from "../../../../service/pages/static/js/analysis/plot.js";
import { WinLineView } from "../../../../service/pages/static/js/analysis/winline.js";

/** A record of five entries; the moment is after the entry at this place. */
class Shown extends EventTarget {
  order = Array.from({ length: 5 });
  currentPlace = 5;
  placeOf = (version) => version;
  goToPlace(place) {
    this.wanted = place;
  }
  show(place) {
    this.currentPlace = place;
    this.dispatchEvent(new Event("position"));
  }
}

const chance = (p) => ({ p, low: p - 0.1, high: p + 0.1 });
const point = (version, p) => ({ version, seat: 0, n: 20, chances: [chance(p), chance(1 - p)] });
const POINTS = [point(2, 0.5), point(4, 0.75)];
const SWING = { seat: 0, version: 4, before: chance(0.5), after: chance(0.75) };
const WORDS = {
  seats: [{ seat: 0 }, { seat: 1 }],
  name: (seat) => ["Ann", "Ben"][seat],
  atEntry: () => WORDS,
  translatePhrase: (text) => text,
};
const LINE = {
  points: POINTS,
  swings: [SWING],
  policy: "toy",
  policy_revision: 1,
  games: 40,
  precision: 5,
  enough: true,
};

/** The chart, and its parts of a class. */
function drawn(record) {
  const plot = new Plot(record);
  const chart = plot.draw(POINTS, [SWING], [0, 1], "two lines").all("svg")[0];
  const parts = (name) => ["line", "polyline", "polygon"].flatMap((tag) => chart.all(tag)).filter(isOf(name));
  return { plot, chart, parts };
}
const isOf = (name) => (part) => part.getAttribute("class").split(" ").includes(name);

test("each seat has a line, and a band between the upper and the lower limits", () => {
  const { parts } = drawn(new Shown());
  const [first, second] = parts("line").map((line) => line.getAttribute("points"));
  assert.deepEqual([first, second], ["1,50 3,25", "1,50 3,75"]);
  assert.equal(parts("band")[0].getAttribute("points"), "1,40 3,15 3,35 1,60");
  assert.deepEqual(
    parts("swing").map((line) => [line.getAttribute("x1"), line.getAttribute("x2")]),
    [["3", "3"]],
  );
});

test("the moment has a mark in the chart, and a tap shows the moment at its place", () => {
  const record = new Shown();
  const { plot, chart, parts } = drawn(record);
  record.currentPlace = 2;
  plot.mark();
  assert.equal(parts("cursor")[0].getAttribute("x1"), "1");
  chart.getBoundingClientRect = () => ({ left: 10, width: 100 });
  for (const [clientX, place] of [
    [10, 1],
    [60, 3],
    [110, 5],
  ]) {
    chart.click({ clientX });
    assert.equal(record.wanted, place);
  }
});

test("the chances beside the names belong to the current entry", () => {
  const record = new Shown();
  const view = new WinLineView(record, WORDS);
  const figures = () => texts(view.legend, "b");
  view.legend = view.figure(LINE);
  assert.deepEqual(figures(), ["75 % (65 to 85)", "25 % (15 to 35)"]);
  record.show(3);
  assert.deepEqual(figures(), ["50 % (40 to 60)", "50 % (40 to 60)"]);
  record.show(2);
  assert.equal(figures()[0], "50 % (40 to 60)");
  record.show(1);
  assert.deepEqual(figures(), ["", ""]);
});

test("a swing goes from the chances before to those after", () => {
  const swings = new WinLineView(new Shown(), WORDS).show(LINE).all("ul").find(isOf("swings"));
  assert.deepEqual(texts(swings, "li"), ["Entry 4: Ann from 50 % (40 to 60) to 75 % (65 to 85)"]);
});

test("without simulated games, chances claim no precision", () => {
  const over = { ...LINE, games: 0 };
  const told = new WinLineView(new Shown(), WORDS).show(over).textContent;
  assert.ok(told.includes("No games were simulated."), told);
  assert.ok(!told.includes("to within"), told);
});

test("too little is known where no seat has chances, and it says whether any game was simulated", () => {
  const said = (...points) => new WinLineView(new Shown(), WORDS).show({ ...LINE, points }).textContent;
  const empty = { ...point(2, 0.5), chances: [] };
  assert.equal(said(empty), "Not enough is known.");
  assert.match(said({ ...empty, n: 0 }), /^Not enough is known: the game cannot be played on/);
});

test("the chances stand in a table, with the person of each turn, and as a sentence about the end", () => {
  const carl = { ...WORDS, name: () => "Carl" };
  const words = { ...WORDS, atEntry: (version) => (version === 4 ? carl : WORDS) };
  const over = { ...point(5, 0.8), seat: null, over: true };
  const swings = [{ ...SWING, version: 4 }];
  const shown = new WinLineView(new Shown(), words).show({ ...LINE, points: [over, ...POINTS], swings });
  assert.deepEqual(
    shown.all("tr").map((row) => row.children.map(({ textContent }) => textContent)),
    [
      ["Entry", "Turn of", "Ann", "Ben", "Simulated games"],
      ["2", "Ann", "50 % (40 to 60)", "50 % (40 to 60)", "20"],
      ["4", "Carl", "75 % (65 to 85)", "25 % (15 to 35)", "20"],
      ["5", "the table", "80 % (70 to 90)", "20 % (10 to 30)", "it was over"],
    ],
  );
  assert.match(texts(shown, ".swings li")[0], /^Entry 4: Carl from/);
  const labels = shown.all("svg").map((each) => each.getAttribute("aria-label"));
  assert.match(labels.join(), /at the end: Ann 80 % \(70 to 90\), Ben 20 %/);
});

test("the method says how many games were simulated, and whether they were enough", () => {
  const method = (more) =>
    texts(new WinLineView(new Shown(), WORDS).show({ ...LINE, games: 40, precision: 5, ...more }), ".hint")[0];
  assert.match(method({ enough: true }), /^From 40 simulated games, to within ± 5 points\./);
  assert.match(method({ enough: false }), /^From 40 simulated games\. A precision of ± 5 points would take more/);
  assert.match(method({ blunders: undefined }), /and 0 of 100 moves at random/);
});

test("partners have one line and one chance to win", () => {
  const names = ["Ann", "Ben", "Cem", "Dan"];
  const words = {
    ...WORDS,
    seats: names.map((_, seat) => ({ seat })),
    name: (seat) => names[seat],
    namesText: (seats) => seats.map((seat) => names[seat]).join(" and "),
    atEntry: () => words,
  };
  const points = POINTS.map((each) => ({ ...each, chances: [...each.chances, ...each.chances] }));
  const sides = [
    [0, 2],
    [1, 3],
  ];
  const shown = new WinLineView(new Shown(), words).show({ ...LINE, points, sides });
  assert.deepEqual(texts(shown, ".legend li"), [" Ann and Cem 75 % (65 to 85)", " Ben and Dan 25 % (15 to 35)"]);
  assert.equal(shown.querySelectorAll("polyline").length, 2);
  assert.deepEqual(texts(shown, ".swings li"), ["Entry 4: Ann and Cem from 50 % (40 to 60) to 75 % (65 to 85)"]);
  assert.equal(shown.querySelectorAll("tr").at(-1).querySelectorAll("td").length, 5);
  assert.match(shown.querySelector("svg[role=img]").getAttribute("aria-label"), /Ann and Cem 75 %.*Ben and Dan 25 %/);
});
