/**
 * Copy a text to the clipboard. Returns false without access: browsers need TLS or localhost.
 *
 * @param {string} text
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
