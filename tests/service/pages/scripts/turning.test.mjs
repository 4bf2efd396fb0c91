import assert from "node:assert/strict";
import { test } from "node:test";
import "./document.mjs";
import { TurningPointsView } from "../../../../service/pages/static/js/analysis/turning.js";

const chances = { p: 0.5, low: 0.4, high: 0.6 };
const option = { move: "a-b", chances, n: 40 };
const decision = { version: 9, after: 8, seat: 0, legal: 2, tried: 1, made: option, others: [option] };
const worth = { p: 0, margin: 0 };
const turn = {
  version: 10,
  seat: 0,
  before: chances,
  after: chances,
  luck: worth,
  rest: worth,
  events: [],
  left_out: 0,
  decisions: [decision],
  unseen: 0,
};
const found = {
  points: [turn],
  games: 100,
  enough: true,
  precision: 5,
  blunders: 10,
  policy: "toy",
  policy_revision: 1,
};

/** A game that somebody else plays since its 20th entry. */
const record = { entries: [{ version: 8, type: "move.made" }], placeOf: (version) => version, head: 25 };
const called = (name) => ({
  name: () => name,
  atEntry: (place) => called(place < 20 ? "Anna" : "Carl"),
  translatePhrase: (text) => text,
});
const permit = { seesAll: true, hasScope: () => true };

test("a turning point names the person of that time, and its fork begins in the analysed record", () => {
  const view = new TurningPointsView(record, called("Carl"), permit);
  const asked = [];
  view.fork = { ask: (entry, at) => asked.push([entry.version, at]) };
  const shown = view.show(found, 12);
  assert.ok(shown.textContent.includes("Anna"), shown.textContent);
  assert.ok(!shown.textContent.includes("Carl"));
  shown.all("button")[0].click();
  assert.deepEqual(asked, [[8, 12]]);
});

test("without the whole record there is no fork, and only the omitted options are counted", () => {
  const shown = (more) => new TurningPointsView(record, called("Carl"), { ...permit, ...more }).show(found, 12);
  assert.equal(shown().all("button").length, 1);
  assert.equal(shown({ seesAll: false }).all("button").length, 0);
  assert.equal(shown({ hasScope: () => false }).all("button").length, 0);
  const text = (legal) => {
    const points = [{ ...turn, decisions: [{ ...decision, legal }] }];
    return new TurningPointsView(record, called("Carl"), permit).show({ ...found, points }, 12).textContent;
  };
  assert.match(text(2), /: 1 other option(?!, )/);
  assert.match(text(3), /: 2 other options, 1 of them simulated/);
});

test("a value that is not known to within twenty points has no number", () => {
  const sentence = (luck, rest) => {
    const view = new TurningPointsView(record, called("Anna"), permit);
    return view.show({ ...found, points: [{ ...turn, luck, rest, events: [{ version: 9 }] }] }, 12).textContent;
  };
  const known = sentence({ p: 0.11, margin: 0.2 }, { p: 0.09, margin: 0.08 });
  assert.ok(known.includes("Luck: 11 ± 20 points (1 event of chance)."), known);
  assert.ok(known.includes("What was decided, and became known: 9 ± 8 points."));
  const rough = sentence({ p: 0.11, margin: 0.21 }, { p: 0.17, margin: 0.22 });
  assert.ok(rough.includes("Luck: too little is known to tell (1 event of chance)."), rough);
  assert.ok(rough.includes("What was decided, and became known: too little is known to tell."));
});

test("a turning point has its chances before and after, its options, and what is not known", () => {
  const known = (p) => ({ p, low: p, high: p });
  const instead = { move: "c-d", chances: known(0.25), n: 30 };
  const made = { ...option, chances: known(0.75) };
  const shown = (more) => {
    const point = {
      ...turn,
      before: known(0.2),
      after: known(0.9),
      decisions: [{ ...decision, made, others: [instead] }],
      ...more,
    };
    return new TurningPointsView(record, called("Carl"), permit).show({ ...found, points: [point] }, 12);
  };
  const view = shown({});
  assert.match(view.all("h4")[0].textContent, /^Entry 10: Anna from 20 %.* to 90 %/);
  const [, first, second] = view.all("tr").map((row) => row.children.map(({ textContent }) => textContent));
  assert.deepEqual(
    [first, second].map(([move, how, chance, games]) => [move, how, chance.slice(0, 4), games]),
    [
      ["a-b", "was made", "75 %", "40"],
      ["c-d", "instead", "25 %", "30"],
    ],
  );
  assert.doesNotMatch(view.textContent, /Too little is known of/);
  assert.match(shown({ unseen: 1 }).textContent, /Too little is known of 1 more decision of this turn\./);
  assert.match(shown({ unseen: 2 }).textContent, /Too little is known of 2 more decisions/);
  const none = new TurningPointsView(record, called("Carl"), permit).show({ ...found, points: [] }, 12);
  assert.equal(none.textContent, "No turn is known to have changed the chances.");
});

test("the part of luck says what is known of it", () => {
  const luck = (events, out) => {
    const points = [{ ...turn, events: events.map((version) => ({ version })), left_out: out }];
    return new TurningPointsView(record, called("Carl"), permit).show({ ...found, points }, 12).all("p")[0].textContent;
  };
  assert.match(luck([], 0), /^No luck was in it\./);
  assert.match(luck([9], 0), /^Luck: .* \(1 event of chance\)\./);
  assert.match(luck([8, 9], 1), /^Luck: .* \(2 events of chance, 1 left out\)\./);
  assert.match(luck([], 2), /^What luck did is not known \(0 events of chance, 2 left out\)\./);
});
