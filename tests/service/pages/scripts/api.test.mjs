import assert from "node:assert/strict";
import { test } from "node:test";
import {
  embed,
  get,
  getChanged,
  getText,
  serviceTime,
  isTemporary,
  post,
  put,
  remove,
  Unreachable,
} from "../../../../service/pages/static/js/base/api.js";
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

test("the clock of the service decides when something expires", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: Date.parse("2031-05-01T12:00:00Z") });
  await answerAt(TIME);
  assert.equal(serviceTime(), TIME);
  assert.equal(timeLeft(new Date(TIME + 30 * 60_000).toISOString()), "30 minutes are left.");
  context.mock.timers.tick(90_000);
  assert.equal(timeLeft(new Date(TIME + 30 * 60_000).toISOString()), "29 minutes are left.");
  assert.equal(timeLeft(new Date(TIME + 90_000).toISOString()), "It has expired.");
});

test("an answer without a time does not change the known clock", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 0 });
  await answerAt(TIME);
  await answerAt(null);
  assert.equal(serviceTime(), TIME);
});

test("a write names the person of the page or the recorder of the entry, and a read names nobody", async () => {
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

const OVERLOADED = { type: "/problems/overloaded", title: "Too much to do", status: 503, detail: "come again" };

/** What comes of a question while the service refuses it so often, and says to come again after so many seconds. */
function refusedAtFirst(times, wait, question) {
  let asked = 0;
  globalThis.document = { body: { dataset: { release: "1" } } };
  globalThis.fetch = async () => {
    asked += 1;
    const headers = { "Kifu-Release": "1", "Retry-After": String(wait), "Content-Type": "application/problem+json" };
    return asked > times
      ? new Response("{}", { headers })
      : new Response(JSON.stringify(OVERLOADED), { status: 503, headers });
  };
  embed({});
  return question().then(
    () => ({ asked }),
    (failed) => ({ asked, failed }),
  );
}

test("a read is repeated for a while at an overloaded service, after the time that the service names", async (context) => {
  context.mock.method(Math, "random", () => 0);
  const waited = [];
  const later = globalThis.setTimeout;
  context.mock.method(globalThis, "setTimeout", (work, milliseconds) => {
    if (milliseconds < 15_000) waited.push(milliseconds);
    return later(work, milliseconds < 15_000 ? 0 : milliseconds);
  });
  const read = () => get("/v1/games/1");
  assert.deepEqual(await refusedAtFirst(2, 1, read), { asked: 3 });
  assert.deepEqual(waited, [1_000, 1_000]);
  const silent = await refusedAtFirst(1, 0, read);
  assert.ok(silent.asked === 1 && isTemporary(silent.failed), "it does not say when");
  assert.equal((await refusedAtFirst(1, 60, read)).asked, 1, "nobody waits so long");
  const written = await refusedAtFirst(1, 1, () => post("/v1/games", {}));
  assert.ok(written.asked === 1 && isTemporary(written.failed), "what writes is tried again by who wrote it");
});

/** What comes of a question when the network answers with this. */
function answeredWith(answer, question) {
  globalThis.document = { body: { dataset: { release: "1" } } };
  globalThis.fetch = async (_path, { signal }) => answer(signal);
  embed({});
  return question();
}

test("a page of a network that wants a log-in first is no answer, also with status 200", async () => {
  const portal = () => new Response("<h1>Welcome to our Wi-Fi</h1>", { headers: { "Content-Type": "text/html" } });
  const questions = [
    () => get("/v1/games/1"),
    () => getText("/v1/games/1/board.svg"),
    () => post("/v1/games", {}),
    () => remove("/v1/shares/1"),
  ];
  for (const question of questions) await assert.rejects(answeredWith(portal, question), Unreachable);
  const file = () => new Response("export {}", { headers: { "Cache-Control": "max-age=1, immutable" } });
  assert.equal(await answeredWith(file, () => getText("/static/1/js/game.js")), "export {}");
});

const OWN = { "Kifu-Release": "1" };
const bytes = (text) => new TextEncoder().encode(text);

test("an answer without a body is an answer, although browsers give it an empty one", async () => {
  const empty = (status) => () =>
    Object.defineProperty(new Response(null, { status, headers: OWN }), "body", { value: new ReadableStream() });
  assert.equal(await answeredWith(empty(304), () => getChanged("/v1/games/1", '"1"')), null);
  assert.equal(await answeredWith(empty(204), () => remove("/v1/shares/1")), undefined);
});

test("an answer that is cut is no answer", async () => {
  const cut = () => new Response('{"version": 1', { headers: OWN });
  await assert.rejects(
    answeredWith(cut, () => post("/v1/games", {})),
    Unreachable,
  );
});

test("a body that stops on its way is given up, and one that is slow arrives", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  /** Pass that much time in steps, between which everything goes on. */
  const pass = async (seconds) => {
    for (let step = 0; step < seconds; step += 1) {
      context.mock.timers.tick(1_000);
      await new Promise(setImmediate);
    }
  };
  /** @type {ReadableStreamDefaultController} */
  let body;
  const begun = (signal) => {
    const parts = new ReadableStream({ start: (given) => (body = given) });
    signal.addEventListener("abort", () => body.error(signal.reason));
    return new Response(parts, { headers: OWN });
  };
  const slow = answeredWith(begun, () => post("/v1/games", {}));
  await pass(10);
  body.enqueue(bytes('{"version":'));
  await pass(10);
  body.enqueue(bytes(" 7}"));
  body.close();
  assert.deepEqual(await slow, { version: 7 });
  const given = assert.rejects(
    answeredWith(begun, () => post("/v1/games", {})),
    Unreachable,
  );
  await pass(2);
  body.enqueue(bytes('{"version":'));
  await pass(20);
  await given;
});
