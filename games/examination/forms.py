"""Moves at random, drawn from what the types of a ruleset's moves allow."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, cast

from msgspec import inspect

if TYPE_CHECKING:
    import random

    from games.contract import Move, Ruleset

LONGEST = 6
"""The usual limit of the length of lists."""
WORDS = ("ox", "wood", "x")


def any_move(ruleset: Ruleset, seats: int, chance: random.Random, beyond: int = 0) -> Move:
    """A random move that the types of its fields allow, mostly of a seat in the game.

    With `beyond` its lists can be too long by this number of items, as somebody could type them.
    """
    form: type[Move] = chance.choice(ruleset.move_types)
    values = _values(_info(form), chance, beyond)
    if values.get("seat") is not None and chance.random() < 0.9:
        values["seat"] = chance.randrange(seats)
    return form(**values)


def any_field(form: type[Move], name: str, chance: random.Random) -> Any:
    """A random value that the type of a move's field allows."""
    return _value(next(field.type for field in _info(form).fields if field.name == name), chance, 0)


@cache
def _info(form: type[Move]) -> inspect.StructType:
    return cast("inspect.StructType", inspect.type_info(form))


def _values(info: inspect.StructType, chance: random.Random, beyond: int) -> dict[str, Any]:
    return {
        field.name: _value(field.type, chance, beyond)
        for field in info.fields
        if field.required or chance.random() < 0.7
    }


def _value(kind: inspect.Type, chance: random.Random, beyond: int) -> Any:
    match kind:
        case inspect.UnionType():
            return _value(chance.choice(kind.types), chance, beyond)
        case inspect.Metadata():
            return _value(kind.type, chance, beyond)
        case inspect.VarTupleType():
            length = _length(kind.min_length or 0, kind.max_length, chance, beyond)
            return tuple(_value(kind.item_type, chance, beyond) for _ in range(length))
        case inspect.TupleType():
            return tuple(_value(item, chance, beyond) for item in kind.item_types)
        case inspect.StructType():
            return kind.cls(**_values(kind, chance, beyond))
        case _:
            return _plain(kind, chance)


def _plain(kind: inspect.Type, chance: random.Random) -> Any:
    match kind:
        case inspect.NoneType():
            return None
        case inspect.LiteralType():
            return chance.choice(kind.values)
        case inspect.BoolType():
            return chance.random() < 0.5
        case inspect.IntType() | inspect.FloatType():
            low = -9 if kind.ge is None else int(kind.ge)
            high = 99 if kind.lt is None else int(kind.lt) - 1
            high = high if kind.le is None else int(kind.le)
            return chance.randint(low, min(high, low + 9) if chance.random() < 0.8 else high)
        case inspect.StrType():
            return chance.choice(WORDS)
        case _:
            raise TypeError(kind)


def _length(least: int, most: int | None, chance: random.Random, beyond: int) -> int:
    most = LONGEST if most is None else most
    if beyond and chance.random() < 0.5:
        return most + chance.randint(1, beyond)
    return most if chance.random() < 0.03 else chance.randint(least, max(least, min(most, LONGEST)))
