/** Which cell the keys of a keypad fill in. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { JS } from "./pages.mjs";
import { forSeeds } from "./random.mjs";

const { columnOf, INITIAL_FILLING, nextFilling } = await import(new URL("sheet/filling.js", JS));

const after = (...actions) => actions.reduce(nextFilling, INITIAL_FILLING);
const begun = (index) => ({ type: "begun", index });
const chosen = (index) => ({ type: "chosen", index });
const moved = (index) => ({ type: "moved", index });
const changing = (at, text = "") => ({ type: "changing", cell: { at, text, typed: false } });
const typed = (text, fresh = false) => ({ type: "typed", text, fresh });
const replaced = (more) => ({ type: "replaced", index: 2, taken: true, typed: false, ...more });
const place = ({ phase, index }) => [phase, index];

test("a line begins, and goes on to the next field: the next digit replaces a value there", () => {
  assert.deepEqual(after(begun(1)), { phase: "begun", index: 1, fresh: true, cell: null });
  assert.equal(after(begun(1), typed("4")).fresh, false);
  assert.deepEqual(after(begun(1), typed("4"), moved(2)), { phase: "begun", index: 2, fresh: true, cell: null });
  assert.equal(after(begun(1), typed("4"), typed("20", true)).fresh, true, "a whole value is complete");
});

test("a line that others take is lost, if it had values or somebody chose its field", () => {
  const lost = { phase: "lost", index: -1, fresh: true, cell: null };
  assert.deepEqual(after(begun(0), replaced()), { phase: "begun", index: 2, fresh: true, cell: null });
  assert.deepEqual(after(begun(0), replaced({ typed: true })), lost);
  assert.deepEqual(after(chosen(0), replaced()), lost);
  assert.deepEqual(after(chosen(0), replaced({ taken: false })), after(begun(2)), "the person opened another one");
});

test("a lost line stays lost until somebody goes on", () => {
  const lost = [chosen(0), replaced()];
  assert.deepEqual(place(after(...lost, replaced())), ["lost", -1]);
  assert.deepEqual(place(after(...lost, moved(0))), ["chosen", 0]);
  assert.deepEqual(place(after(...lost, replaced({ taken: false }))), ["begun", 2]);
});

test("a cell is changed alone, and no other line ends that", () => {
  const changed = after(chosen(1), typed("4"), changing("r1 p2", "20"));
  assert.deepEqual(changed.cell, { at: "r1 p2", text: "20", typed: false });
  assert.deepEqual([changed.phase, changed.fresh], ["cell", true]);
  const filled = nextFilling(changed, typed("7"));
  assert.deepEqual([filled.cell, filled.fresh], [{ at: "r1 p2", text: "7", typed: true }, false]);
  assert.equal(nextFilling(filled, replaced({ typed: true })), filled);
  for (const action of [begun(0), chosen(0)]) assert.deepEqual(nextFilling(filled, action), after(action));
});

const ACTIONS = [
  (random) => begun(random.below(3)),
  (random) => chosen(random.below(3)),
  (random, { phase }) => (phase === "cell" ? typed("") : moved(random.below(3))), // Next records a cell
  (random) => replaced({ taken: random.of([true, false]), typed: random.of([true, false]) }),
  (random) => changing("r1 p1", random.of(["", "5"])),
  (random) => typed(random.of(["", "5"]), random.of([true, false])),
];

test("any sequence of actions leaves a legal state", () => {
  const reached = new Set();
  forSeeds(100, (random) => {
    let state = INITIAL_FILLING;
    for (let step = 0; step < 40; step += 1) {
      const action = random.of(ACTIONS)(random, state);
      const frozen = JSON.stringify(state);
      const next = nextFilling(state, action);
      assert.equal(JSON.stringify(state), frozen, `${action.type} changed the state that it got`);
      assert.equal(next.cell !== null, next.phase === "cell");
      if (next.phase !== "cell") assert.equal(next.index < 0, next.phase === "lost");
      reached.add(next.phase);
      state = next;
    }
  });
  assert.deepEqual(reached, new Set(["begun", "cell", "chosen", "lost"]));
});

test("a cell has the column that its name says, or the first one of each round, or the first one of all", () => {
  const columns = [
    { id: "trump", shared: true, per: "round" },
    { id: "place", per: "game" },
    { id: "bid", per: "round" },
  ];
  const named = (at, of = columns) => columnOf(of, at).id;
  assert.deepEqual([named("p1 place"), named("r3 trump"), named("r3 p2")], ["place", "trump", "bid"]);
  assert.equal(named("p1", columns.slice(0, 2)), "place");
});
