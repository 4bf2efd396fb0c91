/** A game that is over opens as a story; it is reopened, and taken back, by who may. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { uuid7 } from "../../../../../service/pages/static/js/base/uuid.js";
import * as page from "./page.mjs";
import { add, ask, given, logIn, moves, openGame, openSheet, record } from "./service.mjs";

const { all, dialog, entry, field, find, isShown, press, textOf, type, until, untilText, untilStored } = page;
/** Ada leads, then Ben, then Ada again, who got most at once in the end. */
const ROUNDS = ["r1 5 2", "r2 0 9", "r3 1 0", "r4 20 0"];
const CORRECTION = { type: "entry.replaced", data: { entry: 5, move: "r4 0 0", reason: "misheard" } };
const CLOSING = { type: "game.closed", data: { how: "finished" } };

/** A sheet of four rounds that Ada won; its id. */
async function playedSheet(...more) {
  const game = await openSheet("rounds", "Ada", "Ben");
  await record(game, ...ROUNDS, "end");
  for (const each of more) await add(game, each);
  return game;
}

const headline = (wanted) => untilText("#headline", wanted);
const moments = () => page.texts("#highlights li a");
const menu = async () => {
  await press("More …");
  return until(() => find("dialog.sheet[open]"), "the menu");
};
const statusOf = async (game) => (await ask(`/v1/games/${game}`)).status;
/** Tell a page that there are workers, as it is told by a service that has some. */
const withWorkers = (kinds) => ({ change: (html) => html.replace('data-completes=""', `data-completes="${kinds}"`) });

/** What a page asks for, as long as this answers it. */
function posting() {
  const sent = [];
  const give = (_path, { method, body } = {}) => {
    if (method === "POST") sent.push(JSON.parse(body));
    return null;
  };
  return { sent, give };
}

/** What a page asks for from now on. */
function posted() {
  const { sent, give } = posting();
  page.answerWith(give);
  return sent;
}

async function wins() {
  await headline(/^Ada won$/);
  assert.match(textOf(find("#told .why")), /Most points WIN-1 · 15 points ahead of Ben/);
  assert.deepEqual(
    page.texts("#told .standing li"),
    ["1 Ada 26", "2 Ben 11"].map((row) => row.replaceAll(" ", "")),
  );
}

test("a game is analysed automatically for the current viewpoint", async () => {
  const game = await given("kahuna/points");
  const kinds = ["timeline", "luck-counts", "win-line"];
  await page.visitGame(game, withWorkers(kinds.join(" ")));
  const sent = posted();
  await until(() => find("#course progress"), "how far it is");
  await until(() => all("#highlights h3").some((each) => textOf(each) === "Luck"));
  await press("Cancel", find("#course"));
  await until(() => !find("#course progress"));
  const asked = (await ask(`/v1/games/${game}/analyses`)).analyses.map(({ kind, viewpoint }) => `${kind} ${viewpoint}`);
  assert.deepEqual(new Set(asked), new Set(kinds.map((kind) => `${kind} record`)));
  assert.ok(sent.every(({ seat }) => seat === "record"));
});

test("strangers and share links see the story, and start no analysis", async () => {
  const game = await playedSheet();
  await page.visitGame(game, { owner: false, ...withWorkers("timeline") });
  const sent = posted();
  await wins();
  await until(() => moments().length === 3);
  await momentsStayUnderAFinger(game);
  assert.deepEqual(sent, []);
  const { path } = await ask(`/v1/games/${game}/links`, { name: "family" });
  await page.visit(path, { owner: false });
  await wins();
  await until(() => moments().length === 3);
  assert.ok(!page.hasKey("More …"));
});

/** They are not drawn anew as somebody adds a note: a browser drops the click on what is. */
async function momentsStayUnderAFinger(game) {
  const kept = all("#highlights li a, .standing li, #told .why > *, .legend li");
  assert.equal(kept.length, 3 + 2 + 2 + 2);
  await add(game, { type: "note.added", data: { text: "what a game" } });
  page.refresh();
  await untilStored(7);
  assert.ok(kept.every((part) => part.isConnected));
}

test("the owner's page requests the timeline, and again after a correction", async () => {
  const game = await playedSheet();
  const { sent: asked, give } = posting();
  await page.visitGame(game, { ...withWorkers("timeline"), give });
  await wins();
  const made = () => page.texts("#analysis h3").includes("How it went");
  await until(made, "the course");
  assert.ok(!find("#analysis .problem"));
  assert.deepEqual(asked, [{ kind: "timeline", seat: "record" }]);
  const sent = posted();
  await add(game, CORRECTION);
  page.refresh();
  await headline(/^Ben won$/);
  await until(() => sent.length, "another request");
  assert.deepEqual(sent, [{ kind: "timeline", seat: "record" }]);
});

test("scripts of a page that was left do not change a later page", async () => {
  const game = await openGame(["Ada", "Ben"]);
  for (let times = 0; times < 4; times += 1) {
    await page.visitGame(game);
    await page.visit("/games/new");
    await page.pause();
    assert.ok(!find("#recorder, dialog"), "a form of the game that was left");
  }
});

test("a page that was left starts no timer", async () => {
  const { setTimeout: start } = await page.visit("/games/new");
  let times = 0;
  start(() => (times += 1), 0);
  await until(() => times === 1);
  page.leave();
  start(() => (times += 1), 0);
  await page.pause();
  assert.equal(times, 1);
});

test("pages that were left take no room, but for the last one", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  await page.visit("/games/new");
  const left = new WeakRef(document);
  for (let times = 0; times < 2; times += 1) await page.visit("/games/new");
  await page.pause();
  collect();
  assert.equal(left.deref(), undefined);
});

test("after a cancellation the owner's page requests nothing more", async () => {
  const game = await playedSheet();
  const asked = [];
  let status = "running";
  const give = (path, { method, body } = {}) => {
    if (!/\/analyses(\/x(\/stream)?)?$/.test(path)) return null;
    if (path.endsWith("/stream")) return new Response(null, { status: 503 });
    if (method === "POST") asked.push(JSON.parse(body).kind);
    if (method === "DELETE") status = "cancelled";
    return Response.json({ id: "x", kind: asked.at(-1), version: 6, viewpoint: "record", status, done: 1, planned: 9 });
  };
  await page.visitGame(game, { ...withWorkers("timeline luck-counts win-line"), give });
  await press("Cancel", () => find("#course"));
  await until(() => !find("#course progress"));
  await page.pause();
  assert.deepEqual(asked, ["timeline"]);
});

test("a highlight has the name of the person of that time", async () => {
  const game = await openSheet("rounds", "Ada", "Ben");
  await record(game, ...ROUNDS);
  await add(game, { type: "seat.changed", data: { seat: 0, name: "Cleo" } });
  await record(game, "end");
  await page.visitGame(game);
  await headline(/^Cleo won$/);
  await until(() => moments().some((each) => each.startsWith("Ada took the lead")), `Ada in ${moments()}`);
});

test("a text of the story that comes late does not replace a newer one", async () => {
  const game = await playedSheet();
  await page.visitGame(game);
  await wins();
  await until(() => moments().length);
  let arrive = null;
  page.answerWith((path) => (path === `/games/${game}` ? new Promise((resolve) => (arrive = resolve)) : null));
  await add(game, CORRECTION);
  const late = await page.read(`/games/${game}`);
  page.refresh();
  await until(() => arrive, "a request for the new text");
  page.answerWith(null);
  await add(game, { type: "entry.withdrawn", data: { entry: 7 } });
  page.refresh();
  const text = () => textOf(find("#highlights .telling"));
  await until(() => text().includes("Ada won"), "the newest text");
  arrive(new Response(late));
  await page.pause();
  assert.match(text(), /Ada won/);
});

test("a closed record is reopened in the menu, and its last entry is withdrawn", async () => {
  const game = await playedSheet(CLOSING);
  await page.visitGame(game);
  await until(() =>
    all("[role=region], section").some((each) => isShown(each) && /The record is closed.*finished/.test(textOf(each))),
  );
  assert.ok(!page.hasKey(/Show the form for moves/, await menu()));
  await press(/^Reopen the record/, find("dialog.sheet"));
  await until(dialog);
  type(field("Why it goes on", dialog()), "a number was wrong");
  await press("Reopen", dialog);
  await untilStored(8);
  await until(() => !dialog());
  await wins();
  await menu();
  await press(/^Undo/, find("dialog.sheet"));
  await press("Withdraw", dialog);
  await untilStored(9);
  await until(() => !isShown(find("#told")) && isShown(find("#keypad .pad")), "the keypad");
  assert.equal(await statusOf(game), "playing");
});

test("a game that was closed too early continues after one tap of its owner", async () => {
  const game = await playedSheet(CLOSING);
  await aRecorderIsNotOfferedToRecordMore(game);
  await page.visitGame(game);
  await press("Record more");
  await untilStored(9);
  await until(() => !isShown(find("#told")) && isShown(find("#keypad .pad")), "the keypad");
  await until(() => document.activeElement.localName === "h1", "the focus on the title");
  assert.deepEqual(await moves(game), ROUNDS);
  const abandoned = await openGame(["Ada", "Ben"]);
  await add(abandoned, { type: "game.closed", data: { how: "abandoned" } });
  await page.visitGame(abandoned);
  assert.ok(page.hasKey(/^Reopen the record/, await menu()));
  find("dialog.sheet").close();
  await press("Record more");
  await untilStored(3);
  await until(() => isShown(page.moveField()));
});

async function aRecorderIsNotOfferedToRecordMore(game) {
  const person = uuid7();
  await ask(`/v1/players/${person}`, { name: "Ada" }, "PUT");
  await ask(`/v1/roles/${person}`, { role: "recorder" }, "PUT");
  const { token } = await ask("/v1/tokens", { name: "phone", person });
  await page.visitGame(game, { owner: await logIn(token) });
  await until(() => page.hasKey("More …"));
  assert.ok(!page.hasKey("Record more"));
}

test("a move that scored and ended a game is withdrawn only after a question", async () => {
  const game = await given("kahuna/points");
  await page.visitGame(game);
  await press("Record more");
  await until(() => dialog() && textOf(dialog()).includes("The game goes on"));
  await press("Leave it", dialog);
  assert.equal(await statusOf(game), "finished");
  await press("Record more");
  await press("Withdraw", dialog);
  await until(() => find("#recorder") && isShown(find("#recorder")), "the form for moves");
  assert.equal(await statusOf(game), "playing");
});

test("a small board that could not be loaded is loaded again while it is in sight", async () => {
  await page.visitGame(await given("kahuna/points"));
  const picture = () => find("#highlights img");
  const isLoaded = () => {
    page.comeNear("#highlights img");
    return picture()?.getAttribute("src");
  };
  await until(isLoaded, "a small board");
  picture().dispatchEvent(new Event("error"));
  assert.equal(picture().getAttribute("src"), null);
  await until(isLoaded, "the small board again");
});

test("an erased text is nowhere on the page", async () => {
  const game = await playedSheet({ type: "note.added", data: { text: "The double six", entry: 2, bookmark: true } });
  await ask(`/v1/games/${game}/erasures`, { entry: 7, what: "text" });
  await page.visitGame(game);
  await until(() => entry(7));
  assert.match(textOf(entry(7)), /Its text was erased on/);
  await until(() => moments()[0]?.includes("★"));
  await untilText("#bookmarks", "entry 2");
  await until(() => !textOf(find("main")).includes("(sealed)"), "no text in place of it");
});

test("a game that ends during recording keeps its form until the recorder opens the story", async () => {
  const game = await openSheet("rounds", "Ada", "Ben");
  await record(game, ...ROUNDS);
  await page.visitGame(game);
  await untilStored(5);
  await page.elsewhere(game, "end nobody");
  await untilText("#ended", "Nobody won");
  await until(() => !find("#undo").disabled);
  assert.ok(!isShown(find("#told")));
  await press("See how it went");
  await headline(/^Nobody won$/);
  assert.deepEqual(page.texts(".standing .rank"), ["", ""]);
  await until(() => moments().length);
});

test("a follower sees the story when a game ends with equal ranks", async () => {
  const game = await openSheet("rounds", "Ada", "Ben");
  await record(game, ...ROUNDS, "r5 0 15");
  await page.visitGame(game, { owner: false });
  await untilStored(6);
  assert.ok(!isShown(find("#told")));
  await record(game, "end");
  page.refresh();
  await headline(/^A draw$/);
  assert.deepEqual(page.texts(".standing .rank"), ["1", "1"]);
  assert.ok(!textOf(find("#told .why")).includes("ahead"));
  await until(() => moments().length);
});

/** What stands under who won, without what follows the rule. */
const why = () => textOf(find("#told .why"));

test("the story has the reason for the end, and the deciding value without points", async () => {
  const results = openSheet("win_loss_draw", "Ada", "Ben");
  for (const [game, reason, row] of [
    [await given("scoresheet/chess"), /^Decided by: result/, "1Aikoresult: win"],
    [await given("scoresheet/ranking"), /^Decided by: place/, "1Benplace: 1"],
    [await given("scoresheet/cooperative"), /^The players beat the game/, "1Aikopoints: 17"],
    [await given("scoresheet/auction_nobody"), /^Nobody is left who could win/, "Aikoloses in any case25"],
    [await given("scoresheet/golf"), /^Nothing decided between them/, "1Erin72"],
    [await given("verraeter/one_resigned"), /^All rounds are played/, "1Aiko23"],
    [await results, /^Most points/, "1Ada2"],
  ]) {
    if (game === (await results)) await record(game, "result win loss", "end");
    await page.visitGame(game);
    await until(() => reason.test(why()), `${reason}, not ${why()}`);
    assert.equal(page.texts("#told .standing li")[0], row);
    assert.equal(find("#told .standing li").classList.contains("won"), row.startsWith("1"), "a winner is marked");
    assert.ok(!/ 0 points? ahead/.test(why()), `a lead of no points: ${why()}`);
  }
});

test("a player who gave up is marked, and an abandoned game shows why it was closed", async () => {
  await page.visitGame(await given("verraeter/one_resigned"));
  await until(() => page.texts(".standing li").length === 4 && why());
  assert.equal(page.texts(".standing li")[3], "4Jonasresigned21");
  const game = await openGame(["Ada", "Ben"]);
  await add(game, { type: "game.closed", data: { how: "abandoned", reason: "It rained" } });
  await page.visitGame(game);
  await headline(/^The game was abandoned$/);
  await until(() => why() === "It rained");
  await add(game, { type: "game.reopened", data: { reason: "the sun" } });
  await add(game, { type: "game.closed", data: { how: "abandoned", reason: "It was late" } });
  page.refresh();
  await until(() => why() === "It was late");
});
