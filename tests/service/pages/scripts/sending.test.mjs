/** Entries that wait on this device: how they are stored and sent, and what the page says of the connection. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { JS } from "./pages.mjs";
import { settled } from "./document.mjs";

/** What IndexedDB stores, by key; whether it has no room. */
let table;
let full = false;
/** The transactions that do not end, where none does. */
let hung = null;
/** The listeners of the window, by event. */
let listeners;
/** What this tab told other tabs. */
let posted;
/** What was sent, and what the service answers, in turn. */
let sent;
let answers;

/** A transaction that stores all of its changes, or none. */
function transaction() {
  const changes = [];
  const own = { error: new Error("no room"), objectStore: () => store, abort: () => (aborted = true) };
  let aborted = false;
  const finish = () => {
    if (hung) return hung.push(finish);
    if (aborted) return own.onabort?.();
    if (full) return own.onabort?.();
    for (const change of changes) change();
    own.oncomplete?.();
  };
  const reading = (result) => {
    const request = { result };
    setImmediate(() => {
      request.onsuccess();
      setImmediate(finish);
    });
    return request;
  };
  const store = {
    index: () => ({ getAll: (box) => reading([...table.values()].filter((item) => item.box === box)) }),
    put: (item) => changes.push(() => table.set(item.key, item)),
    delete: (key) => changes.push(() => table.delete(key)),
  };
  return own;
}
globalThis.indexedDB = {
  open() {
    database = { transaction };
    const opening = { result: database };
    answer = () => opening.onsuccess();
    if (!silent) setImmediate(answer);
    return opening;
  },
};
/** The table that was opened last, whether the browser does not open it, and how it does so late. */
let database;
let silent = false;
let answer;

/** The channel between tabs: the pages open one. */
let hearTab;
globalThis.BroadcastChannel = class {
  addEventListener(_, listen) {
    const before = hearTab;
    hearTab = (data) => {
      before?.(data);
      listen({ data });
    };
  }
  postMessage(name) {
    posted.push(name);
  }
};

const STORAGE = {
  getItem(name) {
    return this[name] ?? null;
  },
  setItem(name, value) {
    this[name] = value;
  },
};
/** A version that the service answers to who asks for the state of a game. */
const HEADERS = { "Kifu-Release": "1" };

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  [table, full, listeners, posted, sent, answers, hearTab] = [new Map(), false, {}, [], [], [], hearTab];
  globalThis.localStorage = Object.create(STORAGE);
  globalThis.addEventListener = (type, act) => (listeners[type] = [...(listeners[type] ?? []), act]);
  document.addEventListener = globalThis.addEventListener;
  document.body.dataset = { release: "1", acts: "" };
  document.visibilityState = "visible";
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  globalThis.fetch = async (path, { method = "GET", headers, body }) => {
    const base = headers["If-Match"]?.replaceAll(/[^\d]/g, "");
    sent.push({ path, method, base, by: headers["Kifu-Person"], body: body && JSON.parse(body) });
    const answer = answers.shift();
    if (!answer) throw new TypeError("no network");
    return answer instanceof Response ? answer : new Response(JSON.stringify(answer), { headers: HEADERS });
  };
});

const tell = (type, event = new Event(type, { cancelable: true })) => {
  for (const act of listeners[type] ?? []) act(event);
  return event;
};

const { Outbox } = await import(new URL("offline/outbox.js", JS));
const { Sync } = await import(new URL("offline/sync.js", JS));
const { Connection, showConnection } = await import(new URL("base/connection.js", JS));
const { keepScreenOn, settings, vibrateWhenStored } = await import(new URL("record/settings.js", JS));

const entry = (move, more = {}) => ({
  path: "/v1/games/1/events",
  body: { events: [{ id: move, data: { move } }] },
  label: move,
  base: 2,
  ...more,
});
const stored = () => [...table.values()].map(({ label, base }) => `${label}@${base}`);
const waiting = (outbox) => outbox.items().map(({ label, base }) => `${label}@${base}`);

async function outboxOf(...moves) {
  const outbox = new Outbox("1");
  for (const move of moves) await outbox.add(entry(move));
  await outbox.whenStored;
  return outbox;
}

// The outbox

test("entries are stored in their order, each after the one before, and other tabs are told", async () => {
  const outbox = await outboxOf("a", "b");
  assert.deepEqual(waiting(outbox), ["a@2", "b@3"]);
  assert.deepEqual(stored(), ["a@2", "b@3"]);
  assert.deepEqual(posted, ["1", "1"]);
  assert.deepEqual([outbox.firstItem().label, outbox.getItem(outbox.items()[1].key).label], ["a", "b"]);
  assert.deepEqual(
    [...table.values()].map(({ box }) => box),
    ["1", "1"],
  );
});

test("an entry is dropped, stored, mended or refused by its key alone", async () => {
  const outbox = await outboxOf("a", "b", "c", "d");
  const [a, b, c] = outbox.items().map(({ key }) => key);
  await outbox.drop(a);
  assert.deepEqual(waiting(outbox), ["b@2", "c@3", "d@4"]);
  await outbox.remove(b);
  assert.deepEqual(waiting(outbox), ["c@3", "d@4"]);
  await outbox.markRefused(c, { status: 409 });
  assert.deepEqual(
    outbox.items().map(({ problem }) => problem?.status),
    [409, undefined],
  );
  await outbox.replace(c, { events: [{}] }, "mended");
  assert.deepEqual(
    [outbox.getItem(c).problem, outbox.getItem(c).label, outbox.getItem(c).body],
    [undefined, "mended", { events: [{}] }],
  );
  await outbox.rebase(9);
  assert.deepEqual(waiting(outbox), ["mended@9", "d@10"]);
  assert.deepEqual(stored(), waiting(outbox));
  await outbox.clear();
  assert.deepEqual([waiting(outbox), table.size], [[], 0]);
});

test("what another tab changed is read, and what is about another game is not", async () => {
  const outbox = await outboxOf();
  table.set("x", { key: "x", box: "1", place: 0, label: "theirs", base: 2 });
  let changes = 0;
  outbox.addEventListener("change", () => (changes += 1));
  hearTab("2");
  await settled();
  assert.deepEqual([waiting(outbox), changes], [[], 0]);
  hearTab("1");
  await settled();
  assert.deepEqual([waiting(outbox), changes], [["theirs@2"], 1]);
  assert.deepEqual(posted, [], "reading changes nothing");
});

test("what cannot be stored stays on the page, leaving is asked about, and it is stored with the next change", async () => {
  const outbox = await outboxOf("a");
  const asks = () => tell("beforeunload").defaultPrevented;
  assert.deepEqual([outbox.fault, asks()], [null, false]);
  full = true;
  await outbox.add(entry("b"));
  assert.deepEqual([waiting(outbox), stored()], [["a@2", "b@3"], ["a@2"]]);
  assert.deepEqual([outbox.fault.message, asks()], ["no room", true]);
  full = false;
  await outbox.add(entry("c"));
  assert.deepEqual(
    [waiting(outbox), stored()],
    [
      ["a@2", "b@3", "c@4"],
      ["a@2", "b@3", "c@4"],
    ],
  );
  assert.deepEqual([outbox.fault, asks()], [null, false]);
});

test("a browser that never opens its table holds no entry up, and stores all of them once it does", async () => {
  const outbox = await outboxOf("a");
  database.onclose();
  silent = true;
  const added = outbox.add(entry("b"));
  await settled();
  assert.deepEqual(waiting(outbox), ["a@2"]);
  mock.timers.tick(3_000);
  await added;
  assert.deepEqual([waiting(outbox), stored()], [["a@2", "b@3"], ["a@2"]]);
  assert.equal(outbox.fault.message, "nothing could be kept");
  const next = outbox.add(entry("c"));
  await settled();
  mock.timers.tick(0);
  await next;
  assert.deepEqual(waiting(outbox), ["a@2", "b@3", "c@4"], "without another wait");
  silent = false;
  answer();
  await outbox.add(entry("d"));
  assert.deepEqual([stored(), outbox.fault], [["a@2", "b@3", "c@4", "d@5"], null]);
});

test("a browser that never ends a transaction holds no entry up, and stores nothing twice", async () => {
  const outbox = await outboxOf("a");
  hung = [];
  const added = outbox.add(entry("b"));
  await settled();
  mock.timers.tick(3_000);
  await added;
  assert.deepEqual([waiting(outbox), stored()], [["a@2", "b@3"], ["a@2"]]);
  const next = outbox.add(entry("c"));
  await settled();
  mock.timers.tick(500);
  await next;
  assert.deepEqual(waiting(outbox), ["a@2", "b@3", "c@4"], "with a short wait");
  const late = hung;
  hung = null;
  for (const finish of late) finish();
  assert.deepEqual(stored(), ["a@2"], "what was given up stores nothing");
  await outbox.add(entry("d"));
  assert.deepEqual([stored(), outbox.fault], [["a@2", "b@3", "c@4", "d@5"], null]);
});

test("what is stored is waited for, and the first reading, but not what is read again", async () => {
  const outbox = new Outbox("1");
  const isStored = async () => {
    const waits = new Promise((over) => setImmediate(over, false));
    return Promise.race([outbox.whenStored.then(() => true), waits]);
  };
  const found = [await isStored()];
  await settled();
  found.push(await isStored());
  hung = [];
  outbox.reload();
  await settled();
  found.push(await isStored());
  outbox.add(entry("a"));
  found.push(await isStored());
  const late = hung;
  hung = null;
  for (const finish of late) finish();
  await settled();
  found.push(await isStored());
  assert.deepEqual(found, [false, true, true, false, true]);
});

test("an entry that was dropped while nothing could be stored does not come back", async () => {
  const outbox = await outboxOf("a", "b");
  full = true;
  await outbox.drop(outbox.firstItem().key);
  assert.deepEqual(waiting(outbox), ["b@2"]);
  full = false;
  await outbox.reload();
  assert.deepEqual([waiting(outbox), stored()], [["b@2"], ["b@2"]]);
});

test("nothing is lost where all entries are dropped without room, and leaving is not asked about", async () => {
  const outbox = await outboxOf("a");
  full = true;
  await outbox.clear();
  assert.deepEqual(waiting(outbox), []);
  assert.equal(tell("beforeunload").defaultPrevented, false);
});

test("entries of another device come behind, each once", async () => {
  const outbox = await outboxOf("a");
  const theirs = { ...outbox.firstItem(), key: "x", label: "theirs" };
  await outbox.addFromDevice([outbox.firstItem(), theirs]);
  assert.deepEqual(waiting(outbox), ["a@2", "theirs@2"]);
});

// Sending

const problem = (type, status, more = {}) =>
  new Response(JSON.stringify({ type: `/problems/${type}`, title: "", detail: type, status, ...more }), {
    status,
    headers: { ...HEADERS, "Content-Type": "application/problem+json" },
  });
const OK = { entries: [] };

/** An outbox with these entries, and what sends it; the moves that were delivered. */
async function syncOf(...moves) {
  const outbox = await outboxOf(...moves);
  const connection = new Connection();
  const sync = new Sync(outbox, connection, () => "seat-1");
  const delivered = [];
  sync.addEventListener("delivered", ({ detail: { item } }) => delivered.push([item.label, outbox.items().length]));
  return { outbox, connection, sync, delivered };
}
const paths = () => sent.map(({ path, base }) => `${path}@${base}`);

test("entries are sent in order, each once, and are gone after they were told of", async () => {
  const { sync, outbox, delivered } = await syncOf("a", "b");
  answers = [OK, OK];
  await sync.sendAll();
  assert.deepEqual(paths(), ["/v1/games/1/events?look=seat-1@2", "/v1/games/1/events?look=seat-1@3"]);
  assert.deepEqual(delivered, [
    ["a", 2],
    ["b", 1],
  ]);
  assert.deepEqual(waiting(outbox), []);
});

test("the opening of a game is sent without a viewpoint, in the name of who entered it", async () => {
  const { sync, outbox } = await syncOf();
  document.body.dataset.person = "p1";
  await outbox.add({ path: "/v1/games", body: { id: "1" }, label: "opening", base: null, by: "p1" });
  answers = [OK];
  await sync.sendAll();
  assert.deepEqual([sent[0].path, sent[0].base, sent[0].by], ["/v1/games", undefined, "p1"]);
});

test("an entry that follows what this page stored has at least that version", async () => {
  const { sync } = await syncOf();
  document.body.dataset.person = "p1";
  answers = [OK, OK];
  assert.equal(await sync.addAndSend(entry("a", { base: 4 })), undefined);
  assert.equal(await sync.addAndSend(entry("b", { base: 3 })), undefined);
  assert.deepEqual(
    sent.map(({ base, by }) => `${base} ${by}`),
    ["4 p1", "5 p1"],
  );
  const left = await sync.addAndSend(entry("c", { base: 6 }));
  assert.deepEqual([left.label, left.base, left.by], ["c", 6, "p1"]);
});

test("without a network entries wait, and are sent again after a pause, and when the network is back", async () => {
  const { sync, outbox, connection } = await syncOf("a");
  let delays = 0;
  sync.addEventListener("delayed", () => (delays += 1));
  await sync.sendAll();
  assert.deepEqual([connection.isReachable, sync.fault, delays, waiting(outbox)], [false, null, 1, ["a@2"]]);
  mock.timers.tick(1_499);
  await settled();
  assert.equal(sent.length, 1);
  mock.timers.tick(501);
  await settled();
  assert.equal(sent.length, 2);
  answers = [OK];
  tell("online");
  await settled();
  assert.deepEqual([sent.length, connection.isReachable, waiting(outbox)], [3, true, []]);
  mock.timers.tick(60_000);
  await settled();
  assert.equal(sent.length, 3, "nothing is sent twice");
});

test("pauses grow with each failure, one after the other, and begin anew when the network is back", async () => {
  const { sync, connection } = await syncOf("a");
  await sync.sendAll();
  await sync.sendAll();
  mock.timers.tick(2_999);
  await settled();
  assert.equal(sent.length, 2, "the second pause takes the place of the first");
  mock.timers.tick(1_001);
  await settled();
  assert.equal(sent.length, 3);
  tell("online"); // the connection and the sender both hear of it
  await settled();
  assert.deepEqual([sent.length, connection.isReachable], [5, false]);
  mock.timers.tick(2_999);
  await settled();
  assert.equal(sent.length, 5);
  answers = [OK];
  mock.timers.tick(1_001);
  await settled();
  assert.deepEqual([sent.length, connection.isReachable], [6, true]);
});

test("what another tab left is sent when somebody looks at the page", async () => {
  await syncOf();
  table.set("x", { ...entry("theirs"), key: "x", box: "1", place: 0 });
  document.visibilityState = "hidden";
  tell("visibilitychange");
  await settled();
  assert.equal(sent.length, 0);
  document.visibilityState = "visible";
  answers = [OK];
  tell("visibilitychange");
  await settled();
  assert.deepEqual(paths(), ["/v1/games/1/events?look=seat-1@2"]);
});

test("a refusal shows that the service is reached, and is told to the sender of that entry alone", async () => {
  const { sync, connection } = await syncOf("a");
  connection.report(false);
  answers = [problem("rule-broken", 422)];
  await sync.sendAll();
  assert.equal(connection.isReachable, true);
  const left = await sync.addAndSend(entry("b"));
  assert.deepEqual([left.label, left.problem, sent.length], ["b", undefined, 1]);
});

test("a service that fails or has too much to do is asked again, and its error is known", async () => {
  for (const status of [500, 503, 429]) {
    const { sync, outbox, connection } = await syncOf("a");
    answers = [problem("overloaded", status)];
    await sync.sendAll();
    assert.deepEqual([sync.fault.status, connection.isReachable, waiting(outbox)], [status, true, ["a@2"]]);
    assert.equal(outbox.firstItem().problem, undefined);
    answers = [OK];
    mock.timers.tick(2_000);
    await settled();
    assert.deepEqual([sync.fault, waiting(outbox)], [null, []]);
  }
});

test("a refused entry keeps its reason, and holds up those after it", async () => {
  const { sync, outbox, delivered } = await syncOf("a", "b", "c");
  answers = [OK, problem("rule-broken", 422)];
  await sync.sendAll();
  assert.deepEqual([waiting(outbox), delivered.length], [["b@3", "c@4"], 1]);
  assert.equal(outbox.firstItem().problem.detail, "rule-broken");
  await sync.sendAll();
  assert.equal(sent.length, 2);
});

test("an entry of another person waits until that person is logged in", async () => {
  const { sync, outbox } = await syncOf();
  await outbox.add(entry("a", { by: "p1" }));
  document.body.dataset.person = "p2";
  await sync.sendAll();
  assert.deepEqual(sent, []);
  delete document.body.dataset.person;
  answers = [problem("unauthorized", 401), OK];
  await sync.sendAll();
  assert.deepEqual([outbox.firstItem().problem.status, sent[0].by], [401, "p1"]);
  document.body.dataset.person = "p1";
  await sync.sendAll();
  assert.deepEqual([sent.length, waiting(outbox)], [2, []]);
});

test("an entry that was refused without a session is sent anew once by a page", async () => {
  const { sync, outbox } = await syncOf();
  document.body.dataset.person = "p1";
  await outbox.add(entry("a", { by: "p1" }));
  answers = [problem("unauthorized", 401), problem("unauthorized", 401)];
  for (const _ of "123") await sync.sendAll();
  assert.equal(sent.length, 2);
});

const note = { version: 3, type: "note.added", data: { text: "x" } };
const cells = (version, values, more = {}) => ({
  version,
  data: { move: { type: "line", column: "points", round: 1, values, ...more } },
});
const stale = (...missed) => problem("stale-version", 412, { missed });
/** What a trial of a move answers, and the sides of its sheet. */
const trial = (move) => [{ entries: [{ data: { move } }] }, { state: { sides: { one: ["p1"], two: ["p2"] } } }];

test("an entry follows notes that others added meanwhile", async () => {
  const { sync, outbox } = await syncOf("a", "b");
  answers = [stale(note), ...trial({ type: "place" }), OK, ...trial({ type: "place" }), OK];
  await sync.sendAll();
  assert.deepEqual(paths(), [
    "/v1/games/1/events?look=seat-1@2",
    "/v1/games/1/events?dry_run=true@3",
    "/v1/games/1/state@undefined",
    "/v1/games/1/events?look=seat-1@3",
    "/v1/games/1/events?dry_run=true@4",
    "/v1/games/1/state@undefined",
    "/v1/games/1/events?look=seat-1@4",
  ]);
  assert.deepEqual(sent[1].body.events[0].data, { override: { reason: "?" }, move: "a" });
  assert.deepEqual(waiting(outbox), []);
});

test("an entry after a move of others is refused, and so is one that cannot be tried", async () => {
  const { sync, outbox } = await syncOf("a");
  answers = [stale({ version: 3, data: { move: { type: "place" } } })];
  await sync.sendAll();
  assert.deepEqual([sent.length, outbox.firstItem().problem.detail], [1, "stale-version"]);
  const other = await syncOf();
  await other.outbox.clear();
  await other.outbox.add(entry("a"));
  answers = [stale(note)];
  await other.sync.sendAll();
  assert.deepEqual([sent.length, other.outbox.firstItem().problem.detail], [3, "stale-version"]);
});

test("an entry that is no move is refused where others recorded, and so is one with another problem", async () => {
  for (const [refusal, data] of [
    [stale(note), { entry: 2 }],
    [problem("rule-broken", 422, { missed: [note] }), { move: "a" }],
  ]) {
    sent = [];
    table.clear();
    const { sync, outbox } = await syncOf();
    await outbox.add(entry("a", { body: { events: [{ id: "a", data }] } }));
    answers = [refusal];
    await sync.sendAll();
    assert.deepEqual([sent.length, waiting(outbox)], [1, ["a@2"]]);
  }
});

test("cells join other cells, equal ones are not sent again, and others are refused", async () => {
  const mine = { type: "line", column: "points", round: 1 };
  for (const [values, theirs, left, last] of [
    [[1, null], [null, 2], [], "@3"],
    [[1, 2], [1, 2], [], "state@undefined"],
    [[1, 2], [1, 3], ["r1 1 2@2"], "state@undefined"],
  ]) {
    sent = [];
    table.clear();
    const { sync, outbox } = await syncOf("r1 1 2");
    answers = [stale(cells(3, theirs)), ...trial({ ...mine, values }), OK];
    await sync.sendAll();
    assert.deepEqual(waiting(outbox), left);
    assert.ok(paths().at(-1).endsWith(last), paths().at(-1));
  }
});

test("a cell joins the cell of another seat of the same line", async () => {
  const { sync, outbox } = await syncOf("r1 p1 5");
  const cell = (seat, value) => ({ type: "enter", column: "points", round: 1, seat, value });
  answers = [stale({ version: 3, data: { move: cell(1, 7) } }), ...trial(cell(0, 5)), OK];
  await sync.sendAll();
  assert.deepEqual(waiting(outbox), []);
});

test("cells of a line without its round are refused where others recorded cells", async () => {
  const { sync, outbox } = await syncOf("1 2");
  answers = [stale(cells(3, [null, 2])), ...trial({ type: "line", column: "points", round: 2, values: [1, 2] })];
  await sync.sendAll();
  assert.equal(outbox.firstItem().problem.detail, "stale-version");
});

test("an entry behind one that joined is compared, too, before it is sent", async () => {
  for (const [values, left, last] of [
    [[null, 7], [], "@4"], // it joins them
    [[9, null], ["r1 9 ?@4"], "state@undefined"], // it has another value
    [[5, null], [], "state@undefined"], // it says the same
  ]) {
    sent = [];
    table.clear();
    const { sync, outbox } = await syncOf("r2 1 2", "r1 9 ?");
    const second = { type: "line", column: "points", round: 1, values };
    answers = [stale(cells(3, [5, null])), ...trial({ ...second, round: 2, values: [1, 2] }), OK, ...trial(second), OK];
    await sync.sendAll();
    assert.deepEqual(waiting(outbox), left);
    assert.ok(paths().at(-1).endsWith(last), paths().at(-1));
    if (left.length) assert.deepEqual(outbox.firstItem().problem.missed.length, 1);
  }
});

test("an entry behind one that joined is sent untried if it is about another line", async () => {
  const { sync } = await syncOf("r2 1 2", "r3 1 2");
  const first = { type: "line", column: "points", round: 2, values: [1, 2] };
  answers = [stale(cells(3, [5, null])), ...trial(first), OK, OK];
  await sync.sendAll();
  assert.deepEqual(paths().slice(-2), ["/v1/games/1/events?look=seat-1@3", "/v1/games/1/events?look=seat-1@4"]);
});

test("an entry behind one that joined waits if its cells may be those of others", async () => {
  const { sync, outbox } = await syncOf("r2 1 2", "1 2");
  const line = (round) => ({ type: "line", column: "points", round, values: [1, 2] });
  answers = [stale(cells(3, [5, null])), ...trial(line(2)), OK, ...trial(line(3)), OK];
  await sync.sendAll();
  assert.deepEqual(waiting(outbox), ["1 2@4"]);
});

// The connection

test("a connection tells of what has changed, and of nothing else", () => {
  const connection = new Connection();
  let changes = 0;
  connection.addEventListener("change", () => (changes += 1));
  const after = (act) => {
    act();
    return [changes, connection.isReachable, connection.asOf];
  };
  assert.deepEqual(
    after(() => connection.report(true)),
    [0, true, null],
  );
  assert.deepEqual(
    after(() => tell("offline")),
    [1, false, null],
  );
  assert.deepEqual(
    after(() => tell("kept", { detail: "2026-11-30" })),
    [2, false, "2026-11-30"],
  );
  assert.deepEqual(
    after(() => connection.report(false)),
    [2, false, "2026-11-30"],
  );
  assert.deepEqual(
    after(() => tell("online")),
    [3, true, null],
  );
  connection.setStorage(true, 0);
  assert.equal(changes, 3);
  connection.setStorage(true, 2);
  connection.setStorage(false, 2);
  connection.close();
  assert.equal(changes, 6);
});

/** What a page says of a connection after it has changed. */
function says(change, acts = true) {
  if (!acts) delete document.body.dataset.acts;
  const [element, connection] = [document.createElement("p"), new Connection()];
  showConnection(element, connection);
  change(connection);
  return element.hidden ? "" : element.textContent;
}

test("the page says what becomes of entries without a connection", () => {
  const down = (parts) => (connection) => Object.assign(connection, parts).report(false);
  assert.equal(says(down({})), "No connection. What you enter is kept here, and stored once it is back.");
  assert.match(says(down({ waiting: 2 })), /^No connection\. 2 entries are kept here/);
  assert.match(says(down({ storesEntries: false })), /^No connection\. This browser cannot keep entries/);
  assert.match(
    says((connection) => connection.setStorage(false, 0)),
    /^This browser cannot keep entries/,
  );
  assert.equal(says(down({}), false), "No connection.");
  assert.match(
    says((connection) => connection.report(false, "2026-11-29T10:00:00Z")),
    /^No connection\. This is the state of .+\.$/,
  );
});

test("the page says that what may be seen has changed, and nothing while all is well", () => {
  assert.equal(
    says((connection) => connection.close()),
    "What you may see here has changed. Reload the page",
  );
  const back = (connection) => {
    connection.report(false);
    connection.report(true);
  };
  assert.equal(says(back), "");
});

test("a page from this device says of which time it is", async () => {
  document.body.dataset.asOf = "2026-11-29T10:00:00Z";
  const connection = new Connection();
  await settled();
  assert.deepEqual([connection.isReachable, connection.asOf], [false, "2026-11-29T10:00:00Z"]);
});

// Settings of this device

test("settings are on at first, and each is switched alone", () => {
  let changes = 0;
  settings.addEventListener("change", () => (changes += 1), { once: true });
  const values = () => [settings.asksConfirmation, settings.keepsScreenOn, settings.vibrates];
  assert.deepEqual(values(), [true, true, true]);
  const [, awake] = settings.actions();
  assert.equal(awake.text, "Keep the screen on: on");
  awake.act();
  assert.deepEqual([values(), changes], [[true, false, true], 1]);
  settings.actions()[0].act();
  assert.deepEqual(values(), [false, false, true]);
  assert.deepEqual(
    settings.actions().map(({ text }) => text.split(": ")[1]),
    ["off", "off", "on"],
  );
  settings.actions()[1].act();
  assert.deepEqual(values(), [false, true, true]);
});

test("settings that cannot be read are those of the beginning", () => {
  localStorage["kifu.recording"] = "{";
  assert.equal(settings.asksConfirmation, true);
  localStorage["kifu.recording"] = "null";
  assert.equal(settings.asksConfirmation, true);
});

test("the screen stays on while somebody records and wants it so", async () => {
  const locks = [];
  const request = async (kind) => {
    const lock = { kind, released: false, release: async () => (lock.released = true) };
    locks.push(lock);
    return lock;
  };
  Object.defineProperty(globalThis, "navigator", { value: { wakeLock: { request } }, configurable: true });
  const record = Object.assign(new EventTarget(), { closed: null });
  keepScreenOn(record);
  const held = async () => {
    await settled();
    return locks.map(({ released }) => !released);
  };
  for (let news = 0; news < 2; news += 1) record.dispatchEvent(new Event("entries")); // before the browser answers
  assert.deepEqual([await held(), locks[0].kind], [[true], "screen"]);
  record.dispatchEvent(new Event("entries"));
  assert.deepEqual(await held(), [true], "one lock is enough");
  locks[0].released = true; // as browsers do when the page is hidden
  tell("visibilitychange");
  assert.deepEqual(await held(), [false, true]);
  settings.actions()[1].act();
  assert.deepEqual(await held(), [false, false]);
  settings.actions()[1].act();
  assert.deepEqual(await held(), [false, false, true]);
  document.visibilityState = "hidden";
  tell("visibilitychange");
  assert.deepEqual(await held(), [false, false, false]);
  document.visibilityState = "visible";
  tell("visibilitychange");
  assert.deepEqual((await held()).at(-1), true);
  record.closed = "finished";
  record.dispatchEvent(new Event("entries"));
  assert.deepEqual((await held()).filter(Boolean), []);
});

test("a device that keeps no screen on is asked again at the next news", async () => {
  let asked = 0;
  const request = async () => {
    asked += 1;
    throw new Error("battery low");
  };
  Object.defineProperty(globalThis, "navigator", { value: { wakeLock: { request } }, configurable: true });
  const record = Object.assign(new EventTarget(), { closed: null });
  keepScreenOn(record);
  for (const times of [1, 2]) {
    record.dispatchEvent(new Event("entries"));
    await settled();
    assert.equal(asked, times);
  }
});

test("a stored entry vibrates on a device that somebody touched, unless it is switched off", () => {
  const buzzes = [];
  const browser = { vibrate: (time) => buzzes.push(time), userActivation: { hasBeenActive: false } };
  Object.defineProperty(globalThis, "navigator", { value: browser, configurable: true });
  const sync = new EventTarget();
  vibrateWhenStored(sync);
  const deliver = () => sync.dispatchEvent(new Event("delivered"));
  deliver();
  assert.deepEqual(buzzes, []);
  browser.userActivation.hasBeenActive = true;
  deliver();
  assert.deepEqual(buzzes, [10]);
  delete browser.userActivation;
  deliver();
  assert.deepEqual(buzzes, [10, 10]);
  settings.actions()[2].act();
  deliver();
  assert.deepEqual(buzzes, [10, 10]);
});
