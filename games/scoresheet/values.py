"""The values of a sheet: what was entered, and what the formulas make of it. Computed only when asked for."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from games.scoresheet.components import MOST, exact, in_range
from games.scoresheet.formulas import EVERYONE, ROUNDINGS, FormulaError, evaluate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.scoresheet.components import Column
    from games.scoresheet.formulas import Formula, Input
    from games.scoresheet.state import ScoresheetState


class Since(NamedTuple):
    """Since when a value stands: the moment, by which the newest is found, and the version of the entry."""

    moment: int
    version: int


NEVER = Since(0, 0)


class Value(NamedTuple):
    """A number, and the entry since which it is this one; or None and, if it cannot be computed, why."""

    number: Fraction | None
    since: Since = NEVER
    why: str = ""


class _List(NamedTuple):
    """Several numbers, and the newest of the entries that they are from; None if they are not all known yet."""

    numbers: tuple[Fraction, ...] | None
    since: Since = NEVER


EMPTY = Value(None)


class Sheet:
    """All values of a state, each computed once at most."""

    def __init__(self, state: ScoresheetState) -> None:
        self.state = state
        self._known: dict[tuple[str, int | None, int], Value] = {}
        self._lists: dict[tuple[str, int | None, int | None], _List] = {}
        self._running: dict[tuple[str, int], dict[int, int]] = {}

    @cached_property
    def _begun(self) -> list[int]:
        return self.state.begun()

    def value(self, column: Column, number: int | None, side: int) -> Value:
        """What a column (of round `number`) holds for a side."""
        if column.formula is None:
            cell = self.state.cell(column, number, side)
            return Value(exact(cell.value), Since(cell.moment, cell.version)) if cell else EMPTY
        key = column.id, number, side
        if key not in self._known:
            formula = self.state.template.formulas[column.id]
            self._known[key] = self._whole(column, self._compute(formula, number, side))
        return self._known[key]

    def computed(self) -> Iterator[tuple[Column, int | None, int, Value]]:
        """The points that formulas give, with their column, round and side, in the order of the sheet."""
        state = self.state
        for column in state.template.counted:
            for number in self._begun if column.per == "round" else (None,):
                for side in range(state.sides):
                    value = self.value(column, number, side)
                    if value.number is not None:
                        yield column, number, side, value

    def totals(self) -> list[int]:
        """The points of each side."""
        points = self.state.points.copy()
        if self.state.template.counted:
            for _, _, side, value in self.computed():
                points[side] += points_of(value)
        return points

    def running(self, column: Column, side: int) -> dict[int, int]:
        """What a column has given a side up to and with each round in which something stands."""
        key = column.id, side
        if key not in self._running:
            points = (points_of(self.value(column, number, side)) for number in self._begun)
            self._running[key] = dict(zip(self._begun, accumulate(points), strict=True))
        return self._running[key]

    def loses(self, side: int, total: int) -> bool:
        """Whether the side loses whatever its points are."""
        formula = self.state.template.losing
        if formula is None:
            return False
        value = self._compute(formula, None, side, total)
        return bool(value.number)

    def inputs(self, column: Column, number: int | None, side: int) -> list[tuple[str, Value]]:
        """The columns that a formula's value for a side is made of, where each has one value."""
        formula, by_id = self.state.template.formulas[column.id], self.state.template.by_id
        own = [by_id[name] for name in formula.names if name in by_id]
        return [
            (part.id, self.value(part, number, side)) for part in own if (part.per == "round") == (number is not None)
        ]

    def _whole(self, column: Column, value: Value) -> Value:
        """A computed value after the column's ranges and rounding; points are always whole."""
        number = value.number
        if number is None:
            return value
        if column.ranges:
            number = in_range(column, number)
            if number is None:
                return Value(None, value.since, f"{value.number} is below the first range")
        if column.round or column.counts:
            number = ROUNDINGS[column.round or "half"](number)
        if column.counts and abs(number) > MOST:
            return Value(None, value.since, "there are too many points")
        return Value(number, value.since)

    def _compute(self, formula: Formula, number: int | None, side: int, total: int | None = None) -> Value:
        inputs: list[Input] = []
        since = NEVER
        for name in formula.names:
            found = self._input(name, number, side, total)
            given = found.number if isinstance(found, Value) else found.numbers
            if given is None:
                return Value(None, NEVER, found.why if isinstance(found, Value) else "")
            inputs.append(given)
            since = max(since, found.since)
        if since == NEVER:  # made of nothing that was entered: it is settled with the game
            since = self._end()
        if since == NEVER:
            return EMPTY
        try:
            return Value(evaluate(formula, tuple(inputs)), since)
        except FormulaError as error:
            return Value(None, since, error.why)

    def _input(self, name: str, number: int | None, side: int, total: int | None) -> Value | _List:
        state = self.state
        if name in state.template.by_id:
            column = state.template.by_id[name]
            if column.per == "round" and number is None:
                return self._list(column, None, side)
            return self.value(column, number, side)
        if name.startswith(EVERYONE):
            return self._list(state.template.by_id[name.removeprefix(EVERYONE)], number, None)
        if name == "sides":
            return Value(Fraction(state.sides))
        if name == "rounds":
            return Value(Fraction(state.round), self._end()) if state.closing else EMPTY
        return Value(Fraction((number if name == "round" else total) or 0))

    def _list(self, column: Column, number: int | None, side: int | None) -> _List:
        """A column's values through all rounds for a `side`, or of everyone if none is given."""
        key = column.id, number, side
        if key not in self._lists:
            self._lists[key] = self._of_everyone(column, number) if side is None else self._through_rounds(column, side)
        return self._lists[key]

    def _through_rounds(self, column: Column, side: int) -> _List:
        """A column's values of all rounds, which are settled when the game is over."""
        if not self.state.closing:
            return _List(None)
        values = [self.value(column, number, side) for number in self._begun]
        return _List(tuple(value.number for value in values if value.number is not None), self._newest(values))

    def _of_everyone(self, column: Column, number: int | None) -> _List:
        """A column's values of all sides; one that plays and has none yet is waited for, until the game is over."""
        state = self.state
        values = []
        for side in range(state.sides):
            value = self.value(column, number, side)
            if value.number is None and not state.closing and state.obliged(side, number):
                return _List(None)
            values.append(value)
        return _List(tuple(value.number for value in values if value.number is not None), self._newest(values))

    def _newest(self, values: list[Value]) -> Since:
        return max([self._end(), *(value.since for value in values)])

    def _end(self) -> Since:
        closing = self.state.closing
        return Since(closing.moment, closing.version) if closing else NEVER


def points_of(value: Value) -> int:
    """The points of a value, which are whole."""
    return int(value.number or 0)


def spell(number: Fraction | float) -> str:
    """A number in as few signs as it takes: 12, -0.5, 0.00001, 2/3."""
    fraction = number if isinstance(number, Fraction) else exact(number)
    if fraction.denominator == 1:
        return str(fraction.numerator)
    decimal = float(fraction)
    return f"{Decimal(str(decimal)):f}" if exact(decimal) == fraction else str(fraction)


def write_value(column: Column, value: Fraction | float) -> str:
    """A value as it is written: by its label, if it has one."""
    if not column.labels:
        return str(value) if type(value) is int else spell(value)
    text = spell(value)
    return next((word for word, number in column.labels.items() if spell(number) == text), text)
