"""Replaying a move held against judging it and applying it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.errors import ImpossibleError

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.contract import Move, State
    from games.errors import RuleBrokenError


def assert_replayed_as_judged(before: State, move: Move) -> None:
    """At the state `before` the move breaks the same rules and makes the same state either way, or cannot be."""
    assert _carried_out(_replay, before, move) == _carried_out(_judge_and_apply, before, move)


def _replay(state: State, move: Move) -> list[RuleBrokenError]:
    flagged: list[RuleBrokenError] = []
    state.replay(move, state.version + 1, lambda _, breaches: flagged.extend(breaches))
    return flagged


def _judge_and_apply(state: State, move: Move) -> list[RuleBrokenError]:
    breaches = list(state.breaches(move))
    state.apply(move)
    return breaches


def _carried_out(way: Callable[[State, Move], list[RuleBrokenError]], before: State, move: Move) -> tuple[str, State]:
    state = before.copy()
    try:
        return "; ".join(map(str, way(state, move))), state
    except ImpossibleError as error:
        return f"impossible: {error}", state
