/** A record is signed with a key of this device, where the browser keeps one. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { JS } from "./pages.mjs";
import { settled } from "./document.mjs";

const { embed } = await import(new URL("base/api.js", JS));
const { SignDialog } = await import(new URL("record/signing.js", JS));

/** How the browser opens its storage: the keys in it, whether it answers, and whether it opens. */
let storage;
/** The signatures that were sent, and their whole requests. */
let sent;
let requests;

const request = (result, answers = true) => {
  const asked = { result };
  if (answers) setImmediate(() => asked.onsuccess());
  return asked;
};
const TABLE = {
  get: (name) => request(storage.keys[name]),
  put: (made, name) => request(Object.assign(storage.keys, { [name]: made })),
};
const DATABASE = { transaction: () => ({ objectStore: () => TABLE }), close() {} };

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  [storage, sent, requests] = [{ keys: {}, answers: true, opens: true }, [], []];
  globalThis.indexedDB = {
    open() {
      if (!storage.opens) throw new DOMException("The operation is insecure.", "SecurityError");
      return request(DATABASE, storage.answers);
    },
  };
  globalThis.fetch = async (_, { body }) => {
    requests.push(body);
    sent.push(JSON.parse(body).events[0].data);
    if (storage.loses) throw new TypeError("no network");
    return new Response("{}");
  };
});

/** The dialog that signs version 3, after somebody pressed its key. */
async function press() {
  const record = { head: 3, path: "/g", game: "g", facts: { scores: [1, 0] }, refresh: async () => {} };
  const words = { seats: [{ seat: 1, label: { en: "White" } }], name: () => "Ben" };
  const signing = new SignDialog(record, words, { mayPlay: () => true, seats: [1] });
  Object.assign(signing.frame.dialog, { showModal() {}, close: () => (signing.isClosed = true) });
  signing.ask();
  signing.seat.value = "1";
  await submit(signing);
  return signing;
}

async function submit({ frame }) {
  embed({ "/g/state?at=3": { body: { hash: "abc" }, tag: null } });
  frame.form.dispatchEvent({ type: "submit" });
  await settled();
}

/** Wait for the end of a form: keys are made in other threads. */
async function ended(signing) {
  for (let turn = 0; turn < 1_000 && !signing.isClosed && signing.frame.button.disabled; turn += 1) await settled();
}

const NO_KEY = "This browser keeps no key on this device. Sign with another browser.";

test("the key of this device signs what the person saw", async () => {
  await ended(await press());
  const [{ key, signature, ...signed }] = sent;
  assert.deepEqual(signed, { version: 3, hash: "abc", seat: 1, algorithm: "ed25519" });
  const bytes = (text) => Buffer.from(text, "base64");
  const [form, said] = [{ name: "Ed25519" }, "kifu record\ngame g\nversion 3\nhash abc\nseat 1\n"];
  const known = await crypto.subtle.importKey("raw", bytes(key), form, false, ["verify"]);
  assert.ok(await crypto.subtle.verify(form, known, bytes(signature), Buffer.from(said)));
  await ended(await press());
  assert.equal(sent[1].key, key, "the device keeps its key");
});

test("a browser whose storage never opens says so, and the form can be sent again", async () => {
  storage.answers = false;
  const signing = await press();
  assert.ok(signing.frame.button.disabled);
  mock.timers.tick(5_000);
  await ended(signing);
  assert.deepEqual([signing.frame.answer.textContent, signing.frame.button.disabled], [NO_KEY, false]);
  storage.answers = true;
  await submit(signing);
  await ended(signing);
  assert.equal(sent.length, 1);
});

test("a browser that forbids its storage is not taken for a lost connection", async () => {
  storage.opens = false;
  const signing = await press();
  await ended(signing);
  assert.equal(signing.frame.answer.textContent, NO_KEY);
  globalThis.fetch = () => Promise.reject(new TypeError("no network"));
  storage.opens = true;
  await submit(signing);
  await ended(signing);
  assert.equal(signing.frame.answer.textContent, "No connection: try again once it is back.");
});

test("a signature is sent again as it was after a lost answer, and anew for another seat", async () => {
  storage.loses = true;
  const signing = await press();
  await ended(signing);
  for (const seat of ["1", ""]) {
    signing.seat.value = seat;
    await submit(signing);
    await ended(signing);
  }
  assert.equal(requests[1], requests[0]);
  assert.deepEqual(
    sent.map(({ seat }) => seat),
    [1, 1, undefined],
  );
});
