/**
 * The service worker: it stores recent games, and the list, for offline use.
 *
 * Each page has a cache of its own, which is complete: the page, its files, and its answers. So a copy is consistent,
 * even if the service has another release now, and another worker can take over at any time. Copies belong to one
 * session, which pages name: when it ends or another begins, all are deleted.
 */
import { locale, t } from "./base/language.js";
const PATIENCE = 2_000;
/** The most milliseconds for loading a file: one that never arrives would delay all later copies. */
const LONGEST = 30_000;
/** @typedef {{ name: string, session: string, what: string, at: string }} Copy */

const GAMES = 20;
const STATES =
  /^\/v1\/(games\/[^/]+(\/(timeline|state|board\.svg|score|claims|moves))?|playable|rulesets\/[^/]+|components\/[^/]+)$/;
/** The page instead of one that is not stored, in the browser's colours: it cannot load a style. */
const NOT_KEPT = `<!doctype html><html lang="${locale}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${t("No connection")} · Kifu</title>
<style>body { max-width: 32rem; margin: 15vh auto 0; padding: 0 1rem; font: 1.1rem/1.6 system-ui, sans-serif; }
a { display: block; padding: 0.7rem 0; }</style>
<h1>${t("No connection")}</h1><p>${t("This page is not kept on this device.")}</p>`;

/** The number of deletions of everything: answers requested before one are not stored after it. */
let forgotten = 0;
/** Resolves once all copies are stored; one after the other, so that the newest copy stays. */
let keeping = Promise.resolve();

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("message", (event) => {
  keeping = keeping.then(() => storePage(event.data)).catch(() => {});
  /** @type {any} */ (event).waitUntil(keeping);
});
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method !== "GET") {
    if (pathname === "/logout") event.waitUntil(deleteAll());
    return;
  }
  // a page with a share link shows a game from elsewhere; a page that names a tag has a copy, and wants news or nothing
  if (request.headers.has("Kifu-Share") || request.headers.has("If-None-Match")) return;
  if (pathname.startsWith("/static/"))
    event.respondWith(
      caches.match(request, { ignoreVary: true, ignoreSearch: true }).then((found) => found ?? fetch(request)),
    );
  else if (request.mode === "navigate") event.respondWith(answerPage(event, pathname));
  else if (STATES.test(pathname)) event.respondWith(answerOrCopy(event));
});

/**
 * A page from the service, or its copy.
 *
 * @param {FetchEvent} event
 * @param {string} pathname
 */
async function answerPage(event, pathname) {
  try {
    const answer = await answerOrCopy(event, { ignoreSearch: true });
    if (!answer.headers.has("Kifu-As-Of")) event.waitUntil(takeSession(answer));
    return answer;
  } catch {
    const last = pathname === "/games/last" && (await allCopies()).findLast(({ what }) => what.startsWith("/games/"));
    if (last) return Response.redirect(last.what, 303);
    const page =
      NOT_KEPT + (await offlineLinks()).map(([address, text]) => `<a href="${address}">${text}</a>`).join("");
    return new Response(page, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
  }
}

/** Links on the page instead of one that is not stored: to stored pages, and to a retry. */
async function offlineLinks() {
  const all = await allCopies();
  return [
    ...(all.some(({ what }) => what === "/") ? [["/", t("To the games")]] : []),
    ...(all.some(({ what }) => what.startsWith("/games/")) ? [["/games/last", t("Last game")]] : []),
    ["", t("Try again")],
  ];
}

/**
 * The service's answer, or the copy if it takes too long.
 *
 * @param {FetchEvent} event
 * @param {CacheQueryOptions} matching
 */
async function answerOrCopy(event, matching = {}) {
  const { request } = event;
  const asked = fetch(request);
  event.waitUntil(asked.catch(() => {}));
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  const first = await Promise.race([asked.catch(() => null), late]);
  return first ?? (await copyFor(request, matching)) ?? asked;
}

/**
 * The copy for a request, from the newest cache that has it: in the last chosen language.
 *
 * @param {Request} request
 * @param {CacheQueryOptions} matching
 */
async function copyFor(request, matching = {}) {
  for (const { name } of (await allCopies()).reverse()) {
    const found = await caches.match(request, { ignoreVary: true, cacheName: name, ...matching });
    if (found) return found;
  }
  return undefined;
}

/**
 * Store a page with all its answers, in place of an older copy. An incomplete page is not stored.
 *
 * @param {{ page: string, addresses: string[] }} what
 */
async function storePage({ page, addresses }) {
  const before = forgotten;
  const answers = await Promise.all([page, ...addresses].map(fetchInTime));
  const text = await answers[0].clone().text();
  const files = [...text.matchAll(/(?:src|href|data-script)="(\/static\/[^"]+)"/g)].map(([, address]) => address);
  const loaded = await Promise.all([...new Set(files)].map(fetchInTime));
  const session = answers[0].ok && (await takeSession(answers[0]));
  if (before !== forgotten || !session) return;
  const now = new Date().toISOString();
  const name = `kept ${session} ${new URL(page, location.href).pathname} ${now}`;
  const cache = await caches.open(name);
  /** @param {Response} answer */
  const put = async (answer) => answer.ok && cache.put(answer.url, await withStoringTime(answer, now));
  await Promise.all([...answers.slice(1), ...loaded].map(put));
  await put(answers[0]); // the page comes last: if it is there, everything is
  if (before === forgotten) await deleteOld(copy(name));
  else await caches.delete(name);
}

/**
 * Delete the copy that a new one replaces, and the games not seen for the longest time.
 *
 * @param {Copy} fresh
 */
async function deleteOld(fresh) {
  const others = (await allCopies()).filter(({ name }) => name !== fresh.name);
  const games = others.filter(({ what }) => what.startsWith("/games/") && what !== fresh.what);
  const gone = [
    ...others.filter(({ what }) => what === fresh.what),
    ...games.slice(0, Math.max(0, games.length + 1 - GAMES)),
  ];
  await Promise.all(gone.map(({ name }) => caches.delete(name)));
}

/** @param {string} address */
async function fetchInTime(address) {
  const answer = await fetch(address, { headers: { "Kifu-Keep": "1" }, signal: AbortSignal.timeout?.(LONGEST) });
  if (!answer.ok && answer.status !== 404) throw new Error(`${address}: ${answer.status}`);
  return answer;
}

/**
 * A copy with the time of storing.
 *
 * @param {Response} answer
 * @param {string} now
 */
async function withStoringTime(answer, now) {
  const headers = new Headers(answer.headers);
  headers.set("Kifu-As-Of", now);
  const page = headers.get("Content-Type")?.startsWith("text/html");
  const body = page ? (await answer.text()).replace("<body", `<body data-as-of="${now}"`) : await answer.blob();
  return new Response(body, { headers });
}

/**
 * The session that a page was made for. Copies of other sessions are deleted.
 *
 * @param {Response} answer
 */
async function takeSession(answer) {
  const session = answer.headers.get("Kifu-Session");
  if (!session) return null;
  const others = (await allCopies()).filter((each) => each.session !== session);
  if (others.length) forgotten += 1;
  await Promise.all(others.map(({ name }) => caches.delete(name)));
  return session;
}

async function deleteAll() {
  forgotten += 1;
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
}

/** All copies, the oldest first. */
async function allCopies() {
  return (await caches.keys()).map(copy).sort((one, other) => (one.at < other.at ? -1 : 1));
}

/** @param {string} name */
function copy(name) {
  const [, session, what, at] = name.split(" ");
  return { name, session, what, at };
}
