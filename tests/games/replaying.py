"""Replaying a move held against judging it and applying it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from games.errors import ImpossibleError

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.contract import Move, Ruleset, State
    from games.errors import RuleBrokenError


def assert_replayed_as_judged(ruleset: Ruleset[Any, Any], before: State, move: Move) -> None:
    """At the state `before` the move breaks the same rules and makes the same state either way, or cannot be."""
    replayed = _carried_out(ruleset, partial(_replay, ruleset), before, move)
    assert replayed == _carried_out(ruleset, partial(_judge_and_apply, ruleset), before, move)


def _replay(ruleset: Ruleset[Any, Any], state: State, move: Move) -> list[RuleBrokenError]:
    flagged: list[RuleBrokenError] = []
    ruleset.replay(state, move, lambda _, breaches: flagged.extend(breaches))
    return flagged


def _judge_and_apply(ruleset: Ruleset[Any, Any], state: State, move: Move) -> list[RuleBrokenError]:
    breaches = list(ruleset.breaches(state, move))
    ruleset.apply(state, move)
    return breaches


def _carried_out(
    ruleset: Ruleset[Any, Any], way: Callable[[State, Move], list[RuleBrokenError]], before: State, move: Move
) -> tuple[str, State]:
    state = ruleset.copy(before)
    state.version += 1
    try:
        return "; ".join(map(str, way(state, move))), state
    except ImpossibleError as error:
        return f"impossible: {error}", state
