import { h, hint } from "../base/dom.js";
import { t, tn } from "../base/language.js";
import { ForkDialog } from "../record/forking.js";
import { sideName } from "./sides.js";
import { chanceText, table, entryLink, optionView } from "./tables.js";
import { methodHint, pointsText, WIDEST_MARGIN } from "./worth.js";

/** The turns that changed the chances most: the part of luck, the alternatives, and a way to try them. */
export class TurningPointsView {
  /** The analysed version of the record. */
  #version = 0;

  /**
   * @param {GameRecord} record
   * @param {Words} words
   * @param {Permit} may
   */
  constructor(record, words, may) {
    this.record = record;
    this.words = words;
    this.may = may;
    this.fork = new ForkDialog(record, words, "turn-fork");
  }

  /**
   * @param {TurningPoints} found
   * @param {number} version
   */
  show(found, version) {
    this.#version = version;
    if (!found.points.length) return hint(t("No turn is known to have changed the chances."));
    return h(
      "div",
      {},
      found.points.map((point) => this.#point(point, found)),
      methodHint(found, this.words),
    );
  }

  /**
   * The person in a seat at the time of an entry.
   *
   * @param {number} seat
   * @param {number} version
   */
  #name(seat, version) {
    return h("bdi", {}, this.words.atEntry(version).name(seat));
  }

  /**
   * @param {TurningPoint} point
   * @param {TurningPoints} found
   */
  #point(point, found) {
    const { seat, version, before, after, decisions, unseen } = point;
    return h(
      "section",
      {},
      h(
        "h4",
        {},
        t("{entry}: {name} from {before} to {after}", {
          entry: entryLink(version),
          name: sideName(found, seat, this.words.atEntry(version)),
          before: chanceText(before),
          after: chanceText(after),
        }),
      ),
      h("p", {}, luckAndRest(point)),
      decisions.map((decision) => this.#decision(decision)),
      unseen ? hint(unseenSentence(unseen)) : null,
    );
  }

  /** @param {Decision} decision */
  #decision({ version, after, seat, legal, tried, made, others }) {
    /**
     * @param {TriedMove} option
     * @param {string} how
     */
    const row = (option, how) => [
      optionView(option, this.words.atEntry(version)),
      how,
      chanceText(option.chances),
      String(option.n),
    ];
    const rows = [row(made, t("was made")), ...others.map((other) => row(other, t("instead")))];
    return h(
      "div",
      {},
      h("p", {}, entryLink(version), " · ", this.#name(seat, version), `: ${optionsSentence(legal, tried)}`),
      table(t("Options at entry {version}", { version }), [t("Move"), t("How"), t("Chance to win"), "n"], rows),
      this.#whatIf(after),
    );
  }

  /**
   * A button for a fork that begins before the decision.
   *
   * @param {number} after
   */
  #whatIf(after) {
    const entry = this.record.entries.find(({ version }) => version === after);
    if (!entry || !this.may.seesAll || !this.may.hasScope("games:open")) return null;
    return h(
      "p",
      { class: "actions" },
      h("button", { type: "button", onclick: () => this.fork.ask(entry, this.#version) }, t("What if …")),
    );
  }
}

/**
 * The part of luck in a swing.
 *
 * @param {TurningPoint} point
 */
function luckAndRest({ luck, rest, events, left_out: out }) {
  const from = tn(events.length, "{count} event of chance", "{count} events of chance");
  const known = out ? t("{events}, {out} left out", { events: from, out }) : from;
  const chance = events.length
    ? t("Luck: {points} ({events}).", { points: shiftText(luck), events: known })
    : out
      ? t("What luck did is not known ({events}).", { events: known })
      : t("No luck was in it.");
  return [chance, " ", t("What was decided, and became known: {points}.", { points: shiftText(rest) })];
}

/**
 * Points with their margin, if they are known well enough.
 *
 * @param {Worth} shift
 */
function shiftText(shift) {
  return shift.margin > WIDEST_MARGIN
    ? t("too little is known to tell")
    : t("{points} points", { points: pointsText(shift) });
}

/**
 * @param {number} legal
 * @param {number} tried
 */
function optionsSentence(legal, tried) {
  const others = legal - 1;
  const text = tn(others, "{count} other option", "{count} other options");
  return tried < others ? t("{options}, {tried} of them simulated", { options: text, tried }) : text;
}

/** @param {number} unseen */
function unseenSentence(unseen) {
  return tn(
    unseen,
    "Too little is known of {count} more decision of this turn.",
    "Too little is known of {count} more decisions of this turn.",
  );
}
