"""What should hold on a sheet: an entry by which it would not is asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.contract import Title
from games.errors import RuleBrokenError
from games.scoresheet.template import too_fine
from games.scoresheet.values import Sheet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from games.scoresheet.checks import KnownCheck
    from games.scoresheet.state import ScoresheetState
    from games.scoresheet.template import Column


def failed_checks(
    state: ScoresheetState, column: Column, number: int | None, values: Sequence[tuple[int, float]]
) -> Iterator[RuleBrokenError]:
    """The checks that would not hold if these values, by side, stood in a line of the sheet.

    They are those of the line's round that look at the column.
    """
    if column.id not in state.template.checked_columns or not _can_stand(state, column, number, values):
        return
    sheet = Sheet(state.with_cells(column, number, values))
    entered = range(state.sides) if column.shared else [side for side, _ in values]
    for check in state.template.known_checks:
        if column.id in check.columns and (check.per == "round") == (number is not None):
            sides = state.sides_in(number) if check.holds.compared else entered
            yield from _failed(sheet, check, number, sides)


def failed_at_end(state: ScoresheetState) -> Iterator[RuleBrokenError]:
    """The checks of what is settled with the game that would not hold if it ended now."""
    sheet = Sheet(state.when_closed())
    by_id = state.template.by_id
    for check in state.template.known_checks:
        if check.per == "game" and any(by_id[name].per == "round" for name in check.columns):
            yield from _failed(sheet, check, None, range(state.sides))


def _can_stand(state: ScoresheetState, column: Column, number: int | None, values: Iterable[tuple[int, float]]) -> bool:
    """Whether the values can be entered at all."""
    if column.formula is not None or (column.per == "round") != (number is not None):
        return False
    return (number is None or number <= state.last) and not any(too_fine(column, value) for _, value in values)


def _failed(sheet: Sheet, check: KnownCheck, number: int | None, sides: Iterable[int]) -> Iterator[RuleBrokenError]:
    for side in sides if check.own else (0,):
        if sheet.holds(check.holds, number, side) is False:
            value = sheet.shown(check.value, number, side) if check.value else ""
            says = Title(check.says.en.replace("{value}", value), check.says.ja.replace("{value}", value))
            if check.own and sheet.state.sides > 1:
                speaker = sheet.state.speaker(side)
                yield RuleBrokenError("scoresheet:CHECK-1", "{speaker}: {says}", speaker=speaker, says=says)
            else:
                yield RuleBrokenError("scoresheet:CHECK-1", "{says}", says=says)
