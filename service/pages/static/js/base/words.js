/** The words of a game: its seats, places, effects, points and rules, as people read them. */
import { h } from "./dom.js";
import { joinWithCommas, listInWords, translated, t, tn, unspaced } from "./language.js";

const NUMBERS = /\d+/g;
/** Letters that are read from the right. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** Marks around a term while a text is translated. */
const [BEGIN, END] = ["\ue000", "\ue001"];

/** Names of points that no ruleset gives. */
const POINT_NAMES = new Map([
  ["bonus", t("bonus")],
  ["penalty", t("penalty")],
  ["ruling", t("ruling")],
]);

/** Names for people to read: seats by their people, effects by the ruleset's sentences, rules as links. */
export class Words {
  /**
   * The pattern for the ruleset's terms, made on first use.
   *
   * @type {RegExp | undefined}
   */
  #terms;

  /**
   * `own` has the game's own names: of its sheet and columns by id, and of their texts. `endings` has its possible
   * ends in words.
   *
   * @param {Ruleset} ruleset
   * @param {Seat[]} seats
   * @param {Seating | null} seating
   * @param {Record<string, string>} own
   * @param {Record<string, string>} endings
   */
  constructor(ruleset, seats, seating = null, own = {}, endings = {}) {
    this.ruleset = ruleset;
    this.seats = seats;
    this.seating = seating;
    this.own = new Map(Object.entries(own));
    this.endings = endings;
  }

  /**
   * These words for a place in the order of the record, where other people may have had the seats.
   *
   * @param {number} place
   */
  atPlace(place) {
    const seats = this.seating?.seatsAt(place);
    return seats ? new Words(this.ruleset, seats, this.seating, Object.fromEntries(this.own), this.endings) : this;
  }

  /**
   * These words for the moment of an entry.
   *
   * @param {number} version
   */
  atEntry(version) {
    return this.atPlace(this.seating?.placeOf(version) ?? 0);
  }

  /**
   * The name of the person in a seat, or else the ruleset's name of the seat.
   *
   * @param {number} seat
   */
  name(seat) {
    return this.seats[seat]?.name ?? this.seatName(seat);
  }

  /**
   * The name of a seat without its person; also of a seat that was added and withdrawn.
   *
   * @param {number} seat
   */
  seatName(seat) {
    return translated(this.seats[seat]?.label ?? this.ruleset.seat_names[seat]);
  }

  /**
   * A text of the rules with people's names in place of their seats: "black is to move".
   *
   * @param {string} text
   */
  withPeople(text) {
    const seats = new Map(this.seats.flatMap(({ seat, label }) => seatLabels(label).map((label) => [label, seat])));
    const pattern = new RegExp(`(?<![a-z\\d])(${[...seats.keys()].join("|")})(?![a-z\\d])`, "gi");
    return text.replace(pattern, (label) => this.seats[seats.get(label.toLowerCase()) ?? 0].name ?? label);
  }

  /** @param {number[]} seats */
  namesText(seats) {
    return listInWords(seats.map((seat) => isolateDirection(this.name(seat))));
  }

  /**
   * Translate the ruleset's terms in a text that is not a sentence, such as a note.
   *
   * @param {string} text
   */
  translatePhrase(text) {
    const terms = this.ruleset.terms ?? {}; // older stored copies have no terms
    this.#terms ??= termPattern(Object.keys(terms));
    const found = text.replace(this.#terms, (match) => {
      const numbers = match.match(NUMBERS);
      const term = match.toLowerCase();
      const translated =
        terms[term] ?? terms[term.replace(NUMBERS, "{}")].replace(/\{(\d)\}/g, (_, place) => numbers?.[place] ?? "");
      return unspaced ? `${BEGIN}${translated}${END}` : translated;
    });
    return unspaced ? removeMarks(found) : found;
  }

  /**
   * Translate the ruleset's terms in a table cell, such as the name of a card; the words of a sheet stay.
   *
   * @param {string} text
   */
  translateCell(text) {
    return this.own.size ? text : this.translatePhrase(text);
  }

  /**
   * The words for a name in the ruleset's data. The kind matters: the "move" `draw` is not a tied game.
   *
   * @param {string} thing
   * @param {string} name
   */
  termFor(thing, name) {
    const plain = name.replaceAll("_", " ");
    return this.ruleset.terms?.[`${thing}: ${plain}`] ?? plain;
  }

  /**
   * An effect as a sentence of the ruleset, with people's names.
   *
   * @param {Effect} effect
   */
  effectText({ kind, text, seat, at = [], count }) {
    const sentence = this.ruleset.effects[kind] ?? text;
    /** @type {Record<string, string | number>} */
    const parts = {
      seat: seat == null ? "" : this.name(seat),
      at: joinWithCommas(at.map((place) => this.translatePhrase(this.labelText(place, this.placeName(place))))),
      count: count ?? "",
    };
    return sentence.replace(/\{(seat|at|count)\}/g, (_, part) => String(parts[part]));
  }

  /**
   * The translated label of a sheet's value; `instead` for an unknown label.
   *
   * @param {string} word
   * @param {string} instead
   */
  labelText(word, instead = word) {
    return this.ruleset.terms?.[`label: ${word.replaceAll("_", " ")}`] ?? instead;
  }

  /**
   * The name of a sheet's column.
   *
   * @param {string} id
   */
  columnName(id) {
    return this.own.get(id) ?? id.replaceAll("_", " ");
  }

  /**
   * A cell in notation, `r3 p2 bid`, in words: "round 3, Anna, Bid".
   *
   * @param {string} at
   */
  cellName(at) {
    const parts = at.split(" ").map((part) => {
      const [, round] = /^r(\d+)$/.exec(part) ?? [];
      return round ? t("round {round}", { round }) : (this.own.get(part) ?? this.withPeople(part));
    });
    return joinWithCommas(parts);
  }

  /**
   * A cell or line of a sheet in words, "round 1, tricks", without its seat. Other places stay as they are.
   *
   * @param {string} place
   */
  placeName(place) {
    if (!this.own.size) return place;
    const [, due, title] = /^Round (\d+), (.+)$/.exec(place) ?? [];
    if (due) return t("Round {round}, {column}", { round: due, column: this.columnName(title) });
    const [, round, column] = /^(?:r(\d+)\b ?)?(?:p\d+\b ?)?([\p{L}\p{M}\p{Nd}_]+)?$/u.exec(place) ?? [];
    if (!round) return this.own.get(place) ?? this.own.get(column) ?? this.#sidePoints(place);
    return column
      ? t("round {round}, {column}", { round, column: this.columnName(column) })
      : t("round {round}", { round });
  }

  /**
   * Points given to a side, `Team 2 +10 …`, with the name of the side.
   *
   * @param {string} text
   */
  #sidePoints(text) {
    return text.replace(/^.+?(?= [+-]\d)/, (side) => this.own.get(side) ?? side);
  }

  /**
   * The name of a category of points.
   *
   * @param {string} name
   */
  categoryName(name) {
    const [, round] = /^round-(\d+)$/.exec(name) ?? [];
    return round
      ? t("round {round}", { round })
      : (this.own.get(name) ?? POINT_NAMES.get(name) ?? this.translatePhrase(name.replaceAll("-", " ")));
  }

  /**
   * The winners in words.
   *
   * @param {Outcome} outcome
   */
  winnersText({ ranks, winners, together }) {
    if (winners.length > 1 && winners.length === ranks.length && !together) return t("A draw");
    return winners.length ? t("{names} won", { names: this.namesText(winners) }) : t("Nobody won");
  }

  /**
   * The reason for the end of a game, with the name of what `decided` in place of points.
   *
   * @param {string} reason
   * @param {Title} [decided]
   */
  endingText(reason, decided) {
    const sentence = this.endings[reason] ?? capitalized(ruleWord(reason));
    return decided ? sentence.replace("{what}", translated(decided)) : sentence;
  }

  /**
   * The winners, and why the game ended.
   *
   * @param {Outcome} outcome
   */
  outcomeText(outcome) {
    const why = this.endingText(outcome.reason);
    return why.includes("{what}") ? this.winnersText(outcome) : `${this.winnersText(outcome)} · ${why}`;
  }

  /**
   * The short id of a rule, as a link to its text.
   *
   * @param {string} id
   */
  ruleLink(id) {
    const known = this.ruleset.rules.find((rule) => rule.id === id);
    const [ruleset, short] = id.split(":");
    return h(
      "a",
      { class: "rule-id", href: `/rulesets/${ruleset}#${short}`, title: known && translated(known) },
      short,
    );
  }
}

/**
 * A name inside plain text: right-to-left names do not affect their surroundings.
 *
 * @param {string} name
 */
function isolateDirection(name) {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/**
 * Remove the marks around terms, the spaces between terms, and western commas beside them.
 *
 * @param {string} text
 */
function removeMarks(text) {
  return text.replace(/\ue001, |, \ue000/g, "、").replace(/(?<=\p{L})\ue001 \ue000(?=\p{L})|[\ue000\ue001]/gu, "");
}

/**
 * A pattern that finds terms, earlier ones first. `{}` in a term stands for a number.
 *
 * @param {string[]} terms
 */
function termPattern(terms) {
  const either = terms
    .join("|")
    .replace(/[^\w{}| ]/g, "\\$&")
    .replaceAll("{}", "\\d+");
  return new RegExp(`(?<![\\w-])(?:${either || "(?!)"})(?![\\w-])`, "gi");
}

/**
 * The seat's names in texts of the rules: "black" or its translation; "player 1", and the short "p1".
 *
 * @param {Title} label
 */
function seatLabels(label) {
  const called = label.en.toLowerCase();
  const short = called.startsWith("player ") ? [called.replace("player ", "p")] : [];
  return [called, ...short, translated(label).toLowerCase()];
}

/**
 * A seat's mark.
 *
 * @param {number | null | undefined} seat
 */
export function seatMark(seat) {
  return h("span", { class: seat == null ? "stone" : `stone seat-${seat}`, "aria-hidden": "true" });
}

/**
 * Numbers as a score: 3 – 1, or 60 : −30 where a dash could mean a minus.
 *
 * @param {number[]} points
 */
export function scoreText(points) {
  const below = points.some((number) => number < 0);
  return points.map((number) => String(number).replace("-", "−")).join(below ? " : " : " – ");
}

/**
 * Versions as a list of entries: entry 3, entries 3 and 5.
 *
 * @param {number[]} versions
 */
export function entriesText(versions) {
  return tn(versions.length, "entry {entries}", "entries {entries}", { entries: listInWords(versions.map(String)) });
}

/**
 * A name of the ruleset's data as a heading.
 *
 * @param {string} name
 */
export function capitalized(name) {
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * A word of a ruleset: the end of a game, or a player's choice.
 *
 * @param {string} name
 */
export function ruleWord(name) {
  return t(name.replaceAll("_", " "));
}

/**
 * An option's value in words.
 *
 * @param {boolean | number | string} value
 */
export function optionText(value) {
  return ruleWord(/** @type {Record<string, string>} */ ({ true: "on", false: "off" })[String(value)] ?? String(value));
}
