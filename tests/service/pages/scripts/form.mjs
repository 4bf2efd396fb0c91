/** The form for the next move, with a record, an outbox and a service that a test answers for. */
import { embed } from "../../../../service/pages/static/js/base/api.js";
import { h } from "../../../../service/pages/static/js/base/dom.js";
import { useEventTypes } from "../../../../service/pages/static/js/record/event-types.js";
import { Recorder } from "../../../../service/pages/static/js/record/recorder.js";
import { Words } from "../../../../service/pages/static/js/base/words.js";
import { settled } from "./document.mjs";

const HEADERS = { "Kifu-Release": "1" };
const RULESET = { rules: [], effects: {}, terms: {} };

/** What the service answers to a dry run of these moves: an entry, or a problem. */
export const GOOD = { type: "move.made", effects: [], scores: [1, 0] };
export const problem = (name, status = 422, more = {}) => ({
  type: `/problems/${name}`,
  title: name,
  detail: `${name}!`,
  status,
  ...more,
});
export const BROKEN = problem("rule-broken");

/** A record at version 2, whose legal moves are embedded when its entries change. */
class Log extends EventTarget {
  game = "g1";
  path = "/g";
  head = 2;
  isAtNewest = true;
  closed = null;
  showsStory = false;
  facts = { outcome: null };
  lastEntry = { scores: [0, 0] };

  address(part, moment) {
    return `/g/${part}?${new URLSearchParams(moment)}`;
  }
}

/** Entries that wait on the device. */
class Waiting extends EventTarget {
  all = [];
  whenStored = Promise.resolve();

  items() {
    return this.all;
  }

  firstItem() {
    return this.all[0];
  }

  getItem(key) {
    return this.all.find((item) => item.key === key);
  }

  async drop(key) {
    this.all = this.all.filter((item) => item.key !== key);
    this.dispatchEvent(new Event("change"));
  }
}

/** What sends entries: `left` is what the service does not take. */
class Sending extends EventTarget {
  outbox = new Waiting();
  sent = [];
  left = null;
  /** What the end of sending waits for. */
  gate = null;

  async addAndSend(item) {
    this.sent.push(item);
    await this.gate;
    if (this.left) this.outbox.all.push(this.left);
    return this.left;
  }

  /** Tell that the entry that was sent last is stored. */
  store() {
    this.dispatchEvent(new CustomEvent("delivered", { detail: { item: this.sent.at(-1) } }));
  }
}

/** The elements of `entry.html`. */
function form() {
  return h(
    "section",
    { id: "recorder" },
    h("p", { class: "elsewhere", hidden: true }),
    h(
      "form",
      { class: "move" },
      h("div", { class: "blanks" }),
      h("div", { class: "field" }),
      h("div", { id: "preview", class: "preview" }),
      h("div", { class: "override", hidden: true }, h("input", { id: "reason" })),
      h("button", { class: "anyway" }, "It really happened …"),
      h("div", { class: "actions" }, h("button", { class: "primary record", disabled: true }, "Record")),
      h("button", { id: "undo" }, "Undo"),
      h("button", { id: "redo" }, "Redo"),
      h("button", { id: "more" }, "More …"),
    ),
  );
}

/** A form at a table, and what a test does with it. */
export class Table {
  log = new Log();
  sync = new Sending();
  /** The moves of dry runs, and what the service answers to them by move. */
  tried = [];
  verdicts = {};
  verdict = GOOD;
  hover = false;
  /** What comes late, by its address; what was asked for and did not come. */
  late = {};
  missed = [];

  constructor(sheet = null, { hidden = false, seats = ["Anna", "Ben"], own = () => true } = {}) {
    this.element = form();
    this.element.hidden = hidden;
    document.body.replaceChildren(this.element);
    document.body.dataset.release = "1";
    document.activeElement = document.body;
    globalThis.matchMedia = () => ({ matches: this.hover });
    globalThis.fetch = (path, options) => this.#answer(path, JSON.parse(options.body ?? "{}"));
    useEventTypes({ "move.made": { label: "move", plays: true }, "entry.withdrawn": { label: "", takes_back: true } });
    this.words = new Words(
      RULESET,
      seats.map((name, seat) => ({ seat, name, label: { en: `Player ${seat + 1}` } })),
    );
    this.recorder = new Recorder(this.element, this.log, this.sync, this.words, { mayPlay: own }, sheet);
  }

  async #answer(path, { events }) {
    if (path in this.late) return new Response(JSON.stringify(await this.late[path]), { headers: HEADERS });
    if (!events) this.missed.push(path);
    if (!events) throw new TypeError("no network");
    const event = events.at(-1);
    this.tried.push(event.data);
    const found = (await this.verdicts[event.data.move]) ?? this.verdict;
    if (found === null) throw new TypeError("no network");
    if (!found.status) return new Response(JSON.stringify({ entries: [found] }), { headers: HEADERS });
    const headers = { ...HEADERS, "Content-Type": "application/problem+json" };
    return new Response(JSON.stringify(found), { status: found.status, headers });
  }

  get state() {
    return this.recorder.store.state;
  }

  find(selector) {
    return this.element.querySelector(selector);
  }

  /** Offer these moves at a version, as after entries. */
  async offer(moves, head = this.log.head, path = `/g/moves?at=${head}`) {
    this.log.head = head;
    embed({ [path]: { body: Array.isArray(moves) ? { moves } : moves, tag: null } });
    this.log.dispatchEvent(new Event("entries"));
    await settled();
  }

  async type(text) {
    this.recorder.move.typeText(text);
    await settled();
  }

  async submit() {
    this.find("form").dispatchEvent({ type: "submit" });
    await settled();
  }

  async pick(text) {
    this.element
      .querySelectorAll(".choice")
      .find(({ value }) => value === text)
      .click();
    await settled();
  }

  async tap(place) {
    this.recorder.handleTap(place);
    await settled();
  }

  get moves() {
    return this.sync.sent.map(({ body }) => body.events[0].data.move);
  }
}
