import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { JS } from "./pages.mjs";

const { checkLoginOnReturn } = await import(new URL("base/returning.js", JS));

let [heard, loads, asked, isUp, isPortal] = [{}, 0, [], true, false];
beforeEach(() => {
  [heard, loads, asked, isUp, isPortal] = [{}, 0, [], true, false];
  globalThis.addEventListener = (type, hear) => (heard[type] = hear);
  globalThis.location = { href: "http://kifu.test/people", reload: () => (loads += 1) };
  globalThis.fetch = async (address, { method }) => {
    asked.push([method, address]);
    if (!isUp) throw new TypeError("Failed to fetch");
    return new Response("", { headers: isPortal ? {} : { "Kifu-Release": "1" } });
  };
  const kept = {};
  Object.defineProperties(kept, { setItem: { value() {} }, removeItem: { value() {} } });
  globalThis.localStorage = kept;
});

/** A page for a person. */
function open(dataset, page) {
  globalThis.document = { body: { dataset, hidden: false } };
  checkLoginOnReturn(page);
  const { pageshow, storage } = heard;
  return { document: globalThis.document, body: globalThis.document.body, pageshow, storage };
}
/** Somebody comes back to a page. */
async function back(page) {
  globalThis.document = page.document;
  page.pageshow({ persisted: true });
  await new Promise((later) => setTimeout(later));
}

test("a fresh page is not checked and does not reload", () => {
  open({ person: "ada" }).pageshow({ persisted: false });
  assert.deepEqual([loads, asked], [0, []]);
});

for (const follows of [false, true])
  for (const after of [{}, { person: "ben" }])
    test(`a page is hidden at once if ${after.person ?? "nobody"} may not see it: ${follows}`, async () => {
      const page = open({ person: "ada" }, { follows });
      open(after);
      isUp = false;
      await back(page);
      assert.deepEqual([loads, page.body.hidden], [1, true]);
    });

test("a page that may be outdated reloads as soon as the service is reachable, and not before", async () => {
  const page = open({ person: "ada" });
  isUp = false;
  await back(page);
  assert.equal(loads, 0, "what was read stays in sight without a network");
  [isUp, isPortal] = [true, true];
  await back(page);
  assert.equal(loads, 0, "nor where the network wants a log-in first");
  isPortal = false;
  await back(page);
  assert.equal(loads, 1);
  assert.deepEqual(asked[1], ["HEAD", "http://kifu.test/people"]);
  assert.ok(!page.body.hidden);
});

test("a page that follows the news, or that answers a form, stays as it is", async () => {
  await back(open({ person: "ada" }, { follows: true }));
  await back(open({ person: "ada", sent: "" }));
  assert.deepEqual([loads, asked], [0, []]);
});

test("a log-out in another tab hides a page, unless somebody records there", () => {
  const page = open({ person: "ada" });
  page.storage({ key: "kifu:outbox", newValue: "" });
  page.storage({ key: "kifu:person", newValue: "ada" });
  assert.equal(loads, 0);
  page.storage({ key: "kifu:person", newValue: "" });
  assert.deepEqual([loads, page.body.hidden], [1, true]);
  const game = open({ person: "ada" }, { follows: true });
  game.storage({ key: "kifu:person", newValue: "" });
  assert.equal(loads, 1);
});

test("a share link shows everybody the same page", async () => {
  const page = open({ person: "ada" });
  assert.equal(open({ share: "code" }).pageshow, page.pageshow, "it watches nothing");
  await back(page);
  assert.equal(loads, 1, "it was loaded anew, and not hidden");
  assert.ok(!page.body.hidden);
});
