import { KEY_SELECTOR, isRedrawn, keepPresses } from "./redrawn.js";

/** Milliseconds after a tap in which the same spot, and a key that appeared there, ignores taps. */
const PAUSE = 350;
/** Milliseconds in which people tap again because nothing seems to happen. */
const IMPATIENCE = 1500;
/** The most pixels between two taps on the same spot. */
const SPOT = 24;
const BOARD = "[data-tappable]";

/** When an element appeared on the page, or its meaning changed. */
const appearances = new WeakMap();
let last = { x: NaN, y: NaN, time: 0 };
let isSecondTap = false;
let isOnNewKey = false;
/**
 * The place of the last touch, and the key there.
 *
 * @type {{ key: HTMLElement | null, x: number, y: number }}
 */
let pressed = { key: null, x: NaN, y: NaN };

/**
 * Ignore unintended taps: the second tap of a double tap on a key, and taps on a key that has just appeared under the
 * finger. Keys with `data-repeats` take every tap. Keyboards are not delayed. A key that moves while a finger is on it
 * still gets the tap, and no other key does.
 */
export function guardTaps() {
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) markAppeared(node);
  }).observe(document.body, { childList: true, subtree: true });
  addEventListener("pointerdown", notePress, true);
  addEventListener("pointerup", ({ clientX: x, clientY: y, timeStamp: time }) => (last = { x, y, time }), true);
  addEventListener("click", filterClick, true);
  keepPresses(isUnintended);
}

/**
 * Wait until the current touch ends and its click is over: a key redrawn before that gets no click. For lists that
 * redraw by themselves.
 */
export async function waitForTouchEnd() {
  await new Promise((resolve) => {
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, resolve, { once: true });
  });
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
}

/** Whether the current tap is the second on a spot: for the board, where places are closer together than keys. */
export function isDoubleTap() {
  return isSecondTap;
}

/** @param {PointerEvent & { target: any }} event */
function notePress({ target, clientX, clientY, timeStamp }) {
  const near = Math.hypot(clientX - last.x, clientY - last.y) <= SPOT;
  const [rested, born] = [timeStamp - last.time, appearanceTime(target)];
  isSecondTap = near && rested < PAUSE;
  pressed = { key: target.closest(KEY_SELECTOR), x: clientX, y: clientY };
  isOnNewKey = near && rested < IMPATIENCE && born > last.time && timeStamp - born < PAUSE;
}

/**
 * Stop an unintended click. Clicks from a keyboard have no detail.
 *
 * @param {MouseEvent & { target: any }} event
 */
function filterClick(event) {
  const { target, detail } = event;
  if (!detail) return;
  const missed = missedKey(event);
  const meant = missed ?? target;
  if (!isUnintended(meant)) {
    if (!missed) return;
    if (hasMoved(missed)) missed.click();
    else if (!target.closest(KEY_SELECTOR)) return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * Whether a tap on an element is unintended.
 *
 * @param {HTMLElement} element
 */
function isUnintended(element) {
  if (element.closest("[data-repeats]")) return false;
  return Boolean(
    (isOnNewKey && element.closest(`${KEY_SELECTOR}, ${BOARD}`)) || (isSecondTap && element.closest(KEY_SELECTOR)),
  );
}

/**
 * The key that was pressed, if the click hits something else. A redrawn key counts as the same.
 *
 * @param {MouseEvent & { target: any }} event
 */
function missedKey({ target, clientX, clientY, timeStamp }) {
  const { key, x, y } = pressed;
  const own = Math.hypot(clientX - x, clientY - y) <= SPOT && timeStamp - last.time < PAUSE;
  if (!key || !own) return null;
  const hit = target.closest(KEY_SELECTOR);
  if (hit === key || isRedrawn(key, hit)) return null;
  return key;
}

/**
 * Whether a key has moved since the press. A removed key has not moved, nor has a key that the mouse has left.
 *
 * @param {HTMLElement} key
 */
function hasMoved(key) {
  const { left, right, top, bottom } = key.getBoundingClientRect();
  const { x, y } = pressed;
  return key.checkVisibility() && !(left <= x && x <= right && top <= y && y <= bottom);
}

/**
 * Treat an element as if it had just appeared: a tap on it would now have another meaning.
 *
 * @param {Node} element
 */
export function markAppeared(element) {
  appearances.set(element, performance.now());
}

/**
 * The latest time when an element or its surroundings appeared.
 *
 * @param {Node} element
 */
function appearanceTime(element) {
  let time = -Infinity;
  for (let part = /** @type {Node | null} */ (element); part; part = part.parentElement)
    time = Math.max(time, appearances.get(part) ?? -Infinity);
  return time;
}
