"""Control of the islands, and its changes when a bridge is placed or removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.contract import Effect
from games.kahuna.components import ENDS, ISLANDS, LINES, LINES_AT, MAJORITIES, STONES, members
from games.kahuna.scoring import end_lost

if TYPE_CHECKING:
    from games.kahuna.state import KahunaState


def has_majority(state: KahunaState, seat: int, island: int) -> bool:
    """Whether a seat has more than half of an island's spaces."""
    if state.ships[0] or state.ships[1]:
        return state.strength(seat, island) > state.spaces(island) // 2
    return (state.bridges[seat] & LINES_AT[island]).bit_count() >= MAJORITIES[island]


def place_bridge(state: KahunaState, seat: int, line: int, rule: str = "kahuna:PLAY-2") -> list[Effect]:
    """Put a bridge on a free line, and a stone on each island that it wins."""
    state.bridges[seat] |= 1 << line
    effects = [Effect("bridge.built", rule, seat, (LINES[line],))]
    for island in ENDS[line]:
        if not state.stones[seat] >> island & 1 and has_majority(state, seat, island):
            effects += gain_island(state, seat, island, "kahuna:CTRL-1")
    return effects


def gain_island(state: KahunaState, seat: int, island: int, rule: str) -> list[Effect]:
    """Put a stone on an island and remove all the opponent's bridges there."""
    effects = [Effect("island.gained", rule, seat, (ISLANDS[island],))]
    state.stones[seat] |= 1 << island
    if state.island_count(seat) > STONES:
        effects.append(Effect("stone.lacked", "kahuna:CTRL-4", seat, (ISLANDS[island],)))
    opponent = 1 - seat
    for line in members(state.bridges[opponent] & LINES_AT[island]):
        effects += remove_bridge(state, opponent, line, "kahuna:CTRL-2")
    return effects


def remove_bridge(state: KahunaState, seat: int, line: int, rule: str) -> list[Effect]:
    """Give a bridge back to its owner, with the stones of the islands lost by it."""
    state.bridges[seat] ^= 1 << line
    effects = [Effect("bridge.removed", rule, seat, (LINES[line],))]
    for island in ENDS[line]:
        if state.stones[seat] >> island & 1 and not has_majority(state, seat, island):
            effects += lose_island(state, seat, island, "kahuna:CTRL-3")
    if not state.bridges[seat] and state.round > 1 and state.ending is None:
        effects += end_lost(state, seat, "last_bridge", "kahuna:LOSS-1")
    return effects


def lose_island(state: KahunaState, seat: int, island: int, rule: str) -> list[Effect]:
    """Take the stone from an island back."""
    state.stones[seat] ^= 1 << island
    return [Effect("island.lost", rule, seat, (ISLANDS[island],))]
