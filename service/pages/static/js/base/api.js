/** Requests to the service: answers, problems, and failed connections. */
import { checkRelease, isFromService } from "./release.js";

const PATIENCE = 15_000;
/** The statuses of answers without a body: Chromium gives them one, and makes no response with it. */
const EMPTY = [204, 205, 304];

/** The header with the person of the page: the service refuses a write if another person has logged in since. */
const PERSON = "Kifu-Person";

/** @typedef {RequestInit & { signal?: AbortSignal, patience?: number, headers?: Record<string, string> }} Asking */

/** The code of the share link that opened this page, if any. */
export const shareCode = () => document.body.dataset.share;

/** How far this device's clock is behind the service's, in milliseconds, from the last answer. */
let clockLag = 0;

/** The current time by the service's clock, for things that expire. */
export function serviceTime() {
  return Date.now() + clockLag;
}

/**
 * An error from the service, with its `application/problem+json`. `wait` is the number of seconds before a new try, if
 * the service says so.
 */
export class Problem extends Error {
  /**
   * @param {ProblemBody} body
   * @param {number} wait
   */
  constructor(body, wait = 0) {
    super(body.detail);
    this.body = body;
    this.wait = wait;
  }

  /**
   * The kind of problem: the end of its `type`.
   *
   * @override
   */
  get name() {
    return this.body.type.replace("/problems/", "");
  }
}

/**
 * Whether a move that was refused with this problem can be recorded with a reason.
 *
 * @param {ProblemBody} problem
 */
export function isOverridable({ type, impossible }) {
  return type === "/problems/rule-broken" && !impossible;
}

/** There was no answer, or only one from something on the way: try again later. */
export class Unreachable extends Error {}

/**
 * Whether an error is temporary: the service is overloaded, restarting, or unreachable.
 *
 * @param {unknown} error
 */
export function isTemporary(error) {
  return error instanceof Unreachable || (error instanceof Problem && [429, 503].includes(error.body.status));
}

/**
 * Milliseconds in which an embedded answer replaces a request. It does not depend on the device's clock.
 */
const EMBEDDED_LIFE = 10_000;
/**
 * The answers embedded in the page; null before they are read.
 *
 * @type {Map<string, Answer<any>> | null}
 */
let embedded = null;
let embeddedUntil = 0;

/** Read the answers embedded in the page. On a page restored from history, they are as old as the page. */
function readEmbedded() {
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  const text = navigation?.type === "back_forward" ? null : document.getElementById("embedded")?.textContent;
  embed(JSON.parse(text ?? "{}"));
}

/**
 * Store answers for the next requests, by address: `{tag, body}`. Each is used once.
 *
 * @param {Record<string, Answer<any>>} answers
 */
export function embed(answers) {
  embedded = new Map(Object.entries(answers));
  embeddedUntil = performance.now() + EMBEDDED_LIFE;
}

/**
 * @param {string} path
 * @returns {Answer<any> | undefined | null}
 */
function embeddedAt(path) {
  if (!embedded) readEmbedded();
  const found = performance.now() < embeddedUntil ? embedded?.get(path) : null;
  embedded?.delete(path);
  return found;
}

/**
 * The JSON at a path, and its tag.
 *
 * @template Body
 * @param {Address<Body>} path
 * @param {{ signal?: AbortSignal }} options
 * @returns {Promise<Answer<Body>>}
 */
export async function get(path, { signal } = {}) {
  return embeddedAt(path) ?? request(path, { signal }, answerOf);
}

/**
 * The JSON at a path; null if it still has the known tag.
 *
 * @template Body
 * @param {Address<Body>} path
 * @param {string | null} tag
 * @returns {Promise<Answer<Body> | null>}
 */
export async function getChanged(path, tag) {
  const known = embeddedAt(path);
  if (known) return known.tag === tag ? null : known;
  /** @param {Response} response */
  const read = (response) => (response.status === 304 ? null : answerOf(response));
  return request(path, { headers: tag ? { "If-None-Match": tag } : {} }, read);
}

/**
 * @param {Response} response
 * @returns {Promise<Answer<any>>}
 */
async function answerOf(response) {
  return { body: await response.json(), tag: response.headers.get("ETag") };
}

/**
 * The text at a path.
 *
 * @param {string} path
 * @param {{ signal?: AbortSignal }} options
 * @returns {Promise<string>}
 */
export async function getText(path, { signal } = {}) {
  return embeddedAt(path)?.body ?? request(path, { signal }, (response) => response.text());
}

/**
 * Follow a stream until it ends. Calls `onEvent` with each event, and with null for each sign of life.
 *
 * @param {string} path
 * @param {(told: StreamEvent | null) => void} onEvent
 * @param {{ signal: AbortSignal }} options
 */
export async function followStream(path, onEvent, { signal }) {
  const { body } = await request(path, { headers: { Accept: "application/x-ndjson" }, signal }, whole);
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ; ) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onEvent(line ? JSON.parse(line) : null);
  }
}

/**
 * The bytes at a path.
 *
 * @param {string} path
 */
export async function getBlob(path) {
  return request(path, {}, (response) => response.blob());
}

/**
 * Post JSON, and return the JSON answer. `base` is the version that the sender knows. `by` is the recorder, if not the
 * person of this page. Repeated requests with the same `key` are carried out once.
 *
 * @param {string} path
 * @param {unknown} body
 * @param {{ base?: number | null, by?: string, key?: string, signal?: AbortSignal }} options
 * @returns {Promise<any>}
 */
export async function post(path, body, { base, by, key, signal } = {}) {
  /** @type {Record<string, string>} */
  const headers = { "Content-Type": "application/json" };
  if (base != null) headers["If-Match"] = `"v${base}"`;
  if (by) headers[PERSON] = by;
  if (key) headers["Idempotency-Key"] = key;
  return request(path, { method: "POST", headers, body: JSON.stringify(body), signal }, json);
}

/**
 * Put JSON at a path, and return the JSON answer.
 *
 * @param {string} path
 * @param {unknown} body
 * @param {{ signal?: AbortSignal }} options
 * @returns {Promise<any>}
 */
export async function put(path, body, { signal } = {}) {
  const headers = { "Content-Type": "application/json" };
  return request(path, { method: "PUT", headers, body: JSON.stringify(body), signal }, json);
}

/**
 * Delete the resource at a path.
 *
 * @param {string} path
 */
export async function remove(path) {
  await request(path, { method: "DELETE" }, whole);
}

/**
 * Upload a file, and return the JSON answer.
 *
 * @param {string} path
 * @param {File} file
 * @param {string} type
 * @returns {Promise<any>}
 */
export async function upload(path, file, type) {
  return request(path, { method: "POST", headers: { "Content-Type": type }, body: file, patience: 600_000 }, json);
}

/** @param {Response} response */
const json = (response) => response.json();

/** @param {Response} response */
const whole = (response) => response;

/**
 * Send a request, and `read` its answer. A request for reading is repeated for a while if the service is overloaded,
 * after the time that the service names.
 *
 * @template Result
 * @param {string} path
 * @param {Asking} options
 * @param {(response: Response) => Result | Promise<Result>} read
 * @returns {Promise<Result>}
 */
async function request(path, options, read) {
  for (const deadline = performance.now() + PATIENCE; ; ) {
    try {
      return await requestOnce(path, options, read);
    } catch (error) {
      const wait =
        isTemporary(error) &&
        !options.method &&
        ((error instanceof Problem && error.wait) || 0) * 1_000 * (1 + Math.random() / 2); // not all at once
      if (!wait || options.signal?.aborted || performance.now() + wait > deadline) throw error;
      await new Promise((later) => setTimeout(later, wait));
    }
  }
}

/**
 * Send a request once. The answer has to begin within `patience`, and so has each further part of its body: a body that
 * is cut, or stops on its way, is no answer. Neither is one that something on the way has sent.
 *
 * @template Result
 * @param {string} path
 * @param {Asking} request
 * @param {(response: Response) => Result | Promise<Result>} read
 * @returns {Promise<Result>}
 */
async function requestOnce(path, { signal, patience = PATIENCE, ...options }, read) {
  const stop = new AbortController();
  let timer = setTimeout(() => stop.abort(), patience);
  let reading = true;
  const goOn = () => {
    clearTimeout(timer);
    if (reading) timer = setTimeout(() => stop.abort(), patience);
  };
  signal?.addEventListener("abort", () => stop.abort());
  try {
    const link = shareCode();
    const person = options.method && document.body.dataset.person;
    const headers = {
      ...(person && { [PERSON]: person }),
      ...options.headers,
      ...(link && { "Kifu-Share": link }),
    };
    const response = await fetch(path, { ...options, headers, signal: stop.signal });
    if (response.ok && !isFromService(response)) throw new Unreachable(response.statusText);
    const date = Date.parse(response.headers.get("Date") ?? "");
    if (!Number.isNaN(date)) clockLag = date - Date.now();
    const kept = response.headers.get("Kifu-As-Of");
    if (kept) dispatchEvent(new CustomEvent("kept", { detail: kept }));
    else checkRelease(response.headers.get("Kifu-Release"));
    if (response.ok || response.status === 304) return await read(reportParts(response, goOn));
    throw await errorOf(reportParts(response, goOn));
  } catch (error) {
    if (signal?.aborted || error instanceof Problem) throw error;
    throw error instanceof Unreachable ? error : new Unreachable(String(error));
  } finally {
    reading = false; // a stream goes on for as long as it likes
    clearTimeout(timer);
  }
}

/**
 * A response that tells of each part of its body.
 *
 * @param {Response} response
 * @param {() => void} onPart
 */
function reportParts(response, onPart) {
  if (!response.body || EMPTY.includes(response.status)) return response;
  /** @type {TransformStream<Uint8Array, Uint8Array>} */
  const parts = new TransformStream({
    transform(part, passed) {
      onPart();
      passed.enqueue(part);
    },
  });
  return new Response(response.body.pipeThrough(parts), response);
}

/**
 * The error for a failed response. A response that is not the service's own comes from something on the way.
 *
 * @param {Response} response
 */
async function errorOf(response) {
  const own = response.headers.get("Content-Type")?.startsWith("application/problem+json");
  if (own) return new Problem(await response.json(), Number(response.headers.get("Retry-After")) || 0);
  return new Unreachable(`${response.status} ${response.statusText}`);
}
