/** Keeping pages on this device, for when the service cannot be reached. Browsers do it over HTTPS, and on the machine itself. */

const REST = 1_000;
const PAGE = 1_000;

/** Whether this page can be kept at all. */
export function keeps() {
  return "serviceWorker" in navigator;
}

/** @type {Promise<ServiceWorkerRegistration> | undefined} */
let registered;

/** The service worker, registered when a page begins; undefined where there is none. */
export function worker() {
  if (!keeps()) return undefined;
  registered ??= navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready);
  return registered;
}

/**
 * Keep a page and what it asks for, as they are now.
 *
 * @param {string} page
 * @param {string[]} addresses
 */
export function keep(page, addresses) {
  worker()
    ?.then(({ active }) => active?.postMessage({ page, addresses }))
    .catch(() => {});
}

/**
 * Keep a game as it stands, whenever it rests.
 *
 * @param {GameRecord} record
 * @param {string} ruleset
 */
export function keepGame(record, ruleset) {
  let timer = 0;
  const now = () => {
    const [page, moment] = [`/games/${record.game}${location.search}`, { after: record.last?.version }];
    const pages = Array.from({ length: Math.ceil(record.head / PAGE) }, (_, page) => page * PAGE);
    keep(page, [
      `/v1/rulesets/${ruleset}?brief=true`,
      `/v1/rulesets/${ruleset}`,
      record.path,
      `${record.path}/claims`,
      ...pages.map((after) => record.address("timeline", { after, limit: PAGE, brief: true })),
      ...["state", "board.svg", "score"].map((part) => record.address(part, moment)),
      record.address("moves", { at: record.head }),
    ]);
  };
  record.addEventListener("entries", () => {
    clearTimeout(timer);
    timer = setTimeout(now, REST);
  });
}

/** The page of games that wait to be opened. */
const DRAFT = "/draft";

/**
 * Keep the list of games, and what opening one asks for, and recording it before it is opened.
 *
 * @param {string[]} rulesets
 */
export function keepList(rulesets) {
  const rules = rulesets.map((name) => `/v1/rulesets/${name}`);
  keep("/", ["/v1/playable", ...rules, ...rulesets.map((name) => `/v1/components/${name}`)]);
  if (rulesets.length) keep(DRAFT, rules);
}

/**
 * Where a game is recorded that is not opened yet; null where that page would not open without a network.
 *
 * @param {string} game
 */
export async function draftPage(game) {
  const kept = keeps() && (await caches.match(DRAFT, { ignoreVary: true }).catch(() => null));
  return kept ? `${DRAFT}#${game}` : null;
}
