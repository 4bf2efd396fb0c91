import assert from "node:assert/strict";
import { test } from "node:test";
import { listInWords, t, tn } from "../../../../service/pages/static/js/base/language.js";
import {
  entriesText,
  optionText,
  scoreText,
  capitalized,
  Words,
} from "../../../../service/pages/static/js/base/words.js";

const RULESET = {
  rules: [],
  effects: { built: "{seat} built {at}", drew: "{seat} drew {count}" },
  terms: { "level {}": "Level {0}", "wood card": "Wooden Card", "move: draw": "draw cards", "label: nil": "Null" },
};
const SEATS = [
  { seat: 0, label: { en: "Black", ja: "黒" }, player: "1", name: "Anna" },
  { seat: 1, label: { en: "Player 2", ja: "プレイヤー2" }, player: null, name: null },
];
const words = (own = {}) => new Words(RULESET, SEATS, null, own);

test("a score has dashes, or colons if a dash could be a minus", () => {
  assert.equal(scoreText([3, 1]), "3 – 1");
  assert.equal(scoreText([60, -30, 30]), "60 : −30 : 30");
  assert.equal(scoreText([]), "");
});

test("entries are named one by one", () => {
  assert.equal(entriesText([3]), "entry 3");
  assert.equal(entriesText([3, 5]), "entries 3 and 5");
});

test("a name in data becomes a heading, and an option's value a word", () => {
  assert.equal(capitalized("two_words"), "Two words");
  assert.deepEqual([true, false, "three_players", 4].map(optionText), ["on", "off", "three players", "4"]);
});

test("seats have the names of their people, also in texts of the rules", () => {
  assert.equal(words().name(0), "Anna");
  assert.equal(words().name(1), "Player 2");
  assert.equal(words().namesText([0, 1]), "Anna and Player 2");
  assert.equal(words().withPeople("black is to move, and p2 waits"), "Anna is to move, and p2 waits");
  assert.equal(words().withPeople("blackbird"), "blackbird");
});

test("terms of the ruleset are found in texts, with their numbers", () => {
  assert.equal(words().translatePhrase("a wood card of level 3"), "a Wooden Card of Level 3");
  assert.equal(words().termFor("move", "draw"), "draw cards");
  assert.equal(words().termFor("part", "some_part"), "some part");
  assert.equal(words().labelText("nil"), "Null");
});

test("an effect is the ruleset's sentence about people and places", () => {
  assert.equal(
    words().effectText({ kind: "built", rule: "r", text: "", seat: 0, at: ["BARI-DUDA"] }),
    "Anna built BARI-DUDA",
  );
  assert.equal(words().effectText({ kind: "drew", rule: "r", text: "", seat: 1, count: 2 }), "Player 2 drew 2");
  assert.equal(words().effectText({ kind: "other", rule: "r", text: "something happened" }), "something happened");
});

test("cells and lines of a sheet are written in words", () => {
  const sheet = words({ bid: "Bid", a_sheet: "A sheet" });
  assert.equal(sheet.placeName("Round 2, bid"), "Round 2, Bid");
  assert.equal(sheet.placeName("r3 p1 bid"), "round 3, Bid");
  assert.equal(sheet.placeName("r3 p1"), "round 3");
  assert.equal(sheet.placeName("bid"), "Bid");
  assert.equal(words({ "Team 1": "チーム 1" }).placeName("Team 1 +10 the bird"), "チーム 1 +10 the bird");
  assert.equal(words().placeName("r3 p1 bid"), "r3 p1 bid");
  assert.equal(sheet.cellName("r3 black bid"), "round 3, Anna, Bid");
  assert.equal(sheet.cellName("r3 p9 a_sheet"), "round 3, p9, A sheet");
  assert.equal(sheet.cellName("bid"), "Bid");
  assert.equal(sheet.columnName("two_words"), "two words");
});

test("points have a category in words", () => {
  const sheet = words({ bid: "Bid" });
  assert.deepEqual(
    ["round-2", "bid", "bonus", "wood-card"].map((name) => sheet.categoryName(name)),
    ["round 2", "Bid", "bonus", "Wooden Card"],
  );
});

test("an outcome names the winners, a draw, or nobody", () => {
  const outcome = { ranks: [1, 2], winners: [0], reason: "two_islands", rule: "r" };
  assert.equal(words().outcomeText(outcome), "Anna won · Two islands");
  assert.equal(words().outcomeText({ ...outcome, winners: [0, 1] }), "A draw · Two islands");
  assert.equal(
    words().outcomeText({ ...outcome, winners: [0, 1], together: true }),
    "Anna and Player 2 won · Two islands",
  );
  assert.equal(words().outcomeText({ ...outcome, winners: [] }), "Nobody won · Two islands");
  const turned = new Words(RULESET, [{ ...SEATS[0], name: "דוד" }, SEATS[1]], null, {});
  assert.equal(turned.outcomeText(outcome), "\u2068דוד\u2069 won · Two islands");
});

test("an outcome gives its reason in the words of the page", () => {
  const endings = { target: "The target is reached", ranking: "Decided by: {what}" };
  const outcome = { ranks: [1, 2], winners: [0], reason: "target", rule: "r" };
  const named = new Words(RULESET, SEATS, null, {}, endings);
  assert.equal(named.outcomeText(outcome), "Anna won · The target is reached");
  assert.equal(named.outcomeText({ ...outcome, reason: "ranking" }), "Anna won");
  assert.equal(named.endingText("ranking", { en: "place" }), "Decided by: place");
  assert.equal(named.endingText("two_islands"), "Two islands");
});

test("texts get their values, and plural forms fit their numbers", () => {
  assert.equal(t("Entry {version} of {name}", { version: 3, name: "Anna" }), "Entry 3 of Anna");
  assert.equal(t("Entry {version}", {}), "Entry ");
  assert.equal(tn(1, "{count} move", "{count} moves"), "1 move");
  assert.equal(tn(2, "{count} move", "{count} moves"), "2 moves");
  assert.equal(listInWords(["Anna", "Ben", "Chiara"]), "Anna, Ben and Chiara");
  assert.deepEqual(t("Entry {version} of {name}", { version: ["a", "b"], name: "Anna" }), [
    "Entry ",
    ["a", "b"],
    " of ",
    "Anna",
    "",
  ]);
});
