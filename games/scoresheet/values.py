"""The values of a sheet: entered ones, and those of formulas, computed on demand."""

from __future__ import annotations

from bisect import bisect_left
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from games.scoresheet.formulas import ROUNDINGS, TARGET, TOTAL_BEFORE, FormulaError, StillUnknown, evaluate
from games.scoresheet.template import MOST, exact, in_range, line_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.scoresheet.formulas import Formula, Input, Reference
    from games.scoresheet.state import Cell, ScoresheetState
    from games.scoresheet.template import Column


DEFAULTS = 6
"""The first revision that takes the default for an empty cell in formulas, even before the end."""


class ValueStart(NamedTuple):
    """The beginning of a value: its moment, for the order, and the version of the entry."""

    moment: int
    version: int


NEVER = ValueStart(0, 0)


class Value(NamedTuple):
    """A number with its beginning; or None and, if it cannot be computed, the reason `why`."""

    number: Fraction | None
    since: ValueStart = NEVER
    why: str = ""


class _List(NamedTuple):
    """Several numbers, and their newest beginning; None if they are not all known yet."""

    numbers: tuple[Fraction, ...] | None
    since: ValueStart = NEVER


EMPTY = Value(None)
NOTHING = Value(Fraction(0))


class Place(NamedTuple):
    """The context of a formula: a side, its round (None for the whole game), and its `total` if the formula uses it."""

    side: int
    round: int | None = None
    total: int | None = None


class FormulaInput(NamedTuple):
    """An input of a computed value: the value of a column (of a `round`), or of `total_before` without a column."""

    column: Column | None
    round: int | None
    number: Fraction


class Sheet:
    """All values of a state, each computed once at most.

    A value begins with the newest entry that it depends on. With `as_placed` a changed cell counts as right from the
    beginning. With `waits`, formulas also wait for cells with a default.
    """

    def __init__(self, state: ScoresheetState, *, as_placed: bool = False, waits: bool = False) -> None:
        self.state, self._as_placed = state, as_placed
        self._takes_defaults = state.revision >= DEFAULTS and not waits
        self._known: dict[tuple[str, int | None, int], Value] = {}
        self._lists: dict[tuple[Reference, int | None, int | None], _List] = {}
        self._prepared: dict[tuple[str, int], int] = {}
        self._before: dict[int, list[Value]] = {}
        self._running: dict[tuple[str, int], dict[int, int]] = {}
        self._sides: dict[int | None, Sequence[int]] = {}

    @cached_property
    def _begun(self) -> list[int]:
        return self.state.begun_rounds()

    def value(self, column: Column, number: int | None, side: int) -> Value:
        """The value of a column (in round `number`) for a side."""
        if column.formula is None:
            cell = self.state.cell(column, number, side)
            return Value(exact(cell.value), self.start_of(cell)) if cell else EMPTY
        key = column.id, number, side
        if side not in self._playing(number):
            return EMPTY
        if key not in self._known:
            if number is not None and (way := self.state.template.look_directions.get(column.id)):
                self._prepare(column, number, side, way)
            formula = self.state.template.formulas[column.id]
            self._known[key] = self._whole(column, self._compute(formula, Place(side, number)))
        return self._known[key]

    def _playing(self, number: int | None) -> Sequence[int]:
        """The sides that play a round, cached."""
        if number not in self._sides:
            self._sides[number] = self.state.sides_in(number)
        return self._sides[number]

    def number(self, column: Column, number: int | None, side: int) -> tuple[Fraction | float | None, str]:
        """The number of a cell as it was entered or computed; or None and, if it cannot be computed, the reason."""
        if column.formula is None:
            cell = self.state.cell(column, number, side)
            return cell.value if cell else None, ""
        value = self.value(column, number, side)
        return value.number, value.why

    def _prepare(self, column: Column, number: int, side: int, way: int) -> None:
        """Compute a column's other rounds first, one by one: otherwise each would recurse to the next."""
        key = column.id, side
        rounds = self._begun if way < 0 else self._begun[::-1]
        while (at := self._prepared.get(key, 0)) < len(rounds) and (number - rounds[at]) * way < 0:
            self._prepared[key] = at + 1
            self.value(column, rounds[at], side)

    def start_of(self, cell: Cell) -> ValueStart:
        """The beginning of a cell's value."""
        return ValueStart((self._as_placed and cell.placed) or cell.moment, cell.version)

    def computed_points(self) -> Iterator[tuple[Column, int | None, int, Value]]:
        """The points that formulas give, with their column, round and side, in the order of the sheet."""
        state = self.state
        for column in state.template.point_columns:
            for number in self._begun if column.per == "round" else (None,):
                for side in range(state.sides):
                    value = self.value(column, number, side)
                    if value.number is not None:
                        yield column, number, side, value

    def totals(self) -> list[int]:
        """The points of each side."""
        points = self.state.points.copy()
        if self.state.template.point_columns:
            for _, _, side, value in self.computed_points():
                points[side] += points_of(value)
        return points

    @property
    def has_points(self) -> bool:
        """Whether there is a total to show: a column gives points, or somebody has some without one."""
        return self.state.template.has_points or bool(self.state.credits) or any(self.state.points)

    def running_sums(self, column: Column, side: int) -> dict[int, int]:
        """The running sum of a column for a side, after each begun round."""
        key = column.id, side
        if key not in self._running:
            points = (points_of(self.value(column, number, side)) for number in self._begun)
            self._running[key] = dict(zip(self._begun, accumulate(points), strict=True))
        return self._running[key]

    def loses(self, side: int, total: int) -> bool:
        """Whether the side loses by the formula `loses`, with any points."""
        formula = self.state.template.losing_formula
        if formula is None:
            return False
        return bool(self._compute(formula, Place(side, None, total)).number)

    def ends(self, side: int, total: int) -> bool:
        """Whether the side ends the game by the formula `ends`."""
        formula = self.state.template.ending_formula
        if self.state.template.ends_by_rounds and not self.state.closing:
            return self._if_over.ends(side, total)
        return formula is not None and bool(self._compute(formula, Place(side, None, total)).number)

    @cached_property
    def _if_over(self) -> Sheet:
        """The sheet as if the game was over now, with all rounds played."""
        return Sheet(self.state.when_closed())

    def holds(self, formula: Formula, number: int | None, side: int) -> bool | None:
        """Whether a check holds for a side (in a round); None as long as that is unknown."""
        value = self._compute(formula, Place(side, number)).number
        return None if value is None else bool(value)

    def value_text(self, formula: Formula, number: int | None, side: int) -> str:
        """The value of a formula for a side (in a round), as text."""
        value = self._compute(formula, Place(side, number, 0)).number
        return "?" if value is None else number_text(value)

    def inputs(self, column: Column, number: int | None, side: int) -> list[FormulaInput]:
        """The inputs of a computed value for a side, round by round, without values of other sides."""
        formula, found = self.state.template.formulas[column.id], list[FormulaInput]()
        needed = set(formula.names)
        if formula.lazy:
            self._compute(formula, Place(side, number), needed := set())
        for used in formula.references:
            part = self.state.template.by_id.get(used.column)
            if used.name not in needed:
                continue
            if part is None:
                if used.column == TOTAL_BEFORE and number is not None:
                    found.append(FormulaInput(None, None, self._total_before(number, side).number or Fraction(0)))
            elif used.kind in {"before", "after"}:
                found += self._inputs_of_rounds(part, number or 0, side, used.direction)
            elif used.kind == "shift" and not 1 <= (number or 0) + used.shift <= self.state.round:
                continue  # there is no such round: its value is 0
            elif not used.compares and (part.per == "round") == (number is not None):
                at = None if number is None else number + used.shift
                value = self.value(part, at, side).number
                found += [] if value is None else [FormulaInput(part, at, value)]
        return found

    def _inputs_of_rounds(self, column: Column, number: int, side: int, way: int) -> list[FormulaInput]:
        values = ((at, self._settled(column, at, side)) for at in self._begun if (at - number) * way > 0)
        return [FormulaInput(column, at, value.number) for at, value in values if value and value.number is not None]

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

    def _compute(self, formula: Formula, place: Place, needed: set[str] | None = None) -> Value:
        """Compute a formula at a place. The names that it used are added to `needed`."""
        inputs: dict[str, Input] = dict.fromkeys(formula.names)
        since = NEVER
        for used in formula.references:
            if used.name not in formula.lazy:
                found = self._input(used, place)
                if (given := _content(found)) is None:
                    return Value(None, NEVER, found.why if isinstance(found, Value) else "")
                inputs[used.name] = given
                since = max(since, found.since)
        if since == NEVER:  # no entered value was used: it begins with the round, or with the end of the game
            since = max(self._begin(formula, place), self._end())
        if since == NEVER:
            return EMPTY
        value = self._evaluate(formula, place, inputs, since)
        if needed is not None:
            needed |= {name for name, given in inputs.items() if given is not None}
        return value

    def _evaluate(self, formula: Formula, place: Place, inputs: dict[str, Input], since: ValueStart) -> Value:
        """Evaluate a formula with its inputs. Inputs of later rounds are looked up when evaluation reaches them."""
        while True:
            try:
                return Value(evaluate(formula, tuple(inputs.values())), since)
            except FormulaError as error:
                return Value(None, since, error.why)
            except StillUnknown as unknown:
                used = next(used for used in formula.references if used.name == unknown.name)
            found = self._input(used, place)
            inputs[used.name] = _content(found)
            if inputs[used.name] is None:
                return EMPTY
            since = max(since, found.since)

    def _begin(self, formula: Formula, place: Place) -> ValueStart:
        """The beginning of a formula without entered values: a total, a look back from a round, or defaults."""
        state, number = self.state, place.round
        if place.total is not None:
            return ValueStart(state.moment, state.newest)
        if number is not None and state.template.needs(formula, -1):
            lines = (state.cells.get(line_name(column.id, number), ()) for column in state.template.entered_columns)
            return min((self.start_of(cell) for line in lines for cell in line if cell), default=NEVER)
        return self._first_entry(place) if self._takes_defaults and self._is_of_defaults(formula) else NEVER

    def _is_of_defaults(self, formula: Formula) -> bool:
        by_id = self.state.template.by_id
        used = (by_id.get(used.column) for used in formula.references if not used.compares)
        return any(column is not None and column.default is not None for column in used)

    def _first_entry(self, place: Place) -> ValueStart:
        """The beginning of the first value in the side's own cells, of the round or of the whole game."""
        per = "game" if place.round is None else "round"
        own = (column for column in self.state.template.entered_columns if column.per == per and not column.shared)
        cells = (self.state.cell(column, place.round, place.side) for column in own)
        return min((self.start_of(cell) for cell in cells if cell), default=NEVER)

    def _input(self, used: Reference, place: Place) -> Value | _List:
        state, number, side = self.state, place.round, place.side
        if used.column in state.template.by_id:
            column = state.template.by_id[used.column]
            if used.compares:
                return self._list(used, number, None)
            if used.direction and used.kind != "shift":
                return self._list(used, number, side)
            if used.kind == "shift":
                return self._shifted(column, (number or 0) + used.shift, side)
            if used.kind == "given":
                return self._given(column, number, side)
            if column.per == "round" and number is None:
                return self._list(used, None, side)
            return self._own_value(column, number, side)
        return self._word(used.column, place)

    def _own_value(self, column: Column, number: int | None, side: int) -> Value:
        """The value of a column for a side, or its default."""
        if column.default is None or not self._takes_defaults:
            return self.value(column, number, side)
        return self._or_default(column, number, side)

    def _word(self, name: str, place: Place) -> Value:
        """The value of a word that is not a column."""
        state = self.state
        if name == "sides":
            return Value(Fraction(len(self._playing(place.round))))
        if name == "rounds":
            if state.closing:
                return Value(Fraction(state.round), self._end())
            fixed = state.template.rounds if place.round is not None else None
            return Value(Fraction(fixed)) if fixed else EMPTY
        if name == TARGET:
            return Value(Fraction(state.template.target or 0))
        if name == TOTAL_BEFORE:
            return self._total_before(place.round or 0, place.side)
        return Value(Fraction((place.round if name == "round" else place.total) or 0))

    def _given(self, column: Column, number: int | None, side: int) -> Value:
        """The value of a cell or its default, even after the end of the game filled it in; else 0."""
        value = self._or_default(column, number, side)
        return value if value.number is not None else NOTHING

    def _or_default(self, column: Column, number: int | None, side: int) -> Value:
        value = self.value(column, number, side)
        by_the_end = column.formula is None and value.since == self._end()
        if column.default is None or value.why or (value.number is not None and not by_the_end):
            return value
        return Value(exact(column.default))

    def _settled(self, column: Column, number: int, side: int) -> Value | None:
        """The value of a column in another round, or its default.

        EMPTY if it never comes, and None if it may still come.
        """
        value = self._or_default(column, number, side)
        if value.number is not None or value.why:
            return value
        return None if not self.state.closing and self.state.owes_cells(side, number) else EMPTY

    def _shifted(self, column: Column, number: int, side: int) -> Value:
        """The value of a column in another round: 0 before the first and after the last one, or if it never came."""
        if not 1 <= number <= self.state.last:
            return NOTHING
        value = self._settled(column, number, side)
        return EMPTY if value is None else Value(Fraction(0), self._end()) if value.number is None else value

    def _total_before(self, number: int, side: int) -> Value:
        """The points of a side before a round: of earlier rounds, and beside the columns."""
        rounds = bisect_left(self._begun, number)
        totals = self._before.setdefault(side, [NOTHING])
        while len(totals) <= rounds:
            totals.append(self._with_round(totals[-1], self._begun[len(totals) - 1], side))
        total, since = totals[rounds].number, totals[rounds].since
        if total is None:
            return EMPTY
        for given in self.state.credits:
            if given.side == side and given.round < number:
                total, since = total + given.points, max(since, ValueStart(given.moment, given.version))
        return Value(total, since)

    def _with_round(self, total: Value, number: int, side: int) -> Value:
        """The total after a round; EMPTY while the round is not complete."""
        for column in self.state.template.points_of_rounds:
            value = self._settled(column, number, side)
            if value is None or total.number is None:
                return EMPTY
            total = Value(total.number + points_of(value), max(total.since, value.since))
        return total

    def _list(self, used: Reference, number: int | None, side: int | None) -> _List:
        """A column's values through rounds for a `side`, or of everyone without a side."""
        key = used, number, side
        if key not in self._lists:
            column = self.state.template.by_id[used.column]
            if used.kind == "all":
                values = [self._given(column, number, other) for other in self._playing(number)]
                found = _List(tuple(value.number or Fraction(0) for value in values), self._newest(values))
            elif side is None:
                found = self._of_everyone(column, number)
            elif number is None:
                found = self._through_rounds(column, side)
            else:
                found = self._of_others(column, number, side, used.direction)
            self._lists[key] = found
        return self._lists[key]

    def _through_rounds(self, column: Column, side: int) -> _List:
        """A column's values of all rounds; unknown until the game is over."""
        if not self.state.closing:
            return _List(None)
        values = [self.value(column, number, side) for number in self._begun]
        return _List(tuple(value.number for value in values if value.number is not None), self._newest(values))

    def _of_others(self, column: Column, number: int, side: int, way: int) -> _List:
        """A column's values of all earlier or all later rounds; later ones are unknown until the game is over."""
        if way > 0 and not self.state.closing:
            return _List(None)
        values = []
        for at in self._begun:
            if (at - number) * way > 0:
                value = self._settled(column, at, side)
                if value is None:
                    return _List(None)
                values.append(value)
        since = max((value.since for value in values), default=NEVER)
        numbers = tuple(value.number for value in values if value.number is not None)
        return _List(numbers, max(since, self._end()) if way > 0 else since)

    def _of_everyone(self, column: Column, number: int | None) -> _List:
        """A column's values of all sides; unknown while a playing side has none, until the game is over."""
        state = self.state
        values = []
        for side in range(state.sides):
            value = self._own_value(column, number, side)
            if value.number is None and not state.closing and state.owes_cells(side, number):
                return _List(None)
            values.append(value)
        return _List(tuple(value.number for value in values if value.number is not None), self._newest(values))

    def _newest(self, values: list[Value]) -> ValueStart:
        return max([self._end(), *(value.since for value in values)])

    def _end(self) -> ValueStart:
        closing = self.state.closing
        return ValueStart(closing.moment, closing.version) if closing else NEVER


def _content(found: Value | _List) -> Input:
    return found.number if isinstance(found, Value) else found.numbers


def points_of(value: Value) -> int:
    """The points of a value, as a whole number."""
    return int(value.number or 0)


def number_text(number: Fraction | float) -> str:
    """A number in the shortest form: 12, -0.5, 0.00001, 2/3."""
    fraction = number if isinstance(number, Fraction) else exact(number)
    if fraction.denominator == 1:
        return str(fraction.numerator)
    decimal = float(fraction)
    return f"{Decimal(str(decimal)):f}" if exact(decimal) == fraction else str(fraction)


def write_value(column: Column, value: Fraction | float) -> str:
    """A value as it is written: its label, if it has one."""
    if not column.labels:
        return str(value) if type(value) is int else number_text(value)
    text = number_text(value)
    return next((word for word, number in column.labels.items() if number_text(number) == text), text)
