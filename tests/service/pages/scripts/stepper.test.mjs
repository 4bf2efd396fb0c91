/** The slider, buttons and keys that go through a record. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { JS } from "./pages.mjs";
import "./document.mjs";

const { h } = await import(new URL("base/dom.js", JS));
const { useEventTypes } = await import(new URL("record/event-types.js", JS));
const { Stepper } = await import(new URL("record/stepper.js", JS));

useEventTypes({});
/** A record of three entries, the second irregular, at the last one. */
class Log extends EventTarget {
  currentPlace = 3;
  order = [1, 2, 3].map((version) => ({ version, type: "x", notation: `move ${version}`, irregular: version === 2 }));

  get currentEntry() {
    return this.order[this.currentPlace - 1];
  }

  get isAtNewest() {
    return this.currentPlace === 3;
  }

  goToPlace(place) {
    this.currentPlace = Math.min(Math.max(place, 1), 3);
    this.dispatchEvent(new Event("position"));
  }
}

/** What the page does with a key of the keyboard. */
let strike;

function stepper() {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setInterval"] });
  document.addEventListener = (type, act) => {
    if (type === "keydown")
      strike = (key, target = h("p", {}), more = {}) => act({ key, target, preventDefault() {}, ...more });
  };
  const play = h("button", { "data-go": "play" });
  const [slider, log] = [h("input", { type: "range" }), new Log()];
  new Stepper(h("div", {}, slider, h("output", {}), play), log);
  log.goToPlace(3);
  return { log, slider, play };
}

test("the replay begins at the first entry, goes on by itself, and ends at the last one", () => {
  const { log, play } = stepper();
  strike(" ");
  assert.deepEqual([log.currentPlace, play.textContent], [1, "Pause"]);
  mock.timers.tick(1_600);
  assert.deepEqual([log.currentPlace, play.textContent], [3, "Play"]);
});

test("a step ends the replay", () => {
  const { log, play } = stepper();
  strike(" ");
  strike("ArrowRight");
  assert.deepEqual([log.currentPlace, play.textContent], [2, "Play"]);
  mock.timers.tick(8_000);
  assert.equal(log.currentPlace, 2);
});

test("keys of a field or a button are its own", () => {
  const { log } = stepper();
  strike(" ", h("button", {}));
  strike("Home", h("textarea", {}));
  strike("Home", h("p", {}), { altKey: true });
  assert.equal(log.currentPlace, 3);
  strike("Home", h("button", {}));
  assert.equal(log.currentPlace, 1);
});

test("the slider says which entry it is at, and that it is irregular", () => {
  const { log, slider } = stepper();
  log.goToPlace(2);
  assert.equal(slider.getAttribute("aria-valuetext"), "2 of 3: entry 2, irregular: move 2");
});
