import assert from "node:assert/strict";
import { test } from "node:test";
import { parseNumber } from "../../../../service/pages/static/js/sheet/fields.js";
import { parseJson, formatJson } from "../../../../service/pages/static/js/sheet/components.js";
import {
  EMPTY_TEMPLATE,
  columnNames,
  decidingColumns,
  swapMembers,
  canRename,
  shapeProblem,
  renameColumn,
  suggestId,
} from "../../../../service/pages/static/js/sheet/sheet.js";

test("an id is made from a name, and no other column has it", () => {
  assert.equal(suggestId("Wood & stone", []), "wood_stone");
  assert.equal(suggestId("Blé", []), "blé");
  assert.equal(suggestId("7 Wonders", []), "wonders");
  assert.equal(suggestId("麦", []), "麦");
  assert.equal(suggestId("points", [{ id: "points" }, { id: "points_2" }]), "points_3");
  assert.equal(suggestId("a".repeat(40), []).length, 26);
});

test("everything that names a column gets its new id, and longer names stay", () => {
  const template = {
    columns: [{ id: "wood" }, { id: "total", formula: "wood + woodland + sum(wood)" }],
    by: "wood",
    ties: [{ column: "wood" }, { column: "total" }],
    loses: "wood < 3",
  };
  renameColumn(template, "wood", "timber");
  assert.deepEqual(
    [template.by, template.ties, template.loses],
    ["timber", [{ column: "timber" }, { column: "total" }], "timber < 3"],
  );
  assert.equal(template.columns[1].formula, "timber + woodland + sum(timber)");
});

test("an id changes only to an unused word, so that the change can be undone", () => {
  const template = {
    columns: [{ id: "wood" }, { id: "stone" }, { id: "total", formula: "round(wood / 2) + stone" }],
    checks: [{ holds: "limit > wood" }],
  };
  /** @param {string} id */
  const isFree = (id) => {
    template.columns[0].id = id;
    return canRename(template, template.columns[0]);
  };
  assert.deepEqual(["timber", "blé_2", "麦"].map(isFree), [true, true, true]);
  assert.deepEqual(["", "old wood", "2a", "a-b", "stone", "round", "limit"].map(isFree), Array(7).fill(false));
});

test("members without a meaning disappear, and come back unchanged", () => {
  const put = new WeakMap();
  const column = { id: "a", least: 0, most: 9 };
  swapMembers(column, ["least", "most"], put);
  assert.deepEqual(column, { id: "a" });
  swapMembers(column, [], put);
  assert.deepEqual(column, { id: "a", least: 0, most: 9 });
});

test("columns with one value for each side can decide", () => {
  const columns = [{ id: "a" }, { id: "b", per: "round" }, { id: "c", shared: true }, { id: "" }];
  assert.deepEqual(decidingColumns({ columns }), [{ id: "a" }]);
});

test("columns have their names, or else their ids", () => {
  assert.deepEqual(columnNames([{ id: "two_words" }, { id: "b", name: "Bid", ja: "入札" }]), {
    two_words: "two words",
    b: "Bid",
  });
});

test("parts that the form cannot show are named", () => {
  assert.equal(shapeProblem(EMPTY_TEMPLATE), "");
  for (const [template, why] of [
    [[], "must be an object"],
    [{}, "columns is a list of objects"],
    [{ columns: [3] }, "columns is a list of objects"],
    [{ columns: [], ties: {} }, "ties is a list of objects"],
    [{ columns: [], aliases: "A" }, "aliases is a list of names"],
    [{ columns: [{ labels: [] }] }, "columns[0].labels is an object"],
    [{ columns: [{}, { ranges: [1] }] }, "columns[1].ranges is a list of pairs"],
    [{ columns: [{ formula: 3 }] }, "columns[0].formula is a text"],
    [{ columns: [], teams: [{ seats: 1 }] }, "seats are a list"],
    [{ columns: [], loses: 3 }, "loses is a text"],
  ])
    assert.ok(shapeProblem(template).includes(why), `${JSON.stringify(template)}: ${shapeProblem(template)}`);
});

test("numbers are read with a comma or a typographic minus, and other texts stay", () => {
  assert.deepEqual([" 3 ", "−2", "1,5", ".5", "+4", "", "x", "1-2"].map(parseNumber), [
    3,
    -2,
    1.5,
    0.5,
    4,
    undefined,
    "x",
    "1-2",
  ]);
});

test("readable JSON has one line for each list of plain values, and parses to the same data", () => {
  const data = {
    columns: [
      {
        id: "a",
        ranges: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    aliases: ["A", "B"],
  };
  assert.ok(formatJson(data).includes('"aliases": ["A", "B"]'));
  assert.deepEqual(parseJson(formatJson(data)), data);
  assert.ok(parseJson("{") instanceof SyntaxError);
});
