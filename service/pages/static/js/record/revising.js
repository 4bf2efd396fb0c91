import { get } from "../base/api.js";
import { refill } from "../base/dom.js";
import { translated, t } from "../base/language.js";
import { loadScript } from "../base/lazy-scripts.js";
import { entryLink } from "./entry.js";
import { whenVisible } from "../base/visibility.js";

/**
 * The revision of the rules for this game. When opened, it shows the changes by the newest one. People with the right
 * to rule also get a button that adopts it, through `ask`.
 *
 * @param {HTMLElement} fact
 * @param {HTMLElement} element
 * @param {GameRecord} record
 * @param {Words} words
 * @param {Permit} permit
 * @param {((form: EntryForm) => void) | null} ask
 */
export function showRevision(fact, element, record, words, permit, ask) {
  let known = "";
  const newest = words.ruleset.revision;
  record.addEventListener("entries", () => {
    if (!record.info) return;
    const { revision, adopted_by: by } = record.info;
    const ruleset = translated(words.ruleset.title);
    refill(
      fact,
      ...(by
        ? t("{ruleset}, revision {revision}, adopted in {entry}", { ruleset, revision, entry: entryLink(by) })
        : [t("{ruleset}, revision {revision}", { ruleset, revision })]),
    );
    if (revision >= newest) {
      known = "";
      return element.replaceChildren();
    }
    const key = `${record.head} ${record.viewpoint}`;
    if (key === known) return;
    known = key;
    whenVisible(element, async () => {
      /** @type {typeof import("./revised.js")} */
      const { showRevised } = await loadScript(element.dataset.script ?? "");
      const { body } = await get(record.address("revisions"));
      if (key !== known) return; // the record has changed since
      showRevised(element, body, record, words, ask && permit.hasScope("games:rule") ? ask : null);
    });
  });
}
