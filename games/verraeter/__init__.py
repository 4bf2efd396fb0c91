"""The ruleset `verraeter`."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from games.contract import JSON, Ruleset, Title
from games.errors import BadOpeningError
from games.verraeter import sketch
from games.verraeter.adjustments import ADJUSTMENTS, RULED
from games.verraeter.components import COMPONENTS_HELP, ROUNDS, SAMPLE, read_points
from games.verraeter.describe import describe
from games.verraeter.effects import KINDS
from games.verraeter.moves import VerraeterMove
from games.verraeter.notation import HELP, parse, write
from games.verraeter.options import OPTIONS, Options
from games.verraeter.picture import draw
from games.verraeter.scoring import ENDINGS
from games.verraeter.state import VerraeterState

if TYPE_CHECKING:
    from collections.abc import Mapping


class Verraeter(Ruleset[VerraeterState, VerraeterMove]):
    """Two houses fight over twelve lands; whoever stands with the winner scores, and the Traitor changes sides."""

    name = "verraeter"
    title = Title("Verräter", "反逆者")
    revision = 2
    changes = (
        "The game for three and four players.",
        "Two trading posts count at most; what is known of cards outlasts a shuffle; building out of step can stand.",
    )
    seats = range(min(ROUNDS), max(ROUNDS) + 1)
    seat_names = tuple(Title(f"Player {number}", f"{number}番") for number in range(1, max(ROUNDS) + 1))
    options = OPTIONS
    endings = ENDINGS
    notation_help = HELP
    components_help = COMPONENTS_HELP
    sample_components = MappingProxyType({"invented points": SAMPLE})
    state = VerraeterState
    moves = VerraeterMove
    adjustments = ADJUSTMENTS
    kinds = KINDS | RULED

    def open(self, options: Mapping[str, bool | int | str], components: JSON | None, seats: int) -> VerraeterState:
        """The table before anything is laid out. `components` hold the printed points, if somebody entered them."""
        chosen = msgspec.convert(self.settle(options), Options)
        points = read_points(components)
        if seats not in self.seats:
            raise BadOpeningError("seats", f"verraeter is for three or four players, not {seats}")
        return VerraeterState.new(seats, points, chosen)

    def check_components(self, components: JSON) -> None:
        """Make sure that the points are such as can be printed on the lands."""
        read_points(components)

    def round(self, state: VerraeterState) -> int:
        """The round that is on, from 1."""
        return state.round

    describe = staticmethod(describe)
    notation = staticmethod(write)
    parse = staticmethod(parse)
    picture = staticmethod(draw)
    sketch = staticmethod(sketch.draw)


VERRAETER = Verraeter()
