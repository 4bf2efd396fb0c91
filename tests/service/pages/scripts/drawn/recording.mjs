/** The next move is picked or typed, tried before it is sent, and stored once; what is refused stays in the field. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as page from "./page.mjs";
import { ask, cut, entries, moves, openDealt, openGame } from "./service.mjs";

const { all, elsewhere, field, find, hasKey, isShown, moveField, press, textOf, type, until, untilText } = page;
const { untilStored } = page;
/** The beginning of a recorded game, up to where somebody lays cards or none. */
const CONFLICT = "conflict";
/** The same, up to where the game ends if nobody draws. */
const LAST = "last turn";

/** The page of a game that has just been dealt; its id. */
async function dealt() {
  const game = await openDealt();
  await visit(game);
  return game;
}

/** Open the page of a game, and wait until its moves are offered. */
async function visit(game) {
  await page.visitGame(game);
  await until(() => find("#recorder").dataset.offered != null, "the moves to be offered");
}

/** The page of a recorded game that was cut off; its id, and how many entries it has. */
async function begun(name) {
  const game = await cut(name);
  await visit(game);
  return [game, await versionOf(game)];
}

const versionOf = async (game) => (await entries(game)).length;
const counts = (wanted) => untilText("#recorder .count", wanted);
const choices = () => page.texts("#recorder .choice");
const untilChoices = (...wanted) => until(() => String(choices()) === String(wanted), `choices ${wanted}`);
const choice = (text) => all("#recorder .choice").find(({ value }) => value === text);
const pick = async (text) => (await until(() => choice(text), `the choice ${text}`)).click();
const typed = (text) => type(moveField(), text);
/** Press Enter in the field. */
const submit = () => moveField().form.requestSubmit();
const previews = (wanted) => untilText("#preview", wanted);
const alerts = () => page.texts("#recorder [role=alert]");
const untilAlert = (wanted) => until(() => alerts().some((each) => each.includes(wanted)), `an alert: ${wanted}`);
const place = (at, kind = "g") => find("#board").shadowRoot.querySelector(`${kind}[data-at="${at}"]`);
const tapPlace = async (at) => page.tapBoard(await until(() => find("#board").shadowRoot && place(at), at));
const untilTyped = (text) => until(() => moveField().value === text, `${text} in the field`);
const recordKey = () => page.key("Record", find("#recorder"));
const newest = (game) => entries(game).then((found) => found.at(-1));

test("keys of numbers and letters alone say what they mean", async () => {
  const game = await openGame(["Aiko", "Ben", "Chiara", "Dana"], { ruleset: "verraeter" });
  await visit(game);
  const help = () => page.texts("#recorder .suggestions .hint").join();
  await until(() => help().includes("E Eagle, R Rose"), "the meaning of the keys");
  await pick("start 2");
  const legal = (await ask(`/v1/games/${game}/moves`)).moves.map(({ notation }) => notation);
  await untilChoices(...legal.filter((line) => line.startsWith("start 2 ")));
  assert.ok(help().startsWith("start 2 E R R E"), help());
});

test("typing and tapping narrow the legal moves, and an impossible move stays in the field", async () => {
  const game = await dealt();
  const legal = (await ask(`/v1/games/${game}/moves`)).moves.length;
  await counts(`${legal} of ${legal} legal moves`);
  typed("b-d");
  await counts(`1 of ${legal} legal moves`);
  await untilChoices("BARI-DUDA");
  typed("+");
  await untilChoices("+BARI", "+COCO", "+DUDA", "+");
  await press("Clear the move");
  await counts(`${legal} of ${legal} legal moves`);
  typed("+COCO/");
  await tapPlace("HUNA");
  await untilTyped("+COCO/HUNA");
  await staysInTheField();
  find("#stepper [data-go=back]").click();
  await until(() => !isShown(find("#recorder form")), "no field at an earlier entry");
  await press("Go to the newest entry");
  const sent = sends();
  typed("b-d");
  submit(); // what was not tried yet is shown first
  await previews("Anna built BARI-DUDA");
  await page.pause();
  assert.deepEqual(sent, []);
  submit();
  await untilStored(3);
  assert.equal(moveField().value, "");
});

/** What the page sends from now on to be stored. */
function sends() {
  const sent = [];
  page.answerWith((path, { method } = {}) => {
    if (method === "POST" && !path.includes("dry_run")) sent.push(path);
    return null;
  });
  return sent;
}

async function staysInTheField() {
  typed("+KAHU");
  await untilAlert("Impossible move");
  assert.ok(!isShown(find("#recorder .override")));
  submit();
  assert.equal(moveField().value, "+KAHU");
  typed("b-zzz");
  await until(() => textOf(find("#recorder [role=alert] mark")) === "zzz", "a mark");
  typed("b-");
  await until(() => !alerts().length, "no alert for a beginning");
  submit();
  await untilAlert("expected an island here");
  await press("Clear the move");
}

test("a broken rule is cited, and the move is recorded with a typed reason", async () => {
  const game = await dealt();
  typed("b-d (coco)");
  await untilAlert("The move breaks a rule PLAY-2");
  await untilAlert("COCO is at neither end of BARI-DUDA");
  submit();
  const why = await until(() => isShown(find("#recorder .override")) && field(/why does it count/), "the reason");
  await until(() => find("#recorder .override").contains(document.activeElement), "the focus");
  type(why, "nobody noticed");
  await previews("Irregular: COCO is at neither end of BARI-DUDA");
  await press("Record as irregular", find("#recorder"));
  await untilStored(3);
  const { override, irregular } = await newest(game);
  assert.deepEqual([override, irregular.map(({ rule }) => rule)], ["nobody noticed", ["kahuna:PLAY-2"]]);
});

test("an irregular move is picked with a tapped reason, and legal moves follow", async () => {
  const game = await dealt();
  await press("It really happened …");
  await counts("moves against the rules");
  const taps = ["BARI", "DUDA"].map((at) =>
    all("[data-at]", find("#board").shadowRoot).find((each) => isIsland(each, at)),
  );
  for (const each of taps) page.tapBoard(each);
  await pick("BARI-DUDA (COCO)");
  await untilTyped("BARI-DUDA (COCO)");
  await untilText("#preview .problem", "breaks a rule");
  assert.ok(hasKey("seen too late", find(".override")));
  await press("Clear the move");
  await counts("moves against the rules");
  await pick("white: +");
  await previews("it is Anna's turn, not Björn's");
  await press("agreed by both", find(".override"));
  await until(() => find("#preview .dry-run.irregular"), "what it does all the same");
  await press("Record as irregular", find("#recorder"));
  await untilStored(3);
  const { notation, override, irregular } = await newest(game);
  assert.deepEqual([notation, override, irregular[0].rule], ["white: +", "agreed by both", "kahuna:SET-2"]);
  await until(() => page.key("It really happened …").getAttribute("aria-pressed") === "false", "the rules again");
  await counts("legal moves");
});

const isIsland = (each, at) => each.dataset.at === at && each.localName === "g" && find("circle", each);

test("a legal move is shown with its effects before it is recorded", async () => {
  const game = await dealt();
  await elsewhere(game, "BARI-DUDA", "+", "+", "ALOA-BARI");
  typed("f-b");
  await previews("Anna gained BARI CTRL-1");
  await previews("The score stays 0 – 0.");
  assert.equal(await versionOf(game), 6);
  submit();
  await untilStored(7);
  assert.equal((await moves(game)).at(-1), "FAAA-BARI");
});

test("a key with a whole move records it, and other moves are confirmed", async () => {
  const [game, before] = await begun(CONFLICT);
  const titles = ["lay -", "lay 3"].map((text) => choice(text).title);
  assert.deepEqual(titles, ["recorded at once", ""]);
  await pick("lay 3");
  await until(() => find("#preview .dry-run"), "what it does");
  assert.equal(await versionOf(game), before);
  typed("");
  await pick("lay -");
  await untilStored(before + 1);
  assert.equal((await moves(game)).at(-1), "lay -");
  await press("Undo");
  await until(() => page.dialog() && textOf(page.dialog()).includes("lay -"), "a question");
  await press("Withdraw", page.dialog);
  await untilStored(before + 2);
  await until(() => choice("lay -"), "the key again");
});

test("a move that others record meanwhile is not recorded for the next seat", async () => {
  const game = await dealt();
  typed("+");
  await previews("Anna");
  const trial = page.hold((path) => path.endsWith("/events?dry_run=true"));
  await elsewhere(game, "+");
  await until(() => trial.waiting, "the trial of the same word for the next seat");
  recordKey().click();
  trial.open();
  await previews("Björn");
  await page.pause();
  assert.deepEqual((await moves(game)).slice(1), ["+"]);
});

test("a key that ends the game is confirmed", async () => {
  const [game, before] = await begun(LAST);
  await pick("-");
  await until(() => find("#preview .dry-run"), "what it does");
  await page.pause();
  assert.equal(await versionOf(game), before);
  assert.ok(!recordKey().disabled);
  recordKey().click();
  await untilStored(before + 1);
});

test("during the trial of such a key Record stores nothing twice, and a cleared move is not stored", async () => {
  const [game, before] = await begun(CONFLICT);
  for (const [meanwhile, stored] of [
    ["Clear the move", 0],
    ["Record", 1],
  ]) {
    const trials = page.hold((path) => path.includes("dry_run"));
    await pick("lay -");
    await press(meanwhile, find("#recorder"));
    await until(() => trials.waiting, "a trial");
    trials.open();
    await page.pause();
    await untilTyped("");
    await untilStored(before + stored);
    await page.pause();
    assert.equal(await versionOf(game), before + stored);
  }
});

test("Undo of an entry that is on its way asks once it is stored, and the field stays empty", async () => {
  const [game, before] = await begun(CONFLICT);
  const stores = page.hold((path, { method }) => method === "POST" && !path.includes("dry_run"));
  await pick("lay -");
  await until(() => stores.waiting, "an entry on its way");
  await press("Undo");
  stores.open();
  await until(() => page.dialog() && textOf(page.dialog()).includes("lay -"), "a question");
  await untilTyped("");
  assert.equal(await versionOf(game), before + 1);
});

test("without a network such a key waits, and Undo takes it back with one tap", async () => {
  const [game, before] = await begun(CONFLICT);
  page.network(false);
  await pick("lay -");
  await untilText("#outbox", "lay -");
  await untilTyped("");
  await press("Undo");
  await untilTyped("lay -");
  await until(() => !textOf(find("#outbox")).includes("lay -"), "an empty outbox");
  page.network(true);
  await page.pause();
  assert.equal(await versionOf(game), before);
});
