import assert from "node:assert/strict";
import { test } from "node:test";
import { JS } from "./pages.mjs";
import "./document.mjs";

const { shareButton } = await import(new URL("people/share-button.js", JS));
const { GameRecord } = await import(new URL("record/record.js", JS));

globalThis.location = { href: "https://kifu.example/games/1#3" };

/** A button, tapped at entry 3 in a browser with this navigator; what it asked for, and what it says then. */
async function shared(browser, answer = () => new Response("PNG", { headers: { "Kifu-Release": "1" } })) {
  const asked = [];
  document.getElementById = () => null;
  document.body.dataset.release = "1";
  globalThis.fetch = async (path) => asked.push(path) && answer();
  Object.defineProperty(globalThis, "navigator", { value: browser, configurable: true });
  const record = Object.assign(new GameRecord("1", null, {}), { at: 3 });
  const button = { addEventListener: (_, listener) => Object.assign(button, { tap: listener }) };
  shareButton(button, record, "A game");
  await button.tap();
  return { asked, says: button.textContent };
}

/** A browser that hands on what it is given, and whether it takes files. */
function handing(takesFiles) {
  const handed = [];
  return { handed, canShare: ({ files }) => takesFiles || !files, share: async (what) => handed.push(what) };
}

test("a moment is shared with its picture if files can be shared", async () => {
  const browser = handing(true);
  const { asked, says } = await shared(browser);
  const [{ files, ...told }] = browser.handed;
  assert.deepEqual(told, { title: "A game", url: "https://kifu.example/games/1#3" });
  assert.deepEqual([files[0].type, await files[0].text()], ["image/png", "PNG"]);
  assert.deepEqual(asked, ["/v1/games/1/board.png?after=3"]);
  assert.equal(says, undefined);
});

test("it is shared without a picture if files cannot be shared, or the picture is missing", async () => {
  const unavailable = () => {
    throw new TypeError("no network");
  };
  for (const [browser, answer] of [
    [handing(false), undefined],
    [handing(true), unavailable],
  ]) {
    await shared(browser, answer);
    assert.deepEqual(browser.handed, [{ title: "A game", url: "https://kifu.example/games/1#3" }]);
  }
});

test("the address is copied if nothing can be shared", async () => {
  const copied = [];
  const clipboard = { writeText: async (text) => copied.push(text) };
  assert.equal((await shared({ clipboard })).says, "Its address is copied");
  assert.deepEqual(copied, ["https://kifu.example/games/1#3"]);
});

test("closing the list of apps shows no error, and another failure does", async () => {
  const failing = (error) => ({ share: () => Promise.reject(error) });
  assert.equal((await shared(failing(new DOMException("", "AbortError")))).says, undefined);
  assert.equal((await shared(failing(new TypeError()))).says, "It could not be shared");
});
