import { Problem } from "../base/api.js";
import { Stream } from "../base/stream.js";

const EVERY = 4_000;
/** The answers to whoever may not see a game, or not any more. */
const OVER = new Set([401, 403, 404]);

/**
 * Take in what others record, as long as somebody looks at the page: as soon as the stream of the game tells that there
 * is something, and now and then where no stream can be had. It ends when what may be seen from here has changed.
 */
export function follow(record, connection) {
  // It begins with the last entry that is known, so that there is something to tell, which shows that it holds.
  const stream = new Stream(
    () => record.address("stream"),
    () => record.address("stream", { last_event_id: Math.max(record.head - 1, 0) }),
  );
  let timer = 0;
  let newest = 0;
  let busy = false;
  const look = async () => {
    clearTimeout(timer);
    if (busy || connection.over || document.visibilityState === "hidden") return;
    busy = true;
    const failed = await catchUp(record, () => newest).catch((error) => error);
    busy = false;
    if (OVER.has(failed?.body?.status)) return end();
    connection.report(!failed || failed instanceof Problem);
    if (failed || !stream.holds) timer = setTimeout(look, EVERY);
  };
  const end = () => {
    stream.end();
    connection.end();
  };
  stream.addEventListener("change", look);
  stream.addEventListener("told", ({ detail: { event, id } }) => {
    if (event === "gone") return end();
    newest = Math.max(newest, id);
    if (id > record.head) look();
  });
  document.addEventListener("visibilitychange", look);
  record.addEventListener("viewpoint", () => stream.reopen());
  timer = setTimeout(look, EVERY);
}

/** Take in all up to the newest entry that was told of: more may be told while it is read. */
async function catchUp(record, newest) {
  for (let known = -1; known < record.head && (known < 0 || record.head < newest()); ) {
    known = record.head;
    await record.refresh();
  }
}
