import { h } from "./dom.js";
import { commas, listed, named, t, tn, unspaced } from "./language.js";

const NUMBERS = /\d+/g;
/** Letters that are read from the right. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** Marks around a term, while a text is translated. */
const [BEGIN, END] = ["\ue000", "\ue001"];

/** What points are for that no ruleset counts. */
const GIVEN = new Map([
  ["bonus", t("bonus")],
  ["penalty", t("penalty")],
  ["ruling", t("ruling")],
]);

/** How things are called: seats by their people, effects by the ruleset's sentences, rules by links. */
export class Words {
  /**
   * What finds the terms of the ruleset, once it is needed.
   *
   * @type {RegExp | undefined}
   */
  #terms;

  /**
   * `own` names what is a game's own: of its sheet and the columns by their ids, and by what they say of themselves.
   *
   * @param {Ruleset} ruleset
   * @param {Seat[]} seats
   * @param {Seating | null} seating
   * @param {Record<string, string>} own
   */
  constructor(ruleset, seats, seating = null, own = {}) {
    this.ruleset = ruleset;
    this.seats = seats;
    this.seating = seating;
    this.own = new Map(Object.entries(own));
  }

  /**
   * The same words for a place of the record, where others may have sat there.
   *
   * @param {number} place
   */
  at(place) {
    const seats = this.seating?.at(place);
    return seats ? new Words(this.ruleset, seats, this.seating, Object.fromEntries(this.own)) : this;
  }

  /**
   * The same words for an entry.
   *
   * @param {number} version
   */
  when(version) {
    return this.at(this.seating?.placeOf(version) ?? 0);
  }

  /**
   * Who sits there: the name if it is known, else what the ruleset calls the seat.
   *
   * @param {number} seat
   */
  name(seat) {
    return this.seats[seat]?.name ?? this.seatName(seat);
  }

  /**
   * The name of a seat, without the person in it; also of one that was added and taken back.
   *
   * @param {number} seat
   */
  seatName(seat) {
    return named(this.seats[seat]?.label ?? this.ruleset.seat_names[seat]);
  }

  /**
   * A text of the rules with the people's names in it, where these call them by their seats: "black is to move".
   *
   * @param {string} text
   */
  people(text) {
    const seats = new Map(this.seats.flatMap(({ seat, label }) => labels(label).map((label) => [label, seat])));
    const said = new RegExp(`(?<![a-z\\d])(${[...seats.keys()].join("|")})(?![a-z\\d])`, "gi");
    return text.replace(said, (label) => this.seats[seats.get(label.toLowerCase()) ?? 0].name ?? label);
  }

  /** @param {number[]} seats */
  names(seats) {
    return listed(seats.map((seat) => isolated(this.name(seat))));
  }

  /**
   * A text that is no sentence, such as a note, with what the ruleset's terms are called in the reader's language.
   *
   * @param {string} text
   */
  phrase(text) {
    const terms = this.ruleset.terms ?? {}; // none in what was kept of an older release
    this.#terms ??= finder(Object.keys(terms));
    const found = text.replace(this.#terms, (match) => {
      const numbers = match.match(NUMBERS);
      const term = match.toLowerCase();
      const said =
        terms[term] ?? terms[term.replace(NUMBERS, "{}")].replace(/\{(\d)\}/g, (_, place) => numbers?.[place] ?? "");
      return unspaced ? `${BEGIN}${said}${END}` : said;
    });
    return unspaced ? closedUp(found) : found;
  }

  /**
   * The same of what stands in a table, such as the name of a card; a sheet says its own words itself.
   *
   * @param {string} text
   */
  term(text) {
    return this.own.size ? text : this.phrase(text);
  }

  /**
   * What a name of the ruleset's data names: to `draw` as a "move" is no draw, and the "part" `level` no tie.
   *
   * @param {string} thing
   * @param {string} name
   */
  nameOf(thing, name) {
    const plain = name.replaceAll("_", " ");
    return this.ruleset.terms?.[`${thing}: ${plain}`] ?? plain;
  }

  /**
   * An effect as the ruleset's sentence, with the people's names in it.
   *
   * @param {Effect} effect
   */
  effect({ kind, text, seat, at = [], count }) {
    const sentence = this.ruleset.effects[kind] ?? text;
    /** @type {Record<string, string | number>} */
    const parts = {
      seat: seat == null ? "" : this.name(seat),
      at: commas(at.map((place) => this.phrase(this.label(place, this.place(place))))),
      count: count ?? "",
    };
    return sentence.replace(/\{(seat|at|count)\}/g, (_, part) => String(parts[part]));
  }

  /**
   * What a label for a value of a sheet is called in the reader's language; else the word, or what is `instead` of it.
   *
   * @param {string} word
   * @param {string} instead
   */
  label(word, instead = word) {
    return this.ruleset.terms?.[`label: ${word.replaceAll("_", " ")}`] ?? instead;
  }

  /**
   * What a column of a sheet is called.
   *
   * @param {string} id
   */
  column(id) {
    return this.own.get(id) ?? id.replaceAll("_", " ");
  }

  /**
   * A cell as it is typed, `r3 p2 bid`, with the names of its seat and its column.
   *
   * @param {string} at
   */
  cell(at) {
    return this.people(at.replace(/[\p{L}\p{M}\p{Nd}_]+$/u, (id) => this.own.get(id) ?? id));
  }

  /**
   * A cell or a line of a sheet in words, "round 1, tricks". The seat is said beside it. Else the place.
   *
   * @param {string} place
   */
  place(place) {
    if (!this.own.size) return place;
    const [, due, title] = /^Round (\d+), (.+)$/.exec(place) ?? [];
    if (due) return t("Round {round}, {column}", { round: due, column: this.column(title) });
    const [, round, column] = /^(?:r(\d+)\b ?)?(?:p\d+\b ?)?([\p{L}\p{M}\p{Nd}_]+)?$/u.exec(place) ?? [];
    if (!round) return this.own.get(place) ?? this.own.get(column) ?? this.#given(place);
    return column
      ? t("round {round}, {column}", { round, column: this.column(column) })
      : t("round {round}", { round });
  }

  /**
   * Points that a side was given, `Team 2 +10 …`, with the name of the side.
   *
   * @param {string} text
   */
  #given(text) {
    return text.replace(/^.+?(?= [+-]\d)/, (side) => this.own.get(side) ?? side);
  }

  /**
   * What points are for.
   *
   * @param {string} name
   */
  category(name) {
    const [, round] = /^round-(\d+)$/.exec(name) ?? [];
    return round
      ? t("round {round}", { round })
      : (this.own.get(name) ?? GIVEN.get(name) ?? this.phrase(name.replaceAll("-", " ")));
  }

  /**
   * Who won.
   *
   * @param {Outcome} outcome
   */
  winners({ ranks, winners, together }) {
    if (winners.length > 1 && winners.length === ranks.length && !together) return t("A draw");
    return winners.length ? t("{names} won", { names: this.names(winners) }) : t("Nobody won");
  }

  /**
   * Who won, and by what.
   *
   * @param {Outcome} outcome
   */
  outcome(outcome) {
    return t("{outcome} ({reason})", { outcome: this.winners(outcome), reason: ruleWord(outcome.reason) });
  }

  /**
   * A rule's short id, leading to its text.
   *
   * @param {string} id
   */
  rule(id) {
    const known = this.ruleset.rules.find((rule) => rule.id === id);
    const [ruleset, short] = id.split(":");
    return h("a", { class: "rule-id", href: `/rulesets/${ruleset}#${short}`, title: known && named(known) }, short);
  }
}

/**
 * A name in a plain text: one that is read from the right turns nothing that stands beside it.
 *
 * @param {string} name
 */
function isolated(name) {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/**
 * A text with marks around its terms, without the marks, the blanks between terms, and western commas beside them.
 *
 * @param {string} said
 */
function closedUp(said) {
  return said.replace(/\ue001, |, \ue000/g, "、").replace(/(?<=\p{L})\ue001 \ue000(?=\p{L})|[\ue000\ue001]/gu, "");
}

/**
 * A pattern that finds terms. Earlier terms go first. `{}` in one stands for a number.
 *
 * @param {string[]} terms
 */
function finder(terms) {
  const either = terms
    .join("|")
    .replace(/[^\w{}| ]/g, "\\$&")
    .replaceAll("{}", "\\d+");
  return new RegExp(`(?<![\\w-])(?:${either || "(?!)"})(?![\\w-])`, "gi");
}

/**
 * What texts of the rules call a seat: "black", or that in the reader's language; "player 1", and for short "p1".
 *
 * @param {Title} label
 */
function labels(label) {
  const called = label.en.toLowerCase();
  const short = called.startsWith("player ") ? [called.replace("player ", "p")] : [];
  return [called, ...short, named(label).toLowerCase()];
}

/**
 * A seat's mark.
 *
 * @param {number | null | undefined} seat
 */
export function stone(seat) {
  return h("span", { class: seat == null ? "stone" : `stone seat-${seat}`, "aria-hidden": "true" });
}

/**
 * Numbers as a score: 3 – 1, and 60 : −30 where a dash might be taken for a minus.
 *
 * @param {number[]} points
 */
export function score(points) {
  const below = points.some((number) => number < 0);
  return points.map((number) => String(number).replace("-", "−")).join(below ? " : " : " – ");
}

/**
 * Versions as a list of entries: entry 3, entries 3 and 5.
 *
 * @param {number[]} versions
 */
export function entriesNamed(versions) {
  return tn(versions.length, "entry {entries}", "entries {entries}", { entries: listed(versions.map(String)) });
}

/**
 * A name of a ruleset's data as a heading.
 *
 * @param {string} name
 */
export function title(name) {
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * A word of a ruleset: how a game ended, or what a player chooses.
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
