import assert from "node:assert/strict";
import { test } from "node:test";
import { eventType, acceptsType, useEventTypes } from "../../../../service/pages/static/js/record/event-types.js";
import {
  isCounted,
  endingEntry,
  changesNothingEarlier,
  onlyEndsGame,
  readableText,
  correctedVersions,
} from "../../../../service/pages/static/js/record/history.js";

useEventTypes({
  "move.made": { label: "A move", plays: true },
  "entry.inserted": { label: "An insertion", plays: true, corrects: true },
  "entry.withdrawn": { label: "A withdrawal", corrects: true, takes_back: true },
  "ruling.given": { label: "A ruling", corrects: true },
  "revision.adopted": { label: "Newer rules", corrects: true, changes_all: true },
  "note.added": { label: "A note", allowed_when_closed: true },
});

const made = { type: "move.made" };

test("an unknown type has its own name, and may change the entry that it names", () => {
  assert.deepEqual(eventType("new.type"), { label: "new.type", corrects: true });
  assert.ok(!changesNothingEarlier({ type: "new.type", entry: 1 }));
});

test("an entry counts until another one withdraws it", () => {
  assert.ok(isCounted(made));
  assert.ok(!isCounted({ ...made, withdrawn_by: 3 }));
});

test("a plain entry changes no earlier entry", () => {
  assert.ok(changesNothingEarlier(made));
  assert.ok(changesNothingEarlier({ type: "note.added", entry: 2 }));
  assert.ok(changesNothingEarlier({ type: "ruling.given" }));
  assert.ok(!changesNothingEarlier({ type: "ruling.given", after: 2 }));
  assert.ok(!changesNothingEarlier({ type: "ruling.given", keep: [3] }));
  assert.ok(!changesNothingEarlier({ type: "entry.withdrawn", entry: 2 }));
  assert.ok(!changesNothingEarlier({ type: "revision.adopted", revision: 2 }));
});

test("a correction changes the entry that it names, and the entry which that one names", () => {
  const entries = [{ type: "game.opened" }, made, { type: "entry.inserted", after: 2 }];
  assert.deepEqual(correctedVersions({ type: "entry.withdrawn", entry: 3 }, entries), [3, 2]);
  assert.deepEqual(correctedVersions({ type: "entry.withdrawn", entry: 9 }, entries), [], "it is not known yet");
  assert.deepEqual(correctedVersions({ type: "revision.adopted" }, entries), [1]);
});

test("a closed record takes notes, and no moves", () => {
  assert.ok(acceptsType({ closed: null }, "move.made"));
  assert.ok(acceptsType({ closed: "finished" }, "note.added"));
  assert.ok(!acceptsType({ closed: "finished" }, "move.made"));
});

const end = { ...made, effects: [{ kind: "game.won" }] };
const scored = { ...made, effects: [{ kind: "round.scored" }, { kind: "game.won" }] };
const note = { type: "note.added" };

test("the ending entry is the last valid entry that ended the game", () => {
  assert.equal(endingEntry([made, end, note]), end);
  assert.equal(endingEntry([made, { ...end, withdrawn_by: 3 }, note]), undefined);
});

test("nothing is lost without a last move that only ended the game", () => {
  assert.ok(onlyEndsGame(end, [made, end, note]));
  assert.ok(!onlyEndsGame(scored, [made, scored]), "its points are lost");
  assert.ok(!onlyEndsGame(end, [end, made]), "the game went on after it");
  const ruled = { ...end, type: "ruling.given" };
  assert.ok(!onlyEndsGame(ruled, [made, ruled]), "a ruling is no move");
});

test("an erased text is not shown", () => {
  assert.equal(readableText({}, "an early lead"), "an early lead");
  assert.equal(readableText({ erased: [{ what: "hidden" }] }, "an early lead"), "an early lead");
  assert.equal(readableText({ erased: [{ what: "text" }] }, "(sealed)"), null);
});
