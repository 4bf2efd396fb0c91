"""Moves at random, drawn from what the types of a ruleset's moves allow, and lines of notation gone wrong."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, get_args

from msgspec import inspect

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from games.contract import Move, Ruleset

LONGEST = 6
"""Lists are no longer than this, most of the time."""
WORDS = ("ox", "wood", "x")


def any_move(ruleset: Ruleset, seats: int, chance: random.Random, beyond: int = 0) -> Move:
    """Any move that the types of its fields allow, most of the time by somebody who plays.

    With `beyond` its lists have up to so many items more than they may, as somebody could type them.
    """
    form: type[Move] = chance.choice(get_args(ruleset.moves))
    values = _values(_info(form), chance, beyond)
    if values.get("seat") is not None and chance.random() < 0.9:
        values["seat"] = chance.randrange(seats)
    return form(**values)


_info = cache(inspect.type_info)


def _values(info: inspect.Type, chance: random.Random, beyond: int) -> dict[str, Any]:
    assert isinstance(info, inspect.StructType)
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
            high = 99 if kind.le is None and kind.lt is None else int(kind.lt - 1 if kind.le is None else kind.le)
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


_PART = re.compile(r"[A-Za-z]+|[0-9]+|\S")


def garbled(text: str, others: Sequence[str], chance: random.Random) -> str:
    """A line with some words or parts of words left out, repeated, changed places or replaced by those of others."""
    parts = _PART.findall(text)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(parts) + 1)
        match chance.randrange(6):
            case 0:
                del parts[at : at + 1]
            case 1:
                parts[at:at] = parts[max(0, at - chance.randint(1, 3)) : at] * chance.choice((1, 1, 2, 40))
            case 2:
                parts[at : at + 1] = chance.choice(others).split()[:1]
            case 3:
                parts[at:at] = _PART.findall(chance.choice(others))[-3:]
            case 4:
                parts[at : at + 1] = [str(chance.choice((0, 1, 7, 99, 100, 1000)))]
            case _:
                parts[at : at + 2] = reversed(parts[at : at + 2])
    return (" " if chance.random() < 0.7 else "").join(parts)
