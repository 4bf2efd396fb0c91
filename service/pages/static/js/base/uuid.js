let last = 0;

/**
 * A new UUID of version 7, later than all earlier ones from this page. Made with `getRandomValues`, which also works
 * on pages without TLS in a local network.
 */
export function uuid7() {
  last = Math.max(Date.now(), last + 1);
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  new DataView(bytes.buffer).setUint16(0, Math.floor(last / 2 ** 32));
  new DataView(bytes.buffer).setUint32(2, last % 2 ** 32);
  bytes[6] = 0x70 | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
