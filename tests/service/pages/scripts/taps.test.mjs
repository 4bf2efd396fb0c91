import assert from "node:assert/strict";
import { test } from "node:test";
import { JS } from "./pages.mjs";

/** What the page listens to. The guard listens first, and then what keeps the presses of a mouse. */
const heard = new Map();
globalThis.addEventListener = (type, listener) => heard.set(type, [...(heard.get(type) ?? []), listener]);
globalThis.MutationObserver = class {
  observe() {}
};
globalThis.document = { body: {} };
const { markAppeared, guardTaps } = await import(new URL("base/taps.js", JS));
guardTaps();

/** An element that is a key, or a place of the board, with what its taps did. */
function element({ repeats = false, onBoard = false } = {}) {
  const fits = (selector) =>
    (selector.includes("button") && !onBoard) ||
    (selector.includes("[data-tappable]") && onBoard) ||
    (selector === "[data-repeats]" && repeats);
  const part = { parentElement: null, isConnected: true, outerHTML: "<button>" };
  part.closest = (selector) => (fits(selector) ? part : null);
  return part;
}

let time = 10_000;

/** Tap an element after a pause; whether the tap counts. `detail` is 0 for a key of a keyboard. */
function tap(target, { pause = 1_000, x = 100, y = 100, detail = 1 } = {}) {
  time += pause;
  const at = { target, clientX: x, clientY: y };
  let counts = true;
  const stop = () => {
    counts = false;
  };
  heard.get("pointerdown")[0]({ ...at, timeStamp: time });
  heard.get("pointerup")[0]({ ...at, timeStamp: time + 10 });
  time += 10;
  heard.get("click")[0]({ ...at, timeStamp: time, detail, preventDefault: stop, stopImmediatePropagation() {} });
  return counts;
}

test("a double tap on a key is one tap, and a later tap on it counts", () => {
  const key = element();
  assert.deepEqual([tap(key), tap(key, { pause: 80 }), tap(key, { pause: 400 })], [true, false, true]);
});

test("a key that repeats takes every tap", () => {
  const key = element({ repeats: true });
  assert.deepEqual([tap(key), tap(key, { pause: 80 }), tap(key, { pause: 80 })], [true, true, true]);
});

test("two quick taps on keys that lie apart are two", () => {
  assert.deepEqual([tap(element()), tap(element(), { pause: 80, x: 160 })], [true, true]);
});

test("a keyboard is never delayed", () => {
  const key = element();
  assert.deepEqual([tap(key), tap(key, { pause: 20, detail: 0 })], [true, true]);
});

test("a place of the board takes a second tap, but not one that has just appeared there", (context) => {
  const place = element({ onBoard: true });
  assert.deepEqual([tap(place), tap(place, { pause: 80 })], [true, true]);
  tap(element());
  const fresh = element({ onBoard: true });
  context.mock.method(performance, "now", () => time + 50);
  markAppeared(fresh);
  assert.equal(tap(fresh, { pause: 80 }), false);
});

test("a key that is drawn anew while a mouse presses it gets its click", async () => {
  const [gone, drawn] = [element(), element()];
  gone.isConnected = false;
  let clicks = 0;
  drawn.click = () => {
    clicks += 1;
  };
  const mouse = { clientX: 100, clientY: 100, pointerType: "mouse", button: 0, timeStamp: time + 1_000 };
  for (const listener of heard.get("pointerdown")) listener({ ...mouse, target: gone });
  for (const listener of heard.get("pointerup")) listener({ ...mouse, target: drawn });
  await new Promise((over) => setTimeout(over, 5));
  assert.equal(clicks, 1);
});
