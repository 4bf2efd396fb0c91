/** Hooks of node: each page has scripts of its own, as in a browser. They use what belongs to their page. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { JS } from "../pages.mjs";

/** The path of a script that the service sends later. */
const LATER = /^\/static\/[0-9a-f]+\/later\/\w+\/([^?]+)/;
/** What declares a name in a module. */
const DECLARED = /^(?:export )?(?:async )?(?:const|let|class|function) (\w+)|^import \{([^}]*)\}/gm;
/** The names that mean something else on each page. */
let names = new Set();
/** The scripts that were read, by path: the text, and the names that it uses. */
const scripts = new Map();

export function initialize(given) {
  names = new Set(given);
}

export async function resolve(specifier, context, next) {
  const later = LATER.exec(specifier)?.[1];
  const found = later ? { url: new URL(later, JS).href, shortCircuit: true } : await next(specifier, context);
  const page = pageOf(context.parentURL ?? "file:///");
  return page && !found.url.includes("?") ? { ...found, url: `${found.url}?page=${page}` } : found;
}

/** A script of a page begins with the names of its page: after somebody left, it touches no other page. */
export async function load(url, context, next) {
  const page = pageOf(url);
  if (!page) return next(url, context);
  const path = fileURLToPath(url);
  if (!scripts.has(path)) scripts.set(path, scriptAt(path));
  const { text, used } = scripts.get(path);
  const source = `const { ${used} } = globalThis.drawnPages.get("${page}"); ${text}`;
  return { format: "module", shortCircuit: true, source };
}

function scriptAt(path) {
  const text = readFileSync(path, "utf8");
  return { text, used: namesIn(text).join(", ") };
}

const pageOf = (url) => new URL(url).searchParams.get("page");

/** The names of a page that a module uses, and does not declare. */
function namesIn(text) {
  const declared = new Set(
    [...text.matchAll(DECLARED)].flatMap(([, one, several = ""]) => [one, ...several.split(/\W+/)]),
  );
  return [...new Set(text.match(/\b[A-Za-z]\w*\b/g))].filter((name) => names.has(name) && !declared.has(name));
}
