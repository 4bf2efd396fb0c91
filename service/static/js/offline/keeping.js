/** Keeping pages on this device, for when the service cannot be reached. Browsers do it over HTTPS, and on the machine itself. */

const REST = 1_000;
const PAGE = 1_000;

/** Whether this page can be kept at all. */
export const keeps = "serviceWorker" in navigator;

const worker = keeps && navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready);

/** Keep a page and what it asks for, as they are now. */
export function keep(page, addresses) {
  if (worker) worker.then(({ active }) => active.postMessage({ page, addresses })).catch(() => {});
}

/** Keep a game as it stands, whenever it rests. */
export function keepGame(record, ruleset) {
  let timer = 0;
  const now = () => {
    const [page, moment] = [`/games/${record.game}${location.search}`, { after: record.last.version }];
    const pages = Array.from({ length: Math.ceil(record.head / PAGE) }, (_, page) => page * PAGE);
    keep(page, [
      `/v1/rulesets/${ruleset}`,
      record.path,
      `${record.path}/claims`,
      ...pages.map((after) => record.address("timeline", { after, limit: PAGE })),
      ...["state", "board.svg", "score"].map((part) => record.address(part, moment)),
      record.address("moves", { at: record.head }),
    ]);
  };
  record.addEventListener("entries", () => {
    clearTimeout(timer);
    timer = setTimeout(now, REST);
  });
}

/** Keep the list of games, and what opening one asks for. */
export function keepList(rulesets) {
  keep("/", rulesets.flatMap((name) => [`/v1/rulesets/${name}`, `/v1/components/${name}`]));
}
