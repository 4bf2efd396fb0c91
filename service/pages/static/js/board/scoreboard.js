import { h } from "../base/dom.js";
import { joinWithCommas, translated, t } from "../base/language.js";
import { cutNames } from "../base/names.js";
import { ruleWord, seatMark } from "../base/words.js";

/** The least length of a name that gets its own line in the sentence about the next player. */
const LONG = 16;

/** Replaces a value if the title says everything: who dropped out. */
const MARK = "✗";

/** @typedef {NonNullable<Got<"/v1/games/{game}/state">["deciding"]>} Deciding */

/**
 * The value that decides for a seat instead of its points, or beside them.
 *
 * @param {{ deciding?: Deciding | null }} state
 * @param {number} seat
 * @param {Words} words
 */
export function decidingView({ deciding }, seat, words) {
  const value = deciding?.values[seat];
  if (!deciding || !value) return null;
  const text = value === MARK ? "" : `: ${words.labelText(value)}`;
  return h("small", { class: "deciding" }, h("span", {}, translated(deciding.title)), text);
}

/**
 * Whether the points mean something: nobody has any if another value decides.
 *
 * @param {{ scores: number[], deciding?: Deciding | null }} state
 */
export function hasPoints({ scores, deciding }) {
  return scores.some(Boolean) || !deciding?.values.some(Boolean);
}

/**
 * Show the players, the score, and the next player, unless the record is `closed`.
 *
 * @param {Element} list
 * @param {Element} turn
 * @param {Got<"/v1/games/{game}/state">} state
 * @param {Words} words
 * @param {string | null | undefined | false} closed
 */
export function showScoreboard(list, turn, state, words, closed) {
  const { to_move: toMove, scores, markers, outcome } = state;
  const counted = hasPoints(state);
  list.replaceChildren(
    ...words.seats.map(({ seat, label, player, name }) =>
      h(
        "li",
        { class: outcome?.winners.includes(seat) ? "won" : false, "aria-current": seat === toMove ? "true" : false },
        seatMark(seat),
        h(
          "span",
          { class: "name" },
          h("bdi", {}, words.name(seat)),
          h("small", {}, name ? translated(label) : player ? t("name erased") : ""),
        ),
        markersView(markers, seat),
        h("b", { class: "points" }, counted ? String(scores[seat]) : ""),
        decidingView(state, seat, words),
      ),
    ),
  );
  cutNames(list.querySelectorAll("bdi"));
  const mover = toMove == null ? "" : words.name(toMove);
  turn.classList.toggle("long", !outcome && !closed && mover.length > LONG);
  turn.replaceChildren(
    outcome
      ? h("span", {}, words.outcomeText(outcome), " ", words.ruleLink(outcome.rule))
      : closed
        ? t("The game was {how}", { how: ruleWord(closed) })
        : toMove == null
          ? words.ruleset.name === "scoresheet"
            ? t("Write it down")
            : t("The table moves next")
          : t("{name} to move", { name: mover }),
  );
}

/**
 * The markers of a seat: the dealer, the first player.
 *
 * @param {Got<"/v1/games/{game}/state">["markers"]} [markers] missing in stored copies of an older release
 * @param {number} [seat]
 */
function markersView(markers = [], seat = 0) {
  const names = markers.filter(({ seats }) => seats.includes(seat)).map(({ title }) => translated(title));
  return names.length ? h("small", { class: "marker" }, joinWithCommas(names)) : "";
}
