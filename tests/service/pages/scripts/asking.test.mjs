/** What others record is looked for now and then where there can be no stream: a game's page and the list do so. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { JS } from "./pages.mjs";
import { settled } from "./document.mjs";

const { embed } = await import(new URL("base/api.js", JS));
const { Connection } = await import(new URL("base/connection.js", JS));
const { follow } = await import(new URL("record/follower.js", JS));
const { ListFollower } = await import(new URL("record/gamelist.js", JS));
const { GameRecord } = await import(new URL("record/record.js", JS));

const RELEASE = { "Kifu-Release": "1" };
/** What was asked for, without streams; and what answers, by the end of the path. */
let asked;
let answers;
/** The rows in an answer of the list. */
let rows;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  [asked, answers, rows] = [[], {}, []];
  globalThis.addEventListener = () => {};
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  globalThis.location = { href: "/?q=x", pathname: "/", search: "?q=x" };
  globalThis.CSS = { escape: String };
  globalThis.BroadcastChannel = class extends EventTarget {
    postMessage() {}
    close() {}
  };
  globalThis.DOMParser = class {
    parseFromString() {
      return { querySelectorAll: (selector) => (selector.includes("data-game") ? rows : []) };
    }
  };
  Object.assign(document, {
    addEventListener() {},
    getElementById: () => null,
    querySelector: () => null,
    adoptNode: (node) => node,
    visibilityState: "visible",
  });
  document.body.dataset.release = "1";
  globalThis.fetch = async (path) => {
    if (path.includes("/stream")) return new Response("{}", { status: 503, headers: RELEASE });
    asked.push(path);
    const [, answer] = Object.entries(answers).find(([part]) => path.includes(part)) ?? [];
    if (!answer) throw new TypeError("no network");
    return new Response(answer(path), { headers: RELEASE });
  };
});

/** Let so much time pass, with all that is answered meanwhile. */
async function pass(milliseconds) {
  mock.timers.tick(milliseconds);
  await settled();
}

/** The entries after this address begins, of a game that has so many. */
function timeline(path, version) {
  const after = Number(new URL(path, "http://a").searchParams.get("after"));
  const entries = Array.from({ length: version - after }, (_, at) => after + at + 1);
  const lines = entries.map((each) => ({ version: each, place: each, type: "move.made" }));
  return { version, entries: lines, people: {}, next: null };
}

/** Let the service have a game with so many entries, as `version` says at each question. */
function serve(version) {
  answers["/timeline"] = (path) => JSON.stringify(timeline(path, version()));
  answers["/v1/games/1"] = () => JSON.stringify({ version: version() });
}

test("a game's page without a stream polls, and only reports that nobody answers", async () => {
  let version = 2;
  serve(() => version);
  const [record, connection] = [new GameRecord("1", null, {}), new Connection()];
  await record.refresh();
  follow(record, connection);
  version = 3;
  await pass(4_000);
  assert.deepEqual([record.head, record.at, connection.up], [3, 3, true]);
  answers = {};
  await pass(4_000);
  assert.ok(!connection.up);
  serve(() => 4);
  await pass(4_000);
  assert.deepEqual([record.head, connection.up], [4, true]);
});

test("a page shows a whole game that grew after the page was made", async () => {
  serve(() => 3);
  const record = new GameRecord("1", null, {});
  const path = record.address("timeline", { after: 0, limit: 1000, brief: true });
  embed({ [path]: { body: timeline(path, 2), tag: null } });
  await record.refresh();
  assert.equal(record.head, 3);
});

test("a list without a stream polls, and only reports that nobody answers", async () => {
  const connection = new Connection();
  answers["/?q=x"] = () => "<ol></ol>";
  new ListFollower({ dataset: { position: "7" } }, connection);
  const looks = () => asked.filter((path) => path === "/?q=x").length;
  await pass(14_000);
  assert.equal(looks(), 0);
  await pass(1_000);
  assert.deepEqual([looks(), connection.up], [1, true]);
  answers = {};
  await pass(15_000);
  assert.deepEqual([looks(), connection.up], [2, false]);
  answers["/?q=x"] = () => "<ol></ol>";
  await pass(15_000);
  assert.deepEqual([looks(), connection.up], [3, true]);
  document.visibilityState = "hidden";
  await pass(15_000);
  const before = looks();
  await pass(60_000);
  assert.equal(looks(), before, "nobody looks at it");
});

test("a late answer does not put an older game into the list", async () => {
  const shown = [];
  const own = { dataset: { game: "1", version: "3" }, style: {}, getBoundingClientRect: () => ({ height: 1 }) };
  own.isEqualNode = ({ dataset }) => shown.push(dataset.version);
  answers["/?q=x"] = () => "<ol></ol>";
  document.querySelector = (selector) => (selector.includes("data-game") ? own : {});
  new ListFollower(Object.assign(document.createElement("div"), { dataset: { position: "7" } }), new Connection());
  for (const version of ["2", "3", "4"]) {
    rows = [{ dataset: { game: "1", version } }];
    await pass(15_000);
  }
  assert.deepEqual(shown, ["3", "4"]);
});
