"""The ruleset `verraeter`."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from games.contract import JSON, Ruleset, Title
from games.errors import BadOpeningError
from games.verraeter import sketch
from games.verraeter.adjustments import ADJUSTMENTS, RULED, adjust, seen_adjustment
from games.verraeter.chance import fill_in
from games.verraeter.components import COMPONENTS_HELP, ROUNDS, SAMPLE, read_points
from games.verraeter.describe import describe
from games.verraeter.effects import KINDS, apply
from games.verraeter.moves import Aside, Choose, Hold, Lands, VerraeterMove, seen
from games.verraeter.notation import HELP, parse, write
from games.verraeter.options import OPTIONS, Options
from games.verraeter.picture import draw
from games.verraeter.rounds import to_move
from games.verraeter.rules import breaches, legal_moves
from games.verraeter.scoring import ENDINGS, outcome, scores
from games.verraeter.state import VerraeterState, copy_state, view

if TYPE_CHECKING:
    from collections.abc import Mapping


class Verraeter(Ruleset[VerraeterState, VerraeterMove]):
    """Two houses fight over twelve lands; whoever stands with the winner scores, and the Traitor changes sides."""

    name = "verraeter"
    title = Title("Verräter", "反逆者")
    revision = 1
    changes = ("The game for three and four players.",)
    seats = range(min(ROUNDS), max(ROUNDS) + 1)
    seat_names = tuple(Title(f"Player {number}", f"{number}番") for number in range(1, max(ROUNDS) + 1))
    options = OPTIONS
    endings = ENDINGS
    notation_help = HELP
    components_help = COMPONENTS_HELP
    sample_components = MappingProxyType({"invented points": SAMPLE})
    state = VerraeterState
    moves = VerraeterMove
    open_facts = MappingProxyType({Lands: ("lands",), Choose: ("action",), Aside: ("action",), Hold: ("cards",)})
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


VERRAETER = Verraeter()
