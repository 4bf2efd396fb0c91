import { isTemporary, post, Problem, Unreachable } from "../base/api.js";
import { t } from "../base/language.js";

/** Problems that do not come from the entry: it is stored, and resolved in the outbox. */
export const FOREIGN_PROBLEMS = new Set(["stale-version", "token-needed", "token-unknown", "foreign-origin"]);

const UNOPENED = t("It is checked when it is stored: the game is not opened yet.");

/**
 * Ask the service what an entry would do after all waiting ones. Returns `{answer, before}`: the entry as it would be,
 * and the scores before it. Returns `{problem}` if the service would refuse it. Returns `{unknown}`, a sentence with
 * the reason, if no answer is possible now.
 *
 * @param {Known} record
 * @param {Sync} sync
 * @param {Sent} event
 * @returns {Promise<Verdict>}
 */
export async function dryRun(record, sync, event) {
  const waiting = sync.outbox.items();
  if (waiting.some(({ body }) => !body.events)) return { unknown: UNOPENED };
  const events = [...waiting.flatMap((item) => item.body.events), event];
  const base = waiting[0]?.base ?? record.head;
  try {
    const { entries } = await post(`${record.path}/events?dry_run=true`, { events }, { base });
    return { answer: entries.at(-1), before: entries.at(-2)?.scores ?? record.lastEntry?.scores };
  } catch (error) {
    if (error instanceof Unreachable) {
      return {
        unknown: t(
          "No connection: it cannot be checked now. If you record it, it is kept here, and checked when it is stored.",
        ),
      };
    }
    if (!(error instanceof Problem)) throw error;
    if (isTemporary(error)) {
      return {
        unknown: t(
          "The service is overloaded: it cannot be checked now. If you record it, it is kept here, and checked when it is stored.",
        ),
      };
    }
    const { entry_index: at = events.length - 1 } = error.body;
    if (at < events.length - 1 || error.name === "stale-version") {
      return { unknown: t("It will be checked after the earlier entries.") };
    }
    return { problem: error };
  }
}
