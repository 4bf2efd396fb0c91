"""The ruleset `kahuna`."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from games.contract import JSON, Ruleset, Title
from games.errors import BadOpeningError
from games.kahuna import sketch
from games.kahuna.adjustments import ADJUSTMENTS, RULED, adjust, seen_adjustment
from games.kahuna.chance import fill_in
from games.kahuna.describe import describe
from games.kahuna.effects import KINDS, apply
from games.kahuna.moves import Deal, Discard, Draw, KahunaMove, Row, Take, seen
from games.kahuna.notation import HELP, parse, write
from games.kahuna.options import OPTIONS, Options
from games.kahuna.picture import draw
from games.kahuna.rules import breaches, legal_moves
from games.kahuna.scoring import ENDINGS, outcome, scores
from games.kahuna.state import KahunaState, copy_state, view
from games.kahuna.turns import to_move

if TYPE_CHECKING:
    from collections.abc import Mapping


class Kahuna(Ruleset[KahunaState, KahunaMove]):
    """Two priests build bridges between twelve islands; whoever has the majority of an island's spaces holds it."""

    name = "kahuna"
    title = Title("Kahuna", "カフナ")
    revision = 1
    changes = ("The base game, the box variant, Opodopo scoring and Seafarer.",)
    seats = range(2, 3)
    seat_names = (Title("Black", "黒"), Title("White", "白"))
    options = OPTIONS
    endings = ENDINGS
    notation_help = HELP
    state = KahunaState
    moves = KahunaMove
    open_facts = MappingProxyType(
        {Deal: ("row", "hands"), Row: ("cards",), Discard: ("cards",), Take: ("card", "refill"), Draw: ("card",)}
    )
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

    to_move = staticmethod(to_move)
    legal_moves = staticmethod(legal_moves)
    breaches = staticmethod(breaches)
    fill_in = staticmethod(fill_in)
    apply = staticmethod(apply)
    adjust = staticmethod(adjust)
    seen_adjustment = staticmethod(seen_adjustment)
    scores = staticmethod(scores)
    outcome = staticmethod(outcome)
    view = staticmethod(view)
    seen = staticmethod(seen)
    describe = staticmethod(describe)
    copy = staticmethod(copy_state)
    notation = staticmethod(write)
    parse = staticmethod(parse)
    picture = staticmethod(draw)
    sketch = staticmethod(sketch.draw)


KAHUNA = Kahuna()
