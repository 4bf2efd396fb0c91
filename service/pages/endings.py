"""The reasons for the end of a game, in words for its page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.languages import gettext

if TYPE_CHECKING:
    from games.contract import Ruleset


def endings(ruleset: Ruleset, *, fewest: bool) -> dict[str, str]:
    """The reasons by which games of a ruleset end. `{what}` is the value that decided instead of the points.

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
