"""Points at the end of a round, and how a game ends."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from games import adjustments
from games.contract import Effect, Outcome, ScoreLine
from games.kahuna.components import ISLANDS, members
from games.words import count_and_noun

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.kahuna.state import KahunaState

COUNTED_ENDINGS = ("points", "third_round", "bridges", "draw")
"""The endings by points: most points; a tie broken by the third round or by bridges; a draw."""
ENDINGS = (*COUNTED_ENDINGS, "last_bridge", "no_bridge", *adjustments.ENDINGS)
"""All endings: by points, by losing the last bridge, by no bridge at a turn's end, and by rulings."""


def score_round(state: KahunaState) -> list[Effect]:
    """Add a score line for each seat for the round that ends, even with 0 points."""
    count = _by_spaces if state.options.scoring == "opodopo" else _by_islands
    effects = []
    for seat, (points, rule, note) in enumerate(count(state)):
        state.lines.append(ScoreLine(seat, points, f"round-{state.round}", rule, state.version, note))
        if points:
            effects.append(Effect("round.scored", rule, seat, (f"round {state.round}",), points))
    return effects or [Effect("round.tied", rule, None, (f"round {state.round}",))]


def _by_islands(state: KahunaState) -> list[tuple[int, str, str]]:
    """Points, rule and note by seat. More islands win the fixed points of the round, or in round 3 the difference."""
    note = f"black {_islands(state.stones[0])}, white {_islands(state.stones[1])}"
    lead = state.island_count(0) - state.island_count(1)
    leads = (max(0, lead), max(0, -lead))
    if state.round == 3:
        return [(lead, "kahuna:ROUND-4", note) for lead in leads]
    return [(min(lead, 1) * state.round, "kahuna:ROUND-2", note) for lead in leads]


@cache
def _islands(held: int) -> str:
    """The number and names of the held islands."""
    names = ", ".join(ISLANDS[island] for island in members(held))
    number = count_and_noun(held.bit_count(), "island")
    return f"{number} ({names})" if names else str(number)


def _by_spaces(state: KahunaState) -> list[tuple[int, str, str]]:
    """Points, rule and note by seat: each held island's spaces without own pieces, and in round 3 one more point."""
    return [_spaces(state, seat) for seat in (0, 1)]


def _spaces(state: KahunaState, seat: int) -> tuple[int, str, str]:
    more, rule = (1, "kahuna:OPO-2") if state.round == 3 else (0, "kahuna:OPO-1")
    worth = {
        ISLANDS[island]: state.spaces(island) - state.strength(seat, island) + more
        for island in members(state.stones[seat])
    }
    return sum(worth.values()), rule, ", ".join(f"{name} {points}" for name, points in worth.items()) or "no island"


def decide(state: KahunaState) -> list[Effect]:
    """End the game by points or a tie-breaker, with the bridges at the end."""
    if not state.ending:
        state.counted = [bridges.bit_count() for bridges in state.bridges]
    third = f"round-{state.round}"
    third_rule = "kahuna:OPO-3" if state.options.scoring == "opodopo" else "kahuna:WIN-2"
    for reason, rule, (black, white) in (
        ("points", "kahuna:WIN-1", state.totals()),
        ("third_round", third_rule, _sums(line for line in state.lines if line.category == third)),
        ("bridges", "kahuna:WIN-3", state.counted),
    ):
        if black != white:
            return _win(state, 0 if black > white else 1, reason, rule)
    state.end(Outcome((1, 1), (0, 1), "draw", "kahuna:WIN-4"))
    return [Effect("game.drawn", "kahuna:WIN-4")]


def _sums(lines: Iterable[ScoreLine]) -> list[int]:
    points = [0, 0]
    for line in lines:
        points[line.seat] += line.points
    return points


def end_lost(state: KahunaState, seat: int, reason: str, rule: str) -> list[Effect]:
    """End the game at once: `seat` has lost."""
    return _win(state, 1 - seat, reason, rule)


def _win(state: KahunaState, seat: int, reason: str, rule: str) -> list[Effect]:
    state.end(Outcome((1, 2) if seat == 0 else (2, 1), (seat,), reason, rule))
    return [Effect("game.won", rule, seat, (reason,))]
