import assert from "node:assert/strict";
import { test } from "node:test";
import { JS } from "./pages.mjs";
import { called, fill, settled, texts } from "./document.mjs";

const { embed } = await import(new URL("base/api.js", JS));
const { h } = await import(new URL("base/dom.js", JS));
const { SteadyList, fillList, listButton, listItem } = await import(new URL("base/lists.js", JS));
const { trailLine } = await import(new URL("base/trail.js", JS));
const { revocationQuestion } = await import(new URL("access/revoking.js", JS));
const { People } = await import(new URL("access/people.js", JS));
const { giveRole } = await import(new URL("access/roles.js", JS));
const { ColumnCards } = await import(new URL("sheet/columns.js", JS));
const { BoxComponents } = await import(new URL("sheet/components.js", JS));
const { TemplateFields, arrowButtons, moveItem } = await import(new URL("sheet/fields.js", JS));
const { readLabels, readRanges } = await import(new URL("sheet/pairs.js", JS));
const { decidingChoices, tieBreakers } = await import(new URL("sheet/ties.js", JS));
const { nameToStore, openingAddress } = await import(new URL("sheet/template-form.js", JS));

test("an item moves one place, and the arrow that moved it keeps the focus", () => {
  const list = ["a", "b", "c", "d"];
  assert.equal(moveItem(list, 2, -1), "up-1");
  assert.deepEqual(list, ["a", "c", "b", "d"]);
  assert.equal(moveItem(list, 1, 1), "down-2");
  assert.deepEqual(list, ["a", "b", "c", "d"]);
});

test("at an end of the list the other arrow has the focus", () => {
  const list = ["a", "b"];
  assert.equal(moveItem(list, 0, 1), "up-1");
  assert.deepEqual(list, ["b", "a"]);
  assert.equal(moveItem(list, 1, -1), "down-0");
  assert.deepEqual(list, ["a", "b"]);
});

test("the focused button after a move exists and is enabled", () => {
  for (const [length, index, by] of [
    [2, 0, 1],
    [2, 1, -1],
    [3, 0, 1],
    [3, 1, 1],
    [3, 2, -1],
  ]) {
    const list = Array.from({ length }, (_, at) => at);
    const names = { up: "up", down: "down", prefix: "tie-" };
    let focus = "";
    arrowButtons(list, index, names, (next) => {
      focus = next;
    })[by < 0 ? 0 : 1].click();
    const drawn = list.flatMap((_, at) => arrowButtons(list, at, names, () => {}));
    const next = drawn.find((button) => button.getAttribute("id") === focus);
    assert.equal(next?.getAttribute("disabled"), null, `${focus} of ${length}`);
    assert.ok(next, focus);
  }
});

test("words and ranges are read from their rows, and empty rows do not count", () => {
  assert.deepEqual(
    readLabels([
      ["won", "3"],
      ["", ""],
      ["lost", ""],
      ["", "5"],
    ]),
    { won: 3, lost: null, "": 5 },
  );
  assert.deepEqual(
    readRanges([
      ["0", "1"],
      ["", ""],
      ["10", ""],
      ["a", "−2"],
    ]),
    [
      [0, 1],
      [10, null],
      ["a", -2],
    ],
  );
  assert.equal(readLabels([["", ""]]), undefined);
  assert.equal(readRanges([]), undefined);
});

test("columns that can decide are offered, and the chosen one even if it no longer can", () => {
  const template = { columns: [{ id: "coins" }, { id: "left_over", name: "Left over" }, { id: "each", per: "round" }] };
  assert.deepEqual(decidingChoices(template), [
    ["coins", "coins"],
    ["left_over", "Left over"],
  ]);
  assert.deepEqual(decidingChoices(template, "coins"), decidingChoices(template));
  assert.deepEqual(decidingChoices(template, "each").at(-1), ["each", "each (cannot decide)"]);
});

test("a template is stored under the typed name, or the name of its sheet", () => {
  assert.equal(nameToStore(" Mine ", { name: "Sheet" }), "Mine");
  assert.equal(nameToStore(" ", { name: " Sheet " }), "Sheet");
  assert.equal(nameToStore("", {}), "");
  assert.equal(nameToStore("", { name: 7 }), "7");
});

test("a game is opened with any name of a template", () => {
  const { searchParams, hash } = new URL(openingAddress("Ours & “yours” #2"), "http://a/");
  assert.deepEqual(Object.fromEntries(searchParams), { ruleset: "scoresheet", components: "Ours & “yours” #2" });
  assert.equal(hash, "#opening");
});

test("an item of a list has its name, its details and its buttons, if it has any", () => {
  const pressed = [];
  const item = listItem("Anna", ["owner", null], [listButton("End", "Anna’s phone", () => pressed.push("end")), false]);
  assert.deepEqual(texts(item, ".what"), ["Annaowner"]);
  assert.deepEqual(texts(item, "small"), ["owner"]);
  called(item, "button", "End: Anna’s phone").click();
  assert.deepEqual([pressed, texts(item, ".actions button")], [["end"], ["End"]]);
  assert.deepEqual(texts(listItem("Anna", "", null, [false]), ".actions"), []);
});

test("a list without items says so, or is hidden", () => {
  const list = h("ul");
  fillList(list, [h("li", {}, "one")], "none");
  assert.deepEqual([texts(list, "li"), list.hidden], [["one"], false]);
  fillList(list, [], "none");
  assert.deepEqual([texts(list, "li.hint"), list.hidden], [["none"], false]);
  fillList(list, []);
  assert.deepEqual([texts(list, "li"), list.hidden], [[], true]);
});

test("a steady list draws again what has changed, and keeps all other items in their new order", () => {
  const [element, drawn] = [h("ul"), []];
  const list = new SteadyList(element);
  const show = (...items) => {
    drawn.length = 0;
    const draw = (item) => drawn.push(item) && h("li", {}, item);
    list.show(items, (item) => item, draw);
    return element.children;
  };
  const [a, b] = show("a", "b");
  assert.deepEqual(
    [texts(element, "li"), drawn],
    [
      ["a", "b"],
      ["a", "b"],
    ],
  );
  assert.deepEqual(show("b", "c", "a"), [b, element.children[1], a]);
  assert.deepEqual([texts(element, "li"), drawn], [["b", "c", "a"], ["c"]]);
  show("c");
  assert.deepEqual([texts(element, "li"), drawn], [["c"], []]);
  assert.notEqual(show("c", "a")[1], a, "an item that was gone is drawn anew");
  assert.deepEqual(drawn, ["a"]);
});

const PEOPLE = { p1: "Aiko", p2: "Ben" };
/** A line of the trail as text: what happened, and where. */
const inTrail = (what, more = {}) => {
  const line = h(
    "li",
    {},
    trailLine({ by: "p1", what, at: "2026-11-30T12:00:00Z", ...more }, (id) => PEOPLE[id]),
  );
  return line.textContent;
};

test("a line of the trail says who did what, to whom and in which game", () => {
  const step = { person: "p2", game: "01a", more: { role: "recorder", seats: [0, 2] } };
  assert.equal(inTrail("role.given", step), "Aiko gave the role recorder, seat 1 and seat 3: Ben · the game");
  assert.equal(inTrail("role.given", { more: { seats: [1] } }), "Aiko gave seat 2");
  assert.equal(inTrail("role.given", { more: { role: "viewer" } }), "Aiko gave the role viewer");
  assert.equal(inTrail("role.taken", { person: "p1" }), "Aiko took back what they may do");
  const line = h(
    "li",
    {},
    trailLine({ by: "p1", what: "x", at: "2026-11-30", game: "01a" }, () => "Aiko"),
  );
  assert.equal(line.querySelector("time").getAttribute("datetime"), "2026-11-30");
  assert.equal(line.querySelector("a").getAttribute("href"), "/games/01a");
  assert.deepEqual(texts(line, ".what"), ["Aiko x"]);
});

test("a line of the trail names what was made, renewed, shown or ended", () => {
  for (const [what, more, text] of [
    ["credential.made", { kind: "ses" }, "Aiko logged a browser in"],
    ["credential.made", { kind: "app" }, "Aiko made a token"],
    ["credential.rotated", { kind: "own" }, "Aiko renewed the owner’s token"],
    ["credential.ended", { kind: "dev", why: "lost" }, "Aiko ended a device (lost)"],
    ["credential.ended", { kind: "new", why: "lost" }, "Aiko ended new (lost)"],
    ["game.shown", { level: "private" }, "Aiko made a game private"],
    ["game.shown", { level: "link" }, "Aiko made a game visible to anyone with the link"],
    ["game.shown", { level: "new" }, "Aiko made a game new"],
    ["link.made", { viewpoint: "public" }, "Aiko made a share link of what everybody saw"],
    ["link.made", { viewpoint: "1" }, "Aiko made a share link of what seat 2 saw"],
    ["link.ended", {}, "Aiko revoked a share link"],
    ["access.lost", { rows: 3 }, "Aiko removed 3 rows that were damaged or forged"],
    ["access.accepted", { kept: true }, "Aiko accepted the state after changes were lost"],
    ["access.accepted", { kept: false }, "Aiko revoked everything after changes were lost"],
  ])
    assert.equal(inTrail(what, { more }), text);
  assert.equal(inTrail("access.accepted"), "Aiko revoked everything after changes were lost");
});

// The question before a credential ends

document.body.dataset.limits = "{}";
document.body.dataset.release = "1";
globalThis.dispatchEvent ??= () => {};

const family = (more) => ({ tokens: [], links: [], webhooks: [], reads: [], ...more });
/** What is asked before these credentials end, and what is sent then. */
async function asked(
  families,
  send = async () => new Response(null, { status: 204, headers: { "Kifu-Release": "1" } }),
) {
  const answers = Object.entries(families).map(([id, body]) => [
    `/v1/tokens/${id}/family`,
    { body: family(body), tag: null },
  ]);
  embed(Object.fromEntries(answers));
  const sent = [];
  globalThis.fetch = (path, { method }) => {
    sent.push(`${method} ${path}`);
    return send(path);
  };
  const { fields, work } = await revocationQuestion(Object.keys(families));
  return { form: h("form", {}, fields), work, sent };
}

test("the question counts each thing that was made once, over all credentials that end", async () => {
  const phone = { id: "d1", kind: "dev" };
  const { form } = await asked({
    a: { tokens: [phone, { id: "b", kind: "app" }, { id: "a2", kind: "app" }], links: [{ id: "l1" }, { id: "a" }] },
    b: {
      tokens: [phone, { id: "s1", kind: "ses" }, { id: "s2", kind: "ses" }],
      webhooks: [{ id: "w1" }, { id: "w1" }],
    },
  });
  const made = "2 browsers, 1 device, 1 program, 1 share link and 1 endpoint";
  assert.deepEqual(texts(form, "label"), [`End what was made with it, too: ${made}`]);
  assert.deepEqual(texts(form, "details"), []);
});

test("nothing is asked where nothing was made or read, and each credential ends", async () => {
  const { form, work, sent } = await asked({ a: {}, b: { tokens: [{ id: "a", kind: "ses" }] } });
  assert.deepEqual(form.children, []);
  await work();
  assert.deepEqual(sent, ["DELETE /v1/tokens/a?made=end", "DELETE /v1/tokens/b?made=end"]);
});

test("what was made goes on if somebody says so", async () => {
  const { form, work, sent } = await asked({ a: { links: [{ id: "l1" }] } });
  form.querySelector("input").checked = false;
  await work();
  assert.deepEqual(sent, ["DELETE /v1/tokens/a?made=keep"]);
});

test("each game is named once that a credential has read", async () => {
  const read = (game, title, more = {}) => ({ token: "a", game, title, last_on: "2026-11-30", ...more });
  const { form } = await asked({
    a: { reads: [read("1", "Final"), read("1", "Final"), read("2", ""), read(null, null)] },
    b: { reads: [read("1", "Final", { token: "b" })] },
  });
  assert.deepEqual(
    texts(form, "li").map((text) => text.split(" · ")[0]),
    ["Final", "an untitled game", "all games, through the feed", "Final"],
  );
  assert.deepEqual(
    form.all("a").map((link) => link.getAttribute("href")),
    ["/games/1", "/games/2", "/games/1"],
  );
});

test("a credential that has ended already is no error, and any other error is one", async () => {
  const refused = (type) => async () =>
    new Response(JSON.stringify({ type: `/problems/${type}`, status: 404, title: "", detail: "for a test" }), {
      status: 404,
      headers: { "Kifu-Release": "1", "Content-Type": "application/problem+json" },
    });
  const ended = await asked({ a: {} }, refused("credential-unknown"));
  await ended.work();
  const other = await asked({ a: {} }, refused("scope-needed"));
  await assert.rejects(other.work(), /for a test/);
  const none = await asked({ a: {} }, async () => Promise.reject(new TypeError("no network")));
  await assert.rejects(none.work(), /no network/);
  await settled();
});

// Parts of a sheet

test("a tie-breaker begins with a column that can decide, and the last one that goes leaves none", () => {
  const template = { columns: [{ id: "each", per: "round" }, { id: "coins" }] };
  const focused = [];
  const draw = () => tieBreakers(new TemplateFields(() => {}), template, (focus) => focused.push(focus));
  called(draw(), "button", "Add a tie-breaker").click();
  assert.deepEqual([template.ties, focused], [[{ column: "coins" }], ["ties[0].column"]]);
  called(draw(), "button", "Add a tie-breaker").click();
  called(draw(), "button", "Remove tie-breaker 1").click();
  assert.equal(template.ties.length, 1);
  called(draw(), "button", "Remove tie-breaker 1").click();
  assert.deepEqual(["ties" in template, focused.at(-1)], [false, "add-tie"]);
});

test("a new column has an id of its name, until somebody chooses an id", () => {
  const template = { columns: [{ id: "coins" }] };
  const columns = new ColumnCards(new TemplateFields(() => {}), () => {});
  called(columns.draw(template), "button", "Add a column").click();
  const [, made] = template.columns;
  const [name, , id] = columns.draw(template).querySelectorAll(".column")[1].querySelectorAll("input");
  fill(name, "Sheep & wool");
  assert.equal(made.id, "sheep_wool");
  fill(id, "wool");
  fill(name, "Wool");
  fill(name, "All wool");
  assert.deepEqual([made.id, made.name], ["wool", "All wool"]);
});

test("a value that all share counts no points until somebody says so", () => {
  const template = { columns: [{ id: "weather" }] };
  const card = new ColumnCards(new TemplateFields(() => {}), () => {}).draw(template);
  const box = card.all("label").find(({ textContent }) => textContent === "All share one value");
  const [shared] = box.all("input");
  shared.checked = true;
  shared.dispatchEvent({ type: "change" });
  assert.deepEqual(template.columns, [{ id: "weather", shared: true, counts: false }]);
});

test("own components are changed under their name, and samples under a new one", async () => {
  const kept = [
    { name: "Ours", data: { cards: [1, 2] } },
    { name: "Sample", data: {}, invented: true },
  ];
  embed({ "/v1/components/x": { body: { components: kept }, tag: null } });
  const form = h("form", {}, h("input", { name: "name", value: "old" }), h("textarea"));
  form.elements = { name: form.all("input")[0], data: form.all("textarea")[0] };
  const list = h("ul", { class: "entered" });
  const details = h("details", { "data-ruleset": "x" }, form, list, h("p", { class: "answer" }));
  await new BoxComponents(details).refresh();
  const taken = list.children.map((item) => {
    called(item, "button", "Take as a start").click();
    return [form.elements.name.value, form.elements.data.value.replace(/\s+/g, "")];
  });
  assert.deepEqual(taken, [
    ["Ours", '{"cards":[1,2]}'],
    ["", "{}"],
  ]);
  assert.deepEqual(
    list.children.map((item) => texts(item, "button").includes("Remove")),
    [true, false],
  );
});

// People

test("a role is given to one id of a person, and taken from the others", async () => {
  const sent = [];
  globalThis.fetch = async (path, { method }) => {
    sent.push(`${method} ${path}`);
    return new Response("{}", { headers: { "Kifu-Release": "1" } });
  };
  await giveRole("a", "referee", ["a", "b"]);
  assert.deepEqual(sent, ["PUT /v1/roles/a", "DELETE /v1/roles/b"]);
  sent.length = 0;
  await giveRole("a", "", ["a", "b"]);
  assert.deepEqual(sent, ["DELETE /v1/roles/a", "DELETE /v1/roles/b"]);
});

test("the owner’s token is no device that is logged out, and nobody changes what the owner may do", () => {
  const roster = { owner: "o", nameOf: (id) => ({ o: "Olga", a: "Anna" })[id] };
  const ended = [];
  const credentials = { deviceItem: () => h("li"), logOut: (_, devices) => ended.push(devices.map(({ id }) => id)) };
  const menu = (id, ...devices) => {
    const people = new People(roster, {}, credentials, {});
    const dialog = document.body.querySelectorAll("dialog.sheet").at(-1);
    Object.assign(dialog, { showModal() {}, close() {} });
    called(
      people.personItem({ id, role: null, holders: [], devices }),
      "button",
      `More …: ${roster.nameOf(id)}`,
    ).click();
    return dialog;
  };
  const [own, phone] = [
    { id: "t", kind: "own" },
    { id: "p", kind: "dev" },
  ];
  const offered = (...given) => texts(menu(...given), ".menu li");
  assert.deepEqual(offered("o", own), ["Add another phoneby a QR code"]);
  assert.deepEqual(offered("a").length, 3);
  const dialog = menu("o", own, phone);
  assert.equal(texts(dialog, ".menu li").at(-1), "Log out on all devices1 device");
  dialog.querySelectorAll(".menu button").at(-1).click();
  assert.deepEqual(ended, [["p"]]);
});
