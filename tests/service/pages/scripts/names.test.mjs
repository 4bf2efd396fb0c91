import assert from "node:assert/strict";
import { test } from "node:test";
import "./document.mjs";
import { h } from "../../../../service/pages/static/js/base/dom.js";
import { cutNames, shortName } from "../../../../service/pages/static/js/base/names.js";

const NAMES = ["Player 2", "Player 10", "Player 12", "Anna-Maria", "Anna-Marie", "Maximiliane", "🎲🎲🎲"];
const cut = (name, room) => shortName(name, NAMES, (each) => [...each].length <= room);

test("a name is cut at its end, and before its end where another one begins alike", () => {
  assert.equal(cut("Maximiliane", 6), "Maxim…");
  assert.equal(cut("🎲🎲🎲", 2), "🎲…");
  assert.equal(cut("Player 2", 8), "Player 2");
  assert.equal(cut("Player 2", 5), "Pla…2");
  assert.equal(cut("Player 12", 6), "Pla…12");
  assert.equal(cut("Player 12", 1), "P…12");
  assert.equal(cut("Player 10", 8), "Playe…10");
  assert.equal(cut("Anna-Marie", 6), "Anna…e");
});

test("names that begin alike keep their middle in the page where only their ends have room", () => {
  const places = ["Player 1", "Player 12", "Maximiliane", "Mia"].map((name) => {
    const place = h("bdi", {}, name);
    Object.assign(place, { clientWidth: 6, clientHeight: 1, scrollHeight: 1 });
    Object.defineProperty(place, "scrollWidth", { get: () => [...place.textContent].length });
    return place;
  });
  const shown = ({ childNodes }) => childNodes.map((node) => (node.localName ? "…" : node)).join("");
  const frames = [];
  globalThis.requestAnimationFrame = (work) => frames.push(work);
  for (let twice = 0; twice < 2; twice++) {
    cutNames(places);
    for (const work of frames.splice(0)) work();
    assert.deepEqual(places.map(shown), ["Play…1", "Pla…12", "Maximiliane", "Mia"]);
    assert.deepEqual(
      places.map(({ textContent }) => textContent),
      ["Player 1", "Player 12", "Maximiliane", "Mia"],
    );
  }
  cutNames([places[0], places[3]]);
  assert.equal(frames.length, 0);
});
