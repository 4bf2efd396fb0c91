/** The list of all entries: what is drawn, and what stays as it is. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { JS } from "./pages.mjs";
import { texts } from "./document.mjs";

const { h } = await import(new URL("base/dom.js", JS));
const { Words } = await import(new URL("base/words.js", JS));
const { useEventTypes } = await import(new URL("record/event-types.js", JS));
const { Timeline } = await import(new URL("record/timeline.js", JS));

useEventTypes({});
const RULESET = { rules: [], effects: {}, terms: {} };
const entry = (version, more) => ({
  version,
  type: "x",
  notation: `move ${version}`,
  scores: [],
  recorder: "me",
  ...more,
});

/** A record of so many entries, at the last one. */
class Log extends EventTarget {
  order = [];
  remarks = [];
  currentPlace = 1;

  grow(count) {
    const kept = this.order.slice(0, count);
    const more = Array.from({ length: count - kept.length }, (_, at) => entry(kept.length + at + 1));
    this.order = [...kept, ...more];
    this.goTo(count);
  }

  goTo(place) {
    this.currentPlace = place;
    for (const name of ["entries", "position"]) this.dispatchEvent(new Event(name));
  }

  get currentEntry() {
    return this.order[this.currentPlace - 1];
  }

  placeOf(version) {
    return version;
  }

  remarksOn(version, type) {
    return this.remarks.filter((each) => each.entry === version && each.type === type);
  }

  recorderName() {
    return "";
  }
}

let log;
let list;
/** What is watched until it comes into sight, and what happens then. */
let watched;
let come;

beforeEach(() => {
  [log, list, watched] = [new Log(), h("div"), new Set()];
  globalThis.requestAnimationFrame = () => {};
  globalThis.IntersectionObserver = class {
    constructor(act) {
      come = (target) => act([{ isIntersecting: true, target }]);
    }
    observe(element) {
      watched.add(element);
    }
    unobserve(element) {
      watched.delete(element);
    }
  };
  new Timeline(list, log, new Words(RULESET, []), ({ version }) => h("button", {}, `more ${version}`));
});

const line = (version) => list.querySelector(`[data-version="${version}"]`);
const chunks = () => list.querySelectorAll("div ul").filter((each) => watched.has(each));
const drawn = () => chunks().map((each) => each.children.length);

test("the newest entries come first and are drawn, the current one is marked, and others as they come into sight", () => {
  log.grow(80);
  assert.deepEqual(drawn(), [5, 25, 0, 0]);
  assert.deepEqual(texts(list, "li .notation").slice(0, 2), ["move 80", "move 79"]);
  assert.deepEqual([chunks()[3].style.height, chunks()[0].style.height], ["calc(25 * 5rem)", ""]);
  come(chunks()[3]);
  assert.deepEqual(drawn(), [5, 25, 0, 25]);
  log.goTo(30);
  assert.deepEqual(drawn(), [5, 25, 25, 25]);
  assert.deepEqual(
    list.querySelectorAll("[aria-current]").map((each) => each.dataset.version),
    ["30"],
  );
});

test("an unchanged entry keeps its line, and a note, a ruling or a correction draws it anew", () => {
  log.grow(3);
  const [first, second] = [line(1), line(2)];
  log.grow(4);
  assert.deepEqual([line(1), line(2)], [first, second]);
  log.remarks = [{ version: 5, entry: 1, type: "note.added", text: "well played" }];
  log.grow(5);
  assert.deepEqual(texts(list, ".notes li"), ["well played"]);
  assert.equal(line(2), second);
  log.remarks.push({ version: 6, entry: 2, type: "ruling.given" });
  log.order[2] = entry(3, { irregular: [{ rule: "game:R-1", why: "too late" }] });
  log.grow(6);
  assert.deepEqual(texts(list, ".flags li"), ["Irregular: too late R-1", "Ruled on in entry 6"]);
});

test("a record that was cut and grows again draws what is in sight alone", () => {
  log.grow(80);
  come(chunks()[3]);
  log.goTo(80);
  log.grow(10);
  assert.deepEqual(drawn(), [10]);
  log.grow(150);
  assert.deepEqual(drawn(), [25, 25, 0, 0, 0, 25]);
});
