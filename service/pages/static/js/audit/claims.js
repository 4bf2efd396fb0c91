import { loadScript } from "../base/lazy-scripts.js";

/**
 * Show the claims of the table beside the audit, once there are any.
 *
 * @param {HTMLElement} element
 * @param {GameRecord} record
 * @param {Words} words
 */
export function showClaims(element, record, words) {
  let known = "";
  record.addEventListener("entries", async () => {
    const claims = record.entries.some(({ type, withdrawn_by: gone }) => type === "score.claimed" && !gone);
    if (!claims) return element.replaceChildren();
    const key = `${record.head} ${record.viewpoint}`;
    if (key === known) return;
    known = key;
    try {
      /** @type {typeof import("./comparing.js")} */
      const { compareClaims } = await loadScript(element.dataset.script ?? "");
      await compareClaims(element, record, words);
    } catch {
      known = "";
    }
  });
}
