"""Figures of analyses as text, rounded as pages round them: `js/base/figures.js` is the same rule there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.analyses.rounding import rounded
from service.languages import cldr, locale

if TYPE_CHECKING:
    from collections.abc import Sequence

SHARES_OFF = 0.001
"""By how much the sum of shares of a whole can be off, as each was rounded before."""


def percent(share: float) -> str:
    """A share in whole parts of a hundred.

    >>> percent(0.125), percent(0.285)
    ('13', '29')
    """
    return f"{rounded(100 * share):.0f}"


def likelihood(share: float, *, certain: bool = False) -> str:
    """A chance in whole parts of a hundred: 0 and 100 are said of what is `certain` alone.

    >>> likelihood(0.002), likelihood(1.0), likelihood(1.0, certain=True), likelihood(0.125)
    ('1', '99', '100', '13')
    """
    return percent(share) if certain else str(min(99, max(1, int(rounded(100 * share)))))


def odds_text(share: float) -> str:
    """Odds in percent. What is rarer than 1 of 100, and what is nearly sure, has a decimal place.

    >>> odds_text(0.125), odds_text(0.003), odds_text(0.0001), odds_text(0.9999)
    ('13 %', '0.3 %', '0.1 %', '99.9 %')
    """
    if 0.01 <= share <= 0.99:
        return f"{percent(share)} %"
    return f"{tenths(min(99.9, max(0.1, 100 * share)))} %"


def parts_of_hundred(shares: Sequence[float]) -> list[str]:
    """Shares of a whole in parts of a hundred: rounded, they are 100 together, as they were before.

    >>> parts_of_hundred([0.545, 0.455]), parts_of_hundred([0.125, 0.125, 0.75]), parts_of_hundred([1, 0.3])
    (['54', '46'], ['12', '13', '75'], ['100', '30'])
    """
    found = [int(rounded(100 * share)) for share in shares]
    while abs(sum(shares) - 1) < SHARES_OFF and sum(found) != 100:
        step = 1 if sum(found) < 100 else -1
        furthest = max(range(len(found)), key=lambda at: rounded(step * (100 * shares[at] - found[at]), 2))
        found[furthest] += step
    return list(map(str, found))


def margin(share: float) -> str:
    """A margin in whole points of a hundred: 0 is said only where there is none.

    >>> margin(0.0), margin(0.001), margin(0.045)
    ('0', '1', '5')
    """
    return str(max(1, int(rounded(100 * share)))) if share else "0"


def tenths(figure: float) -> str:
    """A figure with one decimal place, as the reader's language writes it."""
    return cldr.language(locale()).number(f"{rounded(figure, 1):.1f}")
