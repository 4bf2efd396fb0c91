"""The entries on a score sheet, by theme."""

from __future__ import annotations

from games.scoresheet.moves.cells import Enter, Line
from games.scoresheet.moves.ending import Decide, Finish, Stop
from games.scoresheet.moves.marking import Give
from games.scoresheet.moves.players import Adjust, Join, Leave

__all__ = ["Adjust", "Decide", "Enter", "Finish", "Give", "Join", "Leave", "Line", "ScoresheetMove", "Stop"]

ScoresheetMove = Line | Enter | Adjust | Give | Leave | Join | Decide | Finish | Stop
"""All moves of score sheets, in the order in which legal moves are listed."""
