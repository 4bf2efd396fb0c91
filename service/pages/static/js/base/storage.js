/**
 * The browser's storage for small things, such as what somebody chose: for good, or until this tab is closed. It is
 * memory alone where the browser forbids it.
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
