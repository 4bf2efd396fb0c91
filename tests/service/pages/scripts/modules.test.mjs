import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { JS } from "./pages.mjs";

const modules = readdirSync(JS, { recursive: true }).filter((name) => name.endsWith(".js"));
/** The scripts of pages stand at the top and run the page; all other modules stand in rooms. */
const rooms = modules.filter((name) => name.includes("/"));

test("the pages have modules in rooms, and few scripts that run a page", () => {
  assert.ok(rooms.length > 90);
  assert.ok(modules.length - rooms.length <= 10);
});

for (const name of rooms)
  test(`${name} touches no page when it is imported`, async () => {
    const before = Object.keys(globalThis);
    await import(new URL(name, JS));
    assert.deepEqual(Object.keys(globalThis), before);
  });

/** A frame, a file and the worker are for no person. */
const OF_NOBODY = ["embed.js", "worker.js"];

for (const name of modules.filter((each) => !each.includes("/") && !OF_NOBODY.includes(each)))
  test(`a page with ${name} is not restored for another person`, () => {
    assert.match(readFileSync(new URL(name, JS), "utf8"), /^checkLoginOnReturn\(/m);
  });
