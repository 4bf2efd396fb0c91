import { h } from "../base/dom.js";
import { tn } from "../base/language.js";
import { readBoxes } from "./store.js";

/**
 * Tell somebody who is not logged in, at the top of a page, how many entries wait on this device: without a log-in no
 * other page shows them. A browser that has never kept any is not asked to make a place for them.
 */
export async function showUnsentCount() {
  if (document.body.dataset.person) return;
  try {
    const kept = await indexedDB.databases();
    const found = kept.some(({ name }) => name === "kifu") ? await readBoxes() : new Map();
    const count = [...found.values()].flat().length;
    if (count) document.getElementById("main")?.before(unsentView(count));
  } catch {
    // the browser forbids it: nothing is kept there
  }
}

/** @param {number} count */
function unsentView(count) {
  const text = tn(
    count,
    "{count} entry that is not stored yet is kept on this device. Log in to send it.",
    "{count} entries that are not stored yet are kept on this device. Log in to send them.",
  );
  return h("p", { class: "banner warning", role: "status" }, text);
}
