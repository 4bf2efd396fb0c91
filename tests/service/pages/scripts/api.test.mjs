import assert from "node:assert/strict";
import { test } from "node:test";
import { embed, get, now, post, put } from "../../../../service/pages/static/js/base/api.js";
import { timeLeft } from "../../../../service/pages/static/js/people/invitation.js";

const TIME = Date.parse("2026-11-29T12:00:00Z");

/** Answer the next question with this time in its header, or without any. */
async function answerAt(date) {
  globalThis.document = { body: { dataset: { release: "1" } } };
  const headers = { "Kifu-Release": "1", ...(date && { Date: new Date(date).toUTCString() }) };
  globalThis.fetch = async () => new Response("{}", { headers });
  embed({});
  await get("/v1/token");
}

test("what is soon over is over by the clock of the service", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: Date.parse("2031-05-01T12:00:00Z") });
  await answerAt(TIME);
  assert.equal(now(), TIME);
  assert.equal(timeLeft(new Date(TIME + 30 * 60_000).toISOString()), "30 minutes are left.");
  context.mock.timers.tick(90_000);
  assert.equal(timeLeft(new Date(TIME + 30 * 60_000).toISOString()), "29 minutes are left.");
  assert.equal(timeLeft(new Date(TIME + 90_000).toISOString()), "Its time is over.");
});

test("an answer without a time leaves what is known of the clock", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 0 });
  await answerAt(TIME);
  await answerAt(null);
  assert.equal(now(), TIME);
});

test("what is written names the person of the page, or who entered it, and what is read names nobody", async () => {
  const named = [];
  globalThis.fetch = async (_path, { headers }) => {
    named.push(headers["Kifu-Person"]);
    return new Response("{}", { headers: { "Kifu-Release": "1" } });
  };
  for (const person of ["ben", undefined]) {
    globalThis.document = { body: { dataset: { release: "1", person } } };
    embed({});
    await get("/v1/token");
    await put("/v1/players/1", {});
    await post("/v1/games", {});
    await post("/v1/games/1/events", {}, { by: "aiko" });
  }
  assert.deepEqual(named, [undefined, "ben", "ben", "aiko", undefined, undefined, undefined, "aiko"]);
});
