/** The start page: what is played, who plays, and off. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { uuid7 } from "../../../../../service/pages/static/js/base/uuid.js";
import * as page from "./page.mjs";
import { ask, openSheet } from "./service.mjs";

const { all, choose, field, find, press, textOf, type, until, untilText } = page;
const NO_GAMES = "/?q=none";
const FORM = "#opening form";

/** The form that opens a game, and all that it asked for. */
async function begin(path = NO_GAMES) {
  await page.visit(path);
  const asked = [];
  page.answerWith((address) => {
    asked.push(address);
    return null;
  });
  return asked;
}

const search = () => find("#opening input[type=search]");
const found = () => page.texts("#opening .playable button");
const seats = () => all("#opening [data-seat]").map(({ value }) => value);
const named = (name) => find(`#opening [data-person="${name}"]`);
const start = () => press("Start the game", find(FORM));

/** Look for a game by its name, and tap on it. */
async function pick(name) {
  type(search(), name);
  await until(() => found().includes(name), `${name} among ${found()}`);
  await press(name, find("#opening .playable"));
  await until(() => !find(".chosen").hidden && textOf(find("#opening .game-name b")).length && seats().length, "seats");
  find("#opening details.more").open = true;
}

/** What the form sends when it is sent: the service does not get it. */
async function sent() {
  let body = null;
  const to = await new Promise((resolve) => {
    page.answerWith((path, { method, body: text }) => {
      if (method !== "POST") return null;
      body = JSON.parse(text);
      resolve(path);
      return page.problem({ type: "/problems/bad-request", title: "no", status: 400, detail: "not now" });
    });
    start();
  });
  page.answerWith(null);
  return { to, body };
}

/** People who have just played on a sheet. */
async function played(...names) {
  await openSheet("uno", ...names);
  for (let health = {}; health.projected === undefined || health.projected !== health.position; )
    health = await ask("/v1/health");
}

test("every ruleset opens a game, and a name in two seats is a question once", async () => {
  const { rulesets } = await ask("/v1/rulesets");
  assert.ok(rulesets.length >= 5);
  for (const { name, title } of rulesets) {
    await begin();
    await pick(name === "scoresheet" ? "Plain points" : title.en);
    if (seats().length < 2) type(field("Seats", find(FORM)), "2");
    type(field("Title", find(FORM)), `The first of ${name}`);
    for (const [at, called] of ["Lisa", "ｌｉｓａ"].entries()) type(all("#opening [data-seat]")[at], called);
    await start();
    await untilText("#opening .answer", "ｌｉｓａ sits at two seats.");
    const { to, body } = await sent();
    assert.deepEqual([to, body.ruleset, body.title], ["/v1/games", name, `The first of ${name}`]);
    assert.deepEqual(
      body.seats.slice(0, 2).map((seat) => seat.name),
      ["Lisa", "ｌｉｓａ"],
    );
    await ask("/v1/games", body); // it is one that the service takes
  }
});

test("a refused opening names the fields of the form, and of others only what is wrong", async () => {
  await begin();
  await pick("Kahuna");
  type(all("#opening [data-seat]")[1], "B\u200fen");
  await start();
  await untilText("#opening .answer li", /^White: /);
  await begin();
  await pick("Two teams");
  await start();
  await untilText("#opening .answer li", /^2 teams need a player each$/);
});

test("a game is found by any of its names, and one without a sheet uses plain points", async () => {
  const asked = await begin();
  const rulesAsked = () => asked.filter((path) => path.startsWith("/v1/rulesets/")).length;
  await until(() => found().length);
  page.network(false);
  type(search(), "azul");
  await untilText("#opening .what [role=status]", "No connection");
  page.network(true);
  for (const [typed, name] of Object.entries({
    ウノ: "UNO",
    ｕｎｏ: "UNO",
    カタン: "Catan",
    アズール: "Azul",
    kahuna: "Kahuna",
    kniffel: "Yahtzee",
  })) {
    type(search(), typed);
    await until(() => found()[0] === name, `${name} for ${typed}`);
  }
  assert.equal(rulesAsked(), 0);
  page.strike("Enter", search());
  await untilText("#opening .game-name b", /^Yahtzee$/);
  assert.equal(rulesAsked(), 1);
  await press("Another game");
  type(search(), "Mensch ärgere dich nicht");
  await untilText("#opening .what [role=status]", "No game has that name.");
  await press("Plain points", find("#opening .playable"));
  await untilText("#opening .game-name b", /^Plain points$/);
  const { body } = await sent();
  assert.deepEqual([body.title, body.options.template], ["Mensch ärgere dich nicht", "plain"]);
  type(field("Title", find(FORM)), "Our evening");
  await press("Another game");
  await press("Plain points", find("#opening .playable"));
  await until(() => !find(".chosen").hidden, "the game");
  assert.equal(field("Title", find(FORM)).value, "Our evening", "a typed title stays");
});

test("the last chosen game counts, although the answer for another one comes late", async () => {
  await begin();
  const rules = await ask("/v1/rulesets/manapani");
  let late = null;
  page.answerWith((path) =>
    path.startsWith("/v1/rulesets/manapani")
      ? new Promise((go) => (late = () => go(new Response(JSON.stringify(rules)))))
      : null,
  );
  type(search(), "Manapani");
  await until(() => found()[0] === "Manapani", "Manapani");
  await press("Manapani", find("#opening .playable"));
  await until(() => late, "the question for its rules");
  const { options, title } = await ask("/v1/rulesets/verraeter");
  const names = options.map(({ name }) => name);
  const shown = () => all("#opening [data-option]").map(({ dataset }) => dataset.option);
  await pick(title.en);
  late();
  await page.pause();
  assert.deepEqual(shown(), names);
  assert.equal(textOf(find("#opening .game-name b")), title.en);
});

test("the same people play again after two taps, and leave after one", async () => {
  await played("Lisa", "Tom", "Mia");
  await begin();
  await pick("UNO");
  assert.ok(page.hasKey("Start as last time"));
  find("#opening [data-people]").click();
  assert.deepEqual(seats(), ["Lisa", "Tom", "Mia"]);
  assert.equal(named("Tom").getAttribute("aria-pressed"), "true");
  assert.equal(field("Seats", find(FORM)).value, "3");
  named("Tom").click();
  assert.deepEqual(seats(), ["Lisa", "Mia"]);
  assert.equal(named("Tom").getAttribute("aria-pressed"), "false");
  let body = null;
  page.answerWith((_, init) => {
    if (init.method !== "POST") return null;
    body = JSON.parse(init.body);
    return page.problem({ type: "/problems/bad-request", title: "no", status: 400, detail: "not now" });
  });
  await press("Start as last time");
  await until(() => body, "a game");
  assert.deepEqual(
    body.seats.map(({ name }) => name),
    ["Lisa", "Tom", "Mia"],
  );
});

test("house rules and expansions of a sheet are ticked, and only one of its maps", async () => {
  await begin();
  await pick("Ticket to Ride");
  for (const map of ["Nordic Countries", "India"]) field(map, find(FORM)).click();
  assert.deepEqual(
    ["Nordic Countries", "India"].map((map) => field(map, find(FORM)).checked),
    [false, true],
  );
  await press("Another game");
  await pick("7 Wonders");
  for (const box of ["Leaders", "Cities"]) field(box, find(FORM)).click();
  const { body } = await sent();
  assert.equal(body.options.template, "seven_wonders+leaders+cities");
});

test("with fewer seats than people of last time, the page asks who sits out", async () => {
  await played("Ottilie", "Pia", "Quentin", "Rosa");
  await begin();
  await pick("Kahuna");
  assert.ok(!page.hasKey("Start as last time"));
  await press("As last time: Ottilie, Pia, Quentin, Rosa");
  await untilText("#opening .answer", "There are 2 seats. Who sits out?");
  const group = () =>
    all("#opening [role=group], #opening fieldset").find((each) =>
      /Who sits out\?/.test(each.getAttribute("aria-label") ?? textOf(find("legend", each))),
    );
  await press("Pia", group);
  assert.deepEqual(page.texts("button", group()), ["Ottilie", "Quentin", "Rosa"]);
  await press("Rosa", group);
  assert.equal(group(), undefined);
  assert.deepEqual(seats(), ["Ottilie", "Quentin"]);
  named("Pia").click();
  assert.deepEqual(page.texts("button", group()), ["Ottilie", "Quentin", "Pia"]);
});

test("a club fills in its house rules, and offers its members first", async () => {
  const club = uuid7();
  const rules = { ruleset: "kahuna", options: { seafarer: true, scoring: "opodopo" }, text: "No tea on the map." };
  await ask("/v1/clubs", { id: club, name: "Island Club" });
  await ask(`/v1/clubs/${club}/entries`, { id: uuid7(), type: "club.member_joined", data: { name: "Zoe" } });
  await ask(`/v1/clubs/${club}/entries`, { id: uuid7(), type: "club.rules_set", data: rules });
  await played("Lisa", "Tom");
  await begin(`/?club=${club}#opening`);
  await pick("Kahuna");
  const first = () => textOf(find("#opening [data-person]"));
  const [seafarer, scoring] = ["seafarer", "scoring"].map((name) => () => find(`#opening [data-option=${name}]`));
  await until(() => first() === "Zoe", "the member");
  assert.deepEqual([find("[name=club]").value, seafarer().checked, scoring().value], [club, true, '"opodopo"']);
  assert.equal(textOf(find("#opening .house")), "House rules No tea on the map.");
  choose(find("[name=club]"), "");
  await until(() => !named("Zoe"));
  assert.deepEqual([seafarer().checked, textOf(find("#opening .house"))], [false, ""]);
  choose(find("[name=club]"), club);
  await until(() => first() === "Zoe", "the member");
  named("Zoe").click();
  choose(scoring(), '"standard"');
  const { to, body } = await sent();
  assert.equal(to, `/v1/clubs/${club}/games`);
  assert.deepEqual([body.options.seafarer, body.options.scoring, body.seats[0].name], [true, "standard", "Zoe"]);
  await ask(to, body);
  assert.deepEqual((await ask(`/v1/clubs/${club}`)).games, [body.id]);
});

test("components of a box are entered once, chosen by name where a game is opened, and removed", async () => {
  const ruleset = "/rulesets/verraeter";
  const lines = () => all("#components li");
  const line = (text) => lines().find((each) => textOf(each).includes(text));
  const json = () => field("Components, as JSON", find("#components"));
  const keep = async (name, text, answer) => {
    type(field("Name", find("#components")), name);
    type(json(), text);
    await press("Keep them", find("#components"));
    await untilText("#components .answer", answer);
  };
  await page.visit(`${ruleset}#components`);
  assert.ok(find("#components").open);
  await until(() => line("invented points"), "components that are made up");
  assert.match(textOf(line("invented points")), /made up/);
  assert.equal(page.hasKey("Remove", line("invented points")), false);
  await keep("My box", "{", "This is not JSON");
  await keep("My box", '{"points": {"River": 3}}', "points.Wilderness");
  assert.equal(line("My box"), undefined);
  await press("Take as a start", line("invented points"));
  assert.equal(field("Name", find("#components")).value, "");
  await keep("My box", json().value.replace("[5, 4, 3, 2]", "[8, 4, 3, 2]"), "My box is kept");

  await begin();
  await pick((await ask(`/v1${ruleset}`)).title.en);
  choose(field("Components", find(FORM)), "My box");
  const { body } = await sent();
  const { game } = await ask("/v1/games", body);
  assert.deepEqual((await ask(`/v1/games/${game}/state`)).state.components.points.River, [8, 4, 3, 2]);

  await page.visit(`${ruleset}#components`);
  await until(() => line("My box"), "what was kept");
  page.network(false);
  await press("Remove", line("My box"));
  await untilText("#components .answer", "No connection");
  page.network(true);
  await press("Remove", line("My box"));
  await untilText("#components .answer", "is removed");
  assert.equal(line("My box"), undefined);
});
