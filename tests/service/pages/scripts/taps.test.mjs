import assert from "node:assert/strict";
import { test } from "node:test";
import { JS } from "./pages.mjs";

/** What the page listens to. The guard listens before the presses that a mouse keeps, which come second here. */
const heard = new Map();
globalThis.addEventListener = (type, listener) => heard.set(type, heard.get(type) ?? listener);
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
  heard.get("pointerdown")({ ...at, timeStamp: time });
  heard.get("pointerup")({ ...at, timeStamp: time + 10 });
  time += 10;
  heard.get("click")({ ...at, timeStamp: time, detail, preventDefault: stop, stopImmediatePropagation() {} });
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
