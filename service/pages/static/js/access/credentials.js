import { h } from "../base/dom.js";
import { listInWords, t, tn } from "../base/language.js";
import { listButton, listItem } from "../base/lists.js";
import { formatDay } from "../base/times.js";
import { revocationQuestion } from "./revoking.js";

/** @typedef {Schemas["TokenInfo"]} Token */

/** @type {Record<string, string>} */
const KINDS = { own: t("Owner’s token"), dev: t("Device"), app: t("Program"), ses: t("Browser") };

/** Devices and tokens of programs, as items of lists. */
export class Credentials {
  /**
   * `credential` is the id of this browser's own one, and `scopes` has the meaning of each scope.
   *
   * @param {{ credential: string }} page
   * @param {Record<string, string>} scopes
   * @param {import("./roster.js").Roster} roster
   * @param {import("./actions.js").AccessActions} actions
   */
  constructor({ credential }, scopes, roster, actions) {
    this.credential = credential;
    this.scopes = scopes;
    this.roster = roster;
    this.actions = actions;
  }

  /** @param {Token} device */
  deviceItem(device) {
    const { id, kind, name, games } = device;
    const here = id === this.credential;
    const text = [KINDS[kind], name].filter(Boolean).join(": ");
    const title = t("Log out {name}?", { name: text });
    return listItem(
      [h("bdi", {}, text), here ? h("span", { class: "badge" }, t("this browser")) : null],
      [sinceText(device), games ? [" · ", tn(games.length, "in {count} game only", "in {count} games only")] : ""],
      kind === "own" || here
        ? []
        : listButton(t("Let out"), text, () => this.revoke([id], title, t("It is logged out at once."), t("Let out"))),
    );
  }

  /** @param {Token} token */
  tokenItem(token) {
    const { id, name, scopes, games, person } = token;
    const owner = h("bdi", {}, this.roster.nameOf(person));
    const lead = t("The program with this token can no longer log in.");
    return listItem(
      [h("bdi", {}, name), this.roster.isMe(person) ? null : h("small", {}, " ", t("of {name}", { name: owner }))],
      [
        sinceText(token),
        " · ",
        scopes ? listInWords(scopes.map((scope) => this.scopes[scope] ?? scope)) : t("everything"),
        games ? [" · ", tn(games.length, "{count} game", "{count} games")] : "",
      ],
      listButton(t("Revoke"), name, () => this.revoke([id], t("Revoke {name}?", { name }), lead, t("Revoke"))),
    );
  }

  /**
   * Log a person out on all devices.
   *
   * @param {string} name
   * @param {Token[]} devices
   */
  logOut(name, devices) {
    this.revoke(
      devices.map(({ id }) => id),
      t("Log {name} out on all devices?", { name }),
      t("What they may do stays: with a new invitation they can log in again."),
      t("Let out"),
    );
  }

  /**
   * Ask for confirmation before credentials end.
   *
   * @param {string[]} ids
   * @param {string} title
   * @param {Child} lead
   * @param {string} verb
   */
  async revoke(ids, title, lead, verb) {
    try {
      this.actions.askAndRun({ title, lead, verb, ...(await revocationQuestion(ids)) });
    } catch (error) {
      this.actions.showProblem(error);
    }
  }
}

/** @param {{ begun_at: string, used_on: string | null, ends_at: string | null }} token */
function sinceText({ begun_at: begun, used_on: used, ends_at: ends }) {
  return [
    t("since {time}", { time: h("time", { datetime: begun }) }),
    " · ",
    used ? t("last used on {day}", { day: formatDay(used) }) : t("not used yet"),
    ends ? [" · ", t("until {day}", { day: formatDay(ends) })] : "",
  ];
}
