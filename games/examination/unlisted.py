"""Made-up moves that are not listed as legal: moves of other moments, also with other values in a field."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from games.contract import Move
from games.errors import BadMoveError, ImpossibleError
from games.examination.forms import any_field

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from games.contract import Ruleset, State
    from games.examination.plays import Play

TRIES = 40
"""How many moves are made up at each moment."""

LISTED = 200
"""The most legal moves of each moment to take field values from."""


def unlisted_moves(play: Play, moments: Sequence[State], chance: random.Random) -> Iterator[tuple[State, Move]]:
    """Made-up moves, each with a state that does not list it although its kind is listed in full."""
    made = [step.move for step in play.steps if isinstance(step.move, Move)]
    offered = [list(state.legal_moves()) for state in moments]
    lent = [*made, *(move for listed in offered for move in islice(listed, LISTED))]
    values = _values(lent)
    for state, listed in zip(moments, offered, strict=True):
        known, free = {_compared_fields(play.ruleset, move) for move in listed}, _unlisted_kinds(state)
        for _ in range(TRIES if lent else 0):
            move = _mutated(_one_of(listed or lent, lent, chance), values, chance)
            if (
                type(move) not in free
                and _compared_fields(play.ruleset, move) not in known
                and _has_its_form(state, move)
            ):
                yield state, move


def is_refused(state: State, move: Move) -> bool:
    """Whether a move breaks a rule, or is impossible."""
    trial = state.copy()
    if list(trial.breaches(move)):
        return True
    try:
        trial.apply(move)
    except ImpossibleError:
        return True
    return False


def _values(moves: Sequence[Move]) -> dict[tuple[type[Move], str], list[Any]]:
    """The different values of each field in some moves."""
    found: dict[tuple[type[Move], str], dict[Any, None]] = {}
    for move in moves:
        for name in move.__struct_fields__:
            found.setdefault((type(move), name), {})[getattr(move, name)] = None
    return {field: list(values) for field, values in found.items()}


def _one_of(listed: Sequence[Move], lent: Sequence[Move], chance: random.Random) -> Move:
    return chance.choice(chance.choice((listed, lent)))


def _mutated(move: Move, values: dict[tuple[type[Move], str], list[Any]], chance: random.Random) -> Move:
    """The move, mostly with another value in one of its fields."""
    if not move.__struct_fields__ or chance.random() < 0.2:
        return move
    name, kind = chance.choice(move.__struct_fields__), type(move)
    value = any_field(kind, name, chance) if chance.random() < 0.3 else chance.choice(values[kind, name])
    return msgspec.structs.replace(move, **{name: value})


def _unlisted_kinds(state: State) -> set[type[Move]]:
    """The kinds of moves that can be allowed without being listed: those never listed, partly listed, or off-turn."""
    kinds, partly = state.ruleset.move_types, state.ruleset.partly_listed
    declared = {kind for kind in kinds if kind.steps == () or partly.get(kind, ()) is None}
    return declared | {type(aside) for aside in state.off_turn_moves()}


def _compared_fields(ruleset: Ruleset, move: Move) -> tuple[Any, ...]:
    """The fields of a move to compare with listed moves: without open facts and partly listed fields.

    The order of cards in a field does not count.
    """
    kind = type(move)
    left_out = {*ruleset.unknown_fields.get(kind, ()), *(ruleset.partly_listed.get(kind) or ())}
    values = (getattr(move, name) for name in move.__struct_fields__ if name not in left_out)
    return (kind, *(tuple(sorted(value, key=repr)) if isinstance(value, tuple) else value for value in values))


def _has_its_form(state: State, move: Move) -> bool:
    """Whether a move fits the types of its fields."""
    try:
        state.ruleset.read_move(msgspec.json.encode(move))
    except BadMoveError:
        return False
    return True
