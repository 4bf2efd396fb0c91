/** What a correction changes: its preview, other entries, those that conflict, and a fork in its place. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { JS } from "./pages.mjs";
import { called, texts } from "./document.mjs";

const { h } = await import(new URL("base/dom.js", JS));
const { Words } = await import(new URL("base/words.js", JS));
const { useEventTypes } = await import(new URL("record/event-types.js", JS));
const { Conflicts } = await import(new URL("record/conflicts.js", JS));
const { consequencesView } = await import(new URL("record/consequences.js", JS));
const { ForkDialog } = await import(new URL("record/forking.js", JS));
const { previewView } = await import(new URL("record/preview.js", JS));

const SEATS = ["Anna", "Ben"].map((name, seat) => ({ seat, name, label: { en: `Player ${seat + 1}` } }));
const words = new Words({ rules: [], effects: {}, terms: {} }, SEATS);
const entries = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((version) => ({ version, type: "x", notation: `move ${version}` }));
const record = { entries, placeOf: (version) => version, head: 9, path: "/g", facts: { title: "Sunday" } };

/** Entries that conflict, and how often somebody chose. */
let conflicts;
let chosen;
beforeEach(() => {
  document.body.dataset.limits = "{}";
  useEventTypes({});
  chosen = 0;
  conflicts = new Conflicts(record, words, () => (chosen += 1));
});

const report = (...versions) =>
  conflicts.showReported(versions.map((version) => ({ version, why: "no card", choices: ["keep", "withdraw"] })));
const listed = () => texts(conflicts.list, "legend");
const radio = (entry, value) => conflicts.list.children[entry].querySelector(`input[value=${value}]`);
function choose(entry, value) {
  const field = radio(entry, value);
  field.checked = true;
  field.dispatchEvent({ type: "change" });
}

test("conflicts are asked about in their order, until something is chosen for each and it fits", () => {
  report(5, 3);
  assert.deepEqual(listed(), ["Entry 3 · move 3", "Entry 5 · move 5"]);
  assert.equal(conflicts.status.textContent, "2 later entries no longer fit. What should happen to each?");
  choose(1, "keep");
  assert.deepEqual([conflicts.choicesData, chosen], [{ keep: [5] }, 1]);
  choose(0, "keep");
  assert.deepEqual(conflicts.choicesData, { keep: [5, 3] });
  assert.equal(conflicts.status.textContent, "Something is chosen for each.");
  conflicts.setChoices({ keep: [3, 5] });
  assert.equal(conflicts.status.textContent, "With these choices everything fits.");
  assert.ok(conflicts.element.classList.contains("settled"));
  conflicts.reset();
  assert.deepEqual([conflicts.element.hidden, conflicts.choicesData], [true, {}]);
});

test("a withdrawn entry takes back the choices for later ones, a kept one does not", () => {
  report(3, 5);
  choose(1, "keep");
  choose(0, "keep");
  choose(0, "withdraw");
  assert.deepEqual([conflicts.choicesData, radio(1, "keep").checked], [{ withdraw: [3] }, false]);
  choose(1, "withdraw");
  choose(0, "keep");
  assert.deepEqual(conflicts.choicesData, { keep: [3] }, "it is back, so the later one may fit again");
});

test("new conflicts keep the choices that were made, and drop what nobody chose", () => {
  report(3, 5);
  choose(0, "keep");
  report(7);
  assert.deepEqual([listed().length, conflicts.choicesData], [2, { keep: [3] }]);
  assert.deepEqual(listed(), ["Entry 3 · move 3", "Entry 7 · move 7"]);
});

test("one button chooses for all, also where an entry cannot stay, until the service says what it did", () => {
  report(3, 5);
  called(conflicts.element, "button", "Keep what can stand").click();
  assert.deepEqual([conflicts.choicesData, chosen], [{ keep: "all", withdraw: "all" }, 1]);
  conflicts.setChoices({ keep: [3], withdraw: [8] });
  assert.deepEqual(conflicts.choicesData, { keep: [3], withdraw: [8] });
  assert.deepEqual(listed(), ["Entry 3 · move 3", "Entry 8 · move 8"], "entry 5 fits then");
  assert.deepEqual([radio(0, "keep").checked, radio(1, "keep")], [true, null]);
  called(conflicts.element, "button", "Withdraw all").click();
  assert.deepEqual(conflicts.choicesData, { withdraw: "all" });
  report(5);
  assert.deepEqual(conflicts.choicesData, { keep: [3], withdraw: [8] }, "what was chosen for all is over");
});

// What it changes

const effect = (kind) => ({ kind, text: kind, rule: "game:R-1" });
const consequence = (version, before, after) => ({ version, before: before?.map(effect), after: after?.map(effect) });
const changed = (consequences, more = 0) =>
  consequencesView({ version: 9, consequences, consequences_left_out: more }, entries[1], record, words);

test("other entries that change are told, without the corrected entry and the correction", () => {
  const few = changed([consequence(2, [], ["a"]), consequence(9, [], ["b"]), consequence(5, ["a", "b"], ["b", "c"])]);
  assert.deepEqual(texts(few, "summary"), ["1 other entry changes"]);
  assert.deepEqual(texts(few, ".consequences p"), ["Entry 5 move 5"]);
  assert.deepEqual(texts(few, ".effects li"), ["no longer: a R-1", "now: c R-1"]);
  assert.equal(changed([consequence(2, [], ["a"])]), null);
});

test("an entry counts again or no longer, and what is left out is counted", () => {
  const many = changed([consequence(5, null, ["a"]), consequence(6, ["a"], null)], 3);
  assert.deepEqual(texts(many, "summary"), ["5 other entries change"]);
  assert.deepEqual(texts(many, ".hint"), ["3 more are not shown."]);
  assert.deepEqual(texts(many, ".consequences p").slice(1, 2), ["It counts again."]);
  assert.deepEqual(texts(many, ".consequences p").slice(-1), ["It no longer counts."]);
  assert.deepEqual(texts(many, ".effects li"), ["now: a R-1"]);
  assert.equal(many.querySelectorAll(".hint").length, 1);
  assert.equal(texts(changed([consequence(5, null, ["a"])]), ".hint").length, 0);
});

const previewed = (answer, before) => h("div", {}, previewView({ scores: [2, 1], ...answer }, words, before));
const score = (...given) => texts(previewed(...given), ".score-change")[0];

test("a preview compares with the score before the correction, else with that of the moment", () => {
  assert.equal(score({ scores_before: [0, 1] }, [1, 1]), "The score becomes 2 – 1 (it was 0 – 1).");
  assert.equal(score({}, [1, 1]), "The score becomes 2 – 1 (it was 1 – 1).");
  assert.equal(score({}), "The score stays 2 – 1.");
  assert.equal(score({ scores_before: [2, 1] }, [1, 1]), "The score stays 2 – 1.");
});

test("a preview tells the result before where it changes, and that the game goes on", () => {
  const won = (seat) => ({ winners: [seat], ranks: [1, 2], reason: "points", rule: "game:R-1" });
  const outcomes = (outcome, before) => texts(previewed({ outcome, outcome_before: before }), ".outcome");
  const [lost, wins] = outcomes(won(1), won(0));
  assert.match(lost, /^The result before: .*Anna/);
  assert.match(wins, /Ben.* R-1$/);
  assert.equal(outcomes(won(0), won(0)).length, 1);
  assert.equal(outcomes(null, won(0)).at(-1), "The game goes on.");
  assert.deepEqual(outcomes(null, null), []);
});

// A fork

function asked(facts, ...given) {
  const dialog = new ForkDialog({ ...record, facts }, words);
  dialog.frame.dialog.showModal = () => {};
  dialog.ask(entries[2], ...given);
  return dialog;
}

test("a fork of a fork asks “what if” once, and an untitled game has words for its title", () => {
  assert.equal(asked({ title: "Sunday" }).name.value, "What if: Sunday");
  assert.equal(asked({ title: "What if: Sunday" }).name.value, "What if: Sunday");
  assert.equal(asked({ title: "" }).name.value, "What if: an untitled game");
});

test("a fork says in which record it begins, if that is an earlier one", () => {
  const lead = (...given) => asked({}, ...given).frame.lead.textContent;
  assert.match(lead(), /^A game of its own goes on after entry 3, move 3\. This record stays as it is/);
  assert.match(lead(7), /It begins in the record as it was at entry 7\. This record/);
  assert.equal(lead(9), lead(), "the record is at entry 9");
});
