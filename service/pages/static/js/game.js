/** A game's page: all its parts show one record, after one entry, from one viewpoint. */
import { get, Problem } from "./base/api.js";
import { showAudit } from "./audit/audit.js";
import { Board } from "./board/board.js";
import { showBookmarks } from "./record/bookmarks.js";
import { showClaims } from "./audit/claims.js";
import { Connection, showConnection } from "./base/connection.js";
import { h, hint, refill } from "./base/dom.js";
import { entrySummary, entryLine, recordedBy, entryClasses } from "./record/entry.js";
import { Curve } from "./record/curve.js";
import { PageLayout } from "./story/layout.js";
import { follow } from "./record/follower.js";
import { showComparisons } from "./record/forks.js";
import { ignoreHeldEnter } from "./base/held-enter.js";
import { t } from "./base/language.js";
import { whenIdle, loadScript, waitForScript } from "./base/lazy-scripts.js";
import { Moment } from "./record/moment.js";
import { Permit } from "./people/permit.js";
import { problemView } from "./base/problem.js";
import { storeGame, registerWorker } from "./offline/page-copies.js";
import { GameRecord } from "./record/record.js";
import { showRules } from "./audit/rulebook.js";
import { showScoreboard } from "./board/scoreboard.js";
import { showRevision } from "./record/revising.js";
import { Seating } from "./people/seating.js";
import { shareButton } from "./people/share-button.js";
import { whenVisible } from "./base/visibility.js";
import { Stepper } from "./record/stepper.js";
import { BoardTables } from "./board/tables.js";
import { tabs } from "./base/tabs.js";
import { guardTaps } from "./base/taps.js";
import { Timeline } from "./record/timeline.js";
import { localiseTimes } from "./base/times.js";
import { Words } from "./base/words.js";
import { checkLoginOnReturn } from "./base/returning.js";

/**
 * @param {string} id
 * @returns {any}
 */
const find = (id) => document.getElementById(id);
const LONG = 500;
const PATIENCE = 3000;
const mayRecord = "acts" in document.body.dataset;
const { game, ruleset, seating, names, endings, permit, recorders } = find("game").dataset;
const viewpoint = viewpointInAddress(find("viewpoint"));
const record = new GameRecord(game, viewpoint, JSON.parse(recorders));
const may = new Permit(JSON.parse(permit));
const connection = new Connection();
/** @type {Tools | null} */
let loadedTools = null;

registerWorker()?.catch(() => {});
localiseTimes(document);
guardTaps();
ignoreHeldEnter();
checkLoginOnReturn({ follows: true });
showRules();
showConnection(find("connection"), connection);
tabs(document.querySelector("[role=tablist]"));
try {
  await openRecord();
  find("game").setAttribute("aria-busy", "false");
} catch (error) {
  find("game").setAttribute("aria-busy", "false");
  find("board").replaceChildren(
    error instanceof Problem
      ? problemView(error.body)
      : t("The game cannot be shown now: no connection. Reload the page to try again."),
  );
}

/**
 * The viewpoint in the address, if it can be chosen; otherwise the first.
 *
 * @param {HTMLSelectElement | null} choice
 */
function viewpointInAddress(choice) {
  if (!choice) return null;
  const asked = new URLSearchParams(location.search).get("seat");
  return [...choice.options].some(({ value }) => value === asked) ? asked : choice.value;
}

async function openRecord() {
  const [{ body: rules }, found] = await Promise.all([get(`/v1/rulesets/${ruleset}?brief=true`), get(record.path)]);
  const [people, own, ends] = [seating, names, endings].map((text) => JSON.parse(text));
  const words = new Words(rules, found.body.seats, new Seating(people), own, ends);
  followSeats(words);
  const layout = new PageLayout(find("game"), record, words, mayRecord);
  const board = new Board(find("board"));
  const tools = shareAttempt(() => loadTools(words, layout, board));
  const withTools = toolsLoader(tools);
  if (mayRecord) offerActions(withTools);
  const curve = showRecord(words, withTools);
  const moment = showMoments(words, board);
  showEntry(words, withTools);
  const analyses = shareAttempt(() => loadAnalyses(words));
  loadWhenNear(find("analysis"), async () => (await analyses()).showExisting());
  const story = shareAttempt(() => loadStory(words, curve));
  layout.addEventListener("story", () => showStory(story, analyses));
  if (record.showsStory) await story();
  else if (mayRecord) await tools().catch(() => connection.report(false)); // the game is shown without them, too
  if (find("sharing")) loadWhenNear(find("sharing"), () => loadSharing(words));
  announceEntries(words);
  updateAddress();
  await showGame(found, moment);
  if (mayRecord) loadToolsWhenIdle(tools);
  if (record.showsStory) showStory(story, analyses);
}

/**
 * Show the current state of the game, and follow it. It appears once the board and the recording form are ready.
 *
 * @param {any} found
 * @param {Moment} moment
 */
async function showGame(found, moment) {
  if (found.body.version > LONG && !location.hash) await moment.load(); // reading all of it takes a while
  await record.refresh(found);
  follow(record, connection, () => loadedTools?.sync);
  const form = [loadedTools?.recorder.offered, loadedTools?.keys];
  const drawn = Promise.all([moment.shown, ...(record.showsStory ? [] : form)]);
  await Promise.race([drawn, new Promise((enough) => setTimeout(enough, PATIENCE))]);
}

/**
 * Update the words when people change seats. The record sends the event `seated`.
 *
 * @param {Words} words
 */
function followSeats(words) {
  record.addEventListener("entries", () => {
    if (!words.seating?.update(record)) return;
    words.seats = record.facts.seats;
    record.dispatchEvent(new Event("seated"));
  });
}

/**
 * The buttons beside the record for people who record.
 *
 * @param {ReturnType<typeof toolsLoader>} withTools
 */
function offerActions(withTools) {
  const goOn = find("go-on");
  find("afterwards").addEventListener("click", () => withTools((made) => made.showGameMenu()));
  goOn.addEventListener("click", () => withTools((made) => made.continueGame()));
  record.addEventListener("entries", () => (goOn.hidden = Boolean(record.closed) && !may.hasScope("games:close")));
  find("claim")?.addEventListener("click", () => withTools((made) => made.claim()));
}

/**
 * Show the record, its navigation and its side parts. Returns the curve of the scores.
 *
 * @param {Words} words
 * @param {ReturnType<typeof toolsLoader>} withTools
 */
function showRecord(words, withTools) {
  listenToViewpoint(find("viewpoint"));
  new Stepper(find("stepper"), record);
  const curve = new Curve(find("curve"), record, words);
  shareButton(find("show"), record, document.title);
  showBookmarks(find("bookmarks"), record);
  if (!document.body.dataset.share) storeGame(record, ruleset);
  const timeline = new Timeline(find("record"), record, words, (entry) =>
    mayRecord ? entryMenuButton(entry, withTools) : null,
  );
  record.addEventListener("seated", () => timeline.redrawNextTime());
  showClaims(find("claims"), record, words);
  showComparisons(find("forks"), record, words);
  const ask = mayRecord ? (/** @type {EntryForm} */ form) => withTools((made) => made.ask(form)) : null;
  showRevision(find("revision"), find("revisions"), record, words, may, ask);
  return curve;
}

/**
 * @param {Words} words
 * @param {PageLayout} layout
 * @param {Board} board
 */
async function loadTools(words, layout, board) {
  /** @type {typeof import("./record/tools.js")} */
  const { Tools } = await loadScript(find("game").dataset.script);
  loadedTools = new Tools(record, connection, words, may, layout, board);
  return loadedTools;
}

/** @param {Words} words */
async function loadAnalyses(words) {
  /** @type {typeof import("./analysis/analysis.js")} */
  const { Analyses } = await loadScript(find("analysis").dataset.script);
  return new Analyses(find("analysis"), record, words, may);
}

/**
 * @param {Words} words
 * @param {Curve} curve
 */
async function loadStory(words, curve) {
  /** @type {typeof import("./story/story.js")} */
  const { Story } = await loadScript(find("told").dataset.script);
  return new Story(find("game"), record, words, curve);
}

/** @param {Words} words */
async function loadSharing(words) {
  /** @type {typeof import("./people/sharing.js")} */
  const { SharingSettings } = await loadScript(find("sharing").dataset.script);
  return new SharingSettings(find("sharing"), record, words, may);
}

/**
 * Load the tools for recording and correcting once the browser is idle, before the network may go.
 *
 * @param {() => Promise<Tools>} tools
 */
async function loadToolsWhenIdle(tools) {
  await whenIdle();
  await waitForScript(find("game").dataset.script, connection);
  await (await tools()).prepare();
}

/**
 * Run actions that need the tools, once these are loaded.
 *
 * @param {() => Promise<Tools>} tools
 */
function toolsLoader(tools) {
  /** @param {(tools: Tools) => unknown} act */
  return async (act) => {
    const found = await tools().catch(() => connection.report(false)); // the script cannot be loaded
    if (found) await act(found);
  };
}

/**
 * Show the story of the game and its analyses once the browser is idle.
 *
 * @param {() => ReturnType<typeof loadStory>} story
 * @param {() => ReturnType<typeof loadAnalyses>} analyses
 */
async function showStory(story, analyses) {
  try {
    const view = await story();
    await whenIdle();
    await view.showAnalyses(await analyses());
  } catch {
    connection.report(false); // a script cannot be loaded; the page shows the rest
  }
}

/**
 * Show board, tables, scoreboard, state and audit of the current moment.
 *
 * @param {Words} words
 * @param {Board} board
 */
function showMoments(words, board) {
  const tables = new BoardTables(find("tables"), find("board"), find("as-tables"));
  const moment = new Moment(record);
  moment.addEventListener("moment", ({ detail }) => {
    if (detail.missing !== undefined) {
      tables.show([], words);
      return board.showMissing(detail.missing);
    }
    const { at, state, board: picture } = detail;
    const then = words.atPlace(record.placeOf(at));
    const touched = record.entries[at - 1]?.effects ?? [];
    find("board").dataset.shown = at;
    board.show(picture, new Set(touched.flatMap((effect) => effect.at ?? [])), then);
    tables.show(state.tables, then);
    showScoreboard(find("scoreboard"), find("turn"), state, then, record.isAtNewest && record.closed);
    showState(state.state, then);
    if (at) showAudit(find("audit"), find("rulebook"), record, then).catch(() => connection.report(false));
  });
  return moment;
}

/**
 * Show the state in words and lists, in its tab.
 *
 * @param {Json} state
 * @param {Words} words
 */
async function showState(state, words) {
  const place = find("state");
  try {
    /** @type {typeof import("./board/state.js")} */
    const script = await loadScript(place.dataset.script);
    script.showState(place, state, words);
  } catch {
    connection.report(false); // the script cannot be loaded
  }
}

/**
 * Show the current entry, with its actions.
 *
 * @param {Words} words
 * @param {ReturnType<typeof toolsLoader>} withTools
 */
function showEntry(words, withTools) {
  record.addEventListener("position", () => {
    const entry = record.currentEntry;
    const time = h("time", { datetime: entry.recorded_at });
    const text = record.closed ? t("About this entry …") : t("Correct and more …");
    const more = mayRecord ? aboutButton(entry, withTools, text, { class: "plain" }) : null;
    const card = find("moment");
    card.className = `card moment ${entryClasses(entry)}`;
    refill(
      card,
      ...[entryLine(entry, record, words), h("p", { class: "meta" }, time, " ", recordedBy(entry, record), " ", more)]
        .flat(2)
        .filter(Boolean),
    );
    localiseTimes(card);
  });
}

/**
 * The small button for the menu of an entry in the record.
 *
 * @param {Entry} entry
 * @param {ReturnType<typeof toolsLoader>} withTools
 */
function entryMenuButton(entry, withTools) {
  return aboutButton(entry, withTools, "⋯", {
    class: "plain more",
    "aria-label": t("More about entry {version}", entry),
  });
}

/**
 * @param {Entry} entry
 * @param {ReturnType<typeof toolsLoader>} withTools
 * @param {string} text
 * @param {Attributes} attributes
 */
function aboutButton({ version }, withTools, text, attributes) {
  return h(
    "button",
    { type: "button", ...attributes, onclick: () => withTools((made) => made.showEntryMenu(version)) },
    text,
  );
}

/** @param {HTMLSelectElement | null} select */
function listenToViewpoint(select) {
  if (!select) return;
  select.value = record.viewpoint ?? "";
  select.addEventListener("change", () => {
    const url = new URL(location.href);
    url.searchParams.set("seat", select.value);
    history.replaceState(null, "", url);
    record.changeViewpoint(select.value).catch(() => connection.report(false));
  });
}

/**
 * Run `make` once, and share its result. A failed attempt can be repeated.
 *
 * @param {() => Promise<any>} make
 */
function shareAttempt(make) {
  /** @type {Promise<any> | null} */
  let made = null;
  return () => {
    made ??= make().catch((error) => {
      made = null;
      throw error;
    });
    return made;
  };
}

/**
 * Load and show a part with its own script when somebody comes near it.
 *
 * @param {HTMLElement} place
 * @param {(place: HTMLElement) => Promise<unknown>} show
 */
function loadWhenNear(place, show) {
  const failed = hint(t("This cannot be loaded now. Kifu will try again."));
  whenVisible(place, async () => {
    try {
      await show(place);
      failed.remove();
    } catch (error) {
      place.append(failed);
      throw error;
    }
  });
}

/**
 * Announce new entries to screen readers while somebody follows.
 *
 * @param {Words} words
 */
function announceEntries(words) {
  let known = 0;
  record.addEventListener("entries", () => {
    if (known && record.head > known)
      find("announcer").textContent = t("Entry {version}: {what}", {
        version: record.head,
        what: entrySummary(record.entries[record.head - 1], words),
      });
    known = record.head;
  });
}

/** Keep the current entry in the address: #12, or nothing for the newest. */
function updateAddress() {
  /** @param {string} url */
  const named = (url) => Number(new URL(url).hash.slice(1));
  record.addEventListener("entries", () => named(location.href) && record.goTo(named(location.href)), { once: true });
  addEventListener("hashchange", ({ newURL }) => {
    // the address may belong to an entry shown since
    if (!named(newURL)) return;
    record.goTo(named(newURL));
    find("board").scrollIntoView({ block: "nearest" });
  });
  record.addEventListener("position", () => {
    history.replaceState(null, "", record.isAtNewest ? location.pathname + location.search : `#${record.at}`);
  });
}
