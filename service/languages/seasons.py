"""The words of seasons, for the pages and the command line."""

from __future__ import annotations

from service.languages import gettext_noop

TIE_BREAKS: dict[str, str] = {
    "direct_encounter": gettext_noop("Direct encounter"),
    "wins": gettext_noop("Wins"),
    "second_places": gettext_noop("Second places"),
    "third_places": gettext_noop("Third places"),
    "games": gettext_noop("Number of games"),
    "average": gettext_noop("Average points"),
    "best_game": gettext_noop("Best game"),
    "score_total": gettext_noop("Sum of scores"),
}
"""The tie-breaks, in the order in which a page offers them."""

BONUSES: dict[str, str] = {
    "played": gettext_noop("Played"),
    "score": gettext_noop("Score of at least"),
    "won_by": gettext_noop("Won by at least"),
    "lost_within": gettext_noop("Lost by at most"),
}
"""What a bonus is for; all but the first take a number."""
