/** Any entry is corrected from the page: shown beforehand with all that it changes, and stored once everything fits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as page from "./page.mjs";
import { DEAL, add, ask, entries, moves, openGame, openSheet, record } from "./service.mjs";

const { aboutEntry, all, dialog, elsewhere, enter, entry, field, find, press, textOf, type, until, untilText } = page;
const { untilStored } = page;
/** Black builds, and white removes it: without the bridge the removal cannot be. */
const REMOVAL = ["ELAI-FAAA", "+", "x ELAI-FAAA (ELAI FAAA)"];

const closed = () => until(() => !dialog(), "the dialog to close");
const isEnabled = (selector) => until(() => !find(selector).disabled, `${selector} to be enabled`);
const conflict = (version, within = dialog()) =>
  all("fieldset, [role=group]", within).find((each) => textOf(each).includes(`Entry ${version} ·`));
const untilConflict = (version, within) =>
  until(() => conflict(version, within?.() ?? dialog()), `conflict ${version}`);
const tick = (label, within) => field(label, within).click();
const withdraw = () => press("Withdraw", dialog);

/** Ask about the last entry by a key, and answer. */
async function answerUndo(key, title, verb) {
  await press(key);
  await page.untilDialogHas(title);
  await press(verb, dialog);
}

test("undo withdraws the last valid entry after a question, and redo restores it", async () => {
  const game = await openGame(["Anna", "Björn"]);
  await page.visitGame(game);
  await untilStored(1);
  assert.ok(find("#undo").disabled);
  assert.equal(textOf(find("#turn")), "The table moves next");
  assert.equal(find("#keypad"), null);
  await enter(DEAL);
  await untilStored(2);
  await isEnabled("#undo");
  assert.ok(find("#redo").hidden);
  await undoOffersWhatTheServiceSays(game);
  await elsewhere(game, "BARI-DUDA", "+COCO");
  await undoesTwo(game);
  await redoesTwo(game);
  await answerUndo("Undo", "Withdraw entry 7?", "Withdraw");
  await untilStored(12);
  await enter("+DUDA");
  await untilStored(13);
  await until(() => find("#redo").hidden);
});

async function undoOffersWhatTheServiceSays(game) {
  await elsewhere(game, "BARI-DUDA");
  await add(game, { type: "entry.replaced", data: { entry: 3, move: "b-e" } });
  await add(game, { type: "entry.withdrawn", data: { entry: 3 } });
  page.refresh();
  await untilStored(5);
  const info = await ask(`/v1/games/${game}`);
  assert.deepEqual([info.undo.entry, info.redo.entry], [2, 3]);
  for (const [key, title] of [
    ["Redo", "Let entry 3 count again?"],
    ["Undo", "Withdraw entry 2?"],
  ]) {
    await answerUndo(key, title, "Leave it");
    await closed();
  }
  assert.equal((await entries(game)).length, 5);
}

async function undoesTwo(game) {
  await until(() => find("#redo").hidden);
  await press("Undo");
  for (const words of ["Withdraw entry 7?", "Anna: +COCO", "The score stays 0 – 0."]) await page.untilDialogHas(words);
  type(field("Reason", dialog()), "wrong card");
  await withdraw();
  await untilStored(8);
  assert.equal(textOf(find("del", entry(7))), "+COCO");
  assert.match(textOf(entry(7)), /withdrawn/i);
  await untilText("#turn", "Anna to move");
  assert.deepEqual(await moves(game), [DEAL, "BARI-DUDA"]);
  await answerUndo("Undo", "Withdraw entry 6?", "Withdraw");
  await untilStored(9);
  assert.deepEqual(await moves(game), [DEAL]);
}

async function redoesTwo(game) {
  for (const [version, head] of [
    [6, 10],
    [7, 11],
  ]) {
    await press("Redo");
    for (const words of [`Let entry ${version} count again?`, "It counts again."]) await page.untilDialogHas(words);
    await press("Let it count", dialog);
    await untilStored(head);
  }
  await until(() => find("#redo").hidden);
  assert.deepEqual(await moves(game), [DEAL, "BARI-DUDA", "+COCO"]);
  assert.match(textOf(entry(11)), /Took back entry 8/);
}

test("a newer dialog stays open when an entry is delivered", async () => {
  await page.visitDealt("BARI-DUDA");
  await press("Undo");
  await page.untilDialogHas("Withdraw entry 3?");
  await until(() => !find(".primary", dialog()).disabled, "the dry run");
  const gate = page.hold((path, { method }) => method === "POST" && !path.includes("dry_run"));
  await withdraw();
  await until(() => gate.waiting);
  await press("Leave it", dialog);
  await aboutEntry(2, /^Withdraw/);
  gate.open();
  await untilStored(4);
  await page.pause();
  assert.match(textOf(dialog()), /Withdraw entry 2\?/);
  await withdraw();
  await untilStored(5);
});

test("offline corrections are stored when the network is back, and their conflicts are settled in the outbox", async () => {
  const game = await page.visitDealt("BARI-DUDA");
  const outbox = () => find("#outbox");
  await aboutEntry(2, /^Withdraw/);
  await press("Leave it", dialog); // what asks is at hand from now on
  page.network(false);
  await aboutEntry(3, /^Replace/);
  type(field("Move that was made", dialog()), "ALOA-BARI");
  await page.untilDialogHas("No connection");
  await press("Replace", dialog);
  await untilText("#outbox", "replace entry 3: ALOA-BARI");
  assert.equal((await entries(game)).length, 3);
  page.network(true);
  await untilStored(4);
  await until(() => !find("#outbox li"));
  assert.deepEqual(await moves(game), [DEAL, "ALOA-BARI"]);
  page.network(false);
  await aboutEntry(3, /^Withdraw/);
  await withdraw();
  await until(() => all("#outbox li").length === 1);
  assert.ok(find("#undo").disabled);
  page.network(true);
  await untilStored(5);
  await isEnabled("#undo");
  assert.deepEqual(await moves(game), [DEAL]);
  await elsewhere(game, ...REMOVAL);
  page.network(false);
  await aboutEntry(6, /^Withdraw/);
  await withdraw();
  await closed(); // it was tried, and waits
  await untilText("#outbox", "withdraw entry 6");
  page.network(true);
  tick("Withdraw it, too", await untilConflict(8, outbox));
  await press("Send again", outbox);
  await untilStored(9);
  assert.deepEqual(await moves(game), [DEAL, "+"]);
});

test("a misread roll is replaced by tapping the right dice", async () => {
  const game = await openGame(["Mia", "Noah"], { ruleset: "manapani" });
  await record(game, "start 1");
  await page.visitGame(game);
  const tap = (die, face, within = document) => {
    const group = () => all("[role=group], fieldset", within).find((each) => each.getAttribute("aria-label") === die);
    return press(face, group);
  };
  await tap("Mia 1", "2");
  await tap("Mia 2", "1");
  await untilStored(3);
  await aboutEntry(3, /^Replace/);
  for (const die of ["Mia 1", "Mia 2"]) await tap(die, "2", dialog());
  await until(() => textOf(find(".dry-run", dialog())).includes("Mia rolled 2, 2"));
  await press("Replace", dialog);
  await untilStored(4);
  assert.deepEqual(await moves(game), ["start 1", "roll 2 2"]);
});

test("a record followed through corrections equals the record after a reload", async () => {
  const game = await openSheet("rounds", "Ada", "Ben");
  await record(game, ...[1, 2, 3, 4, 5, 6].map((number) => `r${number} ${number} 10`));
  await page.visitGame(game);
  const points = [{ type: "points", seat: 1, points: -1 }];
  for (const [at, [type, data]] of [
    ["entry.inserted", { after: 3, move: "p1 +3 forgotten" }],
    ["entry.replaced", { entry: 5, move: "r4 44 10" }],
    ["entry.replaced", { entry: 8, move: "p2 +5 forgotten" }],
    ["entry.withdrawn", { entry: 9 }],
    ["ruling.given", { after: 2, reason: "slow", adjustments: points }],
    ["entry.withdrawn", { entry: 11 }],
    ["ruling.revoked", { ruling: 12 }],
    ["entry.withdrawn", { entry: 8 }],
  ].entries()) {
    await add(game, { type, data });
    page.refresh();
    await until(() => entry(8 + at), `entry ${8 + at}`);
    const followed = textOf(find("#record"));
    await page.visitGame(game);
    await until(() => entry(1) && entry(8 + at), `entry ${8 + at}`);
    assert.equal(followed, textOf(find("#record")), `after ${type} ${JSON.stringify(data)}`);
  }
});

test("a forgotten move is inserted where it happened", async () => {
  await page.visitDealt("ELAI-FAAA", "+");
  await aboutEntry(2, /^Insert/);
  type(field("Move that was forgotten", dialog()), "COCO-FAAA");
  await until(() => textOf(find(".dry-run", dialog())).includes("Anna built COCO-FAAA"));
  await press("Insert", dialog);
  await until(() => entry(5));
  assert.match(textOf(entry(5)), /inserted/);
  assert.equal(textOf(find(".flags", entry(5))), "Inserted after entry 2");
  assert.deepEqual(page.texts("#record .number").map(Number), [4, 3, 5, 2, 1]);
  await untilText("#stepper output", /^3 \/ 5$/);
  page.strike("ArrowRight");
  await untilText("#moment .notation", "ELAI-FAAA");
});

test("conflicts name their rule and the legal moves, and nothing is stored before they are settled", async () => {
  const game = await page.visitDealt(...REMOVAL);
  await anotherMoveIsAskedAboutAnew(game);
  await aboutEntry(3, /^Withdraw/);
  const found = await untilConflict(5);
  await page.untilDialogHas("1 later entry no longer fits");
  assert.match(textOf(found), /Björn: x ELAI-FAAA \(ELAI FAAA\)/);
  assert.match(textOf(found), /no bridge lies on ELAI-FAAA REM-1/);
  page.key("What would be legal there", found).click();
  await until(() => all("code", found).length >= 2);
  assert.equal(all("[type=radio]", found).length, 1);
  const verb = all("button", dialog()).find((each) => textOf(each) === "Withdraw");
  assert.ok(verb.disabled);
  tick("Withdraw it, too", found);
  await page.untilDialogHas("everything fits");
  assert.match(
    textOf(find(".consequences", dialog())),
    /Entry 5 Björn: x ELAI-FAAA \(ELAI FAAA\) ?It no longer counts\./,
  );
  assert.equal((await entries(game)).length, 6);
  await withdraw();
  await untilStored(7);
  assert.equal(textOf(find(".flags", entry(7))), "Withdrew entry 5, too");
  assert.equal(textOf(find(".flags", entry(5))), "Withdrawn by entry 7");
  assert.deepEqual(await moves(game), [DEAL, "+"]);
});

/** Replace a bridge by another one, which the removal does not fit, and then by the same one. */
async function anotherMoveIsAskedAboutAnew(game) {
  await aboutEntry(3, /^Replace/);
  const move = field("Move that was made", dialog());
  type(move, "ALOA-BARI");
  tick("Withdraw it, too", await untilConflict(5));
  await page.untilDialogHas("everything fits");
  type(move, "FAAA-ELAI");
  await until(() => !page.isShown(conflict(5)), "no conflict");
  await press("Replace", dialog);
  await untilStored(6);
  assert.deepEqual(await moves(game), [DEAL, "FAAA-ELAI", "+", "x ELAI-FAAA (ELAI FAAA)"]);
}

/** Withdraw the end of a turn: what follows is out of turn, as long as none of it is withdrawn. */
async function withdrawTheEndOfATurn() {
  const game = await page.visitDealt("ELAI-FAAA", "+", "LALE-IFFI", "+", "COCO-FAAA");
  await aboutEntry(4, /^Withdraw/);
  await untilConflict(5);
  return game;
}

test("each conflicting entry is kept as irregular or withdrawn, as chosen", async () => {
  const game = await withdrawTheEndOfATurn();
  const [too, kept] = ["Withdraw it, too", "Keep it, flagged irregular"];
  assert.match(textOf(conflict(5)), /it is Anna's turn, not Björn's SET-2/);
  await press("Withdraw all", dialog);
  await page.untilDialogHas("everything fits");
  for (const version of [5, 6]) assert.ok(field(too, conflict(version)).checked);
  tick(kept, conflict(5));
  await until(() => !conflict(6), "nothing to be wrong with entry 6"); // as entry 5 stands
  await page.untilDialogHas("everything fits");
  tick(too, conflict(5));
  tick(kept, await untilConflict(6));
  const changed = (version) =>
    all(".consequences > li", dialog())
      .map(textOf)
      .find((each) => each.startsWith(`Entry ${version}`)) ?? "";
  await until(() => changed(6).includes("Irregular: it is Anna's turn"));
  assert.match(changed(5), /It no longer counts\./);
  await withdraw();
  await untilStored(8);
  const correction = (await entries(game))[7];
  assert.deepEqual([correction.keep, correction.withdraw], [[6], [5]]);
  assert.match(textOf(find(".flags", entry(6))), /It was kept by entry 8/);
  assert.deepEqual(page.texts(".flags li", entry(8)), ["Kept entry 6 as irregular", "Withdrew entry 5, too"]);
});

for (const [key, chosen] of [
  ["Keep what can stand", { keep: [5] }],
  ["Withdraw all", { withdraw: [5, 6] }],
])
  test(`one switch settles all conflicts: ${key}`, async () => {
    const game = await withdrawTheEndOfATurn();
    await press(key, dialog);
    await page.untilDialogHas("everything fits");
    await withdraw();
    await untilStored(8);
    const { keep, withdraw: left } = (await entries(game))[7];
    assert.deepEqual({ ...(keep && { keep }), ...(left && { withdraw: left }) }, chosen);
  });

test("hidden details are added later, and an irregular replacement needs a reason", async () => {
  const game = await page.visitDealt();
  await aboutEntry(2, /^Add details/);
  const move = field("Move with all that is known now", dialog());
  assert.equal(move.value, DEAL);
  type(move, "deal black BARI COCO LALE");
  await page.untilDialogHas("what was seen cannot be changed");
  assert.ok(all("button", dialog()).find((each) => textOf(each) === "Add them").disabled);
  type(move, `${DEAL} / ALOA ALOA KAHU / LALE LALE JOJO`);
  await press("Add them", dialog);
  await untilStored(3);
  await untilText("#state", /ALOA ?ALOA ?KAHU/);
  await elsewhere(game, "ALOA-HUNA");
  await aboutEntry(4, /^Replace/);
  type(field("Move that was made", dialog()), "a-h (kahu)");
  await page.untilDialogHas("The move breaks a rule PLAY-2");
  assert.ok(page.isShown(field(/why does it count/, dialog())));
  type(field(/why does it count/, dialog()), "nobody noticed");
  await page.untilDialogHas("Irregular: KAHU is at neither end of ALOA-HUNA");
  await press("Replace", dialog);
  await untilStored(5);
  assert.match(textOf(find(".flags", entry(4))), /It stands: nobody noticed/);
});
