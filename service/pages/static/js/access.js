/** The page of access: the reader's devices; with permission also people, invitations, tokens, share links, the trail. */
import { get } from "./base/api.js";
import { h } from "./base/dom.js";
import { ignoreHeldEnter } from "./base/held-enter.js";
import { t } from "./base/language.js";
import { fillList } from "./base/lists.js";
import { keepPresses } from "./base/redrawn.js";
import { checkLoginOnReturn } from "./base/returning.js";
import { localiseTimes } from "./base/times.js";
import { trailLine } from "./base/trail.js";
import { AccessActions } from "./access/actions.js";
import { Credentials } from "./access/credentials.js";
import { Invitations } from "./access/inviting.js";
import { linkItem } from "./access/links.js";
import { People } from "./access/people.js";
import { Roster } from "./access/roster.js";
import { tokenForm } from "./access/token-form.js";

/**
 * @param {string} id
 * @returns {any}
 */
const find = (id) => document.getElementById(id);
const root = find("access");
const [page, may, scopes, roles] = ["page", "may", "scopes", "roles"].map((name) => JSON.parse(root.dataset[name]));
const STEPS = 30;
const GAMES = 30;

keepPresses();
ignoreHeldEnter();
checkLoginOnReturn();
const roster = new Roster(page, roles);
const actions = new AccessActions(find("problem"), load);
const credentials = new Credentials(page, scopes, roster, actions);
const inviting = new Invitations(page.base, roster, actions);
const people = new People(roster, actions, credentials, inviting);

for (const [id, open] of Object.entries({
  invite: () => inviting.askInvitation(),
  merge: () => people.askMerge(),
  "make-token": makeToken,
  "own-phone": () => inviting.inviteAtOnce(page.me),
  earlier: showEarlier,
}))
  find(id)?.addEventListener("click", open);
await load();
root.setAttribute("aria-busy", "false");

/**
 * The answer at a path of the API.
 *
 * @template {keyof import("../../types/api").paths} Path
 * @param {Path} path
 * @param {string} query
 * @returns {Promise<Got<Path>>}
 */
async function getBody(path, query = "") {
  return (await get(query ? `${path}?${query}` : path)).body;
}

/** Load everything on the page, and show it. */
async function load() {
  try {
    await (may.includes("admin") ? showEverything() : showOwnDevices());
    find("problem").replaceChildren();
  } catch (error) {
    actions.showProblem(error);
  }
  localiseTimes(root);
}

async function showOwnDevices() {
  const { tokens } = await getBody("/v1/tokens");
  showCredentials(tokens.filter(({ person }) => roster.isMe(person)));
}

async function showEverything() {
  const [{ tokens }, { roles: given }, { players }, { invitations }, { links, titles }, { merges }] = await Promise.all(
    [
      getBody("/v1/tokens", "everybody=true"),
      getBody("/v1/roles"),
      getBody("/v1/players"),
      getBody("/v1/invitations"),
      getBody("/v1/links"),
      getBody("/v1/merges"),
    ],
  );
  roster.update(players, merges);
  const others = roster.otherPeople(given, tokens.filter(isDevice));
  showCredentials(tokens);
  fillList(
    find("people"),
    others.map((person) => people.personItem(person)),
    t("Only you."),
  );
  fillList(
    find("merges"),
    merges.map((merge) => people.mergeItem(merge)),
  );
  fillList(
    find("invitations"),
    invitations.map((open) => inviting.invitationItem(open)),
    t("None."),
  );
  fillList(
    find("links"),
    links.map((link) => linkItem(link, titles, actions)),
    t("None."),
  );
  await showTrail(0);
}

/**
 * Show the reader's devices, and the tokens of programs if the page has a place for them.
 *
 * @param {Schemas["TokenInfo"][]} tokens
 */
function showCredentials(tokens) {
  const devices = tokens.filter((token) => isDevice(token) && roster.isMe(token.person));
  const items = devices.map((device) => credentials.deviceItem(device));
  fillList(find("own"), items, t("None."));
  if (!find("tokens")) return;
  const programs = tokens.filter((token) => !isDevice(token));
  const programItems = programs.map((token) => credentials.tokenItem(token));
  fillList(find("tokens"), programItems, t("None."));
}

/** @param {{ kind: string }} token */
function isDevice({ kind }) {
  return kind !== "app";
}

/** @param {number} after the number of the first line that is shown already; 0 for none */
async function showTrail(after) {
  const body = await getBody("/v1/trail", `order=newest&limit=${STEPS}&after=${after}`);
  /** @param {string} id */
  const known = (id) => body.people[id] ?? (id === "kifu" ? "Kifu" : roster.nameOf(id));
  const lines = body.steps.map((step) => h("li", {}, trailLine(step, known)));
  if (after) find("trail").append(...lines);
  else find("trail").replaceChildren(...lines);
  find("earlier").hidden = !((body.next ?? 0) > 1); // the first line has the number 1
  find("earlier").dataset.after = body.next;
  localiseTimes(find("trail"));
}

function showEarlier() {
  showTrail(Number(find("earlier").dataset.after)).catch((error) => actions.showProblem(error));
}

async function makeToken() {
  const { games } = await getBody("/v1/games", `limit=${GAMES}`).catch(() => ({ games: [] }));
  actions.askAndRun(tokenForm(roles, scopes, games));
}
