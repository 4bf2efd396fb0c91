import assert from "node:assert/strict";
import { test } from "node:test";
import { JS } from "./pages.mjs";

const { timeLeft, msUntilChange } = await import(new URL("people/invitation.js", JS));

test("the time left of an invitation is updated when its words change, and not after its end", () => {
  assert.equal(msUntilChange(0), 0);
  assert.equal(msUntilChange(-5_000), 0);
  assert.equal(msUntilChange(30_000), 30_000);
  assert.equal(msUntilChange(61_000), 61_000);
  assert.equal(msUntilChange(61_001), 1);
  assert.equal(msUntilChange(30 * 60_000 + 500), 59_500);
});

test("the words change at that moment and not earlier", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 0 });
  for (const left of [1_700_000, 181_000, 61_001, 61_000, 20]) {
    context.mock.timers.setTime(0);
    const ends = new Date(left).toISOString();
    const text = timeLeft(ends);
    context.mock.timers.setTime(msUntilChange(left) - 1);
    assert.equal(timeLeft(ends), text);
    context.mock.timers.setTime(msUntilChange(left));
    assert.notEqual(timeLeft(ends), text);
  }
});
