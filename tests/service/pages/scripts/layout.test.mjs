/** What stands beside the board: tables, the scoreboard, the state, and the layout for a story or for a game that goes on. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { JS } from "./pages.mjs";
import { texts } from "./document.mjs";

const { h } = await import(new URL("base/dom.js", JS));
const { Words } = await import(new URL("base/words.js", JS));
const { decidingView, showScoreboard } = await import(new URL("board/scoreboard.js", JS));
const { showState } = await import(new URL("board/state.js", JS));
const { BoardTables } = await import(new URL("board/tables.js", JS));
const { PageLayout } = await import(new URL("story/layout.js", JS));

const RULESET = { name: "kahuna", rules: [], effects: {}, terms: {} };
const seat = (number, more) => ({
  seat: number,
  label: { en: `Player ${number + 1}` },
  name: null,
  player: null,
  ...more,
});
const words = new Words(RULESET, [seat(0, { name: "Anna", player: "a" }), seat(1, { player: "b" }), seat(2)]);
const WON = { winners: [0], ranks: [1, 2, 3], reason: "points", rule: "kahuna:END-1" };

// Tables

test("a cell that changes gets the style of its value, and all others stay", () => {
  const [element, board] = [h("div", { class: "hidden" }), h("div")];
  const tables = new BoardTables(element, board, h("button"));
  const show = (...values) =>
    tables.show([{ caption: "Round", columns: ["Who", "Bid", "Won"], rows: [["Anna", ...values]] }], words);
  show("empty", "2");
  const cells = element.querySelectorAll("td");
  const styles = () => cells.map(({ className }) => className);
  assert.deepEqual(styles(), ["blank", ""]);
  show("3", "2");
  assert.deepEqual(element.querySelectorAll("td"), cells);
  assert.deepEqual(
    [texts(element, "td"), styles()],
    [
      ["3", "2"],
      ["", ""],
    ],
  );
  show("empty", "2");
  assert.deepEqual(styles(), ["blank", ""]);
  show("3", "2", "4");
  assert.notEqual(element.querySelectorAll("td")[0], cells[0], "another table");
});

// The scoreboard

function scoreboard(state, closed = null) {
  const [list, turn] = [h("ul"), h("p")];
  showScoreboard(list, turn, { scores: [2, 0, 1], to_move: 0, ...state }, words, closed);
  return { list, turn: turn.textContent, names: texts(list, ".name"), points: texts(list, ".points") };
}

test("a seat has its name, the rules' name beside it, and says that a name was erased", () => {
  assert.deepEqual(scoreboard({}).names, ["AnnaPlayer 1", "Player 2name erased", "Player 3"]);
});

test("the scoreboard says who moves, how it ended, or that it was closed", () => {
  assert.equal(scoreboard({}).turn, "Anna to move");
  assert.equal(scoreboard({ to_move: null }).turn, "The table moves next");
  assert.equal(scoreboard({}, "abandoned").turn, "The game was abandoned");
  const { list, turn } = scoreboard({ outcome: WON }, "finished");
  assert.match(turn, /Anna.*END-1$/);
  assert.deepEqual(
    list.children.map((each) => [each.getAttribute("class"), each.getAttribute("aria-current")]),
    [
      ["won", "true"],
      [null, null],
      [null, null],
    ],
  );
});

test("a value decides in place of points; a mark says no more than its title", () => {
  const deciding = { title: { en: "dropped out" }, values: ["✗", "4", ""] };
  assert.deepEqual(
    [0, 1, 2].map((number) => decidingView({ deciding }, number, words)?.textContent),
    ["dropped out", "dropped out: 4", undefined],
  );
  assert.deepEqual(scoreboard({ scores: [0, 0, 0], deciding }).points, ["", "", ""]);
  assert.deepEqual(scoreboard({ deciding }).points, ["2", "0", "1"]);
});

// The state

/** The facts of a state, each as its name and its parts. */
function facts(state, parts = "dd") {
  const place = h("div");
  showState(place, state, new Words({ ...RULESET, terms: { "move: draw": "Draw a card" } }, words.seats));
  return texts(place, parts);
}

test("a seat is its person, a step has its name, and nothing is a dash", () => {
  assert.deepEqual(facts({ to_move: 0, holder: 1, phase: "draw", over: false, last: null, n: 3, gone: [] }), [
    "Anna",
    "Player 2",
    "Draw a card",
    "no",
    "–",
    "3",
    "none",
  ]);
});

test("what each seat has is listed by person, unless each thing names its seat", () => {
  const hands = [
    { known: ["BARI"], unknown: 2 },
    { known: [], unknown: 0 },
    { known: [], unknown: 1 },
  ];
  assert.deepEqual(facts({ hands }, "li"), ["Anna BARI2 unknown", "Player 2 none", "Player 3 1 unknown"]);
  const pieces = [2, 0, 1].map((number) => ({ seat: number, roads: 4 - number }));
  assert.deepEqual(facts({ pieces }, "li"), []);
  assert.deepEqual(facts({ pieces }, "td"), ["", "Player 3", "2", "Anna", "4", "Player 2", "3"]);
});

test("things are counted side by side, but no seat is a number", () => {
  assert.deepEqual(facts({ stock: { wood: 3, ore: 1 } }, ".chip"), ["wood 3", "ore 1"]);
  assert.deepEqual(facts({ last: { seat: 0, points: 3 } }, ".chip"), []);
  assert.deepEqual(facts({ last: { seat: 0, points: 3 } }, "dl.tree dd"), ["Anna", "3"]);
});

test("what a game is played with is folded, below what changes", () => {
  const state = { options: { chips: 5 }, round: 2 };
  assert.deepEqual(facts(state, "summary"), ["What it is played with"]);
  assert.equal(facts(state, "details dt")[0], "Options");
  assert.equal(facts(state, "dt")[0], "Round");
});

// The layout

let element;
let log;
const part = (id) => element.querySelector(`#${id}`);

beforeEach(() => {
  const parts = ["told", "course", "highlights", "closed", "curve", "stepper", "moment", "headline"];
  element = h("main", {}, ...parts.map((id) => h("section", { id })), h("div", { class: "replay" }));
  part("closed").append(h("b"));
  element.append(h("div", { class: "table" }), h("div", { class: "side" }));
  element.append(h("div", { id: "ended", hidden: true }, h("span"), h("button", {}, "Show the story")));
  document.body.replaceChildren(element);
  document.activeElement = null;
  log = Object.assign(new EventTarget(), { redrawn: 0, redraw: () => (log.redrawn += 1) });
});

/** The page of somebody, and what becomes of it with the facts. */
function layout(acts) {
  const made = new PageLayout(element, log, words, acts);
  return (outcome, closed = null) => {
    Object.assign(log, { facts: { outcome, closed }, closed });
    log.dispatchEvent(new Event("entries"));
    return [made.record.showsStory, part("ended").hidden];
  };
}

test("who records is asked before the form goes, and sees the story of a closed record", () => {
  const become = layout(true);
  assert.deepEqual(become(null), [false, true]);
  assert.deepEqual(become(WON), [false, false]);
  assert.match(part("ended").textContent, /Anna/);
  part("ended").querySelector("button").click();
  assert.deepEqual([log.showsStory, document.activeElement === part("headline")], [true, true]);
  assert.deepEqual(become(WON), [true, true], "nobody is asked beside the story");
  assert.deepEqual(become(null), [false, true], "the end was taken back");
  assert.deepEqual(become(WON), [false, false]);
  assert.deepEqual(become(WON, "finished"), [true, true]);
  assert.deepEqual([part("closed").hidden, part("closed").textContent], [false, "finished"]);
});

test("who follows sees the story at once, and its parts stand in their places", () => {
  const become = layout(false);
  assert.deepEqual(become(null), [false, true]);
  assert.deepEqual(become(WON), [true, true]);
  assert.equal(log.redrawn, 1);
  assert.deepEqual(
    [part("told").hidden, part("curve").parentElement, part("stepper").parentElement.className],
    [false, part("course"), "table"],
  );
  become(null);
  assert.deepEqual([part("told").hidden, part("curve").parentElement], [true, element.querySelector(".replay")]);
  assert.deepEqual(become(null, "abandoned"), [true, true], "a closed record has a story, too");
});
