"""Checks of entries: an entry that fails a check of the sheet needs a confirmation."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from games.contract import Title
from games.errors import RuleBrokenError
from games.scoresheet.formulas import KEPT_LIMIT, FormulaError, evaluate
from games.scoresheet.template import decimals_fault, exact, line_name
from games.scoresheet.values import Sheet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from fractions import Fraction

    from games.scoresheet.checks import CheckInput, KnownCheck
    from games.scoresheet.formulas import Formula
    from games.scoresheet.state import ScoresheetState
    from games.scoresheet.template import Column

Numbers = tuple[float | tuple[float, ...], ...]
"""The values of a formula's names: numbers as they were entered, or one for each side."""


def failed_checks(
    state: ScoresheetState, column: Column, number: int | None, values: Sequence[tuple[int, float]]
) -> Iterator[RuleBrokenError]:
    """The checks that would fail with these values, by side, in a line of the sheet.

    Only checks of the line's round that use the column are tried.
    """
    for trial, check, side in _failures(state, column, number, values):
        yield trial.breach(check, side)


def would_fail(state: ScoresheetState, column: Column, number: int | None, values: Sequence[tuple[int, float]]) -> bool:
    """Whether a check would fail with these values. Quicker than `failed_checks`, which says why."""
    return next(_failures(state, column, number, values), None) is not None


def _failures(
    state: ScoresheetState, column: Column, number: int | None, values: Sequence[tuple[int, float]]
) -> Iterator[tuple[_Trial, KnownCheck, int]]:
    """The checks that would fail, each with the trial and a side."""
    checks = state.template.checks_of[column.id, "game" if number is None else "round"]
    if not checks or not _can_stand(state, column, number, values):
        return
    trial = _Trial(state, column, number, values)
    entered = range(state.sides) if column.shared else [side for side, _ in values]
    for check in checks:
        for side in trial.failing(check, state.sides_in(number) if check.holds.compared else entered):
            yield trial, check, side


def failed_at_end(state: ScoresheetState) -> Iterator[RuleBrokenError]:
    """The checks of the whole game that would fail if it ended now."""
    sheet = Sheet(state.when_closed())
    by_id = state.template.by_id
    for check in state.template.known_checks:
        if check.per == "game" and any(by_id[name].per == "round" for name in check.columns):
            for side in range(state.sides) if check.own else (0,):
                if sheet.holds(check.holds, None, side) is False:
                    yield _check_breach(sheet, check, None, side)


def _can_stand(state: ScoresheetState, column: Column, number: int | None, values: Iterable[tuple[int, float]]) -> bool:
    """Whether the values can be entered at all."""
    if column.formula is not None or (column.per == "round") != (number is not None):
        return False
    if number is not None and number > state.last:
        return False
    return not any(type(value) is not int and decimals_fault(column, value) for _, value in values)


class _Trial:
    """A sheet with these values, by side, filled into a line for a trial.

    Most checks are simple. If all sides play, such a check only needs the numbers of the round; for others the whole
    sheet is computed.
    """

    def __init__(
        self, state: ScoresheetState, column: Column, number: int | None, values: Sequence[tuple[int, float]]
    ) -> None:
        self._state, self._column, self._number, self._values = state, column, number, values
        self._all_play = not (state.out or state.came or state.away or state.closing) and max(state.since) == 1
        self._lines: dict[str, list[float | None]] = {}
        line = self._line(column)
        for side, value in values:
            line[side] = value

    def failing(self, check: KnownCheck, sides: Iterable[int]) -> Iterator[int]:
        """The sides for which a check fails, among these; a check that is about no side fails for side 0."""
        is_short = self._state.sides * len(check.holds.compared) <= KEPT_LIMIT
        needs = check.needs if self._all_play and is_short else None
        for side in sides if check.own else (0,):
            if needs is None:
                holds = self._sheet.holds(check.holds, self._number, side)
            else:
                numbers = self._numbers(needs, side)
                holds = None if numbers is None else _holds(check.holds, numbers)
            if holds is False:
                yield side

    def breach(self, check: KnownCheck, side: int) -> RuleBrokenError:
        """The breach of a check that fails. Its words can need the whole sheet."""
        return _check_breach(self._sheet, check, self._number, side)

    @cached_property
    def _sheet(self) -> Sheet:
        return Sheet(self._state.with_cells(self._column, self._number, self._values), waits=True)

    def _line(self, column: Column) -> list[float | None]:
        """The values of a line of the round, by side."""
        if column.id not in self._lines:
            self._lines[column.id] = self._present_values(column)
        return self._lines[column.id]

    def _present_values(self, column: Column) -> list[float | None]:
        cells = self._state.cells.get(line_name(column.id, self._number))
        if cells is None:
            return [None] * (1 if column.shared else self._state.sides)
        return [cell.value if cell else None for cell in cells]

    def _numbers(self, needs: Iterable[CheckInput], side: int) -> Numbers | None:
        """The inputs of a simple check for a side; None if one is missing, or if no value was entered."""
        found = list[float | tuple[float, ...]]()
        begun = False
        for name, column, all_, filled in needs:
            if column is None:
                found.append(self._word(name))
                continue
            line = self._line(column)
            given = line if all_ else [line[0 if column.shared else side]]
            known = [value for value in given if value is not None]
            begun = begun or bool(known)
            if len(known) < len(given):
                if filled is None:
                    return None
                known = [filled if value is None else value for value in given]
            found.append(tuple(known) if all_ else known[0])
        return tuple(found) if begun else None

    def _word(self, name: str) -> int:
        """The value of a word in a simple check."""
        words = {"sides": self._state.sides, "round": self._number, "target": self._state.template.target}
        return words[name] or 0


@lru_cache(maxsize=1 << 15)
def _holds(formula: Formula, numbers: Numbers) -> bool | None:
    """Whether a check holds with these values of its names; None if it cannot be computed.

    The cache has numbers as they were entered: they are found faster than fractions.
    """
    try:
        return bool(evaluate(formula, tuple(map(_as_fractions, numbers))))
    except FormulaError:
        return None


def _as_fractions(given: float | tuple[float, ...]) -> Fraction | tuple[Fraction, ...]:
    return tuple(map(exact, given)) if isinstance(given, tuple) else exact(given)


def _check_breach(sheet: Sheet, check: KnownCheck, number: int | None, side: int) -> RuleBrokenError:
    """The breach of a check, in the words of the check."""
    value = sheet.value_text(check.value, number, side) if check.value else ""
    says = Title(check.says.en.replace("{value}", value), check.says.ja.replace("{value}", value))
    if check.own and sheet.state.sides > 1:
        return RuleBrokenError("scoresheet:CHECK-1", "{speaker}: {says}", speaker=sheet.state.speaker(side), says=says)
    return RuleBrokenError("scoresheet:CHECK-1", "{says}", says=says)
