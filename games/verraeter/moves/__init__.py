"""The moves that a recorder of Verräter enters, by theme. Consequences of the rules are never asked for."""

from __future__ import annotations

from games.verraeter.moves.building import Put, Skip, Turn
from games.verraeter.moves.drawing import Draw, Hold
from games.verraeter.moves.fighting import Aside, Choose, Lay, ReadPoints, Reveal, Site
from games.verraeter.moves.setup import Laid, Lands, Start

__all__ = [
    "Aside",
    "Choose",
    "Draw",
    "Hold",
    "Laid",
    "Lands",
    "Lay",
    "Put",
    "ReadPoints",
    "Reveal",
    "Site",
    "Skip",
    "Start",
    "Turn",
    "VerraeterMove",
]

VerraeterMove = Start | Lands | Put | Site | Lay | Reveal | Choose | Aside | ReadPoints | Turn | Skip | Draw | Hold
"""The types of moves, in the order of the list of legal moves."""
