import assert from "node:assert/strict";
import { test } from "node:test";
import { writeName } from "../../../../service/pages/static/js/board/board.js";

const NAMES = ["Player 2", "Player 10"];

test("a name is in smaller letters before it is cut, although browsers round their widths", () => {
  const line = {
    textContent: "",
    size: 34,
    getAttribute: () => line.size,
    setAttribute: (_, size) => (line.size = Number(size)),
    getComputedTextLength: () => Math.ceil(line.textContent.length * 0.6 * line.size),
  };
  writeName({ dataset: { room: "122.5" }, firstElementChild: line }, "Player 2", NAMES);
  assert.equal(line.textContent, "Player 2");
  assert.ok(line.size < 34);
  line.size = 34;
  writeName({ dataset: { room: "70" }, firstElementChild: line }, "Player 2", NAMES);
  assert.deepEqual([line.textContent, line.size], ["Pla…2", 24]);
});
