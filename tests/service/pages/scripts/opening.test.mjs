/** The form that opens a game: the search for it, and the seats of the people who play. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { JS } from "./pages.mjs";
import { settled, texts } from "./document.mjs";

const { h } = await import(new URL("base/dom.js", JS));
const { listenToChips } = await import(new URL("record/people.js", JS));
const { GameFinder } = await import(new URL("record/search.js", JS));
const { SeatFields } = await import(new URL("record/seatfields.js", JS));
const { SheetFinder } = await import(new URL("sheet/finder.js", JS));

const RELEASE = { headers: { "Kifu-Release": "1" } };
/** What answers each request, by its address. */
let service;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  Object.assign(document.body.dataset, { release: "1", limits: "{}" });
  service = async () => Promise.reject(new TypeError("no network"));
  globalThis.fetch = async (path) => new Response(JSON.stringify(await service(path)), RELEASE);
});

/** Type into a field, and pause as people do. */
async function type(field, text) {
  field.value = text;
  field.dispatchEvent({ type: "input" });
  mock.timers.tick(1_000);
  await settled();
}

/** A service whose answers come when somebody lets them, by what was searched for. */
function slowly(answer) {
  const late = {};
  service = (path) => {
    const words = new URLSearchParams(path.split("?")[1]).get("q");
    return new Promise((done) => (late[words] = () => done(answer(words))));
  };
  return async (words) => {
    late[words]();
    await settled();
  };
}

// The search for a game

const playable = (name) => ({ ruleset: name, title: { en: name }, fits: "name" });

function gameFinder() {
  const list = h("div", { class: "playable" });
  list.replaceChildren(h("button", { "data-playable": JSON.stringify(playable("usual")) }, "usual"));
  const element = h("section", {}, h("input", { type: "search" }), h("p", { role: "status" }), list);
  const [finder, chosen] = [new GameFinder(element), []];
  finder.addEventListener("chosen", ({ detail }) => chosen.push(detail.playable.ruleset));
  return { finder, chosen, names: () => texts(list, "button") };
}

test("the list has the games of the last search, although the answer to an earlier one comes later", async () => {
  const { finder, names } = gameFinder();
  const arrives = slowly((words) => ({ playable: [playable(words)] }));
  await type(finder.field, "uno");
  await type(finder.field, "uno flip");
  await arrives("uno flip");
  await arrives("uno");
  assert.deepEqual(names(), ["uno flip"]);
  await type(finder.field, "");
  assert.deepEqual(names(), ["usual"]);
});

test("Enter chooses the best match at once, and nothing while no name is typed", async () => {
  const { finder, chosen } = gameFinder();
  service = async () => ({ playable: [playable("uno"), playable("uno flip")] });
  const strike = async (more = {}) => {
    finder.field.dispatchEvent({ type: "keydown", key: "Enter", ...more });
    await settled();
  };
  await strike();
  assert.deepEqual(chosen, []);
  finder.field.value = "uno";
  await strike({ isComposing: true });
  assert.deepEqual(chosen, []);
  await strike();
  assert.deepEqual(chosen, ["uno"]);
});

test("a game that is known by no name is called as somebody typed it", async () => {
  const { finder } = gameFinder();
  const called = [];
  finder.addEventListener("chosen", ({ detail }) => called.push(detail.called));
  finder.field.value = " Mau Mau ";
  for (const fits of ["any", "name"]) {
    service = async () => ({ playable: [{ ...playable("plain"), fits }] });
    finder.field.dispatchEvent({ type: "keydown", key: "Enter" });
    await settled();
  }
  assert.deepEqual(called, ["Mau Mau", ""]);
});

// Sheets

function sheetFinder() {
  const element = h("section", {}, h("input", { type: "search" }), h("p", { class: "count" }));
  element.append(h("ul", { class: "found" }), h("p", { class: "answer" }));
  element.append(h("button", { class: "file" }), h("input", { type: "file" }));
  const found = { element, files: [], listed: 0, names: () => texts(element, ".found h3") };
  element.querySelector("[type=search]").type = "search";
  found.finder = new SheetFinder(element, true);
  found.finder.addEventListener("file", ({ detail }) => found.files.push(detail));
  found.finder.addEventListener("listed", () => (found.listed += 1));
  return found;
}
const template = (name, kept = false) => ({ name, kept, title: name, ja: "", about: "", checked: null, sources: [] });

test("the sheets of the last search are shown, although the answer to an earlier one comes later", async () => {
  const { finder, names } = sheetFinder();
  const arrives = slowly((words) => ({ templates: [template(words)], found: 1 }));
  await type(finder.field, "uno");
  await type(finder.field, "uno flip");
  await arrives("uno flip");
  await arrives("uno");
  assert.deepEqual(names(), ["uno flip"]);
});

test("the same file can be read again", () => {
  const { element, files } = sheetFinder();
  const field = element.querySelector("[type=file]");
  Object.assign(field, { value: "uno.json", files: ["the file"] });
  field.dispatchEvent({ type: "change" });
  assert.deepEqual([field.value, files], ["", ["the file"]]);
});

test("only the list of all sheets says which names are taken", async () => {
  const { finder } = sheetFinder();
  service = async () => ({ templates: [template("Ours", true), template("uno")], found: 2 });
  await finder.find();
  assert.deepEqual([...finder.ownNames], ["Ours"]);
  service = async () => ({ templates: [template("Theirs", true)], found: 1 });
  await type(finder.field, "theirs");
  assert.deepEqual([...finder.ownNames], ["Ours"]);
});

// The seats

/** Seats for two to six people, with buttons for people who are known. */
function seats({ known = [], ...ruleset } = {}) {
  const chips = known.map((name) => h("button", { "data-person": name }, name));
  const group = h("button", { "data-people": JSON.stringify(known) }, "all");
  const form = h("form", {}, h("div", { class: "known" }, ...chips, group), h("div", { id: "seats" }));
  form.append(h("p", { class: "answer" }));
  const fields = new SeatFields(form, { min_seats: 2, max_seats: 6, seat_names: [], ...ruleset });
  fields.count.checkValidity = () => Boolean(fields.count.value);
  listenToChips(form, fields);
  form.querySelector(".known").addEventListener("click", (event) => form.querySelector(".known").onclick(event));
  const names = () => form.querySelectorAll("[data-seat]").map(({ value }) => value);
  return { form, fields, names, tap: (at) => form.querySelectorAll(".known button")[at].click() };
}

function set(fields, count) {
  fields.count.value = count;
  fields.count.dispatchEvent({ type: "input" });
}

test("who sets the number of seats has so many fields, and typed names come back with their seats", () => {
  const { fields, form, names } = seats();
  assert.equal(names().length, 4, "fields for names at first");
  for (const [seat, field] of form.querySelectorAll("[data-seat]").entries()) field.value = "ABCD"[seat];
  set(fields, 2);
  assert.deepEqual(names(), ["A", "B"]);
  set(fields, "");
  assert.deepEqual(names(), ["A", "B"], "no number is typed yet");
  set(fields, 6);
  assert.deepEqual(names().slice(0, 4), ["A", "B", "C", "D"]);
  assert.ok(fields.another.hidden);
});

test("a tap on a known person seats them, another one frees the seat, and the number follows", () => {
  const { fields, names, tap } = seats({ known: ["Anna", "Ben", "Cai"] });
  assert.equal(names().length, 2);
  tap(3);
  assert.deepEqual([names(), fields.count.value], [["Anna", "Ben", "Cai"], "3"]);
  tap(1);
  assert.deepEqual([names(), fields.count.value], [["Anna", "Cai"], "2"]);
  set(fields, 3);
  assert.deepEqual(names().slice(0, 2), ["Anna", "Cai"]);
  assert.equal(names()[2], "", "nobody who has left sits there");
  tap(2);
  tap(0);
  assert.deepEqual([names(), fields.count.value], [["", ""], "2"]);
});

test("with too few seats somebody is asked to sit out", () => {
  const { form, names, tap } = seats({ known: ["Anna", "Ben", "Cai"], max_seats: 2 });
  tap(3);
  assert.deepEqual(texts(form, ".answer button"), ["Anna", "Ben", "Cai"]);
  form.querySelectorAll(".answer button")[1].click();
  assert.deepEqual([names(), form.querySelector(".answer").textContent], [["Anna", "Cai"], ""]);
});
