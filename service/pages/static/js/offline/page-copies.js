/** Storing pages on this device for offline use. Browsers allow it over HTTPS and on localhost. */

const REST = 1_000;
const PAGE = 1_000;

/** Whether this page can be stored. */
export function canStore() {
  return "serviceWorker" in navigator;
}

/** @type {Promise<ServiceWorkerRegistration> | undefined} */
let registered;

/** The service worker, registered on the first call; undefined if unsupported. */
export function registerWorker() {
  if (!canStore()) return undefined;
  registered ??= navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready);
  return registered;
}

/**
 * Store a page and the answers at these addresses.
 *
 * @param {string} page
 * @param {string[]} addresses
 */
export function storePage(page, addresses) {
  registerWorker()
    ?.then(({ active }) => active?.postMessage({ page, addresses }))
    .catch(() => {});
}

/**
 * Store a game whenever its record rests.
 *
 * @param {GameRecord} record
 * @param {string} ruleset
 */
export function storeGame(record, ruleset) {
  let timer = 0;
  const now = () => {
    const [page, moment] = [`/games/${record.game}${location.search}`, { after: record.lastEntry?.version }];
    const pages = Array.from({ length: Math.ceil(record.head / PAGE) }, (_, page) => page * PAGE);
    storePage(page, [
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
 * Store the list of games, and everything for opening a game and recording it offline.
 *
 * @param {string[]} rulesets
 */
export function storeList(rulesets) {
  const rules = rulesets.map((name) => `/v1/rulesets/${name}`);
  storePage("/", ["/v1/playable", ...rules, ...rulesets.map((name) => `/v1/components/${name}`)]);
  if (rulesets.length) storePage(DRAFT, rules);
}

/**
 * The address for recording a game that is not opened yet; null if it does not work offline.
 *
 * @param {string} game
 */
export async function draftPage(game) {
  const kept = canStore() && (await caches.match(DRAFT, { ignoreVary: true }).catch(() => null));
  return kept ? `${DRAFT}#${game}` : null;
}
