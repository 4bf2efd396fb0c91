import assert from "node:assert/strict";
import { test } from "node:test";
import {
  nextState,
  isOvertaken,
  isSendable,
  onlyMove,
  INITIAL_STATE,
} from "../../../../service/pages/static/js/record/entering.js";
import { Store } from "../../../../service/pages/static/js/record/store.js";
import { forSeeds } from "./random.mjs";

const line = (notation, more = {}) => ({ move: { type: "build" }, notation, ...more });
const problem = (name, status = 422, more = {}) => ({
  name,
  body: { type: `/problems/${name}`, status, detail: name, ...more },
});
const GOOD = { answer: { version: 3 }, before: [0, 0], head: 2 };
const UNKNOWN = { unknown: "no connection" };
const BROKEN = { problem: problem("rule-broken"), head: 2 };

const typed = (text, filled = "", head = 2) => ({ type: "typed", text, filled, head });
const tried = (state, verdict, begun = false) =>
  nextState(state, { type: "tried", trial: state.trial, verdict, begun });
const after = (...actions) => actions.reduce(nextState, INITIAL_STATE);
const offered = (moves, head = 2, anyway = false) => ({ type: "offered", head, moves, anyway });

/** Fails where a state is none that a person could be shown. */
function assertLegal(state) {
  const { phase, text, verdict, sent, shown, confirms, ready, asked, moves } = state;
  const onItsWay = phase === "sent" || phase === "stored";
  assert.equal(phase === "idle", text === "", `${phase} with “${text}”`);
  assert.equal(onItsWay, sent !== null, `${phase} with ${JSON.stringify(sent)}`);
  if (phase === "picked" || phase === "idle") assert.equal(verdict, null);
  if (phase === "tried") assert.ok(verdict.answer);
  if (phase === "offline") assert.ok(isSendable(verdict) && !verdict.answer);
  if (phase === "refused") assert.ok(!isSendable(verdict));
  if (onItsWay) assert.ok(isSendable(verdict));
  if (!text) assert.ok(!shown && !confirms && !ready);
  if (ready) assert.equal(ready, text);
  if (asked && moves) assert.ok(asked.notation.length > 0);
}

test("a move is picked, tried, sent and stored, and the next one begins empty", () => {
  const picked = after(typed("BARI-DUDA"));
  assert.equal(picked.phase, "picked");
  const seen = tried(picked, GOOD);
  assert.equal(seen.phase, "tried");
  const sent = nextState(seen, { type: "sent", id: "1" });
  assert.equal(sent.phase, "sent");
  assert.equal(sent.text, "BARI-DUDA");
  const stored = nextState(sent, { type: "delivered", id: "1", version: 3, text: "BARI-DUDA" });
  assert.equal(stored.phase, "stored");
  const next = nextState(stored, offered([line("COCO-DUDA")], 3));
  assert.deepEqual([next.phase, next.text, next.sent, next.moves.length], ["idle", "", null, 1]);
});

test("a phase for each verdict", () => {
  const picked = after(typed("x"));
  assert.equal(tried(picked, GOOD).phase, "tried");
  assert.equal(tried(picked, UNKNOWN).phase, "offline");
  assert.equal(tried(picked, { problem: problem("overloaded", 503) }).phase, "offline");
  assert.equal(tried(picked, BROKEN).phase, "refused");
});

test("the answer to an earlier trial does not count", () => {
  const first = after(typed("x"));
  const second = nextState(first, typed("xy"));
  assert.equal(nextState(second, { type: "tried", trial: first.trial, verdict: GOOD, begun: false }), second);
  const again = nextState(second, { type: "trying" });
  assert.equal(nextState(again, { type: "tried", trial: second.trial, verdict: GOOD, begun: false }), again);
});

test("the last verdict stays below the field until the next one, and disappears with the text", () => {
  const seen = tried(after(typed("x")), BROKEN);
  const typing = nextState(seen, typed("xy"));
  assert.deepEqual([typing.phase, typing.verdict, typing.shown], ["picked", null, BROKEN]);
  assert.equal(nextState(typing, typed("")).shown, null);
});

test("a text is shown again after entries of others, and not after own ones", () => {
  const chosen = after(offered([line("+")], 2), typed("+"));
  assert.deepEqual(
    [2, 3].map((newest) => isOvertaken(chosen, newest)),
    [false, true],
  );
  const seen = tried(chosen, GOOD);
  assert.deepEqual(
    [2, 3].map((newest) => isOvertaken(seen, newest)),
    [false, true],
  );
  const moved = nextState(seen, offered([line("+")], 3));
  assert.ok(isOvertaken(moved, 3));
  assert.ok(!isOvertaken(tried(moved, { ...GOOD, head: 3 }), 3));
  assert.ok(!isOvertaken(tried(moved, UNKNOWN), 3), "without a connection it can be recorded");
  assert.ok(!isOvertaken(nextState(moved, typed("-", "", 3)), 3), "another text is for the moves that are offered");
  const late = nextState(chosen, typed("-", "", 3));
  assert.ok(!isOvertaken(late, 3), "what is typed after the entry of others is for that moment");
  assert.ok(isOvertaken(late, 3, late.head), "and what is picked among the moves before it is not");
  const own = nextState(chosen, { type: "delivered", id: "1", version: 3, text: "BARI-DUDA" });
  assert.deepEqual(
    [3, 4].map((newest) => isOvertaken(own, newest)),
    [false, true],
  );
  assert.ok(!isOvertaken(nextState(own, offered([line("+")], 3)), 3));
});

test("the beginning of a move is no mistake before somebody records it", () => {
  const verdict = { problem: problem("bad-notation"), head: 2 };
  const state = tried(after(typed("BA")), verdict, true);
  assert.deepEqual([state.phase, state.shown], ["refused", null]);
  assert.equal(nextState(state, { type: "insisted" }).shown, verdict);
});

test("a broken rule can have a reason, and an impossible move cannot", () => {
  assert.ok(tried(after(typed("x")), BROKEN).overridable);
  assert.ok(
    !tried(after(typed("x")), { problem: problem("rule-broken", 422, { impossible: "taken" }), head: 2 }).overridable,
  );
  assert.ok(!tried(after(typed("x")), { problem: problem("bad-notation"), head: 2 }).overridable);
});

test("a reason stays while the move is changed, and goes when it is cleared", () => {
  const state = after(typed("x"), { type: "reasoned", reason: "agreed" }, typed("xy"));
  assert.deepEqual([state.reason, state.overridable], ["agreed", true]);
  const cleared = nextState(state, typed(""));
  assert.deepEqual([cleared.reason, cleared.overridable], ["", false]);
});

test("a move that the service refused comes back into the field", () => {
  const state = nextState(after(typed("x"), { type: "sent", id: "1" }), { type: "failed", id: "1", verdict: BROKEN });
  assert.deepEqual([state.phase, state.text, state.sent, state.shown], ["refused", "x", null, BROKEN]);
});

test("a refused move does not replace a newer text", () => {
  const state = after(typed("x"), { type: "sent", id: "1" }, typed("y"));
  assert.equal(nextState(state, { type: "failed", id: "1", verdict: BROKEN }), state);
});

test("a refused move is not sent, and a sent one is not sent twice", () => {
  const refused = tried(after(typed("x")), BROKEN);
  assert.equal(nextState(refused, { type: "sent", id: "1" }), refused);
  const sent = after(typed("x"), { type: "sent", id: "1" });
  assert.equal(nextState(sent, { type: "sent", id: "2" }), sent);
  assert.equal(nextState(INITIAL_STATE, { type: "sent", id: "1" }), INITIAL_STATE);
});

test("newer moves wait until the sent entry is stored", () => {
  const moves = [line("x")];
  const sent = after(offered(moves), typed("x"), { type: "sent", id: "1" }, offered([line("y")], 3));
  assert.deepEqual([sent.phase, sent.sent.held, sent.moves], ["sent", true, moves]);
});

test("a verdict is valid until something is recorded", () => {
  const seen = tried(after(typed("x")), GOOD);
  assert.equal(nextState(seen, offered([], 2)).phase, "tried");
  const later = nextState(seen, offered([], 3));
  assert.deepEqual([later.phase, later.text], ["picked", "x"]);
  assert.ok(later.trial > seen.trial);
});

test("a proposed move disappears when others are possible, and a typed one stays", () => {
  const ready = after(offered([line("pass")]), { type: "prepared", line: line("pass") });
  assert.deepEqual([ready.phase, ready.text, ready.ready], ["picked", "pass", "pass"]);
  assert.equal(nextState(ready, offered([line("build")], 3)).text, "");
  assert.equal(after(typed("pass"), offered([line("build")], 3)).text, "pass");
});

test("the only move is proposed, unless something must be chosen, filled in or typed", () => {
  const only = line("pass");
  assert.equal(onlyMove(after(offered([only]))), only);
  assert.equal(onlyMove(after(offered([only, line("gold ?", { aside: true })]))), only);
  assert.equal(onlyMove(after(offered([only, line("build")]))), null);
  assert.equal(onlyMove(after(offered([line("draw ?")]))), null);
  assert.equal(onlyMove(after(offered([only]), typed("p"))), null);
  assert.equal(onlyMove(after(offered(null))), null);
});

test("the picked move keeps its blanks while the text belongs to it", () => {
  const draw = line("draw");
  const picked = after(offered([draw]), typed("draw"), { type: "picked", line: draw });
  assert.equal(nextState(picked, typed("draw BARI", "draw BARI")).asked, draw);
  assert.equal(nextState(picked, typed("dra")).asked, null);
});

test("irregular moves are offered only on request", () => {
  const turned = after({ type: "toggled" });
  assert.ok(turned.anyway);
  assert.equal(nextState(turned, offered([line("x")], 2, false)), turned);
  assert.equal(nextState(turned, offered([line("x")], 2, true)).moves.length, 1);
  assert.ok(!nextState(turned, { type: "begun" }).anyway);
});

test("stored lines are known until the next moves are loaded", () => {
  const stored = after({ type: "delivered", id: "1", version: 3, text: "r1 bid 1 2" });
  assert.deepEqual(stored.entered, [{ version: 3, text: "r1 bid 1 2" }]);
  assert.equal(nextState(stored, offered([], 2)).entered.length, 1);
  assert.equal(nextState(stored, offered(null, 3)).entered.length, 1);
  assert.equal(nextState(stored, offered([], 3)).entered.length, 0);
  assert.equal(after({ type: "delivered", id: "1", version: null, text: "x" }).entered.length, 0);
});

const ACTIONS = {
  typed: (random) => typed(random.of(["", "x", "xy", "pass"]), random.of(["", "x"])),
  reasoned: (random) => ({ type: "reasoned", reason: random.of(["", " ", "agreed"]) }),
  picked: (random) => ({ type: "picked", line: random.of([null, line("x"), line("pass")]) }),
  prepared: () => ({ type: "prepared", line: line("pass") }),
  tapped: (random) => ({ type: "tapped", place: random.of(["A", "B"]) }),
  said: (random) => ({ type: "chosen", place: random.of(["", "A", "B"]) }),
  trying: () => ({ type: "trying" }),
  tried: (random, state) => ({
    type: "tried",
    trial: state.trial - random.below(2),
    verdict: random.of([
      GOOD,
      UNKNOWN,
      BROKEN,
      { problem: problem("bad-notation"), head: 2 },
      { problem: problem("fault", 500), head: 2 },
    ]),
    begun: random.of([true, false]),
  }),
  insisted: () => ({ type: "insisted" }),
  sent: (random) => ({ type: "sent", id: random.of(["1", "2", "3"]) }),
  delivered: (random) => ({
    type: "delivered",
    id: random.of(["1", "2", "3"]),
    version: random.of([null, 1, 2, 3]),
    text: "x",
  }),
  failed: (random) => ({ type: "failed", id: random.of(["1", "2", "3"]), verdict: BROKEN }),
  begun: () => ({ type: "begun" }),
  turned: () => ({ type: "toggled" }),
  offered: (random) =>
    offered(random.of([null, [], [line("x")], [line("pass"), line("xy")]]), random.below(4), random.of([true, false])),
};

test("any sequence of actions leaves a legal state, and numbers trials upwards", () => {
  const reached = new Set();
  forSeeds(400, (random) => {
    let state = INITIAL_STATE;
    for (let step = 0; step < 60; step += 1) {
      const action = ACTIONS[random.of(Object.keys(ACTIONS))](random, state);
      const frozen = JSON.stringify(state);
      const next = nextState(state, action);
      assert.equal(JSON.stringify(state), frozen, `${action.type} changed the state that it got`);
      assertLegal(next);
      assert.ok(next.trial >= state.trial);
      reached.add(next.phase);
      state = next;
    }
  });
  assert.deepEqual(reached, new Set(["idle", "offline", "picked", "refused", "sent", "stored", "tried"]));
});

test("in every state a cleared field is idle, and a typed move can be recorded", () => {
  forSeeds(200, (random) => {
    let state = INITIAL_STATE;
    for (let step = 0; step < 30; step += 1)
      state = nextState(state, ACTIONS[random.of(Object.keys(ACTIONS))](random, state));
    assert.equal(nextState(state, typed("")).phase, "idle");
    const seen = tried(nextState(state, typed("x")), GOOD);
    assert.equal(nextState(seen, { type: "sent", id: "new" }).phase, "sent");
  });
});

test("a store reports a new state, and not an equal one", () => {
  const store = new Store((state, action) => Math.max(0, state + action), 1);
  const seen = [];
  store.addEventListener("change", () => seen.push(store.state));
  for (const action of [1, 0, -5, -1]) store.dispatch(action);
  assert.deepEqual(seen, [2, 0]);
});
