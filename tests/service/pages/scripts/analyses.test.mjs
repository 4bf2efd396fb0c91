/** Analyses that are followed: by a stream where one is free, and by asking now and then. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { JS } from "./pages.mjs";
import { settled } from "./document.mjs";

const { followAnalysis } = await import(new URL("analysis/following.js", JS));

/** What was asked for, and the status of each analysis; what its stream brings first. */
let asked;
let statuses;
let streamed;
const OWN = { headers: { "Kifu-Release": "1" } };

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  [asked, statuses, streamed] = [[], {}, {}];
  globalThis.addEventListener = () => {};
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  globalThis.BroadcastChannel = class extends EventTarget {
    postMessage() {}
    close() {}
  };
  Object.assign(document, { addEventListener() {}, getElementById: () => null, visibilityState: "visible" });
  document.body.dataset.release = "1";
  globalThis.fetch = async (path) => {
    asked.push(path);
    const [, id, stream] = /^\/(\w)(\/stream)?/.exec(path);
    if (!stream) return Response.json({ id, status: statuses[id] ?? "running" }, OWN);
    const lines = new ReadableStream({
      start: (to) => streamed[id] && to.enqueue(new TextEncoder().encode(`${JSON.stringify(streamed[id])}\n`)),
    });
    return new Response(lines, OWN);
  };
});

/** Follow analyses; what they showed, and what ends it. */
async function followed(...ids) {
  const [shown, stop] = [[], new AbortController()];
  for (const id of ids) followAnalysis(`/${id}`, (found) => shown.push(`${found.id} ${found.status}`), stop.signal);
  await settled();
  return { shown, stop };
}

async function pass(milliseconds) {
  mock.timers.tick(milliseconds);
  await settled();
}

const streams = () => asked.filter((path) => path.includes("/stream")).map((path) => path[1]);
/** How often an analysis itself was asked for meanwhile. */
async function asks(id, milliseconds) {
  asked = [];
  await pass(milliseconds);
  return asked.filter((path) => path === `/${id}`).length;
}

test("two analyses have a stream at a time; the next gets one when the first ends", async () => {
  const { shown, stop } = await followed("a", "b", "c");
  assert.deepEqual(streams(), ["a", "b"]);
  statuses.a = "done";
  await pass(1_000);
  assert.deepEqual(streams(), ["a", "b", "c"]);
  assert.ok(shown.includes("a done"));
  stop.abort();
});

test("an analysis is not requested again after the right to see it has ended", async () => {
  streamed.a = { event: "gone", id: 1 };
  await followed("a");
  await settled();
  assert.equal(await asks("a", 10_000), 0);
});

test("nothing is requested after the last follower stops", async () => {
  const { stop } = await followed("a");
  assert.equal(await asks("a", 1_000), 1);
  stop.abort();
  assert.equal(await asks("a", 10_000), 0);
});

test("a hidden page requests nothing, and continues when it is visible again", async () => {
  document.visibilityState = "hidden";
  const { shown, stop } = await followed("a");
  assert.equal(await asks("a", 1_000), 0);
  document.visibilityState = "visible";
  await pass(1_000);
  assert.deepEqual(shown, ["a running"]);
  stop.abort();
});
