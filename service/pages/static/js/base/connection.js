import { h } from "./dom.js";
import { t, tn } from "./language.js";
import { formatTime } from "./times.js";

const notStoredWarning = () =>
  t(
    "This browser cannot keep entries: it is a private window, or the device is full. Entries that are not stored yet are lost when you close this page.",
  );

/**
 * What happens to entries without a connection; the keypad of a sheet covers the list of those that wait.
 *
 * @param {number} count
 */
const keptHere = (count) =>
  count
    ? tn(
        count,
        "{count} entry is kept here, and stored once it is back.",
        "{count} entries are kept here, and stored once it is back.",
      )
    : t("What you enter is kept here, and stored once it is back.");

/**
 * Whether the last request reached the service, and whether it is `closed` because the viewing right has changed.
 * Sends `change` after every change.
 */
export class Connection extends EventTarget {
  isReachable = true;
  closed = false;
  /** Whether this device stores unsent entries. */
  storesEntries = true;
  /** The number of unsent entries on this page. */
  waiting = 0;
  /**
   * The time when the shown data was stored on this device; null if it is fresh from the service.
   *
   * @type {string | null}
   */
  asOf = null;

  constructor() {
    super();
    addEventListener("online", () => this.report(true));
    addEventListener("offline", () => this.report(false));
    addEventListener("kept", ({ detail }) => this.report(false, detail));
    const { asOf } = document.body.dataset;
    if (asOf) queueMicrotask(() => this.report(false, asOf));
  }

  /**
   * @param {boolean} up
   * @param {string | null} asOf
   */
  report(up, asOf = up ? null : this.asOf) {
    if (up === this.isReachable && asOf === this.asOf) return;
    this.isReachable = up;
    this.asOf = asOf;
    this.dispatchEvent(new Event("change"));
  }

  /**
   * @param {boolean} storesEntries
   * @param {number} waiting
   */
  setStorage(storesEntries, waiting) {
    if (storesEntries === this.storesEntries && waiting === this.waiting) return;
    this.storesEntries = storesEntries;
    this.waiting = waiting;
    this.dispatchEvent(new Event("change"));
  }

  close() {
    this.closed = true;
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * Show in `element` that the service is unreachable, how old the shown data is, or that the page is over.
 *
 * @param {HTMLElement} element
 * @param {Connection} connection
 */
export function showConnection(element, connection) {
  const acts = "acts" in document.body.dataset;
  const reload = h(
    "button",
    { type: "button", class: "plain", onclick: () => location.reload() },
    t("Reload the page"),
  );
  connection.addEventListener("change", () => {
    const { isReachable, closed, asOf, storesEntries, waiting } = connection;
    element.hidden = isReachable && !closed && storesEntries;
    const sentences = [
      !isReachable && t("No connection."),
      asOf && t("This is the state of {time}.", { time: timeText(new Date(asOf)) }),
      acts && storesEntries && !isReachable && keptHere(waiting),
      acts && !storesEntries && notStoredWarning(),
    ];
    if (closed) element.replaceChildren(t("What you may see here has changed."), " ", reload);
    else element.textContent = sentences.filter(Boolean).join(" ");
  });
}

/** @param {Date} time */
function timeText(time) {
  return formatTime(time.toDateString() === new Date().toDateString() ? "time" : "moment", time);
}
