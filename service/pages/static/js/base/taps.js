import { KEYS, isRedrawn, keepPresses } from "./redrawn.js";

/** For how many milliseconds a spot takes nothing after a tap, and a key that has appeared there. */
const PAUSE = 350;
/** For how long somebody taps again who saw nothing happen. */
const IMPATIENCE = 1500;
/** How many pixels apart two taps can be and mean the same spot. */
const SPOT = 24;
const BOARD = "[data-tappable]";

/** When an element came onto the page, or what it means became another thing. */
const since = new WeakMap();
let last = { x: NaN, y: NaN, time: 0 };
let double = false;
let fresh = false;
/**
 * Where a finger came down last, and the key that lay there.
 *
 * @type {{ key: HTMLElement | null, x: number, y: number }}
 */
let pressed = { key: null, x: NaN, y: NaN };

/**
 * Let a double tap be one: the second tap on a spot does nothing on a key, nor does a tap on what has just appeared
 * under the finger. Keys with `data-repeats` take every tap. A keyboard is never held up, but Enter that is held
 * down is one press. A key that moves while a finger is on it has the tap all the same, and no other key has it.
 */
export function guardTaps() {
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) appeared(node);
  }).observe(document.body, { childList: true, subtree: true });
  addEventListener("pointerdown", judge, true);
  addEventListener("pointerup", ({ clientX: x, clientY: y, timeStamp: time }) => (last = { x, y, time }), true);
  addEventListener("click", keep, true);
  addEventListener("keydown", pressOnce, true);
  keepPresses(isHeldUp);
}

/**
 * Wait until the finger that has just come down is up, and its click is over. A key that is drawn anew before then has no
 * click. For lists that are drawn anew by themselves.
 */
export async function lifted() {
  await new Promise((resolve) => {
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, resolve, { once: true });
  });
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
}

/** Whether the present tap is the second one on a spot: for the board, on which places lie closer than keys. */
export function isDoubleTap() {
  return double;
}

/** @param {PointerEvent & { target: any }} event */
function judge({ target, clientX, clientY, timeStamp }) {
  const near = Math.hypot(clientX - last.x, clientY - last.y) <= SPOT;
  const [rested, born] = [timeStamp - last.time, newest(target)];
  double = near && rested < PAUSE;
  pressed = { key: target.closest(KEYS), x: clientX, y: clientY };
  fresh = near && rested < IMPATIENCE && born > last.time && timeStamp - born < PAUSE;
}

/** @param {KeyboardEvent & { target: any }} event */
function pressOnce(event) {
  const { target, key, repeat } = event;
  if (repeat && key === "Enter" && target.closest?.(KEYS) && !target.closest("[data-repeats]")) event.preventDefault();
}

/**
 * Keep a click from what nobody meant; that of a keyboard has no detail.
 *
 * @param {MouseEvent & { target: any }} event
 */
function keep(event) {
  const { target, detail } = event;
  if (!detail) return;
  const missed = missedBy(event);
  const meant = missed ?? target;
  if (!isHeldUp(meant)) {
    if (!missed) return;
    if (hasMoved(missed)) missed.click();
    else if (!target.closest(KEYS)) return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * Whether a tap on an element is one that nobody meant.
 *
 * @param {HTMLElement} element
 */
function isHeldUp(element) {
  if (element.closest("[data-repeats]")) return false;
  return Boolean((fresh && element.closest(`${KEYS}, ${BOARD}`)) || (double && element.closest(KEYS)));
}

/**
 * The key that was pressed, if the click of that press hits something else; a key that was drawn anew is the same one.
 *
 * @param {MouseEvent & { target: any }} event
 */
function missedBy({ target, clientX, clientY, timeStamp }) {
  const { key, x, y } = pressed;
  const own = Math.hypot(clientX - x, clientY - y) <= SPOT && timeStamp - last.time < PAUSE;
  if (!key || !own) return null;
  const hit = target.closest(KEYS);
  if (hit === key || isRedrawn(key, hit)) return null;
  return key;
}

/**
 * Whether a key lies no more where it was pressed. A key that is gone has not moved. Nor has a key that a mouse has left.
 *
 * @param {HTMLElement} key
 */
function hasMoved(key) {
  const { left, right, top, bottom } = key.getBoundingClientRect();
  const { x, y } = pressed;
  return key.checkVisibility() && !(left <= x && x <= right && top <= y && y <= bottom);
}

/**
 * Let an element count as one that has just appeared: a tap on it would do something else than it did.
 *
 * @param {Node} element
 */
export function appeared(element) {
  since.set(element, performance.now());
}

/**
 * When the newest of an element and all around it appeared.
 *
 * @param {Node} element
 */
function newest(element) {
  let time = -Infinity;
  for (let part = /** @type {Node | null} */ (element); part; part = part.parentElement)
    time = Math.max(time, since.get(part) ?? -Infinity);
  return time;
}
