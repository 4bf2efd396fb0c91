/** Analyses that are followed: by a stream where one is free, and by asking now and then. A game's page shows them. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { JS } from "./pages.mjs";
import { called, settled, texts } from "./document.mjs";

const { h } = await import(new URL("base/dom.js", JS));
const { Words } = await import(new URL("base/words.js", JS));
const { Analyses } = await import(new URL("analysis/analysis.js", JS));
const { useEventTypes } = await import(new URL("record/event-types.js", JS));
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

// The analyses of a game's page

const KINDS = "win-line turning-points review timeline luck-counts luck-value";
const PLAYED = [
  { version: 1, type: "game.opened" },
  { version: 2, type: "move.made" },
  { version: 3, type: "move.made" },
];
const WORDS = new Words(
  { name: "x", title: { en: "X" }, rules: [], effects: {}, terms: {} },
  [0, 1].map((seat) => ({ seat, name: ["Anna", "Ben"][seat], label: { en: `Player ${seat + 1}` }, player: null })),
);
WORDS.atEntry = WORDS.atPlace = () => WORDS;

/** How a game went, with nothing in it. */
const COURSE = { lead_changes: [], decided: null, comeback: null, pace: [], together: false, story: [], rounds: [] };
/** An analysis with its result. */
const made = (kind, version = 3, more = {}) => ({
  id: `${kind}-${version}-${more.viewpoint ?? "record"}`,
  kind,
  version,
  viewpoint: "record",
  status: "done",
  done: 1,
  planned: 1,
  revision: 4,
  result: COURSE,
  ...more,
});

/**
 * A page that shows analyses. `exist` is what the service lists, `sent` is what the page asks to be made or ended, and
 * `gate` is what the list waits for.
 */
class Page {
  sent = [];
  exist = [];
  lists = 0;
  gate = null;
  up = true;
  /** What becomes of an analysis that was asked for. */
  ends = { status: "done" };

  constructor({ scopes = ["analyses:run"], kinds = KINDS, ...record } = {}) {
    useEventTypes({ "move.made": { label: "", plays: true }, "note.added": { label: "" } });
    this.element = h("div", { "data-kinds": kinds });
    this.record = Object.assign(new EventTarget(), {
      path: "/v1/games/g",
      viewpoint: "record",
      entries: PLAYED,
      order: PLAYED,
      head: 3,
      facts: { outcome: null },
      placeOf: (version) => version,
      ...record,
    });
    globalThis.fetch = (path, init) => this.#answer(path, init);
    this.analyses = new Analyses(this.element, this.record, WORDS, { hasScope: (scope) => scopes.includes(scope) });
  }

  async #answer(path, { method, body, signal }) {
    if (!this.up) throw new TypeError("no network");
    const [, id, rest] = /\/analyses(?:\/([^/?]+))?(\/stream)?/.exec(path);
    if (rest) return new Response("{}", { status: 503, ...OWN });
    if (method === "DELETE") {
      this.sent.push(id);
      if (this.refusal) throw new TypeError("no network");
      return new Response(null, { status: 204, ...OWN });
    }
    if (method === "POST") return this.#make(JSON.parse(body));
    if (id)
      return Response.json(
        this.exist.find((each) => each.id === id),
        OWN,
      );
    this.lists += 1;
    this.limit = new URL(path, "http://a").searchParams.get("limit");
    const exist = this.exist;
    const aborted = new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
    await Promise.race([this.gate, aborted]);
    return Response.json({ analyses: exist.map(({ result, ...listed }) => listed) }, OWN);
  }

  #make(asked) {
    this.sent.push(asked);
    if (this.refusal) {
      const headers = { ...OWN.headers, "Content-Type": "application/problem+json" };
      return new Response(JSON.stringify(this.refusal), { status: this.refusal.status, headers });
    }
    const viewpoint = asked.seat ?? "record";
    const begun = made(asked.kind, this.record.head, { viewpoint, ...this.ends, id: `new-${this.sent.length}` });
    this.exist.push(begun);
    return Response.json(begun, OWN);
  }

  async show(...exist) {
    this.exist = exist;
    await this.analyses.showExisting();
    await settled();
    return this;
  }

  tell(name, more = {}) {
    Object.assign(this.record, more).dispatchEvent(new Event(name));
    return settled();
  }

  /** Somebody records another entry. */
  grow(type) {
    const { entries, head } = this.record;
    return this.tell("entries", { entries: [...entries, { version: head + 1, type }], head: head + 1 });
  }

  async press(name) {
    called(this.element, "button", name).click();
    await settled();
  }

  get kinds() {
    return this.sent.map(({ kind }) => kind);
  }

  get hints() {
    return texts(this.element.firstChild, ".hint");
  }

  get offered() {
    return texts(this.element.firstChild, "button");
  }

  /** The sections that are shown, by their headings. */
  get shown() {
    return texts(this.element, "h3");
  }
}

test("the newest analysis of each kind is shown that was made, or is being made, for the viewpoint", async () => {
  const failed = { status: "failed", cause: "no seats", result: null };
  const page = await new Page().show(
    made("timeline", 1),
    made("timeline", 3, { viewpoint: "seat-1" }),
    made("timeline", 2),
    made("timeline", 3, { ...failed }),
    made("review", 2, { status: "running", result: null }),
  );
  assert.deepEqual(page.shown, ["How it went"]);
  assert.match(texts(page.element, ".hint").at(-1), /^Up to entry 2, seen from the whole record; revision 4\.$/);
  assert.equal(page.element.all("progress").length, 1);
  const seat = await new Page({ viewpoint: "1" }).show(made("timeline", 3, { viewpoint: "seat-1" }), made("review", 3));
  assert.deepEqual(seat.shown, ["How it went"]);
  assert.match(texts(seat.element, ".hint").at(-1), /seen from the seat of Ben/);
  const any = await new Page({ viewpoint: null }).show(made("timeline", 3, { viewpoint: "public" }));
  assert.match(texts(any.element, ".hint").at(-1), /seen from what everybody may see/);
});

test("what is offered follows from what is known: all, the rest, what came since, or to go on", async () => {
  const offers = async (exist, options) => {
    const page = await new Page(options).show(...exist);
    return [page.hints, page.offered];
  };
  const all = KINDS.split(" ").filter((kind) => !["review", "turning-points"].includes(kind));
  const kinds = all.join(" ");
  const plain = (version, more) => all.map((kind) => made(kind, version, { result: null, ...more }));
  assert.deepEqual(await offers([]), [
    ["This game has not been analysed from this point of view."],
    ["Analyse the game"],
  ]);
  assert.deepEqual(await offers(plain(3)), [["Not all of it was analysed."], ["Analyse the rest"]]);
  assert.deepEqual(await offers(plain(3), { kinds }), [[], []]);
  assert.deepEqual(await offers(plain(2), { kinds }), [
    ["It was analysed up to entry 2."],
    ["Analyse what came since"],
  ]);
  const [oldest] = await offers([made("timeline", 2), made("luck-counts", 1, { result: null })]);
  assert.deepEqual(oldest, ["It was analysed up to entry 1."]);
  assert.deepEqual(await offers([], { scopes: [] }), [
    ["This game has not been analysed from this point of view."],
    [],
  ]);
  const [[policy]] = await offers([made("timeline")], { kinds: "timeline" });
  assert.match(policy, /^A program cannot play such a game/);
});

test("all kinds of such games are asked for in turn, and one that is cancelled or failed can go on", async () => {
  const page = await new Page({ kinds: "luck-value timeline win-line", viewpoint: "1" }).show();
  page.ends = { status: "cancelled", result: null };
  await page.press("Analyse the game");
  assert.deepEqual(page.sent, [
    { kind: "timeline", seat: "1" },
    { kind: "win-line", seat: "1" },
    { kind: "luck-value", seat: "1" },
  ]);
  assert.deepEqual([page.hints.at(-1), page.offered], ["It is not analysed to the end.", ["Go on"]]);
  page.ends = { status: "failed", cause: "too long", result: null };
  page.record.viewpoint = null;
  await page.press("Go on");
  assert.deepEqual(page.sent[3], { kind: "timeline" });
  assert.deepEqual(page.shown, ["Chances to win", "How it went", "What luck was worth"]);
  assert.equal(texts(page.element, "section .hint")[0], "It cannot be made: too long.");
});

test("a request that fails says why beside the offer, and the next ones are not sent", async () => {
  const page = await new Page().show();
  page.refusal = { type: "/problems/x", title: "no", status: 400, detail: "The queue is full." };
  await page.press("Analyse the game");
  assert.deepEqual([page.kinds, page.offered], [["timeline"], ["Analyse the game"]]);
  assert.match(page.element.textContent, /The queue is full/);
  page.up = false;
  await page.press("Analyse the game");
  assert.equal(page.hints.at(-1), "No connection: try again later.");
  assert.doesNotMatch(page.element.textContent, /The queue is full/);
});

test("only what runs is cancelled, by whoever may ask for analyses", async () => {
  const [running, next] = ["review", "luck-value"].map((kind) => made(kind, 3, { status: "waiting", result: null }));
  const page = await new Page().show(made("timeline"), running, next);
  page.refusal = true;
  await page.press("Cancel");
  assert.deepEqual(page.sent, [running.id, next.id], "the next one, too, if the first has ended meanwhile");
  assert.deepEqual((await new Page({ scopes: [] }).show(running)).offered, []);
});

test("a story has its kinds made one by one, until somebody cancels or the record is complete", async () => {
  const page = new Page();
  page.analyses.storyKinds = ["timeline", "luck-counts", "win-line"];
  page.ends = { result: null };
  await page.show(made("timeline", 3, { result: null }), made("luck-counts", 2, { result: null }));
  assert.deepEqual(page.kinds, ["luck-counts", "win-line"]);
  await page.grow("move.made");
  assert.deepEqual(page.kinds.length, 2, "the game goes on");
  page.ends = { status: "cancelled", result: null };
  await page.tell("entries", { facts: { outcome: {} } });
  await page.tell("entries");
  assert.deepEqual(page.kinds.slice(2), ["timeline"], "somebody cancelled the first one");
  await page.tell("entries", { facts: { outcome: null, closed: "abandoned" }, head: 5 });
  assert.deepEqual(page.kinds.slice(3), ["timeline"]);
  const reader = new Page({ scopes: [] });
  reader.analyses.storyKinds = ["timeline"];
  assert.deepEqual((await reader.show()).kinds, []);
});

test("a story has no results from before a later move or correction, and keeps them after a note", async () => {
  const [rounds, swings] = [[{ version: 2 }], [{ version: 3, seat: 0, before: 0.4, after: 0.6, side: [0] }]];
  const line = { points: [], swings, games: 0, policy: "x" };
  const page = await new Page().show(
    made("timeline", 3, { result: { ...COURSE, rounds } }),
    made("win-line", 3, { result: line }),
  );
  const { analyses } = page;
  const known = () => [analyses.rounds, analyses.swings, analyses.luck];
  assert.deepEqual(known(), [rounds, swings, null]);
  const result = { points: [], games: 0, policy: "x" };
  const turned = await new Page().show(made("turning-points", 3, { result }), made("win-line", 3, { result: line }));
  assert.deepEqual(turned.analyses.swings, [], "turning points come before swings");
  await page.grow("note.added");
  assert.deepEqual(known(), [rounds, swings, null]);
  await page.grow("unknown.type");
  assert.deepEqual(known(), [[], [], null], "a type of a newer service may correct something");
  page.record.entries = [...PLAYED, { version: 4, type: "move.made" }];
  assert.deepEqual(known(), [[], [], null]);
});

test("the tab and the story share one request, and the next one comes only after it failed", async () => {
  const page = new Page();
  let open;
  page.gate = new Promise((done) => {
    open = done;
  });
  const both = [page.analyses.showExisting(), page.analyses.showExisting()];
  open();
  await Promise.all(both);
  await page.analyses.showExisting();
  assert.deepEqual([page.lists, page.limit], [1, "200"]);
  const down = new Page();
  down.up = false;
  await assert.rejects(down.analyses.showExisting());
  down.up = true;
  await down.show(made("timeline"));
  assert.deepEqual(down.shown, ["How it went"]);
});

test("another viewpoint shows its own analyses alone, also if its list comes late or fails at first", async () => {
  const all = [made("timeline"), made("luck-counts", 3, { viewpoint: "seat-1", result: null })];
  const page = await new Page().show(...all);
  page.up = false;
  await page.tell("viewpoint", { viewpoint: "1" });
  assert.deepEqual([page.shown, page.hints], [[], ["No connection: try again later."]]);
  page.up = true;
  await pass(2_000);
  assert.deepEqual([page.lists, page.hints], [2, ["Not all of it was analysed."]]);
  page.gate = new Promise(() => {});
  page.tell("viewpoint", { viewpoint: "public" });
  const late = page.analyses.showExisting();
  page.gate = null;
  await page.tell("viewpoint", { viewpoint: "record" });
  await late;
  assert.deepEqual(page.shown, ["How it went"]);
  page.up = false;
  await page.tell("viewpoint", { viewpoint: "1" });
  page.up = true;
  await page.tell("viewpoint", { viewpoint: "record" });
  const { lists } = page;
  await pass(10_000);
  assert.equal(page.lists, lists, "a viewpoint that was left is not asked for again");
});

test("the chances in a story are drawn anew after an entry, and the offer keeps its button", async () => {
  const points = [{ version: 3, seat: 0, n: 9, chances: [0.5, 0.5] }];
  const line = { points, swings: [], games: 0, policy: "x" };
  const page = await new Page().show(made("win-line", 3, { result: line }));
  const figure = page.analyses.chances;
  assert.equal(page.analyses.chances, figure);
  await page.grow("note.added");
  assert.notEqual(page.analyses.chances, figure);
  const [button] = page.element.all("button");
  await page.tell("entries");
  assert.deepEqual([page.element.all("button")[0], page.offered], [button, ["Analyse what came since"]]);
});

test("folds are open on paper", () => {
  const heard = [];
  globalThis.addEventListener = (name, act) => heard.push([name, act]);
  const page = new Page();
  page.element.append(h("details", {}, h("details")));
  heard.find(([name]) => name === "beforeprint")[1]();
  assert.deepEqual(
    page.element.all("details").map(({ open }) => open),
    [true, true],
  );
});
