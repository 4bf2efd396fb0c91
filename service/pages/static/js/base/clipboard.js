/**
 * Put a text on the clipboard, which browsers lend to pages of this machine and such with TLS; whether it is there.
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
