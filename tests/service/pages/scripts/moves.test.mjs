import assert from "node:assert/strict";
import { test } from "node:test";
import {
  movesAt,
  withoutSeat,
  commonBeginning,
  countMoves,
  tapMeaning,
  meansMove,
  isSameKind,
  keysNeedHelp,
  suggestChoices,
} from "../../../../service/pages/static/js/record/moves.js";
import { forSeeds } from "./random.mjs";

const move = (notation, fields = {}) => ({ notation, move: { type: notation.split(" ")[0], ...fields } });
const BRIDGES = ["BARI-DUDA", "BARI-COCO", "COCO-DUDA", "FAAA-GOLA"].map((bridge) =>
  move(bridge, { type: "build", bridge }),
);

test("the beginning of each word is enough, and numbers are whole", () => {
  assert.ok(meansMove("ba-du", "BARI-DUDA"));
  assert.ok(meansMove("white: ba-du", "BARI-DUDA"));
  assert.ok(!meansMove("ba", "BARI-DUDA"));
  assert.ok(meansMove("points 1 2", "points 1 2"));
  assert.ok(!meansMove("points 1 2", "points 12 2"));
});

test("a notation without the seat of its move", () => {
  assert.equal(withoutSeat("black: +"), "+");
  assert.equal(withoutSeat("BARI-DUDA"), "BARI-DUDA");
});

test("the moves that a text can become are counted", () => {
  assert.equal(countMoves(BRIDGES, ""), 4);
  assert.equal(countMoves(BRIDGES, "ba"), 2);
  assert.equal(countMoves(BRIDGES, "bari du"), 0);
  assert.equal(countMoves(BRIDGES, "bari-du"), 1);
});

test("few moves are offered whole, in groups by kind", () => {
  assert.deepEqual(suggestChoices([...BRIDGES.slice(0, 2), move("pass")], ""), [
    { kind: "build", choices: ["BARI-DUDA", "BARI-COCO"].map((text) => ({ text, label: text, more: 0 })) },
    { kind: "pass", choices: [{ text: "pass", label: "pass", more: 0 }] },
  ]);
});

test("many long moves are offered by their beginnings, and a beginning leads on", () => {
  const many = ["alpha", "beta"].flatMap((place) =>
    Array.from({ length: 10 }, (_, at) => move(`settle ${place} at the northern river number ${at}`)),
  );
  const [{ choices }] = suggestChoices(many, "");
  assert.deepEqual(
    choices.map(({ text, more }) => [text, more]),
    [
      ["settle alpha", 10],
      ["settle beta", 10],
    ],
  );
  assert.deepEqual(
    choices.map(({ label }) => label),
    ["alpha", "beta"],
  );
  const [{ choices: next }] = suggestChoices(many, "settle alpha");
  assert.equal(next.length, 10);
});

test("few lines of the next seat are offered whole beside those of other seats", () => {
  const roles = ["Traitor", "Diplomat2", "Diplomat5", "Builder", "Strategist", "Farmer"];
  const all = ["", "1: ", "2: "].flatMap((seat) =>
    roles.map((role) => move(`${seat}choose ${role}`, { type: "choose" })),
  );
  const laid = Array.from({ length: 9 }, (_, at) => move(`lay ${at}`));
  const [{ choices }] = suggestChoices([...all, ...laid], "");
  assert.deepEqual(
    choices.map(({ text, more }) => [text, more]),
    [...roles.map((role) => [`choose ${role}`, 0]), ["1", 6], ["2", 6]],
  );
});

test("a place that many lines name leads on to those that begin with it", () => {
  const islands = ["ALOA", "BARI", "COCO", "DUDA"];
  const ships = islands.flatMap((one) =>
    islands.flatMap((two) => islands.map((three) => move(`${one} ${two} ${three}`, { type: "ship", to: [one, two] }))),
  );
  const [{ choices }] = suggestChoices(ships, "BARI");
  assert.deepEqual(
    choices.map(({ text, more }) => [text, more]),
    [["ALOA", 4], ...islands.map((two) => [`BARI ${two}`, 4]), ["COCO", 4], ["DUDA", 4]],
  );
});

test("keys that are numbers and letters alone need help, and those that name something do not", () => {
  const keys = (...texts) => texts.map((text) => ({ text }));
  assert.ok(keysNeedHelp(keys("start 1", "start 2")));
  assert.ok(keysNeedHelp(keys("start 1 E E R", "start 1 E R E")));
  assert.ok(keysNeedHelp(keys("lay -", "lay 5 3")));
  assert.ok(!keysNeedHelp(keys("choose Farmer", "choose ?")));
  assert.ok(!keysNeedHelp(keys("skip")));
  assert.ok(isSameKind("start 2 E R R E", "start 1"));
  assert.ok(!isSameKind("start 2 E R R E", "estate 7"));
  assert.ok(!isSameKind("3-4", "3-4"), "only words name a kind");
});

test("a name is not cut before its number", () => {
  const many = Array.from({ length: 9 }, (_, at) => [
    move(`lay Diplomat${at} on a very far away and long named place`),
    move(`lay Diplomat${at} on another very far away and long named place`),
  ]).flat();
  const [{ choices }] = suggestChoices(many, "");
  assert.ok(choices.every(({ text }) => /Diplomat\d$/.test(text)));
});

test("every legal move can be reached by taps on what is offered", () => {
  forSeeds(60, (random) => {
    const words = ["north", "south", "river", "hill", "gate", "a very long way round the lake"];
    const lines = new Set(random.list(40, () => `go ${random.of(words)} ${random.of(words)} ${random.below(30)}`));
    const moves = [...lines].map((notation) => move(notation));
    const reached = new Set();
    const reach = (text, depth) => {
      assert.ok(depth < 12, `${text} leads nowhere`);
      for (const { choices } of suggestChoices(moves, text))
        for (const { text: next, more } of choices) {
          if (!more) reached.add(next);
          else if (next !== text) reach(next, depth + 1);
        }
    };
    reach("", 0);
    assert.deepEqual(reached, lines);
  });
});

test("moves begin alike up to the first word in which they differ", () => {
  assert.equal(commonBeginning(BRIDGES.slice(0, 2)), "BARI-");
  assert.equal(commonBeginning(BRIDGES), "");
  assert.equal(commonBeginning(BRIDGES.slice(0, 1)), "BARI-DUDA");
});

test("a tap on a place is a move, continues a sign, or means the moves that end there", () => {
  assert.deepEqual(tapMeaning(BRIDGES, "", { at: "BARI-DUDA" }).moves, [BRIDGES[0]]);
  assert.deepEqual(tapMeaning(BRIDGES, "BARI-", { at: "COCO" }), {
    text: "BARI-COCO",
    moves: [BRIDGES[1]],
    only: false,
  });
  assert.deepEqual(tapMeaning(BRIDGES, "", { at: "DUDA" }), { text: "", moves: [BRIDGES[0], BRIDGES[2]], only: true });
  assert.deepEqual(tapMeaning(BRIDGES, "", { means: "type=launch|bridge=FAAA-GOLA" }), {
    text: "FAAA-GOLA",
    moves: [BRIDGES[3]],
    only: true,
  });
  assert.deepEqual(tapMeaning([], "", { types: "r1 p1 4" }), { text: "r1 p1 4", moves: [], only: false });
});

test("a second tap chooses among the moves of the first", () => {
  assert.deepEqual(movesAt(BRIDGES, { at: "COCO" }), [BRIDGES[1], BRIDGES[2]]);
  assert.deepEqual(movesAt(BRIDGES, { means: "type=build bridge=BARI-COCO" }), [BRIDGES[1]]);
  assert.deepEqual(movesAt(BRIDGES, {}), []);
});
