/** The page of access: who may do what, with their devices, programs, invitations and links; and the same of one game. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { uuid7 } from "../../../../../service/pages/static/js/base/uuid.js";
import * as page from "./page.mjs";
import { answer, ask, logIn, openGame, record } from "./service.mjs";

const { all, choose, dialog, field, find, hasKey, isShown, press, textOf, type, until, untilDialogHas, untilText } =
  page;
const menu = () => find("dialog.sheet[open]");
const isClosed = () => until(() => !dialog(), "the dialog to close");
const visit = (more) => page.visit("/access", more);
/** The items of a list with this text. */
const items = (list, text) => all(`#${list} > li`).filter((each) => textOf(each).includes(text));
const untilItem = (list, name, text) =>
  until(() => items(list, name).some((each) => textOf(each).includes(text)), `${name} with ${text} in ${list}`);
const untilGone = (list, name) => until(() => !items(list, name).length, `no ${name} in ${list}`);
const options = (select) => page.texts("option", select);

/** Give a person a name; the id. */
async function person(name, role = null) {
  const id = uuid7();
  await ask(`/v1/players/${id}`, { name }, "PUT");
  if (role) await ask(`/v1/roles/${id}`, { role }, "PUT");
  return id;
}

const makeToken = (name, more = {}) => ask("/v1/tokens", { name, ...more });
/** Whether a token still opens something. */
const opens = async ({ token }) =>
  (await answer("/v1/token", { headers: { Authorization: `Bearer ${token}` } }, false)).status === 200;
const roleOf = async (id) => (await ask("/v1/roles")).roles.find(({ player }) => player === id)?.role ?? null;

/** Choose an action of somebody's menu. */
async function about(name, action) {
  await press(`More …: ${name}`);
  await press(action, menu);
}

/** Let requests of one method be noted; the list of them, each with its path and its body. */
function noted(method) {
  const sent = [];
  page.answerWith((path, init) => {
    if (init.method === method) sent.push({ path, body: init.body && JSON.parse(init.body) });
    return null;
  });
  return sent;
}

// People

test("people are listed by name, with their roles and devices", async () => {
  const tag = uuid7();
  const zoe = await person(`Zoe ${tag}`, "viewer");
  await person(`Abe ${tag}`, "recorder");
  await makeToken("a tablet", { person: zoe });
  await person(`Kim ${tag}`); // with no role and no device
  await visit();
  assert.deepEqual(
    items("people", tag).map((each) => textOf(find("bdi", each))),
    [`Abe ${tag}`, `Zoe ${tag}`],
  );
  const [abe, other] = items("people", tag);
  assert.match(textOf(abe), /recorder *record, and see what is hidden/);
  assert.match(textOf(other), /viewer *see all games/);
  assert.match(textOf(find(".devices li", other)), /^Device: a tablet *since .+ · not used yet/);
  assert.equal(all(".devices li", abe).length, 0);
  assert.ok(!page.texts("#people > li > .what > bdi").includes("owner")); // who looks at the page is not among the others
  await press(`More …: Abe ${tag}`);
  assert.ok(!textOf(menu()).includes("Log out on all devices"));
  assert.match(textOf(menu()), /Change what they may do *recorder/);
});

test("a role is changed, kept as it is, and taken back", async () => {
  const name = `Mira ${uuid7()}`;
  const id = await person(name, "viewer");
  await visit();
  await about(name, /^Change what they may do/);
  await untilDialogHas(`What ${name} may do`);
  const sent = noted("PUT");
  assert.equal(field("Role", dialog()).value, "viewer");
  await press("Change it", dialog);
  await isClosed();
  assert.deepEqual(sent, []);
  await about(name, /^Change what they may do/);
  choose(field("Role", dialog()), "referee");
  await press("Change it", dialog);
  await untilItem("people", name, "correct others, rule, close");
  assert.equal(await roleOf(id), "referee");
  await makeToken("a phone", { person: id }); // somebody with no role and no device is not listed
  await about(name, /^Change what they may do/);
  choose(field("Role", dialog()), "");
  await press("Change it", dialog);
  await untilItem("people", name, "nothing on the service, only what they play");
  assert.equal(await roleOf(id), null);
});

test("devices are logged out one by one, or all of a person at once", async () => {
  const name = `Mira ${uuid7()}`;
  const id = await person(name, "viewer");
  const [one, two, three] = await Promise.all(["one", "two", "three"].map((each) => makeToken(each, { person: id })));
  await visit();
  const [mira] = items("people", name);
  await press("Let out: Device: two", mira);
  await untilDialogHas("Log out Device: two?");
  await press("Let out", dialog);
  await until(() => !items("people", name)[0]?.textContent.includes("Device: two"), "no device two");
  assert.deepEqual(await Promise.all([one, two, three].map(opens)), [true, false, true]);
  await press(`More …: ${name}`);
  assert.match(textOf(menu()), /Log out on all devices *2 devices/);
  await press(/^Log out on all devices/, menu);
  await untilDialogHas(`Log ${name} out on all devices?`);
  await press("Let out", dialog);
  await until(() => !textOf(items("people", name)[0]).includes("Device:"), "no device");
  assert.deepEqual(await Promise.all([one, three].map(opens)), [false, false]);
  assert.equal(await roleOf(id), "viewer");
});

test("the used browser and the owner's token cannot be ended here", async () => {
  await visit();
  const own = page.texts("#own > li");
  assert.ok(own.some((each) => /^Owner’s token/.test(each)));
  const { people } = JSON.parse(find("#access").dataset.page);
  const { tokens } = await ask("/v1/tokens?everybody=true");
  assert.equal(own.length, tokens.filter((each) => each.kind !== "app" && people.includes(each.person)).length);
  const here = items("own", "this browser");
  assert.equal(here.length, 1);
  assert.equal(textOf(find("bdi", here[0])), "Browser"); // it has no name
  for (const item of [...here, ...items("own", "Owner’s token")]) assert.ok(!hasKey(/^Let out/, item));
});

test("another person with all rights cannot change the owner or end the owner's token", async () => {
  const id = await person(`Mira ${uuid7()}`, "owner");
  const { token } = await makeToken("a phone", { person: id });
  await visit({ owner: await logIn(token) });
  const [owner] = all("#people > li").filter((each) => textOf(find("bdi", each)) === "owner");
  assert.equal(textOf(find(".badge", owner)), "owner");
  assert.match(textOf(owner), /everything/);
  const kept = all(".devices li", owner).filter((each) => /^Owner’s token/.test(textOf(each)));
  assert.equal(kept.length, 1);
  assert.ok(!hasKey(/^Let out/, kept[0]));
  await press("More …: owner");
  const count = all(".devices li", owner).length - 1; // all but the token
  assert.match(textOf(menu()), new RegExp(`Log out on all devices *${count} device`));
  assert.ok(!/Change what they may do|same person as/.test(textOf(menu())));
});

test("a person entered twice gets one name, and can be split again", async () => {
  const tag = uuid7();
  const [twin, other] = [await person(`Twin ${tag}`), await person(`Twin ${tag}`)];
  const kept = await person(`Mira ${tag}`, "viewer");
  const one = await person(`Miriam ${tag}`, "recorder");
  await makeToken("an old phone", { person: one });
  await visit();
  await about(`Miriam ${tag}`, /^This is the same person as/);
  await until(dialog);
  const entered = field("Entered as", dialog());
  assert.equal(find("option[selected]", entered).value, one);
  choose(entered, one);
  const others = field("Is the same person as", dialog());
  assert.ok(!all("option", others).some(({ value }) => value === one)); // nobody is merged with themselves
  assert.ok(!options(entered).includes("owner"));
  assert.ok(options(others).includes("owner"));
  const names = options(others).slice(1);
  const bare = names.map((each) => each.replace(/ \(….{4}\)$/, ""));
  assert.deepEqual(
    bare,
    bare.toSorted((a, b) => a.localeCompare(b)),
  );
  for (const id of [twin, other]) assert.ok(names.includes(`Twin ${tag} (…${id.slice(-4)})`));
  assert.ok(names.includes(`Mira ${tag}`));
  choose(others, kept);
  await press("Make them one", dialog);
  await untilItem("merges", `Miriam ${tag}`, `Miriam ${tag} is Mira ${tag}`);
  assert.equal((await ask(`/v1/players/${one}`)).id, kept);
  const [mira, ...more] = items("people", tag);
  assert.deepEqual(more, []);
  assert.match(textOf(mira), /recorder.*an old phone/); // the higher of both roles
  await about(`Mira ${tag}`, /^Change what they may do/);
  choose(field("Role", dialog()), "");
  await press("Change it", dialog);
  await untilItem("people", `Mira ${tag}`, "nothing on the service");
  assert.deepEqual([await roleOf(one), await roleOf(kept)], [null, null]);
  await press(`Split off again: Miriam ${tag}`);
  await untilGone("merges", tag);
  assert.ok(!isShown(find("#merges")) || page.texts("#merges > li").length);
  assert.equal((await ask(`/v1/players/${one}`)).id, one);
});

test("a chain of merged people has the name of the last one", async () => {
  const tag = uuid7();
  const [first, second, third] = await Promise.all(["Al", "Bo", "Cy"].map((each) => person(`${each} ${tag}`)));
  await makeToken("an old phone", { person: first });
  await ask(`/v1/players/${first}/merge`, { into: second }, "PUT");
  await ask(`/v1/players/${second}/merge`, { into: third }, "PUT");
  await visit();
  const [cy, ...more] = items("people", tag);
  assert.deepEqual(more, []);
  assert.equal(textOf(find("bdi", cy)), `Cy ${tag}`);
  assert.ok(textOf(cy).includes("Device: an old phone"));
});

// Invitations

test("an invitation has a role, can be shown again, and can be withdrawn", async () => {
  const name = `Mira ${uuid7()}`;
  await visit();
  await press("Invite somebody");
  assert.equal(field("What they may do", dialog()).value, "viewer");
  assert.ok(field("Who", dialog()).required);
  type(field("Who", dialog()), `  ${name} `);
  choose(field("What they may do", dialog()), "recorder");
  await press("Invite", dialog);
  await untilDialogHas(`${name} is invited`);
  const code = textOf(find("p.code", dialog()));
  assert.equal(all("dialog[open]").length, 1); // the invitation takes the place of the question
  assert.ok(!hasKey("Close", dialog()));
  assert.match(find("input.secret", dialog()).value, /\/login\?code=/);
  assert.match(textOf(dialog()), /30 minutes are left\. It lets one phone in\./);
  await press("Done", dialog);
  await untilItem("invitations", name, code);
  const { players } = await ask(`/v1/players?q=${encodeURIComponent(name)}`);
  assert.equal(await roleOf(players[0].id), "recorder");
  await press(`Show: ${name}`);
  await untilDialogHas(`Invitation of ${name}`);
  assert.equal(textOf(find("p.code", dialog())), code);
  assert.equal(find("input.secret", dialog()), null); // its link is known only right after it was made
  await press("Done", dialog);
  await press(`Withdraw: ${name}`);
  await untilGone("invitations", name);
  assert.deepEqual(
    (await ask("/v1/invitations")).invitations.filter((each) => each.name === name),
    [],
  );
});

test("a known name is invited as that person, without a role by default", async () => {
  const name = `Mira ${uuid7()}`;
  const id = await person(name);
  await visit();
  await press("Invite somebody");
  type(field("Who", dialog()), name.toUpperCase());
  choose(field("What they may do", dialog()), "");
  await press("Invite", dialog);
  await untilDialogHas("is invited");
  const open = (await ask("/v1/invitations")).invitations.filter(({ player }) => player === id);
  assert.equal(open.length, 1);
  assert.equal(await roleOf(id), null);
});

test("a name with two spellings means the person with the same spelling", async () => {
  const tag = uuid7();
  const [big, small] = [await person(`ANN ${tag}`), await person(`ann ${tag}`)];
  await visit();
  for (const [name, id] of [
    [`ann ${tag}`, small],
    [`ANN ${tag}`, big],
  ]) {
    await press("Invite somebody");
    type(field("Who", dialog()), name);
    choose(field("What they may do", dialog()), "");
    const sent = noted("POST");
    await press("Invite", dialog);
    await untilDialogHas("is invited");
    assert.deepEqual(sent[0].body, { player: id });
    await press("Done", dialog);
  }
});

test("known names that match the text are offered, twenty at most", async () => {
  const tag = uuid7();
  await Promise.all(Array.from({ length: 22 }, (_, at) => person(`Lim${at} ${tag}`)));
  await visit();
  await press("Invite somebody");
  const offered = () => all("datalist option", dialog()).map(({ value }) => value);
  const name = field("Who", dialog());
  const slow = page.hold((path) => path.includes("/v1/players?q=Lim&") || path.endsWith("/v1/players?q=Lim"));
  type(name, "Lim");
  await until(() => slow.waiting, "the first question");
  type(name, `7 ${tag}`);
  await until(() => offered().length === 2, "two names");
  slow.open();
  await page.pause();
  assert.equal(offered().length, 2); // an answer to what was typed before comes too late
  type(name, tag);
  await until(() => offered().length > 2, "more names");
  assert.equal(offered().length, 20);
});

test("an invitation logs in another phone of the owner or of another person", async () => {
  const name = `Mira ${uuid7()}`;
  await person(name, "viewer");
  await visit();
  await press("Add your phone");
  await untilDialogHas("Another phone of yours");
  await press("Done", dialog);
  await about(name, /^Add another phone/);
  await untilDialogHas(`${name} is invited`);
});

test("an invitation names its purpose, also after its code is gone", async () => {
  const game = await openGame(["Aiko", `Mira ${uuid7()}`]);
  const { info } = await ask(`/v1/games/${game}/invitations`, { seat: 1 });
  const [club, soon] = [uuid7(), new Date(Date.now() + 600_000).toISOString()];
  const forgotten = { id: uuid7(), player: info.player, name: "Forgotten", club, code: null, ends_at: soon };
  await visit({
    give: (path) =>
      path === "/v1/invitations" ? new Response(JSON.stringify({ invitations: [info, forgotten] })) : null,
  });
  const [seat, other] = all("#invitations > li");
  assert.match(textOf(seat), /seat 2 of a game · \d+ minutes are left\./);
  assert.equal(find("a", seat).getAttribute("href"), `/games/${game}`);
  assert.match(textOf(other), /^Forgotten *a club · \d+ minutes are left/);
  assert.equal(find("a", other).getAttribute("href"), `/clubs/${club}`);
  await press("Show: Forgotten");
  await untilDialogHas("its code is not known any more");
  assert.equal(find("img", dialog()), null);
});

// Tokens

test("a token gets a role or the ticked scopes, for the chosen days and games, and is shown once", async () => {
  const name = `Board ${uuid7()}`;
  const game = await openGame(["Aiko", "Ben"], { title: name });
  await until(async () => (await ask("/v1/games?limit=30")).games.some((each) => each.game === game));
  await visit();
  const sent = noted("POST");
  await press("Make a token");
  await until(dialog);
  assert.ok(options(field("What it may do", dialog())).includes("viewer: see all games"));
  type(field("What it is for", dialog()), ` ${name} `);
  await press("Make it", dialog);
  await untilDialogHas(`The token of ${name}`);
  assert.match(field("The token", dialog()).value, /^kifu_app_/);
  await press("Done", dialog);
  assert.deepEqual(sent[0].body, { name, days: 365, role: "viewer" });
  await untilItem("tokens", name, "not used yet · until");
  await press("Make a token");
  await until(dialog);
  type(field("What it is for", dialog()), name);
  const scope = all("[type=checkbox]", dialog()).find(({ value }) => value === "games:read");
  scope.click();
  all("[type=checkbox]", dialog())
    .find(({ value }) => value === game)
    .click();
  type(field("How many days it lasts", dialog()), "7");
  await press("Make it", dialog);
  await untilDialogHas(`The token of ${name}`);
  assert.deepEqual(sent[1].body, { name, days: 7, scopes: ["games:read"], games: [game] });
  await press("Done", dialog);
  await untilItem("tokens", name, "see games as the public at the table sees them · 1 game");
});

test("a token whose answer was lost is made once, and the next one is another token", async () => {
  const [one, other] = [`One ${uuid7()}`, `Other ${uuid7()}`];
  const named = async (name) => (await ask("/v1/tokens?everybody=true")).tokens.filter((each) => each.name === name);
  await visit();
  const lose = () => {
    const answers = [page.lost];
    page.answerWith(async (path, init) => {
      if (init.method !== "POST") return null;
      const got = await answer(path, init);
      return answers.pop()?.() ?? got;
    });
  };
  const make = async (name) => {
    type(field("What it is for", dialog()), name);
    await press("Make it", dialog);
  };
  lose();
  await press("Make a token");
  await until(dialog);
  await make(one);
  await untilDialogHas("No connection: try again once it is back.");
  await make(one);
  await untilDialogHas(`The token of ${one}`);
  assert.equal((await named(one)).length, 1);
  await press("Done", dialog);
  lose();
  await press("Make a token");
  await until(dialog);
  await make(one); // the same once more, on purpose
  await untilDialogHas("No connection: try again once it is back.");
  await make(other);
  await untilDialogHas(`The token of ${other}`);
  assert.deepEqual([(await named(one)).length, (await named(other)).length], [2, 1]);
});

test("a token of another person has their name, and one without limits may do everything", async () => {
  const name = `Mira ${uuid7()}`;
  const id = await person(name, "recorder");
  const { token } = await makeToken("a phone", { person: id });
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const made = { name: `Board ${name}`, scopes: ["games:read"] };
  const got = await answer("/v1/tokens", { method: "POST", headers, body: JSON.stringify(made) }, false);
  const own = await makeToken(`All ${name}`, { role: "owner" });
  await visit();
  assert.equal(got.status, 201);
  await untilItem("tokens", `Board ${name}`, `of ${name}`);
  assert.ok(!textOf(items("tokens", `All ${name}`)[0]).startsWith(`All ${name} of`));
  assert.ok(await opens(own));
});

test("devices and tokens show their scopes, their games and their last use", async () => {
  await visit();
  const { people } = JSON.parse(find("#access").dataset.page);
  const known = { person: people[0], begun_at: "2026-01-02T03:04:05Z", used_on: null, ends_at: null, games: null };
  const tokens = [
    { ...known, id: "1", kind: "dev", name: "a phone", scopes: null, games: [uuid7()] },
    { ...known, id: "2", kind: "app", name: "a board", scopes: null, used_on: "2026-02-03" },
    { ...known, id: "3", kind: "app", name: "a clock", scopes: ["games:read", "of a later release"] },
  ];
  await visit({ give: (path) => (path.startsWith("/v1/tokens") ? new Response(JSON.stringify({ tokens })) : null) });
  const details = (list, name) => textOf(find("small:last-child", items(list, name)[0]));
  assert.match(details("own", "a phone"), / · not used yet · in 1 game only$/);
  assert.match(details("tokens", "a board"), / · last used on .*2026.* · everything$/);
  assert.match(details("tokens", "a clock"), /see games as the public .* and of a later release$/);
});

/** What was made and read with a credential, as the service says it. */
const family = (more) => ({ tokens: [], links: [], webhooks: [], reads: [], ...more });

test("the question before a token ends counts the things made with it, and names the games it read", async () => {
  const name = `Board ${uuid7()}`;
  const made = await makeToken(name, { role: "viewer" });
  const { id } = (await ask("/v1/tokens?everybody=true")).tokens.find((each) => each.name === name);
  const made_with = family({
    tokens: [
      { id, kind: "app" }, // the token itself does not count
      { id: "1", kind: "app" },
      { id: "2", kind: "app" },
      { id: "2", kind: "app" }, // told twice
      { id: "3", kind: "ses" },
      { id: "4", kind: "dev" },
    ],
    links: [{ id: "5" }],
    webhooks: [{ id: "6" }, { id: "7" }],
    reads: [
      { token: "1", game: "8", title: "The final", last_on: "2026-11-30" },
      { token: "1", game: "9", title: "", last_on: "2026-11-29" },
      { token: "2", game: null, title: null, last_on: "2026-11-28" },
    ],
  });
  await visit();
  const sent = [];
  page.answerWith((path, init) => {
    if (path.endsWith("/family")) return new Response(JSON.stringify(made_with));
    if (init.method === "DELETE") sent.push(path);
    return null;
  });
  await press(`Revoke: ${name}`);
  await untilDialogHas(`Revoke ${name}?`);
  const [text] = page.texts("label.check", dialog());
  assert.match(text, /too: 1 browser, 1 device, 2 programs, 1 share link,? and 2 endpoints$/);
  assert.match(textOf(dialog()), /What was read with it/);
  const read = page.texts("details li", dialog());
  assert.equal(read.length, 3);
  assert.match(read[0], /^The final · .*30/);
  assert.match(read[1], /^an untitled game · /);
  assert.match(read[2], /^all games, through the feed · /);
  assert.deepEqual(
    all("details li a", dialog()).map((each) => each.getAttribute("href")),
    ["/games/8", "/games/9"],
  );
  find("label.check input", dialog()).click();
  await press("Revoke", dialog);
  await untilGone("tokens", name);
  assert.deepEqual(sent, [`/v1/tokens/${id}?made=keep`]);
  assert.ok(!(await opens(made)));
});

test("an unused token ends without a further question, also if it has ended already", async () => {
  const name = `Board ${uuid7()}`;
  await makeToken(name, { role: "viewer" });
  const { id } = (await ask("/v1/tokens?everybody=true")).tokens.find((each) => each.name === name);
  await visit();
  await press(`Revoke: ${name}`);
  await untilDialogHas(`Revoke ${name}?`);
  assert.equal(find("label.check, details", dialog()), null);
  const sent = [];
  const refuse = (type) => (path, init) => {
    if (init.method !== "DELETE") return null;
    sent.push(path);
    return page.problem({ type, title: "Refused", status: 404, detail: "for a test" });
  };
  page.answerWith(refuse("/problems/scope-needed"));
  await press("Revoke", dialog);
  await untilDialogHas("for a test");
  await ask(`/v1/tokens/${id}`, undefined, "DELETE");
  page.answerWith(refuse("/problems/credential-unknown"));
  await press("Revoke", dialog);
  await isClosed();
  await untilGone("tokens", name);
  assert.deepEqual(sent, [`/v1/tokens/${id}?made=end`, `/v1/tokens/${id}?made=end`]);
});

// Share links, the trail, and what goes wrong

test("share links show their view and their game, and can be revoked", async () => {
  const tag = uuid7();
  const game = await openGame(["Aiko", "Ben"], { title: `Final ${tag}` });
  await record(game, "deal black BARI COCO DUDA");
  for (const body of [
    { name: `one ${tag}`, seat: "1", at: 2 },
    { name: `two ${tag}`, seat: "record" },
    { name: `three ${tag}`, seat: "public" },
    { name: "", seat: "0" },
  ])
    await ask(`/v1/games/${game}/links`, body);
  await visit();
  const links = items("links", `Final ${tag}`);
  assert.equal(links.length, 4);
  const of = (name) => textOf(find("small", items("links", `${name} ${tag}`)[0]));
  assert.match(of("one"), /^seen from seat 2 · at entry 2 · opened 0 times · until /);
  assert.match(of("two"), /^the whole record · opened 0 times/);
  assert.match(of("three"), /^what everybody saw · opened 0 times/);
  assert.equal(find("a", links[0]).getAttribute("href"), `/games/${game}`);
  await press(`Revoke: Final ${tag}`); // the one without a name is called by its game
  await untilDialogHas("The link will stop working.");
  await press("Revoke", dialog);
  await until(() => items("links", `Final ${tag}`).length === 3, "three links");
  assert.deepEqual((await ask(`/v1/games/${game}/links`)).links.map(({ seat }) => seat).toSorted(), [
    "1",
    "public",
    "record",
  ]);
});

test("the trail begins with the newest change, and goes back to the first", async () => {
  const name = `Mira ${uuid7()}`;
  const id = await person(name, "viewer");
  await ask(`/v1/roles/${id}`, undefined, "DELETE");
  for (let more = 0; more < 32; more += 1)
    await ask(`/v1/roles/${id}`, { role: more % 2 ? "viewer" : "referee" }, "PUT");
  await visit();
  const lines = () => page.texts("#trail > li");
  assert.equal(lines().length, 30);
  assert.match(lines()[0], new RegExp(`^owner gave the role viewer: ${name}`));
  await press("Show earlier");
  await until(() => lines().length > 30, "earlier steps");
  assert.equal(lines().length, 60);
  const { steps } = await ask("/v1/trail?order=newest&limit=60");
  assert.deepEqual(
    all("#trail time").map((each) => each.getAttribute("datetime")),
    steps.map(({ at }) => at),
  );
  const first = { ...steps[0], number: 1 };
  page.answerWith(() => new Response(JSON.stringify({ steps: [first], people: {}, next: 1 })));
  await press("Show earlier");
  await until(() => lines().length === 61, "the first step");
  assert.ok(!isShown(find("#earlier")));
});

test("a person without rights sees only their own devices", async () => {
  const name = `Mira ${uuid7()}`;
  const id = await person(name, "viewer");
  const { token } = await makeToken(`phone of ${name}`, { person: id });
  await visit({ owner: await logIn(token) });
  const own = page.texts("#own > li");
  assert.equal(own.length, 2);
  assert.equal(items("own", "this browser").length, 1);
  for (const each of ["people", "invitations", "links", "trail"]) assert.equal(find(`#${each}`), null);
  assert.equal(textOf(find("#problem")), "");
});

test("the page reports what failed, until it works", async () => {
  const name = `Mira ${uuid7()}`;
  const id = await person(name);
  await ask("/v1/invitations", { player: id });
  await logIn(process.env.KIFU_TOKEN); // another browser of the owner
  await visit({ give: (path) => (path.startsWith("/v1/roles") ? page.lost() : null) });
  await untilText("#problem", "No connection: try again once it is back.");
  assert.equal(find("#access").getAttribute("aria-busy"), "false");
  await visit();
  const refused = { type: "/problems/scope-needed", title: "Permission denied", status: 403, detail: "for a test" };
  page.answerWith((_, init) => (init.method === "DELETE" ? page.problem(refused) : null));
  await press(`Withdraw: ${name}`);
  await untilText("#problem", "Permission denied");
  page.answerWith(null);
  await press(`Withdraw: ${name}`);
  await untilGone("invitations", name);
  await until(() => !textOf(find("#problem")), "no problem");
  page.answerWith((path) => (path.endsWith("/family") ? page.lost() : null));
  await press(/^Let out: Browser/, find("#own"));
  await untilText("#problem", "No connection: try again once it is back.");
  assert.equal(dialog(), null);
});

// One game

const sharing = () => find("#sharing");
async function shared(...names) {
  const game = await openGame(names.length ? names : ["Anna", "Björn"]);
  await record(game, "deal black BARI COCO DUDA");
  await page.visitGame(game);
  await press("About");
  page.comeNear("#sharing");
  await until(() => page.fieldsOf("Visibility", sharing())[0]?.value === "public", "who may see it");
  await page.pause();
  assert.equal(textOf(find("[aria-live]", sharing())), "", "nothing went wrong");
  return game;
}
const inList = (at, text) => all("ul", sharing())[at] && textOf(all("ul", sharing())[at]).includes(text);

test("the page of a game shows and changes its visibility", async () => {
  const game = await shared();
  const hintText = () => textOf(find(".hint", sharing()));
  assert.match(hintText(), /^Everybody may see it/);
  for (const [level, meaning] of [
    ["link", /^They see what the public at the table could see\./],
    ["private", /^Only its players and people with a role/],
  ]) {
    choose(field("Visibility", sharing()), level);
    await until(() => meaning.test(hintText()), level);
    assert.equal((await ask(`/v1/games/${game}/visibility`)).visibility, level);
  }
  page.answerWith((_, init) => (init.method === "PUT" ? page.lost() : null));
  choose(field("Visibility", sharing()), "public");
  await until(() => textOf(sharing()).includes("No connection: try again once it is back."), "what went wrong");
  assert.equal((await ask(`/v1/games/${game}/visibility`)).visibility, "private");
});

test("a helper or player of one game is listed by name until the role is taken back", async () => {
  const game = await shared();
  const name = `Rita ${uuid7()}`;
  await until(() => inList(0, "Nobody else has a part in this game."), "nobody");
  await press("Let somebody else …", sharing());
  type(field("Who", dialog()), ` ${name} `);
  choose(field("What they may do", dialog()), "referee");
  choose(field("The seat they play", dialog()), "1");
  await press("Let them", dialog);
  await until(() => inList(0, "referee · plays White · since"), "a referee");
  const { roles } = await ask(`/v1/games/${game}/roles`);
  assert.deepEqual([roles[0].name, roles[0].role, roles[0].seats], [name, "referee", [1]]);
  await press(`Take it back: ${name}`, sharing());
  await untilDialogHas(`Take away everything that ${name} may do here?`);
  await press("Take it back", dialog);
  await until(() => inList(0, "Nobody else has a part in this game."), "nobody again");
  await press("Let somebody else …", sharing());
  type(field("Who", dialog()), name);
  choose(field("The seat they play", dialog()), "0");
  await press("Let them", dialog);
  await until(() => inList(0, "plays Black"), "a player");
  const given = async () => (await ask(`/v1/games/${game}/roles`)).roles.map(({ role, seats }) => [role, seats]);
  assert.deepEqual(await given(), [[null, [0]]]);
  await press("Let somebody else …", sharing());
  type(field("Who", dialog()), name);
  choose(field("What they may do", dialog()), "viewer");
  await press("Let them", dialog);
  await until(() => inList(0, "viewer · since"), "a viewer with no seat");
  assert.deepEqual(await given(), [["viewer", []]]);
});

test("a person with all rights in one game can share it, and cannot add people by name", async () => {
  const game = await openGame(["Anna", "Björn"]);
  const id = await person(`Olga ${uuid7()}`);
  await ask(`/v1/games/${game}/roles/${id}`, { role: "owner" }, "PUT");
  const { token } = await makeToken("a phone", { person: id });
  await page.visitGame(game, { owner: await logIn(token) });
  await press("About");
  page.comeNear("#sharing");
  await until(() => page.fieldsOf("Visibility", sharing())[0]?.value === "public", "who may see it");
  assert.ok(hasKey("Make a share link", sharing()));
  assert.ok(!hasKey("Let somebody else …", sharing()));
});

test("a seat has one open invitation, and it can be shown again", async () => {
  const game = await shared("Anna", `Björn ${uuid7()}`);
  await press(/^Invite Björn/, sharing());
  await untilDialogHas("An invitation to Björn");
  const code = textOf(find("p.code", dialog()));
  assert.match(textOf(dialog()), /sees the game from this seat and records its moves/);
  await press("Done", dialog);
  await until(() => inList(1, "invited to play White"), "the invitation");
  await press(/^Invite Björn/, sharing());
  await until(() => dialog() && textOf(find("p.code", dialog())) === code, "the same code");
  await press("Done", dialog);
  await press(/^Show: Björn/, sharing());
  await until(() => dialog() && textOf(find("p.code", dialog())) === code, "the same code");
  await press("Done", dialog);
  assert.equal((await ask(`/v1/games/${game}/invitations`)).invitations.length, 1);
  const forgotten = { id: uuid7(), player: null, name: null, seat: 0, code: null, ends_at: "2099-01-01T00:00:00Z" };
  const answers = [JSON.stringify({ invitations: [forgotten] })]; // a code that is forgotten is not shown again
  page.answerWith((path, init) =>
    path.endsWith("/invitations") && !init.method && answers.length ? new Response(answers.pop()) : null,
  );
  await press("Invite Anna", sharing());
  await untilDialogHas("An invitation to Anna’s seat");
  assert.notEqual(textOf(find("p.code", dialog())), code);
  await press("Done", dialog);
  await until(() => inList(1, "invited to play Black"), "the other invitation");
  await press(/^Withdraw: Björn/, sharing());
  await until(() => !inList(1, "invited to play White"), "one invitation");
});

test("a share link shows a seat at a moment, for some days", async () => {
  const game = await shared();
  await until(() => inList(2, "There are none."), "no link");
  await press("Make a share link", sharing());
  await until(dialog);
  assert.deepEqual(options(field("From where", dialog())), [
    "what everybody may see",
    "seen by Anna",
    "seen by Björn",
    "the whole record",
  ]);
  choose(field("From where", dialog()), "seen by Anna");
  find("label.check input", dialog()).click();
  type(field("How many days it works", dialog()), "3");
  type(field("What it is for", dialog()), " the club ");
  await press("Make it", dialog);
  await untilDialogHas("The share link");
  assert.ok(field("The link", dialog()).value.startsWith("http"));
  await press("Done", dialog);
  await until(() => inList(2, "seen by Anna · at entry 2 · opened 0 times · until"), "the link");
  const [link] = (await ask(`/v1/games/${game}/links`)).links;
  assert.deepEqual([link.seat, link.at, link.name], ["0", 2, "the club"]);
  const days = (Date.parse(link.ends_at) - Date.now()) / 86_400_000;
  assert.ok(days > 2.9 && days < 3.1, `${days} days`);
  await press("Make a share link", sharing());
  await press("Make it", dialog);
  await untilDialogHas("The share link");
  await press("Done", dialog);
  await until(() => inList(2, "what everybody may seeopened 0 times"), "another link");
  await press("Revoke: the club", sharing());
  await press("Revoke", dialog);
  await until(() => !inList(2, "the club"), "one link");
  const left = (await ask(`/v1/games/${game}/links`)).links;
  assert.deepEqual(
    left.map(({ seat, at, name }) => [seat, at, name]),
    [["public", null, ""]],
  );
});
