/** What others record is looked for now and then where there can be no stream: a game's page and the list do so. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { JS } from "./pages.mjs";
import { settled } from "./document.mjs";

const { embed, get, Problem } = await import(new URL("base/api.js", JS));
const { h } = await import(new URL("base/dom.js", JS));
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
/** The stream, as long as it lasts; and what brings one of its events to the page that was opened last. */
let stream;
let tell;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  [asked, answers, rows] = [[], {}, []];
  stream = new Response("{}", { status: 503, headers: RELEASE });
  globalThis.addEventListener = () => {};
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  globalThis.location = { href: "/?q=x", pathname: "/", search: "?q=x" };
  globalThis.CSS = { escape: String };
  globalThis.BroadcastChannel = class extends EventTarget {
    postMessage() {}
    close() {}
    addEventListener(_, hear) {
      tell = async (data) => {
        hear({ data });
        await settled();
      };
    }
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
    if (path.includes("/stream")) return stream;
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

test("an entry of others leaves the chosen one, whether somebody chose before it came or while it is read", async () => {
  for (const [choosesAt, shown] of [
    ["before", 1],
    ["meanwhile", 1],
    ["never", 3],
  ]) {
    let version = 2;
    serve(() => version);
    const record = new GameRecord("1", null, {});
    await record.refresh();
    if (choosesAt === "before") record.goTo(1);
    version = 3;
    const { "/timeline": read } = answers;
    answers["/timeline"] = (path) => {
      if (choosesAt === "meanwhile") record.goTo(1);
      return read(path);
    };
    await record.refresh();
    assert.deepEqual([record.head, record.at], [3, shown], choosesAt);
  }
});

test("a game's page without a stream polls, and only reports that nobody answers", async () => {
  let version = 2;
  serve(() => version);
  const [record, connection] = [new GameRecord("1", null, {}), new Connection()];
  await record.refresh();
  follow(record, connection);
  version = 3;
  await pass(4_000);
  assert.deepEqual([record.head, record.at, connection.isReachable], [3, 3, true]);
  answers = {};
  await pass(4_000);
  assert.ok(!connection.isReachable);
  serve(() => 4);
  await pass(4_000);
  assert.deepEqual([record.head, connection.isReachable], [4, true]);
});

/** A page of a game that has two entries, and what asks for more of it. */
function page(refresh) {
  const address = (part) => `/g/${part}`;
  const record = Object.assign(new EventTarget(), { head: 2, whenLoaded: Promise.resolve(), address, refresh });
  const connection = new Connection();
  follow(record, connection);
  return { record, connection };
}

test("an answer that came with the page is not taken for news that the stream tells of", async () => {
  embed({ "/old": { body: 2, tag: null }, "/g": { body: 2, tag: null } });
  answers["/g"] = () => "3";
  const paths = ["/old", "/g", "/g"];
  const { record } = page(async () => {
    record.head = (await get(paths.shift())).body;
  });
  await tell({ event: "entry", id: 3 });
  assert.deepEqual([record.head, asked], [3, ["/g"]]);
  paths.push("/g", "/g", "/g");
  await tell({ event: "entry", id: 9 });
  assert.deepEqual(asked, ["/g", "/g", "/g"], "a service that does not know it yet is asked twice, not on and on");
});

test("a page that may no longer show its game ends; an overloaded service is no lost connection", async () => {
  for (const [status, up, closed] of [
    [401, true, true],
    [403, true, true],
    [404, true, true],
    [503, true, false],
    [0, false, false],
  ]) {
    const problem = new Problem({ status, type: "/problems/x", title: "x", detail: "x" });
    const { connection } = page(() => Promise.reject(status ? problem : new TypeError("no network")));
    await pass(4_000);
    assert.deepEqual([connection.isReachable, connection.closed], [up, closed], status);
  }
});

test("a page whose game is gone from the stream ends", async () => {
  const { connection } = page(async () => {});
  await tell({ event: "gone" });
  assert.ok(connection.closed);
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
  assert.deepEqual([looks(), connection.isReachable], [1, true]);
  answers = {};
  await pass(15_000);
  assert.deepEqual([looks(), connection.isReachable], [2, false]);
  answers["/?q=x"] = () => "<ol></ol>";
  await pass(15_000);
  assert.deepEqual([looks(), connection.isReachable], [3, true]);
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

/** A list that follows the stream, and where it tells news. */
function followed() {
  stream = new Promise(() => {});
  const news = h("div", { "data-position": "7" });
  document.body.replaceChildren(news);
  answers["/?q=x"] = () => "<ol></ol>";
  document.querySelector = (selector) => (selector.includes("data-game") ? null : games);
  const games = h("ol", { class: "games" });
  games.prepend = (...fresh) => games.append(...fresh);
  new ListFollower(news, new Connection());
  return { news, games };
}
const announce = (game, version) => tell({ event: "entry", id: version, game, entry: { version } });

test("a game that the list never shows is looked for a few times", async () => {
  followed();
  await announce("1", 3);
  for (let time = 0; time < 20; time += 1) await pass(200);
  assert.equal(asked.length, 8);
  asked.length = 0;
  await announce("1", 4);
  for (let time = 0; time < 20; time += 1) await pass(200);
  assert.equal(asked.length, 8, "and anew when it goes on");
});

test("news of a club are no news of the list", async () => {
  followed();
  await tell(null); // the stream works
  await pass(1_000);
  asked.length = 0;
  await tell({ event: "club", id: 8 });
  await pass(1_000);
  assert.deepEqual(asked, []);
});

test("who asks for new games by keys is at the first of them", async () => {
  const { news, games } = followed();
  rows = [h("li", { "data-game": "1", "data-version": "1" }, h("a", {}, "one"))];
  await announce("1", 1);
  await pass(200);
  const button = news.querySelector("button");
  assert.equal(button.textContent, "Show 1 new game");
  button.focus();
  button.click();
  assert.equal(document.activeElement, games.querySelector("a"));
  assert.deepEqual(news.children, []);
});
