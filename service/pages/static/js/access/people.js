import { put, remove } from "../base/api.js";
import { h } from "../base/dom.js";
import { labelledField } from "../base/formdialog.js";
import { t, tn } from "../base/language.js";
import { listButton, listItem } from "../base/lists.js";
import { Menu } from "../base/menu.js";
import { roleName } from "../base/roles.js";
import { giveRole, ROLE_MEANINGS, roleField } from "./roles.js";

/** @typedef {import("./roster.js").Person} Person */

/** The people who have a role or a device, and the ids that were entered twice. */
export class People {
  #menu = new Menu();

  /**
   * @param {import("./roster.js").Roster} roster
   * @param {import("./actions.js").AccessActions} actions
   * @param {import("./credentials.js").Credentials} credentials
   * @param {import("./inviting.js").Invitations} inviting
   */
  constructor(roster, actions, credentials, inviting) {
    this.roster = roster;
    this.actions = actions;
    this.credentials = credentials;
    this.inviting = inviting;
  }

  /** @param {Person} person */
  personItem(person) {
    const { id, role, devices } = person;
    const name = this.roster.nameOf(id);
    const head = listItem(
      [h("bdi", {}, name), " ", h("span", { class: "badge" }, roleName(role ?? "player"))],
      ROLE_MEANINGS[role ?? ""],
      listButton(t("More …"), name, () => this.#menu.open(name, this.#actionsFor(person))),
    );
    const items = devices.map((device) => this.credentials.deviceItem(device));
    head.append(h("ul", { class: "list devices" }, items));
    return head;
  }

  /** @param {Schemas["MergeInfo"]} merge */
  mergeItem({ player, name, into, since: begun }) {
    const text = name ?? t("Somebody without a name");
    const split = () => remove(`/v1/players/${player}/merge`);
    return listItem(
      t("{one} is {other}", { one: h("bdi", {}, text), other: h("bdi", {}, this.roster.nameOf(into)) }),
      t("since {time}", { time: h("time", { datetime: begun }) }),
      listButton(t("Split off again"), text, () => this.actions.runAndReload(split)),
    );
  }

  /**
   * Ask which person is the same as another one.
   *
   * @param {string} id
   */
  askMerge(id = "") {
    const [one, other] = [this.#everybodyField(id, this.roster.owner), this.#everybodyField("", id)];
    this.actions.askAndRun({
      title: t("One person, entered twice"),
      lead: t("From now on they go by one name, and have the seats, roles and devices of both. It can be undone."),
      fields: [labelledField(t("Entered as"), one), labelledField(t("Is the same person as"), other)],
      verb: t("Make them one"),
      work: () => put(`/v1/players/${one.value}/merge`, { into: other.value }),
    });
  }

  /** @param {Person} person */
  #actionsFor(person) {
    const { id, role, devices } = person;
    const name = this.roster.nameOf(id);
    const ending = devices.filter(({ kind }) => kind !== "own"); // the owner's token stays
    const ofOthers = [
      {
        text: t("Change what they may do"),
        hint: role ? roleName(role) : t("no role"),
        act: () => this.#askRole(person),
      },
      { text: t("This is the same person as …"), hint: t("entered twice"), act: () => this.askMerge(id) },
    ];
    const ofDevices = {
      text: t("Log out on all devices"),
      hint: tn(ending.length, "{count} device", "{count} devices"),
      act: () => this.credentials.logOut(name, ending),
    };
    return [
      ...(id === this.roster.owner ? [] : ofOthers),
      { text: t("Add another phone"), hint: t("by a QR code"), act: () => this.inviting.inviteAtOnce(id, name) },
      ...(ending.length ? [ofDevices] : []),
    ];
  }

  /** @param {Person} person */
  #askRole({ id, role, holders }) {
    const field = roleField(this.roster.roles, role ?? "");
    this.actions.askAndRun({
      title: t("What {name} may do", { name: this.roster.nameOf(id) }),
      lead: t("On the service, in all games. Each role does all that the one before it does."),
      fields: [labelledField(t("Role"), field)],
      verb: t("Change it"),
      work: () => (field.value === (role ?? "") ? null : giveRole(id, field.value, holders)),
    });
  }

  /**
   * All people except one, by name, as choices. The end of the id distinguishes people with the same name.
   *
   * @param {string} chosen
   * @param {string} but
   */
  #everybodyField(chosen, but) {
    const { roster } = this;
    const names = roster.sortedIds.map((id) => roster.nameOf(id));
    const isAmbiguous = (/** @type {string} */ name) => names.indexOf(name) !== names.lastIndexOf(name);
    const options = roster.sortedIds
      .filter((id) => id !== but)
      .map((id) => {
        const name = roster.nameOf(id);
        const text = isAmbiguous(name) ? `${name} (…${id.slice(-4)})` : name;
        return h("option", { value: id, selected: id === chosen }, text);
      });
    return h("select", { required: true }, h("option", { value: "" }), options);
  }
}
