"""A state in words and lists, for programs and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.verraeter.components import LANDS, ROUNDS, border_label
from games.verraeter.conflict import strengths

if TYPE_CHECKING:
    from games.contract import JSON
    from games.verraeter.state import VerraeterState


def describe(state: VerraeterState) -> JSON:
    """The state as data: all cards by place, the seat to move, the known cards of hands, and the known points."""
    return {
        "round": state.round,
        "rounds": ROUNDS[state.seats],
        "due": state.due,
        "to_move": state.to_move(),
        "starts": state.start,
        "strategy": {"holder": state.strategy},
        "conflict": _conflict(state),
        "players": [_player(state, seat) for seat in range(state.seats)],
        "lands": {state.label(place): _land(state, place) for place, land in enumerate(state.lands) if land},
        "pile": state.pile,
        "discards": state.discards,
        "aside": state.aside,
        "draws": [{"holder": seat, "count": count} for seat, count in state.draws],
        "components": known_components(state),
    }


def known_components(state: VerraeterState) -> JSON:
    """The known points of lands, in the form in which the opening of a game takes them."""
    return {"points": {land: state.known_worth(land) for land in LANDS}}


def _conflict(state: VerraeterState) -> JSON | None:
    if state.site is None:
        return None
    return {"site": border_label(state.site), "strengths": [str(strength) for strength in strengths(state) or ()]}


def _player(state: VerraeterState, seat: int) -> JSON:
    hand = state.hands[seat]
    return {
        "house": state.houses[seat],
        "hand": {"known": hand.known, "unknown": hand.unknown, "open": hand.open},
        "laid": state.laid[seat],
        "noted": state.choices[seat],
        "action": state.actions[seat] if state.actions else None,
        "reserve": state.reserve(seat),
        "estates": state.in_play(seat, "estate"),
        "posts": state.in_play(seat, "post"),
        "supplies": state.supplies()[seat],
    }


def _land(state: VerraeterState, place: int) -> JSON:
    held = state.holdings[place]
    return {
        "house": state.owners[place],
        "base": LANDS[state.lands[place]],
        "card": held.side if held else None,
        "holder": held.seat if held else None,
    }
