/** What happens around the moves: notes, the table's own score, rulings, seats, signatures, and how a record is closed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as page from "./page.mjs";
import { DEAL, add, ask, entries, given, openGame, record } from "./service.mjs";

const { aboutEntry, aboutGame, all, choose, dialog, elsewhere, entry, field, find, isShown, press, textOf } = page;
const { type, until, untilText, untilStored } = page;

/** The page of a game that has just been dealt; its id. */
async function dealt(...more) {
  const game = await openGame(["Anna", "Björn"]);
  await record(game, DEAL, ...more);
  await page.visitGame(game);
  await untilStored(2 + more.length);
  return game;
}

const alertIn = (wanted) =>
  until(() => page.texts("[role=alert]", dialog()).some((each) => each.includes(wanted)), `an alert: ${wanted}`);
const verbOf = (name) => all("button", dialog()).find((each) => textOf(each) === name);
const answer = (verb) => press(verb, dialog);
const closed = () => until(() => !dialog(), "the dialog to close");
const untilEntry = (version, wanted) => untilText(`#record [data-version="${version}"]`, wanted);
const newest = async (game) => (await entries(game)).at(-1);
const points = () => page.texts("#scoreboard .points");
const untilPoints = (...wanted) => until(() => String(points()) === String(wanted), `points ${wanted}`);
const bookmarks = () => find("#bookmarks");

// Rulings

/** Add a change of this kind, with these choices and texts by label. */
async function change(kind, given = {}) {
  await until(() => dialog() && all("label", dialog()).some((each) => textOf(each).startsWith("What it changes")));
  choose(field("What it changes", dialog()), kind);
  const form = all("fieldset", dialog()).at(-1);
  for (const [label, value] of Object.entries(given)) {
    const control = field(label, form);
    if (control.localName === "select") choose(control, value);
    else type(control, value);
  }
}

async function give(why) {
  type(field("What was decided, and why", dialog()), why);
  await answer("Give the ruling");
}

test("a ruling is shown before it is given, and its reason is in the score audit", async () => {
  const game = await dealt();
  await aboutGame(/^Give a ruling/);
  await change("points", { Seat: "Björn", Points: "-3" });
  await change("bridge", { Line: "ALOA-BARI", Seat: "Anna" });
  await page.untilDialogHas("The referee gave Björn points: -3 RULING");
  await page.untilDialogHas("Anna built ALOA-BARI");
  await page.untilDialogHas("The score becomes 0 : −3 (it was 0 – 0).");
  assert.ok(verbOf("Give the ruling").disabled);
  assert.equal((await entries(game)).length, 2);
  await give("bumped the board");
  await untilStored(3);
  await untilEntry(3, "Ruling: bumped the board");
  assert.deepEqual(page.texts(".adjustments li", entry(3)), [
    "points seat=White points=-3",
    "bridge line=ALOA-BARI seat=Black",
  ]);
  await untilPoints("0", "-3");
  await press("Score");
  await untilText("#audit", "Entry 3: bumped the board");
});

test("a ruling names its referee, also after the name was erased", async () => {
  const game = await dealt();
  const name = `Rita ${game}`;
  await openGame([name, "Emil"]);
  await aboutGame(/^Give a ruling/);
  const referee = await until(() => dialog() && field("Who ruled", dialog()));
  type(referee, name.slice(0, -3));
  await until(() => all("datalist option", dialog()).some(({ value }) => value === name), "the known name");
  type(referee, name);
  await give("no talking");
  await untilStored(3);
  await untilEntry(3, `Ruling of ${name}: no talking`);
  const [{ id }] = (await ask(`/v1/players?q=${encodeURIComponent(name)}`)).players;
  assert.equal((await newest(game)).player, id);
  await ask(`/v1/players/${id}`, undefined, "DELETE");
  await page.visitGame(game);
  await untilEntry(3, "Ruling of somebody without a name: no talking");
});

test("a ruling is written in words, and its limits are explained", async () => {
  const game = await dealt();
  await aboutGame(/^Give a ruling/);
  await change("turn", { Seat: "Björn" });
  await answer("Leave it out");
  await give("no shouting");
  await untilStored(3);
  const { text, adjustments } = await newest(game);
  assert.deepEqual([text, adjustments], ["no shouting", undefined]);
  await aboutGame(/^Give a ruling/);
  await change("bridge", { Line: "BARI-DUDA" });
  await alertIn("no bridge lies on BARI-DUDA");
  assert.ok(verbOf("Give the ruling").disabled);
  await answer("Leave it out");
  await change("option", { Option: "Seafarer: ships in the inland seas: on" });
  await give("we found the ships");
  await untilStored(4);
  assert.deepEqual((await newest(game)).adjustments, ["option name=seafarer value=true"]);
});

test("a referee ends a game by taps, and the record is closed as adjudicated", async () => {
  const game = await dealt();
  await aboutGame(/^Give a ruling/);
  await change("adjudge");
  const ranked = () => all("[role=group], fieldset", dialog()).find((each) => /Tap who is first/.test(calls(each)));
  await press("Björn", await until(ranked, "who is first"));
  await until(() => !find(".dry-run", dialog()), "the first points to go");
  await press("Anna", ranked);
  await page.untilDialogHas("Björn won · A referee decided");
  await answer("the referee decided");
  await answer("Give the ruling");
  await untilStored(3);
  const { adjustments, text } = await newest(game);
  assert.deepEqual([adjustments, text], [["adjudge ranks=2,1"], "the referee decided"]);
  await untilText("#turn", "Björn won · A referee decided");
  await closesAs(game, "adjudicated");
});

const calls = (group) => group.getAttribute("aria-label") ?? textOf(find("legend", group));

async function closesAs(game, how) {
  await aboutGame(new RegExp(`^Close the record as ${how}`));
  await answer("Close the record");
  const told = new RegExp(`The record is closed.*${how}`);
  await until(() => all("section").some((each) => isShown(each) && told.test(textOf(each))), "a record that is closed");
  assert.equal((await ask(`/v1/games/${game}`)).closed, how);
}

test("the record of a finished game is closed as finished", async () => {
  const game = await given("kahuna/points");
  await page.visitGame(game);
  await closesAs(game, "finished");
});

test("a ruling is valid from its moment, and is revoked with a reason and restored", async () => {
  const game = await dealt("BARI-DUDA", "+");
  await aboutEntry(3, /^Give a ruling here/);
  await change("points", { Seat: "Anna", Points: "2" });
  await give("a lost chip was found");
  await untilStored(5);
  assert.equal((await newest(game)).after, 3);
  await until(() => textOf(find(".flags", entry(3))) === "Ruled on in entry 5");
  assert.equal(textOf(find(".points", entry(4))), "2 – 0");
  await aboutEntry(5, /^Revoke the ruling/);
  await page.untilDialogHas("The score becomes 0 – 0 (it was 2 – 0).");
  type(field("Reason", dialog()), "it was ours");
  await answer("Revoke");
  await untilStored(6);
  await untilEntry(6, "Revoked the ruling of entry 5: it was ours");
  await until(() => textOf(find(".points", entry(4))) === "0 – 0", "the score before it");
  await press("Redo");
  await page.untilDialogHas("Let entry 5 count again?");
  await answer("Let it count");
  await untilStored(7);
  await untilPoints("2", "0");
});

// Notes, receipts and papers

test("notes and bookmarks are about an entry or the whole game", async () => {
  const game = await dealt();
  await aboutGame(/^Add a note/);
  type(field("Note", dialog()), "The dealer sneezed.");
  await answer("Add the note");
  await untilStored(3);
  await until(() => textOf(find(".notes", entry(2))) === "The dealer sneezed.", "the note at its entry");
  await aboutGame(/^Add a note/);
  type(field("Note", dialog()), "It rains.");
  field(/about entry 3/, dialog()).click();
  await answer("Add the note");
  await untilStored(4);
  assert.equal("entry" in (await newest(game)), false);
  await elsewhere(game, "BARI-DUDA", "+");
  assert.ok(!isShown(bookmarks()));
  await aboutEntry(5, /^Bookmark this moment/);
  type(field("Note", dialog()), "The first bridge");
  await answer("Set the bookmark");
  await untilStored(7);
  await until(() => isShown(bookmarks()), "bookmarks");
  await press(/The first bridge/, bookmarks());
  await untilText("#stepper output", /^5 \/ 7$/);
  await aboutEntry(7, /^Withdraw/);
  await answer("Withdraw");
  await until(() => !isShown(bookmarks()), "no bookmark");
});

test("a refused receipt shows the reason", async () => {
  await dealt();
  const why = "proofs would reveal hidden facts";
  const refused = { type: "/problems/scope-needed", title: "Permission denied", status: 403, detail: why };
  page.answerWith((path) => (path.includes("/receipt") ? page.problem(refused) : null));
  await aboutEntry(2, /^Receipt/);
  find("img", dialog()).dispatchEvent(new Event("error")); // pictures are not loaded without a screen
  await alertIn(why);
  assert.equal(find("img", dialog()), null);
  await answer("Save the file");
  await alertIn(why);
});

/** Ask what the table's own score is. */
async function claim() {
  await closed();
  await press("Score");
  await press("What does your paper say?");
  return until(dialog, "the form of a paper");
}
const claims = () => all("#claims .claim");

test("a paper that agrees is confirmed, and an invalid score is refused in the words of its field", async () => {
  await dealt();
  await claim();
  assert.ok(verbOf("Compare it").disabled);
  for (const typed of ["1.5", "1e30"]) {
    type(field("Anna", dialog()), typed);
    await alertIn("Anna: ");
    assert.ok(!textOf(dialog()).includes("data."));
    assert.ok(verbOf("Compare it").disabled);
    type(field("Anna", dialog()), "0");
    await until(() => !find("[role=alert]", dialog()), "no alert");
    assert.ok(!verbOf("Compare it").disabled);
  }
  await answer("Compare it");
  await untilText("#claims", "It agrees with the audit.");
  await claim();
  type(field("Björn", dialog()), "4");
  await answer("Compare it");
  await until(() => textOf(find("#claims tr.differs")).includes("+4"), "a difference");
  await untilText("#claims", "The audit has no points of this seat.");
});

test("a paper is compared with the audit, and a difference links to its entry", async () => {
  const game = await given("kahuna/points");
  const { scores, lines } = await ask(`/v1/games/${game}/score`);
  const line = lines.find((each) => each.points);
  await page.visitGame(game);
  await claim();
  for (const [seat, name] of ["Aiko", "Jonas"].entries())
    type(field(name, dialog()), String(scores[seat] - (seat === line.seat ? line.points : 0)));
  type(field("A remark", dialog()), "from the score pad");
  await answer("Compare it");
  await untilText("#claims", "It differs from the audit.");
  assert.equal(all("#claims tr.differs").length, 1);
  assert.equal(page.texts("#claims tr.differs td").at(-1), `-${line.points}`);
  const source = page.key(/^entry/, find("#claims tr.note"));
  source.click();
  await untilText("#moment .number", source.getAttribute("href").slice(1));
  page.strike("End"); // a paper is held against the audit of the moment that is looked at
  await untilText("#stepper output", /^(\d+) \/ \1$/);
  await linesOfThePaperStandBesideTheAudit(line);
  await pointsThatStandNowhereAreNamed(game, scores, lines);
});

async function linesOfThePaperStandBesideTheAudit(line) {
  await claim();
  await writeLine(line);
  await answer("Compare it");
  await until(() => claims().length === 2, "another paper");
  isAsInTheAudit(claims()[1], line);
}

/** Write a line of the audit into the form of a paper. */
async function writeLine({ category, seat, points }) {
  await answer("Add a line of it");
  choose(field("Seat", dialog()), String(seat));
  type(field("For", dialog()), category.replaceAll("-", " "));
  type(field("Points", dialog()), String(points));
}

function isAsInTheAudit(paper, { category }) {
  const row = all("tr", paper).find((each) => textOf(each).includes(category.replaceAll("-", " ")));
  assert.equal(page.texts("td", row).at(-1), "0");
}

test("a paper can be about an earlier moment, and a withdrawn paper disappears", async () => {
  const game = await dealt("BARI-DUDA");
  page.key("Entry 2").click();
  await untilText("#stepper output", /^2 \/ 3$/);
  await claim();
  await page.untilDialogHas("The score as it stood after entry 2.");
  type(field("Anna", dialog()), "0");
  await answer("Compare it");
  await until(() => claims().length === 1, "a paper");
  const { type: kind, entry: at, text } = await newest(game);
  assert.deepEqual([kind, at, text], ["score.claimed", 2, undefined]);
  await add(game, { type: "entry.withdrawn", data: { entry: 4 } });
  page.refresh();
  await until(() => !claims().length, "no paper");
});

test("a revoked ruling gives no points, and is not in the audit", async () => {
  const game = await dealt();
  await add(game, { type: "ruling.given", data: { reason: "bumped the board" } });
  page.refresh();
  await untilText("#audit", "Entry 3: bumped the board");
  await add(game, { type: "ruling.revoked", data: { ruling: 3, reason: "it was ours" } });
  page.refresh();
  await untilText("#audit .sum", "After entry 4:");
  assert.ok(!textOf(find("#audit")).includes("bumped the board"));
});

test("a line of the paper waits until the page knows the audit's names", async () => {
  const game = await given("kahuna/points");
  const line = (await ask(`/v1/games/${game}/score`)).lines.find(({ points }) => points);
  await page.visitGame(game);
  await press("Score");
  await until(() => page.hasKey("What does your paper say?"));
  const names = page.hold((path) => path.includes("/score"));
  await press("What does your paper say?");
  await until(() => dialog() && names.waiting, "the question for names");
  await writeLine(line);
  await until(() => find(".answer[aria-busy=false]", dialog()), "the end of a trial");
  assert.ok(verbOf("Compare it").disabled);
  names.open();
  await answer("Compare it");
  await until(() => claims().length === 1, "a paper");
  isAsInTheAudit(claims()[0], line);
});

async function pointsThatStandNowhereAreNamed(game, scores, lines) {
  await claim();
  type(field("Aiko", dialog()), String(scores[0] + 997));
  await answer("Compare it");
  await until(() => claims().length === 3, "a third paper");
  const noteOfLines = () => all("tr.note", claims()[2]).find((each) => textOf(each).includes("Line by line"));
  const note = await until(noteOfLines, "the audit's lines");
  assert.match(textOf(note), /Line by line against the paper, the audit has/);
  const own = lines.filter(({ seat, points }) => seat === 0 && points);
  assert.equal(all("a", note).filter((each) => textOf(each).startsWith("entry")).length, own.length);
  const other = { seat: 0, category: "something else", points: 997 };
  await add(game, { type: "score.claimed", data: { scores: [scores[0] + 997, null], lines: [other] } });
  page.refresh();
  await until(() => claims().length === 4, "the paper of somebody else");
  assert.match(textOf(claims()[3]), /The lines of paper and audit stand side by side below\./);
  assert.match(textOf(all("tr", claims()[3]).find((each) => textOf(each).includes("something else"))), /\+997/);
}

// Ends

test("an abandoned game takes no correction, and continues after it is reopened", async () => {
  const game = await dealt();
  await aboutGame(/^Abandon the game/);
  type(field("Reason", dialog()), "the last train");
  await answer("Abandon the game");
  await untilText("#headline", "The game was abandoned");
  await untilEntry(3, "The record was closed: abandoned: the last train");
  assert.ok(!isShown(find("#recorder")));
  await press("More about entry 2");
  const sheet = await until(() => find("dialog.sheet[open]"), "the menu");
  assert.ok(!page.hasKey(/^Withdraw/, sheet));
  assert.ok(page.hasKey(/^Add a note/, sheet));
  await press(/^Reopen the record.*it is closed, and takes no corrections/, sheet);
  await page.untilDialogHas("Reopen the record?");
  assert.ok(verbOf("Reopen").disabled);
  type(field("Why it goes on", dialog()), "the train was late");
  await answer("Reopen");
  await until(() => isShown(page.moveField()), "the form for moves");
  assert.equal((await ask(`/v1/games/${game}`)).status, "playing");
  await aboutEntry(2, /^Add details/);
  await add(game, { type: "game.closed", data: { how: "abandoned" } });
  type(field("Move with all that is known now", dialog()), `${DEAL} / ALOA ALOA KAHU / LALE LALE JOJO`);
  await alertIn("The game is closed");
  assert.ok(verbOf("Add them").disabled);
});

// Seats and signatures

test("a new player is named from then on, and earlier entries keep the name of the one before", async () => {
  const game = await dealt("BARI-DUDA");
  await aboutGame(/^Change the player of a seat/);
  choose(field("Seat", dialog()), "Black: Anna");
  type(field("Who sits there from now on", dialog()), "a\x07b");
  await alertIn("Invalid entryname: a name holds no control characters");
  type(field("Who sits there from now on", dialog()), "Carla Neumann");
  await answer("Change the seat");
  await untilStored(4);
  await untilText("#scoreboard", "Carla Neumann");
  await elsewhere(game, "+");
  await untilEntry(3, "Anna built BARI-DUDA");
  await untilEntry(4, "Carla Neumannsits here from now on, as Black");
  await untilEntry(5, "Carla Neumann drew from the deck");
  page.key("Entry 3").click();
  await untilText("#scoreboard", "Anna");
  await page.visitGame(game);
  await untilEntry(3, "Anna built BARI-DUDA");
});

test("a known name sits down as that person, and a seated name is a question", async () => {
  const game = await dealt();
  const known = `Dora ${game}`;
  await openGame([known, "Emil"]);
  await aboutGame(/^Change the player of a seat/);
  choose(field("Seat", dialog()), "White: Björn");
  const name = field("Who sits there from now on", dialog());
  type(name, "ａｎｎａ");
  await page.untilDialogHas("ａｎｎａ sits at two seats. Is that right?");
  type(name, "björn");
  await until(() => !textOf(dialog()).includes("two seats"), "no question");
  type(name, known.slice(0, -3));
  await until(() => all("datalist option", dialog()).some(({ value }) => value === known), "the known name");
  type(name, known);
  await answer("Change the seat");
  await untilStored(3);
  const { players } = await ask(`/v1/players?q=${encodeURIComponent(known)}`);
  assert.deepEqual(
    players.map(({ id }) => id),
    [(await newest(game)).player],
  );
});

test("players sign on their device, and later corrections are shown", async () => {
  const game = await dealt("BARI-DUDA");
  await sign("up to entry 3", "1");
  await untilStored(4);
  await untilEntry(4, "Signed the record up to entry 3");
  const signed = await newest(game);
  assert.deepEqual([signed.type, signed.seat, signed.signed.key.length], ["record.signed", 1, 16]);
  await sign("up to entry 4", "");
  await untilStored(5);
  assert.equal((await newest(game)).signed.key, signed.signed.key); // the device keeps its key
  await add(game, { type: "entry.withdrawn", data: { entry: 3 } });
  page.refresh();
  await untilStored(6);
  await untilEntry(4, "What was signed was corrected since: entry 6");
});

async function sign(upTo, seat) {
  await aboutGame(/^Sign the record/);
  await page.untilDialogHas(upTo);
  choose(field("Who signs", dialog()), seat);
  await answer("Sign");
  await closed();
}
