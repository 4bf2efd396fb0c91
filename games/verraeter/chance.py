"""The events of chance in Verräter: the circle of lands, and drawn supply cards."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from games.chance import drawn_events, with_fields
from games.contract import Title
from games.verraeter.components import HOUSES, LANDS
from games.verraeter.moves.setup import Laid, Lands

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.contract import ChanceEvent, Effect, Move
    from games.verraeter.moves import VerraeterMove
    from games.verraeter.state import VerraeterState

CHANCES = {
    "land": Title("lands laid into the circle", "並べられた土地"),
    "draw": Title("supply cards drawn", "引いた補給カード"),
}


def chances(state: VerraeterState, move: VerraeterMove, effects: Sequence[Effect]) -> Iterator[ChanceEvent]:
    """The chance events of a move: lands that are laid, and draws (their cards are noted later)."""
    if isinstance(move, Lands) and not any(state.lands):
        lands = [f"{laid.land} of {laid.house}" if laid else None for laid in move.lands]
        odds = {f"{land} of {house}": 1 for land in LANDS for house in HOUSES}
        yield from drawn_events("land", odds, lands, None, partial(_with_lands, move))
    for effect in effects:
        if effect.kind == "cards.drawn":
            odds = {card: count for card in state.copies if (count := state.unlocated_copies(card)) > 0}
            yield from drawn_events("draw", odds, [None] * (effect.count or 0), effect.seat)


def _with_lands(lands: Lands, named: list[str | None]) -> Move:
    laid = {f"{land} of {house}": Laid(land, house) for land in LANDS for house in HOUSES}
    return with_fields(lands, lands=tuple(laid[name] if name else None for name in named))
