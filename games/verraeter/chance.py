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
    left = [card for land in LANDS for card in _untold(land, list(told.values()))]
    rest = iter(chance.sample(left, len(left)))
    return Lands(lands=tuple(told.get(place) or next(rest) for place in range(len(move.lands))))


def _untold(land: str, told: list[Laid]) -> list[Laid]:
    """The cards of a land that are not told of; there are two, whichever side is up."""
    up = [laid.house for laid in told if laid.land == land]
    return [Laid(land, house) for house in HOUSES if house not in up][: len(HOUSES) - len(up)]
