"""Playing a game on to its end, with chance in place of people, dice and cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from games.chance import resampled
from games.contract import State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from games.contract import Chance, Effect, Move, Policy

S = TypeVar("S", bound=State)

PERCENT = range(100)


def playout(
    state: S, chance: Chance, choose: Callable[[S, Sequence[Any]], Any] | None = None
) -> Iterator[tuple[Any, list[Effect]]]:
    """Play `state` on until nothing is legal any more, and yield each move with its effects after it was applied.

    `choose` picks a legal move (by default at random). Its open facts are then decided by chance. The version grows by
    one with each move.
    """
    while chosen := _chosen(state, choose) if choose else random_move(state, chance):
        move = state.sample_chance(chosen, chance)
        yield move, state.apply(move)


def _chosen(state: S, choose: Callable[[S, Sequence[Any]], Any]) -> Any:
    moves = list(state.legal_moves())
    return choose(state, moves) if moves else None


def play_to_end(state: State, policy: Policy, chance: Chance, most: int) -> None:
    """Let a policy play a game to its end, or for at most `most` moves. Hidden cards are decided by chance."""
    state.decide_hidden(chance)
    for _ in range(most):
        move = None if state.ending else choose_move(policy, state, chance)
        if move is None:
            return
        state.apply(state.sample_chance(move, chance))
        state.decide_hidden(chance)


def choose_move(policy: Policy, state: State, chance: Chance) -> Move | None:
    """The move of a policy, perhaps a blunder; None if there is no legal move.

    Dice and cards are never blunders: they always come by their odds.
    """
    if policy.blunders and chance.choice(PERCENT) < policy.blunders:
        move = random_move(state, chance)
        return resampled(state, move, chance) if move else None
    return policy.choose(state, chance)


def random_move(state: State, chance: Chance) -> Move | None:
    """A legal move of a random kind, so that kinds with many moves do not dominate; None if there is none.

    Only the moves of that kind are looked at.
    """
    kinds = list(state.legal_kinds())
    while kinds:
        kind = chance.choice(kinds)
        if move := kind.legal_at_random(state, chance):
            return move
        kinds.remove(kind)
    return None
