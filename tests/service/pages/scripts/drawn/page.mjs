/** The pages as the service sends them, with their scripts, in a document without a screen: what is drawn, and typed. */
import assert from "node:assert/strict";
import { after, beforeEach } from "node:test";
import { pathToFileURL } from "node:url";
import { run } from "./scripts.mjs";
import { addressOf, answer, entries as entriesOf, openDealt, record as recorded } from "./service.mjs";

const MODULES = pathToFileURL(`${process.env.KIFU_MODULES}/`);
/** A window without a JavaScript context of its own, which takes time and room. */
const { GlobalWindow: Window } = await import(new URL("happy-dom/lib/index.js", MODULES));
const { default: Frames } = await import(new URL("happy-dom/lib/window/WindowBrowserContext.js", MODULES));
const { IDBDatabase, IDBFactory, IDBKeyRange, IDBObjectStore } = await import(
  new URL("fake-indexeddb/build/esm/index.js", MODULES)
);

/** How many milliseconds a busy machine may take for what is a matter of moments. */
const PATIENCE = 30_000;
const PHONE = { width: 360, height: 740 };
const BOUND = "addEventListener removeEventListener dispatchEvent matchMedia getComputedStyle scrollTo scrollBy";
/** What only the scripts of a page have from its window: node has timers of its own, and uses them for requests. */
const TIMERS = "setTimeout setInterval clearTimeout clearInterval requestAnimationFrame";
const TAKEN = "document location history localStorage sessionStorage navigator CSS Event CustomEvent EventTarget";
const words = (text) => text.split(" ");
/** What of a window node has not, and what a page's own window has to have. */
const OWN = Object.getOwnPropertyNames(new Window()).filter((name) => /^[A-Z]/.test(name) && !(name in globalThis));

const moment = () => new Promise((over) => setTimeout(over, 10));

/** A channel between pages that keeps no process alive. It ends with its page: a page that was left answers no other. */
class Channel extends BroadcastChannel {
  static #open = new Set();

  constructor(name) {
    super(name);
    this.unref();
    Channel.#open.add(this);
  }

  postMessage(message) {
    if (Channel.#open.has(this)) super.postMessage(message);
  }

  static closeAll() {
    for (const channel of Channel.#open) channel.close();
    Channel.#open.clear();
  }
}

/** What comes into sight: nothing by itself, as there is no screen. */
class Sight {
  static #all = new Set();

  constructor(tell) {
    this.tell = tell;
    /** Whether each was said to be in sight: that is said once. */
    this.watched = new Map();
    Sight.#all.add(this);
  }

  observe(element) {
    if (!this.watched.has(element)) this.watched.set(element, false);
  }

  unobserve(element) {
    this.watched.delete(element);
  }

  disconnect() {
    this.watched.clear();
  }

  static forget() {
    Sight.#all.clear();
  }

  /** Somebody comes near to all that fits. */
  static near(selector) {
    for (const sight of Sight.#all)
      for (const [target] of [...sight.watched].filter(
        ([each, said]) => !said && each.isConnected && each.matches(selector),
      )) {
        sight.watched.set(target, true);
        sight.tell([{ isIntersecting: true, target }], sight);
      }
  }
}

let window = null;
/** The page that somebody left last: some of it may still run. Those before it are freed. */
let leftBefore = null;
let isOwner = true;
/** Whether the network is there. */
let up = true;
/** What the last page kept in the storage of the browser. */
let kept = new Map();
/** The databases of this device. */
let databases = new IDBFactory();
/** What answers in place of the service: `(path, init) => Response | null`, or a promise of it. */
let inPlace = null;

/** What a page gets for its requests; nothing once somebody left it. */
async function fetchOn(own, path, init = {}) {
  const never = new Promise(() => {});
  if (own !== window) return never;
  if (!up) throw new TypeError("Failed to fetch");
  const got = asOwn(await inPlace?.(String(path), init)) ?? (await answer(path, init, isOwner));
  return own === window ? got : never;
}

/** What a page finds besides what is its window's own. */
const STORAGE = { IDBDatabase, IDBKeyRange, IDBObjectStore };
const GIVEN = { ...STORAGE, crypto, BroadcastChannel: Channel, IntersectionObserver: Sight };

/** An answer in place of the service is as one of its own. A page of HTML is of something on the way. */
function asOwn(answer) {
  if (answer && !answer.headers.get("Content-Type")?.startsWith("text/html") && !answer.headers.has("Kifu-Release"))
    answer.headers.set("Kifu-Release", document.body.dataset.release);
  return answer;
}

function take(name, value) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

/** Give a window what browsers have and this one has not. */
function complete({ Element, HTMLFieldSetElement }) {
  Object.defineProperty(HTMLFieldSetElement.prototype, "validity", { value: { valid: true }, configurable: true });
  Object.defineProperty(Element.prototype, "ariaLabel", {
    get() {
      return this.getAttribute("aria-label");
    },
    configurable: true,
  });
}

/** What only the scripts of a page find there. On a page that somebody left they start no timer, as in browsers. */
const timersOf = (own) =>
  Object.fromEntries(words(TIMERS).map((name) => [name, (...given) => own === window && own[name](...given)]));

/** What scripts find on the page of a window. */
function placeOf(own) {
  const bound = words(BOUND).map((name) => [name, own[name].bind(own)]);
  const taken = [...OWN, ...words(TAKEN)].map((name) => [name, own[name]]);
  const fetch = (path, init) => fetchOn(own, path, init);
  const given = { ...GIVEN, indexedDB: databases, window: own, fetch };
  return Object.fromEntries([...taken, ...bound, ...Object.entries(given)]);
}

/** Let the globals be those of this window, and return them: its scripts keep them when somebody leaves the page. */
function takeWindow() {
  const place = placeOf(window);
  for (const [name, value] of Object.entries(place)) take(name, value);
  delete window.Navigator.prototype.serviceWorker;
  complete(window);
  return { ...place, ...timersOf(window) };
}

/** Let a page that writes its own address not be told of it, as browsers have it. */
function keepAddressQuiet() {
  const own = new Set();
  const replace = history.replaceState.bind(history);
  history.replaceState = (...given) => {
    replace(...given);
    own.add(location.href);
  };
  addEventListener("hashchange", (event) => own.has(event.newURL) && event.stopImmediatePropagation());
}

/** What a browser asks for with the address of a page: errors come as pages, too. */
const AS_PAGE = { headers: { Accept: "text/html" } };

/** Leave the page that was opened last: nothing of it goes on. */
export function leave() {
  if (!window) return;
  Object.defineProperty(document, "visibilityState", { value: "hidden" });
  document.dispatchEvent(new Event("visibilitychange"));
  const left = window;
  kept = new Map(Object.entries(localStorage));
  window = null;
  Sight.forget();
  Channel.closeAll();
  left.happyDOM.abort();
  if (leftBefore) Frames.removeWindowBrowserFrameRelation(leftBefore);
  leftBefore = left;
}

/** Forget what was kept on this device. */
function forget() {
  leave();
  kept.clear();
  databases = new IDBFactory(); // a page that somebody left may still write to its own
}
beforeEach(forget);
after(leave);

/**
 * Open a page, and run its scripts: its HTML can be changed, and something else can `give` answers from the beginning.
 * Returns what its scripts find on it.
 */
export async function visit(path, { owner = true, change = (html) => html, give = null } = {}) {
  leave();
  [isOwner, up, inPlace] = [owner, true, give];
  const html = await (await answer(path, AS_PAGE, isOwner)).text();
  window = new Window({ url: addressOf(path), ...PHONE });
  const place = takeWindow();
  keepAddressQuiet();
  for (const [name, value] of kept) localStorage.setItem(name, value);
  document.write(change(html));
  for (const script of all("head script[src]")) await run(script.getAttribute("src"), place);
  return place;
}

/** Open the page of a game. */
export async function visitGame(game, { query = "", ...more } = {}) {
  await visit(`/games/${game}${query}`, more);
  await until(() => find("#game").getAttribute("aria-busy") === "false");
}

/** Open the page of a game that has been dealt, with these moves after the deal. Its id. */
export async function visitDealt(...moved) {
  const game = await openDealt(...moved);
  await visitGame(game);
  await untilStored(2 + moved.length);
  return game;
}

/** Lose the network, or have it again. */
export function network(isThere) {
  up = isThere;
  dispatchEvent(new Event(isThere ? "online" : "offline"));
}

/** Let somebody come near to what is loaded then. */
export const comeNear = (selector) => Sight.near(selector);

/** What the service answers to who looks at the page, as text. */
export const read = async (path) => (await answer(path, {}, isOwner)).text();

/** Let something else answer the page. */
export function answerWith(give) {
  inPlace = give;
}

/** What a request meets whose answer does not arrive. */
export const lost = () => Promise.reject(new TypeError("Failed to fetch"));

/** Hold back what the page asks for at some addresses, until it is opened. */
export function hold(fits) {
  let open = null;
  const opened = new Promise((resolve) => (open = () => resolve(null)));
  const gate = { waiting: 0, open };
  answerWith((path, init) => {
    if (!fits(path, init)) return null;
    gate.waiting += 1;
    return opened;
  });
  return gate;
}

/** A problem, as the service answers it. */
export const problem = (body, headers = {}) =>
  new Response(JSON.stringify(body), {
    status: body.status,
    headers: { "Content-Type": "application/problem+json", ...headers },
  });

// What is there

export const find = (selector, within = document) => within.querySelector(selector);
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];
/** What an element says, with one blank between two words. */
export const textOf = (element) => (element ? wordsOf(element) : "").replaceAll(/\s+/g, " ").trim();
/** The text of an element, without the scripts in it. */
function wordsOf(element) {
  if (!find("script", element)) return element.textContent;
  return [...element.childNodes]
    .map((node) => (node.localName === "script" ? "" : node.localName ? wordsOf(node) : node.textContent))
    .join("");
}
export const texts = (selector, within = document) => all(selector, within).map(textOf);

/** Whether nothing hides an element: an attribute, a fold, a dialog that is not open. */
export const isShown = (element) =>
  Boolean(element?.isConnected) &&
  !element.closest("[hidden], dialog:not([open]), details:not([open]) > :not(summary)");

/** What a key or a field is called. */
const labelOf = (element) => element.getAttribute("aria-label") ?? textOf(element);
const fits = (name, wanted) => (wanted instanceof RegExp ? wanted.test(name) : name === wanted);

/** The first key of this name that is shown. */
export function key(name, within = document) {
  const found = all("button, a, summary, [role=tab]", within).find(
    (each) => isShown(each) && fits(labelOf(each), name),
  );
  assert.ok(found, `no key is called ${name}: ${texts("button", within).join(" | ").slice(0, 2_000)}`);
  return found;
}

/** Whether there is a key of this name that is shown. */
export const hasKey = (name, within = document) =>
  all("button, a", within).some((each) => isShown(each) && fits(labelOf(each), name));

/** All fields with this label. */
export function fieldsOf(label, within = document) {
  const named = (each) => (each.getAttribute("aria-label") ?? "") === label;
  const begins = (each) => (label instanceof RegExp ? label.test(ownText(each)) : ownText(each).startsWith(label));
  const exact = all("label", within).filter((each) => ownText(each) === label);
  const labels = exact.length ? exact : all("label", within).filter(begins);
  const found = labels.map((each) => document.getElementById(each.getAttribute("for")) ?? find(FIELDS, each));
  return [...found, ...all(FIELDS, within).filter(named)].filter(Boolean);
}
const FIELDS = "input, select, textarea";

/** What a label says, without what is in its field. */
function ownText(label) {
  if (!find("select, textarea, datalist", label)) return textOf(label);
  const copy = label.cloneNode(true);
  for (const part of copy.querySelectorAll("select, textarea, datalist")) part.remove();
  return textOf(copy);
}

/** The first field with this label. */
export function field(label, within = document) {
  const [found] = fieldsOf(label, within);
  assert.ok(found, `no field is called ${label}: ${texts("label", within).join(" | ")}`);
  return found;
}

// What people do

/** Wait until this is so. */
export async function until(isSo, what = isSo) {
  for (const ends = performance.now() + PATIENCE; performance.now() < ends; ) {
    const found = isSo();
    if (found) return found;
    await moment();
  }
  throw assert.fail(`waited in vain for ${what}`);
}

/** Wait until an element says this. */
export const untilText = async (selector, wanted) => {
  const isSo = () =>
    wanted instanceof RegExp ? wanted.test(textOf(find(selector))) : textOf(find(selector)).includes(wanted);
  for (const ends = performance.now() + PATIENCE; !isSo(); ) {
    assert.ok(performance.now() < ends, `${selector} never says ${wanted}: ${textOf(find(selector))}`);
    await moment();
  }
};

/** Pause as people do: what was sent is off this device by then. */
export const pause = () => new Promise((over) => setTimeout(over, 200));

/** Press a key that is enabled, once it is there. */
export async function press(name, within) {
  const place = () => (typeof within === "function" ? within() : (within ?? document));
  const ready = () => place() && hasName(name, place());
  await until(ready, `the key ${name}`);
  ready().click();
}

function hasName(name, within) {
  const keys = all("button, a, summary, [role=tab]", within);
  return keys.find((each) => isAtHand(each) && !each.disabled && fits(labelOf(each), name));
}

/** Whether an element is shown, and no open dialog keeps hands away from it. */
function isAtHand(element) {
  const asking = all("dialog[open]").at(-1);
  return isShown(element) && (!asking || asking.contains(element));
}

/** Type a text in place of what stands in a field. */
export function type(element, text) {
  element.focus();
  element.value = text;
  element.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Leave a field, as one does who has typed into it. */
export function settle(element) {
  element.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Choose an option by what it says, or by its value. */
export function choose(select, option) {
  const found = all("option", select).find((each) => textOf(each) === option || each.value === option);
  assert.ok(found, `no option is called ${option}: ${texts("option", select).join(" | ")}`);
  select.value = found.value;
  for (const event of ["input", "change"]) select.dispatchEvent(new Event(event, { bubbles: true }));
}

/** Press a key of the keyboard. */
export function strike(name, element = document.body) {
  element.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
}

/** Wait until the page of a game shows the end of a record of so many entries. */
export const untilStored = (version) => untilText("#stepper output", new RegExp(`^${version} / ${version}$`));

/** Let the page notice at once what others recorded. */
export const refresh = () => document.dispatchEvent(new Event("visibilitychange"));

// On the page of a game

const MENU = "dialog.sheet[open]";
/** The dialog that asks. */
export const dialog = () => find("dialog.form-dialog[open]");

/** Wait until the dialog that is open has this text. */
export const untilDialogHas = (wanted) =>
  until(() => textOf(dialog()).includes(wanted), `a dialog with the text ${wanted}`);

async function choosing(opener, action) {
  await until(() => !dialog(), "the last dialog to close");
  await press(opener);
  await until(() => find(MENU), "a menu");
  await press(action, () => find(MENU));
  return until(dialog, `the dialog of ${action}`);
}

/** Choose what to do about an entry of the record; the dialog that asks for more. */
export const aboutEntry = (version, action) => choosing(`More about entry ${version}`, action);

/** Choose what to do about the game; the dialog that asks for more. */
export const aboutGame = (action) => choosing("More …", action);

/** An entry in the record. */
export const entry = (version) => find(`#record [data-version="${version}"]`);

/** Where the next move is typed. */
export const moveField = () => field("Move in notation", find("#recorder"));

/** Type a move, wait until what it does is known as far as it can be, and record it. */
export async function enter(move) {
  await until(() => find("#recorder").dataset.offered != null || find("#recorder .choice"), "the form for moves");
  type(moveField(), move);
  await until(() => find("#preview[aria-busy=false] > *"), `what ${move} does`);
  await press("Record", find("#recorder"));
}

/** Let somebody else record moves, and wait until the page shows them. */
export async function elsewhere(game, ...moved) {
  await recorded(game, ...moved);
  refresh();
  await untilStored((await entriesOf(game)).length);
}

/** Open a fold, or close it. */
export function fold(selector) {
  const details = find(selector);
  details.open = !details.open;
  details.dispatchEvent(new Event("toggle"));
}

/** Tap on a place of the board: there is no screen, so that the tap is on the place itself. */
export function tapBoard(place) {
  assert.ok(place, "there is no such place");
  place.getRootNode().elementFromPoint = () => place;
  place.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true }));
}
