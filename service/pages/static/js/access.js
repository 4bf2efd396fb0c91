/** The access page: one's own devices; with permission also people, invitations, tokens, share links, the trail. */
import { get, Problem, put, remove } from "./base/api.js";
import { showOnce } from "./base/copying.js";
import { trailLine } from "./base/trail.js";
import { h, hint, nodes } from "./base/dom.js";
import { FormDialog, labelled } from "./base/formdialog.js";
import { countdown, InvitationDialog } from "./people/invitation.js";
import { listInWords, t, tn } from "./base/language.js";
import { limit } from "./base/limits.js";
import { fillList, listButton, listItem } from "./base/lists.js";
import { Menu } from "./base/menu.js";
import { create } from "./people/create.js";
import { personField, personNamed } from "./people/players.js";
import { keepPresses } from "./base/redrawn.js";
import { problemView } from "./base/problem.js";
import { formatDay, localise } from "./base/times.js";
import { roleName } from "./base/roles.js";
import { linkUse } from "./people/links.js";
import { watchReturn } from "./base/returning.js";

/**
 * @param {string} id
 * @returns {any}
 */
const find = (id) => document.getElementById(id);
const root = find("access");
const [page, may, scopes, roles] = ["page", "may", "scopes", "roles"].map((name) => JSON.parse(root.dataset[name]));
const admin = may.includes("admin");
const STEPS = 30;
const GAMES = 30;
/** @type {Record<string, string>} */
const KINDS = { own: t("Owner’s token"), dev: t("Device"), app: t("Program"), ses: t("Browser") };
/** @type {Record<string, (count: number) => string>} */
const COUNTED = {
  ses: (count) => tn(count, "{count} browser", "{count} browsers"),
  dev: (count) => tn(count, "{count} device", "{count} devices"),
  app: (count) => tn(count, "{count} program", "{count} programs"),
};
/** @type {Record<string, string>} */
const MEANING = {
  "": t("nothing on the service, only what they play"),
  viewer: t("see all games"),
  recorder: t("record, and see what is hidden"),
  referee: t("correct others, rule, close"),
  owner: t("everything"),
};

/** @typedef {Schemas["TokenInfo"]} Token */
/** @typedef {{ id: string, role: string | null, holders: string[], devices: Token[] }} Person */

keepPresses();
watchReturn();
const menu = new Menu();
const invitation = new InvitationDialog(page.base);
const form = new FormDialog("access", () => form.send(() => submit()));
let submit = async () => {};
/** @type {Record<string, string>} */
let names = {};
/** @type {Record<string, string>} */
let kept = {};
/** @type {string[]} */
let everybody = [];

for (const [id, open] of Object.entries({
  invite: () => ask(inviting()),
  merge: () => ask(merging()),
  "make-token": () => makeToken(),
  "own-phone": () => attempt(() => invite(page.me)),
  earlier,
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
async function bodyAt(path, query = "") {
  return (await get(query ? `${path}?${query}` : path)).body;
}

/** Load everything on the page, and show it. */
async function load() {
  try {
    await (admin ? showAll() : showOwn());
    find("problem").replaceChildren();
  } catch (error) {
    complain(error);
  }
  localise(root);
}

async function showOwn() {
  const { tokens } = await bodyAt("/v1/tokens");
  const mine = tokens.filter(({ person }) => isMe(person));
  fillList(find("own"), mine.filter(({ kind }) => kind !== "app").map(deviceItem), t("None."));
  if (find("tokens")) fillList(find("tokens"), mine.filter(({ kind }) => kind === "app").map(tokenItem), t("None."));
}

async function showAll() {
  const [{ tokens }, { roles: given }, { players }, { invitations }, { links, titles }, { merges }] = await Promise.all(
    [
      bodyAt("/v1/tokens", "everybody=true"),
      bodyAt("/v1/roles"),
      bodyAt("/v1/players"),
      bodyAt("/v1/invitations"),
      bodyAt("/v1/links"),
      bodyAt("/v1/merges"),
    ],
  );
  names = { [page.owner]: t("owner"), ...Object.fromEntries(players.map(({ id, name }) => [id, name])) };
  kept = Object.fromEntries(merges.map(({ player, into }) => [player, into]));
  const devices = tokens.filter(({ kind }) => kind !== "app");
  const people = peopleOf(given, devices);
  everybody = [...new Set([...people, ...players].map(({ id }) => id)).add(end(page.me))];
  const none = t("None.");
  fillList(find("own"), devices.filter(({ person }) => isMe(person)).map(deviceItem), none);
  fillList(find("tokens"), tokens.filter(({ kind }) => kind === "app").map(tokenItem), none);
  fillList(find("people"), people.map(personItem), t("Only you."));
  fillList(find("merges"), merges.map(mergeItem));
  fillList(find("invitations"), invitations.map(invitationItem), none);
  const linkItems = links.map((link) => linkItem(link, titles));
  fillList(find("links"), linkItems, none);
  await showTrail(0);
}

/**
 * The other people with a role or a device, by name.
 *
 * @param {Schemas["RoleInfo"][]} given
 * @param {Token[]} devices
 * @returns {Person[]}
 */
function peopleOf(given, devices) {
  const others = new Set([...given.map(({ player }) => player), ...devices.map(({ person }) => person)].map(end));
  others.delete(end(page.me));
  const people = [...others].map((id) => {
    const own = given.filter(({ player }) => end(player) === id);
    return {
      id,
      role: id === page.owner ? "owner" : highest(own.map(({ role }) => role)),
      holders: own.map(({ player }) => player),
      devices: devices.filter(({ person }) => end(person) === id),
    };
  });
  return people.sort((one, other) => called(one.id).localeCompare(called(other.id)));
}

/**
 * The role with the most rights.
 *
 * @param {(string | null)[]} held
 * @returns {string | null}
 */
function highest(held) {
  return roles.findLast((/** @type {string} */ role) => held.includes(role)) ?? null;
}

/** @param {number} [after] */
async function showTrail(after) {
  const body = await bodyAt("/v1/trail", `order=newest&limit=${STEPS}&after=${after}`);
  /** @param {string} id */
  const known = (id) => body.people[id] ?? (id === "kifu" ? "Kifu" : called(id));
  const lines = body.steps.map((step) => h("li", {}, trailLine(step, known)));
  if (after) find("trail").append(...lines);
  else find("trail").replaceChildren(...lines);
  find("earlier").hidden = !((body.next ?? 0) > 1); // the first line has the number 1
  find("earlier").dataset.after = body.next;
  localise(find("trail"));
}

function earlier() {
  showTrail(Number(find("earlier").dataset.after)).catch(complain);
}

// The items of the lists

/** @param {string} id */
function called(id) {
  return names[end(id)] ?? t("Somebody without a name");
}

/**
 * The current id of a person: their own, or the one that they were merged into.
 *
 * @param {string} id
 * @returns {string}
 */
function end(id) {
  return kept[id] ? end(kept[id]) : id;
}

/** @param {string} id */
function isMe(id) {
  return page.people.includes(id);
}

/** @param {Token} device */
function deviceItem(device) {
  const { id, kind, name, games } = device;
  const here = id === page.credential;
  const text = [KINDS[kind], name].filter(Boolean).join(": ");
  return listItem(
    [h("bdi", {}, text), here ? h("span", { class: "badge" }, t("this browser")) : null],
    [since(device), games ? [" · ", tn(games.length, "in {count} game only", "in {count} games only")] : ""],
    kind === "own" || here
      ? []
      : listButton(t("Let out"), text, () =>
          revoke([id], t("Log out {name}?", { name: text }), t("It is logged out at once."), t("Let out")),
        ),
  );
}

/** @param {{ begun_at: string, used_on: string | null, ends_at: string | null }} token */
function since({ begun_at: begun, used_on: used, ends_at: ends }) {
  return [
    t("since {time}", { time: h("time", { datetime: begun }) }),
    " · ",
    used ? t("last used on {day}", { day: formatDay(used) }) : t("not used yet"),
    ends ? [" · ", t("until {day}", { day: formatDay(ends) })] : "",
  ];
}

/** @param {Token} token */
function tokenItem(token) {
  const { id, name, scopes: allowed, games, person } = token;
  return listItem(
    [
      h("bdi", {}, name),
      isMe(person) ? null : h("small", {}, " ", t("of {name}", { name: h("bdi", {}, called(person)) })),
    ],
    [
      since(token),
      " · ",
      allowed ? listInWords(allowed.map((scope) => scopes[scope] ?? scope)) : t("everything"),
      games ? [" · ", tn(games.length, "{count} game", "{count} games")] : "",
    ],
    listButton(t("Revoke"), name, () =>
      revoke([id], t("Revoke {name}?", { name }), t("The program with this token can no longer log in."), t("Revoke")),
    ),
  );
}

/** @param {Person} person */
function personItem({ id, role, holders, devices }) {
  const name = called(id);
  const head = listItem(
    [h("bdi", {}, name), " ", h("span", { class: "badge" }, roleName(role ?? "player"))],
    MEANING[role ?? ""],
    listButton(t("More …"), name, () => menu.open(name, personActions(id, role, holders, devices))),
  );
  head.append(h("ul", { class: "list devices" }, devices.map(deviceItem)));
  return head;
}

/** @param {Schemas["MergeInfo"]} merge */
function mergeItem({ player, name, into, since: begun }) {
  const text = name ?? t("Somebody without a name");
  return listItem(
    t("{one} is {other}", { one: h("bdi", {}, text), other: h("bdi", {}, called(into)) }),
    t("since {time}", { time: h("time", { datetime: begun }) }),
    listButton(t("Split off again"), text, () => attempt(() => remove(`/v1/players/${player}/merge`))),
  );
}

/**
 * @param {string} id
 * @param {string | null} role
 * @param {string[]} holders
 * @param {Token[]} devices
 */
function personActions(id, role, holders, devices) {
  const name = called(id);
  const ofOthers = [
    {
      text: t("Change what they may do"),
      hint: role ? roleName(role) : t("no role"),
      act: () => ask(changing(id, role, holders)),
    },
    { text: t("This is the same person as …"), hint: t("entered twice"), act: () => ask(merging(id)) },
  ];
  const ofDevices = {
    text: t("Log out on all devices"),
    hint: tn(devices.length, "{count} device", "{count} devices"),
    act: () => letOut(name, devices),
  };
  return [
    ...(id === page.owner ? [] : ofOthers),
    { text: t("Add another phone"), hint: t("by a QR code"), act: () => attempt(() => invite(id, name)) },
    ...(devices.length ? [ofDevices] : []),
  ];
}

/**
 * @param {string} name
 * @param {Token[]} devices
 */
function letOut(name, devices) {
  revoke(
    devices.filter(({ kind }) => kind !== "own").map(({ id }) => id),
    t("Log {name} out on all devices?", { name }),
    t("What they may do stays: with a new invitation they can log in again."),
    t("Let out"),
  );
}

/** @param {Schemas["InvitationInfo"]} open */
function invitationItem(open) {
  const { id, player, seat, game, club, ends_at: ends, code } = open;
  const name = open.name ?? called(player);
  return listItem(
    [h("bdi", {}, name), " ", code ? h("code", {}, code) : null],
    [
      game
        ? [h("a", { href: `/games/${game}` }, t("seat {number} of a game", { number: (seat ?? 0) + 1 })), " · "]
        : null,
      club ? [h("a", { href: `/clubs/${club}` }, t("a club")), " · "] : null,
      countdown(ends),
    ],
    listButton(t("Show"), name, () => invitation.show(open, { title: t("Invitation of {name}", { name }) })),
    listButton(t("Withdraw"), name, () => attempt(() => remove(`/v1/invitations/${id}`))),
  );
}

/**
 * @param {Schemas["LinkInfo"]} link
 * @param {Record<string, string>} titles
 */
function linkItem({ id, game, name, seat, at, opened, ends_at: ends }, titles) {
  const title = titles[game] || t("an untitled game");
  const view =
    { public: t("what everybody saw"), record: t("the whole record") }[seat] ??
    t("seen from seat {number}", { number: Number(seat) + 1 });
  return listItem(
    [h("a", { href: `/games/${game}` }, h("bdi", {}, title)), name ? [" · ", h("bdi", {}, name)] : null],
    [view, at && t("at entry {at}", { at }), ...linkUse(opened, ends)].filter(Boolean).join(" · "),
    listButton(t("Revoke"), name || title, () =>
      act(
        () => remove(`/v1/games/${game}/links/${id}`),
        t("Revoke the link?"),
        t("The link will stop working."),
        t("Revoke"),
      ),
    ),
  );
}

// Actions

/**
 * Do something at once, then reload. Problems are shown at the top.
 *
 * @param {() => unknown} work
 */
async function attempt(work) {
  try {
    await work();
    await load();
  } catch (error) {
    complain(error);
  }
}

/** @param {any} error */
function complain(error) {
  if (!(error instanceof Problem))
    return find("problem").replaceChildren(hint(t("No connection: try again once it is back.")));
  find("problem").replaceChildren(problemView(error.body));
  find("problem").scrollIntoView({ block: "nearest" });
}

/**
 * Ask for confirmation of something that cannot be undone.
 *
 * @param {() => unknown} work
 * @param {string} title
 * @param {Child} lead
 * @param {string} verb
 */
function act(work, title, lead, verb) {
  ask({ title, lead, fields: [], verb, work });
}

/**
 * Ask for confirmation before credentials end, and whether things made with them end, too. Shows what they have read.
 *
 * @param {string[]} ids
 * @param {string} title
 * @param {Child} lead
 * @param {string} verb
 */
async function revoke(ids, title, lead, verb) {
  try {
    const families = await Promise.all(ids.map(familyOf));
    const made = madeWith(families, ids);
    const too = h("input", { type: "checkbox", checked: true });
    const text = t("End what was made with it, too: {made}", { made: listInWords(made) });
    const reads = families.flatMap((family) => family.reads);
    ask({
      title,
      lead,
      fields: nodes([made.length ? h("label", { class: "check" }, too, text) : null, readings(once(reads, ids))]),
      verb,
      work: () => Promise.all(ids.map((id) => endCredential(id, too.checked))),
    });
  } catch (error) {
    complain(error);
  }
}

/**
 * The things made and read with a credential.
 *
 * @param {string} id
 */
async function familyOf(id) {
  /** @type {Answer<Got<"/v1/tokens/{token}/family">>} */
  const { body } = await get(`/v1/tokens/${id}/family`);
  return body;
}

/**
 * The number of each kind of thing made with credentials, in words.
 *
 * @param {Schemas["TokenFamily"][]} families
 * @param {string[]} ids the ids of the credentials
 */
function madeWith(families, ids) {
  const tokens = once(
    families.flatMap((family) => family.tokens),
    ids,
  );
  const links = families.flatMap((family) => family.links);
  const webhooks = families.flatMap((family) => family.webhooks);
  return [
    ...Object.entries(COUNTED).map(([kind, wording]) =>
      counted(tokens.filter((each) => each.kind === kind).length, wording),
    ),
    counted(once(links, ids).length, (count) => tn(count, "{count} share link", "{count} share links")),
    counted(once(webhooks, ids).length, (count) => tn(count, "{count} endpoint", "{count} endpoints")),
  ].filter(Boolean);
}

/**
 * @param {number} count
 * @param {(count: number) => string} wording
 */
function counted(count, wording) {
  return count ? wording(count) : "";
}

/**
 * The members of several families, each once, without the credentials themselves.
 *
 * @param {any[]} found
 * @param {string[]} ids
 */
function once(found, ids) {
  const named = new Map(found.map((each) => [each.id ?? `${each.token} ${each.game}`, each]));
  return [...named.values()].filter(({ id }) => !ids.includes(id));
}

/**
 * End a credential. It may have ended already, together with the one that made it.
 *
 * @param {string} id
 * @param {boolean} too
 */
async function endCredential(id, too) {
  try {
    await remove(`/v1/tokens/${id}?made=${too ? "end" : "keep"}`);
  } catch (error) {
    if (!(error instanceof Problem) || error.body.type !== "/problems/credential-unknown") throw error;
  }
}

/** @param {Schemas["ReadInfo"][]} reads */
function readings(reads) {
  if (!reads.length) return null;
  const shown = reads.map(({ game, title, last_on: on }) =>
    h(
      "li",
      {},
      game
        ? h("a", { href: `/games/${game}` }, h("bdi", {}, title || t("an untitled game")))
        : t("all games, through the feed"),
      ` · ${formatDay(on)}`,
    ),
  );
  return h("details", {}, h("summary", {}, t("What was read with it")), h("ul", { class: "list" }, shown));
}

/**
 * Ask for the needed values, do the work, then reload.
 *
 * @param {Asked} asked
 */
function ask({ work, ...shown }) {
  submit = async () => {
    await work();
    form.close();
    await load();
  };
  form.open(shown);
}

/** @param {string} role */
function explained(role) {
  return t("{role}: {meaning}", { role: roleName(role), meaning: MEANING[role] });
}

/** @param {string} value */
function roleField(value = "") {
  return h(
    "select",
    {},
    ["", ...roles].map((role) =>
      h("option", { value: role, selected: role === value }, role ? explained(role) : MEANING[""]),
    ),
  );
}

/**
 * Give a role to a person, in place of the roles of `holders`: these ids belong to the same person.
 *
 * @param {string} person
 * @param {string | null} role
 * @param {string[]} holders
 */
async function giveRole(person, role, holders = []) {
  if (role) await put(`/v1/roles/${person}`, { role });
  await Promise.all(holders.filter((id) => !role || id !== person).map((id) => remove(`/v1/roles/${id}`)));
}

/**
 * Ask which person is the same as another one.
 *
 * @param {string} id
 */
function merging(id = "") {
  const [one, other] = [everybodyField(id, page.owner), everybodyField("", id)];
  return {
    title: t("One person, entered twice"),
    lead: t("From now on they go by one name, and have the seats, roles and devices of both. It can be undone."),
    fields: [labelled(t("Entered as"), one), labelled(t("Is the same person as"), other)],
    verb: t("Make them one"),
    work: () => put(`/v1/players/${one.value}/merge`, { into: other.value }),
  };
}

/**
 * All people except one, by name, as choices. The end of the id distinguishes people with the same name.
 *
 * @param {string} chosen
 * @param {string} but
 */
function everybodyField(chosen, but) {
  const sorted = everybody.toSorted((one, other) => called(one).localeCompare(called(other)));
  const isAmbiguous = (/** @type {string} */ id) => sorted.filter((each) => called(each) === called(id)).length > 1;
  const options = sorted
    .filter((id) => id !== but)
    .map((id) => {
      const text = isAmbiguous(id) ? `${called(id)} (…${id.slice(-4)})` : called(id);
      return h("option", { value: id, selected: id === chosen }, text);
    });
  return h("select", { required: true }, h("option", { value: "" }), options);
}

/**
 * @param {string} id
 * @param {string | null} role
 * @param {string[]} holders
 */
function changing(id, role, holders) {
  const field = roleField(role ?? "");
  return {
    title: t("What {name} may do", { name: called(id) }),
    lead: t("On the service, in all games. Each role does all that the one before it does."),
    fields: [labelled(t("Role"), field)],
    verb: t("Change it"),
    work: () => (field.value === (role ?? "") ? null : giveRole(id, field.value, holders)),
  };
}

function inviting() {
  const who = personField("invited", { placeholder: "Jonas", onchange: () => {} });
  who.field.required = true;
  const role = roleField("viewer");
  return {
    title: t("Invite somebody"),
    lead: t("A QR code and a short code let one phone of theirs in, within thirty minutes."),
    fields: [labelled(t("Who"), who.field), who.players, labelled(t("What they may do"), role)],
    verb: t("Invite"),
    work: async () => {
      const name = who.field.value.trim();
      const known = await personNamed(name);
      if (role.value) await giveRole(known.id, role.value);
      form.close();
      await invite(known.id, name);
    },
  };
}

/**
 * @param {string} player
 * @param {string} [name]
 */
async function invite(player, name) {
  const made = await create("/v1/invitations", { player });
  const title = player === page.me ? t("Another phone of yours") : t("{name} is invited", { name });
  invitation.show(made.info, { title, path: made.path });
}

async function makeToken() {
  const { games } = await bodyAt("/v1/games", `limit=${GAMES}`).catch(() => ({ games: [] }));
  const name = h("input", {
    maxlength: limit("name"),
    required: true,
    autocomplete: "off",
    placeholder: t("The scoreboard"),
  });
  const role = tokenRoleField();
  const days = h("input", { type: "number", min: "1", max: "3650", value: "365", required: true });
  const ticked = checks(Object.entries(scopes).map(([value, what]) => [value, `${what} (${value})`]));
  const only = checks(games.map(({ game, title }) => [game, title || t("an untitled game")]));
  ticked.element.addEventListener("change", () => (role.value = ""));
  ask({
    title: t("Make a token"),
    lead: t("A program with this token gets these rights, and never more than you have."),
    fields: [
      labelled(t("What it is for"), name),
      labelled(t("What it may do"), role),
      folded(t("One by one"), ticked.element),
      folded(t("Only in some games"), games.length ? only.element : hint(t("There are none yet."))),
      labelled(t("How many days it lasts"), days),
    ],
    verb: t("Make it"),
    work: () => postToken(name.value.trim(), Number(days.value), role.value, ticked.value, only.value),
  });
}

function tokenRoleField() {
  return h(
    "select",
    {},
    roles.map((/** @type {string} */ each) => h("option", { value: each }, explained(each))),
    h("option", { value: "" }, t("what is ticked below")),
  );
}

/**
 * @param {string} text
 * @param {Child} inside
 */
function folded(text, inside) {
  return h("details", {}, h("summary", {}, text), inside);
}

/**
 * Create a token with a role's rights, or with these scopes if there is no role, and show it once.
 *
 * @param {string} name
 * @param {number} days
 * @param {string} role
 * @param {string[]} scopes
 * @param {string[]} games empty for all games
 */
async function postToken(name, days, role, scopes, games) {
  const rights = role ? { role } : { scopes };
  const made = await create("/v1/tokens", { name, days, ...rights, ...(games.length && { games }) });
  showOnce(t("The token of {name}", { name: made.info.name }), t("The token"), made.token);
}

/**
 * A list of checkboxes: `element`, with the ticked values as `value`.
 *
 * @param {[string, string][]} choices
 */
function checks(choices) {
  const boxes = choices.map(([value]) => h("input", { type: "checkbox", value }));
  return {
    element: h(
      "div",
      { class: "checks" },
      choices.map(([, text], at) => h("label", { class: "check" }, boxes[at], text)),
    ),
    get value() {
      return boxes.filter(({ checked }) => checked).map(({ value }) => value);
    },
  };
}
