"""What a shuffled box would have brought: for random play and for guessing at what was not noted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.verraeter.components import HOUSES, LANDS
from games.verraeter.moves import Laid, Lands, VerraeterMove

if TYPE_CHECKING:
    from games.contract import Chance
    from games.verraeter.state import VerraeterState


def fill_in(state: VerraeterState, move: VerraeterMove, chance: Chance) -> VerraeterMove:
    """The move with the lands that were not noted shuffled; nothing else in it is ever left open."""
    if not isinstance(move, Lands):
        return move
    lying = enumerate(zip(state.lands, state.owners, strict=True))
    told = {place: Laid(land, house) for place, (land, house) in lying if house}
    told |= {place: laid for place, laid in enumerate(move.lands) if laid}
    cards = [Laid(land, house) for land in LANDS for house in HOUSES]
    rest = iter(chance.sample(left := [card for card in cards if card not in told.values()], len(left)))
    return Lands(lands=tuple(told.get(place) or next(rest) for place in range(len(move.lands))))
