import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { JS } from "./pages.mjs";
import { fill, settled, texts } from "./document.mjs";

const { embed } = await import(new URL("base/api.js", JS));
const { h } = await import(new URL("base/dom.js", JS));
const { ClubField, additionsFor, membersFirst } = await import(new URL("record/club.js", JS));

test("members come before other people, each once", () => {
  assert.deepEqual(membersFirst(["Aiko", "Ben"], ["Cai", "ＢＥＮ", "Dora"]), ["Aiko", "Ben", "Cai", "Dora"]);
  assert.deepEqual(membersFirst([], ["Cai"]), ["Cai"]);
});

test("house rules add words only to their own sheet", () => {
  assert.deepEqual(additionsFor("spades+minus+nil", "spades"), ["minus", "nil"]);
  assert.deepEqual(additionsFor("spades", "spades"), []);
  assert.deepEqual(additionsFor("spades+minus", "hearts"), []);
});

let form;
let field;
/** How often the field told that its club has changed. */
let changes;

const chip = (name) => h("button", { "data-person": name }, name);
const names = () => texts(form, ".known [data-person]");

beforeEach(() => {
  document.body.dataset.release = "1";
  field = h("select", {}, h("option", { value: "" }, "no club"));
  form = h(
    "form",
    {},
    h("label", { hidden: true }, field),
    h("div", { class: "known" }, h("b", {}, "Known people: "), chip("Cai"), chip("Ｂen")),
    h("p", { class: "house" }),
    h("input", { type: "checkbox", "data-option": "teams" }),
    h("select", { "data-option": "chips" }, h("option", { value: "4" }), h("option", { value: "5" })),
    h("input", { type: "hidden", "data-option": "components", value: '"spades"' }),
    ...["minus", "nil"].map((value) => h("input", { type: "checkbox", "data-addition": "components", value })),
  );
  form.elements = { club: field };
  globalThis.fetch = async () => Promise.reject(new TypeError("no network"));
});

const RULES = [
  { ruleset: "kahuna", options: { teams: true, chips: 5, other: 1 }, text: "No talking" },
  { ruleset: "scoresheet", options: { components: "spades+nil" }, text: "" },
];
const CLUB = { members: [{ name: "Aiko" }, { name: null }, { name: "ben" }], rules: RULES };
const CLUBS = [
  { club: "1", name: "Monday", member: true },
  { club: "2", name: "Tuesday", member: false },
  { club: "3", name: "Friday", member: true },
];

const answer = (answers) =>
  embed(Object.fromEntries(Object.entries(answers).map(([path, body]) => [path, { body, tag: null }])));

function clubField(answers = {}) {
  answer({ "/v1/clubs": { clubs: CLUBS }, "/v1/clubs/1": CLUB, "/v1/clubs/3": { members: [], rules: [] }, ...answers });
  changes = 0;
  const made = new ClubField(form);
  made.addEventListener("changed", () => (changes += 1));
  return made;
}

async function choose(club) {
  field.value = club;
  field.dispatchEvent({ type: "change" });
  await settled();
}

/** Let the service answer each request, after a while. */
function answerSlowly(answers) {
  globalThis.fetch = async (path) => {
    await settled();
    return new Response(JSON.stringify(answers[path]), { headers: { "Kifu-Release": "1" } });
  };
}

test("a person's clubs are offered once, and others are not", async () => {
  const clubs = clubField();
  answer({});
  answerSlowly({ "/v1/clubs": { clubs: CLUBS } });
  await Promise.all([clubs.offerClubs(), clubs.offerClubs()]);
  await clubs.offerClubs();
  assert.deepEqual(texts(field, "option"), ["no club", "Monday", "Friday"]);
  assert.equal(field.parentElement.hidden, false);
  assert.deepEqual([field.value, changes, clubs.openingPath], ["", 0, "/v1/games"]);
});

test("who is in no club is offered none", async () => {
  const clubs = clubField({ "/v1/clubs": { clubs: [CLUBS[1]] } });
  await clubs.offerClubs("2");
  assert.equal(field.parentElement.hidden, true);
  assert.deepEqual([field.value, changes], ["", 0]);
});

test("a club of the address is chosen if the person is in it", async () => {
  const clubs = clubField();
  answer({});
  answerSlowly({ "/v1/clubs": { clubs: CLUBS }, "/v1/clubs/1": CLUB });
  await clubs.offerClubs("1");
  assert.deepEqual([field.value, changes, clubs.openingPath], ["1", 1, "/v1/clubs/1/games"]);
});

test("clubs are asked for again if they could not be had", async () => {
  const clubs = clubField();
  answer({});
  await clubs.offerClubs();
  assert.deepEqual(texts(field, "option"), ["no club"]);
  answer({ "/v1/clubs": { clubs: CLUBS } });
  await clubs.offerClubs();
  assert.deepEqual(texts(field, "option"), ["no club", "Monday", "Friday"]);
});

test("a club offers its members first, and known people keep their buttons", async () => {
  const [cai, ben] = form.querySelectorAll("[data-person]");
  clubField();
  await choose("1");
  assert.deepEqual(names(), ["Aiko", "Ｂen", "Cai"]);
  assert.deepEqual(form.querySelectorAll("[data-person]").slice(1), [ben, cai]);
  const made = form.querySelector('[data-person="Aiko"]');
  assert.deepEqual([made.type, made.getAttribute("aria-pressed")], ["button", "false"]);
  await choose("");
  assert.deepEqual(names(), ["Cai", "Ｂen"]);
  assert.equal(texts(form, ".known b").length, 1, "what is no person stays");
  assert.equal(changes, 2);
});

test("a club that cannot be had leaves the people and no house rules", async () => {
  const clubs = clubField();
  answer({});
  await choose("1");
  assert.deepEqual([names(), changes], [["Cai", "Ｂen"], 1]);
  clubs.showHouseRules("kahuna");
  assert.deepEqual(texts(form, ".house"), [""]);
});

test("the club that was chosen last is shown, though the answer to another one comes later", async () => {
  const clubs = clubField();
  let late;
  globalThis.fetch = () => new Promise((resolve) => (late = resolve));
  answer({ "/v1/clubs/3": { members: [{ name: "Dora" }], rules: [] } });
  await choose("1");
  await choose("3");
  late(new Response(JSON.stringify(CLUB), { headers: { "Kifu-Release": "1" } }));
  await settled();
  assert.deepEqual(names(), ["Dora", "Cai", "Ｂen"]);
  assert.equal(changes, 1);
  clubs.showHouseRules("kahuna");
  assert.deepEqual(texts(form, ".house"), [""]);
});

test("house rules fill in the options that the form has, and are shown", async () => {
  const clubs = clubField();
  await choose("1");
  const [teams, chips, , minus, nil] = form.all("input, select").slice(1);
  minus.checked = true;
  clubs.showHouseRules("kahuna");
  assert.deepEqual(texts(form, ".house"), ["House rules No talking"]);
  assert.deepEqual([teams.checked, chips.value], [true, "5"]);
  assert.ok(minus.checked, "no rule is about the sheet");
  clubs.showHouseRules("scoresheet");
  assert.deepEqual(texts(form, ".house"), [""]);
  assert.deepEqual([minus.checked, nil.checked], [false, true]);
  clubs.showHouseRules("catan_cards");
  assert.deepEqual([teams.checked, chips.value, nil.checked], [true, "5", true]);
});

test("a house rule that the form does not offer leaves the choice as it is", async () => {
  const rules = [{ ruleset: "kahuna", options: { teams: 1, chips: 7 }, text: "" }];
  const clubs = clubField({ "/v1/clubs/1": { members: [], rules } });
  const [teams, chips] = form.all("input, select").slice(1);
  teams.checked = true;
  fill(chips, "4");
  await choose("1");
  clubs.showHouseRules("kahuna");
  assert.deepEqual([teams.checked, chips.value], [false, "4"]);
});
