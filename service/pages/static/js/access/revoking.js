import { get, Problem, remove } from "../base/api.js";
import { h, nodes } from "../base/dom.js";
import { listInWords, t, tn } from "../base/language.js";
import { formatDay } from "../base/times.js";

/** @type {Record<string, (count: number) => string>} */
const COUNTED = {
  ses: (count) => tn(count, "{count} browser", "{count} browsers"),
  dev: (count) => tn(count, "{count} device", "{count} devices"),
  app: (count) => tn(count, "{count} program", "{count} programs"),
};

/**
 * The question before credentials end: the games that they have read, and whether things made with them end, too.
 *
 * @param {string[]} ids
 */
export async function revocationQuestion(ids) {
  const families = await Promise.all(ids.map(familyOf));
  const made = madeTexts(families, ids);
  const too = h("input", { type: "checkbox", checked: true });
  const text = t("End what was made with it, too: {made}", { made: listInWords(made) });
  const reads = families.flatMap((family) => family.reads);
  return {
    fields: nodes([
      made.length ? h("label", { class: "check" }, too, text) : null,
      readGamesView(withoutRepeats(reads, ids)),
    ]),
    work: () => Promise.all(ids.map((id) => endCredential(id, too.checked))),
  };
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
function madeTexts(families, ids) {
  const tokens = withoutRepeats(
    families.flatMap((family) => family.tokens),
    ids,
  );
  const links = families.flatMap((family) => family.links);
  const webhooks = families.flatMap((family) => family.webhooks);
  return [
    ...Object.entries(COUNTED).map(([kind, wording]) =>
      countText(tokens.filter((each) => each.kind === kind).length, wording),
    ),
    countText(withoutRepeats(links, ids).length, (count) => tn(count, "{count} share link", "{count} share links")),
    countText(withoutRepeats(webhooks, ids).length, (count) => tn(count, "{count} endpoint", "{count} endpoints")),
  ].filter(Boolean);
}

/**
 * @param {number} count
 * @param {(count: number) => string} wording
 */
function countText(count, wording) {
  return count ? wording(count) : "";
}

/**
 * The members of several families, each once, without the credentials themselves.
 *
 * @param {any[]} found
 * @param {string[]} ids
 */
function withoutRepeats(found, ids) {
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

/** @param {Schemas["GameReadInfo"][]} reads */
function readGamesView(reads) {
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
