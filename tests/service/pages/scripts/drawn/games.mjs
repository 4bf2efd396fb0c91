/** A game's page shows its record: every entry and what it did, the score with its rules, from where somebody looks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as page from "./page.mjs";
import { add, ask, given, openGame, openSheet, record } from "./service.mjs";

const { all, choose, elsewhere, entry, field, find, isShown, press, textOf, type, until, untilText, untilStored } =
  page;
const HANDS = "deal black BARI COCO DUDA / ALOA ALOA KAHU / LALE LALE JOJO";

/** What is known of each hand. */
const hands = () => {
  const head = all("#state dt").find((each) => textOf(each) === "Hands");
  return head ? page.texts("li", head.nextElementSibling).map((each) => each.replaceAll(" ", "")) : [];
};
const untilHands = (...wanted) => until(() => String(hands()) === String(wanted), `hands ${wanted}`);

test("the score audit cites entries, explains rules and names people", async () => {
  const game = await given("kahuna/bridges");
  await page.visitGame(game);
  await press("Score");
  const audit = await ask(`/v1/games/${game}/score`);
  const names = (await ask(`/v1/games/${game}`)).seats.map(({ name }) => name);
  await until(() => all("#score tbody tr:not(.note)").length === audit.lines.length, "all lines");
  assert.equal(textOf(find("#score .sum b")), audit.scores.join(" – "));
  const [first] = all("#score tbody tr");
  assert.match(textOf(first), /round 1/);
  assert.ok(textOf(first).includes(names[audit.lines[0].seat]));
  const notes = audit.lines.flatMap(({ note }) => note ?? []);
  assert.ok(notes.some((note) => /black|white/.test(note)));
  const shown = page.texts("#score .note");
  assert.equal(shown.length, notes.length);
  assert.ok(names.every((name) => shown.join(" ").includes(name)) && !/black/i.test(shown.join(" ")));
  page.comeNear("#rulebook"); // rules are loaded when a reader comes to them
  for (const { en } of audit.rules) await untilText("#score", en);
  page.key(String(audit.lines[0].version), first).click();
  await untilText("#stepper output", new RegExp(`^${audit.lines[0].version} /`));
});

test("the sum of the audit follows the order of the seats", async () => {
  const game = await given("kahuna/points");
  await page.visitGame(game, { owner: false });
  await press("Score");
  const { scores } = await ask(`/v1/games/${game}/score`);
  assert.notEqual(scores[0], scores[1]);
  await until(() => textOf(find("#score .sum b")) === scores.join(" – "), `${scores}`);
});

test("many lines of an audit are drawn when the reader comes near, or prints", async () => {
  const game = await openSheet("rounds", ...["Ada", "Ben", "Cem", "Dan", "Eva", "Fay", "Gus", "Hal"]);
  const rounds = (first, last) => Array.from({ length: last - first + 1 }, (_, at) => `r${first + at} 1 2 3 4 5 6 7 8`);
  const rows = () => all("#audit tbody tr:not(.note)").length;
  const untilSum = (version) => untilText("#audit .sum", `After entry ${version}:`);
  await record(game, ...rounds(1, 12));
  await page.visitGame(game);
  await untilSum(13);
  assert.equal(rows(), 12 * 8); // no more than are drawn at once
  await elsewhere(game, ...rounds(13, 13));
  await untilSum(14);
  assert.equal(rows(), 0);
  dispatchEvent(new Event("beforeprint"));
  assert.equal(rows(), 13 * 8);
  dispatchEvent(new Event("beforeprint"));
  assert.equal(rows(), 13 * 8);
  await elsewhere(game, ...rounds(14, 14));
  await untilSum(15);
  await press("Score");
  assert.equal(rows(), 0);
  page.comeNear("#audit > div");
  assert.equal(rows(), 14 * 8);
  await elsewhere(game, ...rounds(15, 15)); // nothing moves under a reader
  await untilSum(16);
  assert.equal(rows(), 15 * 8);
});

test("the owner sees the game from any seat, and downloads its text with names", async () => {
  const game = await openGame(["Anna", "Björn"]);
  await record(game, HANDS);
  await page.visitGame(game);
  await press("Table");
  const [anna, björn] = ["AnnaALOAALOAKAHU", "BjörnJOJOLALELALE"];
  await untilHands(anna, björn);
  choose(field("Point of view"), "Björn’s view");
  await untilHands("Anna3unknown", björn);
  choose(field("Point of view"), "Public view");
  await untilHands("Anna3unknown", "Björn3unknown");
  assert.equal(location.search, "?seat=public");
  await press("About");
  const files = await page.read(page.key("Export").getAttribute("href"));
  const [, address] = /href="([^"]*format=text[^"]*)"/.exec(files) ?? assert.fail(files);
  assert.match(await page.read(address.replaceAll("&amp;", "&")), /\[Black "Anna"\]/);
});

test("strangers see and follow the public view with corrections, and cannot record", async () => {
  const game = await openGame(["Anna", "Björn"]);
  await record(game, HANDS, "ALOA-BARI");
  await add(game, { type: "entry.replaced", data: { entry: 3, move: "ALOA-HUNA" } });
  await page.visitGame(game, { owner: false });
  await until(() => entry(3));
  assert.match(textOf(entry(3)), /Recorded first as ALOA-BARI/);
  assert.ok(!page.hasKey(/^(More|Correct)/));
  await press("Table");
  await untilHands("Anna2unknown", "Björn3unknown");
  assert.equal(find("#recorder"), null);
  assert.ok(page.hasKey("log in"));
  await untilStored(4);
  await elsewhere(game, "+");
  await untilText("#announcer", "Entry 5: Anna: +");
  await press("One entry back");
  await record(game, "-");
  page.refresh();
  await untilText("#stepper output", /^4 \/ 6$/);
});

test("pictures, refusals, notes and tables have the names of the people", async () => {
  const game = await openGame(["Aiko", "Ben"]);
  await record(game, "deal black BARI COCO DUDA");
  await page.visitGame(game);
  const board = await until(() => find("#board").shadowRoot.querySelector("svg"));
  assert.deepEqual(page.texts("[data-room]", board), ["Round 1, Aiko to move", "Aiko", "Ben"]);
  assert.match(textOf(find(":scope > desc", board)), /Ben holds no island/);
  type(page.moveField(), "white: a-b");
  await untilText("#recorder", "it is Aiko's turn, not Ben's");
  type(field(/why does it count/, find("#recorder")), "he was quicker");
  await untilText("#preview", "it is Aiko's turn, not Ben's");
  await elsewhere(game, "BARI-DUDA", "+COCO", "+?ALOA");
  await press("Table");
  const table = (caption) => all("#tables table").find((each) => textOf(find("caption", each)) === caption);
  const heads = () => page.texts("thead th", table("Islands, and where their bridges lead"));
  await until(() => heads()[2] === "Bridges of Aiko", "a table with the bridges of Aiko");
  const cards = () => textOf(all("tbody tr", table("Players")).find((row) => textOf(find("th", row)) === "Ben"));
  await until(() => cards().includes("ALOA"), "a card that Ben took");
  choose(field("Point of view"), "0");
  await until(() => !cards().includes("ALOA"), "a hand that is hidden");
});

test("an irregular entry has the names of the people", async () => {
  const game = await openGame(["Aiko", "Ben"]);
  const hasty = { data: { move: "white: +", override: { reason: "he was quicker" } } };
  await add(game, { data: { move: "deal black BARI COCO DUDA" } }, hasty);
  await page.visitGame(game);
  await until(() => entry(3));
  assert.match(textOf(entry(3)), /Irregular: it is Aiko's turn, not Ben's/);
});

test("a finished game has no next player, though cards can still be noted", async () => {
  const game = await given("catan_cards/shortest");
  await page.visitGame(game);
  assert.ok(!isShown(find("#recorder")));
  await whatWasOpenedOfTheTableStaysOpen(game);
  await press("More …");
  await press(/^Show the form for moves/, () => find("dialog.sheet[open]"));
  await until(() => isShown(find("#recorder .choice")), "a move to record");
  assert.equal(textOf(find("#recorder .count")), "No move is legal now.");
});

async function whatWasOpenedOfTheTableStaysOpen(game) {
  await press("Table");
  const settings = await until(() => all("#state details").at(-1));
  settings.open = true;
  const before = textOf(find("#audit .sum"));
  await add(game, { type: "note.added", data: { text: "what a game" } });
  page.refresh();
  await until(() => textOf(find("#audit .sum")) !== before);
  assert.ok(all("#state details").at(-1).open);
}
