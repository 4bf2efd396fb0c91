/** The page of the list: open games, opening and importing games. */
import { Connection, showConnection } from "./base/connection.js";
import { storeList, canStore, registerWorker } from "./offline/page-copies.js";
import { ignoreHeldEnter } from "./base/held-enter.js";
import { keepPresses } from "./base/redrawn.js";
import { ListFollower } from "./record/gamelist.js";
import { ImportForm } from "./record/imports.js";
import { OpeningForm } from "./record/opening.js";
import { WaitingGames } from "./offline/waiting.js";
import { localiseTimes } from "./base/times.js";
import { showUnsentCount } from "./offline/unsent.js";
import { checkLoginOnReturn } from "./base/returning.js";

/**
 * @param {string} id
 * @returns {any}
 */
const find = (id) => document.getElementById(id);
const connection = new Connection();
const rulesets = [];

localiseTimes(document);
keepPresses();
ignoreHeldEnter();
checkLoginOnReturn({ follows: true });
showConnection(find("connection"), connection);
find("unkept").hidden = canStore();
registerWorker()?.catch(() => {});
if ("acts" in document.body.dataset) {
  const waiting = new WaitingGames(find("outbox"), connection);
  new OpeningForm(find("opening"), waiting);
  new ImportForm(find("import"), waiting);
  waiting.sendAll();
  rulesets.push(...JSON.parse(find("opening").dataset.rulesets));
} else showUnsentCount();
if (document.body.dataset.asOf) reloadWhenBack();
else {
  new ListFollower(find("news"), connection);
  if (!location.search) storeList(rulesets);
}

/** Reload a list shown from storage once that is possible, unless somebody fills in a form or leaves. */
function reloadWhenBack() {
  let leaving = false;
  addEventListener("beforeunload", () => {
    leaving = true;
  });
  connection.addEventListener("change", () => {
    if (connection.isReachable && !leaving && !document.querySelector("details[open], .chosen:not([hidden])"))
      location.reload();
  });
}
