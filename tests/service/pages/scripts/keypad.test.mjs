/** The keypad of a score sheet: which cell its keys fill in, and when a line is recorded. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { settled, called, texts } from "./document.mjs";
import { BROKEN, Table, problem } from "./form.mjs";

const { Keypad } = await import("../../../../service/pages/static/js/sheet/keypad.js");

const COLUMNS = [
  { id: "points", per: "round", most: 500 },
  { id: "place", per: "game", labels: { first: 2, last: 1 } },
];
const SHEET = { name: "rounds", columns: COLUMNS };
const round = (number, column = "points") => ({
  move: { type: "score", column, round: number },
  notation: `r${number} ? ?`,
  template: `r${number} {} {}`,
  blanks: [{ seat: 0 }, { seat: 1 }],
});
const FINISH = { move: { type: "finish" }, notation: "finish" };

let table;
let pad;
let stored;
/** What the page does with a key of the keyboard. */
let strike;

beforeEach(async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  stored = { setItem() {}, removeItem() {} };
  globalThis.localStorage = stored;
  document.documentElement = document.createElement("html");
  const game = document.createElement("article");
  document.getElementById = () => game;
  document.querySelector = () => null;
  document.addEventListener = (type, act) => {
    if (type === "keydown") strike = act;
  };
  document.body.dataset.person = "p1";
  await open();
});

/** Open the page of a sheet with these moves. */
async function open(moves = [round(1)], sheet = SHEET) {
  table = new Table(sheet);
  table.words.cellName = (at) => `cell ${at}`;
  table.words.columnName = (id) => id;
  const element = document.createElement("section");
  document.body.append(element);
  pad = new Keypad(element, table.recorder, table.words, sheet);
  table.recorder.keypad = pad;
  await table.offer(moves);
}

async function press(...names) {
  for (const name of names) {
    const key = called(pad.element, "button", name);
    assert.ok(key, `no key ${name}`);
    key.click();
    await settled();
  }
}
const chips = () => texts(pad.element, ".chip b");
const heading = () => pad.title.textContent;
const cause = () => texts(pad.element, ".cause").join("");
/** The index of the chosen field. */
const chosen = () =>
  pad.element.querySelectorAll(".chip").findIndex((chip) => chip.getAttribute("aria-pressed") === "true");

test("digits fill in one player after the other, and the last one records the line", async () => {
  assert.deepEqual([heading(), chips(), chosen()], ["Round 1, points", ["–", "–"], 0]);
  await press("1", "2", "Next player");
  assert.deepEqual([chips(), chosen()], [["12", "–"], 1]);
  await press("3", "Enter the line");
  assert.deepEqual(table.moves, ["r1 12 3"]);
});

test("the first digit of a chosen field replaces its value, and the next ones follow it", async () => {
  await press("1", "2", "Next player", "3");
  pad.element.querySelectorAll(".chip")[0].click();
  await settled();
  assert.equal(chosen(), 0);
  await press("4", "5");
  assert.deepEqual(chips(), ["45", "3"]);
});

test("a quick key enters its value, and goes on", async () => {
  await press("5, and on");
  assert.deepEqual([chips(), chosen()], [["5", "–"], 1]);
  await press("10, and on");
  assert.deepEqual(table.moves, ["r1 5 10"]);
});

test("a line without values is not recorded: the next one opens", async () => {
  await open([round(1), round(2)]);
  await press("Next round");
  assert.deepEqual([table.moves, heading()], [[], "Round 2, points"]);
  await press("7", "Next round");
  assert.deepEqual(table.moves, ["r2 7 ?"]);
});

test("a sum is shown beside the title, and recorded as its result", async () => {
  await press("1", "0", "And", "5");
  assert.deepEqual([heading(), chips()[0]], ["Round 1, points10+5", "15"]);
  await press("Next player", "1", "Enter the line");
  assert.deepEqual(table.moves, ["r1 15 1"]);
});

test("a value that does not fit its column is not recorded, and can have a reason", async () => {
  await press("9", "0", "0", "Next player", "1", "Enter the line");
  assert.match(cause(), /^Anna: 900 is more than 500/);
  assert.ok(called(pad.element, "button", "Record it anyway …"));
  assert.deepEqual(table.moves, []);
  await press("Record it anyway …");
  assert.ok(table.element.classList.contains("excusing"));
  assert.equal(cause(), "");
  pad.element.querySelectorAll(".chip")[0].click();
  await press("1");
  assert.ok(!table.element.classList.contains("excusing"));
});

test("values that the service refuses come back into their line", async () => {
  await press("1", "Next player", "2");
  table.sync.left = { key: "k", problem: problem("bad-notation"), body: {} };
  await press("Enter the line");
  assert.equal(cause(), "Not recorded: bad-notation!");
  assert.deepEqual([heading(), chips()], ["Round 1, points", ["1", "2"]]);
});

test("a refusal does not replace what was typed since", async () => {
  let answer;
  table.sync.gate = new Promise((resolve) => (answer = resolve));
  await press("1", "Next player", "2");
  table.sync.left = { key: "k", problem: BROKEN, body: {} };
  await press("Enter the line");
  table.recorder.blanks.fillField(table.recorder.blanks.openMove.fields[1], "8");
  answer();
  await settled();
  assert.deepEqual(chips(), ["1", "8"]);
});

test("a rule that a dry run reports is shown above the keys", async () => {
  table.verdict = problem("rule-broken", 422, { impossible: "taken" });
  await press("1");
  mock.timers.tick(300);
  await settled();
  assert.equal(cause(), "rule-broken!");
  await press("2");
  assert.equal(cause(), "");
});

test("one cell is changed alone, and left as it was on request", async () => {
  pad.changeCell("r1 p2", "20");
  assert.deepEqual([heading(), texts(pad.element, "output.chip")], ["Change cell r1 p2", ["20"]]);
  assert.equal(table.recorder.move.input.inputMode, "none");
  await press("7", "5");
  assert.equal(table.state.text, "r1 p2 75");
  await press("Leave it as it was");
  assert.deepEqual([table.state.text, heading()], ["", "Round 1, points"]);
  pad.changeCell("r1 p2", "20");
  await press("6", "Enter the line");
  assert.deepEqual(table.moves, ["r1 p2 6"]);
});

test("a tap on a cell of the open line ends the change of another cell", () => {
  pad.changeCell("r1 p2", "20");
  table.recorder.blanks.focus("r1 ? ?", 1);
  assert.deepEqual([heading(), chosen()], ["Round 1, points", 1]);
});

test("a recorded value is not asked for again", async () => {
  await open([{ ...round(1), blanks: [{ seat: 0 }, { seat: 1, stands: "5" }] }]);
  assert.deepEqual(chips(), ["–", "5"]);
  await press("1", "Enter the line");
  assert.deepEqual(table.moves, ["r1 1 ?"]);
});

test("a refused change of a cell comes back", async () => {
  table.sync.left = { key: "k", problem: problem("overloaded", 503), body: {} };
  pad.changeCell("r1 p2", "20");
  await press("6", "Enter the line");
  assert.deepEqual([heading(), texts(pad.element, "output.chip")], ["Change cell r1 p2", ["6"]]);
});

test("a cell has the column that its name says, or the first one of each round", async () => {
  pad.changeCell("p1 place", "first");
  assert.ok(called(pad.element, "button", "last"));
  pad.changeCell("r1 p1", "3");
  assert.ok(called(pad.element, "button", "7"));
});

test("a folded keypad changes no cell", () => {
  pad.pad.open = false;
  pad.changeCell("r1 p2", "20");
  assert.equal(heading(), "Round 1, points");
});

test("the keypad is open on a phone at first, and then as it was left", async () => {
  assert.ok(pad.pad.open);
  table.hover = true; // every query of the screen is answered with yes: it is wide
  pad.pad.open = false;
  pad.pad.dispatchEvent({ type: "toggle" });
  assert.equal(stored["kifu:keypad"], "closed");
  await open();
  assert.ok(!pad.pad.open);
});

test("typed values come back after the page was lost, for the same entry", async () => {
  await press("1", "2");
  await open();
  assert.deepEqual([chips(), chosen()], [["12", "–"], 1]);
  pad.changeCell("r1 p2", "20");
  await press("9");
  await open();
  assert.deepEqual([heading(), texts(pad.element, "output.chip")], ["Change cell r1 p2", ["9"]]);
});

test("values of an entry that waits belong to the one after it", async () => {
  table.sync.outbox.all = [
    { key: "1", label: "r1 1 2", body: { events: [] } },
    { key: "0", body: {} },
  ];
  await press("1");
  assert.equal(JSON.parse(stored["kifu:typed:g1"]).entry, 3);
});

test("a line that others filled in is not mistaken for the next one", async () => {
  await press("1");
  await table.offer([round(2)], 3);
  assert.match(cause(), /^Round 1, points is not due any more/);
  assert.equal(chosen(), -1);
  await press("5");
  assert.deepEqual(chips(), ["–", "–"]);
  await press("Next player");
  assert.equal(chosen(), 0);
  pad.element.querySelectorAll(".chip")[1].click();
  await settled();
  assert.deepEqual([cause(), chosen()], ["", 1]);
});

test("a line that was lost is not followed by one that nobody chose", async () => {
  await press("1");
  await table.offer([round(2)], 3);
  await table.offer([round(3)], 4);
  assert.deepEqual([heading(), chosen()], ["Round 3, points", -1]);
  assert.match(cause(), /^Round 1, points is not due any more/);
  await press("5");
  assert.deepEqual(chips(), ["–", "–"]);
});

test("a line that nobody began is followed by the next one", async () => {
  await table.offer([round(2)], 3);
  assert.deepEqual([cause(), heading(), chosen()], ["", "Round 2, points", 0]);
});

test("a chosen cell stays chosen, whether others fill in a cell beside it before or after", async () => {
  const filled = { ...round(1), blanks: [{ seat: 0, stands: "5" }, { seat: 1 }] };
  for (const choosesFirst of [true, false]) {
    await open();
    const choose = () => pad.element.querySelectorAll(".chip")[1].click();
    if (choosesFirst) choose();
    await table.offer([filled], 3);
    if (!choosesFirst) choose();
    await settled();
    assert.deepEqual([chips(), chosen()], [["5", "–"], 1], `chosen ${choosesFirst ? "first" : "last"}`);
  }
});

test("a chosen cell of a line that is gone is not followed", async () => {
  pad.element.querySelectorAll(".chip")[1].click();
  await settled();
  await table.offer([round(2)], 3);
  assert.equal(chosen(), -1);
});

test("keys of the keyboard do what the keypad does, unless a field has the focus", async () => {
  const hit = async (key, more = {}, target = document.body) => {
    let prevented = false;
    strike({ key, target, preventDefault: () => (prevented = true), ...more });
    await settled();
    return prevented;
  };
  assert.ok(await hit("7"));
  assert.ok(!(await hit("8", { ctrlKey: true })));
  assert.ok(!(await hit("x")));
  assert.ok(!(await hit("8", {}, table.recorder.move.input)));
  assert.ok(!(await hit("Enter", {}, called(pad.element, "button", "7"))));
  document.querySelector = () => document.body; // a dialog is open
  assert.ok(!(await hit("8")));
  document.querySelector = () => null;
  assert.deepEqual(chips(), ["7", "–"]);
  assert.ok(await hit("Enter"));
  assert.equal(chosen(), 1);
});

test("the keypad is hidden in the past, after the end, and while Finish is confirmed", async () => {
  const isHidden = async (parts) => {
    Object.assign(table.log, { isAtNewest: true, closed: null, showsStory: false }, parts);
    table.log.dispatchEvent(new Event("position"));
    await settled();
    return pad.element.hidden;
  };
  assert.ok(!(await isHidden({})));
  assert.ok(await isHidden({ isAtNewest: false }));
  assert.ok(await isHidden({ closed: "2026-01-01" }));
  assert.ok(await isHidden({ showsStory: true }));
  await isHidden({});
  assert.ok(pad.finish.hidden);
  await table.offer([round(2), FINISH], 3);
  assert.ok(!pad.finish.hidden);
  await press("Finish …");
  assert.ok(pad.element.hidden);
  assert.ok(!document.documentElement.classList.contains("keys-open"));
  await table.type("");
  assert.ok(!pad.element.hidden);
});

test("Undo and its neighbours stand beside the open keys, and keep the focus", () => {
  const undo = document.body.querySelector("#undo");
  assert.ok(pad.beside.contains(undo));
  undo.focus();
  pad.pad.open = false;
  pad.pad.dispatchEvent({ type: "toggle" });
  assert.ok(table.find("form").contains(undo));
  assert.equal(document.activeElement, undo);
});

test("a key waits until the entry before it is stored on the device", async () => {
  let store;
  table.sync.outbox.whenStored = new Promise((resolve) => (store = resolve));
  await press("7");
  assert.deepEqual(chips(), ["–", "–"]);
  store();
  await settled();
  assert.deepEqual(chips(), ["7", "–"]);
});
