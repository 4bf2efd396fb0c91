import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./document.mjs";
import { h } from "../../../../service/pages/static/js/base/dom.js";
import { cutNames, shortName } from "../../../../service/pages/static/js/base/names.js";

const { names, cut } = JSON.parse(readFileSync(new URL("cut-names.json", import.meta.url), "utf-8"));

test("a name is cut at its end, and before its end where another one begins alike, as pictures cut it", () => {
  for (const [name, room, told] of cut)
    assert.equal(
      shortName(name, names, (each) => [...each].length <= room),
      told,
    );
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
