"""Labels for the fields of a refused form, in the reader's language."""

from __future__ import annotations

import re

from service.languages import gettext, gettext_noop
from service.languages.plain import translated

LABELS = {
    "at": gettext_noop("Table"),
    "at_table": gettext_noop("People at a table, at most"),
    "best": gettext_noop("How many games of a person count (0: all)"),
    "club": gettext_noop("Club"),
    "code": gettext_noop("The code of your invitation"),
    "day": gettext_noop("Played on another day"),
    "decimal": gettext_noop("Decimal separator"),
    "description": gettext_noop("Description"),
    "draw": gettext_noop("Points of a draw of two"),
    "file": gettext_noop("File"),
    "first": gettext_noop("First day"),
    "format": gettext_noop("Format"),
    "from": gettext_noop("First day"),
    "game": gettext_noop("Game"),
    "groups": gettext_noop("Number of groups"),
    "kind": gettext_noop("Game"),
    "last": gettext_noop("Last day"),
    "least": gettext_noop("How many games a rank needs"),
    "minutes": gettext_noop("Minutes of a round (0: no clock)"),
    "order": gettext_noop("Order"),
    "people": gettext_noop("Names that are not known here"),
    "name": gettext_noop("Name"),
    "place": gettext_noop("Place"),
    "places": gettext_noop("Rank"),
    "played": gettext_noop("Game"),
    "player": gettext_noop("Name"),
    "players": gettext_noop("Players"),
    "points": gettext_noop("Points"),
    "q": gettext_noop("Search"),
    "qualify": gettext_noop("How many of each group advance"),
    "reason": gettext_noop("Reason"),
    "role": gettext_noop("Role"),
    "round": gettext_noop("Round"),
    "rounds": gettext_noop("Rounds (0: as many as are needed)"),
    "rules.points": gettext_noop("Points of the places, a list for each number of players, such as 5,3,2,0; 3,1,0"),
    "ruleset": gettext_noop("Game"),
    "score": gettext_noop("Points"),
    "seats": gettext_noop("Seats"),
    "status": gettext_noop("Status"),
    "table": gettext_noop("Table"),
    "template": gettext_noop("Sheet"),
    "text": gettext_noop("In words"),
    "tie_breaks": gettext_noop("Tie-breaks, in this order"),
    "title": gettext_noop("Title"),
    "to": gettext_noop("Last day"),
    "token": gettext_noop("Token"),
    "user_code": gettext_noop("The code that the program shows"),
}
"""Labels of forms without scripts, by the name of a field in a problem, or by its last two names."""

_PLACE = re.compile(r"\[\d+\]")
_NUMBER = re.compile(r"Expected `int(?: \| null)?`(?: (?P<sign>[<>]=) (?P<bound>-?\d+)|, got `\w+`)?")


def label(field: str) -> str | None:
    """The label of a field such as `data.rules.points[0][1]`; None if no form has it."""
    names = _PLACE.sub("", field).split(".")
    found = LABELS.get(".".join(names[-2:])) or LABELS.get(names[-1])
    return gettext(found) if found else None


def reason(message: str) -> str:
    """The reason why a field was refused, without technical words."""
    found = _NUMBER.fullmatch(message)
    if not found:
        return translated(message)
    if not found["sign"]:
        return gettext("a whole number is needed")
    if found["sign"] == "<=":
        return gettext("at most %(bound)s", bound=found["bound"])
    return gettext("at least %(bound)s", bound=found["bound"])
