import assert from "node:assert/strict";
import { test } from "node:test";
import { JS } from "./pages.mjs";

/** What the worker listens to, and the copies that it keeps. */
const handlers = new Map();
const copies = new Map();

globalThis.addEventListener = (kind, handler) => handlers.set(kind, handler);
globalThis.location = { href: "https://kifu.example/worker.js", origin: "https://kifu.example" };
globalThis.caches = {
  keys: async () => [...copies.keys()],
  open: async (name) => copies.set(name, []) && { put: async (address) => copies.get(name).push(address) },
  delete: async (name) => copies.delete(name),
};
await import(new URL("worker.js", JS));

/** The answer of a service to a page or a file. */
const answered = (address) =>
  Object.defineProperty(new Response("", { headers: { "Kifu-Session": "s1" } }), "url", { value: address });

const keep = (page) => {
  const waits = [];
  handlers.get("message")({ data: { page, addresses: [] }, waitUntil: (work) => waits.push(work) });
  return waits[0];
};

test("a page that never arrives does not hold up other copies", async () => {
  const limits = [];
  AbortSignal.timeout = () => {
    limits.push(new AbortController());
    return limits.at(-1).signal;
  };
  globalThis.fetch = (address, { signal }) =>
    address === "/games/silent"
      ? new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)))
      : Promise.resolve(answered(address));
  const silent = keep("/games/silent");
  const later = keep("/games/later");
  await new Promise(setImmediate);
  assert.equal(copies.size, 0);
  limits[0].abort();
  await Promise.all([silent, later]);
  assert.deepEqual([...copies.values()], [["/games/later"]]);
});
