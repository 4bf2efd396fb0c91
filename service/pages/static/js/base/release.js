import { h } from "./dom.js";
import { t } from "./language.js";

let offered = false;

/**
 * Whether an answer is the service's own: all of them name its release, except files that never change. A network that
 * wants a log-in first answers everything with a page of its own.
 *
 * @param {Response} response
 */
export function isFromService({ headers }) {
  return headers.has("Kifu-Release") || Boolean(headers.get("Cache-Control")?.includes("immutable"));
}

/**
 * Offer a reload once the service has another release of the pages. Nothing moves under a finger, unsent entries are
 * kept. A big screen, which nobody taps, reloads by itself.
 *
 * @param {string | null} release
 */
export function checkRelease(release) {
  if (offered || !release || release === document.body.dataset.release) return;
  offered = true;
  if (document.getElementById("main")) showOffer();
  else if (sessionStorage.getItem("release") !== release) {
    sessionStorage.setItem("release", release); // once: with different hosts, it could be the same release again
    location.reload();
  }
}

function showOffer() {
  /** @type {HTMLElement} */
  const note = h(
    "p",
    { id: "updated", class: "banner", role: "status" },
    h("span", {}, t("Kifu was updated.")),
    h("button", { type: "button", onclick: () => location.reload() }, t("Reload the page")),
    h("button", { type: "button", class: "plain", "aria-label": t("Close"), onclick: () => note.remove() }, "×"),
  );
  document.body.append(note);
}
