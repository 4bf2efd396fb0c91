import { isFromService } from "./release.js";
import { storage } from "./storage.js";

/** The storage key for the person of the last shown page. */
const NAME = "kifu:person";

/**
 * Reload a page that the browser restores from history, if another person is logged in now, or nobody. Pages that do
 * not update by themselves also reload, once the service is reachable, because they could be out of date.
 *
 * @param {{ follows?: boolean }} [page] whether the page updates by itself
 */
export function checkLoginOnReturn({ follows = false } = {}) {
  const { person = "", share, sent } = document.body.dataset;
  const store = storage();
  if (share !== undefined) return; // a share link shows everybody the same
  store[NAME] = person;
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    if (store[NAME] !== person) reloadHidden();
    else if (!follows && sent === undefined) ifReachable(() => location.reload());
  });
  addEventListener("storage", ({ key, newValue }) => {
    if (key === NAME && newValue !== person && !follows) reloadHidden();
  });
}

/** Hide the page while it reloads. */
function reloadHidden() {
  document.body.hidden = true;
  location.reload();
}

/** @param {() => void} act */
function ifReachable(act) {
  fetch(location.href, { method: "HEAD" }).then(
    (answer) => isFromService(answer) && act(),
    () => {},
  );
}
