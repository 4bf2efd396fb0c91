import { get, put, remove } from "../base/api.js";
import { showOnce } from "../base/copying.js";
import { h, hint } from "../base/dom.js";
import { FormDialog, labelledField } from "../base/formdialog.js";
import { countdown, InvitationDialog } from "./invitation.js";
import { t } from "../base/language.js";
import { maxLength } from "../base/limits.js";
import { fillList, listButton, listItem } from "../base/lists.js";
import { createOnce } from "./create.js";
import { personField, personNamed } from "./players.js";
import { failureView } from "../base/problem.js";
import { localiseTimes } from "../base/times.js";
import { roleName } from "../base/roles.js";
import { linkUseText } from "./links.js";

/** @type {Record<string, [string, string]>} */
const LEVELS = {
  private: [t("Private"), t("Only its players and people with a role may see it.")],
  link: [t("Anyone with the link"), t("They see what the public at the table could see. Lists do not show it.")],
  public: [t("Public"), t("Everybody may see it, as the public at the table sees it, and it appears in lists.")],
};
const ROLES = {
  "": t("plays a seat, and nothing else"),
  viewer: t("viewer: sees what everybody saw"),
  recorder: t("recorder: records, and sees what is hidden"),
  referee: t("referee: corrects others, rules, closes"),
  owner: t("owner: everything in this game"),
};

/** The settings of who may see a game and what they may do. */
export class SharingSettings {
  #submit = async () => {};

  /**
   * @param {HTMLElement} element
   * @param {GameRecord} record
   * @param {Words} words
   * @param {Permit} permit
   */
  constructor(element, record, words, permit) {
    this.element = element;
    this.record = record;
    this.words = words;
    this.permit = permit;
    this.invitation = new InvitationDialog(element.dataset.base ?? "");
    this.form = new FormDialog("sharing", () => this.#submit());
    this.answer = h("div", { "aria-live": "polite" });
    /** @type {HTMLSelectElement} */
    this.level = h(
      "select",
      { onchange: () => this.#attempt(() => this.#setVisibility(this.level.value)) },
      Object.entries(LEVELS).map(([value, [text]]) => h("option", { value }, text)),
    );
    this.meaning = hint();
    this.lists = Object.fromEntries(
      ["people", "invitations", "links"].map((name) => [name, h("ul", { class: "list" })]),
    );
    element.append(...this.#parts());
    this.#load().catch((error) => this.#showError(error));
  }

  /** The parts: who may see the game, players and helpers, and share links. */
  #parts() {
    const { words, permit, lists } = this;
    const seats = words.seats.map(({ seat }) =>
      button(t("Invite {name}", { name: words.name(seat) }), () => this.#attempt(() => this.invite(seat))),
    );
    const knows = permit.hasScope("people:read") && permit.hasScope("people:write");
    const others = knows ? button(t("Let somebody else …"), () => this.#askPerson()) : null;
    const makeLink = button(t("Make a share link"), () => this.#askLink());
    return [
      h("h3", {}, t("Who may see it")),
      labelledField(t("Visibility"), this.level),
      this.meaning,
      this.answer,
      h("h3", {}, t("Who plays and helps")),
      lists.people,
      lists.invitations,
      h("div", { class: "actions" }, seats, others),
      h("h3", {}, t("Share links")),
      lists.links,
      h("div", { class: "actions" }, makeLink),
    ];
  }

  /**
   * Let a phone play a seat: create an invitation, or show the open one.
   *
   * @param {number} seat
   */
  async invite(seat) {
    const path = `${this.record.path}/invitations`;
    const { invitations } = await this.#part("invitations");
    const open = invitations.find((each) => each.seat === seat && each.code);
    const made = open ? { info: open } : await createOnce(path, { seat });
    this.invitation.show(made.info, {
      title: t("An invitation to {name}’s seat", { name: this.words.name(seat) }),
      lead: t("Anyone with this invitation sees the game from this seat and records its moves."),
      path: made.path,
    });
  }

  /**
   * The answer at a part of the game's address.
   *
   * @template {string} Part
   * @param {Part} part
   */
  async #part(part) {
    /** @type {Answer<GotPart<Part>>} */
    const { body } = await get(`${this.record.path}/${part}`);
    return body;
  }

  async #load() {
    const [{ visibility }, { roles }, { invitations }, { links }] = await Promise.all([
      this.#part("visibility"),
      this.#part("roles"),
      this.#part("invitations"),
      this.#part("links"),
    ]);
    this.level.value = visibility;
    this.meaning.textContent = LEVELS[visibility][1];
    fillList(
      this.lists.people,
      roles.map((role) => this.#roleItem(role)),
      t("Nobody else has a part in this game."),
    );
    fillList(
      this.lists.invitations,
      invitations.map((each) => this.#invitationItem(each)),
    );
    fillList(
      this.lists.links,
      links.map((link) => this.#linkItem(link)),
      t("There are none."),
    );
    localiseTimes(this.element);
    this.answer.replaceChildren();
  }

  /** @param {string} visibility */
  async #setVisibility(visibility) {
    await put(`${this.record.path}/visibility`, { visibility });
  }

  /** @param {Schemas["RoleInfo"]} role */
  #roleItem({ player, name, role, seats, since }) {
    const called = name ?? t("Somebody without a name");
    const plays = seats.map((seat) => t("plays {seat}", { seat: this.words.seatName(seat) }));
    return listItem(
      h("bdi", {}, called),
      [
        [role && roleName(role), ...plays].filter(Boolean).join(" · "),
        " · ",
        t("since {time}", { time: h("time", { datetime: since }) }),
      ],
      listButton(t("Take it back"), called, () => this.#askTakeBack(player, called)),
    );
  }

  /** @param {Schemas["InvitationInfo"]} invitation */
  #invitationItem({ id, seat: invited, name, code, ends_at: ends }) {
    const seat = invited ?? 0; // an invitation to a game is for a seat
    const called = name ?? this.words.name(seat);
    return listItem(
      [h("bdi", {}, called), " ", code ? h("code", {}, code) : null],
      [t("invited to play {seat}", { seat: this.words.seatName(seat) }), " · ", countdown(ends)],
      code ? listButton(t("Show"), called, () => this.#attempt(() => this.invite(seat))) : null,
      listButton(t("Withdraw"), called, () => this.#attempt(() => remove(`${this.record.path}/invitations/${id}`))),
    );
  }

  /** @param {Schemas["LinkInfo"]} link */
  #linkItem({ id, name, seat, at, opened, ends_at: ends }) {
    const view = this.#views().find(([value]) => value === seat)?.[1] ?? seat;
    return listItem(
      h("bdi", {}, name || view),
      [name && view, at && t("at entry {at}", { at }), ...linkUseText(opened, ends)].filter(Boolean).join(" · "),
      listButton(t("Revoke"), name || view, () => this.#askRevoke(id)),
    );
  }

  #views() {
    return [
      ["public", t("what everybody may see")],
      ...this.words.seats.map(({ seat }) => [String(seat), t("seen by {name}", { name: this.words.name(seat) })]),
      ...(this.permit.seesAll ? [["record", t("the whole record")]] : []),
    ];
  }

  #askPerson() {
    const who = personField("let-in", { placeholder: "Jonas", onchange: () => {} });
    who.field.required = true;
    const role = selectOf(Object.entries(ROLES));
    const seats = this.words.seats.map(({ seat: number }) => [String(number), this.words.name(number)]);
    const seat = selectOf([["", t("none")], ...seats]);
    this.#ask({
      title: t("Let somebody in"),
      lead: t("In this game. Their phone comes in by an invitation to the service, or is let in already."),
      fields: [
        labelledField(t("Who"), who.field),
        who.players,
        labelledField(t("What they may do"), role),
        labelledField(t("The seat they play"), seat),
      ],
      verb: t("Let them"),
      work: async () => {
        const { id } = await personNamed(who.field.value.trim());
        const seats = seat.value === "" ? [] : [Number(seat.value)];
        await put(`${this.record.path}/roles/${id}`, { role: role.value || null, seats });
      },
    });
  }

  /**
   * @param {string} player
   * @param {string} called
   */
  #askTakeBack(player, called) {
    this.#ask({
      title: t("Take away everything that {name} may do here?", { name: called }),
      lead: t(
        "Players at the table still see the game from their seats. People with a role on the service still see it, too.",
      ),
      verb: t("Take it back"),
      work: () => remove(`${this.record.path}/roles/${player}`),
    });
  }

  #askLink() {
    const seat = selectOf(this.#views());
    const moment = h("input", { type: "checkbox" });
    const days = h("input", { type: "number", min: "1", max: "3650", value: "30", required: true });
    const name = h("input", {
      maxlength: maxLength("name"),
      autocomplete: "off",
      placeholder: t("for the club’s page"),
    });
    const { at } = this.record;
    this.#ask({
      title: t("Make a share link"),
      lead: t("Anyone with this link can see the game."),
      fields: [
        labelledField(t("From where"), seat),
        h("label", { class: "check" }, moment, t("only as it stood after entry {at}", { at })),
        labelledField(t("How many days it works"), days),
        labelledField(t("What it is for"), name),
      ],
      verb: t("Make it"),
      work: async () => {
        const body = { seat: seat.value, days: Number(days.value), name: name.value.trim() };
        const { path } = await createOnce(`${this.record.path}/links`, { ...body, ...(moment.checked && { at }) });
        showOnce(t("The share link"), t("The link"), new URL(path, location.href).href);
      },
    });
  }

  /** @param {string} id */
  #askRevoke(id) {
    this.#ask({
      title: t("Revoke the link?"),
      lead: t("The link will stop working."),
      verb: t("Revoke"),
      work: () => remove(`${this.record.path}/links/${id}`),
    });
  }

  /** @param {Asked} asked */
  #ask({ work, ...shown }) {
    this.#submit = async () => {
      if (await this.form.send(work)) await this.#attempt(() => {});
    };
    this.form.open(shown);
  }

  /** @param {() => unknown} work */
  async #attempt(work) {
    try {
      await work();
      await this.#load();
    } catch (error) {
      this.#showError(error);
    }
  }

  /** @param {any} error */
  #showError(error) {
    this.answer.replaceChildren(failureView(error));
  }
}

/**
 * @param {string} text
 * @param {() => unknown} act
 */
function button(text, act) {
  return h("button", { type: "button", onclick: act }, text);
}

/**
 * A select field with these values and labels.
 *
 * @param {string[][]} options
 */
function selectOf(options) {
  return h(
    "select",
    {},
    options.map(([value, text]) => h("option", { value }, text)),
  );
}
