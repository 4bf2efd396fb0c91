/** Nodes of happy-dom that make their maps when something is put into them: each has eleven, and most stay empty. */
import assert from "node:assert/strict";

/**
 * Let nodes be small: a page is thousands of them, and half of what the collector of node moves about is empty maps.
 * @param {(path: string) => Promise<any>} load loads a module of happy-dom
 */
export async function spare(load) {
  const names = await load("PropertySymbol.js");
  const { default: Target } = await load("event/EventTarget.js");
  const { default: Node } = await load("nodes/node/Node.js");
  const { affectsCache, cache, clearCache, listenerOptions, listeners } = names;
  const clear = Node.prototype[clearCache];
  assert.ok(clear && affectsCache && cache && listenerOptions && listeners, "happy-dom has other names by now");
  for (const name of [listeners, listenerOptions]) makeLate(Target.prototype, name, heard);
  const kept = makeLate(Node.prototype, cache, found);
  Node.prototype[clearCache] = function () {
    if (this[kept]) return clear.call(this);
    if (!this[affectsCache].length) return;
    for (const other of this[affectsCache]) other.result = null;
    this[affectsCache] = [];
  };
}

const heard = () => ({ bubbling: new Map(), capturing: new Map() });
/** What was found under a node, so that it is not looked for again. */
const found = () => ({
  querySelector: new Map(),
  querySelectorAll: new Map(),
  matches: new Map(),
  elementsByTagName: new Map(),
  elementsByTagNameNS: new Map(),
  elementByTagName: new Map(),
  elementById: new Map(),
  computedStyle: null,
});

/** Let a property of objects be made at its first use, and not by their constructor. Where it is then. */
function makeLate(prototype, name, make) {
  const own = Symbol(String(name.description));
  Object.defineProperty(prototype, name, {
    get() {
      this[own] ??= make();
      return this[own];
    },
    set() {
      this[own] = null;
    },
  });
  return own;
}
