/** The next move, from a gesture to a recorded entry: what is tried, what is sent, and what the form then shows. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { settled } from "./document.mjs";
import { BROKEN, GOOD, Table, problem } from "./form.mjs";
const { guardTaps } = await import("../../../../service/pages/static/js/base/taps.js");
const { settings } = await import("../../../../service/pages/static/js/record/settings.js");

const move = (notation, more = {}) => ({ move: { type: "build", at: notation }, notation, ...more });
const PASS = { move: { type: "pass", seat: 0 }, notation: "pass" };
const DRAW = {
  move: { type: "draw", seat: 0 },
  notation: "draw ?",
  template: "draw {}",
  blanks: [{ seat: 0, choices: ["A", "B"] }],
};
const ROLL = { ...DRAW, move: { type: "roll", seat: 0 }, notation: "roll ?", template: "roll {}" };
const TWO = { ...DRAW, notation: "draw ? ?", template: "draw {} {}", blanks: [DRAW.blanks[0], DRAW.blanks[0]] };

let table;
let stored;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  stored = {};
  globalThis.localStorage = {
    getItem: (name) => stored[name] ?? null,
    setItem: (name, value) => (stored[name] = value),
  };
  table = new Table();
});

/** Turn the confirmation of moves off, or on again. */
const toggleConfirm = () => settings.actions()[0].act();
const recordKey = () => table.find(".record");
/** Wait as long as typing pauses. */
async function pause() {
  mock.timers.tick(300);
  await settled();
}
/** The verdict that is shown. */
const preview = () => table.find(".preview").textContent;

test("a typed move is tried once the typing pauses, and recorded", async () => {
  await table.offer([move("A-B"), move("C-D")]);
  await table.type("A");
  mock.timers.tick(299);
  await table.type("A-B");
  mock.timers.tick(299);
  await settled();
  assert.deepEqual(table.tried, []);
  await pause();
  assert.deepEqual(table.tried, [{ move: "A-B" }]);
  assert.equal(table.state.phase, "tried");
  assert.ok(recordKey().classList.contains("primary"));
  await table.submit();
  assert.deepEqual(table.moves, ["A-B"]);
  const [{ path, base, label, told, body }] = table.sync.sent;
  assert.deepEqual([path, base, label, told], ["/g/events", 2, "A-B", GOOD]);
  assert.equal(body.events[0].id.length, 36);
  assert.equal(table.state.text, "");
});

test("a cleared move is not tried", async () => {
  await table.type("A");
  await table.type("");
  await pause();
  assert.deepEqual(table.tried, []);
});

test("an untried move is shown first, unless it is a listed one", async () => {
  await table.offer([move("A-B"), move("C-D")]);
  await table.type("A");
  await table.submit();
  assert.deepEqual([table.tried.length, table.moves], [1, []]);
  await table.type("A-B");
  await table.submit();
  assert.deepEqual([table.tried.length, table.moves], [2, ["A-B"]]);
});

/** Hold the answers to dry runs of a move back. Returns what lets each of them through. */
function holdTrials(notation) {
  const held = [];
  Object.defineProperty(table.verdicts, notation, {
    get: () => new Promise((answer) => held.push(() => answer(GOOD))),
  });
  return held;
}

/** Let everything through that is held back, and what is held back then. */
async function answerAll(held) {
  for (let round = 0; round < 2; round += 1) {
    for (const answer of held.splice(0)) answer();
    await settled();
  }
}

test("taps again and again on a slow network record the move once", async () => {
  await table.offer([move("A-B"), move("C-D")]);
  const held = holdTrials("A-B");
  await table.type("A-B");
  for (let tap = 0; tap < 5; tap += 1) await table.submit();
  assert.equal(held.length, 1);
  held[0]();
  await settled();
  assert.deepEqual([held.length, table.moves], [1, ["A-B"]]);
});

test("a move that others overtake during its trial is shown first, and one after an own entry is recorded", async () => {
  await table.offer([move("A-B"), move("C-D")]);
  await table.type("C-D");
  await table.submit();
  table.sync.store();
  const held = holdTrials("A-B");
  await table.type("A-B");
  await table.submit();
  await table.offer([move("A-B")], 3); // this is the own entry
  await answerAll(held);
  assert.deepEqual(table.moves, ["C-D", "A-B"]);
  await table.type("A-B");
  await table.submit();
  await table.offer([move("A-B")], 5); // there is one of others, too
  await answerAll(held);
  assert.deepEqual([table.moves, table.state.verdict.head], [["C-D", "A-B"], 5]);
});

test("an empty field and a disabled button record nothing", async () => {
  await table.submit();
  await table.type("A");
  recordKey().disabled = true;
  await table.submit();
  assert.deepEqual([table.tried, table.moves], [[], []]);
});

test("a refused move is not sent: the reason is asked for, and sent with it", async () => {
  table.verdicts["X-Y"] = BROKEN;
  await table.type("X-Y");
  await pause();
  assert.match(preview(), /rule-broken!/);
  assert.ok(!recordKey().classList.contains("primary"));
  await table.submit();
  assert.deepEqual(table.moves, []);
  assert.equal(table.find(".override").hidden, false);
  assert.equal(document.activeElement, table.find(".override button"));
  table.verdicts["X-Y"] = { ...GOOD, irregular: [{ rule: "game:R-1", why: "it broke" }] };
  table.find(".override button").click(); // "seen too late"
  await settled();
  assert.deepEqual(table.tried.at(-1), { move: "X-Y", override: { reason: "seen too late" } });
  assert.equal(recordKey().textContent, "Record as irregular");
  await table.submit();
  assert.deepEqual(table.sync.sent[0].body.events[0].data, { move: "X-Y", override: { reason: "seen too late" } });
  assert.equal(table.recorder.view.reason.value, "");
});

test("with a keyboard, the focus after a refusal is in the reason; an impossible move is corrected itself", async () => {
  table.hover = true;
  table.verdict = BROKEN;
  await table.type("X-Y");
  await pause();
  await table.submit();
  assert.equal(document.activeElement, table.find("#reason"));
  table.verdict = problem("rule-broken", 422, { impossible: "taken" });
  await table.type("");
  await table.type("X-Z");
  await pause();
  await table.submit();
  assert.equal(document.activeElement, table.recorder.move.input);
  assert.ok(table.find(".override").hidden);
});

test("a reason can be asked for before the move is tried", async () => {
  await table.recorder.askReason();
  assert.deepEqual(table.tried, []);
  table.verdict = BROKEN;
  await table.type("X-Y");
  await table.recorder.askReason();
  assert.equal(table.tried.length, 1);
  assert.equal(document.activeElement, table.find(".override button"));
});

test("a spoiled reason of blanks is none", async () => {
  await table.type("X-Y");
  table.recorder.view.reason.value = "  ";
  table.recorder.view.reason.dispatchEvent({ type: "input" });
  await pause();
  assert.deepEqual(table.tried, [{ move: "X-Y" }]);
});

test("a move that the service refuses comes back, and one that waits does not", async () => {
  await table.type("A-B");
  await pause();
  table.sync.left = { key: "k", problem: BROKEN, body: { events: [] } };
  await table.submit();
  assert.deepEqual([table.state.phase, table.state.text], ["refused", "A-B"]);
  assert.equal(table.state.verdict.head, 2);
  assert.deepEqual(table.sync.outbox.all, []);
  for (const left of [
    { key: "k", body: {} },
    { key: "k", problem: problem("stale-version", 412), body: {} },
  ]) {
    table.sync.left = left;
    await table.type("C-D");
    table.verdict = GOOD;
    await pause();
    await table.submit();
    assert.deepEqual([table.state.text, table.sync.outbox.all.length], ["", 1]);
    table.sync.outbox.all = [];
  }
});

test("a refused move behind another waiting one stays in the outbox", async () => {
  table.sync.outbox.all = [{ key: "first", base: 2, body: { events: [{ data: { move: "A-B" } }] } }];
  await table.type("C-D");
  await pause();
  table.sync.left = { key: "k", problem: BROKEN, body: {} };
  await table.submit();
  assert.deepEqual([table.state.text, table.sync.outbox.all.length], ["", 2]);
});

test("values of a sheet are recorded without a trial, unless they broke a rule", async () => {
  assert.equal(await table.recorder.recordValues(), null);
  assert.deepEqual(table.moves, []);
  await table.type("r1 1 2");
  assert.equal(await table.recorder.recordValues(), null);
  assert.deepEqual([table.tried, table.moves], [[], ["r1 1 2"]]);
  table.verdict = BROKEN;
  await table.type("r1 3 4");
  await pause();
  assert.deepEqual(await table.recorder.recordValues(), BROKEN);
  assert.deepEqual(table.moves, ["r1 1 2"]);
  table.verdict = GOOD;
  await table.type("r1 5 6");
  const waiting = problem("token-needed", 401);
  table.sync.left = { key: "k", problem: waiting, body: {} };
  assert.deepEqual(await table.recorder.recordValues(), waiting);
});

test("a stored entry is known, and the next one begins with other moves", async () => {
  await table.offer([PASS, move("A-B")]);
  await table.type("A-B");
  await pause();
  const sent = table.submit();
  table.sync.store();
  assert.equal(table.state.phase, "stored");
  assert.deepEqual(table.state.entered, [{ version: 3, text: "A-B" }]);
  assert.equal(recordKey().textContent, "Recording …");
  await sent;
  await table.offer([move("C-D"), move("E-F")], 3);
  assert.equal(table.element.dataset.offered, "3");
  assert.deepEqual([table.state.phase, table.state.entered], ["idle", []]);
});

test("an entry without events, such as an opening, is no line; one without a base has no version", () => {
  const tell = (item) => table.sync.dispatchEvent(new CustomEvent("delivered", { detail: { item } }));
  tell({ base: 1, body: {}, label: "the opening" });
  tell({ base: null, body: { events: [{ id: "1" }] }, label: "A-B" });
  assert.deepEqual(table.state.entered, []);
});

test("a move that others have overtaken is shown again before it is recorded", async () => {
  await table.offer([move("A-B"), move("C-D")]);
  await table.type("A-B");
  await pause();
  table.log.head = 3;
  await table.submit();
  assert.deepEqual([table.tried.length, table.moves], [2, []]);
  await table.submit();
  assert.deepEqual(table.moves, ["A-B"]);
});

test("lines of a sheet are not overtaken", async () => {
  table = new Table({ name: "rounds", columns: [{ id: "points", per: "round" }] });
  await table.type("r1 1 2");
  await pause();
  table.log.head = 3;
  await table.submit();
  assert.deepEqual(table.moves, ["r1 1 2"]);
});

// Taps on the board

const A = { at: "A" };
const AB = { means: "at=A-B" };

test("a tap chooses a move, and a second tap on the place confirms it", async () => {
  await table.offer([move("A-B"), move("C-D")]);
  await table.tap(AB);
  assert.deepEqual([table.state.text, table.moves], ["A-B", []]);
  assert.ok(table.recorder.isTarget({ ...AB }));
  assert.ok(!table.recorder.isTarget({ means: "at=C-D" }));
  assert.ok(!table.recorder.isTarget({ at: "A-B" }));
  assert.ok(!table.recorder.isTarget({ ...AB, types: "A" }));
  await table.tap({ ...AB });
  assert.deepEqual(table.moves, ["A-B"]);
});

test("a tap on another place does not confirm", async () => {
  await table.offer([move("A-B"), move("C-D")]);
  await table.tap(AB);
  await table.tap({ means: "at=C-D" });
  assert.deepEqual([table.state.text, table.moves], ["C-D", []]);
  await table.tap({ means: "at=none" });
  assert.deepEqual(table.state.text, "C-D");
});

test("the place of an off-turn move does not confirm it", async () => {
  const gold = { type: "gold", seat: 1, template: "gold {}", blanks: [{ seat: 1, choices: ["1", "2"] }] };
  await table.offer({ moves: [move("A-B"), move("C-D")], asides: [gold] });
  await table.tap({ means: "type=gold" });
  assert.equal(table.state.asked.notation, "gold ?");
  assert.equal(table.state.confirms, "");
  await table.type("gold 1");
  assert.ok(!table.recorder.isTarget({ means: "type=gold" }));
});

test("taps narrow several moves down, and lead only where a move is", async () => {
  await table.offer([move("A-B"), move("A-C"), move("D-E")]);
  await table.tap(A);
  assert.equal(table.state.confirms, "");
  assert.ok(table.recorder.isTarget({ at: "B" }));
  assert.deepEqual(
    [A, { at: "Z" }].map((place) => table.recorder.leadsToMove(place)),
    [true, false],
  );
  await table.tap({ at: "B" });
  assert.equal(table.state.text, "A-B");
});

for (const [name, state] of Object.entries({
  past: { isAtNewest: false },
  closed: { closed: "2026-01-01" },
  story: { showsStory: true },
}))
  test(`a tap does nothing in a record that is ${name}`, async () => {
    await table.offer([move("A-B"), move("C-D")]);
    Object.assign(table.log, state);
    await table.tap(AB);
    assert.equal(table.state.text, "");
  });

test("a tapped move that needs no confirmation is recorded at once, but not one of an earlier moment", async () => {
  toggleConfirm();
  await table.offer([move("A-B"), move("C-D")]);
  await table.tap(AB);
  assert.deepEqual([table.moves, table.tried.length], [["A-B"], 1]);
  table.log.head = 4;
  await table.tap({ means: "at=C-D" });
  assert.deepEqual([table.moves, table.state.text], [["A-B"], "C-D"]);
});

// Picked moves and their values

test("a key with a whole move records it, one that ends the game is shown, and other keys are tried", async () => {
  await table.offer([PASS, move("A-B"), move("C-D")]);
  await table.pick("A-B");
  assert.deepEqual([table.tried.length, table.moves], [1, []]);
  await table.type("");
  table.verdicts.pass = { ...GOOD, outcome: { winners: [0], rule: "R-1", reason: "", ranks: [1, 2] } };
  table.words.outcomeText = () => "Anna wins";
  table.words.ruleLink = () => "";
  await table.pick("pass");
  assert.deepEqual([table.state.text, table.moves], ["pass", []]);
  await table.type("");
  delete table.verdicts.pass;
  await table.pick("pass");
  assert.deepEqual(table.moves, ["pass"]);
});

test("the last value of a move that is asked for shows it, and records it without confirmation", async () => {
  await table.offer([DRAW, move("A-B")]);
  table.find(".blanks .keys button").click();
  await settled();
  assert.deepEqual([table.state.text, table.moves], ["draw A", []]);
  await table.type("");
  toggleConfirm();
  table.element.querySelectorAll(".blanks .keys button")[1].click();
  await settled();
  assert.deepEqual(table.moves, ["draw B"]);
});

test("a move with an open value is not recorded, even without confirmation", async () => {
  toggleConfirm();
  await table.offer([TWO, move("A-B")]);
  table.find(".blanks .keys button").click();
  await settled();
  assert.deepEqual([table.state.text, table.moves, table.tried], ["draw A ?", [], []]);
});

test("a roll is recorded with its last die", async () => {
  await table.offer([ROLL, move("A-B")]);
  table.find(".blanks .keys button").click();
  await settled();
  assert.deepEqual(table.moves, ["roll A"]);
  assert.equal(table.find(".blanks .keys button").getAttribute("aria-pressed"), "false");
});

test("after the last value, the focus of a keyboard goes to Record", async () => {
  await table.offer([DRAW, move("A-B")]);
  const key = table.find(".blanks .keys button");
  key.focus();
  key.click();
  await settled();
  assert.equal(document.activeElement, recordKey());
});

test("the only move is filled in and tried, unless moves are recorded at once", async () => {
  await table.offer([PASS]);
  assert.deepEqual([table.state.text, table.tried], ["pass", [{ move: "pass" }]]);
  assert.equal(table.state.asked.notation, "pass");
  await table.type("");
  toggleConfirm();
  await table.offer([PASS], 3);
  assert.equal(table.state.text, "");
});

// The offered moves

test("only moves of own seats are offered, and the field says why there are none", async () => {
  table = new Table(null, { own: (seat) => seat === 0 });
  await table.offer([{ ...PASS, move: { type: "pass", seat: 1 }, notation: "ben: pass" }]);
  assert.equal(table.find(".count").textContent, "It is not your turn.");
  await table.offer([PASS, move("A-B")], 3);
  assert.deepEqual(
    table.state.moves.map(({ notation, once }) => [notation, once]),
    [["pass", true]],
  );
  await table.offer([], 4);
  assert.equal(table.find(".count").textContent, "No move is legal now.");
});

test("irregular moves are offered on request, and legal ones again", async () => {
  await table.offer([PASS, move("A-B")]);
  await table.type("A");
  table.find(".anyway").click();
  await settled();
  assert.equal(table.state.text, "");
  assert.equal(table.find(".anyway").getAttribute("aria-pressed"), "true");
  await table.offer({ irregular: [move("X-Y")] }, 2, "/g/moves?at=2&irregular=true");
  assert.deepEqual(
    table.element.querySelectorAll(".choice").map(({ value }) => value),
    ["X-Y"],
  );
  assert.equal(table.find(".count").textContent, "1 of 1 moves against the rules");
  assert.ok(table.element.classList.contains("against"));
  await table.offer({ irregular: [] }, 3, "/g/moves?at=3&irregular=true");
  assert.match(table.find(".count").textContent, /^A move that breaks a rule is not listed/);
});

test("moves that come late are not offered", async () => {
  await table.offer([move("A-B")]);
  const late = table.offer([move("C-D")], 3);
  table.log.head = 4;
  await late;
  assert.deepEqual(
    table.state.moves.map(({ notation }) => notation),
    ["A-B"],
  );
});

test("no moves are loaded while the page tells the story", async () => {
  table.log.showsStory = true;
  await table.offer([move("A-B")]);
  assert.deepEqual([table.state.moves, table.element.hidden], [[], true]);
});

test("the form is shown at the end of an open record, and a note elsewhere", () => {
  const shown = () => [table.element.hidden, table.find(".elsewhere").hidden, table.find("form").hidden];
  const change = (parts) => {
    Object.assign(table.log, parts);
    table.log.dispatchEvent(new Event("position"));
    return shown();
  };
  assert.deepEqual(change({}), [false, true, false]);
  assert.deepEqual(change({ isAtNewest: false }), [false, false, true]);
  assert.deepEqual(change({ isAtNewest: true, closed: "2026-01-01" }), [true, true, false]);
});

test("after the end, only taking back is possible, and more after the story was told", async () => {
  const end = () => {
    table.log.facts = { outcome: { winners: [0] } };
    table.log.dispatchEvent(new Event("position"));
  };
  const isOver = () => table.element.classList.contains("over");
  await table.offer([move("A-B"), move("C-D")]);
  end();
  assert.ok(!isOver(), "moves are offered");
  table.recorder.move.focus();
  const see = document.createElement("button");
  document.querySelector = (selector) => (selector === "#ended button" ? see : null);
  await table.offer([], 3);
  assert.ok(isOver());
  assert.equal(document.activeElement, see);
  await table.type("A");
  assert.ok(!isOver());
  for (const told of ["now", "before"]) {
    table = new Table(null, { hidden: told === "before" });
    if (told === "now") {
      table.log.showsStory = true;
      table.log.dispatchEvent(new Event("position"));
      table.log.showsStory = false;
    }
    end();
    assert.deepEqual([isOver(), table.element.hidden], [false, false], told);
  }
});

// Waiting entries

const waiting = (key, event) => ({ key, base: 2, label: key, body: { events: [event] } });

test("Undo takes the last waiting move back into the field, and no withdrawal", async () => {
  const { outbox } = table.sync;
  assert.equal(table.recorder.lastWaiting, null);
  await table.recorder.takeBack();
  outbox.all = [waiting("1", { data: { move: "A-B" } }), waiting("2", { data: { move: "C-D" } })];
  await table.recorder.takeBack();
  assert.deepEqual([table.state.text, outbox.all.length], ["C-D", 1]);
  outbox.all.push(waiting("3", { type: "entry.withdrawn", data: {} }));
  assert.equal(table.recorder.lastWaiting, null);
  outbox.all = [waiting("4", { type: "note.added", data: { text: "x" } })];
  await table.recorder.takeBack();
  assert.deepEqual([table.state.text, outbox.all.length], ["", 0]);
});

test("Undo of a move that is on its way waits for the answer, and leaves a stored one", async () => {
  const { sync } = table;
  sync.outbox.all = [waiting("1", { data: { move: "A-B" } })];
  let answer = () => {};
  sync.whenSent = new Promise((resolve) => (answer = resolve));
  const isBack = table.recorder.takeBack();
  sync.outbox.all = [];
  answer();
  assert.deepEqual([await isBack, table.state.text], [false, ""]);
});

test("after a move, the focus is in the field, or on what is next on a phone; no keypad loses it", async () => {
  const record = async () => {
    await table.type("A-B");
    await pause();
    recordKey().focus();
    await table.submit();
    return document.activeElement;
  };
  assert.equal(await record(), table.recorder.move.clear);
  table.hover = true;
  assert.equal(await record(), table.recorder.move.input);
  table.recorder.keypad = { isOpen: true };
  assert.equal(await record(), recordKey());
});

// Score sheets

const SHEET = { name: "rounds", columns: [{ id: "points", per: "round" }] };
const cell = (seat) => ({ seat });
const ROUND = {
  move: { type: "score", column: "points", round: 1 },
  notation: "r1 ? ?",
  template: "r1 {} {}",
  blanks: [cell(0), cell(1)],
};
const FINISH = { move: { type: "finish" }, notation: "finish" };
const lines = () => table.recorder.blanks.moves.map(({ notation }) => notation);

test("a tap on a cell opens its line, or changes its value", async () => {
  table = new Table(SHEET);
  await table.offer([ROUND]);
  await table.tap({ at: "r1 p2", types: "r1 ? ?", blank: "1" });
  assert.equal(document.activeElement, table.recorder.blanks.openMove.fields[1]);
  const changed = [];
  table.recorder.keypad = { isOpen: true, changeCell: (...cell) => changed.push(cell) };
  await table.tap({ at: "r1 p1", types: "r1 p1 20" });
  assert.deepEqual([changed, table.state.text], [[["r1 p1", "20"]], "r1 p1 20"]);
  assert.deepEqual(table.recorder.move.input.focusedWith, { preventScroll: true });
  await table.tap({ at: "r2 p1", types: "r2 ? ?", blank: "0" });
  assert.deepEqual([changed.at(-1), table.state.text], [["r2 p1", ""], "r2 p1"]);
  await table.tap({ at: "r3 p1" });
  assert.equal(changed.length, 2);
});

test("values typed after Finish record nothing before their line is entered", async () => {
  table = new Table(SHEET);
  await table.offer([ROUND, FINISH]);
  for (const ask of [() => table.recorder.askFinish(), () => table.pick("finish")]) {
    await table.type("");
    await ask();
    await settled();
    table.recorder.blanks.restoreValues(["1", "2"]);
    await settled();
    assert.deepEqual([table.state.text, table.moves], ["r1 1 2", []]);
    table.recorder.blanks.restoreValues(["", ""]);
  }
});

test("a sheet lists no line among its moves, and says when none is due", async () => {
  table = new Table(SHEET);
  await table.offer([ROUND]);
  assert.equal(table.find(".count").textContent, "");
  await table.offer([], 3);
  assert.equal(table.find(".count").textContent, "No move is legal now.");
});

test("the lines of a sheet go on with what waits on the device", async () => {
  table = new Table(SHEET);
  await table.offer([ROUND]);
  assert.deepEqual(lines(), ["r1 ? ?"]);
  table.sync.outbox.all = [
    { key: "1", label: "r1 1 2", body: { events: [] } },
    { key: "2", label: "r2 1 2", body: {} },
  ];
  table.sync.outbox.dispatchEvent(new Event("change"));
  await settled();
  assert.deepEqual(lines(), ["r2 ? ?"]);
});

test("lines stay without a network, and lines that others filled in are gone", async () => {
  table = new Table(SHEET);
  await table.offer([ROUND]);
  const gone = [];
  table.recorder.blanks.addEventListener("line", ({ detail }) => gone.push(detail.gone?.notation ?? null));
  await table.offer([{ ...ROUND, notation: "r2 ? ?", template: "r2 {} {}" }], 3);
  assert.deepEqual(gone, ["r1 ? ?"]);
  table.log.head = 4;
  table.log.dispatchEvent(new Event("entries")); // no answer
  await settled();
  assert.deepEqual([table.state.moves, lines()], [null, ["r2 ? ?"]]);
});

test("a sheet is finished on request, or when no line is due, and the button says who wins", async () => {
  table = new Table(SHEET);
  table.verdicts.finish = { ...GOOD, outcome: { winners: [0], rule: "R-1" }, scores: [7, 5] };
  table.words.outcomeText = () => "Anna wins";
  table.words.ruleLink = () => "";
  await table.offer([ROUND]);
  assert.ok(!table.recorder.canFinish && !table.recorder.asksFinish);
  table.recorder.askFinish();
  assert.equal(table.state.text, "");
  await table.offer([ROUND, FINISH], 3);
  assert.ok(table.recorder.canFinish && !table.recorder.asksFinish);
  table.recorder.askFinish();
  await settled();
  assert.ok(table.recorder.asksFinish);
  assert.equal(recordKey().textContent, "Finish: Anna wins with 7");
  assert.equal(document.activeElement, recordKey());
  table.log.head = 4; // another line may change the winner
  await table.submit();
  assert.deepEqual(table.moves, []);
  await table.type("");
  await table.offer([FINISH], 5);
  assert.deepEqual([table.state.text, table.recorder.asksFinish], ["finish", true]);
  assert.ok(table.element.classList.contains("finishing"));
  table.verdicts.finish.irregular = [{ rule: "R-1", why: "too early" }];
  await table.type("");
  await table.type("finish");
  await pause();
  assert.ok(!table.element.classList.contains("finishing"));
});

// What happens meanwhile

/** Hold back the end of sending; the function lets it go on. */
function holdSending() {
  let open;
  table.sync.gate = new Promise((resolve) => (open = resolve));
  return async () => {
    open();
    await settled();
  };
}

/** Send a tried move; the end of sending is held back. */
async function sendHeld(text) {
  await table.type(text);
  await pause();
  const end = holdSending();
  await table.submit();
  return end;
}

test("while a move is sent, the button waits, and a newer text stays", async () => {
  const end = await sendHeld("A-B");
  assert.ok(recordKey().disabled);
  await table.type("C-D");
  assert.ok(!recordKey().disabled);
  await end();
  assert.deepEqual([table.moves, table.state.text], [["A-B"], "C-D"]);
});

test("values that are being sent are not sent again", async () => {
  await table.type("r1 1 2");
  const end = holdSending();
  const both = Promise.all([table.recorder.recordValues(), table.recorder.recordValues()]);
  await end();
  await both;
  assert.deepEqual(table.moves, ["r1 1 2"]);
});

test("moves that come while one is sent are offered after it", async () => {
  await table.offer([PASS, move("A-B")]);
  const end = await sendHeld("A-B");
  await table.offer([PASS, move("C-D")], 3);
  assert.equal(table.element.dataset.offered, "2");
  table.late["/g/moves?at=3"] = { moves: [PASS, move("C-D")] };
  await end();
  assert.deepEqual([table.element.dataset.offered, table.missed], ["3", []]);
});

test("moves that come after the entry was stored are not loaded again", async () => {
  await table.offer([PASS, move("A-B")]);
  const end = await sendHeld("A-B");
  await table.offer([PASS, move("C-D")], 3);
  table.sync.store();
  await table.offer([PASS, move("C-D")], 3);
  assert.deepEqual([table.element.dataset.offered, table.missed], ["3", []]);
  await end();
});

test("legal moves that come late do not replace irregular ones", async () => {
  let answer;
  table.late["/g/moves?at=2"] = new Promise((resolve) => (answer = resolve));
  table.log.dispatchEvent(new Event("entries"));
  await settled();
  table.late["/g/moves?at=2&irregular=true"] = { irregular: [PASS] };
  table.find(".anyway").click();
  await settled();
  assert.deepEqual(table.state.moves, [PASS], "no key records such a move at once");
  answer({ moves: [move("A-B")] });
  await settled();
  assert.deepEqual(
    table.element.querySelectorAll(".choice").map(({ value }) => value),
    ["pass"],
  );
});

test("a text that changes during its trial is not recorded", async () => {
  await table.offer([move("A-B"), move("C-D")]);
  await table.type("A-B");
  const sent = table.submit();
  table.recorder.move.typeText("C-D");
  await sent;
  assert.deepEqual([table.tried.length, table.moves, table.state.text], [1, [], "C-D"]);
});

test("a text whose trial ends late does not record the text after it", async () => {
  await table.offer([move("A-B"), move("C-D")]);
  let answer;
  table.verdicts["A-B"] = new Promise((resolve) => (answer = resolve));
  await table.type("A-B");
  await table.submit();
  await table.type("C-D");
  await pause();
  answer(GOOD);
  await settled();
  assert.deepEqual([table.state.phase, table.state.text, table.moves], ["tried", "C-D", []]);
});

test("a picked move is tried at once, and not again when typing pauses", async () => {
  await table.offer([move("A-B"), move("C-D")]);
  await table.pick("A-B");
  await pause();
  assert.equal(table.tried.length, 1);
});

test("without a network the trial is repeated with the next moves", async () => {
  table.verdict = null;
  await table.type("A-B");
  assert.equal(table.find(".preview").getAttribute("aria-busy"), "true");
  await pause();
  assert.deepEqual([table.state.phase, table.find(".preview").getAttribute("aria-busy")], ["offline", "false"]);
  await table.offer([move("A-B"), move("C-D")]);
  assert.equal(table.state.phase, "picked");
});

test("a bad text is shown, unless a move begins with it, and its view stays until the next verdict", async () => {
  table.verdict = problem("bad-notation", 400);
  await table.offer([move("A-B"), move("C-D")]);
  await table.type("A");
  await pause();
  assert.equal(preview(), "");
  await table.type("X");
  await pause();
  assert.match(preview(), /bad-notation!/);
  const [view] = table.find(".preview").children;
  await table.type("XY");
  assert.equal(table.find(".preview").children[0], view);
});

test("a key of an earlier moment records nothing, and a tap on such a move asks for confirmation", async () => {
  await table.offer([PASS, move("A-B")]);
  await table.tap({ means: "type=pass" });
  assert.deepEqual([table.state.text, table.moves], ["pass", []]);
  await table.type("");
  table.log.head = 3;
  await table.pick("pass");
  assert.deepEqual([table.state.text, table.moves], ["pass", []]);
});

test("the second tap of a double tap does not confirm, unless it is on another place", async () => {
  const listeners = {};
  globalThis.addEventListener = (type, act) => (listeners[type] ??= act);
  globalThis.MutationObserver = class {
    observe() {}
  };
  guardTaps();
  const spot = { clientX: 0, clientY: 0, target: table.element };
  const touch = (timeStamp) => {
    listeners.pointerdown({ ...spot, timeStamp });
    listeners.pointerup({ ...spot, timeStamp });
  };
  await table.offer([move("A-B"), move("C-D")]);
  touch(1000);
  await table.tap(AB);
  touch(1100);
  await table.tap(AB);
  assert.deepEqual([table.state.text, table.moves], ["A-B", []]);
  touch(1200);
  await table.tap({ means: "at=C-D" });
  assert.equal(table.state.text, "C-D");
  touch(3000);
  await table.tap({ means: "at=C-D" });
  assert.deepEqual(table.moves, ["C-D"]);
});

const LAY = { ...DRAW, notation: "lay", template: "lay {}", blanks: [{ ...DRAW.blanks[0], optional: true }] };
const GOLD = { type: "gold", seat: 1, template: "gold {}", blanks: [{ seat: 1, choices: ["1", "2"] }] };
const firstValue = async () => {
  table.find(".blanks .keys button").click();
  await settled();
};

test("the last value confirms a move that was shown, and no other one", async () => {
  await table.offer({ moves: [LAY, DRAW], asides: [GOLD] });
  await table.pick("draw ?");
  await firstValue();
  assert.deepEqual([table.state.text, table.moves], ["draw A", []]);
  await table.type("");
  await table.pick("gold ?");
  table.recorder.blanks.open("gold ?");
  const [field] = table.recorder.blanks.openMove.fields;
  table.recorder.blanks.fillField(field, "1");
  await settled();
  assert.deepEqual([table.state.text, table.moves], ["gold 1", []]);
  await table.type("");
  await table.pick("lay");
  table.recorder.blanks.open("lay");
  assert.deepEqual([table.state.text, table.moves], ["lay", []]);
  table.recorder.blanks.fillField(table.recorder.blanks.openMove.fields[0], "A");
  await settled();
  assert.deepEqual(table.moves, ["lay A"]);
});

test("after a picked move, the focus is on its first value, or on Record", async () => {
  await table.offer([LAY, move("A-B")]);
  await table.pick("A-B");
  assert.equal(document.activeElement, recordKey());
  await table.type("");
  await table.pick("lay");
  assert.equal(document.activeElement, table.find(".blanks .keys button"));
});

test("a focus that is elsewhere, or in the field, stays after a move", async () => {
  for (const focused of [document.body, document.createElement("a"), table.recorder.move.input]) {
    await table.type("A-B");
    await pause();
    focused.focus();
    await table.submit();
    assert.equal(document.activeElement, focused);
  }
});

test("moves off turn alone are no moves of others", async () => {
  await table.offer({ moves: [], asides: [GOLD] });
  assert.equal(table.find(".count").textContent, "No move is legal now.");
});

test("without confirmation, a tapped reason records a listed irregular move", async () => {
  toggleConfirm();
  table.late["/g/moves?at=2&irregular=true"] = { irregular: [move("X-Y"), move("X-Z")] };
  table.find(".anyway").click();
  await settled();
  table.verdict = BROKEN;
  await table.pick("X-Y");
  table.verdict = GOOD;
  table.find(".override button").click();
  await settled();
  assert.deepEqual(table.moves, ["X-Y"]);
});
