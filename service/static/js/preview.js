import { h } from "./dom.js";
import { score, stone } from "./words.js";

/** What an entry would do, as a dry run of it says: effects, the rules it breaks, and what it changes in the score. */
export function preview({ seat, notation, effects = [], irregular = [], scores, outcome }, before, words) {
  return h(
    "div",
    { class: irregular.length ? "dry-run irregular" : "dry-run" },
    notation &&
      h(
        "p",
        { class: "head" },
        seat == null ? null : [stone(seat), h("bdi", { class: "name" }, words.name(seat))],
        h("b", { class: "notation" }, notation),
      ),
    irregular.length
      ? h(
          "ul",
          { class: "flags" },
          irregular.map(({ rule, why }) => h("li", {}, h("b", {}, "Irregular: "), why, " ", words.rule(rule))),
        )
      : null,
    effects.length
      ? h(
          "ul",
          { class: "effects" },
          effects.map((effect) => h("li", {}, words.effect(effect), " ", words.rule(effect.rule))),
        )
      : null,
    h("p", { class: "score-change" }, change(before, scores)),
    outcome ? h("p", { class: "outcome" }, h("b", {}, words.outcome(outcome)), " ", words.rule(outcome.rule)) : null,
  );
}

function change(before, after) {
  return score(before) === score(after)
    ? `The score stays ${score(after)}.`
    : ["The score becomes ", h("b", {}, score(after)), ` (it was ${score(before)}).`];
}
