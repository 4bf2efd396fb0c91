import { getText } from "./api.js";

/** Milliseconds until a script that could not be had is asked for again, at first and at most. */
const PAUSE = 2_000;
const LONGEST = 60_000;
/** The scripts that were asked for, by their addresses, and how often each could not be had. */
const scripts = new Map();
const failures = new Map();

/**
 * A script that is not needed at once: the same one for all who ask. Where it cannot be had, it can be asked for again.
 *
 * @param {string} source
 * @returns {Promise<any>}
 */
export function loadScript(source) {
  if (!scripts.has(source)) scripts.set(source, attempt(source));
  return scripts.get(source);
}

/** @param {string} source */
async function attempt(source) {
  const failed = failures.get(source) ?? 0;
  try {
    // browsers remember for good that an address had no script: each attempt has an address of its own
    return await import(failed ? `${source}?attempt=${failed}` : source);
  } catch (error) {
    failures.set(source, failed + 1);
    scripts.delete(source);
    getText(source).catch(() => {}); // the answer tells whether the pages are of another release by now
    throw error;
  }
}

/**
 * A script that is not needed at once, asked for until it can be had: when the connection changes, and after a while.
 *
 * @param {string} source
 * @param {Connection} connection
 */
export async function waitForScript(source, connection) {
  for (let pause = PAUSE; ; pause = Math.min(2 * pause, LONGEST)) {
    try {
      return await loadScript(source);
    } catch {
      await new Promise((again) => {
        connection.addEventListener("change", again, { once: true });
        setTimeout(again, pause);
      });
    }
  }
}

/** Wait until the browser has nothing else to do; where it does not tell (Safari), until what waits now is done. */
export function idle() {
  return new Promise((/** @type {(value: void) => void} */ done) =>
    (globalThis.requestIdleCallback ?? setTimeout)(() => done()),
  );
}
