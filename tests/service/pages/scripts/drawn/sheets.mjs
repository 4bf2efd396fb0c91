/** A score sheet is kept without its keypad: a field for every player, and the line of notation that they make. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as page from "./page.mjs";
import { moves, openSheet } from "./service.mjs";

const { all, field, find, fold, isShown, moveField, press, textOf, type, until, untilText, untilStored } = page;

/** The page of a new sheet of a ready template, with its keypad put away; its id. */
async function sheet(template, ...names) {
  const game = await openSheet(template, ...names);
  await page.visitGame(game);
  await until(() => isShown(find("#keypad .pad button")), "keys");
  fold("#keypad details");
  await until(() => find(".blanks details"), "lines");
  return game;
}

const open = () => find(".blanks details[open]");
const summaries = () => page.texts(".blanks summary");
const untilLines = (...wanted) => until(() => String(summaries()) === String(wanted), `lines ${wanted}`);
function fill(values) {
  for (const [name, value] of Object.entries(values)) type(field(name, open()), value);
}
const untilTyped = (text) => until(() => moveField().value === text, `${text} in the field, not ${moveField().value}`);
const cell = (at) => () => find("#board").shadowRoot?.querySelector(`[data-at="${at}"]`);
const tapCell = async (at) => page.tapBoard(await until(cell(at), `the cell ${at}`));
const points = () => page.texts("#scoreboard .points");
const untilPoints = (...wanted) => until(() => String(points()) === String(wanted), `points ${wanted}`);
const previews = (wanted) => untilText("#preview .dry-run", wanted);
const tapKey = (name, group) => press(name, () => labels(group));
const labels = (name) => all("[role=group], fieldset", open()).find((each) => each.getAttribute("aria-label") === name);

async function recordIt() {
  await until(() => find("#preview[aria-busy=false] .dry-run"), "what it does");
  await press("Record", find("#recorder"));
}

test("a round is filled in field by field, corrected by its cell, and refused with the players' names", async () => {
  await sheet("rounds", "Aiko", "Ben", "Chiara");
  fill({ Aiko: "12", Chiara: "4" });
  await press("Minus for Chiara");
  await untilTyped("r1 12 ? -4");
  fill({ Ben: "7" });
  await recordIt();
  await untilStored(2);
  await untilPoints("12", "7", "-4");
  assert.equal(summaries()[0], "Round 2, points");
  await tapCell("r1 p2");
  await untilTyped("r1 p2 7");
  await previews("");
  const { selectionStart, selectionEnd, value } = moveField();
  assert.equal(value.slice(selectionStart, selectionEnd), "7"); // so that it is typed over
  type(moveField(), "r1 p2 20");
  await previews("7 → 20");
  await recordIt();
  await untilStored(3);
  await untilPoints("12", "20", "-4");
  await untilText("#moment", "7 → 20");
  type(moveField(), "p2 out");
  await recordIt();
  await untilStored(4);
  type(moveField(), "r2 p2 3");
  await untilText("#recorder [role=alert]", "Ben has dropped out");
});

test("labels are picked, removed by a second tap, and recorded by a quick tap", async () => {
  const game = await sheet("win_loss_draw", "Erin", "Farid");
  const pressed = () => page.key("win", labels("Erin")).getAttribute("aria-pressed");
  await tapKey("win", "Erin");
  await until(() => pressed() === "true");
  await untilTyped("result win ?");
  assert.equal(textOf(find("#recorder .count")), "");
  await tapKey("win", "Erin");
  await until(() => pressed() === "false");
  await untilTyped("");
  const trials = page.hold((path) => path.includes("dry_run"));
  await tapKey("win", "Erin");
  await tapKey("loss", "Farid");
  await untilTyped("result win loss");
  await press("Record", find("#recorder"));
  await until(() => find("#preview[aria-busy=true]") && trials.waiting, "a trial");
  trials.open();
  await untilStored(2);
  await press("end", find("#recorder"));
  await press("Finish: Erin wins with 2", find("#recorder"));
  await untilText("#turn", "Erin won · Most points");
  assert.deepEqual(await moves(game), ["result win loss", "end"]);
});

test("the oldest incomplete line is open, and named in words", async () => {
  await sheet("wizard", "Aiko", "Ben", "Chiara");
  await untilLines("Round 1, bid", "Round 1, tricks");
  fill({ Aiko: "1", Ben: "0", Chiara: "1" });
  await recordIt();
  await untilStored(2);
  await untilLines("Round 1, tricks", "Round 2, bid");
  assert.equal(textOf(find("summary", open())), "Round 1, tricks");
  assert.deepEqual(
    page.texts("#recorder .choice").filter((each) => each.includes("?")),
    [],
  );
  await tapCell("r1 p2 tricks");
  await until(() => document.activeElement === field("Ben", open()), "the focus");
  type(field("Ben", open()), "1");
  await untilTyped("r1 tricks ? 1 ?");
  fill({ Aiko: "1", Ben: "0", Chiara: "0" });
  await untilTyped("r1 tricks 1 0 0");
  await previews("Aiko entered round 1, tricks, 1");
});

test("the lines of a sheet keep typed values while others record another line", async () => {
  const game = await sheet("wizard", "Aiko", "Ben", "Chiara");
  const line = (name) => all(".blanks details").find((each) => textOf(find("summary", each)) === name);
  const tricks = line("Round 1, tricks");
  tricks.open = true;
  const first = find("input", tricks);
  type(first, "1");
  await page.elsewhere(game, "r1 1 0 0");
  await until(() => !line("Round 1, bid"), "the line to go");
  assert.ok(first.isConnected && line("Round 1, tricks") === tricks && tricks.open);
  assert.equal(first.value, "1");
  assert.equal(document.activeElement, first);
  await untilTyped("r1 tricks 1 ? ?");
});

test("the heads of a sheet have the names of its players", async () => {
  await sheet("rounds", "Aiko", "Ben", "C");
  await until(() => find("#board").shadowRoot?.querySelector("svg"));
  assert.deepEqual(page.texts("[data-seat]", find("#board").shadowRoot), ["Aiko", "Ben", "C"]);
});
