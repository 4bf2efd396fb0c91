/** Nothing entered is lost or stored twice: not without a network, nor when answers are lost or others record, too. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { uuid7 } from "../../../../../service/pages/static/js/base/uuid.js";
import * as page from "./page.mjs";
import { DEAL, add, answer, ask, entries, logIn, moves, record } from "./service.mjs";

const { dialog, enter, field, find, isShown, moveField, press, textOf, type, until, untilText, untilStored } = page;
const BACK = /^(Record it after them|Record it once more)$/;
/** Where entries are sent to be stored. */
const isSent = (path, { method } = {}) => method === "POST" && /\/events(\?look=\w+)?$/.test(path);

const outbox = () => find("#outbox");
const waiting = () => page.texts("#outbox li");
const untilWaiting = (count) => until(() => waiting().length === count, `${count} entries that wait`);
const untilOutbox = (wanted) => untilText("#outbox", wanted);
const since = async (game, version) => (await moves(game)).slice(version);

/** Record moves while there is no network, and let others record `theirs` meanwhile. */
async function without(own, game, ...theirs) {
  page.network(false);
  for (const each of own) await enter(each);
  await page.pause(); // nothing is on its way any more
  if (theirs.length) await record(game, ...theirs);
  page.network(true);
}

test("offline entries are stored once and in order when the network is back", async () => {
  const game = await page.visitDealt();
  page.network(false);
  await enter("b-d");
  await untilText("#connection", "No connection");
  await enter("+c/h");
  await untilWaiting(2);
  await untilText("#connection", "2 entries are kept here"); // the keypad of a sheet covers the list of them
  assert.match(waiting().join(), /b-d.*\+c\/h/);
  assert.deepEqual(await moves(game), [DEAL]);
  page.network(true);
  await untilStored(4);
  await untilWaiting(0);
  await until(() => !isShown(find("#connection")), "no word of the connection");
  assert.deepEqual(await moves(game), [DEAL, "BARI-DUDA", "+COCO/HUNA"]);
});

test("a browser without a log-in says on every page that entries are kept in it", async () => {
  await page.visit("/login", { owner: false });
  assert.deepEqual(await indexedDB.databases(), [], "no place for entries is made");
  await page.visitDealt();
  page.network(false);
  for (const move of ["a-h", "+c/l"]) await enter(move);
  await untilWaiting(2);
  for (const path of ["/games/none", "/login", "/"]) {
    await page.visit(path, { owner: false });
    await untilText(".banner[role=status]", "2 entries that are not stored yet are kept on this device.");
  }
});

test("behind a network that wants a log-in first, an entry is kept, and the board stays", async () => {
  const game = await page.visitDealt();
  const board = () => find("#board").shadowRoot?.querySelector("svg");
  await until(board, "the board");
  page.answerWith(() => new Response("<h1>Welcome to our Wi-Fi</h1>", { headers: { "Content-Type": "text/html" } }));
  type(moveField(), "a-h");
  await untilText("#preview", "No connection: it cannot be checked now.");
  await press("Record", find("#recorder"));
  await untilWaiting(1);
  page.refresh();
  await untilText("#connection", "No connection.");
  assert.ok(board());
  page.answerWith(null);
  dispatchEvent(new Event("online"));
  await untilStored(3);
  assert.deepEqual(await since(game, 1), ["ALOA-HUNA"]);
});

test("an overtaken entry shows the missed entries, and is sent again or dropped", async () => {
  const game = await page.visitDealt();
  await without(["a-b"], game, "ALOA-HUNA");
  await untilOutbox("somebody else has recorded meanwhile");
  await untilOutbox("3 · Anna: ALOA-HUNA");
  assert.deepEqual(await since(game, 1), ["ALOA-HUNA"]);
  assert.ok(!page.hasKey(/once more/, outbox()));
  await press(BACK, outbox);
  await untilStored(4);
  await untilWaiting(0);
  assert.deepEqual(await since(game, 1), ["ALOA-HUNA", "ALOA-BARI"]);
  await without(["c-f", "+d/e"], game, "COCO-FAAA");
  await untilOutbox("c-f is in the record already, as entry 5");
  assert.ok(page.hasKey("Record it once more", outbox()));
  await press("Discard it", outbox);
  await untilStored(6); // what follows upon it follows upon the other's
  await untilWaiting(0);
  assert.deepEqual(await since(game, 3), ["COCO-FAAA", "+DUDA/ELAI"]);
});

test("a waiting entry is taken back into the field", async () => {
  const game = await page.visitDealt();
  page.network(false);
  for (const each of ["a-b", "+b/g"]) await enter(each);
  await untilWaiting(2);
  await press("Undo");
  await until(() => moveField().value === "+b/g", "the move in its field");
  await untilWaiting(1);
  type(moveField(), "+c/f");
  page.network(true);
  await untilStored(3);
  await until(() => find("#recorder").dataset.offered === "3", "the moves after the one that was stored");
  await untilText("#preview[aria-busy=false]", "Anna took COCO from the row");
  await press("Record", find("#recorder"));
  await untilStored(4);
  assert.deepEqual(await since(game, 1), ["ALOA-BARI", "+COCO/FAAA"]);
});

test("a waiting entry of an open page is not sent for another person who logs in", async () => {
  const game = await page.visitDealt();
  const person = uuid7();
  await ask(`/v1/players/${person}`, { name: "Ben" }, "PUT");
  await ask(`/v1/roles/${person}`, { role: "recorder" }, "PUT");
  const { token } = await ask("/v1/tokens", { name: "Ben", person });
  const ben = await logIn(token);
  page.answerWith((path, init) => (isSent(path, init) ? page.lost() : null));
  await enter("b-d");
  await untilOutbox("b-d");
  page.answerWith((path, init) => answer(path, init, ben));
  dispatchEvent(new Event("online"));
  await untilOutbox("Log in and try again.");
  await page.visitGame(game, { owner: ben });
  await untilOutbox("b-d");
  assert.deepEqual(await moves(game), [DEAL]);
  await page.visitGame(game);
  await untilStored(3);
  assert.deepEqual(await moves(game), [DEAL, "BARI-DUDA"]);
});

test("an entry survives its page and refusals, and is stored once although its answer was lost", async () => {
  const game = await page.visitDealt();
  page.answerWith((path, init) => (isSent(path, init) ? page.lost() : null));
  await enter("b-d");
  await untilOutbox("b-d");
  await page.visitGame(game);
  await untilStored(3);
  await isTriedAgainAfterRefusals();
  const sent = [];
  page.answerWith(async (path, init) => {
    if (!isSent(path, init)) return null;
    const got = await answer(path, init);
    sent.push([JSON.parse(init.body).events[0].id, got.status]);
    return sent.length === 1 ? page.lost() : got;
  });
  await enter("+");
  await until(() => sent.length === 2, "another attempt");
  await untilStored(5);
  await untilWaiting(0);
  assert.deepEqual(sent[0], [sent[1][0], 201]);
  assert.deepEqual(await moves(game), [DEAL, "BARI-DUDA", "DUDA-ELAI", "+"]);
});

/** Enter a move that is refused twice, for as long as the service has no room or too much to do. */
async function isTriedAgainAfterRefusals() {
  const refusals = [
    { type: "/problems/storage-full", title: "The disk is full", status: 507, detail: "no room" },
    { type: "/problems/quota-exceeded", title: "Too many requests", status: 429, detail: "wait a second" },
  ];
  page.answerWith((path, init) =>
    isSent(path, init) && refusals.length ? page.problem(refusals[0], { "Retry-After": "1" }) : null,
  );
  await enter("d-e");
  for (const why of ["no room", "wait a second"]) {
    await untilOutbox(`not stored yet, will be tried again: ${why}`);
    refusals.shift();
  }
  await untilStored(4);
}

test("a duplicate move of others is shown to the first recorder", async () => {
  const game = await page.visitDealt();
  const duplicates = () => find("#duplicates");
  const twice = async (seat, reason) => {
    await add(game, { data: { move: `${seat}: +`, override: { reason } } });
    page.refresh();
  };
  await enter("+");
  await untilStored(3);
  assert.ok(!isShown(duplicates()));
  await twice("black", "sent by another phone");
  await untilText("#duplicates", "is in the record twice: you recorded entry 3, and somebody else entry 4");
  await press("Take one back", duplicates);
  await until(() => dialog() && textOf(dialog()).includes("Withdraw entry 4?"));
  await press("Withdraw", dialog);
  await untilStored(5);
  await until(() => !isShown(duplicates()), "no question");
  assert.deepEqual(await moves(game), [DEAL, "+"]);
  await enter("+");
  await untilStored(6);
  await twice("white", "two cards");
  await untilText("#duplicates", "you recorded entry 6, and somebody else entry 7");
  await press("Both happened", duplicates);
  await until(() => !isShown(duplicates()), "no question");
});

test("a refused entry is corrected in the outbox, recorded as irregular, or dropped", async () => {
  const game = await page.visitDealt();
  await without(["b-d", "+KAHU", "a-h"], game);
  await until(() => /Impossible move/.test(textOf(find("#outbox [role=alert]"))), "what is wrong");
  assert.deepEqual(await moves(game), [DEAL, "BARI-DUDA"]);
  type(field("Move", outbox()), "+c/h");
  await press("Send again", outbox);
  await untilStored(5);
  assert.deepEqual(await moves(game), [DEAL, "BARI-DUDA", "+COCO/HUNA", "ALOA-HUNA"]);
  await without(["d-e (c)", "+KAHU"], game);
  await until(() => page.fieldsOf("Why it counts", outbox()).length, "a reason");
  type(field("Why it counts", outbox()), "nobody noticed");
  await press("Send again", outbox);
  await until(() => /Impossible move/.test(textOf(find("#outbox [role=alert]"))), "what is wrong with the other");
  await press("Discard it", outbox);
  await untilWaiting(0);
  assert.equal((await entries(game)).at(-1).override, "nobody noticed");
});

/** Let nothing be told of what was kept, until it is released. */
function slowDisk() {
  let release = null;
  const held = new Promise((done) => (release = done));
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (...given) {
    const own = transaction.apply(this, given);
    const set = (listener) => own.addEventListener("complete", (event) => held.then(() => listener(event)));
    return Object.defineProperty(own, "oncomplete", { set, get: () => null });
  };
  return () => {
    IDBDatabase.prototype.transaction = transaction;
    release();
  };
}

/** What is kept on the device, in its order. */
const kept = () =>
  new Promise((done) => {
    const opening = indexedDB.open("kifu");
    opening.onsuccess = () => {
      const reading = opening.result.transaction("waiting").objectStore("waiting").getAll();
      reading.onsuccess = () => {
        opening.result.close();
        done(reading.result.sort((one, other) => one.place - other.place).map(({ label }) => label));
      };
    };
  });

test("an entry is stored before the page shows it", async () => {
  const game = await page.visitDealt();
  page.network(false);
  type(moveField(), "b-d");
  await until(() => find("#preview[aria-busy=false] > *"));
  const release = slowDisk();
  await press("Record", find("#recorder"));
  while (String(await kept()) !== "b-d") await page.pause();
  assert.deepEqual(waiting(), []);
  release();
  await untilWaiting(1);
  page.network(true);
  await untilStored(3);
  assert.deepEqual(await moves(game), [DEAL, "BARI-DUDA"]);
});

test("waiting entries of an earlier release are sent", async () => {
  const game = await page.visitDealt();
  page.network(false);
  for (const [at, move] of ["b-d", "+c/h"].entries()) {
    const body = { events: [{ id: uuid7(), data: { move } }] };
    const item = { key: uuid7(), path: `/v1/games/${game}/events`, body, base: 2 + at, label: move };
    localStorage.setItem(`kifu:${game}:${item.key}`, JSON.stringify(item));
  }
  page.network(true);
  await page.visitGame(game);
  await untilStored(4);
  await untilWaiting(0);
  assert.deepEqual(
    Object.keys(localStorage).filter((name) => name.length > 40),
    [],
  );
  assert.deepEqual(await moves(game), [DEAL, "BARI-DUDA", "+COCO/HUNA"]);
});

/** Whether leaving the page is asked about. */
const isAskedAbout = () => !dispatchEvent(new Event("beforeunload", { cancelable: true }));

/** Let nothing be kept, as on a full disk; answers how to have room again. */
function fill() {
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (item) {
    put.call(this, item).onsuccess = () => this.transaction.abort();
  };
  return () => (IDBObjectStore.prototype.put = put);
}

/** Let the page keep nothing, as where it is forbidden; answers how to allow it. */
function forbid() {
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (stores, ...more) {
    if (stores === "waiting") throw new DOMException("no", "SecurityError");
    return transaction.call(this, stores, ...more);
  };
  return () => (IDBDatabase.prototype.transaction = transaction);
}

for (const [why, spoil, lasts] of [
  ["there is no room", fill, false],
  ["there is no room at all", fill, true],
  ["it is forbidden", forbid, true],
])
  test(`an entry that cannot be kept because ${why} is still sent, after a warning`, async () => {
    const game = await page.visitDealt();
    const allow = spoil();
    page.network(false);
    await enter("b-d");
    await untilText("#connection", "No connection. This browser cannot keep entries");
    await until(isAskedAbout, "leaving to be asked about");
    if (!lasts) allow();
    await enter("+c/h");
    await untilWaiting(2);
    if (!lasts) await until(() => !textOf(find("#connection")).includes("cannot keep"), "room");
    assert.equal(isAskedAbout(), lasts);
    if (!lasts) assert.deepEqual(await kept(), ["b-d", "+c/h"]);
    page.network(true);
    await untilStored(4);
    await until(() => !isAskedAbout(), "nothing to ask about");
    allow();
    assert.deepEqual(await moves(game), [DEAL, "BARI-DUDA", "+COCO/HUNA"]);
  });
