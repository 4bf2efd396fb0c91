/** What somebody can do with an entry and with a game, besides moves: by what they may, and by how far the game is. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { JS } from "./pages.mjs";
import { settled, texts } from "./document.mjs";

const { embed } = await import(new URL("base/api.js", JS));
const { Words } = await import(new URL("base/words.js", JS));
const { Permit } = await import(new URL("people/permit.js", JS));
const { RecordActions } = await import(new URL("record/actions.js", JS));
const { useEventTypes } = await import(new URL("record/event-types.js", JS));

const SCOPES = "hidden:read games:erase games:share games:open games:close games:rule".split(" ");
const SHEET = { stops: [{ text: "stop", name: "Stop" }], markers: [{ id: "deal", name: "Dealer" }], late: "zero" };
const RULESET = { name: "x", title: { en: "X" }, rules: [], effects: {}, terms: {}, max_seats: 2, adjustments: [] };
const seats = ["Anna", "Ben"].map((name, seat) => ({ seat, name, label: { en: `Player ${seat + 1}` } }));
const words = new Words(RULESET, seats);

/** Another page's parts that the actions use, and what happened to them. */
let happened;
let more;
let focused;

beforeEach(() => {
  [happened, focused] = [[], 0];
  embed({});
  Object.assign(document.body, { dataset: { limits: "{}", release: "1" } });
  document.body.replaceChildren();
  useEventTypes({
    "game.opened": { label: "opening" },
    "move.made": { label: "move", plays: true },
    "note.added": { label: "note", allowed_when_closed: true },
    "score.claimed": { label: "claim", allowed_when_closed: true },
  });
  globalThis.indexedDB = undefined;
  globalThis.localStorage = { getItem: () => null };
  more = {
    dataset: { script: "data:text/javascript,export const rulingForm = (...all) => ({ of: all[3], in: all[2] })" },
  };
  document.getElementById = () => more;
  document.querySelector = () => ({ focus: () => (focused += 1) });
});

const move = (version, effects = [], extra = {}) => ({
  version,
  type: "move.made",
  seat: 0,
  notation: "m",
  effects,
  ...extra,
});
const END = [{ kind: "game.won", seat: 0 }];
const undoOf = (version) => ({ type: "entry.withdrawn", data: { entry: version }, entry: version });

/** A game after three entries, and its actions. */
function game({ scopes = SCOPES, sheet = null, may = null, ends = [], left = null, refused = false, ...state } = {}) {
  const entries = [{ version: 1, type: "game.opened" }, move(2), move(3, ends, { undo: undoOf(3) })];
  const record = {
    path: "/g",
    head: 3,
    order: entries,
    entries,
    currentEntry: entries[1],
    lastEntry: entries[2],
    closed: null,
    showsStory: false,
    info: { outcome: null },
    facts: { status: "playing", title: "" },
    placeOf: (version) => version,
    addEventListener() {},
    async refresh() {
      happened.push("refreshed");
      if (refused) throw new TypeError("no network");
    },
    ...state,
  };
  const tools = {
    undoable: null,
    connection: { report: (up) => happened.push(["connection", up]) },
    layout: { showStory: (is) => happened.push(["story", is]) },
    takeBackAction: ({ undo }) => undo && (() => happened.push(["asked to take back", undo.data.entry])),
    withdraw: (reversal) => happened.push(["withdraw", reversal.data.entry]),
  };
  const sync = {
    addEventListener() {},
    async addAndSend({ path, body, base, label }) {
      const [{ type, data }] = body.events;
      happened.push([path, type, data, base, label]);
      if (type === "game.reopened" && !left) record.closed = null;
      return left;
    },
  };
  const actions = new RecordActions(record, sync, words, new Permit({ scopes, seats: may, me: [] }), sheet, tools);
  for (const part of ["dialog", "fork", "erase", "receipt", "signing"])
    Object.assign(actions[part], { ask: (...about) => happened.push([part, ...about]) });
  Object.assign(actions.menu.dialog, { showModal() {}, close() {} });
  const names = () => actions.menu.list.all("button").map(({ childNodes }) => childNodes[0]);
  const press = async (name) => {
    const button = actions.menu.list.all("button").find(({ childNodes }) => childNodes[0] === name);
    button.click();
    await settled();
    return happened.at(-1);
  };
  const menu = () => {
    actions.showGameMenu();
    return names();
  };
  const about = (version) => {
    actions.showEntryMenu(version);
    return names();
  };
  return { actions, record, tools, menu, about, press };
}

const SETTINGS = 3;

// The menu of an entry

test("the menu of an entry has what its reader may do, and a closed record only what it takes", () => {
  const noted = ["Add a note", "Bookmark this moment"];
  const erase = ["Erase its text", "Erase what it hides"];
  const whole = game();
  const all = whole.about(3);
  assert.deepEqual(all.slice(-7), ["Give a ruling here", ...noted, "What if …", "Receipt", ...erase]);
  assert.deepEqual(all.slice(0, 2), ["Withdraw", "Replace"]);
  assert.equal(whole.actions.menu.title.textContent, "Entry 3 · Anna: m");
  assert.deepEqual(game({ closed: "finished" }).about(3), [
    "Reopen the record",
    ...noted,
    "What if …",
    "Receipt",
    ...erase,
  ]);
  assert.deepEqual(game({ scopes: [], closed: "finished" }).about(3), [...noted, "Receipt"]);
  assert.ok(
    !game({ scopes: ["games:open"] })
      .about(3)
      .includes("What if …"),
    "it needs the whole record",
  );
});

test("each right brings its own actions", () => {
  const plain = game({ scopes: ["hidden:read"] });
  const [entry, whole] = [plain.about(3), plain.menu()];
  const brings = (scope) => {
    const { about, menu } = game({ scopes: ["hidden:read", scope] });
    return [about(3).filter((name) => !entry.includes(name)), menu().filter((name) => !whole.includes(name))];
  };
  assert.deepEqual(brings("games:erase"), [["Erase its text", "Erase what it hides"], []]);
  assert.deepEqual(brings("games:open"), [["What if …"], ["What if …"]]);
  assert.deepEqual(brings("games:rule"), [["Give a ruling here"], ["Give a ruling"]]);
  assert.deepEqual(brings("games:share"), [[], ["Let a player’s phone in"]]);
  assert.deepEqual(brings("games:close"), [[], ["Abandon the game"]]);
});

test("each action of an entry is about that entry", async () => {
  const { about, press, record } = game();
  const entry = record.entries[2];
  about(3);
  assert.deepEqual(await press("What if …"), ["fork", entry]);
  assert.deepEqual(await press("Receipt"), ["receipt", entry]);
  assert.deepEqual(await press("Erase its text"), ["erase", entry, "text"]);
  assert.deepEqual(await press("Erase what it hides"), ["erase", entry, "hidden"]);
  assert.equal((await press("Add a note"))[1].title, "Add a note");
  assert.equal((await press("Bookmark this moment"))[1].title, "Bookmark this moment");
  embed({ "/v1/rulesets/x": { body: RULESET, tag: null } });
  assert.deepEqual(await press("Give a ruling here"), ["dialog", { of: entry, in: RULESET }]);
});

test("a ruling whose form cannot be loaded says that there is no connection", async () => {
  const { menu, press } = game();
  menu();
  embed({ "/v1/rulesets/x": { body: RULESET, tag: null } });
  assert.deepEqual(await press("Give a ruling"), ["dialog", { of: null, in: RULESET }]);
  globalThis.fetch = async () => {
    throw new TypeError("no network");
  };
  assert.deepEqual(await press("Give a ruling"), ["connection", false]);
});

// The menu of a game

test("the menu of a game has what is possible as far as the game is", () => {
  const own = (...state) =>
    game(...state)
      .menu()
      .slice(0, -SETTINGS);
  const claims = ["What does your paper say?", "Change the player of a seat"];
  const share = ["What if …", "Let a player’s phone in"];
  assert.deepEqual(own(), ["Give a ruling", "Add a note", ...claims, ...share, "Abandon the game"]);
  assert.deepEqual(own({ scopes: [] }), ["Add a note"]);
  assert.deepEqual(own({ closed: "finished", facts: { status: "finished" } }), [
    "Reopen the record",
    "Add a note",
    claims[0],
    ...share,
  ]);
  const over = game({ showsStory: true, facts: { status: "finished" }, ends: END });
  assert.equal(over.menu()[0], "Show the form for moves");
  assert.equal(over.menu().at(-SETTINGS - 1), "Close the record as finished");
  over.tools.undoable = undoOf(3);
  assert.deepEqual(over.menu().slice(0, 2), ["Undo", "Show the form for moves"]);
  assert.equal(texts(over.actions.menu.list, "small")[0], "Anna: m");
});

test("each action of a game does what it says", async () => {
  const { menu, press, tools, record } = game({ showsStory: true });
  tools.undoable = undoOf(3);
  menu();
  assert.deepEqual(await press("Undo"), ["withdraw", 3]);
  assert.deepEqual(await press("Show the form for moves"), ["story", false]);
  assert.deepEqual(await press("What if …"), ["fork", record.currentEntry]);
  for (const [name, title] of [
    ["Add a note", "Add a note"],
    ["Change the player of a seat", "Change the player of a seat"],
    ["Abandon the game", "Abandon the game?"],
  ])
    assert.equal((await press(name))[1].title, title);
  menu();
  const [, { fields }] = await press("Add a note");
  assert.match(fields[1].textContent, /about entry 2,/, "the entry that is shown");
  more = { click: () => happened.push("about"), scrollIntoView: () => happened.push("sharing") };
  await press("Let a player’s phone in");
  assert.deepEqual(happened.slice(-2), ["about", "sharing"]);
  const closed = game({ closed: "abandoned" });
  closed.menu();
  assert.equal((await closed.press("Reopen the record"))[1].title, "Reopen the record?");
});

test("a score sheet has its own actions as long as it goes on, for who may write for the table", async () => {
  const own = ["Change a marker", "Somebody comes late", "Stopped early"];
  const sheet = (state) => game({ sheet: SHEET, ...state });
  const has = (state) =>
    sheet(state)
      .menu()
      .filter((name) => own.includes(name));
  assert.deepEqual(has({}), own);
  assert.deepEqual(has({ sheet: { ...SHEET, markers: [] } }), own.slice(1));
  for (const state of [{ sheet: null }, { info: { outcome: {} } }, { closed: "abandoned" }, { may: [0] }])
    assert.deepEqual(has(state), []);
  const { menu, press } = sheet({});
  menu();
  assert.deepEqual((await Promise.all(own.map(press))) && happened.map(([, form]) => form.title), [
    "Change a marker",
    "Somebody comes late",
    "Stop the game early?",
  ]);
});

test("a record is signed where the browser has keys, and can keep them", () => {
  const signs = () => game().menu().includes("Sign the record");
  assert.ok(!signs());
  globalThis.indexedDB = {};
  assert.ok(signs());
});

// A finished game goes on

const REOPENED = ["/g/events", "game.reopened", { reason: "It goes on" }, 3, "the reopening of the record"];
const WITHDRAWN = ["/g/events", "entry.withdrawn", { entry: 3 }, 3, "withdraw entry 3"];
async function goneOn(state) {
  const it = game(state);
  await it.actions.continueGame();
  return happened;
}

test("a game goes on at once if its last move did nothing but end it", async () => {
  assert.deepEqual(await goneOn({ ends: END }), [WITHDRAWN, "refreshed"]);
  assert.equal(focused, 1);
});

test("a closed record is reopened before, also if it cannot be read again", async () => {
  const both = [REOPENED, "refreshed", WITHDRAWN, "refreshed"];
  assert.deepEqual(await goneOn({ ends: END, closed: "finished", refused: true }), both);
});

test("somebody is asked first if the last move did more than end the game", async () => {
  const scored = [...END, { kind: "points", seat: 0 }];
  assert.deepEqual(await goneOn({ ends: scored, showsStory: true }), [["asked to take back", 3]]);
  assert.equal(focused, 0, "the button is still there");
});

test("without an entry that ended it, the form is shown, or the record waits to be reopened", async () => {
  assert.deepEqual(await goneOn({}), [["story", false]]);
  happened.length = 0;
  assert.deepEqual(await goneOn({ closed: "abandoned", left: { key: 1 } }), [REOPENED]);
});
