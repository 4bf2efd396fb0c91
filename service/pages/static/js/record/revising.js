import { get } from "../base/api.js";
import { refill } from "../base/dom.js";
import { named, t } from "../base/language.js";
import { loadScript } from "../base/lazy-scripts.js";
import { entryLink } from "./entry.js";
import { whenVisible } from "../base/visibility.js";

/**
 * The revision of the rules that the game follows. When somebody opens it: what the newest revision would change. People
 * who may rule also get the button that moves the game on: it `ask`s.
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
    const ruleset = named(words.ruleset.title);
    refill(
      fact,
      ...(by
        ? t("{ruleset}, revision {revision}, adopted in {entry}", { ruleset, revision, entry: entryLink(by) })
        : [t("{ruleset}, revision {revision}", { ruleset, revision })]),
    );
    if (revision >= newest) return element.replaceChildren();
    const key = `${record.head} ${record.viewpoint}`;
    if (key === known) return;
    known = key;
    whenVisible(element, async () => {
      const { showRevised } = await loadScript(element.dataset.script ?? "");
      const { body } = await get(record.address("revisions"));
      showRevised(element, body, record, words, ask && permit.may("games:rule") ? ask : null);
    });
  });
}
