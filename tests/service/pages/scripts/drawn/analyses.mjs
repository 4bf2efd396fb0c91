/** What the analyses of a game say is shown on its page, from where somebody looks, and how far they are. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import * as page from "./page.mjs";
import { add, answer, ask, cut, openGame, record } from "./service.mjs";

const { all, elsewhere, find, hasKey, isShown, press, textOf, until, untilText, untilStored } = page;
const MOVES = ["deal black BARI COCO DUDA", "BARI-DUDA", "+COCO/ELAI", "DUDA-ALOA", "+BARI/FAAA"];
/** How roughly games are played on. */
const ROUGH = { games: 100, precision: 20 };
const KINDS = {
  timeline: {},
  "luck-counts": {},
  ...Object.fromEntries(["luck-value", "turning-points", "review", "win-line"].map((kind) => [kind, ROUGH])),
};

/** Have a game analysed as far as it went; what is found. */
async function analysedAs(kind, game, seat = "record") {
  const asked = { kind, seat, parameters: KINDS[kind] };
  let found = await ask(`/v1/games/${game}/analyses`, asked);
  const path = `/v1/games/${game}/analyses/${found.id}`;
  while (["waiting", "running"].includes(found.status)) found = await ask(path);
  assert.equal(found.status, "done");
  return found.result;
}

async function analysed(game, seat) {
  const found = {};
  for (const kind of Object.keys(KINDS)) found[kind] = await analysedAs(kind, game, seat);
  return found;
}

async function played() {
  const game = await openGame(["Aiko", "Jonas"]);
  await record(game, ...MOVES);
  return game;
}

/** A game that was analysed as far as it went, and what was found: nobody adds anything to it. */
let whole = null;
const read = async () => (whole ??= await readGame());
async function readGame() {
  const game = await played();
  return { game, found: await analysed(game) };
}

/** What pages asked for and left: a person can have few analyses that are not done. */
const left = new Set();
after(async () => {
  for (const game of left) await cancelAll(game);
});
async function cancelAll(game) {
  const path = `/v1/games/${game}/analyses`;
  for (const { id, status } of (await ask(path)).analyses)
    if (["waiting", "running"].includes(status)) await ask(`${path}/${id}`, undefined, "DELETE");
}

const untilAnalysis = (wanted) => untilText("#analysis", wanted);
const part = (name) => all("#analysis section").find((each) => textOf(find("h3", each)) === name);
const plot = () =>
  all("[role=img]", find("#analysis")).find((each) => each.getAttribute("aria-label").startsWith("Each"));
const bar = () => find("#analysis progress");
const table = (name, within) => all("[role=group]", within).find((each) => each.getAttribute("aria-label") === name);
const rows = (name, within) => page.texts("tbody tr", table(name, within));

async function visit(game, tab = "Analysis", more = {}) {
  await page.visitGame(game, more);
  await openTab(tab);
}

/** Open the tab: what is in it is loaded once it is in sight. */
async function openTab(name = "Analysis") {
  await press(name);
  page.comeNear("#analysis");
}

const percent = (p) => `${Math.floor(100 * p + 0.5)} %`;

test("analyses show how certain they are, and link to their entries", async () => {
  const { game, found } = await read();
  const line = found["win-line"];
  await visit(game);
  await until(() => plot() && all("#analysis h3").length === Object.keys(KINDS).length, "all that was found");
  await untilAnalysis(`“${line.policy}” (revision ${line.policy_revision})`);
  await untilAnalysis(line.enough ? "± 20 points" : "would take more of them");
  const chances = rows("Chances to win after every turn", find("#analysis"));
  const last = line.points.at(-1);
  assert.equal(chances.length, line.points.length);
  assert.ok(
    chances.at(-1).includes(percent(last.chances[0].p)) && chances.at(-1).includes(String(last.n)),
    chances.at(-1),
  );
  assert.match(textOf(part("Luck")), /chance alone explains the differences in all \d+ figures/);
  assert.ok(find("tbody tr", part("Luck")));
  const worth = part("What luck was worth");
  assert.match(textOf(worth), /worth −?\d+ ± \d+ points of winning chance|too little is known to tell/);
  assert.match(textOf(worth), /left out: (its result|their results)/);
  assert.match(textOf(worth), /These games are too few for the requested precision/);
  assert.match(page.texts(".legend li").at(-1), new RegExp(`Jonas ${percent(last.chances[1].p)} \\(\\d+ to \\d+\\)`));
  all("a", table("What each event of chance was worth", worth)).at(-1).click();
  await until(() => textOf(find("#stepper output")) !== "6 / 6", "the entry of it");
});

test("luck with a certain worth is written in the language of the page", async () => {
  const game = await cut("beginning");
  await analysedAs("luck-value", game);
  await visit(game, "分析", { query: "?lang=ja" });
  await until(() => part("運の価値"), `luck in ${textOf(find("#analysis"))}`);
  const worth = part("運の価値");
  const came = page.texts("tbody td:nth-child(2)", worth);
  assert.ok(came.length);
  assert.deepEqual(
    came.filter((each) => /[A-Za-z]{2,}/.test(each)),
    [],
  );
  assert.match(textOf(worth), /並べられた土地/);
  assert.match(textOf(worth), /「強い公家」/);
});

const chances = (p, low, high) => ({ p, low, high });
const option = (move, ...known) => ({ move, n: 90, chances: chances(...known) });
/** A slip, a turning point and luck that stands out: so short and rough a game has none. */
const SLIP = {
  version: 4,
  after: 3,
  made: {
    ...option("DUDA-ALOA", 0.4, 0.35, 0.45),
    effects: [{ kind: "bridge.built", rule: "kahuna:BUILD-1", seat: 0, at: ["DUDA-ALOA"] }],
  },
  better: option("COCO-GOLA", 0.62, 0.57, 0.67),
  others: [option("BARI-COCO", 0.5, 0.45, 0.55)],
  loss: { p: 0.22, margin: 0.07 },
};
const DECISION = {
  ...{ version: 4, after: 3, seat: 0, legal: 8, tried: 5, made: option("DUDA-ALOA", 0.6, 0.55, 0.65) },
  others: [option("COCO-GOLA", 0.52, 0.42, 0.62)],
};
const TURN = {
  ...{ seat: 0, since: 3, version: 4, before: chances(0.4, 0.35, 0.45), after: chances(0.6, 0.55, 0.65) },
  ...{ luck: { p: 0.11, margin: 0.04 }, rest: { p: 0.09, margin: 0.08 }, events: [{ version: 4 }] },
  ...{ left_out: 0, unseen: 0, decisions: [DECISION] },
};
const TOLD = {
  "luck-counts": ({ extreme }) => Object.assign(extreme, { stands_out: true, by_chance: 0.0312, seat: 1 }),
  "turning-points": (result) => Object.assign(result, { points: [TURN] }),
  review: ({ seats: [first] }) =>
    Object.assign(first, { accuracy: chances(0.82, 0.75, 0.9), turns: 12, slips: [SLIP] }),
};

/** Answer with what such a game does not have; notes what is asked for. The answers at some paths are lost. */
function tell(asked, isLost = () => false) {
  page.answerWith(async (path, init) => {
    asked.push(path);
    if (isLost(path)) return page.lost();
    if (!/\/analyses\/[^/?]+$/.test(path)) return null;
    const body = await (await answer(path, init)).json();
    TOLD[body.kind]?.(body.result);
    return Response.json(body);
  });
}

test("the notable luck is shown, a slip is a question, and a turning point has its options", async () => {
  const { game } = await read();
  await page.visitGame(game);
  const asked = [];
  tell(asked);
  await openTab();
  await until(() => all("#analysis h3").length === Object.keys(KINDS).length, "all that was found");
  const luck = textOf(part("Luck"));
  assert.match(luck, /Cards laid into the row · Jonas · [A-Z]{4}: \d, \d\.\d (more|fewer) than expected \(\d\.\d\)\. /);
  assert.match(luck, /the most extreme of 12 figures: .* one of so many is as far off in at most 4 of 100 games\./);
  await aSlipIsAskedAbout();
  const turning = part("Turning points");
  for (const words of [
    "Entry 4: Aiko from 40 % (35 to 45) to 60 % (55 to 65)",
    "Luck: 11 ± 4 points (1 event of chance). What was decided, and became known: 9 ± 8",
    "7 other options, 5 of them simulated",
  ])
    assert.ok(textOf(turning).includes(words), `${words}, not ${textOf(turning)}`);
  const options = rows("Options at entry 4", turning);
  assert.match(options[0], /DUDA-ALOA.*was made.*60 %/);
  assert.match(options[1], /COCO-GOLA.*instead.*52 %/);
  assert.ok(hasKey("What if …", turning));
  assert.ok(
    asked.some((path) => path.includes("after=3") && path.includes("at=")),
    "the board that was reviewed",
  );
  assert.deepEqual(
    asked.filter((path) => path.includes("/stream") && path.includes("/analyses/")),
    [],
  );
});

async function aSlipIsAskedAbout() {
  const review = part("Review");
  assert.match(textOf(review), /Accuracy 82 % \(75 to 90\), by 12 turns\./);
  assert.match(textOf(review), /What would you play\?/);
  assert.match(textOf(review), /chance alone explains the differences in all \d+ figures\. All figures of luck/);
  assert.equal(find(find("a[href='#analysis-luck-counts']", review).getAttribute("href")), part("Luck"));
  const better = () => all("p", review).find((each) => textOf(each).includes("COCO-GOLA is better than DUDA-ALOA"));
  assert.ok(!isShown(better()));
  await until(
    () => find(".slip-board", review)?.shadowRoot?.querySelector("svg") || textOf(review).includes("before entry 4"),
  );
  await press("BARI-COCO", review);
  await until(() => textOf(review).includes("Another move is better."));
  const chosen = () => page.texts(".choices [aria-pressed=true]", review);
  assert.deepEqual(chosen(), ["BARI-COCO"]);
  assert.ok(isShown(better()) && textOf(better()).includes("by 22 ± 7 points."));
  assert.ok(
    all("button", review).some((key) => textOf(key) === "DUDA-ALOA Aiko built DUDA-ALOA"),
    "a choice in the words of the timeline",
  );
  const [first, , last] = rows("Options at entry 4", review);
  assert.match(first, /COCO-GOLA.*better.*62 %/);
  assert.match(last, /was made.*40 %/);
  await press("COCO-GOLA", review);
  await until(() => textOf(review).includes("This is the best of these moves."));
  assert.deepEqual(chosen(), ["COCO-GOLA"]);
}

/** Let the page ask for what is soon made, and refuse all else. */
function letMake(kinds, more = () => null) {
  page.answerWith((path, init = {}) => {
    if (init.method !== "POST" || !path.endsWith("/analyses")) return more(path, init);
    const body = JSON.parse(init.body);
    if (kinds.includes(body.kind))
      return answer(path, { ...init, body: JSON.stringify({ ...body, parameters: KINDS[body.kind] }) });
    return page.problem({ type: "/problems/bad-request", title: "no", status: 400, errors: [] });
  });
}

test("an analysis appears without a stream, and newer entries are offered for analysis", async () => {
  const game = await played();
  left.add(game);
  await visit(game);
  await untilAnalysis("has not been analysed");
  letMake(["win-line", "timeline", "luck-counts"], (path) =>
    /\/analyses\/[^/]+\/stream/.test(path) ? new Response(null, { status: 503 }) : null,
  );
  await press("Analyse the game");
  await until(plot, "the chances");
  await until(() => !bar(), "no progress");
  await elsewhere(game, "ALOA-BARI");
  await untilAnalysis("It was analysed up to entry 6.");
  assert.ok(hasKey(/^Analyse what came since|^Go on/));
});

test("an analysis shows its progress, can be cancelled, and continues", async () => {
  const game = await played();
  left.add(game);
  await visit(game);
  await untilAnalysis("has not been analysed");
  let [status, done] = ["running", 1];
  const made = { id: "x", kind: "win-line", version: 6, viewpoint: "record", planned: 10 };
  const requested = [];
  page.answerWith((path, init = {}) => {
    if (!path.includes("/analyses")) return null;
    if (path.includes("/stream")) return new Response(null, { status: 503 });
    if (init.method === "POST") requested.push(JSON.parse(init.body).kind);
    if (init.method !== "DELETE") return Response.json({ ...made, status, done });
    status = "cancelled";
    return new Response(null, { status: 204 });
  });
  await press("Analyse the game");
  await until(() => bar()?.value === 0.1, "how far it is");
  const cancel = page.key("Cancel", find("#analysis"));
  done = 5;
  await until(() => bar()?.value === 0.5, "that it goes on");
  assert.ok(cancel.isConnected, "a tap meant for it goes amiss");
  cancel.click();
  await until(() => !bar(), "no progress");
  await untilAnalysis("It is not analysed to the end.");
  assert.ok(hasKey("Go on", find("#analysis")));
  await page.pause();
  const chancesFirst = ["timeline", "luck-counts", "win-line", "review", "turning-points", "luck-value"];
  assert.deepEqual(requested, chancesFirst, "a review comes right after the chances that it begins with");
});

test("analyses belong to the chosen viewpoint, and name its seat", async () => {
  const game = await played();
  await analysedAs("luck-counts", game, "1");
  await visit(game);
  const unknown = "has not been analysed from this point of view";
  await untilAnalysis(unknown);
  page.choose(find("#viewpoint"), "1");
  await untilAnalysis("seen from the seat of Jonas");
  page.choose(find("#viewpoint"), "0");
  await untilAnalysis(unknown);
  assert.ok(!textOf(find("#analysis")).includes("Jonas"));
});

test("folds of analyses are open on paper", async () => {
  const { game } = await read();
  await page.visitGame(game);
  tell([]);
  await openTab();
  await until(() => find(".slip-board", part("Review") ?? document), "a slip");
  dispatchEvent(new Event("beforeprint"));
  assert.ok(all("#analysis details").length);
  assert.deepEqual(page.texts("#analysis details:not([open]) > summary"), []);
});

test("a failed board of a slip is loaded once after the network is back", async () => {
  const { game } = await read();
  await page.visitGame(game);
  const asked = [];
  const isBoard = (path) => path.includes("after=3") && path.includes("at=");
  tell(asked, isBoard);
  await openTab();
  const board = () => textOf(find("#analysis .slip-board"));
  await until(() => board() === "No connection: try again later.", "that there is no connection");
  tell(asked);
  for (let times = 0; times < 2; times += 1) {
    page.network(true);
    await until(() => find("#analysis .slip-board").shadowRoot?.querySelector("svg"), "the board");
    await page.pause();
  }
  assert.equal(asked.filter(isBoard).length, 2);
});

test("analyses appear for the viewpoint, also at an overloaded service", async () => {
  const game = await played();
  await analysedAs("luck-counts", game);
  await visit(game, "Analysis", { owner: false });
  await untilAnalysis("has not been analysed from this point of view");
  assert.deepEqual(page.texts("#analysis button"), []);
  const line = (await analysed(game, "public"))["win-line"];
  await page.visitGame(game, { owner: false });
  const refused = new Set();
  page.answerWith((path) => {
    if (!/\/analyses\/[^/?]+$/.test(path) || refused.has(path)) return null;
    refused.add(path);
    const busy = { type: "/problems/overloaded", title: "Too much to do", status: 503, detail: "come again" };
    return page.problem(busy, { "Retry-After": "1" });
  });
  await openTab();
  await until(plot, "the chances");
  assert.ok(!bar());
  await untilAnalysis("seen from what everybody may see");
  await aStoryShowsThem(game, line);
});

const marks = () => page.texts("#course .plot .marks span").length;
const moments = () => page.texts("#highlights li a");
const inCourse = () =>
  all("#course [role=img]").some((each) => each.getAttribute("aria-label")?.startsWith("Each seat"));

/** Close the game: its story shows chances and swings, until the record is corrected. */
async function aStoryShowsThem(game, line) {
  await add(game, { type: "game.closed", data: { how: "abandoned" } });
  await page.visitGame(game, { owner: false });
  await untilText("#headline", "The game was abandoned");
  await until(inCourse, "the chances");
  await until(() => marks() === moments().length && marks() > 0, "a mark for each moment");
  assert.equal(all("#curve .marks span").length, 0);
  const swings = moments().filter((each) => each.includes("chance to win went from"));
  assert.equal(swings.length, Math.min(3, line.swings.length));
  await add(game, { type: "note.added", data: { text: "tea" } });
  page.refresh();
  await untilStored(8);
  assert.ok(inCourse(), "a note changes nothing");
  const corrected = [
    { type: "game.reopened", data: { reason: "miscounted" } },
    { type: "entry.withdrawn", data: { entry: 6 } },
    { type: "game.closed", data: { how: "abandoned" } },
  ];
  await add(game, ...corrected);
  page.refresh();
  await untilStored(11);
  await until(() => !inCourse(), "no chances of another record");
  assert.ok(!moments().some((each) => each.includes("chance to win")));
  assert.ok(!page.texts("#highlights h3").includes("Luck"));
  await openTab();
  await until(plot, "the chances in their tab");
  await untilAnalysis("It was analysed up to entry 6.");
}
