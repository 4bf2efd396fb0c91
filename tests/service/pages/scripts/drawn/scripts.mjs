/** The scripts of pages as the service sends them: each is compiled once, and runs anew on every page. */
import { Script } from "node:vm";
import { answer } from "./service.mjs";

/** What a script exports. */
const EXPORT = /\bexport (?=(?:async )?(?:class|const|function) (\w+))/g;
/** What loads a script later. */
const LATER = /\bimport\(/g;
/** The modules that the first script of a page has for later ones. */
const PARTS = "kifuParts";
/** What compiled scripts make, by address. */
const made = new Map();

/** Run a script on a page: it finds what is at its `place`, and nothing of another page. Its exports. */
export async function run(address, place) {
  const path = new URL(address, place.location.href).pathname;
  if (!made.has(path)) made.set(path, makerOf(path, await sent(path), Object.keys(place)));
  return made.get(path)(place, (later) => run(later, place));
}

async function sent(path) {
  const got = await answer(path);
  if (!got.ok) throw new TypeError(`${path}: ${got.status}`);
  return got.text();
}

/** A function that runs a script. The names of its page are constants around it, so that it may have the same ones. */
function makerOf(path, text, names) {
  const exported = [...text.matchAll(EXPORT)].map(([, name]) => name);
  const body = text.replaceAll(EXPORT, "").replaceAll(LATER, "runLater(");
  const used = new Set(text.match(/\b[A-Za-z]\w*\b/g));
  const own = [...new Set([...names, PARTS])].filter((name) => used.has(name));
  const inner = `async () => { ${body}\nreturn { ${exported} }; }`;
  const around = `const { ${own} } = globalThis; return (${inner})();`;
  return new Script(`"use strict"; (globalThis, runLater) => { ${around} }`, { filename: path }).runInThisContext();
}
