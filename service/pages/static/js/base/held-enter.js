/**
 * Ignore the repeats of a held Enter on the whole page: nobody meant what they would press or send next. A text of
 * several lines takes them, and so do keys with `data-repeats`.
 */
export function ignoreHeldEnter() {
  addEventListener("keydown", ignoreRepeat, true);
}

/** @param {KeyboardEvent & { target: any }} event */
function ignoreRepeat(event) {
  if (!event.repeat || event.key !== "Enter" || event.target.closest?.("textarea, [data-repeats]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
