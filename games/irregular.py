"""Moves against the rules that are physically possible with the pieces: slips at a table.

They are found in every ruleset in the same way. Each kind of move is tried with every seat, piece and place that its
fields can name, and the legal moves are tried for the other seats. Those that break a rule and are possible are kept.
"""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations_with_replacement, islice, product
from typing import TYPE_CHECKING, Any, cast

import msgspec
from msgspec.inspect import (
    BoolType,
    Field,
    IntType,
    LiteralType,
    NoneType,
    StructType,
    TupleType,
    UnionType,
    VarTupleType,
    type_info,
)

from games.errors import ImpossibleError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.contract import Move, State

MOST_TRIED = 600
"""The most moves of a kind that are tried."""
MOST_LISTED = 150
"""The most moves of a kind in the result."""
LONGEST = 2
"""The longest list that is tried."""
FEW = 20
"""The most numbers of a field that are tried one by one."""


def irregular_moves(state: State) -> Iterator[Move]:
    """The possible moves that break a rule now, kind by kind, with facts of chance left open.

    For a kind with very many moves only some are listed; any can be typed.
    """
    for kind in state.ruleset.move_types:
        yield from islice(_of_kind(state, kind), MOST_LISTED)


def _of_kind(state: State, kind: type[Move]) -> Iterator[Move]:
    seen, twin = set(), state.copy()
    for move in islice(chain(_changed_legal_moves(state, kind), _moves_by_type(state, kind)), MOST_TRIED):
        if move not in seen and _breaks(state, move) and _can_be(twin, move):
            twin = state.copy()
            yield move
        seen.add(move)


def _breaks(state: State, move: Move) -> bool:
    return next(iter(state.breaches(move)), None) is not None


def _can_be(twin: State, move: Move) -> bool:
    """Whether a move can be made. If not, it changes nothing: the next one is tried on the same copy."""
    try:
        twin.apply(move)
    except ImpossibleError:
        return False
    return True


def _moves_by_type(state: State, kind: type[Move]) -> Iterator[Move]:
    """All moves of a kind by the types of its fields; none if a field has no limit."""
    fields = _fields(kind)
    values = [_values(state, field.name, field.type, open=field.name in kind.unknown_fields) for field in fields]
    if all(values):
        for chosen in product(*values):
            yield kind(**dict(zip((field.name for field in fields), chosen, strict=True)))


def _changed_legal_moves(state: State, kind: type[Move]) -> Iterator[Move]:
    """The legal moves of a kind, each with another value in one of its fields."""
    for move in kind.legal(state) if state.due in (kind.steps or (state.due,)) else ():
        for field in _fields(kind):
            for value in _values(state, field.name, field.type):
                yield msgspec.structs.replace(move, **{field.name: value})


@cache
def _fields(kind: type[Move]) -> Sequence[Field]:
    return cast("StructType", type_info(kind)).fields


def _values(state: State, name: str, form: Any, *, open: bool = False) -> list[Any]:  # noqa: A002
    """The possible values of a field; an optional fact is left open."""
    match form:
        case UnionType(types=types):
            if open and any(isinstance(each, NoneType) for each in types):
                return [None]
            return [value for each in types for value in _values(state, name, each)]
        case NoneType():
            return [None]
        case BoolType():
            return [False, True]
        case LiteralType(values=pieces):
            seats = range(state.seats)
            return [piece for piece in pieces if name != "seat" or piece in seats]
        case IntType(ge=int(least), le=int(most)) if most - least < FEW:
            return list(range(least, most + 1))
        case TupleType(item_types=items):
            return list(product(*(_values(state, name, item) for item in items)))
        case VarTupleType(item_type=item, min_length=least, max_length=most):
            return [()] if open and not least else _tuples(_values(state, name, item, open=open), least or 0, most)
    return []


def _tuples(values: list[Any], least: int, most: int | None) -> list[tuple[Any, ...]]:
    """The tuples of these values, in any number from `least` on that stays few."""
    longest = min(LONGEST if len(values) <= FEW else 1, most or LONGEST)
    return [some for length in range(least, longest + 1) for some in combinations_with_replacement(values, length)]
