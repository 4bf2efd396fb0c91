/** Whether the service can be reached, as the last request found it. Tells of every change. */
export class Connection extends EventTarget {
  up = true;

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
}

/** Say in `element` when the service cannot be reached. */
export function showConnection(element, connection) {
  connection.addEventListener("change", () => {
    element.hidden = connection.up;
    element.textContent = connection.up
      ? ""
      : "No connection. What you enter is kept here, and stored once it is back.";
  });
}
