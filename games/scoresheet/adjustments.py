"""What a ruling can change on the sheet, whatever the rules say."""

from __future__ import annotations

from games.adjustments import Adjudge, Points, Resign, sentences_of

ADJUSTMENTS = (Points, Resign, Adjudge)

RULED = sentences_of(ADJUSTMENTS)
"""The kinds of effect that only rulings have, and the sentences they read as."""
