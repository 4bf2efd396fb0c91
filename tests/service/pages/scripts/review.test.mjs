import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "./document.mjs";
import { embed } from "../../../../service/pages/static/js/base/api.js";
import { h } from "../../../../service/pages/static/js/base/dom.js";
import { moveText, optionView } from "../../../../service/pages/static/js/analysis/tables.js";
import { comparisonHelp, verdictOn, ReviewView } from "../../../../service/pages/static/js/analysis/review.js";

const WORDS = {
  name: (seat) => ["Ann", "Ben"][seat],
  translatePhrase: (text) => text,
  termFor: () => "a name of moves",
  effectText: ({ kind, seat }) => `${WORDS.name(seat)} ${kind}`,
};
const PLAYED = { games: 90, enough: true, precision: 5, blunders: 10, policy: "toy", policy_revision: 1, left_out: 0 };

const NOT_TOLD = "The worth of luck is not known: the simulated games do not show it to within 20 points.";

/** Nothing came by chance. */
const NONE = { n: 0, left_out: 0, kinds: [] };

/** What is said of luck: `worth` is that of Ben, `results` are those with luck. */
function luckSentence(worth, results, margin = 0.04, own = true, counted = { n: 1, left_out: 3, kinds: [] }) {
  const seats = results.map((result, seat) => {
    const luck = seat ? worth : -worth;
    const without = own && result != null ? { p: result - luck, margin } : null;
    return { seat, turns: 2, cost: null, accuracy: null, luck: { p: luck, margin }, without_luck: without, slips: [] };
  });
  const view = new ReviewView({}, WORDS);
  return texts(view.show({ ...PLAYED, seats, over: own, luck_counts: counted }, 9), "p")[0];
}

test("the winner's luck is one sentence, with the result without luck", () => {
  assert.equal(luckSentence(0.54, [0, 1]), "Ben won with 54 ± 4 points of luck; without luck it stands 54 : 46.");
  const against = "Ben won against luck, which cost 11 ± 4 points; without luck it stands 0 : 100.";
  assert.equal(luckSentence(-0.11, [0, 1]), against);
  assert.equal(luckSentence(0.03, [0, 1]), "Ben won; what luck did is too close to tell (3 ± 4 points).");
});

test("a draw has its result without luck; an open game or rough figures have none", () => {
  assert.equal(luckSentence(0.2, [0.5, 0.5]), "Without luck it stands 70 : 30.");
  assert.equal(luckSentence(0.1, [0.3, 0.7]), "Without luck it stands 40 : 60.", "nobody has won yet");
  assert.ok(!luckSentence(0.2, [0.5, 0.5], 0.04, false, NONE).includes("luck"));
  assert.equal(luckSentence(0.3, [0, 1], 0.21), NOT_TOLD);
  assert.equal(luckSentence(0.3, [null, null]), NOT_TOLD);
  assert.equal(
    luckSentence(0, [null, null], 0),
    "The worth of luck is not known: too little is known of what came by chance.",
  );
  assert.ok(
    !luckSentence(0.3, [0, 1], 0.21, false, NONE).includes("luck"),
    "the game went on then, as rough as luck is known",
  );
  assert.ok(!luckSentence(0, [0, 1], 0, true, NONE).includes("luck"), "no event of chance is known");
  assert.ok(!luckSentence(0, [null, null], 0, true, NONE).includes("luck"), "nothing came by chance");
});

test("luck without a known worth is given by counts, with a link to all of them", () => {
  const luck = { p: 0.3, margin: 0.3 };
  const seats = [0, 1].map((seat) => ({
    seat,
    turns: 2,
    cost: null,
    accuracy: null,
    luck,
    without_luck: null,
    slips: [],
  }));
  const counted = { n: 9, left_out: 3, kinds: [], figures: 12, extreme: { stands_out: false } };
  /** @param {object} found */
  const shown = (found) => new ReviewView({}, WORDS).show({ ...PLAYED, seats, luck_counts: counted, ...found }, 9);
  const ordinary = "Luck was ordinary: chance alone explains the differences in all 12 figures. All figures of luck";
  assert.deepEqual(texts(shown({ over: true }), "p").slice(0, 2), [NOT_TOLD, ordinary]);
  assert.equal(texts(shown({ over: false }), "p")[0], ordinary, "a game that goes on has no result");
  const known = { luck: { p: 0.3, margin: 0.04 }, without_luck: { p: 0.2, margin: 0.04 } };
  const sentences = texts(shown({ over: true, seats: seats.map((own) => ({ ...own, ...known })) }), "p");
  assert.deepEqual(
    sentences.filter((text) => text.includes("ordinary")),
    [],
    "its worth says more",
  );
});

/** What is said of a seat, in paragraphs. */
function paragraphs(own, tag = "p") {
  const seat = {
    seat: 0,
    turns: 9,
    cost: null,
    accuracy: null,
    luck: { p: 0, margin: 0 },
    without_luck: null,
    slips: [],
  };
  const view = new ReviewView({}, WORDS);
  return texts(view.show({ ...PLAYED, seats: [{ ...seat, ...own }] }, 9), tag).join(" ");
}

test("without a known slip the review names too few simulated games, and the remedy", () => {
  assert.ok(paragraphs({}).includes("No move is known to have been a slip."));
  assert.ok(paragraphs({ unclear: 0 }).includes("No move is known to have been a slip."));
  const few = paragraphs({ unclear: 2 });
  assert.ok(few.includes("Too few games were simulated to tell slips. Ask for a finer review"));
  assert.ok(!few.includes("No move is known"));
});

test("a seat with turns that could not be judged says how many could", () => {
  const some = paragraphs({ turns: 5, played: 12 });
  assert.ok(some.includes("Of 12 turns, 5 could be judged. Too little is known to tell an accuracy."), some);
  assert.ok(some.includes("In the turns that could be judged, no move is known to have been a slip."));
  assert.ok(!paragraphs({ turns: 12, played: 12 }).includes("could be judged"));
  assert.ok(!paragraphs({ turns: 12 }).includes("could be judged"), "an older result does not know");
});

test("one sentence says that nothing is known of any seat", () => {
  const none = { cost: null, accuracy: null, luck: { p: 0, margin: 0 }, without_luck: null };
  const rough = { ...none, turns: 3, slips: [], unclear: 2 };
  const show = (...seats) => texts(new ReviewView({}, WORDS).show({ ...PLAYED, seats }, 9), "p");
  /** @param {string[]} sentences */
  const few = (sentences) =>
    sentences.filter((text) => text.startsWith("Too few games were simulated to tell slips.")).length;
  const alike = show({ ...rough, seat: 0 }, { ...rough, seat: 1 });
  assert.equal(few(alike), 1);
  assert.ok(alike.includes("Too little is known to tell an accuracy."));
  assert.equal(few(show({ ...rough, seat: 0 }, { ...rough, seat: 1, unclear: 0 })), 1, "of one seat alone");
});

test("an accuracy comes with its explanation", () => {
  const counts = "100 if nothing, 64 if 10 points in each turn.";
  const accuracy = { p: 0.9, low: 0.86, high: 0.94 };
  assert.ok(paragraphs({ accuracy, cost: { p: 0.02, margin: 0.01 } }).includes(counts));
  assert.ok(!paragraphs({}).includes(counts));
});

test("an accuracy beside slips says with what it compares", () => {
  const policy = "It compares with a policy that makes 10 of 100 moves at random: it can be high despite slips.";
  const accuracy = { p: 1, low: 0.95, high: 1 };
  const own = { seat: 0, turns: 9, cost: { p: 0, margin: 0.01 }, accuracy, luck: { p: 0, margin: 0 }, slips: [] };
  /** @param {object[]} seats */
  const notes = (...seats) =>
    comparisonHelp({ ...PLAYED, seats })
      ?.join("")
      .trim();
  assert.equal(notes({ ...own, slips: [{}] }), policy);
  assert.equal(notes(own, { ...own, accuracy: null, slips: [{}] }), undefined);
});

test("a choice is told in notation and in words; an older result has no words", () => {
  const effects = [
    { kind: "put a card under stack 4", seat: 0, at: [] },
    { kind: "handed the dice over", seat: 0, at: [] },
  ];
  /** @param {object} option */
  const told = (option) => texts(h("p", {}, h("button", {}, optionView(option, WORDS))), "button");
  const words = "under 4 Ann put a card under stack 4 · Ann handed the dice over";
  assert.deepEqual(told({ move: "under 4", effects }), [words]);
  assert.deepEqual(told({ move: "under 4" }), ["under 4"]);
  assert.deepEqual(told({ move: "roll", type: "roll", effects: [] }), ["roll a name of moves"]);
});

test("a move whose notation has no word is named in words too", () => {
  /** @param {(option: object, words: object) => unknown} view @param {object} option */
  const told = (view, option) => texts(h("p", {}, h("button", {}, view(option, WORDS))), "button")[0];
  const effects = [{ kind: "must draw", seat: 1, at: [] }];
  assert.equal(told(optionView, { move: "-", type: "decline", effects }), "- a name of moves · Ben must draw");
  assert.equal(told(moveText, { move: "-", type: "decline", effects }), "- (a name of moves)");
  assert.equal(told(moveText, { move: "-" }), "-", "an older result");
  assert.equal(told(moveText, { move: "+HUNA", type: "draw" }), "+HUNA");
});

test("a question does not tell who would win, and its answer does", () => {
  const option = (move, p, kind) => ({
    ...{ move, n: 90, chances: { p, low: p, high: p }, type: "gain" },
    effects: [{ kind, seat: 0, at: [] }],
  });
  const [made, better] = [option("gain r", 0.2, "gained red"), option("gain w", 0.9, "game.won")];
  const slip = { version: 4, after: 3, made, better, others: [], loss: { p: 0.7, margin: 0.1 } };
  const seat = { seat: 0, turns: 2, cost: null, accuracy: null, luck: { p: 0, margin: 0 }, without_luck: null };
  embed({ "/board": { body: new Promise(() => {}), tag: null } });
  const view = new ReviewView({ address: () => "/board" }, { ...WORDS, atEntry: () => WORDS });
  const shown = view.show({ ...PLAYED, seats: [{ ...seat, slips: [slip] }] }, 9);
  assert.deepEqual(texts(shown, ".choices button"), ["gain r Ann gained red", "gain w a name of moves"]);
  assert.ok(texts(shown, "td").includes("gain w Ann game.won"));
});

test("the chosen move of a slip stays chosen when the review is drawn anew", () => {
  const option = (move, p) => ({ move, n: 90, chances: { p, low: p, high: p } });
  const slip = { version: 4, after: 3, made: option("b", 0.2), better: option("a", 0.9), others: [], loss: { p: 0.7 } };
  const seat = { seat: 0, turns: 2, cost: null, accuracy: null, luck: { p: 0, margin: 0 }, without_luck: null };
  embed({ "/board": { body: new Promise(() => {}), tag: null } });
  const view = new ReviewView({ address: () => "/board" }, { ...WORDS, atEntry: () => WORDS });
  const show = () => view.show({ ...PLAYED, seats: [{ ...seat, slips: [slip] }] }, 9);
  const verdict = (shown) => [texts(shown, "[role=status]")[0], shown.querySelector(".slip details").open === true];
  const first = show();
  assert.deepEqual(
    [verdict(first), texts(first, ".choices button")],
    [
      ["", false],
      ["a", "b"],
    ],
  );
  first.querySelectorAll(".choices button")[1].click();
  const pressed = (shown) => shown.querySelectorAll(".choices button").map((key) => key.getAttribute("aria-pressed"));
  assert.deepEqual(pressed(first), ["false", "true"]);
  assert.deepEqual(pressed(show()), ["false", "true"]);
  assert.deepEqual(verdict(first), ["This was played. Another move is better.", true]);
  assert.deepEqual(verdict(show()), verdict(first));
});

test("choices at slips last for a reload of the page, and each viewpoint has its own", () => {
  const kept = {};
  Object.defineProperties(kept, { setItem: { value: () => {} }, removeItem: { value: () => {} } });
  const option = (move, p) => ({ move, n: 90, chances: { p, low: p, high: p } });
  const slip = (version) => ({
    ...{ version, after: version - 1, made: option("b", 0.2), better: option("a", 0.9), others: [], loss: { p: 0.7 } },
  });
  const seat = { seat: 0, turns: 2, cost: null, accuracy: null, luck: { p: 0, margin: 0 }, without_luck: null };
  /** The review on a page that was loaded anew. @param {string} id */
  const loaded = (id) => {
    globalThis.sessionStorage = kept;
    embed({ [`/board of ${id}`]: { body: new Promise(() => {}), tag: null } });
    const view = new ReviewView({ address: () => `/board of ${id}` }, { ...WORDS, atEntry: () => WORDS });
    return view.show({ ...PLAYED, seats: [{ ...seat, slips: [slip(4), slip(6)] }] }, 9, id);
  };
  const keys = (shown) => shown.querySelectorAll(".choices button");
  const pressed = (shown) => keys(shown).map((key) => key.getAttribute("aria-pressed") === "true");
  const opened = (shown) => shown.querySelectorAll(".slip details").map((answer) => answer.open === true);
  const again = (shown) => shown.querySelector(".begin-again");
  const first = loaded("of the record");
  assert.equal(again(first).hidden, true, "nothing was chosen");
  keys(first)[1].click();
  keys(first)[2].click();
  assert.equal(again(first).hidden, false);
  const none = [false, false, false, false];
  assert.deepEqual(pressed(loaded("of the record")), [false, true, true, false]);
  assert.deepEqual(opened(loaded("of the record")), [true, true]);
  assert.deepEqual([pressed(loaded("of a seat")), again(loaded("of a seat")).hidden], [none, true]);
  const shown = loaded("of the record");
  again(shown).querySelector("button").click();
  for (const erased of [shown, loaded("of the record")]) {
    assert.deepEqual([pressed(erased), opened(erased)], [none, [false, false]]);
    assert.deepEqual([texts(erased, "[role=status]"), again(erased).hidden], [["", ""], true]);
  }
  assert.equal(document.activeElement, keys(shown)[0], "the first question");
  assert.deepEqual(Object.keys(kept), []);
  kept["kifu.slips.of the record"] = "{";
  assert.deepEqual(pressed(loaded("of the record")), none, "what another program stored");
  delete globalThis.sessionStorage;
});

test("a move that may be as good as the best is not called worse", () => {
  const option = (move, p, half) => ({ move, n: 90, chances: { p, low: p - half, high: p + half } });
  const slip = { made: option("a", 0.2, 0.06), better: option("b", 0.9, 0.06) };
  const others = [option("c", 0.82, 0.06), option("d", 0.7, 0.06)];
  const verdicts = ["a", "b", "c", "d"].map((move) => verdictOn(move, { ...slip, others }));
  assert.deepEqual(verdicts, [
    "This was played. Another move is better.",
    "This is the best of these moves.",
    "This is as good as the best of these moves, as far as is known.",
    "Another move is better.",
  ]);
});

test("a review without simulated games claims nothing of them", () => {
  const luck = { p: 0, margin: 0 };
  const seats = [{ seat: 0, turns: 0, cost: null, accuracy: null, luck, without_luck: null, slips: [], unclear: 0 }];
  const told = texts(new ReviewView({}, WORDS).show({ ...PLAYED, games: 0, seats }, 1), "p");
  assert.equal(told.at(-1), "No games were simulated.");
});

test("a seat without a judged turn is not said to have no slip", () => {
  const accuracy = { p: 0.9, low: 0.86, high: 0.94 };
  const none = { seat: 0, turns: 0, cost: null, accuracy: null, luck: {}, without_luck: null, slips: [], unclear: 0 };
  const judged = { ...none, seat: 1, turns: 9, cost: { p: 0, margin: 0.01 }, accuracy };
  /** @param {object} found @param {object[]} seats */
  const told = (found, ...seats) => {
    const shown = new ReviewView({}, WORDS).show({ ...PLAYED, ...found, seats, luck_counts: NONE }, 9);
    return [texts(shown, "h4"), texts(shown, "p").slice(0, -1)];
  };
  const few = "Too few games were simulated to tell slips. Ask for a finer review: a smaller precision, or more games.";
  assert.deepEqual(told({}, none, { ...none, seat: 1 }), [[], ["No turn could be judged."]], "it is said once");
  const both = [[], ["Too little is known to tell an accuracy.", few]];
  assert.deepEqual(told({ enough: false }, none, { ...none, seat: 1 }), both);
  assert.deepEqual(told({}, none, judged)[0], ["Ann", "Ben"]);
  assert.deepEqual(told({}, none, judged)[1].slice(0, 3), [
    "No turn could be judged.",
    "Accuracy 90 % (86 to 94), by 9 turns.",
    "No move is known to have been a slip.",
  ]);
  assert.equal(told({ enough: false }, none, judged)[1][0], few);
});
