"""The moves that a recorder of Kahuna enters, by theme. Consequences of the rules are never entered."""

from __future__ import annotations

from games.kahuna.moves.building import Build, Remove
from games.kahuna.moves.cards import Decline, Discard, Draw, Show, Take
from games.kahuna.moves.sailing import Launch, Sail
from games.kahuna.moves.setup import Deal, Row

__all__ = [
    "Build",
    "Deal",
    "Decline",
    "Discard",
    "Draw",
    "KahunaMove",
    "Launch",
    "Remove",
    "Row",
    "Sail",
    "Show",
    "Take",
]

KahunaMove = Deal | Row | Build | Remove | Launch | Sail | Discard | Take | Draw | Decline | Show
"""All moves of Kahuna, in the order in which legal moves are listed."""
