import { get, post, Problem, Unreachable } from "./api.js";
import { Blanks } from "./blanks.js";
import { h } from "./dom.js";
import { count, suggest } from "./moves.js";
import { preview } from "./preview.js";
import { problemView } from "./problem.js";
import { uuid7 } from "./uuid.js";

const PAUSE = 300;
const ELSEWHERE = new Set(["stale-version", "token-needed", "token-unknown", "foreign-origin"]);

/**
 * The entry of the next move: picked or typed, tried in a dry run that shows what it does or which rule it breaks, and
 * then recorded. What the service refuses stays in the field.
 */
export class Recorder {
  #moves = null;
  #timer = 0;
  #trial = 0;
  #verdict = null;

  constructor(element, record, courier, words) {
    Object.assign(this, { element, record, courier, words });
    const find = (selector) => element.querySelector(selector);
    this.form = find("form.move");
    this.move = find("#move");
    this.reason = find("#reason");
    this.override = find(".override");
    this.button = find(".record");
    this.count = find(".count");
    this.choices = find(".suggestions");
    this.blanks = new Blanks(find(".blanks"), words, (text) => this.type(text));
    this.preview = find(".preview");
    this.elsewhere = find(".elsewhere");
    this.move.addEventListener("input", () => this.#typed());
    this.reason.addEventListener("input", () => this.#later());
    find(".clear").addEventListener("click", () => this.type(""));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    record.addEventListener("entries", () => this.#refresh());
    record.addEventListener("position", () => this.#place());
  }

  /** Put a text into the field, as if it had been typed. */
  type(text) {
    this.move.value = text;
    this.#typed();
  }

  /** Name a place of the board: behind a sign it goes on with what was typed, else it begins anew. */
  name(place) {
    if (!this.record.following) return;
    const text = this.move.value;
    this.type(/[^\p{L}\d\s]\s*$|\s$/u.test(text) ? text + place : place);
  }

  #typed() {
    if (!this.move.value.trim()) this.reason.value = "";
    this.override.hidden = !this.reason.value.trim();
    this.#suggest();
    this.#later();
  }

  /** Try what is typed as soon as the typing rests. */
  #later() {
    clearTimeout(this.#timer);
    this.#verdict = null;
    this.#trial += 1;
    this.button.classList.add("primary");
    this.#enable();
    this.preview.setAttribute("aria-busy", String(Boolean(this.move.value.trim())));
    if (!this.move.value.trim()) this.preview.replaceChildren();
    else this.#timer = setTimeout(() => this.#try(), PAUSE);
  }

  #enable() {
    this.button.disabled = !this.move.value.trim();
    this.button.textContent = this.reason.value.trim() ? "Record as irregular" : "Record";
  }

  /** Ask the service what the entry would do after all that still waits to be sent. */
  async #try() {
    clearTimeout(this.#timer);
    const trial = ++this.#trial;
    const waiting = this.courier.outbox.items();
    const events = [...waiting.flatMap((item) => item.body.events), this.#draft()];
    const base = waiting[0]?.base ?? this.record.head;
    let verdict;
    try {
      const { entries } = await post(`${this.record.path}/events?dry_run=true`, { events }, { base });
      verdict = { sendable: true, view: preview(entries.at(-1), this.#scoresBefore(entries), this.words) };
    } catch (error) {
      verdict = this.#objection(error, events.length - 1);
    }
    if (trial !== this.#trial) return;
    this.#verdict = verdict;
    this.preview.setAttribute("aria-busy", "false");
    if (this.#unfinished(verdict)) this.preview.replaceChildren();
    else this.#show(verdict);
  }

  #show({ sendable, problem, view }) {
    this.preview.replaceChildren(view);
    this.button.classList.toggle("primary", sendable);
    if (problem?.name === "rule-broken") this.override.hidden = false;
  }

  /** The beginning of a legal move is no mistake yet. */
  #unfinished({ problem }) {
    return problem?.name === "bad-notation" && count(this.#moves ?? [], this.move.value) > 0;
  }

  #objection(error, index) {
    if (error instanceof Unreachable) {
      return {
        sendable: true,
        view: hint("No connection: it cannot be checked now. Recorded, it is kept here and checked when it is stored."),
      };
    }
    if (!(error instanceof Problem)) throw error;
    const { entry_index: at = index } = error.body;
    if (at < index || error.name === "stale-version") {
      return { sendable: true, view: hint("It cannot be checked before what was entered earlier is settled.") };
    }
    return this.#refusal(error);
  }

  #refusal(problem) {
    return { sendable: problem.body.status >= 500, problem, view: problemView(problem.body, this.words) };
  }

  #scoresBefore(entries) {
    return entries.at(-2)?.scores ?? this.record.entries.at(-1).scores;
  }

  #draft() {
    const reason = this.reason.value.trim();
    const data = { move: this.move.value.trim(), ...(reason && { override: { reason } }) };
    return { id: uuid7(), data };
  }

  /** Record what was tried. What was not tried yet is tried first, and shown unless it is a legal move as listed. */
  async #submit() {
    const text = this.move.value.trim();
    if (!text || this.button.disabled) return;
    if (!this.#verdict) {
      await this.#try();
      if (!this.#verdict || !this.#moves?.some(({ notation }) => notation === text)) return;
    }
    if (!this.#verdict.sendable) {
      this.#show(this.#verdict);
      (this.override.hidden ? this.move : this.reason).focus();
      return;
    }
    const [path, draft] = [`${this.record.path}/events`, this.#draft()];
    this.button.disabled = true;
    this.button.textContent = "Recording …";
    const left = await this.courier.send({
      path,
      body: { events: [draft] },
      base: this.record.head,
      label: draft.data.move,
    });
    if (
      left?.problem &&
      !ELSEWHERE.has(new Problem(left.problem).name) &&
      this.courier.outbox.first().key === left.key
    ) {
      this.courier.outbox.drop(left.key);
      this.#verdict = this.#refusal(new Problem(left.problem));
      this.#show(this.#verdict);
      this.#enable();
      return;
    }
    if (this.move.value.trim() === draft.data.move) this.type("");
    if (matchMedia("(hover: hover)").matches) this.move.focus(); // a phone's keyboard would cover the board
  }

  /** Take back what was entered last and still waits, into the field; answers whether there was anything. */
  takeBack() {
    const last = this.courier.outbox.items().at(-1);
    if (!last) return false;
    this.courier.outbox.drop(last.key);
    this.type(last.body.events[0].data.move ?? "");
    return true;
  }

  /** The legal moves of the newest version; null where they cannot be had. */
  async #refresh() {
    const { head } = this.record;
    try {
      const { body } = await get(this.record.address("moves", head));
      if (head !== this.record.head) return;
      this.#moves = body.moves;
    } catch {
      this.#moves = null;
    }
    this.blanks.show(this.#moves ?? []);
    this.#suggest();
    if (this.move.value.trim()) this.#later();
  }

  #suggest() {
    const text = this.move.value;
    const moves = this.#moves ?? [];
    const found = count(moves, text);
    const groups = suggest(moves, text);
    const done = found === 1 && groups[0].choices[0].text === text.trim();
    const told = moves.length ? `${found} of ${moves.length} legal moves` : "No move is legal now.";
    this.count.textContent = done || this.#moves === null ? "" : told;
    this.choices.replaceChildren(...(done ? [] : groups.map((group) => this.#group(group))));
  }

  #group({ kind, choices }) {
    const title = kind.replaceAll("_", " ");
    return h(
      "div",
      { class: "group", role: "group", "aria-label": title },
      h("span", { class: "kind", "aria-hidden": "true" }, title),
      choices.map((choice) => this.#choice(choice)),
    );
  }

  #choice({ text, more }) {
    const label = more ? `${text} …, ${more} moves` : text;
    const pick = () => {
      this.type(text);
      if (!more) this.#try();
    };
    return h(
      "button",
      { type: "button", class: more ? "choice more" : "choice", "aria-label": label, onclick: pick },
      text,
      more ? h("small", {}, String(more)) : null,
    );
  }

  /** Moves are entered at the end of the record only. */
  #place() {
    const { following } = this.record;
    this.elsewhere.hidden = following;
    this.form.hidden = !following;
  }
}

function hint(text) {
  return h("p", { class: "hint" }, text);
}
