/** Somebody goes through a game entry by entry, reads it in tables, compares it with a fork, and waits for the service. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { uuid7 } from "../../../../../service/pages/static/js/base/uuid.js";
import * as page from "./page.mjs";
import { add, ask, logIn, moves, openDealt, openGame, record } from "./service.mjs";

const { all, aboutEntry, aboutGame, dialog, elsewhere, enter, entry, field, find, isShown, press, strike } = page;
const { textOf, texts, type, until, untilText, untilStored } = page;
const ISLANDS = "Islands, and where their bridges lead";
const OVERLOADED = { type: "/problems/overloaded", title: "Too much to do", status: 503, detail: "come again" };

const untilPlace = (place, count) => untilText("#stepper output", new RegExp(`^${place} / ${count}$`));
const boardOf = () => find("#board").shadowRoot?.querySelector("svg");

test("keys, the slider, buttons and links go through all entries", async () => {
  const game = await page.visitDealt("BARI-DUDA", "+COCO", "DUDA-ALOA");
  strike("Home");
  await untilPlace(1, 5);
  await untilText("#moment", "The game was opened");
  await until(() => textOf(find("title", boardOf())).includes("before the deal"), "the board before the deal");
  for (const place of [2, 3]) {
    strike("ArrowRight");
    await untilPlace(place, 5);
  }
  await until(() => find("line[data-at='BARI-DUDA'].touched", boardOf()), "the bridge of the moment");
  strike("ArrowLeft");
  await untilPlace(2, 5);
  strike("End");
  await untilPlace(5, 5);
  type(find("#stepper input"), "4");
  await untilPlace(4, 5);
  await untilText("#moment .notation", "+COCO");
  await press("First entry");
  await press("One entry on");
  await untilPlace(2, 5);
  strike(" ");
  await until(() => page.hasKey("Pause"), "a game that is played");
  await untilPlace(3, 5);
  strike(" ");
  await until(() => page.hasKey("Play"), "a game that is not played");
  await page.visitGame(game, { query: "#4" });
  await untilPlace(4, 5);
});

test("entries show their effects with rules, and a rule is explained", async () => {
  await page.visitDealt("BARI-DUDA");
  const effects = await until(() => texts(".effects li", entry(3)).length === 2 && texts(".effects li", entry(3)));
  assert.deepEqual(effects, ["Anna played BARI PLAY-3", "Anna built BARI-DUDA PLAY-2"]);
  assert.equal(textOf(find(".points", entry(3))), "0 – 0");
  await press("PLAY-2", entry(3));
  const rule = await until(() => find("dialog[open]"), "the rule");
  await until(() => textOf(rule).includes("One card builds a bridge"), "its text");
  assert.ok(!find("[lang=ja]", rule));
});

test("tables follow each entry, and a switch shows them in place of the board", async () => {
  const game = await page.visitDealt();
  const table = () => all("#tables table").find((each) => textOf(find("caption", each)) === ISLANDS);
  const row = () => all("tbody tr", table()).find((each) => textOf(find("th", each)) === "BARI");
  const bridges = () => textOf(all("td", row())[1]);
  await until(() => table() && bridges() === "none", "an island without bridges");
  const before = row();
  await enter("b-d");
  await until(() => bridges() === "DUDA", "its bridge");
  assert.equal(row(), before); // a reader does not lose the place
  await press("One entry back");
  await until(() => bridges() === "none", "the entry before");
  assert.ok(isShown(find("#board")) && find("#tables").classList.contains("hidden"));
  await press("Show the board as tables");
  assert.ok(!isShown(find("#board")) && !find("#tables").classList.contains("hidden"));
  await page.visitGame(game);
  assert.ok(!isShown(find("#board")), "this device remembers it");
  await press("Show the board as tables");
  assert.ok(isShown(find("#board")));
});

test("a fork begins once, leads back to its moment, and is compared from both sides", async () => {
  const game = await page.visitDealt("BARI-DUDA", "+", "LALE-IFFI");
  await aboutEntry(3, /^What if …/);
  await page.untilDialogHas("after entry 3, Anna: BARI-DUDA");
  type(field("Title", dialog()), "Another card");
  page.network(false);
  await press("Begin it", dialog);
  await page.untilDialogHas("No connection");
  page.network(true);
  await press("Begin it", dialog);
  const ofGame = async () => (await ask(`/v1/games?origin=${game}`)).games;
  const [{ game: fork }] = await forks(ofGame);
  await record(fork, "+COCO");
  await page.visitGame(fork);
  await untilText("h1", "Another card");
  assert.equal(page.key(/./, find(".banner.fork")).getAttribute("href"), `/games/${game}#3`);
  await press("About");
  await press("Compare with its origin");
  await untilText(".comparison", "2 moves and rulings are the same.");
  assert.deepEqual(await sides(), ["Entry 4 Anna: +COCO", "Entry 4 Anna: +"]);
  await page.visitGame(game);
  await press("About");
  await press("Compare");
  assert.deepEqual(await sides(), ["Entry 4 Anna: +", "Entry 4 Anna: +COCO"]);
  assert.equal((await ofGame()).length, 1);
});

/** The forks of a game, once the list knows of one: there is no other. */
async function forks(ofGame) {
  for (let tries = 0; tries < 300; tries += 1) {
    const found = await ofGame();
    if (found.length) return found;
    await page.pause();
  }
  return assert.fail("no fork");
}

/** Where each side of a comparison differs first. */
const sides = async () => {
  const said = () => texts(".comparison .sides section");
  await until(() => said().length === 2, "two sides");
  return said().map((each) => /Entry 4 Anna: \+(COCO)?/.exec(each)?.[0]);
};

test("a refused moment is shown later, and a move that cannot be tried is recorded", async () => {
  const game = await page.visitDealt();
  const refused = new Set();
  const busy = (path, { method = "GET" } = {}) => {
    const kind = /\/(state|board\.svg)\?/.exec(path)?.[1];
    if (method !== "GET" || !kind || refused.has(kind)) return null;
    refused.add(kind);
    return page.problem(OVERLOADED, { "Retry-After": "1" });
  };
  page.answerWith(busy);
  await elsewhere(game, "BARI-DUDA", "+COCO");
  await until(() => refused.size, "a refusal");
  await untilText("#turn", "Björn to move");
  await until(() => boardOf() && !textOf(find("#board")).includes("come again"), "the board");
  await recordWhatCannotBeTried(4);
});

/** Record a move and a ruling after so many entries, while the service can try nothing, and a ruling while it fails. */
async function recordWhatCannotBeTried(version) {
  let status = 503;
  page.answerWith((path) => (path.includes("dry_run=true") ? page.problem({ ...OVERLOADED, status }) : null));
  const unchecked = "The service is overloaded: it cannot be checked now.";
  type(page.moveField(), "+");
  await untilText("#preview", unchecked);
  await press("Record", find("#recorder"));
  await untilStored(version + 1);
  await aboutGame(/^Give a ruling/);
  type(field("What was decided, and why", dialog()), "no talking");
  await until(() => textOf(find(".answer", dialog())).includes(unchecked), "a ruling that is not tried");
  assert.equal(find(".answer [role=alert]", dialog()), null);
  await press("Give the ruling", dialog);
  await untilStored(version + 2);
  status = 500;
  await aboutGame(/^Give a ruling/);
  type(field("What was decided, and why", dialog()), "no shouting");
  await until(() => textOf(dialog()).includes("come again"), "the failure");
  await press("Give the ruling", dialog);
  await untilStored(version + 3);
}

test("a player records for their own seat, and is offered nothing else", async () => {
  const game = await openGame(["Anna", "Björn"]);
  await record(game, "deal black BARI COCO DUDA", "BARI-DUDA");
  const person = uuid7();
  await ask(`/v1/players/${person}`, { name: `Björn ${person}` }, "PUT");
  await ask(`/v1/games/${game}/roles/${person}`, { seats: [1] }, "PUT");
  const { token } = await ask("/v1/tokens", { name: "a phone", person });
  await page.visitGame(game, { owner: await logIn(token) });
  const views = texts("option", field("Point of view"));
  assert.equal(views.length, 2);
  await untilText("#recorder .count", "It is not your turn.");
  type(page.moveField(), "black: +");
  await untilText("#recorder", "this is not a move of your seat");
  type(page.moveField(), "");
  assert.match(await menuOf("More about entry 3"), /^Add a note, Bookmark this moment, Receipt[^,]*$/);
  assert.match(await menuOf("More …"), /^Add a note, Sign the record/);
  assert.ok(!page.hasKey("Redo"));
  await press("Score");
  assert.ok(!page.hasKey("What does your paper say?"));
  await press("About");
  assert.equal(find("#sharing"), null);
  await add(game, { data: { move: "+COCO" } });
  page.refresh();
  await untilStored(4);
  await enter("a-h");
  await untilStored(5);
  assert.deepEqual((await moves(game)).slice(2), ["+COCO", "ALOA-HUNA"]);
  await until(() => textOf(entry(5)).includes("by Björn"), "who recorded it");
});

/** What the menu of a key offers; it is closed again. */
async function menuOf(name) {
  await press(name);
  const menu = await until(() => find("dialog.sheet[open]"), "a menu");
  const offered = texts("li", menu).join(", ");
  menu.close();
  return offered;
}

test("a game that waits for the network is listed, forgotten after a question, and opened once", async () => {
  await openDealt();
  const title = `Tunnel ${uuid7()}`;
  await page.visit("/?q=none");
  for (const each of [title, "Forgotten"]) await openWithoutNetwork(each);
  const waiting = () => texts("#outbox li");
  await until(() => waiting().length === 2, "two games that wait");
  const forgotten = () => all("#outbox li").find((each) => textOf(each).includes("Forgotten"));
  for (const answer of ["Leave it", "Forget it"]) {
    await press(/^Forget it …/, forgotten);
    await page.untilDialogHas("This removes");
    await press(answer, dialog);
    await until(() => !dialog(), "an answer");
    await page.pause();
    assert.equal(waiting().length, answer === "Leave it" ? 2 : 1);
  }
  assert.ok(waiting()[0].includes(title));
  page.network(true);
  const found = async () => (await ask(`/v1/games?q=${encodeURIComponent(title)}`)).games;
  assert.equal((await forks(found)).length, 1);
});

async function openWithoutNetwork(title) {
  page.network(true);
  const game = () => all("#opening .playable button").find((each) => textOf(each).startsWith("Kahuna"));
  type(find("#opening input[type=search]"), "Kahuna");
  (await until(game, "Kahuna in the list")).click();
  await until(() => find("#opening [data-seat]"), "seats");
  for (const more of all("#opening details")) more.open = true;
  type(field("Title", find("#opening")), title);
  page.network(false);
  await press("Start the game");
  await untilText("#outbox", title);
}
