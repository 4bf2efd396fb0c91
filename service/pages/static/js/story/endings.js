import { named, t } from "../base/language.js";
import { ruleWord, title } from "../base/words.js";

/**
 * Why games end, by the reasons that rulesets have. A reason that is not here stands for itself.
 *
 * @type {Record<string, string>}
 */
const ENDINGS = {
  adjudicated: t("A referee decided"),
  bridges: t("Level, so the bridges decided"),
  draw: t("Nothing decided between them"),
  forced_loss: t("Those ahead lose in any case"),
  last_bridge: t("The other has no bridge left"),
  last_standing: t("All others dropped out"),
  lost_together: t("The game beat the players"),
  no_bridge: t("The other has no bridge left"),
  no_mana: t("Somebody has no mana left"),
  no_white: t("No white chip is left"),
  nobody: t("Nobody is left who could win"),
  one_house: t("All are in one house"),
  points: t("Most points"),
  reached_first: t("First to reach the target"),
  resigned: t("Everybody else gave up"),
  rounds: t("All rounds are played"),
  stopped: t("The game was stopped early"),
  stopped_without_winner: t("The game was stopped early"),
  target: t("The target is reached"),
  third_round: t("Level, so the third round decided"),
  tie: t("Nothing decided between them"),
  won_together: t("The players beat the game"),
};

/**
 * Why a game ended as it did.
 *
 * @param {Outcome} outcome
 * @param {import("../board/scoreboard.js").Deciding | null | undefined} deciding what ranks the seats in place of their points
 * @param {boolean} fewest whether the fewest points win
 */
export function ending({ reason }, deciding, fewest) {
  const what = deciding ? named(deciding.title) : "";
  if (reason === "ranking" && what) return t("Decided by: {what}", { what });
  if (reason === "tie_breaker" && what) return t("Level on points, decided by: {what}", { what });
  if (reason === "points" && fewest) return t("Fewest points");
  return ENDINGS[reason] ?? title(ruleWord(reason));
}
