/** A score sheet is kept with a keypad: what stands beside its keys, what they record, and what others record meanwhile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as page from "./page.mjs";
import { add, ask, entries, openSheet, record } from "./service.mjs";

const { all, choose, dialog, field, find, hasKey, isShown, press, textOf, strike, type, until, untilText } = page;
const { untilStored } = page;
const PAD = "#keypad";
const NAMES = {
  next: "Next player",
  end: "Enter the line",
  back: "Delete the last character",
  "+": "And",
  "±": "Plus or minus",
};

/** The page of a new sheet of a ready template; its id. */
async function sheet(template, ...names) {
  const game = await openSheet(template, ...names);
  await page.visitGame(game);
  await until(() => isShown(find("#keypad .pad button")), "keys");
  return game;
}

async function tap(...keys) {
  for (const each of keys) {
    await press(NAMES[each] ?? each, find(PAD));
    await new Promise((over) => setImmediate(over)); // a key acts once what is being kept is kept
    await new Promise((over) => setImmediate(over));
  }
}
/** Whether the keys stand in place of the form, which the style then hides. */
const keysAreOpen = () => document.documentElement.classList.contains("keys-open");
const digits = (number) => tap(...number);
const untilHeading = (line) => untilText("#keypad summary", line);
const chips = () => page.texts("#keypad .chip:not(.gap) b");
const untilChips = (...wanted) => until(() => String(chips()) === String(wanted), `chips ${wanted}`);
const points = () => page.texts("#scoreboard .points");
const untilPoints = (...wanted) => until(() => String(points()) === String(wanted), `points ${wanted}`);
const cause = (wanted) => untilText("#keypad .cause", wanted);
/** What is removed from an element from now on. */
function removedFrom(selector) {
  const left = [];
  const note = (changes) => left.push(...changes.flatMap(({ removedNodes }) => [...removedNodes]));
  new MutationObserver(note).observe(find(selector), { childList: true });
  return left;
}
const notations = async (game) => (await entries(game)).slice(1).map(({ notation }) => notation ?? null);
/** Tap on a cell of the sheet, once it is drawn. */
const tapCell = async (at) => {
  const cell = () => find("#board").shadowRoot?.querySelector(`[data-at="${at}"]`);
  await until(cell, `the cell ${at}`);
  return page.tapBoard(cell());
};

test("missing scores are beside the typed ones, and a player who dropped out has none", async () => {
  const game = await sheet("rounds", "Aiko", "Ben", "Chiara");
  await tap("5", "next", "±", "7", "Next round");
  await untilStored(2);
  await page.visitGame(game);
  await untilHeading("Round 2, points");
  await untilChips("–", "–", "–");
  await tap("1", "next", "2", "next", "3", "end");
  await untilStored(3);
  await tap("Round 1, points, Chiara");
  await untilHeading("Round 1, points");
  await untilChips("5", "−7", "–");
  await tap("9", "end");
  await untilStored(4);
  assert.deepEqual(await notations(game), ["r1 5 -7 ?", "r2 1 2 3", "r1 ? ? 9"]);
  await untilHeading("Round 3, points");
  assert.equal(find("#keypad .gap"), null);
  await page.elsewhere(game, "p2 out");
  await until(() => chips().length === 2);
  await tap("4", "next", "3", "end");
  await untilStored(6);
  assert.equal((await notations(game)).at(-1), "r3 4 ? 3");
});

test("rounds are entered without a network, stored in order, and joined with those of another phone", async () => {
  const game = await sheet("rounds", "Aiko", "Ben");
  page.network(false);
  await tap("7", "Next round");
  await untilHeading("Round 2, points");
  await tap("Round 1, points, Ben");
  await untilChips("7", "–");
  await tap("8", "end");
  for (const number of ["2", "3"]) {
    await untilHeading(`Round ${number}, points`);
    await tap(number, "next", "9", "end");
  }
  await untilHeading("Round 4, points");
  await until(() => all("#outbox li").length === 4);
  page.network(true);
  await untilStored(5);
  assert.deepEqual(await notations(game), ["r1 7 ?", "r1 ? 8", "r2 2 9", "r3 3 9"]);
  await joinsWithThoseOfAnotherPhone(game);
  await somebodyComesLate(game);
});

async function joinsWithThoseOfAnotherPhone(game) {
  await untilHeading("Round 4, points");
  page.network(false);
  await tap("7", "Next round");
  await record(game, "r4 ? 8");
  page.network(true);
  await untilStored(7);
  await until(() => !find("#outbox li"));
  assert.deepEqual((await notations(game)).slice(4), ["r4 ? 8", "r4 7 ?"]);
  await untilHeading("Round 5, points");
  page.network(false);
  await tap("4", "next", "5", "end");
  await untilText("#outbox", "kept here until it is stored");
  await record(game, "r5 ? 6");
  page.network(true);
  await untilText("#outbox", "somebody else has filled in the sheet differently meanwhile");
  assert.match(textOf(find("#outbox")), /r5 \? 6/);
  await press("Record it after them", find("#outbox"));
  await untilStored(9);
  assert.deepEqual((await notations(game)).slice(6), ["r5 ? 6", "r5 4 5"]);
}

/** Let somebody in who has no seat yet, with a name and without, after five rounds of two. */
async function somebodyComesLate(game) {
  await untilPoints("23", "39");
  await page.aboutGame(/^Somebody comes late/);
  assert.equal(field("Player", dialog()).value, "2");
  type(field("Name", dialog()), "BEN ");
  await until(() => textOf(dialog()).includes("BEN sits at two seats. Is that right?"));
  type(field("Name", dialog()), "Chiara");
  await until(() => !textOf(dialog()).includes("two seats"));
  choose(field("Points to begin with", dialog()), "the lowest score of the others");
  await press("Let the player in", dialog);
  await untilStored(11);
  await until(() => String(page.texts("#scoreboard .name bdi")) === "Aiko,Ben,Chiara");
  await untilPoints("23", "39", "23");
  await untilHeading("Round 6, points");
  await tap("1", "next", "2", "next", "5", "end");
  await untilStored(12);
  await untilPoints("24", "41", "28");
  await page.aboutGame(/^Somebody comes late/);
  choose(field("Points to begin with", dialog()), "the average of the others");
  await press("Let the player in", dialog);
  await untilStored(13);
  assert.deepEqual((await notations(game)).slice(8), ["p3 in lowest", null, "r6 1 2 5", "p4 in average"]);
  await untilPoints("24", "41", "28", "31");
}

test("cells and notes of others join, and a broken check becomes a question", async () => {
  const game = await sheet("hearts", "Aiko", "Ben");
  assert.equal(textOf(find("#keypad summary > span")), "Round 1, penalty points"); // as its column is called
  page.network(false);
  await tap("2", "0", "Next round");
  await untilText("#outbox", "kept here until it is stored");
  await untilText("#recorder .record", /^Record$/); // the form takes back what is refused before
  await add(game, { type: "note.added", data: { text: "A hand to remember." } });
  await record(game, "r1 p2 9");
  page.network(true);
  await untilText("#outbox", "here are 29");
  type(field("Why it counts", find("#outbox")), "counted so");
  await press("Send again", find("#outbox"));
  await untilStored(4);
  assert.deepEqual(await notations(game), [null, "r1 p2 9", "r1 20 ?"]);
});

test("a tap on a cell fills in this cell, and a cell after a gap does not end the line", async () => {
  const game = await sheet("yahtzee", "Aiko", "Ben");
  await tapCell("p1 ones");
  await tap("3");
  await untilChips("3", "–");
  await tapCell("p2 twos");
  await untilHeading("Twos");
  await until(() => hasKey("Ones, Aiko, not recorded"), "what was typed and not recorded");
  assert.equal(textOf(page.key("Ones, Aiko, not recorded", find(PAD))).replaceAll(" ", ""), "Aikoones3");
  await tap("4", "end");
  await untilStored(2);
  assert.deepEqual(await notations(game), ["twos ? 4"]);
  await untilHeading("Ones");
  await tapCell("p2 ones");
  await tapCell("p2 twos");
  await untilHeading("Change");
  await tapCell("p2 ones");
  await untilHeading("Ones");
  await until(() => textOf(find("#keypad [aria-pressed=true]")).replaceAll(" ", "") === "Ben–", "Ben's cell");
  await untilChips("3", "–");
  await tap("Next line");
  await untilStored(3);
  for (const [at, [seat, box, value]] of [
    [2, "ones", "1"],
    [1, "twos", "2"],
    [2, "chance", "21"],
    [1, "chance", "20"],
  ].entries()) {
    await tapCell(`p${seat} ${box}`);
    await until(() => /^(Ones|Twos|Chance)/.test(textOf(find("#keypad summary"))));
    await tap(...value, seat === 2 ? "end" : "Next line");
    await untilStored(4 + at);
  }
  await untilPoints("25", "26");
});

test("a refused value can be corrected, and a game can stop early", async () => {
  const game = await sheet("farkle", "Aiko", "Ben");
  await tap("4", "next", "3", "end");
  await cause(/^Not recorded: .*points: 4 cannot be/);
  assert.deepEqual(chips(), ["4", "3"]);
  await untilHeading("Round 1, points");
  assert.equal((await entries(game)).length, 1);
  await press(/^Aiko/, find(PAD));
  await digits("500");
  await tap("next");
  await digits("350");
  await tap("end");
  await untilStored(2);
  assert.deepEqual(await notations(game), ["r1 500 350"]);
  await isStoppedEarly(game, "nobody wins", []);
});

test("a game that is stopped early can have a winner", async () => {
  const game = await sheet("first_to_100", "Aiko", "Ben");
  await tap("3", "next", "9", "end");
  await untilStored(2);
  await isStoppedEarly(game, "the player who is ahead wins", [1]);
});

/** Stop a game by a few taps. */
async function isStoppedEarly(game, how, winners) {
  await page.aboutGame(/^Stopped early/);
  choose(field("How it counts", dialog()), how);
  await press("Stop the game", dialog);
  await untilText("#turn", "stopped");
  const { status, outcome, irregular } = await ask(`/v1/games/${game}`);
  assert.deepEqual([status, outcome.winners, irregular], ["finished", winners, {}]);
}

test("an unlikely value is a question at the keys, and is recorded with a reason", async () => {
  const game = await sheet("tichu", "Aiko", "Ben", "Chiara", "Dana");
  await digits("150");
  await tap("next");
  await digits("150");
  await cause("the deal has 100 points");
  const insist = find("#keypad .cause button");
  const left = removedFrom("#keypad .cause");
  await tap("end");
  await cause(/Not recorded: .*here are 300/);
  await until(() => left.length, "other words");
  assert.ok(insist.isConnected && !left.includes(insist), "a tap meant for it goes amiss");
  await tap("Record it anyway …");
  await until(() => find("#recorder").classList.contains("excusing"), "the form above the keys");
  await until(() => document.activeElement === field(/why does it count/, find("#recorder")), "the focus");
  await press("agreed by all", find("#recorder"));
  await until(() => textOf(find("#preview")).includes("Irregular: the deal has 100 points"));
  await press("Record as irregular", find("#recorder"));
  await untilStored(2);
  const { scores, irregular } = await ask(`/v1/games/${game}`);
  assert.deepEqual([scores, irregular], [Array(4).fill(150), { 2: ["scoresheet:CHECK-1"] }]);
});

test("the deciding value is beside the totals, and a marker goes round or to another player", async () => {
  const game = await sheet("skat", "Aiko", "Ben", "Chiara");
  const dealer = () => textOf(find("#scoreboard .marker").closest("li"));
  assert.deepEqual(page.texts("#scoreboard .marker"), ["dealer"]);
  assert.match(dealer(), /Aiko/);
  await page.aboutGame(/^Change a marker/);
  choose(field("Player", dialog()), "Chiara");
  await press("Change it", dialog);
  await untilStored(2);
  assert.deepEqual(await notations(game), ["r1 dealer p3"]);
  await until(() => dealer().includes("Chiara"));
  await page.elsewhere(game, "r1 24 0 0");
  await until(() => dealer().includes("Aiko"));
  const go = await sheet("go", "Aiko", "Ben");
  await page.elsewhere(go, "territory 40 38", "p2 komi 6.5");
  await until(() => page.texts("#scoreboard .deciding")[1] === "with komi: 44.5");
});

test("a line has one form, and undo stands beside its keys", async () => {
  const game = await sheet("rounds", "Aiko", "Ben");
  assert.ok(keysAreOpen());
  assert.ok(find(PAD).contains(page.key("Undo")));
  await tap("7", "next", "9", "end");
  await untilStored(2);
  await page.pause();
  await tap("Undo");
  await press("Withdraw", dialog);
  await untilStored(3);
  await untilHeading("Round 1, points");
  page.fold("#keypad details");
  await until(() => !keysAreOpen());
  assert.ok(isShown(find("#recorder #undo")));
  assert.deepEqual(
    page.texts("#recorder .choice").filter((each) => each.includes("?")),
    [],
  );
  page.fold("#keypad details");
  await until(keysAreOpen);
  for (const [one, other] of ["12", "34"]) await tap(one, "next", other, "end");
  await untilStored(5);
  await anEarlierCellIsChanged(game);
  await isFinishedByAKeyThatSaysWhoWins(game);
});

async function anEarlierCellIsChanged(game) {
  await tapCell("r1 p2");
  await untilHeading("Change round 1, Ben");
  await tap("2", "0");
  await page.visitGame(game);
  await untilHeading("Change round 1, Ben");
  await until(() => textOf(find("#keypad .chip")) === "20");
  await tap("end");
  await untilStored(6);
  await untilPoints("4", "24");
  await untilText("#moment", "2 → 20");
  await untilHeading("Round 3, points");
  await tapCell("r2 p1");
  await untilHeading("Change round 2, Aiko");
  await tap("5");
  await until(() => page.moveField().value === "r2 p1 5", "what the key types");
  await tap("Leave it as it was");
  await untilHeading("Round 3, points");
  await until(() => page.moveField().value === "", "an empty field");
  assert.equal((await notations(game)).at(-1), "r1 p2 20");
}

/** Finish a sheet of two rounds, at the second try. */
async function isFinishedByAKeyThatSaysWhoWins(game) {
  const finish = "Finish: Ben wins with 24";
  await tap("Finish …");
  await until(() => textOf(document.activeElement) === finish, "the focus");
  assert.ok(page.key(finish).classList.contains("primary"));
  await press("Clear the move");
  await untilHeading("Round 3, points");
  await tap("Finish …");
  await press(finish);
  await untilStored(7);
  await untilText("#ended", "Ben won · Most points");
  await until(() => hasKey("See how it went"), "what comes next");
  assert.ok(isShown(find("#undo")));
  assert.equal((await ask(`/v1/games/${game}`)).status, "finished");
}

for (const [points, words] of [
  ["533 0", "Finish: Lisa wins with 533"],
  ["500 500", "Finish: A draw"],
])
  test(`the key that ends the game is offered when no line is due: ${words}`, async () => {
    const game = await openSheet("first_to_100", "Lisa", "Max");
    await record(game, `r1 ${points}`);
    await page.visitGame(game);
    await until(() => hasKey(words), words);
    assert.ok(page.key(words).classList.contains("primary"));
    await press(words);
    await untilStored(3);
  });

test("sums are added up, and the keyboard of the table does what the keys do", async () => {
  const game = await sheet("rounds", "Aiko", "Ben");
  await tap(..."10+15+8");
  await until(() => chips()[0] === "33");
  await untilHeading("10+15+8");
  await tap("next", "4", "+", "±", "6");
  await until(() => chips()[1] === "−2");
  await tap("back", "1", "2", "end");
  await untilStored(2);
  for (const each of [..."12+3", "Enter", "4", "8", "Backspace"]) {
    strike(each);
    await new Promise((over) => setImmediate(over));
  }
  await untilChips("15", "4");
  strike("Enter");
  await untilStored(3);
  assert.deepEqual(await notations(game), ["r1 33 -8", "r2 15 4"]);
});

test("a line is filled in while another phone records another line, and while the last one is being sent", async () => {
  const game = await sheet("wizard", "Aiko", "Ben");
  await tap("9"); // a rule that a number would break is said at the keys, and no second form comes
  await cause("more is bid than there are tricks");
  assert.ok(keysAreOpen());
  await tap("back");
  await cause(/^$/);
  await tap("1");
  await page.elsewhere(game, "r1 tricks 1 0");
  await until(() => !all(".blanks summary").some((each) => textOf(each) === "Round 1, tricks"));
  await tap("next", "0", "end");
  await untilHeading("Round 2, bid");
  await untilStored(3);
  assert.deepEqual(await notations(game), ["r1 tricks 1 0", "r1 1 0"]);
});

test("the keys come once it is known what waits on this device, for the line after that", async () => {
  const game = await sheet("rounds", "Aiko", "Ben");
  page.network(false);
  await tap("7", "Next round");
  await untilHeading("Round 2, points");
  const shown = [];
  const note = () => {
    const heading = textOf(find("#keypad summary"));
    if (heading !== shown.at(-1)) shown.push(heading);
  };
  const watch = () => new MutationObserver(note).observe(document, { childList: true, subtree: true });
  let watched = false;
  const isLost = (_, { method }) => {
    if (!watched) watch();
    watched = true;
    return method === "POST" ? page.lost() : null;
  };
  await page.visitGame(game, { give: isLost });
  await untilHeading("Round 2, points");
  assert.deepEqual(shown, ["", "Round 2, points"]);
});

test("a chosen cell stays chosen, and its key in its place, while another phone records beside it", async () => {
  const game = await sheet("rounds", "Aiko", "Ben", "Chiara");
  await tap(/^Chiara/);
  const left = removedFrom("#keypad .cells");
  await page.elsewhere(game, "r1 p2 5");
  await untilChips("–", "5", "–");
  assert.deepEqual(left, [], "a press on one of them would be lost");
  assert.match(textOf(find("#keypad [aria-pressed=true]")), /^Chiara/);
  await tap("4", "2", "end");
  await untilStored(3);
  assert.deepEqual(await notations(game), ["r1 p2 5", "r1 ? ? 42"]);
});

test("an optional line is skipped", async () => {
  const game = await sheet("skull_king", "Aiko", "Ben");
  await untilHeading("Round 1, bid");
  await tap("1", "next", "0", "end");
  await untilHeading("Round 1, tricks");
  await tap("1", "next", "0", "end");
  await untilStored(3);
  await untilHeading("Round 1, bonus");
  await tap("Next round");
  await untilHeading("Round 2, bid");
  assert.deepEqual(await notations(game), ["r1 1 0", "r1 tricks 1 0"]);
});

/** What stands in the cell that is changed. */
const changed = () => textOf(find("#keypad output.chip"));

test("a changed cell stays while others fill in the due line", async () => {
  const game = await sheet("rounds", "Aiko", "Ben");
  await tap("1", "next", "2", "end");
  await untilStored(2);
  await untilHeading("Round 2, points");
  await tap(/^Ben/);
  await tapCell("r1 p1");
  await untilHeading("Change round 1, Aiko");
  await tap("5");
  await page.elsewhere(game, "r2 3 4");
  await until(() => page.texts(".blanks summary").includes("Round 3, points"), "the line that is due then");
  await untilHeading("Change round 1, Aiko");
  assert.deepEqual([changed(), textOf(find("#keypad .cause")), page.moveField().value], ["5", "", "r1 p1 5"]);
  await tap("end");
  await untilStored(4);
  assert.deepEqual(await notations(game), ["r1 1 2", "r2 3 4", "r1 p1 5"]);
  await untilHeading("Round 3, points");
});

test("a cell with a refused value stays open", async () => {
  const game = await sheet("farkle", "Aiko", "Ben");
  await digits("50");
  await tap("next");
  await digits("100");
  await tap("end");
  await untilStored(2);
  await tapCell("r1 p2");
  await untilHeading("Change round 1, Ben");
  await tap("7", "end");
  await cause(/^Not recorded: .*points: 7 cannot be/);
  await untilHeading("Change round 1, Ben");
  assert.equal(changed(), "7");
  await tap("back", ..."150", "end");
  await untilStored(3);
  assert.deepEqual(await notations(game), ["r1 50 100", "r1 p2 150"]);
});

/** Let the service refuse what is recorded next, but for trials. */
const refuse = (body) =>
  page.answerWith((path, { method }) =>
    method === "POST" && !path.includes("dry_run") ? page.problem(body, { "Kifu-Version": "0" }) : null,
  );

test("a line without a log-in is refused in the words of the page", async () => {
  await sheet("rounds", "Aiko", "Ben");
  refuse({ type: "/problems/token-needed", title: "Token needed", status: 401, detail: "send a token" });
  await tap("1", "next", "2", "end");
  await cause(/^Not recorded: Log in and try again\.$/);
  assert.equal(find("#keypad .cause button"), null);
});

test("a trial of a line without a log-in has the same words", async () => {
  await sheet("rounds", "Aiko", "Ben");
  const ended = { type: "/problems/token-invalid", title: "Invalid token", status: 401, detail: "it was revoked" };
  page.answerWith((_, { method }) => (method === "POST" ? page.problem(ended) : null));
  await tap("1", "next", "2");
  await cause(/^Log in and try again\.$/);
});

for (const [impossible, keys] of [
  ["there is no such cell", []],
  [undefined, ["Record it anyway …"]],
])
  test(`a line that breaks a rule is ${impossible ? "impossible" : "excused"}, and its keys are ${keys}`, async () => {
    await sheet("rounds", "Aiko", "Ben");
    const detail = "the round is over";
    refuse({ type: "/problems/rule-broken", title: "Rule broken", status: 422, rule: "X-1", detail, impossible });
    await tap("1", "next", "2", "end");
    await cause("Not recorded: the round is over");
    assert.deepEqual(page.texts("#keypad .cause button"), keys);
    assert.deepEqual(chips(), ["1", "2"]);
  });

test("closed keys stay closed on this device until somebody opens them", async () => {
  const game = await sheet("rounds", "Aiko", "Ben");
  for (const open of [false, true]) {
    page.fold("#keypad details");
    await until(() => keysAreOpen() === open);
    await page.visitGame(game);
    await untilHeading("Round 1, points");
    assert.deepEqual([find("#keypad details").open, keysAreOpen()], [open, open]);
  }
});

test("the keyboard has no keys but those of the keypad", async () => {
  await sheet("rounds", "Aiko", "Ben");
  const strikes = async (name, more = {}) => {
    const event = new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more });
    document.body.dispatchEvent(event);
    await new Promise((over) => setImmediate(over));
    await new Promise((over) => setImmediate(over));
    return event.defaultPrevented;
  };
  for (const name of ["a", "F5", "Tab", "±"]) assert.equal(await strikes(name), false, name);
  for (const held of ["altKey", "ctrlKey", "metaKey"]) assert.equal(await strikes("7", { [held]: true }), false, held);
  assert.deepEqual(chips(), ["–", "–"]);
  for (const name of ["1", ",", "5", "−", "2"]) assert.equal(await strikes(name), true, name);
  await untilChips("−0.5", "–");
});

const quick = () => page.texts("#keypad .quick button");

test("quick keys are chosen for each sheet, and kept as numbers on this device", async () => {
  const game = await sheet("rounds", "Aiko", "Ben");
  assert.deepEqual(quick(), ["0", "5", "10", "20", "✎"]);
  await press("Choose the quick keys", find(PAD));
  const numbers = field("Numbers, with spaces between them", await until(dialog));
  assert.equal(numbers.value, "0 5 10 20");
  type(numbers, " 1,25,  -5 ");
  await press("Keep them", dialog);
  await until(() => !dialog());
  assert.deepEqual(quick(), ["1", "25", "-5", "✎"]);
  const kept = Object.entries(localStorage).filter(([name]) => name.startsWith("kifu:quick:"));
  assert.deepEqual(
    kept.map(([, value]) => value),
    ["1 25 -5"],
  );
  await tap("25, and on", "-5, and on");
  await untilStored(2);
  assert.deepEqual(await notations(game), ["r1 25 -5"]);
  await sheet("farkle", "Aiko", "Ben");
  assert.deepEqual(quick(), ["0", "5", "10", "20", "✎"]);
  await page.visitGame(game);
  await untilHeading("Round 2, points");
  assert.deepEqual(quick(), ["1", "25", "-5", "✎"]);
});

test("gaps come from other lines, and typed values stay in the cells of the open line", async () => {
  await sheet("yahtzee", "Aiko", "Ben");
  await tapCell("p1 ones");
  await tap("3");
  await untilChips("3", "–");
  assert.equal(find("#keypad .gap"), null);
  await tapCell("p1 twos");
  await until(() => all("#keypad .gap").length === 1, "the gap of the other line");
  await tapCell("p1 ones");
  await untilChips("3", "–");
  assert.equal(find("#keypad .gap"), null);
});
