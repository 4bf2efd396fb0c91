import { storage } from "./storage.js";

/** For whom this browser showed a page last. */
const NAME = "kifu:person";

/**
 * Browsers show a page again as it was left, on the way back and forward. It is loaded anew if somebody else is logged
 * in by now, or nobody. So is one that hears of no news by itself, once the service is reached: it could be out of date.
 *
 * @param {{ follows?: boolean }} [page] whether the page shows by itself what has changed
 */
export function watchReturn({ follows = false } = {}) {
  const { person = "", share, sent } = document.body.dataset;
  const store = storage();
  if (share !== undefined) return; // a link shows everybody the same
  store[NAME] = person;
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    if (store[NAME] !== person) loadAnew();
    else if (!follows && sent === undefined) whenReached(() => location.reload());
  });
  addEventListener("storage", ({ key, newValue }) => {
    if (key === NAME && newValue !== person && !follows) loadAnew();
  });
}

/** Nothing is seen of the page while the service is asked for another. */
function loadAnew() {
  document.body.hidden = true;
  location.reload();
}

/** @param {() => void} act */
function whenReached(act) {
  fetch(location.href, { method: "HEAD" }).then(act, () => {});
}
