import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { JS } from "./pages.mjs";
import { called } from "./document.mjs";

let loads;
beforeEach(() => {
  loads = 0;
  document.body.replaceChildren();
  document.body.dataset.release = "1";
  document.getElementById = () => document.body;
  globalThis.location = { reload: () => (loads += 1) };
  const kept = new Map();
  globalThis.sessionStorage = { getItem: (name) => kept.get(name), setItem: (name, value) => kept.set(name, value) };
});

let pages = 0;
/** The check of a page that has just been loaded. */
async function freshCheck() {
  pages += 1;
  return (await import(new URL(`base/release.js?page=${pages}`, JS))).checkRelease;
}
const note = () => document.body.all("p").find((part) => part.getAttribute("id") === "updated");

test("a page offers one reload when the service has another release", async () => {
  const check = await freshCheck();
  for (const release of [null, "1"]) check(release);
  assert.equal(note(), undefined);
  for (const release of ["2", "2", "3"]) check(release);
  assert.equal(document.body.childNodes.length, 1);
  assert.match(note().textContent, /^Kifu was updated\./);
  assert.equal(loads, 0, "nothing moves by itself");
  called(note(), "button", "Reload the page").click();
  assert.equal(loads, 1);
});

test("an offer that was closed stays away", async () => {
  const check = await freshCheck();
  check("2");
  called(note(), "button", "Close").click();
  check("2");
  assert.equal(note(), undefined);
});

test("a big screen reloads by itself, once for each release", async () => {
  document.getElementById = () => null;
  for (const release of ["2", "2", "3"]) (await freshCheck())(release);
  assert.equal(loads, 2, "where hosts differ, it could be the same page again");
  assert.equal(note(), undefined);
});
