"""Adjustments at random, drawn from what a ruleset declares."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from games.adjustments import Adjudge, Resign, Switch
from games.errors import ImpossibleError

if TYPE_CHECKING:
    import random

    from games.contract import Adjustment, Effect, Ruleset, State

FINAL = (Adjudge, Resign)
"""Those that can end a game, and are tried more seldom so that games go on."""
TRIES = 12


def rule(
    ruleset: Ruleset[Any, Any], state: State, seats: int, chance: random.Random
) -> tuple[Adjustment, list[Effect]] | None:
    """Adjust `state` by the first of some random adjustments that can be, if one can."""
    for _ in range(TRIES):
        form = chance.choice(ruleset.adjustments)
        if form in FINAL and chance.random() < 0.8:
            continue
        adjustment, before = draw(ruleset, form, seats, chance), ruleset.copy(state)
        with suppress(ImpossibleError):
            return adjustment, ruleset.adjust(state, adjustment)
        assert state == before
    return None


def draw(ruleset: Ruleset[Any, Any], form: type[Adjustment], seats: int, chance: random.Random) -> Adjustment:
    """An adjustment of this kind that its type allows, possible or not."""
    if form is Adjudge:
        order = [chance.randrange(seats) for _ in range(seats)]
        return Adjudge(ranks=tuple(1 + sum(other < key for other in order) for key in order))
    if form is Switch:
        option = chance.choice(ruleset.options)
        return Switch(name=option.name, value=chance.choice(option.choices))
    info = msgspec.inspect.type_info(form)
    assert isinstance(info, msgspec.inspect.StructType)
    return form(**{field.name: _value(field.type, seats, chance) for field in info.fields})


def _value(kind: msgspec.inspect.Type, seats: int, chance: random.Random) -> Any:
    match kind:
        case msgspec.inspect.UnionType():
            return _value(chance.choice(kind.types), seats, chance)
        case msgspec.inspect.NoneType():
            return None
        case msgspec.inspect.Metadata(extra_json_schema={"x-seat": True}):
            return chance.randrange(seats)
        case msgspec.inspect.LiteralType():
            return chance.choice(kind.values)
        case msgspec.inspect.BoolType():
            return chance.random() < 0.5
        case msgspec.inspect.IntType():
            low, high = -1000 if kind.ge is None else kind.ge, 1000 if kind.le is None else kind.le
            return chance.randint(max(low, -9), min(high, 9))
        case _:
            raise TypeError(kind)
