import assert from "node:assert/strict";
import { test } from "node:test";
import { storeTyped, storedValues } from "../../../../service/pages/static/js/sheet/unsaved.js";

const PLACE = { game: "g1", person: "p1", entry: 4 };
const line = (notation, ...values) => ({ notation, fields: values.map((value) => ({ value })) });

test("a half typed line is restored for the same game, person and entry", () => {
  const store = {};
  storeTyped(store, PLACE, [line("r2 ? ?", "10+5", ""), line("r1 bonus ? ?", "", "")]);
  assert.deepEqual(storedValues(store, PLACE).lines, [["r2 ? ?", ["10+5", ""]]]);
});

for (const other of [{ game: "g2" }, { person: "p2" }, { entry: 5 }])
  test(`nothing is restored for another ${Object.keys(other)[0]}`, () => {
    const store = {};
    storeTyped(store, PLACE, [line("r2 ? ?", "7", "")]);
    assert.deepEqual(storedValues(store, { ...PLACE, ...other }).lines, []);
  });

test("the changed cell is restored with the lines, and alone", () => {
  const [store, cell] = [{}, { at: "r1 p2", text: "20+" }];
  storeTyped(store, PLACE, [line("r2 ? ?", "7", "")], "", cell);
  assert.deepEqual(storedValues(store, PLACE), { lines: [["r2 ? ?", ["7", ""]]], cell });
  storeTyped(store, PLACE, [line("r2 ? ?", "", "")], "", cell);
  assert.deepEqual(storedValues(store, PLACE), { lines: [], cell });
  assert.deepEqual(storedValues(store, { ...PLACE, entry: 5 }), { lines: [] });
});

test("the open line comes last, so that it opens again", () => {
  const store = {};
  storeTyped(store, PLACE, [line("r2 ? ?", "7", ""), line("r2 tricks ? ?", "1", "")], "r2 ? ?");
  assert.deepEqual(
    storedValues(store, PLACE).lines.map(([notation]) => notation),
    ["r2 tricks ? ?", "r2 ? ?"],
  );
});

test("recorded and deleted values are forgotten, and those of other games stay", () => {
  const store = {};
  storeTyped(store, PLACE, [line("r2 ? ?", "7", "")]);
  storeTyped(store, { ...PLACE, game: "g2" }, [line("r1 ? ?", "3", "")]);
  storeTyped(store, { ...PLACE, entry: 5 }, [line("r3 ? ?", "", "")]);
  assert.deepEqual(storedValues(store, PLACE).lines, []);
  assert.equal(storedValues(store, { ...PLACE, game: "g2" }).lines.length, 1);
  storeTyped(store, { ...PLACE, game: "g2" }, []);
  assert.deepEqual(store, {});
});

test("a person without a name has values, too", () => {
  const store = {};
  storeTyped(store, { ...PLACE, person: "" }, [line("r2 ? ?", "7", "")]);
  assert.equal(storedValues(store, { ...PLACE, person: "" }).lines.length, 1);
  assert.deepEqual(storedValues(store, PLACE).lines, []);
});

test("unreadable values do not count, and a full storage blocks no key", () => {
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
