import assert from "node:assert/strict";
import { test } from "node:test";
import { keepTyped, typedBefore } from "../../../../service/pages/static/js/sheet/typed.js";

const PLACE = { game: "g1", person: "p1", entry: 4 };
const line = (notation, ...values) => ({ notation, fields: values.map((value) => ({ value })) });

test("a half typed line is given back for the same game, person and entry", () => {
  const store = {};
  keepTyped(store, PLACE, [line("r2 ? ?", "10+5", ""), line("r1 bonus ? ?", "", "")]);
  assert.deepEqual(typedBefore(store, PLACE).lines, [["r2 ? ?", ["10+5", ""]]]);
});

for (const other of [{ game: "g2" }, { person: "p2" }, { entry: 5 }])
  test(`nothing is given back where the ${Object.keys(other)[0]} is another one`, () => {
    const store = {};
    keepTyped(store, PLACE, [line("r2 ? ?", "7", "")]);
    assert.deepEqual(typedBefore(store, { ...PLACE, ...other }).lines, []);
  });

test("the cell that is changed is given back with the lines, and by itself", () => {
  const [store, cell] = [{}, { at: "r1 p2", text: "20+" }];
  keepTyped(store, PLACE, [line("r2 ? ?", "7", "")], "", cell);
  assert.deepEqual(typedBefore(store, PLACE), { lines: [["r2 ? ?", ["7", ""]]], cell });
  keepTyped(store, PLACE, [line("r2 ? ?", "", "")], "", cell);
  assert.deepEqual(typedBefore(store, PLACE), { lines: [], cell });
  assert.deepEqual(typedBefore(store, { ...PLACE, entry: 5 }), { lines: [] });
});

test("the line that is open comes last, so that it is the one to go on with", () => {
  const store = {};
  keepTyped(store, PLACE, [line("r2 ? ?", "7", ""), line("r2 tricks ? ?", "1", "")], "r2 ? ?");
  assert.deepEqual(
    typedBefore(store, PLACE).lines.map(([notation]) => notation),
    ["r2 tricks ? ?", "r2 ? ?"],
  );
});

test("what was entered, or deleted again, is forgotten, and that of other games is not", () => {
  const store = {};
  keepTyped(store, PLACE, [line("r2 ? ?", "7", "")]);
  keepTyped(store, { ...PLACE, game: "g2" }, [line("r1 ? ?", "3", "")]);
  keepTyped(store, { ...PLACE, entry: 5 }, [line("r3 ? ?", "", "")]);
  assert.deepEqual(typedBefore(store, PLACE).lines, []);
  assert.equal(typedBefore(store, { ...PLACE, game: "g2" }).lines.length, 1);
  keepTyped(store, { ...PLACE, game: "g2" }, []);
  assert.deepEqual(store, {});
});

test("nobody by name is somebody, too", () => {
  const store = {};
  keepTyped(store, { ...PLACE, person: "" }, [line("r2 ? ?", "7", "")]);
  assert.equal(typedBefore(store, { ...PLACE, person: "" }).lines.length, 1);
  assert.deepEqual(typedBefore(store, PLACE).lines, []);
});

test("what cannot be read is nothing, and a full storage stops no key", () => {
  for (const kept of ["", "{", "null", "7", "[]"])
    assert.deepEqual(typedBefore({ "kifu:typed:g1": kept }, PLACE).lines, []);
  const full = new Proxy(
    {},
    {
      set: () => {
        throw new Error("full");
      },
    },
  );
  keepTyped(full, PLACE, [line("r2 ? ?", "7", "")]);
});
