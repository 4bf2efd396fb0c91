/** A game in a file: the slider through its entries, and the proof of its record. */
import { h } from "../base/dom.js";
import { t, tn } from "../base/language.js";
import { unpacked } from "./frames.js";
import { BrokenLineError, proved } from "./proof.js";

/** Activate the page. Nothing is loaded for it. */
export function start() {
  void unfold().then(replay);
  const record = document.getElementById("record-lines")?.textContent;
  if (record) offerProof(record);
}

/** Unpack the boards in the file. Older browsers cannot, and show the last board. */
async function unfold() {
  const bytes = Uint8Array.from(atob(part("boards").textContent ?? ""), (letter) => letter.charCodeAt(0));
  const unfolded = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(unfolded).text());
}

/**
 * @param {{ parts: string[], frames: [number, number, number[]][][], entries: number[], scores: number[][] }} boards
 */
function replay({ parts, frames, entries, scores }) {
  const pictures = unpacked(parts, frames);
  const slider = /** @type {HTMLInputElement} */ (part("slider"));
  const last = pictures.length - 1;
  /** @param {number} wanted */
  const show = (wanted) => {
    const at = Math.min(Math.max(wanted, 0), last);
    slider.value = String(at);
    part("moment").textContent = t("Entry {entry}", { entry: entries[at] });
    const board = new DOMParser().parseFromString(pictures[at], "image/svg+xml").documentElement;
    part("board").replaceChildren(document.importNode(board, true));
    document.querySelectorAll("#scores b").forEach((points, seat) => {
      points.textContent = String(scores[at][seat] ?? "");
    });
    mark(entries[at], last ? at / last : 1);
  };
  slider.max = String(last);
  goThrough(slider, entries, show);
  part("replay").hidden = false;
  show(last);
}

/**
 * Step through the boards with the slider, its buttons, and the list of entries.
 *
 * @param {HTMLInputElement} slider
 * @param {number[]} entries
 * @param {(wanted: number) => void} show
 */
function goThrough(slider, entries, show) {
  slider.addEventListener("input", () => show(Number(slider.value)));
  const steps = {
    first: () => 0,
    back: () => Number(slider.value) - 1,
    on: () => Number(slider.value) + 1,
    last: () => Number(slider.max),
  };
  for (const [name, step] of Object.entries(steps)) part(name).addEventListener("click", () => show(step()));
  for (const button of document.querySelectorAll("#entries button"))
    button.addEventListener("click", () => {
      show(entries.indexOf(Number(button.textContent)));
      part("replay").scrollIntoView({ block: "nearest" });
    });
}

/**
 * Mark the current entry in the list, and its place in the curve.
 *
 * @param {number} entry
 * @param {number} share
 */
function mark(entry, share) {
  for (const row of document.querySelectorAll("#entries tr"))
    row.classList.toggle("shown", row.id === `entry-${entry}`);
  const cursor = document.querySelector("#curve .cursor");
  const width = Number(cursor?.getAttribute("data-width"));
  for (const end of ["x1", "x2"]) cursor?.setAttribute(end, String(share * width));
}

/** @param {string} record */
function offerProof(record) {
  const answer = part("verdict");
  part("verify").addEventListener("click", async () => {
    answer.textContent = await verdict(record);
  });
  part("save").addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([record], { type: "application/x-ndjson" }));
    h("a", { href: address, download: "record.ndjson" }).click();
    URL.revokeObjectURL(address);
  });
  part("proof-actions").hidden = false;
}

/**
 * The result of proving a record, in words.
 *
 * @param {string} record
 */
async function verdict(record) {
  if (!globalThis.crypto?.subtle) return t("This browser computes no hashes for files. Try another one.");
  try {
    const { entries, head } = await proved(record);
    return tn(
      entries,
      "{count} entry is as it was recorded. The hash of the last one is {head}.",
      "All {count} entries are as they were recorded. The hash of the last one is {head}.",
      { head },
    );
  } catch (error) {
    if (error instanceof BrokenLineError)
      return t("Line {line} of the record is not what was recorded.", { line: error.line });
    throw error;
  }
}

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
function part(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
