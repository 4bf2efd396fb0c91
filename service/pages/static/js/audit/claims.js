import { loadScript } from "../base/lazy-scripts.js";

/**
 * What the table wrote down, claim by claim, beside the audit, as soon as there is any.
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
      const { compareClaims } = await loadScript(element.dataset.script ?? "");
      await compareClaims(element, record, words);
    } catch {
      known = "";
    }
  });
}
