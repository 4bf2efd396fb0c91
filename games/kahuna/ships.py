"""Ships in the inland seas (option `seafarer`): placing, moving and removing them, with the changes of control."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.contract import Effect
from games.kahuna.components import ISLANDS, SEAS, SEAS_BESIDE, SHORES, SIDES
from games.kahuna.control import gain_island, has_majority, lose_island, place_bridge

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.kahuna.state import KahunaState


def is_enclosed(state: KahunaState, sea: int, seat: int) -> bool:
    """Whether a seat's bridges lie on all three sides of a sea."""
    return state.bridges[seat] & SIDES[sea] == SIDES[sea]


def place_ship(state: KahunaState, seat: int, sea: int) -> list[Effect]:
    """Put a ship into a sea, and remove the opponent's ship there. Control is settled after both."""
    opponent = 1 - seat
    vanishes = state.options.replace_in_enclosed_sea == "both_removed" and is_enclosed(state, sea, opponent)
    effects = [Effect("ship.placed", "kahuna:SEA-2", seat, (SEAS[sea],))]
    before = _space_counts(state, SHORES[sea])
    if state.ships[opponent] >> sea & 1:
        effects.append(_take_off(state, opponent, sea, "kahuna:SEA-10" if vanishes else "kahuna:SEA-6"))
    state.ships[seat] |= 1 << sea
    if vanishes:
        effects.append(_take_off(state, seat, sea, "kahuna:SEA-10"))
    return effects + _settle(state, seat, before)


def move_ship(state: KahunaState, seat: int, sea: int, to: int) -> list[Effect]:
    """Move a ship. If the opponent's ship is there, both are removed. Control is settled after that."""
    opponent = 1 - seat
    effects = [Effect("ship.moved", "kahuna:SEA-5", seat, (SEAS[sea], SEAS[to]))]
    before = _space_counts(state, sorted({*SHORES[sea], *SHORES[to]}))
    state.ships[seat] ^= 1 << sea | 1 << to
    if state.ships[opponent] >> to & 1:
        effects.append(_take_off(state, opponent, to, "kahuna:SEA-8"))
        effects.append(_take_off(state, seat, to, "kahuna:SEA-8"))
    return effects + _settle(state, seat, before)


def build_bridge(state: KahunaState, seat: int, line: int, rule: str = "kahuna:PLAY-2") -> list[Effect]:
    """Put a bridge on a free line, with all effects on islands and in seas."""
    effects = place_bridge(state, seat, line, rule)
    return effects + _surround(state, seat, line) if state.ships[1 - seat] else effects


def set_ship(state: KahunaState, seat: int, sea: int, rule: str) -> list[Effect]:
    """Put a ship into a free sea, also into an enclosed one, and settle control."""
    before = _space_counts(state, SHORES[sea])
    state.ships[seat] |= 1 << sea
    return [Effect("ship.placed", rule, seat, (SEAS[sea],)), *_settle(state, seat, before)]


def remove_ship(state: KahunaState, seat: int, sea: int, rule: str) -> list[Effect]:
    """Take a ship out of its sea, and settle control."""
    before = _space_counts(state, SHORES[sea])
    return [_take_off(state, seat, sea, rule), *_settle(state, 1 - seat, before)]


def _surround(state: KahunaState, seat: int, line: int) -> list[Effect]:
    """Remove the opponent's ships from the seas that a bridge just placed on `line` encloses."""
    opponent = 1 - seat
    effects: list[Effect] = []
    for sea in SEAS_BESIDE[line]:
        if state.ships[opponent] >> sea & 1 and is_enclosed(state, sea, seat):
            effects += remove_ship(state, opponent, sea, "kahuna:SEA-7")
    return effects


def _take_off(state: KahunaState, seat: int, sea: int, rule: str) -> Effect:
    state.ships[seat] ^= 1 << sea
    return Effect("ship.removed", rule, seat, (SEAS[sea],))


def _space_counts(state: KahunaState, islands: Iterable[int]) -> dict[int, int]:
    """The numbers of spaces of some islands."""
    return {island: state.spaces(island) for island in islands}


def _settle(state: KahunaState, seat: int, before: dict[int, int]) -> list[Effect]:
    """Check control of the islands for both players: losses first, then gains, the moving player's first."""
    effects = []
    for island, width in before.items():
        now = state.spaces(island)
        if now != width:
            effects.append(Effect("spaces.changed", "kahuna:SEA-3", None, (ISLANDS[island],), now))
    for island in before:
        for holder in (0, 1):
            if state.stones[holder] >> island & 1 and not has_majority(state, holder, island):
                effects += lose_island(state, holder, island, "kahuna:SEA-4")
    for gainer in (seat, 1 - seat):
        for island in before:
            if not state.stones[gainer] >> island & 1 and has_majority(state, gainer, island):
                effects += gain_island(state, gainer, island, "kahuna:SEA-4")
    return effects
