import assert from "node:assert/strict";
import { test } from "node:test";
import { storeTyped, storedValues } from "../../../../service/pages/static/js/sheet/unsaved.js";

const PLACE = { game: "g1", person: "p1", entry: 4 };
const line = (notation, ...values) => ({ notation, fields: values.map((value) => ({ value })) });

test("a half typed line is given back for the same game, person and entry", () => {
  const store = {};
  storeTyped(store, PLACE, [line("r2 ? ?", "10+5", ""), line("r1 bonus ? ?", "", "")]);
  assert.deepEqual(storedValues(store, PLACE).lines, [["r2 ? ?", ["10+5", ""]]]);
});

for (const other of [{ game: "g2" }, { person: "p2" }, { entry: 5 }])
  test(`nothing is given back where the ${Object.keys(other)[0]} is another one`, () => {
    const store = {};
    storeTyped(store, PLACE, [line("r2 ? ?", "7", "")]);
    assert.deepEqual(storedValues(store, { ...PLACE, ...other }).lines, []);
  });

test("the cell that is changed is given back with the lines, and by itself", () => {
  const [store, cell] = [{}, { at: "r1 p2", text: "20+" }];
  storeTyped(store, PLACE, [line("r2 ? ?", "7", "")], "", cell);
  assert.deepEqual(storedValues(store, PLACE), { lines: [["r2 ? ?", ["7", ""]]], cell });
  storeTyped(store, PLACE, [line("r2 ? ?", "", "")], "", cell);
  assert.deepEqual(storedValues(store, PLACE), { lines: [], cell });
  assert.deepEqual(storedValues(store, { ...PLACE, entry: 5 }), { lines: [] });
});

test("the line that is open comes last, so that it is the one to go on with", () => {
  const store = {};
  storeTyped(store, PLACE, [line("r2 ? ?", "7", ""), line("r2 tricks ? ?", "1", "")], "r2 ? ?");
  assert.deepEqual(
    storedValues(store, PLACE).lines.map(([notation]) => notation),
    ["r2 tricks ? ?", "r2 ? ?"],
  );
});

test("what was entered, or deleted again, is forgotten, and that of other games is not", () => {
  const store = {};
  storeTyped(store, PLACE, [line("r2 ? ?", "7", "")]);
  storeTyped(store, { ...PLACE, game: "g2" }, [line("r1 ? ?", "3", "")]);
  storeTyped(store, { ...PLACE, entry: 5 }, [line("r3 ? ?", "", "")]);
  assert.deepEqual(storedValues(store, PLACE).lines, []);
  assert.equal(storedValues(store, { ...PLACE, game: "g2" }).lines.length, 1);
  storeTyped(store, { ...PLACE, game: "g2" }, []);
  assert.deepEqual(store, {});
});

test("nobody by name is somebody, too", () => {
  const store = {};
  storeTyped(store, { ...PLACE, person: "" }, [line("r2 ? ?", "7", "")]);
  assert.equal(storedValues(store, { ...PLACE, person: "" }).lines.length, 1);
  assert.deepEqual(storedValues(store, PLACE).lines, []);
});

test("what cannot be read is nothing, and a full storage stops no key", () => {
  for (const kept of ["", "{", "null", "7", "[]"])
    assert.deepEqual(storedValues({ "kifu:typed:g1": kept }, PLACE).lines, []);
  const full = new Proxy(
    {},
    {
      set: () => {
        throw new Error("full");
      },
    },
  );
  storeTyped(full, PLACE, [line("r2 ? ?", "7", "")]);
});
