import { Problem, embed } from "../base/api.js";
import { Stream } from "../base/stream.js";

const POLL_EVERY = 4_000;
const OWN_ANSWER_WAIT = 1_000;
/** The statuses for people without the right to see a game. */
const ENDED_STATUSES = new Set([401, 403, 404]);

/**
 * Load what other people record while the page is visible. The stream of the game says when there is something new.
 * Without a stream, it polls. It ends when the right to see the game changes. It waits briefly for what `sync` is
 * sending, because that answer has the same entries.
 *
 * @param {GameRecord} record
 * @param {Connection} connection
 * @param {() => Sync | undefined} [sync]
 */
export function follow(record, connection, sync) {
  // Start from the last known entry, so that an event arrives at once and proves that the stream works.
  const stream = new Stream(
    () => record.address("stream"),
    () => record.address("stream", { last_event_id: Math.max(record.head - 1, 0) }),
  );
  let timer = 0;
  let newest = 0;
  let busy = false;
  const load = async () => {
    clearTimeout(timer);
    if (busy || connection.closed || document.visibilityState === "hidden") return;
    busy = true;
    const failed = await catchUp(record, () => newest).catch((error) => error);
    busy = false;
    if (ENDED_STATUSES.has(failed?.body?.status)) return end();
    connection.report(!failed || failed instanceof Problem);
    if (failed || !stream.isWorking) timer = setTimeout(load, POLL_EVERY);
  };
  const end = () => {
    stream.end();
    connection.close();
  };
  stream.addEventListener("change", load);
  stream.addEventListener("received", async ({ detail: { event, id } }) => {
    if (event === "gone") return end();
    newest = Math.max(newest, id);
    const own = sync?.()?.whenSent.then(() => record.whenLoaded);
    await Promise.race([own, new Promise((later) => setTimeout(later, OWN_ANSWER_WAIT))]);
    if (newest > record.head) load();
  });
  document.addEventListener("visibilitychange", load);
  record.addEventListener("viewpoint", () => stream.reopen());
  timer = setTimeout(load, POLL_EVERY);
}

/**
 * Load all entries up to the newest announced one; more may be announced meanwhile. Answers embedded in the page may be
 * older, so if they do not lead further, the service is asked.
 *
 * @param {GameRecord} record
 * @param {() => number} newest
 */
async function catchUp(record, newest) {
  for (let asked = false; ; ) {
    const known = record.head;
    await record.refresh();
    if (record.head >= newest() || (asked && record.head === known)) return;
    asked = record.head === known;
    if (asked) embed({});
  }
}
