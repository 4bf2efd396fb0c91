"""How figures of analyses are rounded, wherever they are told. `js/base/figures.js` is the same rule on pages."""

from __future__ import annotations

from math import copysign, floor

EXACT = 6
"""The decimal places that count. What is behind them comes from the arithmetic of the computer."""


def rounded(figure: float, digits: int = 0) -> float:
    """A figure to so many decimal places; halves go away from zero.

    >>> rounded(12.5), rounded(-12.5), rounded(100 * 0.285), rounded(0.25, 1), rounded(-0.4)
    (13.0, -13.0, 29.0, 0.3, 0.0)
    """
    step = 10 ** (EXACT - digits)
    whole = (floor(abs(figure) * 10**EXACT + 0.5) + step // 2) // step
    return copysign(whole / 10**digits, figure) + 0.0  # without the sign of nothing
