"""The ruleset `kahuna`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from games.contract import JSON, Ruleset, Title
from games.errors import BadOpeningError
from games.kahuna import sketch
from games.kahuna.adjustments import ADJUSTMENTS, RULED
from games.kahuna.describe import describe
from games.kahuna.effects import KINDS
from games.kahuna.moves import KahunaMove
from games.kahuna.notation import HELP, parse, write
from games.kahuna.options import OPTIONS, Options
from games.kahuna.picture import draw
from games.kahuna.scoring import ENDINGS
from games.kahuna.state import KahunaState

if TYPE_CHECKING:
    from collections.abc import Mapping


class Kahuna(Ruleset[KahunaState, KahunaMove]):
    """Two priests build bridges between twelve islands; whoever has the majority of an island's spaces holds it."""

    name = "kahuna"
    title = Title("Kahuna", "カフナ")
    revision = 2
    changes = (
        "The base game, the box variant, Opodopo scoring and Seafarer.",
        "The audit names the islands; what is known of hands outlasts a shuffle; a game that is over asks for nothing.",
    )
    seats = range(2, 3)
    seat_names = (Title("Black", "黒"), Title("White", "白"))
    options = OPTIONS
    endings = ENDINGS
    notation_help = HELP
    state = KahunaState
    moves = KahunaMove
    adjustments = ADJUSTMENTS
    kinds = KINDS | RULED

    def open(self, options: Mapping[str, bool | int | str], components: JSON | None, seats: int) -> KahunaState:
        """The table before the cards are dealt."""
        chosen = msgspec.convert(self.settle(options), Options)
        if components is not None:
            raise BadOpeningError("components", "every box of kahuna is the same: leave them out")
        if seats not in self.seats:
            raise BadOpeningError("seats", f"kahuna is for two players, not {seats}")
        return KahunaState.new(chosen)

    def round(self, state: KahunaState) -> int:
        """The round that is on, from 1."""
        return state.round

    describe = staticmethod(describe)
    notation = staticmethod(write)
    parse = staticmethod(parse)
    picture = staticmethod(draw)
    sketch = staticmethod(sketch.draw)


KAHUNA = Kahuna()
