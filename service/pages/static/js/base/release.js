import { h } from "./dom.js";
import { t } from "./language.js";

let offered = false;

/**
 * Offer to load the page anew once the service has pages of another release than this one. Nothing moves under a finger
 * by that, and nothing is lost: what is not stored yet is kept. A big screen, which nobody taps, is loaded anew by itself.
 *
 * @param {string | null} release
 */
export function compare(release) {
  if (offered || !release || release === document.body.dataset.release) return;
  offered = true;
  if (document.getElementById("main")) offer();
  else if (sessionStorage.getItem("release") !== release) {
    sessionStorage.setItem("release", release); // once: where hosts differ, it could be the same page again
    location.reload();
  }
}

function offer() {
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
