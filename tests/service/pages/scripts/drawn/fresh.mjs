/** Hooks of node: the scripts of a page, fresh for each page as in a browser, and those that the service sends later. */
import { JS } from "../pages.mjs";

const LATER = /^\/static\/[0-9a-f]+\/later\/\w+\/([^?]+)/;

export async function resolve(specifier, context, next) {
  const later = LATER.exec(specifier)?.[1];
  const found = later ? { url: new URL(later, JS).href, shortCircuit: true } : await next(specifier, context);
  const page = new URL(context.parentURL ?? "file:///").searchParams.get("page");
  return page && !found.url.includes("?") ? { ...found, url: `${found.url}?page=${page}` } : found;
}
