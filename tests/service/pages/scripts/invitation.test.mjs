import assert from "node:assert/strict";
import { test } from "node:test";
import { JS } from "./pages.mjs";

const { timeLeft, untilChange } = await import(new URL("people/invitation.js", JS));

test("the time left of an invitation is updated when its words change, and not after its end", () => {
  assert.equal(untilChange(0), 0);
  assert.equal(untilChange(-5_000), 0);
  assert.equal(untilChange(30_000), 30_000);
  assert.equal(untilChange(61_000), 61_000);
  assert.equal(untilChange(61_001), 1);
  assert.equal(untilChange(30 * 60_000 + 500), 59_500);
});

test("the words change at that moment and not earlier", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 0 });
  for (const left of [1_700_000, 181_000, 61_001, 61_000, 20]) {
    context.mock.timers.setTime(0);
    const ends = new Date(left).toISOString();
    const text = timeLeft(ends);
    context.mock.timers.setTime(untilChange(left) - 1);
    assert.equal(timeLeft(ends), text);
    context.mock.timers.setTime(untilChange(left));
    assert.notEqual(timeLeft(ends), text);
  }
});
