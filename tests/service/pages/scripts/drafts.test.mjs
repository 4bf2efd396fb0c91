import assert from "node:assert/strict";
import { test } from "node:test";
import { JS } from "./pages.mjs";

const heard = {};
globalThis.addEventListener = (type, hear) => (heard[type] = [...(heard[type] ?? []), hear]);
const { Drafts } = await import(new URL("sheet/drafts.js", JS));

const draft = (name) => ({ name, json: JSON.stringify({ name, columns: [] }) });
const named = (drafts) => drafts.ownDraft?.name;
const others = (drafts) => drafts.otherDrafts.map((other) => other.draft.name);
/** A tab that tells how often another one went on with its draft. */
function open(store, tab = {}) {
  const drafts = new Drafts(store, tab);
  const told = { times: 0 };
  drafts.addEventListener("apart", () => (told.times += 1));
  return { drafts, tab, told };
}
const newsComes = () => {
  for (const hear of heard.storage) hear();
};

test("a draft continues after a reload, and in a new tab", () => {
  const store = {};
  const { drafts, tab } = open(store);
  assert.equal(drafts.ownDraft, null);
  drafts.storeDraft(draft("Islands"));
  assert.equal(named(open(store, tab).drafts), "Islands");
  const next = open(store).drafts;
  assert.deepEqual([named(next), others(next)], ["Islands", []]);
});

test("the draft of an older release continues", () => {
  const store = { "kifu:template": JSON.stringify(draft("Old")), "kifu.recording": "{}" };
  const { drafts } = open(store);
  assert.equal(named(drafts), "Old");
  drafts.deleteOwn();
  assert.deepEqual(Object.keys(store), ["kifu.recording"]);
});

test("two tabs keep their drafts apart, and neither is lost", () => {
  const store = {};
  const first = open(store);
  first.drafts.storeDraft(draft("Islands"));
  const second = open(store);
  second.drafts.storeDraft(draft("Mountains"));
  newsComes();
  assert.deepEqual([first.told.times, second.told.times], [1, 0]);
  first.drafts.storeDraft(draft("Islands"));
  newsComes();
  assert.deepEqual([first.told.times, second.told.times], [1, 0], "from now on nobody takes anything from anybody");
  for (const [{ drafts, tab }, own, other] of [
    [first, "Islands", "Mountains"],
    [second, "Mountains", "Islands"],
  ]) {
    assert.deepEqual([named(drafts), others(drafts)], [own, [other]]);
    assert.equal(named(open(store, tab).drafts), own, "also after it was loaded anew");
  }
});

test("a tab that missed the news overwrites nothing", () => {
  const store = {};
  const first = open(store);
  first.drafts.storeDraft(draft("Islands"));
  open(store).drafts.storeDraft(draft("Mountains"));
  first.drafts.storeDraft(draft("Islands two"));
  assert.deepEqual(open(store).drafts.otherDrafts.length, 1);
  assert.deepEqual(
    Object.values(store)
      .map((text) => JSON.parse(text).name)
      .sort(),
    ["Islands two", "Mountains"],
  );
});

test("a draft that another tab stored or deleted does not come back by itself", () => {
  const store = {};
  const first = open(store);
  first.drafts.storeDraft(draft("Islands"));
  open(store).drafts.deleteOwn();
  newsComes();
  assert.equal(first.told.times, 0);
  assert.deepEqual(Object.keys(store), []);
  first.drafts.deleteOwn();
  first.drafts.storeDraft(draft("Islands two"));
  assert.equal(named(first.drafts), "Islands two");
});

test("a tab opens another draft; the last changed ones are kept", () => {
  const store = {};
  let time = 0;
  const now = Date.now;
  Date.now = () => (time += 1);
  for (let number = 0; number < 9; number += 1) {
    const tab = { "kifu:template": `kifu:template:${number}` };
    open(store, tab).drafts.storeDraft(draft(`Sheet ${number}`));
  }
  Date.now = now;
  const { drafts } = open(store, {});
  assert.deepEqual(
    [named(drafts), others(drafts)],
    ["Sheet 8", ["Sheet 7", "Sheet 6", "Sheet 5", "Sheet 4", "Sheet 3"]],
  );
  drafts.continueDraft(drafts.otherDrafts[1].key);
  assert.equal(named(drafts), "Sheet 6");
  drafts.storeDraft(draft("Sheet 6, ours"));
  assert.deepEqual(others(drafts), ["Sheet 8", "Sheet 7", "Sheet 5", "Sheet 4", "Sheet 3"]);
});

test("other stored values stay as they are", () => {
  const store = { "kifu:template": "broken", "kifu:template:1": "{}", "kifu:template:2": "null" };
  const { drafts } = open(store);
  assert.deepEqual([drafts.ownDraft, drafts.otherDrafts], [null, []]);
});
