import { h } from "../base/dom.js";
import { commas, named, t } from "../base/language.js";
import { ruleWord, stone } from "../base/words.js";

/** Letters of a name that has a line of its own where it is said who is to move. */
const LONG = 16;

/**
 * Who plays, how the score stands, and who is to move, unless the record is `closed`.
 *
 * @param {Element} list
 * @param {Element} turn
 * @param {Got<"/v1/games/{game}/state">} state
 * @param {Words} words
 * @param {string | null | undefined | false} closed
 */
export function showScoreboard(list, turn, { to_move: toMove, scores, deciding, markers, outcome }, words, closed) {
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
          h("small", {}, name ? named(label) : player ? t("name erased") : ""),
        ),
        has(markers, seat),
        h("b", { class: "points" }, String(scores[seat])),
        deciding?.values[seat]
          ? h("small", { class: "deciding" }, h("span", {}, named(deciding.title)), `: ${deciding.values[seat]}`)
          : "",
      ),
    ),
  );
  const mover = toMove == null ? "" : words.name(toMove);
  turn.classList.toggle("long", !outcome && !closed && mover.length > LONG);
  turn.replaceChildren(
    outcome
      ? h("span", {}, words.outcome(outcome), " ", words.rule(outcome.rule))
      : closed
        ? t("The game was {how}", { how: ruleWord(closed) })
        : toMove == null
          ? words.ruleset.name === "scoresheet"
            ? t("Write it down")
            : t("Cards or dice next")
          : t("{name} to move", { name: mover }),
  );
}

/**
 * The markers that a seat has: who deals, who begins.
 *
 * @param {Got<"/v1/games/{game}/state">["markers"]} [markers] none in what was kept of an older release
 * @param {number} [seat]
 */
function has(markers = [], seat = 0) {
  const names = markers.filter(({ seats }) => seats.includes(seat)).map(({ title }) => named(title));
  return names.length ? h("small", { class: "marker" }, commas(names)) : "";
}
