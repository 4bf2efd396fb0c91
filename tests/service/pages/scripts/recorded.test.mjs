/** Parts of a game's page that ask the service when somebody wants it, and what they show for each answer. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { JS } from "./pages.mjs";
import { called, settled, texts } from "./document.mjs";

const { embed } = await import(new URL("base/api.js", JS));
const { h } = await import(new URL("base/dom.js", JS));
const { Words } = await import(new URL("base/words.js", JS));
const { showUnsentCount } = await import(new URL("offline/unsent.js", JS));
const { Duplicates } = await import(new URL("record/duplicates.js", JS));
const { EraseDialog } = await import(new URL("record/erasing.js", JS));
const { useEventTypes } = await import(new URL("record/event-types.js", JS));
const { showComparisons } = await import(new URL("record/forks.js", JS));
const { Prediction } = await import(new URL("record/prediction.js", JS));
const { ReceiptDialog } = await import(new URL("record/receipt.js", JS));
const { showRevision } = await import(new URL("record/revising.js", JS));

const OWN = { "Kifu-Release": "1" };
const RULESET = { title: { en: "X" }, revision: 2, rules: [], effects: {}, terms: {} };
const seats = ["Anna", "Ben"].map((name, seat) => ({ seat, name, label: { en: `Player ${seat + 1}` } }));
const words = new Words(RULESET, seats);
const move = (version, notation, more = {}) => ({ version, type: "move.made", seat: 0, notation, ...more });

/** What was sent; what answers, by the end of the path; where the page went; what a reader can come near to. */
let sent;
let answers;
let went;
let near;
let record;

beforeEach(() => {
  [sent, answers, went, near] = [[], {}, [], []];
  embed({});
  useEventTypes({ "move.made": { label: "move", plays: true } });
  document.body.dataset = { release: "1", limits: "{}" };
  globalThis.location = { reload: () => went.push("again"), assign: (address) => went.push(address) };
  globalThis.dispatchEvent = () => {};
  globalThis.IntersectionObserver = class {
    constructor(tell) {
      near.push(() => tell([{ isIntersecting: true }]));
    }
    observe() {}
    disconnect() {}
  };
  globalThis.fetch = async (path, { method = "GET", body } = {}) => {
    sent.push([`${method} ${path}`, ...(body ? [JSON.parse(body)] : [])]);
    const [, answer] = Object.entries(answers).find(([end]) => path.endsWith(end)) ?? [];
    const found = await answer;
    if (!found) throw new TypeError("no network");
    if (!found.status) return Response.json(found, { headers: OWN });
    const headers = { ...OWN, "Content-Type": "application/problem+json" };
    return new Response(JSON.stringify(found), { status: found.status, headers });
  };
  record = Object.assign(new EventTarget(), {
    path: "/g",
    head: 4,
    viewpoint: "record",
    info: null,
    entries: [1, 2, 3, 4].map((version) => move(version, `m${version}`)),
    placeOf: (version) => version,
    address: (part) => `/g/${part}?seat=record`,
  });
});

const problem = (detail) => ({ type: "/problems/x", title: "No", detail, status: 422 });
/** A promise, and what fulfils it. */
function later() {
  let give;
  return [new Promise((done) => (give = done)), (answer) => give(answer)];
}
/** Let the last dialog of the page be as one of a browser, and return it. */
const dialog = () => {
  const last = document.body.all("dialog").at(-1);
  const open = (is) => () => (last.open = is);
  return Object.assign(last, { showModal: open(true), close: open(false) });
};
const submit = async (form) => {
  form.all("form")[0].dispatchEvent({ type: "submit" });
  await settled();
};

// Erasing and receipts

test("an entry's text or hidden content is erased once somebody agrees, and the page loads again", async () => {
  const erase = new EraseDialog(record, words);
  const shown = dialog();
  answers["/erasures"] = problem("It has no text.");
  erase.ask(move(3, "m3"), "text");
  assert.match(shown.textContent, /Erase its text for good\?.*Entry 3, Anna: m3\./);
  await submit(shown);
  assert.deepEqual([sent, went, shown.open], [[["POST /g/erasures", { entry: 3, what: "text" }]], [], true]);
  assert.match(texts(shown, ".answer")[0], /It has no text/);
  answers["/erasures"] = { erased: [] };
  erase.ask(move(4, "m4"), "hidden");
  assert.match(shown.textContent, /Erase what it hides for good\?/);
  await submit(shown);
  assert.deepEqual([sent[1][1], went], [{ entry: 4, what: "hidden" }, ["again"]]);
});

test("a receipt is saved only if there is one, and a missing code is replaced by the reason", async () => {
  const receipt = new ReceiptDialog(record);
  const shown = dialog();
  receipt.ask({ version: 3 });
  const [code] = shown.all("img");
  assert.equal(code.getAttribute("src"), "/g/events/3/receipt.svg");
  answers["/receipt"] = problem("The tree is behind.");
  await submit(shown);
  assert.deepEqual([sent, went, shown.open], [[["GET /g/events/3/receipt"]], [], true]);
  code.dispatchEvent({ type: "error" });
  await settled();
  assert.match(texts(shown, ".answer")[0], /The tree is behind/);
  assert.deepEqual([shown.all("img"), shown.querySelector(".primary").disabled], [[], false]);
  receipt.ask({ version: 4 });
  answers = { "/4/receipt": { receipt: 1 } };
  shown.all("img")[0].dispatchEvent({ type: "error" });
  await settled();
  assert.equal(shown.querySelector(".primary").disabled, false, "it is there by now, and can be saved");
  receipt.ask({ version: 3 });
  answers["/receipt"] = { receipt: 1 };
  await submit(shown);
  assert.deepEqual([went, shown.open], [["/g/events/3/receipt"], false]);
});

// Forks

const compared = (more) => ({
  games: ["g1", "g2"],
  common: 2,
  first_difference: [move(3, "here", { effects: [] }), null],
  scores: [
    [1, 0],
    [4, 2],
  ],
  outcomes: [null, { winners: [1], ranks: [2, 1], reason: "most points", rule: "x:A-1" }],
  ...more,
});

function forks() {
  const [one, other] = ["a", "b"].map((game) => h("button", { "data-compare": game }, game));
  const element = h("div", {}, one, other, h("button", {}, "else"), h("div", { class: "comparison" }));
  showComparisons(element, record, words);
  return { one, other, element, place: element.querySelector(".comparison") };
}

test("two games are compared: what is the same, where they part, and how each stands", async () => {
  const { one, place, element } = forks();
  answers["with=a"] = compared();
  called(element, "button", "else").click();
  one.click();
  await settled();
  assert.deepEqual(sent, [["GET /g/comparison?seat=record&with=a"]]);
  const [here, there] = texts(place, ".sides > section");
  assert.match(place.textContent, /^2 moves and rulings are the same\. From here on they differ:/);
  assert.match(here, /^This gameEntry 3 Anna: hereScore: 1 – 0It goes on\.$/);
  assert.match(there, /^The other gameNothing more is recorded\.Score: 4 – 2Ben won/);
  assert.equal(place.all("a")[0].getAttribute("href"), "/games/g1#3");
  answers["with=a"] = compared({ first_difference: [null, move(4, "there", { effects: [] })] });
  one.click();
  await settled();
  assert.equal(place.all("a")[0].getAttribute("href"), "/games/g2#4");
  answers["with=a"] = compared({ first_difference: null });
  one.click();
  await settled();
  assert.match(place.textContent, /They are the same\.This gameScore/);
});

test("a game that was chosen later is shown, also if its answer comes first, and a failure says why", async () => {
  const { one, other, place } = forks();
  const [slow, give] = later();
  Object.assign(answers, { "with=a": slow, "with=b": problem("The rulesets differ.") });
  one.click();
  other.click();
  await settled();
  assert.match(place.textContent, /The rulesets differ/);
  give(compared());
  await settled();
  assert.match(place.textContent, /The rulesets differ/);
  one.click();
  await settled();
  assert.match(place.textContent, /2 moves and rulings are the same/);
});

// The revision of the rules

test("the revision is shown, and newer rules once somebody comes near, for the record as it is", async () => {
  const [fact, element] = [
    h("p", {}),
    h("div", {
      "data-script": `data:text/javascript,export const showRevised =
    (element, body, _record, _words, ask) => element.replaceChildren(body.text + Boolean(ask))`,
    }),
  ];
  const permit = { scopes: [], hasScope: (scope) => permit.scopes.includes(scope) };
  showRevision(fact, element, record, words, permit, () => {});
  const tell = (info, more = {}) => {
    Object.assign(record, { info }, more).dispatchEvent(new Event("entries"));
    return fact.textContent;
  };
  const come = async () => {
    near.at(-1)();
    await settled();
    return element.textContent;
  };
  assert.equal(tell(null), "");
  assert.equal(tell({ revision: 2 }), "X, revision 2");
  assert.equal(tell({ revision: 2, adopted_by: 3 }), "X, revision 2, adopted in entry 3");
  assert.deepEqual([near, sent], [[], []]);
  tell({ revision: 1 });
  tell({ revision: 1 });
  assert.equal(near.length, 1, "once for the same record");
  answers["/revisions?seat=record"] = { text: "first " };
  assert.equal(await come(), "first false");
  permit.scopes.push("games:rule");
  const [slow, give] = later();
  answers["/revisions?seat=record"] = slow;
  tell({ revision: 1 }, { head: 5 });
  await come();
  tell({ revision: 2 });
  give({ text: "late " });
  await settled();
  assert.equal(element.textContent, "", "it was adopted meanwhile");
  answers["/revisions?seat=record"] = { text: "again " };
  tell({ revision: 1 }, { viewpoint: "1" });
  assert.equal(await come(), "again true");
  const { length } = near;
  tell({ revision: 1 }, { viewpoint: "record" });
  tell({ revision: 1 }, { head: 6 });
  assert.equal(near.length, length + 2, "for another viewpoint, and for more of the record");
});

// Entries that two phones recorded

class Waiting extends EventTarget {
  all = [];
  items() {
    return this.all;
  }
  firstItem() {
    return this.all[0];
  }
}
const syncOf = () =>
  Object.assign(new EventTarget(), {
    outbox: new Waiting(),
    connection: Object.assign(new EventTarget(), { isReachable: true }),
    fault: null,
  });

test("a move that another phone recorded right after the same one here is asked about, until it is settled", () => {
  const [element, sync] = [h("div", { hidden: true }), syncOf()];
  const back = [];
  const tools = { takeBackAction: ({ version }) => (version === 5 ? () => back.push(version) : null) };
  new Duplicates(element, record, sync, words, tools);
  const grow = (...entries) => {
    record.entries = [...record.entries, ...entries];
    record.head = record.entries.length;
    record.dispatchEvent(new Event("entries"));
  };
  const deliver = (...versions) => {
    const entries = versions.map((version) => ({ version }));
    sync.dispatchEvent(new CustomEvent("delivered", { detail: { answer: { entries } } }));
  };
  grow();
  grow(move(5, "x"));
  deliver(5);
  sync.outbox.all.push({});
  grow(move(6, "x"));
  assert.ok(element.hidden, "as long as entries wait, nobody knows whether it is from here");
  sync.outbox.all.pop();
  sync.outbox.dispatchEvent(new Event("change"));
  assert.ok(!element.hidden);
  assert.match(
    element.textContent,
    /^Anna: x is in the record twice: you recorded entry 5, and somebody else entry 6\./,
  );
  record.dispatchEvent(new Event("entries"));
  assert.ok(!element.hidden, "nothing is new");
  called(element, "button", "Take one back").click();
  assert.deepEqual(back, [5]);
  called(element, "button", "Both happened").click();
  assert.ok(element.hidden);
  grow(move(7, "y"), move(8, "y"));
  assert.ok(element.hidden, "both are from elsewhere");
  grow(move(9, "z"));
  deliver(9);
  grow(move(10, "z"));
  assert.ok(!element.hidden);
  assert.deepEqual(texts(element, "button"), ["Both happened"], "neither can be taken back here");
  grow(move(11, "w"));
  assert.ok(element.hidden, "the game went on");
  sync.outbox.all.push({});
  grow(move(12, "v"), move(13, "v"));
  grow(move(14, "u"), move(15, "u"));
  sync.outbox.all.pop();
  deliver(12, 14);
  assert.match(element.textContent, /you recorded entry 14,/, "the last one is asked about");
  sync.dispatchEvent(new CustomEvent("delivered", { detail: { answer: {} } }));
  assert.ok(!element.hidden, "an opening has no entries");
});

test("an entry that is being sent stands in the record at once, until it is stored, refused or waits", () => {
  const [panel, sync] = [h("section", {}), syncOf()];
  const place = h("p", {});
  const around = h("div", {}, place);
  new Prediction(panel, place, sync, record, words);
  const item = (base, label, told) => ({ base, label, told, body: { events: [] } });
  const told = { type: "move.made", seat: 1, notation: "b-c", scores: [1, 2], effects: [] };
  const show = (...items) => {
    sync.outbox.all = items;
    sync.outbox.dispatchEvent(new Event("change"));
    return [texts(panel, "li .number"), place.textContent];
  };
  assert.deepEqual(show(item(4, "a-b", told), item(5, "typed")), [["6", "5"], "typed"]);
  assert.deepEqual(texts(panel, ".points"), ["", "1 – 2"]);
  assert.ok(around.classList.contains("predicted"));
  assert.deepEqual(show(item(4, "a-b", told)), [["5"], "Ben: b-c"]);
  assert.ok(around.classList.contains("predicted"));
  record.head = 5;
  record.dispatchEvent(new Event("entries"));
  assert.deepEqual([panel.all("li"), place.textContent, around.classList.contains("predicted")], [[], "", false]);
  assert.deepEqual(show({ ...item(5, "a-b"), problem: {} }), [[], ""]);
  sync.fault = {};
  assert.deepEqual(show(item(5, "a-b")), [[], ""]);
  sync.fault = null;
  sync.dispatchEvent(new Event("delayed"));
  assert.equal(place.textContent, "a-b");
  sync.connection.isReachable = false;
  sync.connection.dispatchEvent(new Event("change"));
  assert.equal(place.textContent, "");
});

// Entries that wait on a device of nobody

test("only without a log-in is the device asked what it keeps, and one that never kept any stays without", async () => {
  const [said, asked] = [[], []];
  document.getElementById = () => ({ before: (note) => said.push(note.textContent) });
  const ask = async (...names) => {
    asked.length = 0;
    globalThis.indexedDB = {
      databases: async () => asked.push("names") && names,
      open: () => {
        asked.push("opened");
        throw new Error("forbidden");
      },
    };
    await showUnsentCount();
    return [...asked];
  };
  assert.deepEqual(await ask(), ["names"]);
  assert.deepEqual(await ask({ name: "another" }), ["names"]);
  assert.deepEqual(await ask({ name: "another" }, { name: "kifu" }), ["names", "opened"]);
  document.body.dataset.person = "p1";
  assert.deepEqual(await ask({ name: "kifu" }), []);
  assert.deepEqual(said, []);
});
