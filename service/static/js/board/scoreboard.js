import { h } from "../base/dom.js";
import { stone } from "../base/words.js";

/** Who plays, how the score stands, and who is to move, unless the record is `closed`. */
export function showScoreboard(list, turn, { to_move: toMove, scores, outcome }, words, closed) {
  list.replaceChildren(
    ...words.seats.map(({ seat, label, player, name }) =>
      h(
        "li",
        { class: outcome?.winners.includes(seat) ? "won" : false, "aria-current": seat === toMove ? "true" : false },
        stone(seat),
        h(
          "span",
          { class: "name" },
          h("bdi", {}, words.name(seat)),
          h("small", {}, name ? `${label.en} ` : player ? "name erased " : "", h("span", { lang: "ja" }, label.ja)),
        ),
        h("b", { class: "points" }, String(scores[seat])),
      ),
    ),
  );
  turn.replaceChildren(
    outcome
      ? h("span", {}, words.outcome(outcome), " ", words.rule(outcome.rule))
      : closed
        ? `The game was ${closed}`
        : toMove == null
          ? "The table is to act"
          : `${words.name(toMove)} to move`,
  );
}
