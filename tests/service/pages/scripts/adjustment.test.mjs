import assert from "node:assert/strict";
import { test } from "node:test";
import { JS } from "./pages.mjs";
import { called, fill, texts } from "./document.mjs";

const { adjustmentForm } = await import(new URL("record/adjustment.js", JS));

const seats = ["Anna", "Björn"].map((name, seat) => ({ seat, name }));
const words = {
  seats,
  name: (seat) => seats[seat].name,
  translatePhrase: (text) => text,
  termFor: (_thing, name) => name,
};
const game = { facts: { options: { seafarer: false } } };
const ruleset = {
  options: [
    { name: "seafarer", title: { en: "Seafarer" }, switchable: true, choices: [false, true] },
    { name: "map", title: { en: "Map" }, switchable: false, choices: ["small", "large"] },
  ],
};
const form = (name, schema) => adjustmentForm({ name, schema }, game, words, ruleset);

/** The index of a choice of a list, by its text. */
const choice = (select, text) => String(texts(select, "option").indexOf(text) - 1);
const labels = ({ element }) => element.all("label").map((label) => String(label.childNodes[0]));

test("a ruling has a field for each kind of value in a schema", () => {
  const asks = form("sample", {
    properties: {
      type: { enum: ["sample"] },
      who: { "x-seat": true, type: "integer" },
      places: { type: "array", items: { enum: ["BARI", "COCO"] } },
      open: { type: "boolean" },
      times: { anyOf: [{ type: "integer", minimum: 1, maximum: 9 }, { type: "null" }], default: null },
      remark: { type: "string", default: "" },
    },
    required: ["type", "who", "places", "open"],
  });
  assert.equal(asks.value, null, "something is missing");
  const lists = () => asks.element.all("select");
  fill(lists()[0], choice(lists()[0], "Björn"));
  for (const [number, place] of ["BARI", "COCO"].entries()) {
    const list = called(asks.element, "select", `Number ${number + 1}`);
    fill(list, choice(list, place));
  }
  assert.equal(asks.value, null, "something is missing still");
  const open = called(asks.element, "select", "Open");
  fill(open, choice(open, "no"));
  const given = { type: "sample", who: 1, places: ["BARI", "COCO"], open: false };
  assert.deepEqual(asks.value, given);
  const [times, remark] = asks.element.all("input");
  fill(times, " 3 ");
  fill(remark, "as agreed ");
  assert.deepEqual(asks.value, { ...given, times: 3, remark: "as agreed" });
});

test("a number goes up and down by keys, and stays within its bounds", () => {
  const asks = form("points", { properties: { points: { type: "integer", minimum: -6, maximum: 6 } } });
  const wide = form("points", { properties: { points: { type: "integer", minimum: -99, maximum: 99 } } });
  const step = ({ element }, text) => called(element, "button", `Points: ${text}`).click();
  for (let time = 0; time < 2; time += 1) step(asks, "−1");
  assert.equal(asks.value.points, -2);
  for (let time = 0; time < 9; time += 1) step(asks, "+1");
  assert.equal(asks.value.points, 6);
  assert.equal(called(asks.element, "button", "Points: +5"), undefined);
  step(wide, "+5");
  step(wide, "−1");
  assert.equal(wide.value.points, 4);
});

test("ranks are typed, or tapped seat by seat; a tap after the last seat starts again", () => {
  const asks = form("adjudge", {});
  assert.deepEqual(labels(asks), ["Rank of Anna", "Rank of Björn"]);
  const [anna, bjorn] = asks.element.all("input");
  fill(anna, "2");
  assert.equal(asks.value, null, "a rank is missing");
  fill(bjorn, "1");
  assert.deepEqual(asks.value, { type: "adjudge", ranks: [2, 1] });
  const tap = (name) =>
    asks.element
      .all("button")
      .find(({ textContent }) => textContent.includes(name))
      .click();
  tap("Anna");
  assert.equal(asks.value, null, "it begins anew");
  tap("Anna");
  tap("Björn");
  assert.deepEqual(asks.value, { type: "adjudge", ranks: [1, 2] });
});

test("a house rule is a switch, and is offered with its other value", () => {
  const asks = form("option", {});
  const [list] = asks.element.all("select");
  assert.deepEqual(texts(list, "option"), ["–", "Seafarer: on"]);
  assert.equal(asks.value, null);
  fill(list, "0");
  assert.deepEqual(asks.value, { type: "option", name: "seafarer", value: true });
});
