import { getText } from "../base/api.js";
import { Board } from "../board/board.js";
import { h, hint } from "../base/dom.js";
import { wholePercent } from "../base/figures.js";
import { t, tn } from "../base/language.js";
import { SlipChoices } from "./choices.js";
import { partsOfHundred } from "./figures.js";
import { countSentence } from "./luck.js";
import { sideName, standsForSide } from "./sides.js";
import { chanceText, table, entryLink, moveText, optionView } from "./tables.js";
import { methodHint, leftOutSentence, pointsText, WIDEST_MARGIN, isCertain } from "./worth.js";

/** How well each seat played, and its slips as questions: the board before, the choices, and the better move. */
export class ReviewView {
  #choices = new SlipChoices();
  /** The id of the shown review. */
  #id = "";
  /** The reviewed version of the record. */
  #version = 0;
  /**
   * Each question: its keys, and what shows a choice, or none.
   *
   * @type {{ keys: HTMLElement[], show: (move: string | null) => void }[]}
   */
  #questions = [];
  #again = h(
    "p",
    { class: "actions begin-again" },
    h("button", { type: "button", onclick: () => this.#beginAgain() }, t("Begin again")),
  );
  /**
   * The drawn boards, by address.
   *
   * @type {Map<string, HTMLElement>}
   */
  #boards = new Map();

  /**
   * @param {GameRecord} record
   * @param {Words} words
   */
  constructor(record, words) {
    this.record = record;
    this.words = words;
  }

  /**
   * @param {Review} found
   * @param {number} version
   * @param {string} id
   */
  show(found, version, id) {
    this.#version = version;
    this.#id = id;
    this.#questions = [];
    this.#again.hidden = !this.#choices.of(id).size;
    const seats = sharedHints(found) ?? found.seats.map((each) => this.#seat(each, found));
    return h(
      "div",
      {},
      this.#luckView(found),
      seats,
      this.#questions.length ? this.#again : null,
      found.seats.some(({ accuracy }) => accuracy) ? hint(accuracyHelp(), comparisonHelp(found)) : null,
      found.left_out ? hint(leftOutSentence(found.left_out)) : null,
      methodHint(found, this.words),
    );
  }

  /** @param {number} seat */
  #name(seat) {
    return h("bdi", {}, this.words.name(seat));
  }

  /**
   * The result without luck, in a sentence; else why not, and what is known exactly: the luck by counts.
   *
   * @param {Review} found
   */
  #luckView(found) {
    const { over, luck_counts: counted } = found;
    const seats = found.seats.filter(({ seat }) => standsForSide(found, seat));
    const isRough = seats.some(({ luck, without_luck: own }) => luck.margin > (own ? WIDEST_MARGIN : 0));
    if (!isRough && seats.every(({ luck, without_luck: own }) => own && luck.margin)) {
      const winner = winnerOf(seats);
      return winner
        ? this.#winnerSentence(winner, sharesText(seats), found)
        : h("p", {}, t("Without luck it stands {shares}.", { shares: sharesText(seats) }));
    }
    const hasChance = counted && counted.n + counted.left_out > 0;
    return [
      over && (isRough || hasChance) ? notToldHint(isRough, seats) : null,
      hasChance
        ? h(
            "p",
            {},
            countSentence(counted, this.words),
            " ",
            h("a", { href: "#analysis-luck-counts", class: "all-luck" }, t("All figures of luck")),
          )
        : null,
    ];
  }

  /**
   * @param {SeatReview} winner
   * @param {string} shares
   * @param {Review} found
   */
  #winnerSentence({ seat, luck }, shares, found) {
    const { p, margin } = luck;
    const values = { name: sideName(found, seat, this.words), points: pointsText(luck), shares };
    if (!isCertain(luck))
      return h("p", {}, t("{name} won; what luck did is too close to tell ({points} points).", values));
    if (p > 0)
      return h("p", {}, t("{name} won with {points} points of luck; without luck it stands {shares}.", values));
    const cost = pointsText({ p: -p, margin });
    return h(
      "p",
      {},
      t("{name} won against luck, which cost {points} points; without luck it stands {shares}.", {
        ...values,
        points: cost,
      }),
    );
  }

  /**
   * The board after an entry in the reviewed record, from the current viewpoint.
   *
   * @param {number} after
   */
  #boardAfter(after) {
    const address = this.record.address("board.svg", { at: this.#version, after });
    const drawn = this.#boards.get(address);
    if (drawn) return drawn;
    const element = h("div", { class: "slip-board", "aria-busy": "true" });
    this.#boards.set(address, element);
    this.#draw(address, element);
    return element;
  }

  /**
   * @param {string} address
   * @param {HTMLElement} element
   */
  async #draw(address, element) {
    try {
      const picture = await getText(address);
      new Board(element).show(picture, new Set(), this.words);
    } catch {
      this.#boards.delete(address); // loaded again at the next drawing, or when the connection is back
      element.replaceChildren(hint(t("No connection: try again later.")));
      addEventListener("online", () => this.#draw(address, element), { once: true });
    }
  }

  /**
   * @param {SeatReview} review
   * @param {Review} found
   */
  #seat(review, found) {
    const { seat, turns, played = 0, cost, accuracy, slips } = review;
    if (!turns) return h("section", {}, h("h4", {}, this.#name(seat)), hint(noTurnSentence(lacksGames(review, found))));
    const isPartial = turns < played;
    return h(
      "section",
      {},
      h("h4", {}, this.#name(seat)),
      isPartial ? h("p", {}, t("Of {played} turns, {count} could be judged.", { played, count: turns })) : null,
      accuracy && cost ? h("p", {}, accuracySentences(accuracy, turns, cost)) : hint(noAccuracySentence()),
      slips.length ? slips.map((slip) => this.#slip(slip)) : hint(noSlipSentence(lacksGames(review, found), isPartial)),
    );
  }

  /** Erase all choices, close the answers, and go to the first question. */
  #beginAgain() {
    this.#choices.erase(this.#id);
    for (const { show } of this.#questions) show(null);
    this.#questions[0].keys[0].focus();
    this.#again.hidden = true;
  }

  /**
   * A slip as a question: the board before it, the possible moves, and the answer.
   *
   * @param {Slip} slip
   */
  #slip(slip) {
    const { version, after } = slip;
    const verdict = h("p", { role: "status" });
    const answer = answerView(slip, this.words.atEntry(version));
    const options = slipOptions(slip);
    const keys = options.map((option) =>
      h(
        "button",
        { type: "button", "aria-pressed": "false", onclick: () => choose(option.move) },
        optionView(withoutOutcome(option), this.words.atEntry(version)),
      ),
    );
    /** @param {string | null} move */
    const show = (move) => {
      for (const [at, key] of keys.entries()) key.setAttribute("aria-pressed", String(options[at].move === move));
      verdict.replaceChildren(...(move === null ? [] : [verdictOn(move, slip)]));
      answer.open = move !== null;
    };
    /** @param {string} move */
    const choose = (move) => {
      show(move);
      this.#again.hidden = false;
      this.#choices.put(this.#id, version, move);
    };
    this.#questions.push({ keys, show });
    const chosen = this.#choices.of(this.#id).get(version);
    if (chosen !== undefined) show(chosen);
    const caption = t("The board before entry {version}", { version });
    return h(
      "div",
      { class: "slip" },
      h("p", {}, entryLink(version), " · ", t("What would you play?")),
      h("figure", {}, this.#boardAfter(after), h("figcaption", { class: "hint" }, caption)),
      h("div", { class: "choices" }, h("div", { class: "actions" }, keys), verdict),
      answer,
    );
  }
}

/**
 * What is said once if nothing is known of any seat; else null.
 *
 * @param {Review} found
 */
function sharedHints(found) {
  const { seats } = found;
  if (seats.some(({ accuracy, slips }) => accuracy || slips.length)) return null;
  if (seats.every((each) => lacksGames(each, found))) return [hint(noAccuracySentence()), hint(noSlipSentence(true))];
  return seats.some(({ turns }) => turns) ? null : hint(noTurnSentence(false));
}

/**
 * Whether more games could show slips of a seat.
 *
 * @param {Pick<SeatReview, "turns" | "unclear">} review
 * @param {Pick<Review, "enough">} found
 */
function lacksGames({ turns, unclear }, { enough }) {
  return Boolean(unclear) || !(turns || enough);
}

/**
 * Why the worth of luck is not told; null if no chance was in the game.
 *
 * @param {boolean} isRough
 * @param {SeatReview[]} seats
 */
function notToldHint(isRough, seats) {
  if (isRough)
    return hint(
      t("The worth of luck is not known: the simulated games do not show it to within {points} points.", {
        points: wholePercent(WIDEST_MARGIN),
      }),
    );
  return seats.every(({ without_luck: own }) => own)
    ? null
    : hint(t("The worth of luck is not known: too little is known of what came by chance."));
}

/**
 * The accuracy of a seat, and the cost of a turn if it is certain.
 *
 * @param {Chance} accuracy
 * @param {number} turns
 * @param {Worth} cost
 */
function accuracySentences(accuracy, turns, cost) {
  return [
    tn(turns, "Accuracy {accuracy}, by {count} turn.", "Accuracy {accuracy}, by {count} turns.", {
      accuracy: chanceText(accuracy),
    }),
    cost.p > 0 && isCertain(cost)
      ? [" ", t("A turn cost {points} points of winning chance on average.", { points: pointsText(cost) })]
      : null,
  ];
}

function noAccuracySentence() {
  return t("Too little is known to tell an accuracy.");
}

/** What an accuracy counts. */
function accuracyHelp() {
  return t(
    "Accuracy says how little winning chance the decisions of a seat cost: 100 if nothing, 64 if 10 points in each turn.",
  );
}

/**
 * Why an accuracy can be high although there are slips.
 *
 * @param {Pick<Review, "seats" | "blunders">} review
 */
export function comparisonHelp({ seats, blunders }) {
  return seats.some(({ accuracy, slips }) => accuracy && slips.length)
    ? [
        " ",
        t("It compares with a policy that makes {blunders} of 100 moves at random: it can be high despite slips.", {
          blunders,
        }),
      ]
    : null;
}

/**
 * Why no slip is told.
 *
 * @param {boolean} unclear
 * @param {boolean} isPartial whether some turns could not be judged
 */
function noSlipSentence(unclear, isPartial = false) {
  if (unclear)
    return t("Too few games were simulated to tell slips. Ask for a finer review: a smaller precision, or more games.");
  return isPartial
    ? t("In the turns that could be judged, no move is known to have been a slip.")
    : t("No move is known to have been a slip.");
}

/**
 * Why nothing is told of a seat.
 *
 * @param {boolean} unclear
 */
function noTurnSentence(unclear) {
  return unclear ? noSlipSentence(true) : t("No turn could be judged.");
}

/**
 * The moves of a slip, sorted by name, so that the order does not reveal the better one.
 *
 * @param {Pick<Slip, "made" | "better" | "others">} slip
 */
export function slipOptions({ made, better, others }) {
  return [made, better, ...others].toSorted((one, other) => (one.move < other.move ? -1 : 1));
}

/**
 * A move of a question: it does not tell that the game is over after it, and who wins.
 *
 * @template {{ effects?: { kind: string }[] }} T
 * @param {T} option
 */
export function withoutOutcome(option) {
  return { ...option, effects: option.effects?.filter(({ kind }) => !kind.startsWith("game.")) };
}

/**
 * The better move and its advantage; folded at first.
 *
 * @param {Slip} slip
 * @param {Words} words
 */
function answerView(slip, words) {
  const { better, made, loss } = slip;
  const found = t("{better} is better than {made} by {points} points.", {
    better: moveText(better, words),
    made: moveText(made, words),
    points: pointsText(loss),
  });
  return h("details", {}, h("summary", {}, t("What was better")), h("p", {}, found), optionsTable(slip, words));
}

/**
 * What is said of a chosen move.
 *
 * @param {string} move
 * @param {Pick<Slip, "made" | "better" | "others">} slip
 */
export function verdictOn(move, { made, better, others }) {
  if (move === better.move) return t("This is the best of these moves.");
  if (move === made.move) return t("This was played. Another move is better.");
  return others.some((other) => other.move === move && isClose(better.chances, other.chances))
    ? t("This is as good as the best of these moves, as far as is known.")
    : t("Another move is better.");
}

/**
 * Whether the difference of two chances is within its margin.
 *
 * @param {Chance} one
 * @param {Chance} other
 */
function isClose(one, other) {
  return Math.abs(one.p - other.p) <= Math.hypot(one.high - one.low, other.high - other.low) / 2;
}

/**
 * @param {Slip} slip
 * @param {Words} words
 */
function optionsTable({ version, made, better, others }, words) {
  /**
   * @param {TriedMove} option
   * @param {string} how
   */
  const row = (option, how) => [optionView(option, words), how, chanceText(option.chances), String(option.n)];
  const rows = [row(better, t("better")), ...others.map((other) => row(other, t("instead"))), row(made, t("was made"))];
  return table(t("Options at entry {version}", { version }), [t("Move"), t("How"), t("Chance to win"), "n"], rows);
}

/**
 * The seat that won the reviewed game: its result with luck is the whole game. Null without one, or if too little is
 * known about luck.
 *
 * @template {{ luck: Worth, without_luck: Worth | null }} T
 * @param {T[]} seats
 */
export function winnerOf(seats) {
  const winners = seats.filter(({ luck, without_luck: own }) => own && own.p + luck.p > 0.99);
  return winners.length === 1 && seats.every(({ without_luck: own }) => own) ? winners[0] : null;
}

/**
 * The percentage of each seat without luck: “46 : 54”.
 *
 * @param {{ without_luck: Worth | null }[]} seats
 */
export function sharesText(seats) {
  const results = seats.flatMap(({ without_luck: own }) => own ?? []);
  return partsOfHundred(results.map(({ p }) => Math.min(1, Math.max(0, p)))).join(" : ");
}
