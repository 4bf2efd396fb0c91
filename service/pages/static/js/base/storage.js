/**
 * The browser's storage for small things, such as what somebody chose; memory alone where the browser forbids it.
 *
 * @returns {Record<string, string>}
 */
export function storage() {
  try {
    localStorage.setItem("kifu", "");
    localStorage.removeItem("kifu");
    return localStorage;
  } catch {
    return {};
  }
}
