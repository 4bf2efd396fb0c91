/** The service that the pages are of: it runs beside, and its address and the owner's token come from outside. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { uuid7 } from "../../../../../service/pages/static/js/base/uuid.js";

const { KIFU_BASE: BASE, KIFU_TOKEN: TOKEN, KIFU_COOKIE: COOKIE } = process.env;
const send = globalThis.fetch;

/** Answers are not compressed: that would take both sides time, and other tests try it. */
const PLAIN = { "Accept-Encoding": "identity" };

/** What the service answers to the browser of its owner (true), of a stranger (false), or of somebody with a cookie. */
export const answer = (path, init = {}, who = true) =>
  send(new URL(path, BASE), { ...init, headers: { ...init.headers, ...PLAIN, Origin: BASE, ...cookieOf(who) } });

/** @param {boolean | string} who */
function cookieOf(who) {
  return who ? { Cookie: who === true ? COOKIE : who } : {};
}

/** The cookie of a browser that is logged in by a token. */
export async function logIn(token) {
  const form = new URLSearchParams({ token });
  const { headers } = await send(new URL("/login", BASE), { method: "POST", body: form, redirect: "manual" });
  return headers.getSetCookie()[0].split(";")[0];
}

/** What the tests know of the rules, and records that were cut off. */
export const GIVEN = JSON.parse(readFileSync(process.env.KIFU_GIVEN, "utf8"));

/** Import a golden record for everybody to see. Its id. */
export const given = (name) =>
  imported(readFileSync(new URL(`../../../../golden/${name}.txt`, import.meta.url), "utf8"));

/** The same of the beginning of a record. */
export const cut = (name) => imported(GIVEN.cut[name]);

async function imported(body) {
  const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "text/plain" };
  const got = await send(new URL(`/v1/imports?id=${uuid7()}`, BASE), { method: "POST", headers, body });
  const { game } = await got.json();
  await ask(`/v1/games/${game}/visibility`, { visibility: "public" }, "PUT");
  return game;
}

/** The address of a page. */
export const addressOf = (path) => new URL(path, BASE).href;

/**
 * The JSON that the service answers to a program with the owner's token. While the newest entries are not listed yet,
 * it asks again, as the service says: an erasure right after an entry waits for the list.
 */
export async function ask(path, body, method = body ? "POST" : "GET") {
  const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json", ...PLAIN };
  const got = await send(new URL(path, BASE), { method, headers, body: body && JSON.stringify(body) });
  const text = await got.text();
  const pause = got.status === 503 && text.includes("/problems/rebuilding") && got.headers.get("Retry-After");
  if (pause) {
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(pause)));
    return ask(path, body, method);
  }
  assert.ok(got.ok, `${path}: ${text}`);
  return text && JSON.parse(text);
}

/** Open a game for everybody to see. Its id. */
export async function openGame(names, more = {}) {
  const game = uuid7();
  await ask("/v1/games", { id: game, ruleset: "kahuna", seats: names.map((name) => ({ name })), ...more });
  await ask(`/v1/games/${game}/visibility`, { visibility: "public" }, "PUT");
  return game;
}

/** Open a score sheet. Its id. */
export const openSheet = (template, ...names) => openGame(names, { ruleset: "scoresheet", options: { template } });

/** Add entries to a game. */
export const add = (game, ...entries) =>
  ask(`/v1/games/${game}/events`, { events: entries.map((entry) => ({ id: uuid7(), ...entry })) });

/** Record moves. */
export const record = (game, ...moves) => add(game, ...moves.map((move) => ({ data: { move } })));

/** All entries of a game. */
export const entries = async (game) => (await ask(`/v1/games/${game}/timeline?limit=1000`)).entries;

/** The moves of a game that count. */
export const moves = async (game) =>
  (await entries(game))
    .filter(({ notation, withdrawn_by: gone }) => notation != null && gone == null)
    .map(({ notation }) => notation);

/** The deal of the games that tests record. */
export const DEAL = "deal black BARI COCO DUDA";

/** Open a game that has been dealt, with these moves after the deal. Its id. */
export async function openDealt(...moved) {
  const game = await openGame(["Anna", "Björn"]);
  await record(game, DEAL, ...moved);
  return game;
}
