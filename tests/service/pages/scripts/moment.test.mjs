/** The moment of a game that is looked at, and the moments that somebody marked. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { JS } from "./pages.mjs";
import { h } from "../../../../service/pages/static/js/base/dom.js";
import { settled, texts } from "./document.mjs";

const { Moment } = await import(new URL("record/moment.js", JS));
const { showBookmarks } = await import(new URL("record/bookmarks.js", JS));

const OWN = { headers: { "Kifu-Release": "1" } };
/** The requests that wait for an answer, by address: each is answered or refused, and may be stopped. */
let asked;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  document.body.dataset.release = "1";
  asked = [];
  globalThis.fetch = (path, { signal }) =>
    new Promise((answer, refuse) => {
      asked.push({ path, signal, answer: () => answer(Response.json({ path }, OWN)), refuse });
      signal.addEventListener("abort", () => refuse(signal.reason));
    });
});

/** A record at an entry, its moment, and what is shown of it. */
function looking(at) {
  const record = Object.assign(new EventTarget(), {
    at,
    address: (part, { after } = {}) => `/${part}${after ? `?after=${after}` : ""}`,
  });
  const [moment, shown] = [new Moment(record), []];
  moment.addEventListener("moment", ({ detail }) => shown.push(detail.missing ?? detail.at));
  const go = async (to, now) => {
    mock.method(performance, "now", () => now);
    record.at = to;
    record.dispatchEvent(new Event("position"));
    await settled();
  };
  return { moment, shown, go };
}

const paths = () => asked.map(({ path }) => path);
async function answerAll(of = asked.splice(0)) {
  for (const each of of) each.answer();
  await settled();
}

test("a step is loaded at once, with its state and its board, and a slider only where it rests", async () => {
  const { shown, go } = looking(0);
  await go(3, 1_000);
  assert.deepEqual(paths(), ["/state?after=3", "/board.svg?after=3"]);
  await answerAll();
  assert.deepEqual(shown, [3]);
  await go(4, 1_020);
  await go(5, 1_040);
  assert.deepEqual(paths(), []);
  mock.timers.tick(60);
  assert.deepEqual(paths(), ["/state?after=5", "/board.svg?after=5"]);
  await answerAll();
  assert.deepEqual(shown, [3, 5]);
});

test("an answer about a moment that was left is not waited for, and not shown", async () => {
  const { shown, go } = looking(0);
  await go(3, 1_000);
  const left = asked.splice(0);
  await go(4, 2_000);
  assert.ok(left.every(({ signal }) => signal.aborted));
  await answerAll();
  await answerAll(left);
  assert.deepEqual(shown, [4]);
});

test("a moment that cannot be loaded says so and is tried again, until another one is looked at", async () => {
  const { moment, shown, go } = looking(0);
  const first = moment.load();
  for (const { refuse } of asked.splice(0)) refuse(new TypeError("no network"));
  await first;
  assert.deepEqual(shown, ["No connection: this moment cannot be shown now."]);
  mock.timers.tick(3_000);
  assert.deepEqual(paths(), ["/state", "/board.svg"]);
  for (const { refuse } of asked.splice(0)) refuse(new TypeError("no network"));
  await settled();
  await go(2, 1_000);
  asked = [];
  mock.timers.tick(3_000);
  assert.deepEqual(paths(), []);
});

test("who waits for a moment goes on once one with entries is shown, or none can be", async () => {
  const { moment, go } = looking(0);
  let on = false;
  moment.shown.then(() => (on = true));
  const empty = moment.load();
  await answerAll();
  await empty;
  assert.equal(on, false);
  await go(1, 1_000);
  await answerAll();
  assert.equal(on, true);
});

test("the marked moments are links to their entries, without those that were taken back", () => {
  const record = Object.assign(new EventTarget(), {
    order: [
      { version: 4, bookmark: true, entry: 2, text: "the turn" },
      { version: 5, bookmark: true, text: "the end" },
      { version: 6, bookmark: true, text: "a slip", withdrawn_by: 7 },
      { version: 8, text: "a note" },
    ],
  });
  const element = h("section", {});
  showBookmarks(element, record);
  const drawn = () => {
    record.dispatchEvent(new Event("entries"));
    return texts(element, "a");
  };
  assert.deepEqual(drawn(), ["★ the turn entry 2", "★ the end entry 5"]);
  assert.deepEqual(
    element.all("a").map((link) => link.getAttribute("href")),
    ["#2", "#5"],
  );
  assert.equal(element.hidden, false);
  record.order = [];
  drawn();
  assert.equal(element.hidden, true);
});
