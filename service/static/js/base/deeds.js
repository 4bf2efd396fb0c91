import { h } from "./dom.js";

const KINDS = { own: "the owner’s token", dev: "a device", app: "a token", ses: "a browser" };

const VIEWS = { public: "of what everybody saw", record: "of the whole record" };

const seatName = (seat) => `seat ${seat + 1}`;

const DEEDS = {
  "credential.made": ({ more: { kind } }) => (kind === "ses" ? "logged a browser in" : `made ${KINDS[kind] ?? kind}`),
  "credential.rotated": ({ more: { kind } }) => `renewed ${KINDS[kind] ?? kind}`,
  "credential.ended": ({ more: { kind, why } }) => `ended ${KINDS[kind] ?? kind} (${why})`,
  "role.given": ({ more: { role, seats = [] } }) => `gave ${[role && `the role ${role}`, ...seats.map(seatName)].filter(Boolean).join(" and ")}`,
  "role.taken": () => "took back what they may do",
  "game.shown": ({ more: { level } }) => `made a game ${level}`,
  "login.made": () => "made a log-in link",
  "invitation.made": () => "invited",
  "invitation.withdrawn": () => "withdrew an invitation",
  "link.made": ({ more: { viewpoint } }) => `made a share link, ${VIEWS[viewpoint] ?? `seen from ${seatName(Number(viewpoint))}`}`,
  "link.ended": () => "revoked a share link",
  "person.merged": () => "said who they are",
  "person.split": () => "split off again",
  "person.erased": () => "erased the name",
};

/** A line of the trail in words: who did what, to whom, in which game. `name(id)` is how somebody is called. */
export function deed(step, name) {
  const { by, what, person, game, at } = step;
  const told = DEEDS[what]?.({ more: {}, ...step }) ?? what;
  return [
    h("span", { class: "what" }, h("bdi", {}, name(by)), ` ${told}`, person && person !== by ? [": ", h("bdi", {}, name(person))] : null),
    h(
      "small",
      {},
      h("time", { datetime: at }),
      game ? [" · ", h("a", { href: `/games/${game}` }, "the game")] : null,
    ),
  ];
}
