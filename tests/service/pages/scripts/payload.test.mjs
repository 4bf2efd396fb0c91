import assert from "node:assert/strict";
import { test } from "node:test";
import { fileContent, parseItems } from "../../../../service/pages/static/js/offline/payload.js";

const GAME = "0192f0c0-0000-7000-8000-000000000001";
const opening = {
  key: "a",
  place: 0,
  path: "/v1/games",
  body: { id: GAME, ruleset: "kahuna" },
  base: null,
  label: "A game",
};
const entry = {
  key: "b",
  place: 1,
  path: `/v1/games/${GAME}/events`,
  body: { events: [{ id: "b", data: { move: "+" } }] },
  base: 1,
  label: "+",
};
const box = (...items) => ({ name: GAME, items: () => items });

test("a file of waiting items gives the same items on another device", () => {
  const boxes = parseItems(fileContent([box(opening, entry)]));
  assert.deepEqual([...boxes.keys()], [GAME]);
  const found = boxes.get(GAME).map(({ box: name, ...item }) => item);
  assert.deepEqual(
    found,
    [opening, entry].map(({ place, ...item }) => item),
  );
});

test("entries of others that were not compared yet go with the items to another device", () => {
  const stale = { type: "/problems/stale-version", missed: [{ version: 5 }, { version: 7 }] };
  const [found] = parseItems(fileContent([box({ ...entry, base: 9, stale })])).get(GAME);
  assert.equal(found.base, 4);
  assert.ok(!("stale" in found));
});

test("a game that waits to be opened in a club is imported", () => {
  const club = { ...opening, path: "/v1/clubs/0192f0c0-0000-7000-8000-000000000009/games" };
  assert.deepEqual([...parseItems(fileContent([box(club, entry)])).keys()], [GAME]);
});

test("other texts have no waiting items", () => {
  for (const text of ["", "1. e4 e5", "{}", '{"kifu": "game"}', '{"kifu": "outbox"}', "null"])
    assert.equal(parseItems(text), null);
});

for (const [what, item] of Object.entries({
  "the address of a token": { box: "x", key: "k", path: "/v1/tokens", body: { id: "x" } },
  "another address": { ...entry, path: "/v1/tokens" },
  "another game's box": { ...entry, box: "0192f0c0-0000-7000-8000-000000000002" },
  "no key": { ...entry, key: undefined },
  "no body": { ...entry, body: null },
  "an address outside": { ...entry, path: `https://elsewhere.example/v1/games/${GAME}/events` },
}))
  test(`an item with ${what} is refused, and named`, () => {
    const text = JSON.stringify({
      kifu: "outbox",
      items: [
        { ...opening, box: GAME },
        { box: GAME, ...item },
      ],
    });
    assert.throws(() => parseItems(text), /item 2 of the file/);
  });
