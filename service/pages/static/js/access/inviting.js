import { remove } from "../base/api.js";
import { h } from "../base/dom.js";
import { labelledField } from "../base/formdialog.js";
import { t } from "../base/language.js";
import { listButton, listItem } from "../base/lists.js";
import { createOnce } from "../people/create.js";
import { countdown, InvitationDialog } from "../people/invitation.js";
import { personField, personNamed } from "../people/players.js";
import { giveRole, roleField } from "./roles.js";

/** Invitations: they let one phone in, of somebody new or known. */
export class Invitations {
  /**
   * @param {string} base the address of this service for phones
   * @param {import("./roster.js").Roster} roster
   * @param {import("./actions.js").AccessActions} actions
   */
  constructor(base, roster, actions) {
    this.roster = roster;
    this.actions = actions;
    this.dialog = new InvitationDialog(base);
  }

  /** @param {Schemas["InvitationInfo"]} open */
  invitationItem(open) {
    const { id, player, seat, game, club, ends_at: ends, code } = open;
    const name = open.name ?? this.roster.nameOf(player);
    const seatName = t("seat {number} of a game", { number: (seat ?? 0) + 1 });
    const withdraw = () => remove(`/v1/invitations/${id}`);
    return listItem(
      [h("bdi", {}, name), " ", code ? h("code", {}, code) : null],
      [
        game ? [h("a", { href: `/games/${game}` }, seatName), " · "] : null,
        club ? [h("a", { href: `/clubs/${club}` }, t("a club")), " · "] : null,
        countdown(ends),
      ],
      listButton(t("Show"), name, () => this.dialog.show(open, { title: t("Invitation of {name}", { name }) })),
      listButton(t("Withdraw"), name, () => this.actions.runAndReload(withdraw)),
    );
  }

  /** Ask who is invited, and what they may do. */
  askInvitation() {
    const who = personField("invited", { placeholder: "Jonas", onchange: () => {} });
    who.field.required = true;
    const role = roleField(this.roster.roles, "viewer");
    this.actions.askAndRun({
      title: t("Invite somebody"),
      lead: t("A QR code and a short code let one phone of theirs in, within thirty minutes."),
      fields: [labelledField(t("Who"), who.field), who.players, labelledField(t("What they may do"), role)],
      verb: t("Invite"),
      work: async () => {
        const name = who.field.value.trim();
        const known = await personNamed(name);
        if (role.value) await giveRole(known.id, role.value);
        await this.#invite(known.id, name);
      },
    });
  }

  /**
   * Invite a known person without a question.
   *
   * @param {string} player
   * @param {string} name
   */
  inviteAtOnce(player, name = "") {
    this.actions.runAndReload(() => this.#invite(player, name));
  }

  /**
   * @param {string} player
   * @param {string} name
   */
  async #invite(player, name) {
    const made = await createOnce("/v1/invitations", { player });
    this.actions.form.close(); // the invitation takes its place
    const title = player === this.roster.me ? t("Another phone of yours") : t("{name} is invited", { name });
    this.dialog.show(made.info, { title, path: made.path });
  }
}
