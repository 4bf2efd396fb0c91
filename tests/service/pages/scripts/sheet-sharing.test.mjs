import assert from "node:assert/strict";
import { test } from "node:test";
import { readFile, sheetInAddress } from "../../../../service/pages/static/js/sheet/sharing.js";

const MOST = 60_000;
const SHEET = JSON.stringify({ name: "Dice", columns: [] });

/** A sheet of so many bytes. */
const sheet = (bytes) => SHEET.padEnd(bytes);

/** What a page finds whose address contains this text as a sheet. */
async function opened(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const packed = Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url");
  globalThis.location = { hash: `#sheet=${packed}`, pathname: "/rulesets/scoresheet/template" };
  globalThis.history = { replaceState: () => {} };
  return sheetInAddress();
}

test("a sheet of the most bytes comes from a file and from a link, and one of a byte more does not", async () => {
  for (const [read, where] of [
    [(text) => readFile(new File([text], "dice.json")), /dice\.json is too large/],
    [opened, /The link is too large/],
  ]) {
    assert.equal((await read(sheet(MOST))).name, "Dice");
    await assert.rejects(read(sheet(MOST + 1)), where);
  }
});
