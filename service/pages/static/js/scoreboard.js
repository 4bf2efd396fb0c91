/** A game on a big screen that nobody touches: the score, the next player, and the last entry. */
import { get } from "./base/api.js";
import { Board } from "./board/board.js";
import { Connection } from "./base/connection.js";
import { h } from "./base/dom.js";
import { entrySummary } from "./record/entry.js";
import { follow } from "./record/follower.js";
import { t } from "./base/language.js";
import { Moment } from "./record/moment.js";
import { GameRecord } from "./record/record.js";
import { showScoreboard } from "./board/scoreboard.js";
import { Seating } from "./people/seating.js";
import { Words } from "./base/words.js";
import { checkLoginOnReturn } from "./base/returning.js";

const PAUSE = 5_000;
/** The most effects shown of an entry: nobody reads more in passing. */
const FEW = 3;

/**
 * @param {string} id
 * @returns {any}
 */
const find = (id) => document.getElementById(id);
const { game, ruleset, seating, names, endings } = find("game").dataset;
// Everybody sees the screen. So it shows the public view, also to people who are logged in. A share link sets its view.
const record = new GameRecord(game, "share" in document.body.dataset ? null : "public", {});
const connection = new Connection();
const board = new Board(find("board"));
const moment = new Moment(record);

keepAwake();
checkLoginOnReturn({ follows: true });
connection.addEventListener("change", () => {
  find("connection").hidden = connection.isReachable;
  find("connection").textContent = connection.isReachable ? "" : t("No connection: this may be out of date.");
  if (connection.closed) reloadWhenBack();
});
const [{ body: rules }, { body: info }] = await repeatUntilDone(() =>
  Promise.all([get(`/v1/rulesets/${ruleset}?brief=true`), get(record.path)]),
);
const [people, own, ends] = [seating, names, endings].map((text) => JSON.parse(text));
const words = new Words(rules, info.seats, new Seating(people), own, ends);
record.addEventListener("entries", () => {
  if (words.seating?.update(record)) words.seats = record.facts.seats;
});
record.addEventListener("position", () => record.lastEntry && showLast(record.lastEntry));
moment.addEventListener("moment", ({ detail }) => {
  if (detail.missing !== undefined) return;
  const { at, state, board: picture } = detail;
  const then = words.atPlace(record.placeOf(at));
  const touched = (record.entries[at - 1]?.effects ?? []).flatMap((effect) => effect.at ?? []);
  board.show(picture, new Set(touched), then);
  showScoreboard(find("scoreboard"), find("turn"), state, then, record.closed);
  find("game").setAttribute("aria-busy", "false");
});
await repeatUntilDone(() => record.refresh());
follow(record, connection);

/**
 * Show the last entry in words.
 *
 * @param {Entry} entry
 */
function showLast(entry) {
  const then = words.atPlace(entry.place);
  const effects = (entry.effects ?? []).slice(0, FEW).map((effect) => h("p", {}, then.effectText(effect)));
  find("last").replaceChildren(h("p", { class: "what" }, entrySummary(entry, then)), ...effects);
}

/**
 * Repeat `work` until it succeeds: nobody is there to retry.
 *
 * @template Done
 * @param {() => Promise<Done>} work
 */
async function repeatUntilDone(work) {
  while (true) {
    try {
      const done = await work();
      connection.report(true);
      return done;
    } catch {
      connection.report(false);
      await new Promise((later) => setTimeout(later, PAUSE));
    }
  }
}

/** The viewing right has changed: reload once the service can be reached. */
async function reloadWhenBack() {
  await new Promise((later) => setTimeout(later, PAUSE));
  await repeatUntilDone(() => fetch(location.href, { cache: "no-store" }));
  location.reload();
}

/** Keep the screen on while the page is visible, if the browser allows it. */
function keepAwake() {
  const ask = () => document.visibilityState === "visible" && navigator.wakeLock?.request("screen").catch(() => {});
  document.addEventListener("visibilitychange", ask);
  ask();
}
