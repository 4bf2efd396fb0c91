import { remove } from "../base/api.js";
import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { listButton, listItem } from "../base/lists.js";
import { linkUseText } from "../people/links.js";

/**
 * A share link of a game, as an item of a list.
 *
 * @param {Schemas["LinkInfo"]} link
 * @param {Record<string, string>} titles the title of each game
 * @param {import("./actions.js").AccessActions} actions
 */
export function linkItem({ id, game, name, seat, at, opened, ends_at: ends }, titles, actions) {
  const title = titles[game] || t("an untitled game");
  const view =
    { public: t("what everybody saw"), record: t("the whole record") }[seat] ??
    t("seen from seat {number}", { number: Number(seat) + 1 });
  const revoking = {
    title: t("Revoke the link?"),
    lead: t("The link will stop working."),
    verb: t("Revoke"),
    work: () => remove(`/v1/games/${game}/links/${id}`),
  };
  return listItem(
    [h("a", { href: `/games/${game}` }, h("bdi", {}, title)), name ? [" · ", h("bdi", {}, name)] : null],
    [view, at && t("at entry {at}", { at }), ...linkUseText(opened, ends)].filter(Boolean).join(" · "),
    listButton(t("Revoke"), name || title, () => actions.askAndRun(revoking)),
  );
}
