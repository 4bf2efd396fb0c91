/** The page of a game that waits on this device to be opened. Entries wait behind the opening. */
import { get, isTemporary } from "./base/api.js";
import { Connection, showConnection } from "./base/connection.js";
import { h } from "./base/dom.js";
import { ignoreHeldEnter } from "./base/held-enter.js";
import { translated } from "./base/language.js";
import { Sync } from "./offline/sync.js";
import { Draft } from "./offline/draft.js";
import { Outbox } from "./offline/outbox.js";
import { PendingList } from "./offline/pending.js";
import { Permit } from "./people/permit.js";
import { Recorder } from "./record/recorder.js";
import { Keypad } from "./sheet/keypad.js";
import { columnNames } from "./sheet/sheet.js";
import { guardTaps } from "./base/taps.js";
import { seatMark, Words } from "./base/words.js";
import { checkLoginOnReturn } from "./base/returning.js";

/**
 * @param {string} id
 * @returns {any}
 */
const find = (id) => document.getElementById(id);
const PAUSE = 1_000;
const game = location.hash.slice(1);
let timer = 0;
let left = false;
const connection = new Connection();
const outbox = new Outbox(game);
const sync = new Sync(outbox, connection);

showConnection(find("connection"), connection);
guardTaps();
ignoreHeldEnter();
checkLoginOnReturn({ follows: true });
addEventListener("hashchange", () => location.reload());
await outbox.whenStored;
const opening = waitingOpening();
if (opening) {
  await show(opening);
  outbox.addEventListener("change", openGamePage);
  sync.sendAll();
} else leavePage();

/** The waiting opening of the game; undefined once it is opened. */
function waitingOpening() {
  const body = outbox.firstItem()?.body;
  return body && !body.events ? body : null;
}

/** Continue on the game's own page once the game is opened, if that page can be loaded. */
async function openGamePage() {
  clearTimeout(timer);
  if (waitingOpening()) return;
  try {
    await get(`/v1/games/${game}`);
    leavePage();
  } catch (error) {
    if (isTemporary(error)) timer = setTimeout(openGamePage, PAUSE);
    else leavePage();
  }
}

/** Leave the page, once: another attempt would interrupt the first. */
function leavePage() {
  if (left) return;
  left = true;
  location.replace(game ? `/games/${game}` : "/");
}

/** @param {NewGame} opening */
async function show(opening) {
  /** @type {Answer<Ruleset>} */
  const { body: rules } = await get(`/v1/rulesets/${opening.ruleset}`);
  const seats = opening.seats.map(({ name = null }, seat) => ({
    seat,
    name,
    player: null,
    label: rules.seat_names[seat],
  }));
  const draft = new Draft(game, opening, JSON.parse(find("sheets").textContent));
  const words = new Words(rules, seats, null, columnNames(draft.sheet?.columns ?? []));
  showHead(opening, draft, words);
  showMoveForm(draft, words);
  new PendingList(find("outbox"), sync, draft, words);
  draft.announceMoves();
  find("game").setAttribute("aria-busy", "false");
}

/**
 * Show the game and the players.
 *
 * @param {NewGame} opening
 * @param {Draft} draft
 * @param {Words} words
 */
function showHead(opening, draft, words) {
  const title = translated(words.ruleset.title);
  find("game")
    .querySelector("h1")
    .replaceChildren(h("bdi", {}, opening.title || draft.sheet?.name || title));
  find("seats").replaceChildren(
    `${title} `,
    ...words.seats.flatMap(({ seat }) => [" · ", seatMark(seat), " ", h("bdi", {}, words.name(seat))]),
  );
  document.querySelector(`[data-ruleset="${CSS.escape(opening.ruleset)}"]`).hidden = false;
}

/**
 * Show the form for moves, and the button that takes back the last waiting one.
 *
 * @param {Draft} draft
 * @param {Words} words
 */
function showMoveForm(draft, words) {
  const recorder = new Recorder(
    find("recorder"),
    draft,
    sync,
    words,
    new Permit({ scopes: [], seats: null, me: [] }),
    draft.sheet,
  );
  if (draft.sheet) recorder.keypad = new Keypad(find("keypad"), recorder, words, draft.sheet);
  for (const id of ["redo", "more"]) find(id).hidden = true; // without a record, there is nothing that they could change
  const undoable = () => (find("undo").disabled = outbox.items().length < 2);
  find("undo").addEventListener("click", () => recorder.takeBack());
  outbox.addEventListener("change", undoable);
  undoable();
}
