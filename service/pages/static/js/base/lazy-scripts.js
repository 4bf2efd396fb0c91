import { getText } from "./api.js";

/** Milliseconds before a failed script is requested again, at first and at most. */
const PAUSE = 2_000;
const LONGEST = 60_000;
/** The requested scripts by address, and the number of failures of each. */
const scripts = new Map();
const failures = new Map();

/**
 * Load a script on demand, once for all callers. A failed script can be requested again.
 *
 * @template T the type of the module, which the caller says: `typeof import("…")`
 * @param {string} source
 * @returns {Promise<T>}
 */
export function loadScript(source) {
  if (!scripts.has(source)) scripts.set(source, load(source));
  return scripts.get(source);
}

/** @param {string} source */
async function load(source) {
  const failed = failures.get(source) ?? 0;
  try {
    // browsers remember failed addresses forever, so each attempt has its own address
    return await import(failed ? `${source}?attempt=${failed}` : source);
  } catch (error) {
    failures.set(source, failed + 1);
    scripts.delete(source);
    getText(source).catch(() => {}); // the answer tells whether the service has another release now
    throw error;
  }
}

/**
 * Load a script on demand, with retries: when the connection changes, and after a while.
 *
 * @template T the type of the module, which the caller says: `typeof import("…")`
 * @param {string} source
 * @param {Connection} connection
 * @returns {Promise<T>}
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

/** Wait until the browser is idle; in Safari, which does not tell, until queued work is done. */
export function whenIdle() {
  return new Promise((/** @type {(value: void) => void} */ done) =>
    (globalThis.requestIdleCallback ?? setTimeout)(() => done()),
  );
}
