/** Pages that nobody is logged in to: a game in a file, a game in a frame of another site, and an unattended screen. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { gzipSync } from "node:zlib";
import { JS } from "./pages.mjs";
import { settled, texts } from "./document.mjs";

const { h } = await import(new URL("base/dom.js", JS));
const { followPage } = await import(new URL("base/following.js", JS));
const { start } = await import(new URL("filed/filed.js", JS));
const { unpacked } = await import(new URL("filed/frames.js", JS));

/** The elements of the page by their ids. */
let parts;
const find = (id) => parts[id];

beforeEach(() => {
  mock.timers.reset();
  parts = {};
  document.getElementById = (id) => parts[id] ?? null;
});

/** Wait for what other threads do: they unpack and hash. */
async function until(done) {
  for (const deadline = performance.now() + 20_000; !done() && performance.now() < deadline; )
    await new Promise(setImmediate);
  assert.ok(done());
}

// A game in a file

test("pictures are unpacked from what changed: parts that stay, go, come anew, or come again", () => {
  const parts = ["A", "B", "C", "D"];
  const frames = [
    [[0, 0, [0, 0, 0]]],
    [[1, 1, [0]]],
    [[1, 1, [3]]],
    [
      [0, 1, [4]],
      [1, 1, []],
    ],
  ];
  assert.deepEqual(unpacked(parts, frames), ["ABC", "ADC", "ABC", "AB"]);
  assert.deepEqual(unpacked(parts, [[[0, 0, [0]]], []]), ["A", "A"]);
});

test("the heights of a picture are added up from the top", () => {
  const parts = ['<a y="<5"/>', '<b y="<3"/>', '<c y="<-6"/><d y="7"/>'];
  assert.deepEqual(unpacked(parts, [[[0, 0, [0, 0, 0]]]]), ['<a y="5"/><b y="8"/><c y="2"/><d y="7"/>']);
});

const BOARDS = {
  parts: ["one", "two", "three"],
  frames: [[[0, 0, [0]]], [[0, 1, [0]]], [[0, 1, [0]]]],
  entries: [2, 3, 7],
  scores: [[0, 0], [1, 0], [1]],
};

/** A file with boards, opened; with the record if there is one. */
async function openFile(boards = BOARDS, record = null) {
  const button = (id) => h("button", { id });
  const names = ["first", "back", "on", "last", "verify", "save"];
  const plain = ["moment", "board", "verdict"].map((id) => [id, h("p", {})]);
  parts = Object.fromEntries([...plain, ...names.map((id) => [id, button(id)])]);
  parts.slider = h("input", {});
  for (const id of ["replay", "proof-actions"]) parts[id] = h("div", { hidden: true });
  parts.boards = h("p", {}, gzipSync(JSON.stringify(boards)).toString("base64"));
  if (record) parts["record-lines"] = h("p", {}, record);
  const rows = h(
    "table",
    {},
    boards.entries.map((entry) => h("tr", { id: `entry-${entry}` }, h("td", {}, h("button", {}, String(entry))))),
  );
  for (const row of rows.all("tr")) row.id = row.getAttribute("id");
  const scores = h("p", {}, h("b", {}), h("b", {}));
  const cursor = h("line", { class: "cursor", "data-width": "100" });
  document.querySelectorAll = (selector) =>
    (selector.startsWith("#scores") ? scores : rows).all(selector.split(" ")[1]);
  document.querySelector = () => cursor;
  document.importNode = (node) => node;
  globalThis.DOMParser = class {
    parseFromString = (text) => ({ documentElement: h("svg", {}, text) });
  };
  start();
  await until(() => !find("replay").hidden);
  const shown = () => [
    find("moment").textContent,
    find("board").textContent,
    texts(scores, "b"),
    texts(rows, "tr.shown"),
    cursor.getAttribute("x1"),
  ];
  return { shown, rows, cursor };
}

test("a file opens at its last entry, and its slider, buttons and list go through all of them", async () => {
  const { shown, rows, cursor } = await openFile();
  const [first, second, third] = [
    ["Entry 2", "one", ["0", "0"], ["2"], "0"],
    ["Entry 3", "two", ["1", "0"], ["3"], "50"],
    ["Entry 7", "three", ["1", ""], ["7"], "100"],
  ];
  assert.deepEqual([shown(), find("slider").max, cursor.getAttribute("x2")], [third, "2", "100"]);
  const after = (act) => {
    act();
    return shown();
  };
  const press = (id) => () => find(id).click();
  assert.deepEqual(after(press("on")), third, "there is no later one");
  assert.deepEqual(after(press("back")), second);
  assert.equal(find("slider").value, "1");
  assert.deepEqual(after(press("on")), third);
  assert.deepEqual(after(press("first")), first);
  assert.deepEqual(after(press("back")), first, "there is no earlier one");
  assert.deepEqual(after(press("last")), third);
  assert.deepEqual(
    after(() => rows.all("button")[1].click()),
    second,
  );
  find("slider").value = "0";
  assert.deepEqual(
    after(() => find("slider").dispatchEvent(new Event("input"))),
    first,
  );
  assert.ok(find("proof-actions").hidden, "a file without a record offers no proof");
});

test("a file with one entry has its mark at the end of the curve", async () => {
  const { shown } = await openFile({ ...BOARDS, frames: BOARDS.frames.slice(0, 1), entries: [2] });
  assert.equal(shown().at(-1), "100");
});

test("a file proves its record, names a line that is not as it was recorded, and saves what it proves", async () => {
  await openFile(BOARDS, '{"format": "kifu"}\n{"seq": 1}\n');
  assert.ok(!find("proof-actions").hidden);
  find("verify").click();
  await until(() => find("verdict").textContent);
  assert.match(find("verdict").textContent, /^Line 1 of the record is not what was recorded\.$/);
  const saved = [];
  const create = document.createElement;
  document.createElement = (name) =>
    Object.assign(create(name), {
      click() {
        saved.push([this.getAttribute("href"), this.getAttribute("download")]);
      },
    });
  const { createObjectURL } = URL;
  let blob;
  URL.createObjectURL = (given) => {
    blob = given;
    return "blob:1";
  };
  find("save").click();
  Object.assign(document, { createElement: create });
  URL.createObjectURL = createObjectURL;
  assert.deepEqual([saved, await blob.text()], [[["blob:1", "record.ndjson"]], '{"format": "kifu"}\n{"seq": 1}\n']);
});

// A game in a frame

test("a frame tells its site its height, now and after each change, and can scroll by keyboard if it has to", async () => {
  let resize;
  const [told, observed] = [[], []];
  globalThis.ResizeObserver = class {
    constructor(tell) {
      resize = tell;
    }
    observe = (part) => observed.push(part);
  };
  globalThis.parent = { postMessage: (...message) => told.push(message) };
  const svg = Object.assign(h("svg", {}), { dataset: { least: "300" } });
  const figure = Object.assign(h("figure", {}, svg), { scrollWidth: 300, clientWidth: 200 });
  const set = [];
  figure.style.setProperty = (...what) => set.push(what);
  const main = h("main", {}, figure, h("p", {}));
  const heights = { auto: 500, "": 200 };
  Object.defineProperty(main, "offsetHeight", { get: () => heights[main.style.height ?? ""] });
  document.body.dataset.game = "g1";
  document.getElementsByTagName = () => [main];
  await import(new URL("embed.js", JS));
  assert.deepEqual([set, observed], [[["--least", "300px"]], main.children]);
  resize();
  assert.deepEqual(told, [[{ type: "kifu.height", game: "g1", height: 500 }, "*"]]);
  assert.deepEqual([figure.tabIndex, main.style.height], [0, ""]);
  figure.scrollWidth = 200;
  resize();
  assert.equal(figure.tabIndex, -1);
});

// An unattended screen

test("a screen loads again when its content has changed, and says when it hears nothing of the service", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const [asked, notice] = [[], h("p", { hidden: true })];
  let reloads = 0;
  let answer;
  globalThis.location = { reload: () => (reloads += 1) };
  globalThis.fetch = async (path, { headers }) => {
    asked.push([path, headers["If-None-Match"]]);
    if (!answer) throw new TypeError("no network");
    return new Response(answer.status ? null : "x", answer);
  };
  const own = (more) => ({ ...more, headers: { "Kifu-Release": "1", ETag: '"1"' } });
  const page = {
    querySelector: (selector) => (selector === "[data-follow]" ? { dataset: { follow: "/tv" } } : null),
    getElementById: () => notice,
  };
  const after = async (next) => {
    answer = next;
    mock.timers.tick(5_000);
    await settled();
    return [asked.at(-1), notice.hidden, reloads];
  };
  followPage(page);
  await settled();
  assert.deepEqual([asked, notice.hidden], [[["/tv", undefined]], false]);
  assert.deepEqual(await after({ headers: { ETag: '"9"' } }), [["/tv", undefined], false, 0], "a page on the way");
  assert.deepEqual(await after(own({})), [["/tv", undefined], true, 0]);
  assert.deepEqual(await after(own({ status: 304 })), [["/tv", '"1"'], true, 0]);
  assert.deepEqual(await after(null), [["/tv", '"1"'], false, 0]);
  assert.deepEqual(await after({ status: 502 }), [["/tv", '"1"'], false, 0]);
  assert.deepEqual(await after(own({ status: 304 })), [["/tv", '"1"'], true, 0]);
  assert.deepEqual((await after(own({})))[2], 1);
  const before = asked.length;
  await after(own({}));
  assert.equal(asked.length, before, "it is loaded again by now");
});

test("the clock of a round runs, and says that it is over", () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 58_000 });
  const clock = Object.assign(h("b", {}), { dataset: { ends: new Date(60_000).toISOString() } });
  followPage({ querySelector: (selector) => (selector === "[data-ends]" ? clock : null) });
  const after = (milliseconds) => {
    mock.timers.tick(milliseconds);
    return [clock.textContent, clock.classList.contains("over")];
  };
  assert.deepEqual(
    [after(0), after(1_000), after(1_000), after(1_000)],
    [
      ["0:02", false],
      ["0:01", false],
      ["0:00", false],
      ["−0:01", true],
    ],
  );
});
