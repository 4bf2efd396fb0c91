/** A page for an unattended screen: it reloads when its content has changed, and its clock runs. */
import { isFromService } from "./release.js";

const CHECK_EVERY = 5_000;
const TICK_EVERY = 1_000;

/**
 * The text of a countdown clock: minutes and seconds, negative after the end.
 *
 * @param {number} ends
 * @param {number} now
 */
export function clockText(ends, now) {
  const seconds = Math.ceil((ends - now) / 1000);
  const [minutes, rest] = [Math.floor(Math.abs(seconds) / 60), Math.abs(seconds) % 60];
  return `${seconds < 0 ? "−" : ""}${minutes}:${String(rest).padStart(2, "0")}`;
}

/**
 * Watch the address in `data-follow`, and run the clock, if the page has them.
 *
 * @param {Document} page
 */
export function followPage(page) {
  const clock = /** @type {HTMLElement | null} */ (page.querySelector("[data-ends]"));
  if (clock) runClock(clock, Date.parse(clock.dataset.ends ?? ""));
  const followed = /** @type {HTMLElement | null} */ (page.querySelector("[data-follow]"));
  if (followed) checkContent(page, followed.dataset.follow ?? "", "");
}

/**
 * @param {HTMLElement} clock
 * @param {number} ends
 */
function runClock(clock, ends) {
  clock.textContent = clockText(ends, Date.now());
  clock.classList.toggle("over", ends < Date.now());
  setTimeout(() => runClock(clock, ends), TICK_EVERY);
}

/**
 * @param {Document} page
 * @param {string} path
 * @param {string} known the tag of the shown content
 */
async function checkContent(page, path, known) {
  const notice = page.getElementById("connection");
  let tag = known;
  try {
    const answer = await fetch(path, { headers: known ? { "If-None-Match": known } : {} });
    const fresh = answer.ok && isFromService(answer);
    if (fresh && known) return location.reload();
    if (fresh) tag = answer.headers.get("ETag") ?? "";
    if (notice) notice.hidden = fresh || answer.status === 304;
  } catch {
    if (notice) notice.hidden = false;
  }
  setTimeout(() => checkContent(page, path, tag), CHECK_EVERY);
}
