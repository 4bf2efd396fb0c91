import { h } from "./dom.js";

const AWAY = "No connection. What you enter is kept here, and stored once it is back.";

/**
 * Whether the service can be reached, as the last request found it, and whether what may be seen by it has changed, so
 * that the page is `over`. Tells of every change.
 */
export class Connection extends EventTarget {
  up = true;
  over = false;

  constructor() {
    super();
    addEventListener("online", () => this.report(true));
    addEventListener("offline", () => this.report(false));
  }

  report(up) {
    if (up === this.up) return;
    this.up = up;
    this.dispatchEvent(new Event("change"));
  }

  end() {
    this.over = true;
    this.dispatchEvent(new Event("change"));
  }
}

/** Say in `element` when the service cannot be reached, or the page is over. */
export function showConnection(element, connection) {
  const anew = h("button", { type: "button", class: "plain", onclick: () => location.reload() }, "Load the page anew");
  connection.addEventListener("change", () => {
    element.hidden = connection.up && !connection.over;
    if (connection.over) element.replaceChildren("What you may see here has changed. ", anew);
    else element.textContent = connection.up ? "" : AWAY;
  });
}
