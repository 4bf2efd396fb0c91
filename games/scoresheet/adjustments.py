"""The adjustments of rulings on a sheet, regardless of the rules."""

from __future__ import annotations

from games.adjustments import Adjudge, Points, Resign, sentences_of

ADJUSTMENTS = (Points, Resign, Adjudge)

RULED = sentences_of(ADJUSTMENTS)
"""The kinds of effect of rulings only, with their sentences."""
