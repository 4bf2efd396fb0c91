/** The forms of entries that are no moves: what they compose, ask and offer, for each answer of somebody at the table. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { JS } from "./pages.mjs";
import { called, fill, texts } from "./document.mjs";

const { h } = await import(new URL("base/dom.js", JS));
const { Words } = await import(new URL("base/words.js", JS));
const forms = await import(new URL("record/entry-forms.js", JS));
const { useEventTypes } = await import(new URL("record/event-types.js", JS));
const { lateForm } = await import(new URL("record/late-form.js", JS));
const { markerForm } = await import(new URL("record/marker-form.js", JS));
const { stopForm } = await import(new URL("record/stop-form.js", JS));
const { showRevised } = await import(new URL("record/revised.js", JS));
const { showBookmarks } = await import(new URL("record/bookmarks.js", JS));

const RULESET = { title: { en: "X" }, rules: [], effects: {}, terms: {}, max_seats: 3 };
const seats = ["Anna", "Ben"].map((name, seat) => ({ seat, name, label: { en: `Player ${seat + 1}` } }));
const words = new Words(RULESET, seats);

/** The dialog of a form: how often it tries the entry, and the record that it is for. */
let tries;
let dialog;
const entry = { version: 4, type: "move.made", seat: 1, notation: "a-b" };
const order = (...effects) => effects.map((seat) => ({ effects: [{ seat }] }));
beforeEach(() => {
  document.body.dataset.limits = "{}";
  useEventTypes({ "note.added": { label: "a note" } });
  tries = [];
  const record = { placeOf: (version) => version, order: [], entries: [], head: 4 };
  dialog = { record, tryNow: () => tries.push("now"), tryLater: () => tries.push("later") };
});

/** What somebody sees of a form, and its fields by their labels. */
function shown(form) {
  const element = h("form", {}, ...form.fields);
  const labelled = element
    .all("label")
    .map((label) => [
      label.childNodes.map((node) => node.textContent ?? node)[0],
      label.querySelector("input, select, textarea"),
    ]);
  return { element, field: (name) => labelled.find(([text]) => String(text).startsWith(name))[1] };
}

function choose(field, value) {
  field.value = value;
  field.dispatchEvent(new Event("change"));
}

// Notes

test("a note is about its entry or the whole game, and a bookmark always about its entry", () => {
  const form = forms.noteForm(dialog.record, words, entry);
  const { element } = shown(form);
  const [text] = element.all("textarea");
  const [named, mark] = element.querySelectorAll("input");
  assert.match(element.textContent, /about entry 4, Ben: a-b/);
  assert.equal(form.compose(), null, "an empty note is none");
  text.value = " well played ";
  const note = (data) => ({ type: "note.added", data: { text: "well played", ...data } });
  assert.deepEqual(form.compose(), note({ entry: 4 }));
  named.checked = false;
  assert.deepEqual(form.compose(), note({}));
  mark.checked = true;
  assert.deepEqual(form.compose(), note({ entry: 4, bookmark: true }));
  text.value = "  ";
  assert.equal(form.compose(), null);
  assert.deepEqual([form.title, form.verb], ["Add a note", "Add the note"]);
  const bookmark = forms.noteForm(dialog.record, words, entry, { bookmark: true });
  assert.deepEqual([bookmark.title, bookmark.verb], ["Bookmark this moment", "Set the bookmark"]);
  assert.ok(shown(bookmark).element.querySelectorAll("input")[1].checked);
});

// Seats

test("a seat goes to a named person or to a guest, and one person at two seats is a question", () => {
  const form = forms.seatChangeForm(words, dialog);
  const { field } = shown(form);
  const [seat, who] = [field("Seat"), field("Who sits there")];
  assert.deepEqual(texts(seat, "option"), ["Player 1: Anna", "Player 2: Ben"]);
  assert.deepEqual([form.compose().data, form.asks()], [{ seat: 0 }, null]);
  choose(seat, "1");
  who.value = " Carl ";
  assert.deepEqual(form.compose(), { type: "seat.changed", data: { seat: 1, name: "Carl" } });
  assert.equal(form.asks(), null);
  who.value = " anna ";
  assert.match(form.asks().textContent, /^anna sits at two seats/);
  fill(who, "anna");
  assert.deepEqual(tries, ["later"]);
  choose(seat, "0");
  assert.equal(form.asks(), null, "who sits there already sits at one seat");
});

test("a record is closed as what the game is: abandoned, finished, or decided by a ruling", () => {
  const ways = ["playing", "finished", "adjudicated"].map((status) => {
    const { title, compose } = forms.closingForm({ status });
    return [title, compose(), forms.closingAction({ status })];
  });
  const closed = (how) => ({ type: "game.closed", data: { how } });
  assert.deepEqual(ways, [
    ["Abandon the game?", closed("abandoned"), "Abandon the game"],
    ["Close the record?", closed("finished"), "Close the record as finished"],
    ["Close the record?", closed("adjudicated"), "Close the record as adjudicated"],
  ]);
  assert.equal(forms.closingForm({ status: "playing" }).reason.required, undefined);
  const { reason, compose } = forms.reopeningForm();
  assert.deepEqual([reason.required, compose()], [true, { type: "game.reopened", data: {} }]);
});

// Score sheets

test("somebody who comes late takes a new seat with their name, by the rule of the sheet or another", () => {
  const form = lateForm(words, "zero", dialog);
  const { element, field } = shown(form);
  const [seat, name, points] = [field("Player"), field("Name"), field("Points")];
  const move = () => form.compose().data.move;
  assert.deepEqual(texts(seat, "option"), ["somebody new", "Anna", "Ben"]);
  assert.deepEqual([move(), form.further(), form.asks()], ["p3 in", [], null]);
  fill(name, " Carl ");
  assert.deepEqual(form.further(), [{ type: "seat.changed", data: { seat: 2, name: "Carl" } }]);
  for (const known of ["Anna", "Ben"]) {
    fill(name, known);
    assert.match(form.asks().textContent, new RegExp(`^${known} sits at two seats`));
  }
  choose(points, "average");
  assert.equal(move(), "p3 in average");
  choose(points, "zero");
  assert.equal(move(), "p3 in");
  choose(seat, "1");
  assert.deepEqual(tries, ["later", "later", "later", "now", "now", "now"]);
  assert.ok(element.querySelectorAll("label").find(({ textContent }) => textContent.startsWith("Name")).hidden);
  assert.deepEqual([move(), form.further(), form.asks()], ["p2 in", [], null], "Ben has a name already");
  choose(seat, "2");
  assert.equal(form.further().length, 1);
});

test("the seat that waits for somebody is chosen, and a full table has no new one", () => {
  const chosen = (wordsOf, ...effects) => {
    dialog.record.order = [{}, ...order(...effects)];
    const form = lateForm(wordsOf, "nothing", dialog);
    form.fields[1].querySelector("input").value = "Carl";
    return [texts(shown(form).element, "option")[0], form.compose().data.move, form.further().length];
  };
  assert.deepEqual(chosen(words, 0), ["somebody new", "p2 in", 0]);
  assert.deepEqual(chosen(words, 1), ["somebody new", "p1 in", 0]);
  assert.deepEqual(chosen(words, 0, 1), ["somebody new", "p3 in", 1]);
  assert.deepEqual(chosen(new Words({ ...RULESET, max_seats: 2 }, seats), 0), ["Anna", "p2 in", 0]);
});

test("a marker goes to a seat from this round on, or away from it", () => {
  const form = markerForm(
    [
      { id: "deal", name: "Dealer" },
      { id: "solo", name: "Solo" },
    ],
    words,
    dialog,
  );
  const { field } = shown(form);
  assert.deepEqual(form.compose(), { type: "move.made", data: { move: "deal p1" } });
  choose(field("Marker"), "solo");
  choose(field("Player"), "p2");
  choose(field("What is right"), field("What is right").options[1].value);
  assert.equal(form.compose().data.move, "solo p2 off");
  assert.deepEqual(tries, ["now", "now", "now"]);
});

test("a game is stopped in one of the ways of its sheet", () => {
  const stops = ["leads", "nobody"].map((name) => ({ text: `stop ${name}`, name }));
  const form = stopForm(stops, dialog);
  assert.deepEqual(form.compose(), { type: "move.made", data: { move: "stop leads" } });
  choose(shown(form).field("How it counts"), "stop nobody");
  assert.deepEqual([form.compose().data.move, tries], ["stop nobody", ["now"]]);
});

// Newer rules

const REVISED = {
  newest: 3,
  changes: ["Islands count twice."],
  entries: [],
  entries_left_out: 0,
  scores: [2, 1],
  scores_after: [2, 1],
  outcome: null,
  outcome_after: null,
};
const before = { effects: [{ kind: "x", text: "fine", rule: "x:A-1" }] };
const after = { unreplayable: "no such island", points: [{ points: 4, seat: 1, rule: "x:A-2" }] };
const changed = { version: 4, notation: "a-b", before, after };

function revised(more, { closed = null, ask = null } = {}) {
  const element = h("div", {});
  showRevised(element, { ...REVISED, ...more }, { closed, placeOf: Number }, words, ask);
  return element;
}

test("newer rules say what they would change: nothing, the score, the outcome, or so many entries", () => {
  const said = (more) => texts(revised(more), "p");
  assert.deepEqual(said({}), ["They would change nothing here."]);
  assert.deepEqual(said({ scores_after: [2, 5] }), ["Newer rules would change no entry.", "Score: 2 – 1 2 – 5"]);
  const [none, outcome] = said({
    outcome_after: { winners: [1], ranks: [2, 1], reason: "most points", rule: "x:A-1" },
  });
  assert.equal(none, "Newer rules would change no entry.");
  assert.match(outcome, /^The game goes on\. Ben won/);
  assert.equal(said({ entries: [changed] })[0], "Newer rules would change 1 entry.");
  const element = revised({ entries: [changed], entries_left_out: 2 });
  assert.equal(texts(element, "p")[0], "Newer rules would change 3 entries.");
  assert.equal(texts(element, "details .hint")[0], "2 more are not shown.");
  assert.match(texts(element, ".was")[0], /^entry 4 a-b now(?!.*cannot be carried out)/);
  assert.match(element.textContent, /It cannot be carried out: no such island.*Ben: 4 /);
});

test("who may rule moves a game on to newer rules, unless its record is closed", () => {
  const asked = [];
  const ask = (form) => asked.push(form.compose());
  assert.deepEqual(texts(revised({}), "button"), []);
  called(revised({}, { ask }), "button", "Move the game on to revision 3").click();
  assert.deepEqual(asked, [{ type: "revision.adopted", data: { revision: 3 } }]);
  const closed = revised({}, { ask, closed: "finished" });
  assert.deepEqual(texts(closed, "button"), []);
  assert.match(closed.textContent, /The record is closed/);
});

// Bookmarks

test("bookmarks that stand lead to their entry, and none are no heading", () => {
  const [element, record] = [h("div", {}), new EventTarget()];
  showBookmarks(element, record);
  const show = (...marks) => {
    record.order = marks;
    record.dispatchEvent(new Event("entries"));
    return element.all("a").map((link) => [link.getAttribute("href"), link.textContent]);
  };
  const mark = { version: 6, entry: 4, bookmark: true, text: "here" };
  assert.deepEqual(show(mark, { ...mark, bookmark: false }, { ...mark, withdrawn_by: 8 }), [["#4", "★ here entry 4"]]);
  assert.deepEqual(
    [element.hidden, show({ ...mark, entry: null, erased: [{ what: "text" }] })],
    [false, [["#6", "★  entry 6"]]],
  );
  assert.deepEqual([show({ ...mark, bookmark: false }), element.hidden], [[], true]);
});
