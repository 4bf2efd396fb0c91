/** A script that is not needed at once. Where it cannot be had, it is asked for again whenever the connection changes. */
export async function later(source, connection) {
  try {
    return await import(source);
  } catch {
    await new Promise((changed) => connection.addEventListener("change", changed, { once: true }));
    return later(source, connection);
  }
}

/** Wait until the browser has nothing else to do; where it does not tell (Safari), until what waits now is done. */
export function idle() {
  return new Promise((done) => (globalThis.requestIdleCallback ?? setTimeout)(() => done()));
}
