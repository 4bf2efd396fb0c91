"""A state in words and lists, for programs and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.manapani import fights
from games.manapani.components import COLOURS, SAMPLE_BOX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.contract import JSON
    from games.manapani.state import LaidCard, ManapaniState


def describe(state: ManapaniState) -> JSON:
    """The state as data: all chips and cards by place, the seat to move, and the known cards of hands."""
    return {
        "turn": state.turn,
        "due": state.due,
        "to_move": state.to_move(),
        "active": {"holder": state.active},
        "spells": list(state.spells),
        "exchanged": state.exchanged,
        "dice_due": state.dice_due() if state.due == "turn" else None,
        "source": _chips(state.source),
        "players": [_player(state, seat) for seat in range(state.seats)],
        "lands": {state.label(place): _land(state, place) for place in state.box.lands},
        "fight": _fight(state),
        "pile": state.pile,
        "discards": {"known": state.discards.known, "unknown": state.discards.unknown},
        "sample": {"board": has_sample_board(state), "deck": has_sample_deck(state)},
        "components": {"board": [str(square) for square in state.box.board], "deck": dict(state.box.deck)},
    }


def has_sample_board(state: ManapaniState) -> bool:
    """Whether the board is the invented sample board."""
    return state.box.board == SAMPLE_BOX.board


def has_sample_deck(state: ManapaniState) -> bool:
    """Whether the deck is the invented sample deck."""
    return state.box.deck == SAMPLE_BOX.deck


def _chips(counted: Sequence[int]) -> dict[str, int]:
    return dict(zip(COLOURS, counted, strict=True))


def _player(state: ManapaniState, seat: int) -> JSON:
    hand = state.hands[seat]
    return {
        "square": state.label(state.pawns[seat]),
        "chips": _chips(state.chips[seat]),
        "mana": state.mana(seat),
        "hand": {"known": hand.known, "unknown": hand.unknown, "open": hand.open},
        "face_down": len(state.face_down(seat)),
        "slowed": state.slow[seat] or (state.slowed and seat == state.active),
        "held": state.stuck[seat] or (state.held and seat == state.active),
    }


def _land(state: ManapaniState, place: int) -> JSON:
    return {"level": state.levels[place], "holder": state.owners[place]}


def _fight(state: ManapaniState) -> JSON | None:
    fight = state.fight
    if fight is None or state.due == "toll":
        return None
    return {
        "square": state.label(fight.place),
        "sides": [{"holder": seat, "laid": fight.counts[side]} for side, seat in enumerate(fight.seats)],
        "cards": [_laid(state, laid) for laid in fight.cards],
        "power": list(fights.powers(state, fight)),
    }


def _laid(state: ManapaniState, laid: LaidCard) -> JSON:
    fight = fights.ongoing(state)
    return {
        "card": laid.card,
        "holder": fight.seats[laid.side],
        "works": fights.is_effective(laid, fights.land_of(state, fight)),
        "x": laid.x,
        "halved": laid.halved,
        "nullified": laid.void,
    }
