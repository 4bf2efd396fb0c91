"""A state in words and lists, for programs and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.kahuna.components import BRIDGES, ISLANDS, LINES, LINES_AT, SEAS, SEAS_AT, members, owner

if TYPE_CHECKING:
    from games.contract import JSON
    from games.hidden import Hand
    from games.kahuna.state import KahunaState


def describe(state: KahunaState) -> JSON:
    """Every piece in its place, the seat on turn, and the known cards."""
    return {
        "round": state.round,
        "to_move": state.to_move(),
        "due": None if state.ending else state.due,
        "must_draw": state.must_draw,
        "played_this_turn": state.plays,
        "sailed_this_turn": state.sailed,
        "last_turns": state.last_turns,
        "islands": {name: _island(state, island) for island, name in enumerate(ISLANDS)},
        "bridges": [[LINES[line] for line in members(bridges)] for bridges in state.bridges],
        "ships": [[SEAS[sea] for sea in members(ships)] for ships in state.ships],
        "supply": [BRIDGES - bridges.bit_count() for bridges in state.bridges],
        "hands": [_pile(hand) for hand in state.hands],
        "row": state.row,
        "deck": state.deck,
        "discards": {"open": state.played, "unseen": [_pile(pile) for pile in state.buried]},
    }


def _island(state: KahunaState, island: int) -> JSON:
    spaces = state.spaces(island)
    return {
        "holder": owner(state.stones, island),
        "bridges": [(bridges & LINES_AT[island]).bit_count() for bridges in state.bridges],
        "ships": [(ships & SEAS_AT[island]).bit_count() for ships in state.ships],
        "spaces": spaces,
        "majority": spaces // 2 + 1,
    }


def _pile(hand: Hand) -> JSON:
    return {"known": hand.known, "unknown": hand.unknown, "open": hand.open}
