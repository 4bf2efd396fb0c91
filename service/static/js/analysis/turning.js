import { h, hint } from "../base/dom.js";
import { counted } from "../base/words.js";
import { ForkDialog } from "../record/forks.js";
import { table, to } from "./tables.js";
import { known, points } from "./worth.js";

/** The turns that changed the chances most: what luck did, and what else could have been done, with a way to try it. */
export class TurningView {
  constructor(record, words, may) {
    Object.assign(this, { record, words, may });
    this.fork = new ForkDialog(record, words, "turn-fork");
  }

  show(found) {
    if (!found.points.length) return hint("No turn is known to have changed the chances.");
    return h("div", {}, found.points.map((point) => this.#point(point)), known(found));
  }

  #name(seat) {
    return h("bdi", {}, this.words.name(seat));
  }

  #point(point) {
    const { seat, version, before, after, decisions, unseen } = point;
    return h(
      "section",
      {},
      h("h4", {}, to(version), ": ", this.#name(seat), ` from ${percent(before)} to ${percent(after)}`),
      h("p", {}, split(point)),
      decisions.map((decision) => this.#decision(decision)),
      unseen ? hint(`${counted(unseen, "more decision", "more decisions")} of this turn were not looked at.`) : null,
    );
  }

  #decision({ version, after, seat, legal, tried, made, others }) {
    const row = ({ move, n, chances }, how) => [h("code", {}, move), how, percent(chances), String(n)];
    const rows = [row(made, "was made"), ...others.map((other) => row(other, "instead"))];
    return h(
      "div",
      {},
      h("p", {}, to(version), " · ", this.#name(seat), `: ${options(legal, tried)}`),
      table(`Options at entry ${version}`, ["Move", "How", "Chance to win", "n"], rows),
      this.#whatIf(after),
    );
  }

  /** A game of its own that goes on before the decision. */
  #whatIf(after) {
    const entry = this.record.entries.find(({ version }) => version === after);
    if (!entry || !this.may.whole || !this.may.may("games:open")) return null;
    return h("p", { class: "actions" }, h("button", { type: "button", onclick: () => this.fork.ask(entry) }, "What if …"));
  }
}

function percent({ p, low, high }) {
  const [best, least, greatest] = [p, low, high].map((chance) => Math.round(100 * chance));
  return least === greatest ? `${best} %` : `${best} % (${least} to ${greatest})`;
}

/** How much of a swing was luck. */
function split({ luck, rest, events, left_out: out }) {
  const from = `${counted(events.length, "event", "events")} of chance${out ? `, ${out} left out` : ""}`;
  const chance = events.length ? `Luck: ${points(luck)} points (${from}). ` : out ? `What luck did is not known (${from}). ` : "No luck was in it. ";
  return `${chance}What was decided, and became known: ${points(rest)} points.`;
}

function options(legal, tried) {
  const others = legal - 1;
  return `${counted(others, "other option", "other options")}${tried < others ? `, of which ${tried} were played on` : ""}`;
}
