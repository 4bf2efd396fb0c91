/** The score beside the paper of the table: the audit, the form for a paper, and the comparison of both. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { JS } from "./pages.mjs";
import { called, fill, settled, texts } from "./document.mjs";

const { embed } = await import(new URL("base/api.js", JS));
const { Words } = await import(new URL("base/words.js", JS));
const { showAudit } = await import(new URL("audit/audit.js", JS));
const { claimForm } = await import(new URL("audit/claim-form.js", JS));
const { showClaims } = await import(new URL("audit/claims.js", JS));
const { compareClaims } = await import(new URL("audit/comparing.js", JS));

const RULESET = { rules: [], effects: {}, terms: {} };
const SEATS = ["Anna", "Björn"].map((name, seat) => ({ seat, label: { en: `Player ${seat + 1}` }, name }));
const words = new Words(RULESET, SEATS);
const line = (seat, points, category, version) => ({ seat, points, category, version, rule: "game:R-1" });

/** A record that answers its own questions. */
class Log extends EventTarget {
  path = "/g";
  head = 9;
  at = 9;
  currentPlace = 9;
  game = "01a";
  isAtNewest = true;
  viewpoint = "record";
  entries = [];
  order = [];

  address(what, { after }) {
    return `/g/${what}?after=${after}`;
  }

  /** Tell that the entries have changed. */
  async change(parts) {
    Object.assign(this, parts);
    this.dispatchEvent(new Event("entries"));
    await settled();
  }
}

let log;
let place;
/** What happens when somebody comes near to an element. */
let near;

beforeEach(() => {
  [log, place, near] = [new Log(), document.createElement("div"), new Map()];
  document.body.replaceChildren(place);
  document.body.dataset.limits = "{}";
  document.getElementById = () => ({ classList: { contains: () => false } });
  globalThis.IntersectionObserver = class {
    constructor(act) {
      this.act = act;
    }
    observe(element) {
      near.set(element, () => this.act([{ isIntersecting: true }]));
    }
    disconnect() {}
  };
});

const answer = (answers) =>
  embed(Object.fromEntries(Object.entries(answers).map(([path, body]) => [path, { body, tag: null }])));

// The comparison

const seatOf = (seat, claimed, audited, more = {}) => ({
  seat,
  claimed,
  audited,
  difference: claimed == null ? 0 : claimed - audited,
  explained_by: [],
  twice: [],
  ...more,
});
const lineOf = (seat, category, claimed, audited, more = {}) => ({
  ...seatOf(seat, claimed, audited),
  category,
  lines: [],
  ...more,
});

/** Compare one paper with the audit. Returns its section. */
async function compared(paper, lines = []) {
  const whole = { version: 2, entry: 1, agrees: false, seats: [], lines: [], ...paper };
  log.entries = [{}, { erased: paper.erased }];
  answer({ "/g/claims": { claims: [whole] }, "/g/score?after=1": { lines } });
  await compareClaims(place, log, words);
  return place.querySelector("section");
}
const rows = (section) => section.querySelectorAll("tr").map((row) => texts(row, "th, td").join("|"));

test("a paper that agrees says so, and what was written beside it", async () => {
  const section = await compared({ agrees: true, text: "from the pad", seats: [seatOf(0, 3, 3)] });
  assert.equal(section.getAttribute("class"), "claim");
  assert.match(section.textContent, /^It agrees with the audit\. Written after entry 1: from the pad/);
  assert.deepEqual(rows(section), ["Who|Paper|Audit|Difference", "Anna|3|3|0"]);
  assert.equal(section.querySelectorAll("table").length, 1, "no table of lines");
});

test("a text that was erased does not stand beside its paper", async () => {
  const section = await compared({ agrees: true, text: "Anna cheats", erased: [{ what: "text" }] });
  assert.match(section.textContent, /Written after entry 1\.$/);
  assert.deepEqual(section.querySelectorAll("table"), []);
});

test("each difference has its sign, its mark and the seat that nobody wrote down a dash", async () => {
  const section = await compared({ seats: [seatOf(0, 7, 3), seatOf(1, null, 4)] });
  assert.equal(section.getAttribute("class"), "claim differs");
  assert.match(section.textContent, /^It differs from the audit\./);
  assert.deepEqual(rows(section).slice(1), ["Anna|7|3|+4", "The audit has no points of this seat.", "Björn|–|4|0"]);
  const marks = section.querySelectorAll("tr").map((row) => row.getAttribute("class"));
  assert.deepEqual(marks, [null, "differs", "note", null]);
  assert.equal(texts(section, "td.number").length, 6);
  assert.deepEqual(texts(section, "td b"), ["+4"]);
});

test("a difference names the lines that the paper lacks or has twice", async () => {
  const [lacked, twice] = [line(0, 2, "longest-road", 5), line(1, 3, "army", 6)];
  const section = await compared({
    seats: [seatOf(0, 1, 3, { explained_by: [lacked] }), seatOf(1, 6, 3, { explained_by: [twice], twice: [twice] })],
  });
  const [first, second] = texts(section, "tr.note");
  assert.equal(first.trim(), "It is as if the paper lacked 2 for longest road from entry 5 R-1.");
  assert.match(second, /lacked 3 for army from entry 6 R-1\. It is as if the paper counted twice 3 for army/);
});

test("a difference without an explanation shows the audit of that seat at that moment", async () => {
  const audit = [line(0, 2, "army", 5), line(0, 0, "road", 6), line(1, 4, "city", 7), line(0, 1, "port", 8)];
  const section = await compared({ seats: [seatOf(0, 9, 3), seatOf(1, 9, 4)] }, audit);
  const notes = texts(section, "tr.note");
  assert.match(notes[0], /the audit has 2 for army from entry 5 R-1 and 1 for port from entry 8 R-1\.$/);
  assert.match(notes[1], /the audit has 4 for city from entry 7 R-1\.$/);
});

test("the audit of a moment is asked for where a difference has no explanation, and only there", async () => {
  const explained = seatOf(0, 1, 3, { explained_by: [line(0, 2, "army", 5)] });
  for (const [seats, asks] of [
    [[explained], 0],
    [[seatOf(0, 3, 3)], 0],
    [[explained, seatOf(1, 9, 4)], 1],
  ]) {
    let asked = 0;
    const address = log.address;
    log.address = (...given) => {
      asked += 1;
      return address(...given);
    };
    await compared({ seats });
    log.address = address;
    assert.equal(asked, asks);
  }
});

test("lines of a paper stand beside those of the audit, each with what it may be", async () => {
  const own = line(0, 2, "army", 5);
  const section = await compared({
    seats: [seatOf(0, 9, 3)],
    lines: [
      lineOf(0, "army", 4, 2, { lines: [own], twice: [own] }),
      lineOf(0, "round-3", 5, 2, { lines: [own] }),
      lineOf(1, "port", 1, 1, { lines: [own] }),
      lineOf(1, "city", 8, 0),
    ],
  });
  const [seats, lines] = section.querySelectorAll("table").map(rows);
  assert.equal(seats.at(-1), "The lines of paper and audit stand side by side below.");
  assert.deepEqual(
    lines.map((text) => text.trim()),
    [
      "Who|For|Paper|Audit|Difference",
      "Anna|army|4|2|+2",
      "It is as if the paper counted twice 2 for army from entry 5 R-1.",
      "Anna|round 3|5|2|+3",
      "The audit has 2 for army from entry 5 R-1.",
      "Björn|port|1|1|0",
      "Björn|city|8|0|+8",
    ],
  );
  const spans = section.querySelectorAll("[colspan]").map((cell) => cell.getAttribute("colspan"));
  assert.deepEqual(spans, ["4", "5", "5"]);
});

test("a seat without lines on the paper is explained by its audit, though another seat has lines", async () => {
  const section = await compared({
    seats: [seatOf(0, 9, 3)],
    lines: [lineOf(1, "city", 8, 0), lineOf(0, "army", null, 3)],
  });
  assert.equal(texts(section, "tr.note")[0], "The audit has no points of this seat.");
});

test("papers stand one below the other, each with its own audit", async () => {
  const seats = [seatOf(0, 9, 3)];
  const paper = (version, entry) => ({ version, entry, agrees: false, text: null, seats, lines: [] });
  log.entries = Array.from({ length: 4 }, () => ({}));
  answer({
    "/g/claims": { claims: [paper(2, 1), paper(4, 3)] },
    "/g/score?after=1": { lines: [line(0, 1, "army", 1)] },
    "/g/score?after=3": { lines: [line(0, 3, "city", 3)] },
  });
  await compareClaims(place, log, words);
  const sections = place.querySelectorAll("section");
  assert.deepEqual(
    sections.map((each) => each.getAttribute("aria-label")),
    ["The claim of entry 2", "The claim of entry 4"],
  );
  assert.match(sections[0].textContent, /1 for army from entry 1/);
  assert.match(sections[1].textContent, /3 for city from entry 3/);
});

// When papers are shown

const CLAIM = { type: "score.claimed" };
const script = (text) => `data:text/javascript,${encodeURIComponent(text)}`;
const COUNTING = "export const compareClaims = async (place) => place.append(`shown `);";

test("papers are compared once for each state of the record, and gone when they are withdrawn", async () => {
  place.dataset.script = script(COUNTING);
  showClaims(place, log, words);
  await log.change({ entries: [{ type: "move.made" }] });
  assert.equal(place.textContent, "");
  await log.change({ entries: [CLAIM] });
  await log.change({});
  assert.equal(place.textContent, "shown ");
  await log.change({ head: 10 });
  assert.equal(place.textContent, "shown shown ");
  await log.change({ viewpoint: "public" });
  assert.equal(place.textContent, "shown shown shown ");
  await log.change({ entries: [{ ...CLAIM, withdrawn_by: 11 }] });
  assert.equal(place.textContent, "");
});

test("papers that could not be compared are compared at the next news", async () => {
  globalThis.fails = true;
  place.dataset.script = script(`export async function compareClaims(place) {
    if (globalThis.fails) throw new Error();
    place.append("shown");
  }`);
  showClaims(place, log, words);
  await log.change({ entries: [CLAIM] });
  assert.equal(place.textContent, "");
  globalThis.fails = false;
  await log.change({});
  assert.equal(place.textContent, "shown");
});

// The form

/** The form for a paper, and how often it asked for a trial. */
async function openForm({ names = [], failing = false } = {}) {
  const trials = { count: 0 };
  const lines = names.map((category) => line(0, 1, category, 1));
  answer(failing ? {} : { "/g/score?after=9": { lines } });
  globalThis.fetch = async () => Promise.reject(new TypeError("no network"));
  const form = claimForm(log, words, { tryLater: () => (trials.count += 1) });
  place.append(...form.fields);
  return { form, trials, add: () => called(place, "button", "Add a line of it").click() };
}
const totals = () => place.querySelector(".fields").all("input");
const items = () => place.all("li");
function write(item, { seat = 0, what, points }) {
  fill(item.querySelector("select"), seat);
  const [name, number] = item.all("input");
  fill(name, what);
  fill(number, points);
}

test("a paper has the sums of some seats, or none", async () => {
  const { form } = await openForm();
  assert.equal(form.compose(), null);
  fill(totals()[1], "0");
  assert.deepEqual(form.compose(), { type: "score.claimed", data: { scores: [null, 0] } });
  fill(place.all("input").at(-1), "  from the pad ");
  assert.equal(form.compose().data.text, "from the pad");
});

test("a paper of an earlier moment names its entry", async () => {
  Object.assign(log, { at: 4, isAtNewest: false });
  const { form } = await openForm();
  assert.equal(form.lead, "The score as it stood after entry 4.");
  fill(totals()[0], "3");
  assert.deepEqual(form.compose().data, { scores: [3, null], entry: 4 });
});

test("a line has a seat, a name and points, and goes by the audit's name", async () => {
  const { form, add } = await openForm({ names: ["longest-road"] });
  await settled();
  add();
  assert.equal(document.activeElement, items()[0].querySelector("select"));
  assert.equal(form.compose(), null, "an empty line is not complete");
  write(items()[0], { seat: 1, what: "longest road", points: "" });
  assert.equal(form.compose(), null, "no points");
  write(items()[0], { seat: 1, what: " ", points: "2" });
  assert.equal(form.compose(), null, "no name");
  write(items()[0], { seat: 1, what: " longest road ", points: "2" });
  const own = { seat: 1, category: "longest-road", points: 2 };
  assert.deepEqual(form.compose().data, { lines: [own] });
  add();
  fill(totals()[0], "5");
  assert.equal(form.compose(), null, "one line of two");
  write(items()[1], { seat: 0, what: "luck", points: "0" });
  assert.deepEqual(form.compose().data, { scores: [5, null], lines: [own, { seat: 0, category: "luck", points: 0 }] });
});

test("names of the audit are offered once each, and without them a line keeps its own", async () => {
  await openForm({ names: ["army", "longest-road", "army"] });
  await settled();
  const options = place.querySelector("datalist").all("option");
  assert.deepEqual(
    options.map((option) => option.value),
    ["army", "longest road"],
  );
  place.replaceChildren();
  const { form, add } = await openForm({ failing: true });
  add();
  write(items()[0], { what: "army", points: "1" });
  assert.equal(form.compose(), null, "the names are still asked for");
  await settled();
  assert.deepEqual(form.compose().data.lines, [{ seat: 0, category: "army", points: 1 }]);
});

test("lines are tried again when the names are there, and when one is left out", async () => {
  const none = await openForm({ names: ["army"] });
  await settled();
  assert.equal(none.trials.count, 0, "there is no line to try");
  place.replaceChildren();
  const { add, trials } = await openForm({ names: ["army"] });
  add();
  add();
  assert.equal(trials.count, 0);
  await settled();
  assert.equal(trials.count, 1);
  called(items()[0], "button", "Leave it out").click();
  assert.equal(trials.count, 2);
  assert.equal(items().length, 1);
});

test("a form that was left is not tried", async () => {
  const { add, trials } = await openForm({ names: ["army"] });
  add();
  document.body.replaceChildren();
  await settled();
  assert.equal(trials.count, 0);
});

// The audit

const AUDIT = { scores: [3, 1], lines: [], irregular: {}, rules: [], outcome: null };
async function audited(body, audit = document.createElement("div"), rulebook = document.createElement("div")) {
  answer({ "/g/score?after=9": { ...AUDIT, ...body }, "/rulesets/game": "<article>" });
  await showAudit(audit, rulebook, log, words);
  return { audit, rulebook };
}

/** The page of a rulebook: each rule has a section that says its id. */
globalThis.DOMParser = class {
  parseFromString() {
    const section = (id) => Object.assign(document.createElement("section"), { textContent: `The rule ${id}` });
    return { getElementById: section };
  }
};
document.importNode = (node) => node;

test("the audit has its moment, its scores and every line", async () => {
  const lines = [line(0, 2, "longest-road", 5), { ...line(1, -1, "army", 6), note: "lost by player 1" }];
  const { audit } = await audited({ lines });
  assert.equal(texts(audit, ".sum")[0], "After entry 9: 3 – 1");
  assert.deepEqual(rows(audit).slice(1), ["longest road|Anna|2|5|R-1", "army|Björn|-1|6|R-1", "lost by Anna"]);
  assert.deepEqual(texts(audit, ".empty"), []);
  assert.equal(audit.querySelector("tr.noted").textContent.startsWith("army"), true);
  assert.deepEqual(
    audit.querySelectorAll("td a").map((link) => link.getAttribute("href")),
    ["#5", "/rulesets/game#R-1", "#6", "/rulesets/game#R-1"],
  );
});

test("an audit without points says so, and how the game ended", async () => {
  const outcome = { ranks: [1, 2], winners: [0], reason: "target_reached", rule: "game:END-1" };
  const { audit } = await audited({ outcome });
  assert.deepEqual(texts(audit, ".empty"), ["No points yet."]);
  assert.match(audit.textContent, /Anna won · Target reached END-1/);
});

test("an answer for a moment that is left does not replace what is shown", async () => {
  answer({ "/g/score?after=9": AUDIT });
  place.append("newer");
  const shown = showAudit(place, document.createElement("div"), log, words);
  log.at = 8;
  await shown;
  assert.equal(place.textContent, "newer");
});

test("rulings stand in the audit if they are valid at that moment", async () => {
  const ruling = (version, more = {}) => ({ version, type: "ruling.given", text: `why ${version}`, ...more });
  log.order = [ruling(2), ruling(3, { withdrawn_by: 4 }), { version: 4, type: "move.made" }, ruling(5), ruling(6)];
  log.currentPlace = 4;
  const { audit } = await audited({});
  assert.deepEqual(texts(audit, ".rulings li"), ["Entry 2: why 2", "Entry 5: why 5"]);
});

test("irregular entries stand in the audit with the rules that they broke", async () => {
  const { audit } = await audited({ irregular: { 4: ["game:A-1", "game:B-2"] } });
  assert.deepEqual(texts(audit, ".flags li"), ["Entry 4 A-1 B-2"]);
  assert.deepEqual(texts((await audited({})).audit, ".flags li"), []);
});

test("a printed audit has a line for each person, the referee, and place and date", async () => {
  const { audit } = await audited({});
  assert.deepEqual(texts(audit, ".signatures li"), ["Anna", "Björn", "Referee", "Place and date"]);
  assert.match(texts(audit, ".signatures .meta")[0], /^Record 01a, after entry 9/);
  assert.ok(called(audit, "button", "Print the audit"));
  document.getElementById = () => ({ classList: { contains: (name) => name === "sheet-game" } });
  assert.ok(called((await audited({})).audit, "button", "Print the sheet"));
});

test("rules behind the points are shown to who comes near, for the moment that is looked at", async () => {
  const { rulebook } = await audited({ rules: [{ id: "game:R-1" }] });
  assert.equal(rulebook.textContent, "");
  log.at = 8;
  near.get(rulebook)();
  await settled();
  assert.equal(rulebook.textContent, "");
  log.at = 9;
  near.get(rulebook)();
  await settled();
  assert.equal(rulebook.textContent, "The rules behind itThe rule R-1");
  await audited({}, undefined, rulebook);
  assert.equal(rulebook.textContent, "", "the rules of another moment are gone");
});

test("a hidden audit of more than a hundred lines is drawn to who comes near, or prints", async () => {
  const many = (count) => Array.from({ length: count }, (_, at) => line(0, 1, "army", at + 1));
  const printing = [];
  globalThis.addEventListener = (_, act) => printing.push(act);
  const hidden = () => {
    const audit = document.createElement("div");
    const tab = document.createElement("section");
    tab.setAttribute("hidden", "");
    tab.append(audit);
    return audit;
  };
  const count = ({ audit }) => audit.querySelectorAll("tbody tr").length;
  assert.equal(count(await audited({ lines: many(100) }, hidden())), 100);
  assert.equal(count(await audited({ lines: many(101) })), 101, "an audit in sight");
  const later = await audited({ lines: many(101) }, hidden());
  assert.equal(count(later), 0);
  for (const print of printing) print();
  assert.equal(count(later), 101);
  const again = await audited({ lines: many(102) }, later.audit);
  assert.equal(count(again), 0);
  assert.equal(printing.length, 1, "one listener for an audit");
  [...near.values()].at(-2)();
  assert.equal(count(again), 102);
  const newest = await audited({ lines: many(103) }, later.audit);
  printing[0]();
  assert.equal(count(newest), 103);
});
