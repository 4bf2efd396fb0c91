import assert from "node:assert/strict";
import { test } from "node:test";
import { JS } from "./pages.mjs";
import { settled, texts } from "./document.mjs";

const { ImportForm } = await import(new URL("record/imports.js", JS));
const { fileContent } = await import(new URL("offline/payload.js", JS));

const RELEASE = { "Kifu-Release": "1" };
document.body.dataset.release = "1";

/** What becomes of a file with this text: what was asked for, where the page goes, what waits, and the answer. */
async function imported(text, ...answers) {
  const found = { asked: [], gone: [], taken: [] };
  globalThis.fetch = async (path, { headers }) => {
    found.asked.push([path.replace(/id=[0-9a-f-]{36}/, "id=…"), headers["Content-Type"]]);
    return answers.shift();
  };
  globalThis.location = { assign: (address) => found.gone.push(address) };
  const answer = document.createElement("div");
  const [field, button] = [document.createElement("input"), document.createElement("button")];
  field.files = [new File([text], "games")];
  const form = Object.assign(document.createElement("form"), { elements: { file: field } });
  form.querySelector = (selector) => (selector === "button" ? button : answer);
  new ImportForm({ querySelector: () => form }, { addFromDevice: async (boxes) => found.taken.push(...boxes.keys()) });
  form.dispatchEvent(new Event("submit"));
  await settled();
  assert.equal(button.disabled, false);
  return { ...found, answer };
}

const ok = (body) => new Response(JSON.stringify(body), { status: 201, headers: RELEASE });
const refused = (type, detail) =>
  new Response(JSON.stringify({ type: `/problems/${type}`, title: "Refused", status: 409, detail }), {
    status: 409,
    headers: { ...RELEASE, "Content-Type": "application/problem+json" },
  });

test("a file of several games is imported, with a link to each", async () => {
  const games = ["01a", "02b"].map((game) => ({ game }));
  const { asked, answer, gone } = await imported("\ufeff" + '{"game":"01a"}\n', ok({ games }));
  assert.deepEqual(asked, [["/v1/imports", "application/x-ndjson"]]);
  assert.match(answer.textContent, /^2 games are imported/);
  assert.deepEqual(
    answer.all("a").map((link) => link.getAttribute("href")),
    ["/games/01a", "/games/02b"],
  );
  assert.deepEqual(gone, []);
});

test("an imported game opens at once, from NDJSON or from text", async () => {
  for (const [text, asks] of [
    ['{"game":"01a"}', ["/v1/imports", "application/x-ndjson"]],
    ['[Ruleset "kahuna"]', ["/v1/imports?id=…", "text/plain"]],
  ]) {
    const { asked, gone } = await imported(text, ok({ game: "01a" }));
    assert.deepEqual([asked, gone], [[asks], ["/games/01a"]]);
  }
});

test("waiting entries of another device are imported without a request", async () => {
  const item = { key: "k", path: "/v1/games", body: { id: "01a" }, base: null, label: "x" };
  const { asked, taken, answer } = await imported(fileContent([{ name: "01a", items: () => [item] }]));
  assert.match(answer.textContent, /^It is imported/);
  assert.deepEqual([asked, taken], [[], ["01a"]]);
});

test("erased names stay erased or come back, as chosen", async () => {
  for (const [choice, way] of [
    ["Leave them erased", "omit"],
    ["Bring the names back", "restore"],
  ]) {
    const found = await imported('{"game":"01a"}', refused("names-erased", "names were erased"), ok({ game: "01a" }));
    assert.ok(found.answer.textContent.includes("names were erased"));
    found.answer
      .all("button")
      .find(({ textContent }) => textContent === choice)
      .click();
    await settled();
    assert.deepEqual(found.asked.at(-1), [`/v1/imports?erased=${way}`, "application/x-ndjson"]);
    assert.deepEqual(found.gone, ["/games/01a"]);
  }
});

test("a refused file shows the reason, and no further choice", async () => {
  const { answer } = await imported('{"game":"01a"}', refused("invalid-import", "line 2 is no event"));
  assert.ok(answer.textContent.includes("line 2 is no event"));
  assert.deepEqual(texts(answer, "button"), []);
});

test("a file that is sent again opens the same game, and another file another one", async () => {
  const ids = [];
  globalThis.fetch = async (path) => {
    ids.push(new URL(path, "http://a").searchParams.get("id"));
    throw new TypeError("no network");
  };
  const field = Object.assign(document.createElement("input"), { files: [new File(['[Ruleset "kahuna"]'], "game")] });
  const answer = document.createElement("div");
  const form = Object.assign(document.createElement("form"), { elements: { file: field } });
  form.querySelector = (selector) => (selector === "button" ? document.createElement("button") : answer);
  new ImportForm({ querySelector: () => form }, {});
  const send = async () => {
    form.dispatchEvent(new Event("submit"));
    await settled();
  };
  await send();
  assert.equal(answer.textContent, "No connection: nothing was lost, import it again.");
  await send();
  field.dispatchEvent(new Event("change"));
  assert.equal(answer.textContent, "");
  await send();
  assert.deepEqual([ids[0] === ids[1], ids[1] === ids[2]], [true, false]);
});
