/** The story of a finished game: its sentences, ranks, small boards, and what is loaded again, and when. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { JS } from "./pages.mjs";
import { settled, texts } from "./document.mjs";

const { h } = await import(new URL("base/dom.js", JS));
const { Words } = await import(new URL("base/words.js", JS));
const { useEventTypes } = await import(new URL("record/event-types.js", JS));
const { Story } = await import(new URL("story/story.js", JS));

const RULESET = { title: { en: "X" }, rules: [], effects: {}, terms: {} };
const SEATS = ["Ada", "Ben", "Cy"].map((name, seat) => ({ seat, name, label: { en: `Player ${seat + 1}` } }));
const move = (version, scores, more = {}) => ({
  version,
  type: "move.made",
  seat: 0,
  notation: `m${version}`,
  scores,
  ...more,
});
const ORDER = [
  { version: 1, type: "game.opened", scores: [0, 0, 0] },
  move(2, [5, 2, 0]),
  move(3, [5, 9, 0]),
  move(4, [19, 9, 3]),
];
const WON = { winners: [0], ranks: [1, 2, 3], reason: "points", rule: "x:A-1" };
const STORY = [
  { version: 3, what: "behind", seats: [0], count: 4 },
  { version: 4, what: "end", seats: [0] },
];

/** What comes into sight, what is heard of, and what was asked for; what the page is, when it is asked for. */
let sight;
let heard;
let asked;
let answer;
const OWN = { "Kifu-Release": "1" };

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  [heard, asked] = [{}, []];
  answer = () => new Response("new", { headers: OWN });
  useEventTypes({ "move.made": { label: "move", plays: true } });
  globalThis.location = { pathname: "/games/g", search: "?seat=1" };
  globalThis.addEventListener = (name, act) => (heard[name] = act);
  globalThis.ResizeObserver = class {
    observe() {}
  };
  globalThis.IntersectionObserver = class {
    watched = new Set();
    constructor(tell) {
      sight = this;
      this.say = (isIntersecting) => tell([...this.watched].map((target) => ({ isIntersecting, target })));
    }
    observe = (each) => this.watched.add(each);
    unobserve = (each) => this.watched.delete(each);
  };
  globalThis.fetch = async (path) => asked.push(path) && answer();
  globalThis.DOMParser = class {
    parseFromString = (text) => ({ querySelector: () => telling(text, 6, []) });
  };
});

/** The text of a story as the page has it. */
function telling(text, version, story) {
  const element = h("div", { class: "telling" }, text);
  Object.assign(element.dataset, { version, story: JSON.stringify(story) });
  return element;
}

/** A page with a story; what is drawn at first. */
function tell({ ruleset = "x", wins = "highest", ...more } = {}) {
  const part = (id, ...children) => h("section", { id }, ...children);
  const board = h("div", { id: "game" });
  board.dataset.ruleset = ruleset;
  const element = h(
    "main",
    {},
    h("h2", { id: "headline" }),
    part("told", h("p", { class: "why" }), h("ol", { class: "standing" })),
    part("course", h("div", { class: "chances due" })),
    part("highlights", telling("as it came", 4, STORY)),
    h("div", { id: "board" }),
    h("div", { class: "table" }),
  );
  document.getElementById = () => board;
  const record = Object.assign(new EventTarget(), {
    showsStory: true,
    order: ORDER,
    entries: ORDER,
    head: 4,
    viewpoint: "record",
    facts: { outcome: WON, closed: null, scores: [19, 9, 3] },
    placeOf: (version) => version,
    address: (name, { after }) => `/${name}?after=${after}`,
    ...more,
  });
  const lines = h("svg", {});
  const curve = { element: h("div", {}, lines), lines };
  curve.element.dataset.wins = wins;
  const words = new Words(RULESET, SEATS);
  const story = new Story(element, record, words, curve);
  const draw = async (changed = {}) => {
    Object.assign(record, changed).dispatchEvent(new Event("entries"));
    await settled();
  };
  draw();
  const say = (selector) => element.querySelector(selector).textContent;
  return { element, record, curve, story, draw, say, pictures: () => element.all("img") };
}

const why = (facts, more) =>
  tell({ facts: { outcome: WON, closed: null, scores: [19, 9, 3], ...facts }, ...more }).say(".why");

test("the lead of the winner counts to the next rank, if points decided", () => {
  assert.match(why({}), / · 10 points ahead of Ben$/);
  assert.match(why({ scores: [10, 9, 3] }), / · 1 point ahead of Ben$/);
  assert.match(why({ scores: [4, 9, 30] }, { wins: "lowest" }), / · 5 points ahead of Ben$/);
  assert.match(why({ outcome: { ...WON, ranks: [1, 3, 2] } }), / · 16 points ahead of Cy$/);
  assert.match(
    why({ outcome: { ...WON, winners: [1], ranks: [3, 1, 2] }, scores: [1, 8, 5] }),
    /3 points ahead of Cy$/,
  );
  for (const none of [
    why({ scores: [9, 9, 3] }),
    why({ scores: [4, 9, 30] }),
    why({ outcome: { ...WON, winners: [0, 1], ranks: [1, 1, 3] } }),
    why({ outcome: { ...WON, winners: [], ranks: [1, 1, 1] } }),
  ])
    assert.doesNotMatch(none, /ahead/);
});

test("a game that was closed before its end says how, and the last reason that can be read", () => {
  const closing = (version, text, more) => ({ version, type: "game.closed", text, ...more });
  const told = (...more) => {
    const facts = { outcome: null, closed: "abandoned", scores: [0, 0, 0] };
    const { say, element } = tell({ order: [...ORDER, ...more], facts });
    return [say("#headline"), say(".why"), texts(element, ".rank")];
  };
  const ranks = ["", "", ""];
  assert.deepEqual(told(closing(5, "early"), closing(6, "too late")), ["The game was abandoned", "too late", ranks]);
  assert.deepEqual(told(closing(5, "early", { erased: [{ what: "text" }] })), ["The game was abandoned", "", ranks]);
});

test("the seats stand in the order of their ranks, with their points, and who gave up is marked", () => {
  const gone = (more) => ({ version: 5, type: "ruling.given", effects: [{ kind: "seat.resigned", seat: 1 }], ...more });
  const outcome = { ...WON, winners: [2], ranks: [2, 3, 1] };
  const facts = { outcome, closed: null, scores: [4, 9, 0] };
  const standing = (effect) => {
    const { element } = tell({ facts, order: [...ORDER, effect] });
    return [texts(element, ".standing li"), texts(element, ".standing .won .name")];
  };
  assert.deepEqual(standing(gone({ withdrawn_by: 6 })), [["1Cy0", "2Ada4", "3Ben9"], ["Cy"]]);
  assert.match(standing(gone())[0][2], /^3Ben.+9$/);
  const { element } = tell({ facts: { outcome: null, closed: "abandoned", scores: [0, 0, 0] } });
  assert.deepEqual(texts(element, ".standing li .name"), ["Ada", "Ben", "Cy"]);
  assert.deepEqual(texts(element, ".standing .won"), []);
  const nobody = tell({
    facts: { outcome: { ...WON, winners: [], ranks: [1, 1, 1] }, closed: null, scores: [0, 0, 0] },
  });
  assert.deepEqual(texts(nobody.element, ".standing .rank"), ["", "", ""]);
  const deciding = { title: { en: "Tricks" }, values: ["3", "2", ""] };
  const counted = tell({ facts: { outcome: WON, closed: null, scores: [0, 0, 0], deciding } });
  assert.deepEqual(texts(counted.element, ".standing li"), ["1AdaTricks: 3", "2BenTricks: 2", "3Cy"]);
});

test("nothing is told as long as the game goes on", () => {
  const { say, record } = tell({ showsStory: false });
  assert.equal(say("#headline"), "");
  assert.equal(record.showsStory, false);
  assert.deepEqual(asked, []);
});

test("a small board is loaded when it comes into sight, once, or for paper", async () => {
  const { pictures, draw } = tell();
  const sources = () => pictures().map((each) => each.getAttribute("src"));
  assert.deepEqual(sources(), [null, null]);
  sight.say(false);
  assert.deepEqual(sources(), [null, null]);
  const [first, second] = pictures();
  sight.watched.delete(second);
  sight.say(true);
  assert.deepEqual([sources(), sight.watched.size], [["/board.svg?after=3", null], 0]);
  await draw({ order: [...ORDER] });
  assert.deepEqual(sources(), ["/board.svg?after=3", null], "it is there at once when the moments are drawn anew");
  heard.beforeprint();
  assert.deepEqual(sources(), ["/board.svg?after=3", "/board.svg?after=4"]);
  first.dispatchEvent({ type: "error" });
  assert.equal(first.getAttribute("src"), null);
  await draw();
  assert.equal(sources()[0], null);
  mock.timers.tick(1_999);
  assert.ok(!sight.watched.has(first));
  mock.timers.tick(1);
  assert.ok(sight.watched.has(first), "it is tried again if it is still in sight");
  assert.deepEqual(tell({ ruleset: "scoresheet" }).pictures(), []);
});

test("a moment leads to its entry, and to the board", () => {
  const { element } = tell();
  const [link] = element.all("a").filter((each) => each.getAttribute("class") === "button");
  let seen = 0;
  element.querySelector("#board").scrollIntoView = () => {
    seen += 1;
  };
  link.click();
  assert.deepEqual([link.getAttribute("href"), texts(link, ".notation"), seen], ["#3", ["Ada: m3"], 1]);
});

test("the text is loaded again for another record or viewpoint, and kept until then", async () => {
  const { say, draw, element } = tell();
  await draw();
  assert.deepEqual([asked, say(".telling")], [[], "as it came"]);
  await draw({ head: 5 });
  assert.deepEqual([asked, say(".telling")], [["/games/g?seat=1"], "new"]);
  assert.deepEqual(element.all("img").length, 1, "its highlights are the new ones");
  await draw({ viewpoint: "1" });
  assert.equal(asked.length, 2);
  for (const failed of [
    () => Promise.reject(new TypeError("no network")),
    () => new Response("log in first"),
    () => new Response("busy", { status: 503, headers: OWN }),
  ]) {
    answer = failed;
    await draw({ viewpoint: "record" });
    assert.equal(say(".telling"), "");
    const before = asked.length;
    answer = () => new Response("again", { headers: OWN });
    await draw();
    assert.deepEqual([asked.length, say(".telling")], [before + 1, "again"]);
    await draw({ viewpoint: "1" });
  }
});

test("a text that comes late is not shown in the place of a later one", async () => {
  const { say, draw } = tell();
  let give;
  answer = () => new Promise((done) => (give = done));
  await draw({ head: 5 });
  answer = () => new Response("newest", { headers: OWN });
  await draw({ head: 6 });
  give(new Response("late", { headers: OWN }));
  await settled();
  assert.equal(say(".telling"), "newest");
});

/** Analyses that are known. */
class Known extends EventTarget {
  chances = null;
  progress = null;
  luck = null;
  swings = [];
  rounds = [];
  loaded = false;
  shown = 0;
  async showExisting() {
    this.shown += 1;
  }
}

test("the numbers of highlights are over the chances to win, once these are known, and else over the scores", async () => {
  const { story, element, curve } = tell();
  const chances = element.querySelector(".chances");
  chances.dataset.completes = "timeline win-line";
  const analyses = new Known();
  await story.showAnalyses(analyses);
  await story.showAnalyses(analyses);
  assert.deepEqual([analyses.storyKinds, analyses.shown], [["timeline", "win-line"], 2]);
  assert.deepEqual(texts(curve.element, ".marks span"), ["1", "2"]);
  assert.ok(chances.classList.contains("due"), "their room is kept");
  let draws = 0;
  Object.defineProperty(analyses, "progress", {
    get: () => {
      draws += 1;
      return null;
    },
  });
  const plot = h("div", { class: "plot" });
  Object.assign(analyses, { loaded: true, chances: h("figure", {}, plot), luck: [h("p", {}, "lucky")] });
  analyses.dispatchEvent(new Event("change"));
  assert.equal(draws, 1, "it listens once");
  assert.ok(!chances.classList.contains("due"));
  assert.deepEqual([texts(plot, ".marks span"), texts(curve.element, ".marks span")], [["1", "2"], []]);
  assert.match(element.querySelector("#highlights").textContent, /Lucklucky$/);
  Object.assign(analyses, { chances: null, luck: null });
  analyses.dispatchEvent(new Event("change"));
  assert.deepEqual([texts(plot, ".marks span"), texts(curve.element, ".marks span")], [[], ["1", "2"]]);
  chances.dataset.completes = "";
  await story.showAnalyses(analyses);
  assert.deepEqual(analyses.storyKinds, []);
});
