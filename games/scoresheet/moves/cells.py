"""Filling in cells, a line at once or one by one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from games.adjustments import SEATS
from games.contract import GAP, Blank, Effect, Move
from games.errors import ImpossibleError, RuleBrokenError
from games.scoresheet.moves.base import SeatMove, TableMove
from games.scoresheet.moves.checking import failed_checks, would_fail
from games.scoresheet.scoring import can_begin, offered_lines, sides_at_end, sides_with_turn
from games.scoresheet.spelling import typed_form
from games.scoresheet.template import MOST, Name, Number, decimals_fault, exact, line_name, value_fault
from games.scoresheet.values import Sheet, write_value
from games.scoresheet.work import ROUNDS
from games.words import count_and_noun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from fractions import Fraction
    from typing import Self

    from games.contract import Chance
    from games.scoresheet.state import ScoresheetState
    from games.scoresheet.template import Column

Round = Annotated[int, msgspec.Meta(ge=1, le=ROUNDS)]

ATTEMPTS = 3
"""The number of random tries to fill in a line so that the checks of the sheet hold."""
LOW, SPAN = -10, 40
"""The least random value of a column without limits, and the range of its values."""


class Line(TableMove, frozen=True, kw_only=True, tag="line"):
    """A column is filled in for all sides in their order, or in the one cell that they share.

    None is a value that is not known yet: that cell stays as it is.
    """

    unknown_fields: ClassVar[tuple[str, ...]] = ("values",)

    column: Name
    round: Round | None = None
    values: Annotated[tuple[Number | None, ...], msgspec.Meta(min_length=1, max_length=SEATS)]

    @classmethod
    def legal(cls, state: ScoresheetState) -> Iterator[Self]:
        """The next lines, the oldest first, and then lines with gaps, with open values.

        Single cells and changes are always possible, and never listed.
        """
        for column, number in offered_lines(state):
            if is_settled(state, column, number):
                continue
            yield cls(column=column.id, round=number, values=(None,) * (1 if column.shared else state.sides))

    def check(self, state: ScoresheetState) -> Iterable[RuleBrokenError]:
        """The round must be open, the values must fit, and the sides of the values must play."""
        column = state.template.by_id.get(self.column)
        if column is None or len(self.values) > state.sides:
            return
        yield from wrong_round(state, self.round)
        known = [(side, value) for side, value in enumerate(self.values) if value is not None]
        turns = sides_with_turn(state, self.round)
        for side, value in known:
            yield from _wrong_value(column, value)
            if not column.shared:
                yield from _wrong_side(state, column, self.round, side, turns)
        if len(self.values) == (1 if column.shared else state.sides):
            yield from failed_checks(state, column, self.round, known)

    def execute(self, state: ScoresheetState) -> list[Effect]:
        """Write all known values."""
        column, known = self._demand_values(state)
        return [effect for side, value in known for effect in state.write(column, self.round, side, value)]

    def execute_without_effects(self, state: ScoresheetState) -> None:
        """Write the values, without effects."""
        column, known = self._demand_values(state)
        for side, value in known:
            state.put(column, self.round, side, value)

    def _demand_values(self, state: ScoresheetState) -> tuple[Column, list[tuple[int, float]]]:
        """The column, and the known values by side. Raises `ImpossibleError`."""
        column = _demand_column(state, self.column, self.round)
        cells = 1 if column.shared else state.sides
        if len(self.values) != cells:
            raise ImpossibleError(
                "{id} has {counted}, not {count}",
                "scoresheet:SHEET-2",
                id=column.name_in_sentence,
                counted=count_and_noun(cells, "cell"),
                count=len(self.values),
            )
        known = [(side, value) for side, value in enumerate(self.values) if value is not None]
        for _, value in known:
            _demand_number(column, value)
        return column, known

    def sample_chance(self, state: ScoresheetState, chance: Chance) -> Self:
        """The line with a random value for every open cell that is empty and due."""
        column = state.template.by_id[self.column]
        open_ = [value is None and _open(state, column, self.round, side) for side, value in enumerate(self.values)]
        if column.id in state.template.checked_columns:
            return self._fitting(state, column, open_, chance)
        pairs = zip(self.values, open_, strict=True)
        return msgspec.structs.replace(
            self, values=tuple(chance.choice(_likely_values(column)) if empty else value for value, empty in pairs)
        )

    def _fitting(self, state: ScoresheetState, column: Column, open_: list[bool], chance: Chance) -> Self:
        """The line filled in so that the checks of the sheet hold, if such values are found.

        First each side gets a random value, then one side gets everything, and last two sides share it.
        """
        if not (sides := [side for side, empty in enumerate(open_) if empty]):
            return self
        values = list(self.values)
        likely = [
            *_likely_values(column),
            *(value for value in _numbers(state, column) if not value_fault(column, value)),
        ]
        for way in ["any"] * ATTEMPTS + ["alone"] * len(sides) + ["two"] * len(sides):
            last = chance.choice(sides)
            for side in sides:
                values[side] = None if way == "any" else likely[0]
            if way == "two":
                values[chance.choice(sides)] = chance.choice(likely)
            for side in sides if way == "any" else [last]:
                for values[side] in chance.sample(likely, len(likely)):
                    if self._fits(state, column, values):
                        break
            if self._fits(state, column, values):
                break
        return msgspec.structs.replace(self, values=tuple(values))

    def _fits(self, state: ScoresheetState, column: Column, values: Sequence[Number | None]) -> bool:
        """Whether these values pass the checks of the sheet."""
        known = [(side, value) for side, value in enumerate(values) if value is not None]
        return not would_fail(state, column, self.round, known)

    def blanks(self, state: ScoresheetState) -> tuple[Blank, ...]:
        """A blank for each cell of the line that can be filled in, with its recorded value."""
        column = state.template.by_id[self.column]
        words = tuple(map(typed_form, column.words))

        def blank(side: int) -> Blank:
            cell = state.cell(column, self.round, side)
            seat = None if column.shared else state.members[side][0]
            return Blank(seat, words, stands=typed_form(write_value(column, cell.value)) if cell else "")

        return tuple(map(blank, state.fillable(column, self.round)))

    def notation_template(self, state: ScoresheetState) -> str:
        """The notation with a gap for each cell that can be filled in; any other empty cell stays `?`."""
        words = state.notation(self).split(" ")
        first = len(words) - len(self.values)
        gaps = {first + side for side in state.fillable(state.template.by_id[self.column], self.round)}
        return " ".join(GAP if word == "?" and at in gaps else word for at, word in enumerate(words))


class Enter(SeatMove, frozen=True, kw_only=True, tag="enter"):
    """One cell is filled in, or changed: that of the seat, or of its team."""

    column: Name
    round: Round | None = None
    value: Number

    def breaches(self, state: ScoresheetState) -> Iterable[RuleBrokenError]:
        """The breaches. Most of the many entries have none: a quick test finds these first."""
        return () if self._plain(state) else super().breaches(state)

    def check(self, state: ScoresheetState) -> Iterable[RuleBrokenError]:
        """The round must be open, the value must fit, and the side must play."""
        column = state.template.by_id.get(self.column)
        if column is None or self.seat >= state.seats:
            return
        yield from wrong_round(state, self.round)
        yield from _wrong_value(column, self.value)
        side = state.side_of[self.seat]
        yield from _wrong_side(state, column, self.round, side, sides_with_turn(state, self.round))
        if not column.shared:
            yield from failed_checks(state, column, self.round, [(side, self.value)])

    def replay(self, state: ScoresheetState, flag: Callable[[Move, list[RuleBrokenError]], None]) -> None:
        """As `Move.replay`; a plain value is put into its cell at once."""
        if type(self.value) is int and (column := self._plain(state)):
            state.put(column, self.round, state.side_of[self.seat], self.value)
        else:
            super().replay(state, flag)

    def execute(self, state: ScoresheetState) -> list[Effect]:
        """Write the value."""
        return state.write(self._demand_own(state), self.round, self.side(state), self.value)

    def execute_without_effects(self, state: ScoresheetState) -> None:
        """Write the value, without effects."""
        state.put(self._demand_own(state), self.round, self.side(state), self.value)

    def _demand_own(self, state: ScoresheetState) -> Column:
        """The column, which must have a cell for each side. Raises `ImpossibleError`."""
        column = _demand_column(state, self.column, self.round)
        self.side(state)
        if column.shared:
            raise ImpossibleError(
                "{id} is nobody's own: all share it", "scoresheet:SHEET-2", id=column.name_in_sentence
            )
        _demand_number(column, self.value)
        return column

    def _plain(self, state: ScoresheetState) -> Column | None:
        """The column of a plain entry: any number, of a playing side, in an open round; else None."""
        column = state.template.plain_columns.get(self.column)
        if column is None or state.out or state.closing or self.seat >= len(state.side_of):
            return None
        number = self.round
        if column.per == "game":
            return column if number is None else None
        if number is None or number < state.since[state.side_of[self.seat]]:
            return None
        return column if number <= state.round or next(wrong_round(state, number), None) is None else None


# Breaches


def wrong_round(state: ScoresheetState, number: int | None) -> Iterator[RuleBrokenError]:
    """The breach of an entry in a round that cannot begin yet, or is after the last one."""
    if number is None or number <= state.round:
        return
    if number > state.last:
        yield RuleBrokenError("scoresheet:ROUND-2", "round {last} is the last one", last=state.last)
    if number > state.round + 1:
        yield RuleBrokenError("scoresheet:ROUND-1", "round {round} comes first", round=state.round + 1)
    if not can_begin(state):
        there = sides_at_end(state)
        speaker, target = state.speaker(there[0]), state.template.target
        if target is None or Sheet(state).totals()[there[0]] < target:
            text = "{speaker} has ended the game: no round is begun"
            yield RuleBrokenError("scoresheet:END-2", text, speaker=speaker)
        else:
            text = "{speaker} has reached {target}: no round is begun"
            yield RuleBrokenError("scoresheet:END-2", text, speaker=speaker, target=target)


def _wrong_value(column: Column, value: float) -> Iterable[RuleBrokenError]:
    if why := value_fault(column, value):
        yield RuleBrokenError("scoresheet:CELL-2", "{id}: {why}", id=column.name_in_sentence, why=why)


def _wrong_side(
    state: ScoresheetState, column: Column, number: int | None, side: int, turns: Sequence[int]
) -> Iterable[RuleBrokenError]:
    """The breach if a side fills in an empty cell without a turn. Filled cells can always be changed.

    `turns` are the sides that have a turn in the round.
    """
    if state.cell(column, number, side) is not None:
        return
    if state.out and not state.plays(side):
        yield RuleBrokenError("scoresheet:SEAT-2", "{speaker} has dropped out", speaker=state.speaker(side))
    if turns and side not in turns:
        yield RuleBrokenError("scoresheet:END-2", "{speaker} has no turn left", speaker=state.speaker(side))
    if number is not None and number < state.since[side]:
        yield RuleBrokenError(
            "scoresheet:SEAT-1",
            "{speaker} joined in round {since}",
            speaker=state.speaker(side),
            since=state.since[side],
        )


# Impossible entries


def _demand_column(state: ScoresheetState, name: str, number: int | None) -> Column:
    """The column of an entry. Raises `ImpossibleError` for an unknown column, or a round that does not fit it."""
    column = state.template.by_id.get(name)
    if column is None:
        names = ", ".join(column.id for column in state.template.entered_columns)
        raise ImpossibleError(
            "the sheet has no column {name}; it has {names}", "scoresheet:SHEET-1", name=name, names=names
        )
    if column.formula is not None:
        formula = state.template.formulas_called[column.id]
        raise ImpossibleError(
            "{name} is computed: {formula}", "scoresheet:FORM-1", name=column.name_in_sentence, formula=formula
        )
    if (column.per == "round") != (number is not None):
        if number is None:
            text = "{name} has a value for each round: say which one; round {due} is due"
            raise ImpossibleError(
                text, "scoresheet:ROUND-1", name=column.name_in_sentence, due=state.next_round(column)
            )
        raise ImpossibleError("{name} is not in rounds", "scoresheet:ROUND-1", name=column.name_in_sentence)
    if number is not None and number > state.last and state.template.rounds is None:
        raise ImpossibleError(
            "the sheet has {counted} at most", "scoresheet:ROUND-2", counted=count_and_noun(state.last, "round")
        )
    return column


def _demand_number(column: Column, value: float) -> None:
    if why := decimals_fault(column, value):
        raise ImpossibleError("{says}", "scoresheet:CELL-5", says=why)


# Values to try


def _open(state: ScoresheetState, column: Column, number: int | None, side: int) -> bool:
    if state.cell(column, number, side) is not None:
        return False
    return column.shared or state.owes_cells(side, number)


TRIED = 3
"""The number of values to try in a column with more than `SPAN` values, beside the numbers of its checks."""
TRIALS = 200
"""The most tries to find out whether the gaps of a line can have another value than their default."""


def is_settled(state: ScoresheetState, column: Column, number: int | None) -> bool:
    """Whether a check allows only the default in the gaps of a line: one side has scored, say.

    False if that is not certain: with too many tries, if two sides could balance each other, or if a side could have
    none of the tried values, for any values of the others.
    """
    # Formulas say it as a sum, a count, a limit or a product, also through computed columns: to read them is no
    # simpler than to try values. A word of the template would be, but sheets that are stored do not have it.
    default, line = column.default, line_name(column.id, number)
    if default is None or column.shared or column.id not in state.template.checked_columns or line not in state.cells:
        return False
    own = any(check.own for check in state.template.known_checks if column.id in check.columns)
    empty, (values, all_) = list(state.empty(column, number)), _other_values(state, column, line)
    groups = [empty[:count] for count in range(1, len(empty) + 1)] + [[side] for side in empty[1:] if own]
    if len(groups) * len(values) >= TRIALS or (len(empty) > 1 and _goes_both_ways(column, default)):
        return False

    def fits(sheet: ScoresheetState, sides: Sequence[int], value: float) -> bool:
        return not would_fail(sheet, column, number, [(side, value) for side in sides])

    if not fits(state, empty, default) or any(fits(state, sides, value) for sides in groups for value in values):
        return False
    alone = state.without_line(line)
    return all_ or not own or all(any(fits(alone, [side], value) for value in values) for side in empty)


def _goes_both_ways(column: Column, default: float) -> bool:
    """Whether values can be both less and more than the default."""
    low, high = column.least, column.most
    if column.labels:
        low, high = min(column.labels.values()), max(column.labels.values())
    return (low is None or low < default) and (high is None or high > default)


def _other_values(state: ScoresheetState, column: Column, line: str) -> tuple[list[float], bool]:
    """Values to try beside the default, and whether they are all possible ones.

    Otherwise they are some likely values, those in the line, and the numbers of the checks with the differences to
    them.
    """
    likely = [value for value in _likely_values(column) if value != column.default]
    if column.labels or (column.least is not None and column.most is not None and column.most - column.least <= SPAN):
        return likely, True
    stands = [exact(cell.value) for cell in state.cells[line] if cell]
    numbers = _numbers(state, column)
    found: list[Fraction | float] = [*likely[:: max(1, (len(likely) - 1) // (TRIED - 1))][:TRIED], *stands, *numbers]
    found += [number - sum(stands) for number in numbers]
    whole = dict.fromkeys(int(value) for value in found if value == int(value) and value != exact(column.default or 0))
    return [value for value in whole if abs(value) <= MOST and not value_fault(column, value)], False


def _numbers(state: ScoresheetState, column: Column) -> list[int]:
    """The whole numbers in the checks of a column, such as the points of a deal."""
    checks = [check.holds for check in state.template.known_checks if column.id in check.columns]
    return [int(number) for formula in checks for number in formula.numbers if number.denominator == 1]


def _likely_values(column: Column) -> list[float]:
    if column.labels:
        return list(column.labels.values())
    if column.least is not None:
        least = math.ceil(column.least)
    else:
        least = LOW if column.most is None else math.floor(column.most) - SPAN
    most = least + SPAN if column.most is None else min(least + SPAN, math.floor(column.most))
    return list(range(least, most + 1)) or [column.least or 0]
