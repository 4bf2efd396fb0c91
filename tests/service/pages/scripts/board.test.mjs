import assert from "node:assert/strict";
import { test } from "node:test";
import { shortName, writeName } from "../../../../service/pages/static/js/board/board.js";

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
