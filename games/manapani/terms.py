"""What the things of Manapani are called."""

from __future__ import annotations

from games.manapani.components import CARDS, COLOURS, ELEMENTS
from games.manapani.fights import SIDES

TERMS = (
    *(f"{{number}} {colour}" for colour in COLOURS),
    *COLOURS,
    *(f"{element} {kind}" for kind in ("land", "elemental") for element in ELEMENTS),
    *ELEMENTS,
    "start",
    "fort",
    "sanctuary",
    "elemental",
    *CARDS,
    *SIDES,
    "nothing",
    "the source has no white chip left",
    "player1",
    "player2",
    "player3",
    "player4",
    "source",
    "deck",
    "discards",
    "pile",
    "Mana source",
    "mana",
    "before the first turn",
    "turn {number}",
    "to act",
    "won",
    "and",
    "die set to {number}",
    "one die",
    "one die next",
    "cannot move",
    "cannot move next",
    "{number} face down",
    "nullified",
    "halved",
    "stolen",
    "unpaid",
    "power",
    "on",
)
"""Chips, squares, cards and sides, and the short phrases of notes and of the picture."""
