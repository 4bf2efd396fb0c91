/**
 * The browser's storage for small values, such as choices: permanent, or until this tab is closed. If the browser
 * forbids it, values stay in memory.
 *
 * @param {"localStorage" | "sessionStorage"} [kind]
 * @returns {Record<string, string>}
 */
export function storage(kind = "localStorage") {
  try {
    const found = globalThis[kind];
    found.setItem("kifu", "");
    found.removeItem("kifu");
    return found;
  } catch {
    return {};
  }
}
