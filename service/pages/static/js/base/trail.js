import { h } from "./dom.js";
import { listInWords, t } from "./language.js";
import { roleName } from "./roles.js";

/** @type {Record<string, string>} */
const KINDS = { own: t("the owner’s token"), dev: t("a device"), app: t("a token"), ses: t("a browser") };

/** @type {Record<string, string>} */
const VIEWS = { public: t("what everybody saw"), record: t("the whole record") };

/** @type {Record<string, string>} */
const LEVELS = { private: t("private"), link: t("visible to anyone with the link"), public: t("public") };

/** @param {number} seat */
const seatName = (seat) => t("seat {number}", { number: seat + 1 });
/** @param {Json} more */
const kindName = ({ kind }) => KINDS[kind] ?? kind;
/** @param {Json} more */
const viewName = ({ viewpoint }) => VIEWS[viewpoint] ?? t("what {seat} saw", { seat: seatName(Number(viewpoint)) });

/**
 * The sentence for each action, with the person's name.
 *
 * @type {Record<string, (step: { more: Json, who: Node }) => Child>}
 */
const SENTENCES = {
  "credential.made": ({ more, who }) =>
    more.kind === "ses"
      ? t("{who} logged a browser in", { who })
      : t("{who} made {what}", { who, what: kindName(more) }),
  "credential.rotated": ({ more, who }) => t("{who} renewed {what}", { who, what: kindName(more) }),
  "credential.ended": ({ more, who }) => t("{who} ended {what} ({why})", { who, what: kindName(more), why: more.why }),
  "role.given": ({ more: { role, seats = [] }, who }) =>
    t("{who} gave {what}", {
      who,
      what: listInWords(
        [role && t("the role {role}", { role: roleName(role) }), ...seats.map(seatName)].filter(Boolean),
      ),
    }),
  "role.taken": ({ who }) => t("{who} took back what they may do", { who }),
  "game.shown": ({ more: { level }, who }) => t("{who} made a game {level}", { who, level: LEVELS[level] ?? level }),
  "login.made": ({ who }) => t("{who} made a log-in link", { who }),
  "invitation.made": ({ who }) => t("{who} invited", { who }),
  "invitation.withdrawn": ({ who }) => t("{who} withdrew an invitation", { who }),
  "link.made": ({ more, who }) => t("{who} made a share link of {view}", { who, view: viewName(more) }),
  "link.ended": ({ who }) => t("{who} revoked a share link", { who }),
  "entry.refused": ({ who }) => t("{who} was refused an entry that contradicts hidden facts", { who }),
  "person.merged": ({ who }) => t("{who} said who they are", { who }),
  "person.split": ({ who }) => t("{who} split off again", { who }),
  "person.left_out": ({ who }) => t("{who} left a person out of public tables", { who }),
  "person.listed": ({ who }) => t("{who} took a person into public tables", { who }),
  "person.erased": ({ who }) => t("{who} erased the name", { who }),
  "access.adopted": ({ who }) => t("{who} started the chain of changes", { who }),
  "access.lost": ({ more, who }) =>
    t("{who} removed {rows} rows that were damaged or forged", { who, rows: more.rows }),
  "access.accepted": ({ more, who }) =>
    more.kept
      ? t("{who} accepted the state after changes were lost", { who })
      : t("{who} revoked everything after changes were lost", { who }),
};

/**
 * A line of the trail in words: who did what, to which person, in which game. `name(id)` returns a person's name.
 *
 * @param {Schemas["TrailEntry"]} step
 * @param {(id: string) => Child} name
 */
export function trailLine(step, name) {
  const { by, what, person, game, at } = step;
  const who = h("bdi", {}, name(by));
  const sentence = SENTENCES[what]?.({ more: {}, ...step, who }) ?? [who, ` ${what}`];
  return [
    h("span", { class: "what" }, sentence, person && person !== by ? [": ", h("bdi", {}, name(person))] : null),
    h(
      "small",
      {},
      h("time", { datetime: at }),
      game ? [" · ", h("a", { href: `/games/${game}` }, t("the game"))] : null,
    ),
  ];
}
