"""The reasons for the end of a game, in words for its page, its file and its report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.scoresheet import SCORESHEET
from service.languages import gettext, localized

if TYPE_CHECKING:
    from games.contract import Ruleset
    from projections.fold import Fold


def ending_of(fold: Fold) -> str:
    """Why a finished game ended, as a sentence. Empty for another game."""
    outcome, deciding = fold.outcome(), fold.deciding()
    if outcome is None:
        return ""
    said = endings(fold.ruleset, fewest=fold.state.wins == "lowest").get(outcome.reason)
    if said is None:
        return reason_text(outcome.reason)
    return said.replace("{what}", localized(deciding.title)) if deciding else said


def reason_text(reason: str) -> str:
    """A reason as a sentence, without the values and the points of a game."""
    said = _at_the_end(fewest=False) | _by_people() | {"tie_breaker": _on_any_sheet()["tie_breaker"]}
    words = gettext(reason.replace("_", " "))
    return said[reason] if reason in said and "{" not in said[reason] else words[:1].upper() + words[1:]


def ways_to_end(ruleset: Ruleset) -> list[str]:
    """How games of a ruleset end, in words and each way once: without the values and the points of a game."""
    said = endings(ruleset, fewest=False) | (_on_any_sheet() if ruleset is SCORESHEET else {})
    return list(dict.fromkeys(said.get(reason, reason.replace("_", " ")) for reason in ruleset.endings))


def endings(ruleset: Ruleset, *, fewest: bool) -> dict[str, str]:
    """The reasons why games of a ruleset end. `{what}` is the value that decided instead of the points.

    A reason that is not in the table is shown as it is.
    """
    said = _at_the_end(fewest=fewest) | _by_people()
    return {reason: said[reason] for reason in ruleset.endings if reason in said}


def _at_the_end(*, fewest: bool) -> dict[str, str]:
    """Reasons from the rules."""
    nothing, bare = gettext("Nothing decided between them"), gettext("The other has no bridge left")
    return {
        "bridges": gettext("Level, so the bridges decided"),
        "draw": nothing,
        "forced_loss": gettext("Those ahead lose in any case"),
        "last_bridge": bare,
        "lost_together": gettext("The game beat the players"),
        "no_bridge": bare,
        "no_mana": gettext("Somebody has no mana left"),
        "no_white": gettext("No white chip is left"),
        "one_house": gettext("All are in one house"),
        "points": gettext("Fewest points") if fewest else gettext("Most points"),
        "ranking": gettext("Decided by: {what}"),
        "reached_first": gettext("First to reach the target"),
        "rounds": gettext("All rounds are played"),
        "target": gettext("The target is reached"),
        "third_round": gettext("Level, so the third round decided"),
        "tie": nothing,
        "tie_breaker": gettext("Level on points, decided by: {what}"),
        "won_together": gettext("The players beat the game"),
    }


def _on_any_sheet() -> dict[str, str]:
    """Reasons of score sheets where the sheet is not known yet."""
    return {
        "points": gettext("Most or fewest points"),
        "ranking": gettext("Something other than points, such as a place"),
        "tie_breaker": gettext("Level on points, so a tie-breaker decided"),
    }


def _by_people() -> dict[str, str]:
    """Reasons from decisions of people."""
    early = gettext("The game was stopped early")
    return {
        "adjudicated": gettext("A referee decided"),
        "last_standing": gettext("All others dropped out"),
        "nobody": gettext("Nobody is left who could win"),
        "resigned": gettext("Everybody else gave up"),
        "stopped": early,
        "stopped_without_winner": early,
    }
