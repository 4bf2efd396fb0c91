"""The limits of computing on a sheet, so that every look at it is fast."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from games.scoresheet.errors import bad_template
from games.words import count_and_noun

if TYPE_CHECKING:
    from games.scoresheet.template import Template

WORK = 300_000
"""The most parts of formulas on a whole sheet."""
_LOOK = 4
"""The cost of looking up a value, in parts."""
CHECK_WORK = 5_000
"""The most parts of the checks of a round, with all columns that they use: they are computed at every entry."""
ROUNDS = 999
"""The most rounds of a sheet."""


def last_round(template: Template, sides: int) -> int:
    """The last possible round for a number of sides. Raises `BadOpeningError` if there is too much to compute."""
    least = template.rounds or int(template.has_rounds)
    if _work(template, sides, least) > WORK:
        where = f"{count_and_noun(least, 'round')} and " if least else ""
        why = f"there is too much to compute for {where}{count_and_noun(sides, 'side')}: use fewer or shorter formulas"
        raise bad_template("columns", why)
    if _work_of_checks(template, sides) > CHECK_WORK:
        raise bad_template(
            "checks", f"there is too much to check for {count_and_noun(sides, 'side')}: use fewer or shorter checks"
        )
    return template.rounds or bisect_right(range(ROUNDS), WORK, key=lambda last: _work(template, sides, last + 1))


def _work(template: Template, sides: int, rounds: int) -> int:
    """The number of parts to compute in some rounds; each value of a list is one.

    For each entered column, the sides with one more turn need the whole sheet.
    """
    in_rounds = {column.id for column in template.columns if column.per == "round"}
    parts = sum(formula.parts for formula in (template.losing_formula, template.ending_formula) if formula)
    for name, formula in template.formulas.items():
        once = formula.parts * (1 + len(formula.lazy)) + sides * len(formula.compared)
        if name in in_rounds:
            lists = sum(used.kind in ("before", "after") for used in formula.uses)
            parts += rounds * (_LOOK + once) + lists * rounds * (rounds - 1) // 2
        else:
            lists = sum(used.column in in_rounds for used in formula.uses)
            parts += _LOOK + once + rounds * lists
    looks = 1 + len(in_rounds - template.formulas.keys()) if template.last_turn else 1
    return sides * parts * looks


def _work_of_checks(template: Template, sides: int) -> int:
    """The number of parts to compute for the checks of a round."""
    parts = 0
    for check in template.known_checks:
        parts += check.holds.parts + (check.value.parts if check.value else 0) + sides * len(check.holds.compared)
        for name in check.columns & template.formulas.keys():
            formula = template.formulas[name]
            parts += _LOOK + formula.parts * (1 + len(formula.lazy)) + sides * len(formula.compared)
    return sides * parts
