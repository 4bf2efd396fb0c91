"""Points at the end of a round, and how a game ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.contract import Effect, Outcome, ScoreLine

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.kahuna.state import KahunaState

ENDINGS = ("points", "third_round", "bridges", "draw", "last_bridge", "no_bridge")
"""Most points; the third round, or the bridges, break a tie; a draw; the last bridge gone; none at a turn's end."""


def scores(state: KahunaState) -> list[ScoreLine]:
    """Every score line so far."""
    return state.lines


def totals(state: KahunaState) -> list[int]:
    """The points of each seat."""
    return _sums(state.lines)


def outcome(state: KahunaState) -> Outcome | None:
    """How the game ended, if it did."""
    return state.outcome


def score_round(state: KahunaState) -> list[Effect]:
    """Enter a score line for each seat, of no points too, for the round that ends."""
    rule = "kahuna:ROUND-2" if state.round < 3 else "kahuna:ROUND-4"
    note = f"black {_islands(state.held(0))}, white {_islands(state.held(1))}"
    effects = []
    for seat in (0, 1):
        points = _points(state, seat)
        state.lines.append(ScoreLine(seat, points, f"round-{state.round}", rule, state.version, note))
        if points:
            effects.append(Effect("round.scored", rule, seat, (f"round {state.round}",), points))
    return effects or [Effect("round.tied", rule, None, (f"round {state.round}",))]


def _points(state: KahunaState, seat: int) -> int:
    lead = max(0, state.held(seat) - state.held(1 - seat))
    return lead if state.round == 3 else min(lead, 1) * state.round


def _islands(count: int) -> str:
    return "1 island" if count == 1 else f"{count} islands"


def decide(state: KahunaState) -> list[Effect]:
    """End the game by points, or by what breaks a tie."""
    third = f"round-{state.round}"
    for reason, rule, (black, white) in (
        ("points", "kahuna:WIN-1", totals(state)),
        ("third_round", "kahuna:WIN-2", _sums(line for line in state.lines if line.category == third)),
        ("bridges", "kahuna:WIN-3", [bridges.bit_count() for bridges in state.bridges]),
    ):
        if black != white:
            return _win(state, 0 if black > white else 1, reason, rule)
    state.outcome = Outcome((1, 1), (0, 1), "draw", "kahuna:WIN-4")
    return [Effect("game.drawn", "kahuna:WIN-4")]


def _sums(lines: Iterable[ScoreLine]) -> list[int]:
    points = [0, 0]
    for line in lines:
        points[line.seat] += line.points
    return points


def lose(state: KahunaState, seat: int, reason: str, rule: str) -> list[Effect]:
    """End the game at once: `seat` has lost."""
    return _win(state, 1 - seat, reason, rule)


def _win(state: KahunaState, seat: int, reason: str, rule: str) -> list[Effect]:
    state.outcome = Outcome((1, 2) if seat == 0 else (2, 1), (seat,), reason, rule)
    return [Effect("game.won", rule, seat, (reason,))]
