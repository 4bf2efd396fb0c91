const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** Say every time below `root` as the reader's clock and calendar have it. */
export function localise(root) {
  for (const time of root.querySelectorAll("time")) time.textContent = DAY.format(new Date(time.dateTime));
}
