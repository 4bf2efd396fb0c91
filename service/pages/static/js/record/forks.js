import { get } from "../base/api.js";
import { h } from "../base/dom.js";
import { entrySummary, effectLines, bulletList } from "./entry.js";
import { t, tn } from "../base/language.js";
import { failureView } from "../base/problem.js";
import { scoreText } from "../base/words.js";

/**
 * Make every button that names another game show where it differs from this one.
 *
 * @param {HTMLElement} element
 * @param {GameRecord} record
 * @param {Words} words
 */
export function showComparisons(element, record, words) {
  let pressed = null;
  element.addEventListener("click", async ({ target }) => {
    const button = target.closest("button");
    const { compare } = button?.dataset ?? {};
    if (!compare) return;
    pressed = button;
    const shown = await get(`${record.address("comparison")}&with=${compare}`).then(
      ({ body }) => comparisonView(body, words),
      (error) => failureView(error, words),
    );
    if (pressed === button) element.querySelector(".comparison").replaceChildren(shown); // else another game is wanted
  });
}

/**
 * @param {Schemas["Comparison"]} compared
 * @param {Words} words
 */
function comparisonView({ games, common, first_difference: parting, scores, outcomes }, words) {
  return h(
    "section",
    { "aria-label": t("Comparison") },
    h(
      "p",
      {},
      tn(common, "{count} move or ruling is the same.", "{count} moves and rulings are the same."),
      " ",
      parting ? t("From here on they differ:") : t("They are the same."),
    ),
    h(
      "div",
      { class: "sides" },
      [t("This game"), t("The other game")].map((name, side) =>
        h(
          "section",
          {},
          h("h4", {}, name),
          parting ? differenceView(parting[side], games[side], words) : null,
          h("p", {}, t("Score: {score}", { score: h("b", {}, scoreText(scores[side])) })),
          h("p", {}, outcomes[side] ? words.outcomeText(outcomes[side]) : t("It goes on.")),
        ),
      ),
    ),
  );
}

/**
 * @param {Entry | null} entry
 * @param {string} game
 * @param {Words} words
 */
function differenceView(entry, game, words) {
  if (!entry) return h("p", {}, t("Nothing more is recorded."));
  return [
    h(
      "p",
      {},
      h("a", { href: `/games/${game}#${entry.version}` }, t("Entry {version}", entry)),
      " ",
      entrySummary(entry, words),
    ),
    bulletList("effects", effectLines(entry.effects ?? [], words)),
  ];
}
