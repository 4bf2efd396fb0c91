/** Proves a record in the browser: docs/proof.md with WebCrypto, without service and network. */

const HASHED = [
  ...["game", "version", "id", "type", "schema", "recorded_at", "happened_at", "recorder"],
  ...["data", "sealed", "prev"],
];
const LINE = [...HASHED, "opened", "erased", "hash"];
const START = "0".repeat(64);
const SEATS = 16;
const LAST = 1000;
/** The least number of bytes that a seal hashes. The content is padded with spaces to a power of two. */
const SMALLEST = 32;

/** A string or a number. JavaScript would write 100.0 and 1e-7 differently, so a number becomes a text after NUL. */
const NUMBERS = /\x22(?:[^\x22\\]|\\.)*\x22|-?\d[\d.eE+-]*/g;

/** A line of a record differs from the recorded one. */
export class BrokenLineError extends Error {
  /** @param {number} line */
  constructor(line) {
    super(`line ${line}`);
    this.line = line;
  }
}

/**
 * Prove the first record in a text: every line follows from the one before, and every opened seal is valid.
 *
 * @param {string} text
 * @returns {Promise<{ entries: number, head: string }>} the number of entries, and the hash of the last one
 * @throws {BrokenLineError}
 */
export async function proved(text) {
  const [first, ...lines] = text.trimEnd().split("\n");
  const header = parsed(first, 1, JSON.parse);
  if (header.format !== "kifu.game" || header.events !== lines.length || !lines.length) throw new BrokenLineError(1);
  let prev = START;
  for (const [index, line] of lines.entries()) prev = await follow(line, index, prev);
  if (prev !== header.head) throw new BrokenLineError(1);
  return { entries: lines.length, head: prev };
}

/**
 * Prove a line, and return its hash.
 *
 * @param {string} line
 * @param {number} index
 * @param {string} prev
 */
async function follow(line, index, prev) {
  const number = index + 2;
  const entry = parsed(line, number, JSON.parse);
  const kept = parsed(line, number, exact);
  const holds =
    members(kept, LINE, form) === line &&
    (await sha256(bytes(members(kept, HASHED, form)))) === entry.hash &&
    entry.prev === prev &&
    entry.version === index + 1 &&
    (await sealsHold(kept));
  if (!holds) throw new BrokenLineError(number);
  return String(entry.hash);
}

/**
 * @param {string} line
 * @param {number} number
 * @param {(text: string) => any} read
 * @returns {Record<string, any>}
 */
function parsed(line, number, read) {
  try {
    return Object(read(line));
  } catch {
    throw new BrokenLineError(number);
  }
}

/** @param {string} text */
function exact(text) {
  return JSON.parse(text.replace(NUMBERS, (part) => (/^\x22/.test(part) ? part : `"\\u0000${part}"`)));
}

/**
 * Whether all opened contents of a line match their seals.
 *
 * @param {Record<string, any>} entry
 */
async function sealsHold({ sealed = {}, opened = {} }) {
  for (const [name, { salt, content }] of Object.entries(opened)) {
    const inner = opened.record?.content.sealed?.text;
    if ((await seal(salt, write(content))) !== (name === "record.text" ? inner : sealed[name])) return false;
  }
  return true;
}

/**
 * @param {string} salt
 * @param {string} content
 */
function seal(salt, content) {
  const plain = bytes(content);
  const prefix = Uint8Array.from(salt.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const size = Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(plain.length)));
  const whole = new Uint8Array(prefix.length + size).fill(" ".charCodeAt(0));
  whole.set(prefix);
  whole.set(plain, prefix.length);
  return sha256(whole);
}

/** @param {string} text */
function bytes(text) {
  return new TextEncoder().encode(text);
}

/** @param {Uint8Array<ArrayBuffer>} content */
async function sha256(content) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Canonical JSON: no spaces, keys by code point, numbers as written.
 *
 * @param {any} value
 * @returns {string}
 */
function write(value) {
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  if (typeof value === "string" && value.startsWith("\0")) return value.slice(1);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return members(value, Object.keys(value).sort(byCodePoint));
}

/**
 * @param {string} one
 * @param {string} other
 */
function byCodePoint(one, other) {
  const [left, right] = [[...one], [...other]];
  const at = left.findIndex((letter, index) => letter !== right[index]);
  if (at < 0) return left.length - right.length;
  return (left[at].codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? -1);
}

/**
 * An object with its members in this order. Missing ones are left out. Each has the format for its name.
 *
 * @param {Record<string, any>} value
 * @param {string[]} names
 * @param {(name: string) => (value: any) => string} of
 */
function members(value, names, of = () => write) {
  const written = names.filter((name) => Object.hasOwn(value, name));
  return `{${written.map((name) => `${JSON.stringify(name)}:${of(name)(value[name])}`).join(",")}}`;
}

/** @param {string} name */
function form(name) {
  if (name === "sealed") return seals();
  if (name === "opened") return seals("salt", "content");
  return name === "erased" ? seals("by", "at") : write;
}

/**
 * The format of an object of seals, each with these fields.
 *
 * @param {...string} fields
 */
function seals(...fields) {
  /** @param {Record<string, any>} found */
  return (found) =>
    members(
      found,
      Object.keys(found).sort(bySeal),
      () => (each) => (fields.length ? members(each, fields) : write(each)),
    );
}

/**
 * @param {string} one
 * @param {string} other
 */
function bySeal(one, other) {
  return place(one) - place(other);
}

/**
 * The sort position of a seal: record, record.text, seat-0, seat-1 …, text.
 *
 * @param {string} name
 */
function place(name) {
  if (name === "record") return 0;
  if (name === "record.text") return 1;
  return name === "text" ? LAST : SEATS + Number(name.slice("seat-".length));
}
