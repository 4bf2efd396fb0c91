import assert from "node:assert/strict";
import { test } from "node:test";
import { JS } from "./pages.mjs";
import "./document.mjs";

const { arrowButtons, moveItem } = await import(new URL("sheet/fields.js", JS));
const { readLabels, readRanges } = await import(new URL("sheet/pairs.js", JS));
const { decidingChoices } = await import(new URL("sheet/ties.js", JS));
const { nameToStore, openingAddress } = await import(new URL("sheet/template-form.js", JS));

test("an item moves one place, and the arrow that moved it keeps the focus", () => {
  const list = ["a", "b", "c", "d"];
  assert.equal(moveItem(list, 2, -1), "up-1");
  assert.deepEqual(list, ["a", "c", "b", "d"]);
  assert.equal(moveItem(list, 1, 1), "down-2");
  assert.deepEqual(list, ["a", "b", "c", "d"]);
});

test("at an end of the list the other arrow has the focus, as the first one can do nothing more", () => {
  const list = ["a", "b"];
  assert.equal(moveItem(list, 0, 1), "up-1");
  assert.deepEqual(list, ["b", "a"]);
  assert.equal(moveItem(list, 1, -1), "down-0");
  assert.deepEqual(list, ["a", "b"]);
});

test("the button that has the focus after a move is there, and can be pressed", () => {
  for (const [length, index, by] of [
    [2, 0, 1],
    [2, 1, -1],
    [3, 0, 1],
    [3, 1, 1],
    [3, 2, -1],
  ]) {
    const list = Array.from({ length }, (_, at) => at);
    const names = { up: "up", down: "down", prefix: "tie-" };
    let focus = "";
    arrowButtons(list, index, names, (next) => {
      focus = next;
    })[by < 0 ? 0 : 1].click();
    const drawn = list.flatMap((_, at) => arrowButtons(list, at, names, () => {}));
    const next = drawn.find((button) => button.getAttribute("id") === focus);
    assert.equal(next?.getAttribute("disabled"), null, `${focus} of ${length}`);
    assert.ok(next, focus);
  }
});

test("words and ranges are read from their rows, and rows in which nothing stands are none", () => {
  assert.deepEqual(
    readLabels([
      ["won", "3"],
      ["", ""],
      ["lost", ""],
      ["", "5"],
    ]),
    { won: 3, lost: null, "": 5 },
  );
  assert.deepEqual(
    readRanges([
      ["0", "1"],
      ["", ""],
      ["10", ""],
      ["a", "−2"],
    ]),
    [
      [0, 1],
      [10, null],
      ["a", -2],
    ],
  );
  assert.equal(readLabels([["", ""]]), undefined);
  assert.equal(readRanges([]), undefined);
});

test("columns that can decide are offered, and the chosen one, too, if it cannot any more", () => {
  const template = { columns: [{ id: "coins" }, { id: "left_over", name: "Left over" }, { id: "each", per: "round" }] };
  assert.deepEqual(decidingChoices(template), [
    ["coins", "coins"],
    ["left_over", "Left over"],
  ]);
  assert.deepEqual(decidingChoices(template, "coins"), decidingChoices(template));
  assert.deepEqual(decidingChoices(template, "each").at(-1), ["each", "each (cannot decide)"]);
});

test("a template is kept under the typed name, or that of its sheet", () => {
  assert.equal(nameToStore(" Mine ", { name: "Sheet" }), "Mine");
  assert.equal(nameToStore(" ", { name: " Sheet " }), "Sheet");
  assert.equal(nameToStore("", {}), "");
  assert.equal(nameToStore("", { name: 7 }), "7");
});

test("a game is opened with any name of a template", () => {
  const { searchParams, hash } = new URL(openingAddress("Ours & “yours” #2"), "http://a/");
  assert.deepEqual(Object.fromEntries(searchParams), { ruleset: "scoresheet", components: "Ours & “yours” #2" });
  assert.equal(hash, "#opening");
});
