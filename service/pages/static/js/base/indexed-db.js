/** Requests to IndexedDB as promises. Some browsers never answer one: each wait needs a limit. */

/** The browser does not do what this device was asked for. The message tells the person. */
export class DeviceError extends Error {}

/**
 * @template Result
 * @param {IDBRequest<Result>} request
 * @returns {Promise<Result>}
 */
export function requestResult(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * The result of `work`. After `patience` ms without one, it throws what `late` returns.
 *
 * @template Result
 * @param {Promise<Result>} work
 * @param {number} patience
 * @param {() => Error} late
 * @returns {Promise<Result>}
 */
export function withTimeout(work, patience, late) {
  let timer = 0;
  const over = new Promise((_, reject) => {
    timer = setTimeout(() => reject(late()), patience);
  });
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}
