/** Keys, tabs, menus and buttons to copy, and what is loaded when a reader comes near it. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { JS } from "./pages.mjs";
import { called, settled, texts } from "./document.mjs";

const { copyField } = await import(new URL("base/copying.js", JS));
const { h } = await import(new URL("base/dom.js", JS));
const { ignoreHeldEnter } = await import(new URL("base/held-enter.js", JS));
const { Menu } = await import(new URL("base/menu.js", JS));
const { rovingTabindex } = await import(new URL("base/roving-tabindex.js", JS));
const { tabs } = await import(new URL("base/tabs.js", JS));
const { whenVisible } = await import(new URL("base/visibility.js", JS));

/** What listens on the whole page, by the type of its events. */
let listening;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  listening = {};
  globalThis.addEventListener = (type, listener) => (listening[type] = listener);
  document.addEventListener = globalThis.addEventListener;
  document.getElementById = (id) => (id ? document.body.querySelector(`#${id}`) : null);
  document.body.replaceChildren();
  globalThis.location = { hash: "" };
});

/** Strike a key, and tell whether what listens took it from the page. */
function strike(part, key, more = {}) {
  let taken = false;
  part.dispatchEvent({ type: "keydown", key, stopPropagation: () => (taken = true), ...more });
  return taken;
}

test("a held Enter presses nothing again, but writes lines and repeats where that is wanted", () => {
  ignoreHeldEnter();
  const held = (target, more = {}) => {
    const done = [];
    const [preventDefault, stopImmediatePropagation] = ["kept", "stopped"].map((what) => () => done.push(what));
    listening.keydown({ key: "Enter", repeat: true, target, preventDefault, stopImmediatePropagation, ...more });
    return done;
  };
  const button = h("button", {});
  assert.deepEqual(held(button), ["kept", "stopped"]);
  assert.deepEqual(held(document), ["kept", "stopped"]);
  assert.deepEqual(held(button, { repeat: false }), []);
  assert.deepEqual(held(button, { key: "a" }), []);
  assert.deepEqual(held(h("textarea", {})), []);
  assert.deepEqual(held(h("button", { "data-repeats": "" })), []);
});

// Tabs

/** Three tabs with their panels, each with a link to the place in another. */
function threeTabs() {
  const names = ["one", "two", "three"];
  const all = names.map((name) => h("button", { role: "tab", "aria-controls": name }, name));
  const list = h("div", { role: "tablist" }, all);
  const panels = names.map((id) =>
    Object.assign(h("section", { role: "tabpanel", id }, h("p", { id: `in-${id}` })), { id }),
  );
  document.body.append(list, ...panels);
  tabs(list);
  const open = () => panels.filter(({ hidden }) => !hidden).map((panel) => panel.getAttribute("id"));
  const chosen = () =>
    all
      .filter((tab) => tab.getAttribute("aria-selected") === "true" && tab.tabIndex === 0)
      .map(({ textContent }) => textContent);
  return { all, list, shows: () => [...open(), ...chosen()] };
}

test("a tab shows its panel alone, and is the one stop of the Tab key", () => {
  const { all, shows } = threeTabs();
  all[1].click();
  assert.deepEqual(shows(), ["two", "two"]);
  assert.deepEqual(
    all.map(({ tabIndex }) => tabIndex),
    [-1, 0, -1],
  );
});

test("arrow keys go around the tabs, and the page does not hear them", () => {
  const { all, list, shows } = threeTabs();
  all[0].focus();
  assert.ok(strike(list, "ArrowLeft"));
  assert.deepEqual([shows(), document.activeElement], [["three", "three"], all[2]]);
  assert.ok(strike(list, "ArrowRight"));
  assert.deepEqual(shows(), ["one", "one"]);
  assert.equal(strike(list, "a"), false);
  assert.deepEqual(shows(), ["one", "one"]);
});

test("a link and an address open the panel with their place, and other links change nothing", () => {
  globalThis.location.hash = "#in-two";
  const { shows } = threeTabs();
  assert.deepEqual(shows(), ["two", "two"]);
  const link = (hash) => ({ target: { closest: (selector) => (selector === "a[href^='#']" ? { hash } : null) } });
  listening.click(link("#in-three"));
  assert.deepEqual(shows(), ["three", "three"]);
  listening.click(link("#12"));
  listening.click({ target: { closest: () => null } });
  listening.click({ target: document });
  assert.deepEqual(shows(), ["three", "three"]);
  globalThis.location.hash = "#one";
  listening.hashchange();
  assert.deepEqual(shows(), ["one", "one"]);
});

// Groups of buttons

/** Two rows of two buttons and a hidden one, and how often somebody left the group upwards. */
function group() {
  const keys = ["a", "b", "c", "d"].map((name, at) => {
    const [left, top] = [100 * (at % 2), 50 * Math.floor(at / 2)];
    const box = { left, top, bottom: top + 40 };
    return Object.assign(h("button", {}, name), { getBoundingClientRect: () => box, checkVisibility: () => true });
  });
  const hidden = Object.assign(h("button", { hidden: true }, "hidden"), { checkVisibility: () => false });
  const element = h("div", {}, hidden, keys);
  document.body.append(element);
  let left = 0;
  rovingTabindex(element, () => (left += 1));
  const stops = () => element.all("button").filter(({ tabIndex }) => tabIndex === 0);
  return {
    keys,
    hidden,
    left: () => left,
    stop: () =>
      stops()
        .map(({ textContent }) => textContent)
        .join(),
  };
}

test("arrow keys move in a group by its rows, and the key with the focus is its one stop", () => {
  const { keys, hidden, left, stop } = group();
  assert.equal(stop(), "a");
  const go = (key, more) => {
    const taken = strike(document.activeElement, key, more);
    return `${document.activeElement.textContent} ${taken}`;
  };
  keys[0].focus();
  const ways = ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "End", "Home"].map((key) => go(key));
  assert.deepEqual(ways, ["b true", "d true", "c true", "a true", "d true", "a true"]);
  assert.equal(left(), 0);
  assert.deepEqual([go("ArrowLeft"), left()], ["a true", 0]);
  assert.deepEqual([go("ArrowUp"), left(), stop()], ["a true", 1, "a"]);
  for (const more of ["altKey", "ctrlKey", "metaKey", "shiftKey"])
    assert.equal(go("ArrowRight", { [more]: true }), "a false");
  assert.equal(go("x"), "a false");
  keys[2].click();
  assert.equal(stop(), "c");
  assert.equal(hidden.tabIndex, -1);
});

// Menus, copies, and what is loaded later

test("a menu closes before it does what was chosen, and by a tap beside it", () => {
  const menu = new Menu();
  const done = [];
  Object.assign(menu.dialog, { showModal: () => done.push("open"), close: () => done.push("closed") });
  menu.open("Entry 2", [
    { text: "Note", act: () => done.push("noted") },
    { text: "Erase", hint: "for good", act: () => {} },
  ]);
  assert.deepEqual(texts(menu.dialog, "h2"), ["Entry 2"]);
  assert.deepEqual(texts(menu.list, "li"), ["Note", "Erasefor good"]);
  called(menu.list, "button", "Note").click();
  menu.title.click();
  assert.deepEqual(done, ["open", "closed", "noted"]);
  menu.dialog.click();
  assert.deepEqual(done.at(-1), "closed");
});

test("a text is copied from its field where the browser forbids the clipboard, or by hand", async () => {
  const copied = [];
  const clipboard = { writeText: async (text) => copied.push(text) };
  Object.defineProperty(globalThis, "navigator", { value: { clipboard }, configurable: true });
  document.execCommand = () => true;
  const element = copyField("Link", "https://kifu.example/join");
  const [field, button] = [called(element, "input", "Link"), called(element, "button", "Copy")];
  const says = async () => {
    button.click();
    await settled();
    return [button.textContent, ...texts(element, "[role=status]"), field.selection?.join()];
  };
  assert.deepEqual(await says(), ["Copied", "Copied", undefined]);
  assert.deepEqual(copied, ["https://kifu.example/join"]);
  clipboard.writeText = async () => Promise.reject(new Error("forbidden"));
  assert.deepEqual(await says(), ["Copied", "Copied", "0,25"]);
  document.execCommand = () => false;
  assert.deepEqual(await says(), ["Copy it by hand", "Copy it by hand", "0,25"]);
});

test("what failed to load near its reader is loaded again, later each time, unless something else is wanted", async () => {
  const watching = new Map();
  globalThis.IntersectionObserver = class {
    constructor(seen) {
      this.seen = seen;
    }
    observe() {
      watching.set(this, this.seen);
    }
    disconnect() {
      watching.delete(this);
    }
  };
  const appears = async (isIntersecting = true) => {
    for (const seen of [...watching.values()]) seen([{ isIntersecting }]);
    await settled();
  };
  const element = h("div", {});
  let loads = 0;
  whenVisible(element, async () => {
    loads += 1;
    throw new Error("no network");
  });
  await appears(false);
  assert.equal(loads, 0);
  await appears();
  assert.deepEqual([loads, watching.size], [1, 0]);
  mock.timers.tick(2_000);
  await appears();
  mock.timers.tick(3_999);
  assert.deepEqual([loads, watching.size], [2, 0]);
  mock.timers.tick(1);
  assert.equal(watching.size, 1);
  whenVisible(element, async () => {});
  assert.equal(watching.size, 1);
  await appears();
  mock.timers.tick(60_000);
  assert.deepEqual([loads, watching.size], [2, 0]);
});
