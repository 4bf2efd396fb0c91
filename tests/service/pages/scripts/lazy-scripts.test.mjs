import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, mock, test } from "node:test";
import { pathToFileURL } from "node:url";
import { JS } from "./pages.mjs";

const { loadScript, waitForScript } = await import(new URL("base/lazy-scripts.js", JS));

const folder = mkdtempSync(join(tmpdir(), "scripts-"));
after(() => rmSync(folder, { recursive: true }));
globalThis.document = { body: { dataset: { release: "1" } }, getElementById: () => null };
globalThis.performance.getEntriesByType = () => [];
globalThis.fetch = async () => new Response("", { headers: { "Kifu-Release": "1" } });

const address = (name) => pathToFileURL(join(folder, name)).href;
const put = (name, text) => writeFileSync(join(folder, name), text);
const turns = async () => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
};

test("a script is loaded once for all callers", async () => {
  put("once.mjs", "globalThis.loads = (globalThis.loads ?? 0) + 1; export const made = {};");
  const [one, other] = await Promise.all([loadScript(address("once.mjs")), loadScript(address("once.mjs"))]);
  assert.equal(one.made, other.made);
  assert.equal(globalThis.loads, 1);
});

test("a failed script is requested again at another address, because browsers remember failures", async () => {
  const source = address("later.mjs");
  await assert.rejects(loadScript(source));
  put("later.mjs", "export const at = import.meta.url;");
  assert.equal((await loadScript(source)).at, `${source}?attempt=1`);
  assert.equal((await loadScript(source)).at, `${source}?attempt=1`);
});

test("waiting for a script ends when the connection changes, or after longer and longer pauses", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const [source, connection] = [address("waited.mjs"), new EventTarget()];
  let there = null;
  const loaded = waitForScript(source, connection).then((script) => (there = script));
  await turns();
  for (const pause of [2_000, 4_000]) {
    mock.timers.tick(pause - 1);
    await turns();
    mock.timers.tick(1);
    await turns();
  }
  assert.equal(there, null);
  put("waited.mjs", "export const at = import.meta.url;");
  connection.dispatchEvent(new Event("change"));
  await turns();
  await loaded;
  assert.equal(there.at, `${source}?attempt=3`, "it was asked for once after each pause");
  mock.timers.reset();
});
