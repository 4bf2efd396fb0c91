import { get, post, Problem, put, remove } from "../base/api.js";
import { showOnce } from "../base/copying.js";
import { h, hint } from "../base/dom.js";
import { FormDialog, labelled } from "../base/formdialog.js";
import { InvitationDialog, timeLeft } from "./invitation.js";
import { LIMITS } from "../base/limits.js";
import { fillList, lineButton, lineItem } from "../base/lists.js";
import { personField, personNamed } from "./players.js";
import { problemView } from "../base/problem.js";
import { day, localise } from "../base/times.js";
import { counted } from "../base/words.js";

const LEVELS = {
  private: ["Private", "Only those who have a part in it may see it."],
  link: ["Whoever knows its address", "They see what the public at the table could. It stands in no list."],
  public: ["Public", "Everybody may see it, as the public at the table could, and finds it in lists."],
};
const ROLES = {
  "": "plays a seat, and nothing else",
  viewer: "viewer: sees what everybody saw",
  recorder: "recorder: records, and sees what is hidden",
  referee: "referee: corrects others, rules, closes",
  owner: "owner: everything in this game",
};

/** Who may see a game and what they may do there: shown, and asked for, once somebody looks. */
export class Sharing {
  #submit = null;

  constructor(element, record, words, permit) {
    Object.assign(this, { element, record, words, permit });
    this.invitation = new InvitationDialog(element.dataset.base);
    this.form = new FormDialog("sharing", () => this.form.send(() => this.#submit()));
    this.answer = h("div", { "aria-live": "polite" });
    this.level = h(
      "select",
      { onchange: () => this.#attempt(() => this.#show(this.level.value)) },
      Object.entries(LEVELS).map(([value, [text]]) => h("option", { value }, text)),
    );
    this.meaning = hint();
    this.lists = Object.fromEntries(["people", "invitations", "links"].map((name) => [name, h("ul", { class: "list" })]));
    const seats = words.seats.map(({ seat }) =>
      button(`Invite ${words.name(seat)}`, () => this.#attempt(() => this.invite(seat))),
    );
    const knows = permit.may("people:read") && permit.may("people:write");
    element.append(
      h("h3", {}, "Who may see it"),
      labelled("Visibility", this.level),
      this.meaning,
      this.answer,
      h("h3", {}, "Who plays and helps"),
      this.lists.people,
      this.lists.invitations,
      h("div", { class: "actions" }, seats, knows ? button("Let somebody else …", () => this.#letting()) : null),
      h("h3", {}, "Share links"),
      this.lists.links,
      h("div", { class: "actions" }, button("Make a share link", () => this.#linking())),
    );
    new IntersectionObserver((seen, observer) => {
      if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      this.#load().catch((error) => this.#complain(error));
    }).observe(element);
  }

  /** Let a phone play a seat: make an invitation, or show the one that is open. */
  async invite(seat) {
    const path = `${this.record.path}/invitations`;
    const open = (await get(path)).body.invitations.find((each) => each.seat === seat && each.code);
    const made = open ? { info: open } : await post(path, { seat });
    this.invitation.show(made.info, {
      title: `An invitation to ${this.words.name(seat)}’s seat`,
      lead: "Whoever comes by it sees the game from this seat, and records what it does.",
      path: made.path,
    });
  }

  async #load() {
    const { path } = this.record;
    const [{ visibility }, { roles }, { invitations }, { links }] = (
      await Promise.all(["visibility", "roles", "invitations", "links"].map((part) => get(`${path}/${part}`)))
    ).map(({ body }) => body);
    this.level.value = visibility;
    this.meaning.textContent = LEVELS[visibility][1];
    fillList(this.lists.people, roles.map((role) => this.#person(role)), "Nobody else was let in.");
    fillList(this.lists.invitations, invitations.map((each) => this.#invited(each)));
    fillList(this.lists.links, links.map((link) => this.#link(link)), "There are none.");
    localise(this.element);
    this.answer.replaceChildren();
  }

  async #show(visibility) {
    await put(`${this.record.path}/visibility`, { visibility });
  }

  #person({ player, name, role, seats, since }) {
    const called = name ?? "Somebody without a name";
    const plays = seats.map((seat) => `plays ${this.words.seats[seat].label.en}`);
    return lineItem(
      h("bdi", {}, called),
      [[role, ...plays].filter(Boolean).join(" · "), " · since ", h("time", { datetime: since })],
      lineButton("Take it back", called, () => this.#taking(player, called)),
    );
  }

  #invited({ id, seat, name, code, ends_at: ends }) {
    const called = name ?? this.words.name(seat);
    return lineItem(
      [h("bdi", {}, called), " ", code ? h("code", {}, code) : null],
      `invited to play ${this.words.seats[seat].label.en} · ${timeLeft(ends)}`,
      code ? lineButton("Show", called, () => this.#attempt(() => this.invite(seat))) : null,
      lineButton("Withdraw", called, () => this.#attempt(() => remove(`${this.record.path}/invitations/${id}`))),
    );
  }

  #link({ id, name, seat, at, opened, ends_at: ends }) {
    const view = this.#views().find(([value]) => value === seat)?.[1] ?? seat;
    return lineItem(
      h("bdi", {}, name || view),
      `${name ? `${view} · ` : ""}${at ? `at entry ${at} · ` : ""}opened ${counted(opened, "time", "times")} · until ${day(ends)}`,
      lineButton("Revoke", name || view, () => this.#revoking(id)),
    );
  }

  #views() {
    return [
      ["public", "what everybody may see"],
      ...this.words.seats.map(({ seat }) => [String(seat), `seen by ${this.words.name(seat)}`]),
      ...(this.permit.whole ? [["record", "the whole record"]] : []),
    ];
  }

  #letting() {
    const who = personField("let-in", { placeholder: "Jonas", onchange: () => {} });
    who.field.required = true;
    const role = h("select", {}, Object.entries(ROLES).map(([value, text]) => h("option", { value }, text)));
    const seat = h(
      "select",
      {},
      h("option", { value: "" }, "none"),
      this.words.seats.map(({ seat: number }) => h("option", { value: number }, this.words.name(number))),
    );
    this.#ask({
      title: "Let somebody in",
      lead: "In this game. Their phone comes in by an invitation to the service, or is let in already.",
      fields: [labelled("Who", who.field), who.players, labelled("What they may do", role), labelled("The seat they play", seat)],
      verb: "Let them",
      work: async () => {
        const { id } = await personNamed(who.field.value.trim());
        const seats = seat.value === "" ? [] : [Number(seat.value)];
        await put(`${this.record.path}/roles/${id}`, { role: role.value || null, seats });
      },
    });
  }

  #taking(player, called) {
    this.#ask({
      title: `Let ${called} do nothing here any more?`,
      lead: "Whoever sits at the table goes on seeing the game from there, and those with a role on the service by that.",
      verb: "Take it back",
      work: () => remove(`${this.record.path}/roles/${player}`),
    });
  }

  #linking() {
    const seat = h("select", {}, this.#views().map(([value, text]) => h("option", { value }, text)));
    const moment = h("input", { type: "checkbox" });
    const days = h("input", { type: "number", min: "1", max: "3650", value: "30", required: true });
    const name = h("input", { maxlength: LIMITS.name, autocomplete: "off", placeholder: "for the club’s page" });
    const { at } = this.record;
    this.#ask({
      title: "Make a share link",
      lead: "Whoever has it sees this game, whoever may see it otherwise.",
      fields: [
        labelled("From where", seat),
        h("label", { class: "check" }, moment, `only as it stood after entry ${at}`),
        labelled("How many days it opens", days),
        labelled("What it is for", name),
      ],
      verb: "Make it",
      work: async () => {
        const body = { seat: seat.value, days: Number(days.value), name: name.value.trim(), ...(moment.checked && { at }) };
        const { path } = await post(`${this.record.path}/links`, body);
        showOnce("The share link", "The link", new URL(path, location.href).href);
      },
    });
  }

  #revoking(id) {
    this.#ask({
      title: "Revoke the link?",
      lead: "Whoever has it sees nothing by it any more.",
      verb: "Revoke",
      work: () => remove(`${this.record.path}/links/${id}`),
    });
  }

  #ask({ work, ...shown }) {
    this.#submit = async () => {
      await work();
      this.form.close();
      await this.#load();
    };
    this.form.open(shown);
  }

  async #attempt(work) {
    try {
      await work();
      await this.#load();
    } catch (error) {
      this.#complain(error);
    }
  }

  #complain(error) {
    this.answer.replaceChildren(
      error instanceof Problem ? problemView(error.body) : hint("No connection: try again once it is back."),
    );
  }
}

function button(text, act) {
  return h("button", { type: "button", onclick: act }, text);
}
