const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** Whether the service can be reached, as the last request found it. Tells of every change. */
export class Connection extends EventTarget {
  up = true;
  /** Since when what is seen was kept on this device; null as long as the service said it. */
  asOf = null;

  constructor() {
    super();
    addEventListener("online", () => this.report(true));
    addEventListener("offline", () => this.report(false));
    addEventListener("kept", ({ detail }) => this.report(false, detail));
    const { asOf } = document.body.dataset;
    if (asOf) queueMicrotask(() => this.report(false, asOf));
  }

  report(up, asOf = up ? null : this.asOf) {
    if (up === this.up && asOf === this.asOf) return;
    Object.assign(this, { up, asOf });
    this.dispatchEvent(new Event("change"));
  }
}

/** Say in `element` when the service cannot be reached, and how old what is seen is. */
export function showConnection(element, connection) {
  const acts = "acts" in document.body.dataset;
  connection.addEventListener("change", () => {
    const { up, asOf } = connection;
    element.hidden = up;
    const said = [
      "No connection.",
      asOf && `You see this as of ${moment(new Date(asOf))}.`,
      acts && "What you enter is kept here, and stored once it is back.",
    ];
    element.textContent = up ? "" : said.filter(Boolean).join(" ");
  });
}

function moment(time) {
  return (time.toDateString() === new Date().toDateString() ? TIME : DAY).format(time);
}
