/** A sheet as a file, and as a link that contains all of it. */
import { parsed, pretty } from "./components.js";
import { h } from "../base/dom.js";
import { region, t } from "../base/language.js";
import { misshapen } from "./sheet.js";

const MOST = 60_000;
const MARK = "#sheet=";

/**
 * Read a sheet from a file. Throws an error with the reason if there is none.
 *
 * @param {File} file
 */
export async function read(file) {
  if (file.size > MOST)
    throw new Error(
      t("{name} is too large for a sheet: it may have {most} bytes.", {
        name: file.name,
        most: MOST.toLocaleString(region),
      }),
    );
  return whole(await file.text(), file.name);
}

/**
 * Save a sheet as a file.
 *
 * @param {Template} template
 */
export function saved(template) {
  const address = URL.createObjectURL(new Blob([pretty(template)], { type: "application/json" }));
  const name = String(template.name || "sheet").replace(/[^\p{L}\p{N}]+/gu, "-");
  h("a", { href: address, download: `${name}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/**
 * A field with the link that contains a sheet. It is copied or shared.
 *
 * @param {Template} template
 */
export async function shared(template) {
  const address = location.origin + location.pathname + MARK + (await packed(JSON.stringify(template)));
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
export async function linked() {
  if (!location.hash.startsWith(MARK)) return null;
  const text = location.hash.slice(MARK.length);
  history.replaceState(null, "", location.pathname);
  try {
    return whole(await unpacked(text), t("The link"));
  } catch (error) {
    throw error instanceof Broken ? error : new Error(t("The link holds no sheet: perhaps its end is missing."));
  }
}

class Broken extends Error {}

/**
 * @param {string} text
 * @param {string} where
 * @returns {Template}
 */
function whole(text, where) {
  const data = parsed(text);
  if (data instanceof Error) throw new Broken(t("{name} is not JSON: {why}", { name: where, why: data.message }));
  const why = misshapen(data);
  if (why) throw new Broken(t("{name} holds no sheet: {why}.", { name: where, why }));
  return data;
}

/** @param {string} text */
async function packed(text) {
  const bytes = await through(new Blob([text]).stream(), new CompressionStream("deflate-raw"));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
}

/** @param {string} text */
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
  return new TextDecoder().decode(await through(new Blob([bytes]).stream(), new DecompressionStream("deflate-raw")));
}

/**
 * Read a stream through another one, up to the largest size of a sheet.
 *
 * @param {ReadableStream} stream
 * @param {CompressionStream | DecompressionStream} change
 */
async function through(stream, change) {
  const reader = stream.pipeThrough(change).getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    size += part.value.length;
    if (size > MOST) {
      reader.cancel();
      throw new Broken(
        t("The link is too large for a sheet: it may have {most} bytes.", { most: MOST.toLocaleString(region) }),
      );
    }
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
