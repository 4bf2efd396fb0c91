/** A sheet as a file, and as a link that contains all of it. */
import { parseJson, formatJson } from "./components.js";
import { h } from "../base/dom.js";
import { region, t } from "../base/language.js";
import { shapeProblem } from "./sheet.js";

const MAX_BYTES = 60_000;
const FRAGMENT = "#sheet=";

/**
 * Read a sheet from a file. Throws an error with the reason if there is none.
 *
 * @param {File} file
 */
export async function readFile(file) {
  if (file.size > MAX_BYTES)
    throw new Error(
      t("{name} is too large for a sheet: the limit is {most} bytes.", {
        name: file.name,
        most: MAX_BYTES.toLocaleString(region),
      }),
    );
  return checkedSheet(await file.text(), file.name);
}

/**
 * Save a sheet as a file.
 *
 * @param {Template} template
 */
export function saveFile(template) {
  const address = URL.createObjectURL(new Blob([formatJson(template)], { type: "application/json" }));
  const name = String(template.name || "sheet").replace(/[^\p{L}\p{N}]+/gu, "-");
  h("a", { href: address, download: `${name}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/**
 * A field with the link that contains a sheet. It is copied or shared.
 *
 * @param {Template} template
 */
export async function shareLink(template) {
  const address = location.origin + location.pathname + FRAGMENT + (await compress(JSON.stringify(template)));
  /** @type {HTMLInputElement} */
  const field = h("input", { readonly: true, "aria-label": t("Link to this sheet"), onfocus: () => field.select() });
  field.value = address;
  try {
    await (navigator.share
      ? navigator.share({ title: template.name, url: address })
      : navigator.clipboard.writeText(address));
  } catch {
    // nothing was shared: the link stays in the field
  }
  return h(
    "div",
    {},
    h("p", { class: "fits" }, t("This link contains the sheet as it is now. Nothing needs to be kept here.")),
    field,
  );
}

/** The sheet in this page's address; undefined without one. Throws an error for a damaged one. */
export async function sheetInAddress() {
  if (!location.hash.startsWith(FRAGMENT)) return null;
  const text = location.hash.slice(FRAGMENT.length);
  history.replaceState(null, "", location.pathname);
  try {
    return checkedSheet(await decompress(text), t("The link"));
  } catch (error) {
    throw error instanceof InvalidSheetError
      ? error
      : new Error(t("The link holds no sheet: perhaps its end is missing."));
  }
}

class InvalidSheetError extends Error {}

/**
 * @param {string} text
 * @param {string} where
 * @returns {Template}
 */
function checkedSheet(text, where) {
  const data = parseJson(text);
  if (data instanceof Error)
    throw new InvalidSheetError(t("{name} is not JSON: {why}", { name: where, why: data.message }));
  const why = shapeProblem(data);
  if (why) throw new InvalidSheetError(t("{name} holds no sheet: {why}.", { name: where, why }));
  return data;
}

/** @param {string} text */
async function compress(text) {
  const bytes = await readThrough(new Blob([text]).stream(), new CompressionStream("deflate-raw"));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
}

/** @param {string} text */
async function decompress(text) {
  const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
  return new TextDecoder().decode(
    await readThrough(new Blob([bytes]).stream(), new DecompressionStream("deflate-raw")),
  );
}

/**
 * Read a stream through another one, up to the largest size of a sheet.
 *
 * @param {ReadableStream} stream
 * @param {CompressionStream | DecompressionStream} change
 */
async function readThrough(stream, change) {
  const reader = stream.pipeThrough(change).getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    size += part.value.length;
    if (size > MAX_BYTES) {
      reader.cancel();
      throw new InvalidSheetError(
        t("The link is too large for a sheet: the limit is {most} bytes.", { most: MAX_BYTES.toLocaleString(region) }),
      );
    }
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
