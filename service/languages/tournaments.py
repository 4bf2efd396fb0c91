"""The words of tournaments, for the pages and the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.languages import gettext_noop

if TYPE_CHECKING:
    from events.tournaments import Format, TieBreak

FORMATS: dict[Format, str] = {
    "round_robin": gettext_noop("Round robin"),
    "swiss": gettext_noop("Swiss"),
    "knock_out": gettext_noop("Knock-out"),
    "groups": gettext_noop("Groups, then knock-out"),
}
TIE_BREAKS: dict[TieBreak, str] = {
    "direct_encounter": gettext_noop("Direct encounter"),
    "buchholz_cut_1": gettext_noop("Buchholz cut 1"),
    "buchholz_cut_2": gettext_noop("Buchholz cut 2"),
    "buchholz_median": gettext_noop("Median Buchholz"),
    "buchholz": gettext_noop("Buchholz"),
    "sonneborn_berger": gettext_noop("Sonneborn–Berger"),
    "wins": gettext_noop("Wins"),
    "opponents_win_rate": gettext_noop("Win rate of opponents"),
    "score_difference": gettext_noop("Score difference"),
    "score_total": gettext_noop("Sum of scores"),
}
"""The tie-breaks, in the order in which a page offers them."""

ROUND_KINDS = {
    "bye": gettext_noop("bye"),
    "half": gettext_noop("half-point bye"),
    "zero": gettext_noop("absent"),
    "rest": gettext_noop("rests"),
    "walkover": gettext_noop("walkover"),
    "missed": gettext_noop("missed"),
    "forfeit_win": gettext_noop("won by forfeit"),
    "forfeit_loss": gettext_noop("lost by forfeit"),
}
"""What is said of a round without opponents."""
