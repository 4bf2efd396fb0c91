/** A score sheet is drawn up field by field: checked as it is typed, and in step with its JSON. */
import assert from "node:assert/strict";
import { resolveObjectURL } from "node:buffer";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import * as page from "./page.mjs";
import { ask } from "./service.mjs";

const { choose, field, find, press, textOf, settle, type, until, untilText } = page;
/** The ready sheets, and the members that a template can have, as the rules have them. */
const { ready: READY, members: MEMBERS } = JSON.parse(readFileSync(process.env.KIFU_GIVEN, "utf8"));
const SOAK = Boolean(process.env.KIFU_SOAK);
const KEPT = "/v1/components/scoresheet";
const ID = "Id, for typing and for formulas";
/** Sheets that between them have all that a form can show; the others are looked at with the long forms. */
const SHAPES = ["auction", "bridge", "chess", "cooperative", "farm", "ticket_to_ride"];
/** What is written as JSON, below the form, and what another choice leaves out. */
const AS_JSON = new Set([
  ...["when", "unless", "options", "chosen", "checks", "stops", "ends", "first_wins", "sources", "round_names_ja"],
  ...["markers", "tie_round", "last_turn", "target"],
]);

const template = () => JSON.parse(find("textarea[name=json]").value);
const fits = () => untilText(".verdict", "Everything fits.");
const column = (number) => page.all(".column")[number];
const slotOf = (place) => `[data-path="${place}"] .error-slot`;
const keep = () => press("Keep it", find(".keep"));

async function begin(name) {
  type(field("Name of a game"), name);
  await press(`Take as a start: ${name}`);
  await until(() => field("Name of the sheet").value === name);
}

/** The editor, begun with a ready template or with an empty sheet; what its scripts find on the page. */
async function edit(ready = "") {
  const place = await page.visit("/rulesets/scoresheet/template");
  await until(() => textOf(find(".verdict")));
  if (ready) await begin(READY[ready].name);
  return place;
}

beforeEach(async () => {
  for (const { name } of (await ask(KEPT)).components) await ask(`${KEPT}/${encodeURIComponent(name)}`, null, "DELETE");
});

test("the form opens every ready sheet, and changes nothing in it", async () => {
  await edit();
  for (const sheet of Object.keys(READY)
    .filter((name) => SOAK || SHAPES.includes(name))
    .map((name) => READY[name])) {
    type(field("Name of a game"), sheet.name);
    await press(`Take as a start: ${sheet.name}`);
    await until(() => template().name === sheet.name, sheet.name);
    assert.deepEqual(template(), sheet);
    type(field("Name of the sheet"), `My ${sheet.name}`);
    assert.deepEqual(template(), { ...sheet, name: `My ${sheet.name}` });
    assert.equal(page.all(".column").length, sheet.columns.length);
  }
  await fits();
});

const MADE = {
  name: "Whole",
  ja: "全部",
  aliases: ["All of it", "Everything"],
  about: "Enter it all.",
  checked: "nothing in print",
  bgg: 13,
  rounds: 4,
  round_names: ["前半", "Große Pause"],
  columns: [
    {
      id: "points",
      per: "round",
      name: "cards",
      ja: "カード",
      least: -5,
      most: 20,
      default: 0,
      check: "points % 5 == 0",
    },
    { id: "weather", name: "Weather", counts: false, shared: true, whole: true, labels: { fine: 1, rainy: 2 } },
    {
      id: "bonus",
      name: "Bonus",
      counts: false,
      formula: "sum(points) / 3 * weather",
      ranges: [
        [0, -1],
        [10, 4],
      ],
      round: "up",
    },
  ],
  teams: [
    { name: "Odd", seats: [0, 2] },
    { name: "Even", seats: [1, 3] },
  ],
  late: "average",
  wins: "lowest",
  by: "bonus",
  ties: [{ column: "bonus", wins: "lowest" }],
  loses: "total < 10",
};

/** Type into fields, each after its label. */
const typeAll = (fields, within) => {
  for (const [label, text] of Object.entries(fields)) type(field(label, within), text);
};

async function enterFirstColumn() {
  typeAll({ Name: "cards", "In Japanese": "カード", "At least": "5" }, column(0));
  await press("Minus for At least", column(0));
  typeAll({ "At most": "20", "If left empty": "0", "Holds for every value": "points % 5 == 0" }, column(0));
}

async function enterLabels() {
  await press("Add a column");
  type(field("Name", column(1)), "Weather");
  for (const label of ["All share one value", "Whole numbers only"]) field(label, column(1)).click();
  for (const [at, [word, value]] of [
    ["fine", "1"],
    ["rainy", "2"],
  ].entries()) {
    column(1).open = true;
    await press("Add a word", column(1));
    type(page.fieldsOf("Word", column(1))[at], word);
    type(page.fieldsOf("Value", column(1))[at], value);
  }
}

async function enterFormula() {
  await press("Add a column");
  type(field("Name", column(2)), "Bonus");
  choose(field("Its values are", column(2)), "computed by a formula");
  type(field("Formula", column(2)), "sum(points) / 3 * weather");
  choose(field("Rounding", column(2)), "upwards");
  field("Its values are points", column(2)).click();
  for (const [at, [start, gives]] of [
    ["0", "-1"],
    ["10", "4"],
  ].entries()) {
    column(2).open = true;
    await press("Add a range", column(2));
    type(page.fieldsOf("From", column(2))[at], start);
    type(page.fieldsOf("it gives", column(2))[at], gives);
  }
}

async function enterTheEnd() {
  choose(field("They play"), "in teams");
  typeAll({ "Team 1": "Odd", "Team 2": "Even" });
  for (const [at, seats] of ["1 3", "2, 4"].entries()) type(page.fieldsOf("Its players, by number")[at], seats);
  choose(field("A late player begins with"), "the average of the others");
  choose(field("Winner"), "the lowest");
  type(field("Played until a total of"), "100");
  await press("Add a tie-breaker");
  choose(field("Tie-breaker 1"), "Bonus");
  choose(field("Better is"), "the lowest");
  type(field("Forced loss, if"), "total < 10");
  await fits();
  type(field("Played until a total of"), "");
  choose(field("Decided by"), "Bonus");
  await fits();
}

test("the form can enter every part of a template", async () => {
  await edit();
  typeAll({ "Name of the sheet": "Whole", "Number at BoardGameGeek": "13", Rounds: "4", "In Japanese": "全部" });
  typeAll({ "Other names": "All of it, Everything", "How to fill it in": "Enter it all." });
  typeAll({ "Checked against": "nothing in print", "Names of the rounds": "前半, Große Pause" });
  column(0).open = true;
  await enterFirstColumn();
  await enterLabels();
  await enterFormula();
  await enterTheEnd();
  assert.deepEqual(template(), MADE);
  const names = (parts) => new Set(parts.flatMap((part) => Object.keys(part)));
  const expected = (kind) => new Set(MEMBERS[kind].filter((name) => !AS_JSON.has(name)));
  assert.deepEqual(names(MADE.columns), expected("Column"));
  assert.deepEqual(names(MADE.teams), expected("Team"));
  assert.deepEqual(names(MADE.ties), expected("TieBreaker"));
  assert.deepEqual(names([MADE]), expected("Template"));
});

test("names and seats are counted from one, and emptied fields are left out", async () => {
  await edit();
  type(find("textarea[name=json]"), JSON.stringify(MADE));
  const seats = () => page.fieldsOf("Its players, by number").map(({ value }) => value);
  assert.deepEqual(seats(), ["1 3", "2 4"]);
  assert.equal(field("Names of the rounds").value, "前半, Große Pause");
  for (const label of ["Other names", "Names of the rounds"]) type(field(label), " , ");
  type(field("Its players, by number"), "");
  const { aliases, round_names: _, ...rest } = MADE;
  assert.deepEqual(template(), { ...rest, teams: [{ name: "Odd" }, MADE.teams[1]] });
  type(field("Other names"), "All of it、 Everything");
  assert.deepEqual(template().aliases, aliases);
  type(field("Its players, by number"), "1 x");
  assert.deepEqual(template().teams[0].seats, [0, "x"]);
  type(field("Its players, by number"), "");
  await press("Remove team Even");
  assert.deepEqual(seats(), [""]);
  assert.equal(document.activeElement, field("They play"));
  await press("Remove team Odd");
  assert.ok(!("teams" in template()));
  assert.deepEqual([field("They play").value, seats()], ["", []]);
});

test("teams come back unchanged", async () => {
  await edit();
  type(find("textarea[name=json]"), JSON.stringify(MADE));
  choose(field("They play"), "each for themselves");
  const { teams: _, ...alone } = MADE;
  assert.deepEqual(template(), alone);
  assert.ok(!page.hasKey("Add a team"));
  choose(field("They play"), "in teams");
  assert.deepEqual(template(), MADE);
  assert.deepEqual(
    page.fieldsOf("Its players, by number").map(({ value }) => value),
    ["1 3", "2 4"],
  );
});

test("the form asks for rounds if a column is entered in rounds, and shows those of a sheet", async () => {
  const columns = [{ id: "points" }];
  const shown = () => ["Rounds", "Names of the rounds"].map((label) => page.fieldsOf(label)[0]?.value);
  const show = (more) => type(find("textarea[name=json]"), JSON.stringify({ name: "Whole", columns, ...more }));
  await edit();
  for (const [more, rounds, names] of [
    [{}, undefined, undefined],
    [{ rounds: 3 }, "3", undefined],
    [{ round_names: ["one", "two"] }, undefined, "one, two"],
    [{ columns: [...columns, { id: "more", per: "round" }] }, "", ""],
  ]) {
    show(more);
    assert.deepEqual(shown(), [rounds, names], JSON.stringify(more));
  }
});

const MISFITS = [
  [ID, "b g", "columns[0].id", "an id is made of letters, digits and _"],
  ["At least", "many", "columns[0].least", "a number is needed"],
  ["Name of the sheet", "", "name", "This is still to be filled in"],
  ["Rounds", "1000", "rounds", "at most 999"],
  ["Rounds", "many", "rounds", "a whole number is needed"],
  ["Forced loss, if", "total <", "loses", "this cannot be read as a formula"],
];

test("an error is shown at its field, and the template is not stored", async () => {
  await edit("wizard");
  column(0).open = true;
  type(field("Under the name"), "Never kept");
  for (const [label, typed, place, why] of MISFITS) {
    const wrong = field(label);
    const before = wrong.value;
    type(wrong, typed);
    settle(wrong);
    await untilText(slotOf(place), why);
    await keep();
    await until(() => find(".keep .problem"), `a problem of ${label}`);
    type(wrong, before);
    settle(wrong);
    assert.equal(textOf(find(".keep .answer")), "");
  }
  await fits();
  assert.deepEqual(template(), READY.wizard, "formulas name no column by what was no id");
  assert.deepEqual((await ask(KEPT)).components, []);
});

test("the form and the JSON are in step", async () => {
  await edit("wizard");
  const json = find("textarea[name=json]");
  type(json, JSON.stringify(READY.golf));
  assert.equal(field("Name of the sheet").value, READY.golf.name);
  await fits();
  for (const [broken, why] of [
    ["{", "This is not JSON"],
    ["[]", "a template must be an object"],
    ['{"columns": 3}', "columns is a"],
  ]) {
    type(json, broken);
    await untilText(".json .answer", why);
    await keep();
    await untilText(".keep .answer", "Correct the JSON first");
  }
  assert.equal(field("Name of the sheet").value, READY.golf.name);
  type(field("Name of the sheet"), "Golf again"); // a change in the form discards what is no sheet
  assert.deepEqual(template(), { ...READY.golf, name: "Golf again" });
  type(json, JSON.stringify({ ...READY.golf, surprise: [1] }));
  await untilText(".verdict", "surprise");
  type(field("Name of the sheet"), "Links");
  assert.deepEqual(template(), { ...READY.golf, surprise: [1], name: "Links" });
});

test("a game won together has no tie-breakers, and a formula comes back unchanged", async () => {
  await edit("wizard");
  type(field("Forced loss, if"), "total < 10");
  choose(field("Winner"), "all together or nobody: no score decides");
  await fits();
  assert.deepEqual([template().wins, "loses" in template()], ["cooperative", false]);
  assert.deepEqual(page.fieldsOf("Decided by"), []);
  choose(field("Winner"), "the highest");
  assert.deepEqual(template(), { ...READY.wizard, loses: "total < 10" });
  type(field("Forced loss, if"), "");
  assert.deepEqual(template(), READY.wizard);
  const kind = (number, words) => choose(field("Its values are", column(number)), words);
  type(field("At most", column(0)), "20");
  const entered = template();
  kind(0, "computed by a formula");
  assert.ok(!("most" in template().columns[0]));
  kind(0, "written in by the players");
  assert.deepEqual(template(), entered);
  type(field("At most", column(0)), String(READY.wizard.columns[0].most ?? ""));
  kind(2, "written in by the players");
  assert.deepEqual(page.fieldsOf("Formula", column(2)), []);
  kind(2, "computed by a formula");
  assert.deepEqual(template(), READY.wizard);
});

test("formulas follow the new name of a column", async () => {
  await edit("sushi_go");
  const name = (id) => {
    type(field(ID, column(1)), id);
    settle(field(ID, column(1)));
  };
  name("rank"); // which the formulas have as a word of their own
  for (const often of ["for each round", "for the whole game"]) choose(field("There is one", column(1)), often); // each draws the form anew
  await untilText(".verdict", "has a meaning of its own");
  type(field(ID, column(1)), "won");
  name("taken");
  await fits();
  const { ties, columns } = template();
  assert.deepEqual(ties, [{ column: "taken" }]);
  assert.equal(columns[2].formula, READY.sushi_go.columns[2].formula.replaceAll("puddings", "taken"));
  assert.equal(field("Formula", column(2)).value, columns[2].formula);
});

test("an error in a formula has a position, and a button leads to it", async () => {
  await edit("wizard");
  column(2).open = true;
  const formula = field("Formula", column(2));
  type(formula, "20 + 10 * triks");
  await untilText(slotOf("columns[2].formula"), "there is no triks here");
  const below = find(slotOf("columns[2].formula"));
  assert.equal(textOf(find("mark", below)), "triks");
  assert.equal(formula.getAttribute("aria-invalid"), "true");
  assert.equal(formula.getAttribute("aria-describedby"), below.id);
  column(2).open = false;
  find(".verdict button").click();
  assert.ok(column(2).open);
  assert.equal(document.activeElement, formula);
  type(formula, "20 + 10 * tricks");
  await fits();
  const marks = ["aria-invalid", "aria-describedby"].map((name) => formula.getAttribute(name));
  assert.deepEqual([textOf(below), ...marks], ["", null, null]);
});

test("columns are moved and removed, and the focus follows", async () => {
  await edit("wizard");
  for (const number of [0, 1]) column(number).open = true;
  await press("Move bid down");
  assert.equal(document.activeElement.getAttribute("aria-label"), "Move bid down");
  await press("Move bid down");
  assert.deepEqual(
    template().columns.map(({ id }) => id),
    ["tricks", "points", "bid"],
  );
  assert.equal(document.activeElement.getAttribute("aria-label"), "Move bid up");
  await press("Remove the column", column(2));
  await untilText(slotOf("columns[1].formula"), "there is no bid here");
});

test("a stored sheet opens again", async () => {
  await edit("farm");
  type(field("Under the name"), "Our farm");
  await keep();
  await untilText(".keep .answer", "Our farm is kept.");
  type(field("Name of the sheet"), "Not kept");
  await edit();
  assert.ok(page.isShown(find(".restored")));
  assert.ok(page.isShown(find(".taken")), "its name is that of a kept sheet");
  find(".anew").click();
  assert.deepEqual([field("Under the name").value, page.isShown(find(".restored"))], ["", false]);
  await edit();
  assert.ok(!page.isShown(find(".restored")));
  assert.match(page.texts(".found li")[0], /Our farm/);
  await press("Take as a start: Our farm");
  await until(() => field("Under the name").value === "Our farm");
  assert.ok(page.isShown(find(".taken")));
  type(field("Name of the sheet"), "Farm, ours");
  await keep();
  await untilText(".keep .answer", "Our farm is kept.");
  const [kept] = (await ask(KEPT)).components;
  assert.deepEqual(kept.data, { ...READY.farm, name: "Farm, ours" });
});

test("no typed text is lost without a connection", async () => {
  await edit("rounds");
  page.network(false);
  type(field("Name of the sheet"), "Written in a cellar");
  type(field("Under the name"), "Cellar");
  await untilText(".verdict", "No connection");
  await keep();
  await untilText(".keep .answer", "What you typed stays in this browser");
  await edit();
  assert.ok(page.isShown(find(".restored")));
  assert.deepEqual(
    [field("Under the name").value, field("Name of the sheet").value],
    ["Cellar", "Written in a cellar"],
  );
  page.network(false);
  type(field("Under the name"), "Cellar");
  await untilText(".verdict", "No connection");
  page.network(true);
  await fits();
  await keep();
  await untilText(".keep .answer", "Cellar is kept.");
  await until(() => page.isShown(find(".taken")), "a warning of its name");
  assert.equal((await ask(`${KEPT}/Cellar`)).data.name, "Written in a cellar");
});

test("a sheet is found by any name of the game, also by a visitor, who cannot change it", async () => {
  await edit();
  type(field("Name of a game"), "うぃんぐ");
  await untilText(".found li", "Checked against Wingspan");
  assert.equal(page.all(".found li").length, 1);
  const link = page.key("Open a game with Wingspan");
  assert.equal(link.getAttribute("href"), "/?ruleset=scoresheet&template=wingspan#opening");
  await page.visit("/rulesets/scoresheet/template", { owner: false });
  assert.match(textOf(find("main")), /To keep sheets/);
  assert.equal(find("#template"), null);
  type(field("Name of a game"), "bridge");
  await untilText(".found", "Checked against Laws of Duplicate Bridge, Law 77");
  assert.ok(!page.hasKey(/Take/));
  type(field("Name of a game"), "no such game");
  await untilText(".finder .count", /^No sheet has that name\.$/);
});

const BAD_FILES = [
  ["{", "is not JSON"],
  ["[]", "holds no sheet: a template must be an object"],
  ['{"name": "x"}', "holds no sheet: columns is a list of objects"],
  ['{"name": "x", "columns": [], "aliases": 3}', "holds no sheet: aliases is a list of names"],
  [" ".repeat(60_001), "is too large for a sheet"],
  [Uint8Array.from({ length: 256 }, (_, at) => at), "is not JSON"],
];

/** Choose a file with this content. */
function give(content) {
  const input = find("input[type=file]");
  Object.defineProperty(input, "files", { value: [new File([content], "sheet.json")], configurable: true });
  settle(input);
}

test("a sheet goes from one to another as a file or a link, and a bad one says so", async () => {
  const { HTMLAnchorElement } = await edit("bridge");
  await fits();
  const saved = [];
  HTMLAnchorElement.prototype.click = function () {
    saved.push([this.download, resolveObjectURL(this.href)]); // there is no folder that it could be saved to
  };
  await press("Save it as a file");
  const [[name, file]] = saved;
  assert.equal(name, "Bridge.json");
  assert.deepEqual(JSON.parse(await file.text()), READY.bridge);
  await press("Begin with an empty sheet");
  await until(() => field("Name of the sheet").value === "");
  give(await file.text());
  await until(() => field("Name of the sheet").value === "Bridge");
  await fits();
  for (const [content, why] of BAD_FILES) {
    give(content);
    await untilText(".finder [role=alert]", why);
    assert.deepEqual(template(), READY.bridge, "nothing is lost");
  }
  await press("Share it by a link");
  await until(() => page.fieldsOf("Link to this sheet").length, "the link");
  const link = new URL(field("Link to this sheet").value);
  localStorage.clear();
  await page.visit(`${link.pathname}${link.hash}`);
  await until(() => field("Name of the sheet").value === "Bridge", "the sheet of the link");
  assert.deepEqual(template(), READY.bridge);
  for (const [hash, why] of [
    [link.hash.slice(0, -20), "its end is missing"],
    ["#sheet=!", "holds no sheet"],
  ]) {
    await page.visit(`${link.pathname}${hash}`);
    await untilText(".finder [role=alert]", why);
  }
  give(JSON.stringify({ name: "Wrong", columns: [{ id: "a" }, { id: "b", formula: "a +" }] }));
  await untilText(slotOf("columns[1].formula"), "cannot be read as a formula");
});
