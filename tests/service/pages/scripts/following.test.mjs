import assert from "node:assert/strict";
import { test } from "node:test";
import { JS } from "./pages.mjs";

const { clockText } = await import(new URL("base/following.js", JS));

test("a clock shows the time left in a round, or the time since its end", () => {
  assert.equal(clockText(90_000, 0), "1:30");
  assert.equal(clockText(60_000, 100), "1:00");
  assert.equal(clockText(1_000, 1_000), "0:00");
  assert.equal(clockText(0, 65_000), "−1:05");
  assert.equal(clockText(3_600_000, 0), "60:00");
});
