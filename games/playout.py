"""Playing a game on to its end, with chance in place of people, dice and cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from games.contract import State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from games.contract import Chance, Effect

S = TypeVar("S", bound=State)


def playout(
    state: S, chance: Chance, choose: Callable[[S, Sequence[Any]], Any] | None = None
) -> Iterator[tuple[Any, list[Effect]]]:
    """Play `state` on until nothing is legal any more, and yield each move with its effects after it was applied.

    `choose` picks among the legal moves (at random if it is not given); what is left open in the one it picks is then
    decided by chance. The version grows by one a move.
    """
    while moves := list(state.legal_moves()):
        chosen = choose(state, moves) if choose else _any(moves, chance)
        move = state.fill_in(chosen, chance)
        yield move, state.apply(move)


def _any(moves: Sequence[Any], chance: Chance) -> Any:
    """A random move; every other time one of a random kind, so that kinds with many moves do not crowd out others."""
    if chance.sample((True, False), 1)[0]:
        kind = chance.sample(list({type(move): None for move in moves}), 1)[0]
        moves = [move for move in moves if type(move) is kind]
    return chance.sample(moves, 1)[0]
