import assert from "node:assert/strict";
import { test } from "node:test";
import { shortName } from "../../../../service/pages/static/js/board/board.js";

const NAMES = ["Player 2", "Player 12", "Anna-Maria", "Anna-Marie", "Maximiliane", "🎲🎲🎲"];
const cut = (name, room) => shortName(name, NAMES, (each) => [...each].length <= room);

test("a name is cut at its end, and before its end where another one begins alike", () => {
  assert.equal(cut("Maximiliane", 6), "Maxim…");
  assert.equal(cut("🎲🎲🎲", 2), "🎲…");
  assert.equal(cut("Player 2", 8), "Player 2");
  assert.equal(cut("Player 2", 5), "Pla…2");
  assert.equal(cut("Player 12", 6), "Pla…12");
  assert.equal(cut("Player 12", 1), "P…12");
  assert.equal(cut("Anna-Marie", 6), "Anna…e");
});
