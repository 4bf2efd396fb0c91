"""The points of a sheet, line by line, and how a game ends."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from games import adjustments
from games.contract import Deciding, Effect, Outcome, ScoreLine, Title
from games.scoresheet.template import NAME, line_name
from games.scoresheet.values import Sheet, ValueStart, number_text, points_of, write_value
from games.scoresheet.work import ROUNDS
from games.words import Sentence, comma_list, count_and_noun

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from games.scoresheet.state import Cell, Credit, ScoresheetState
    from games.scoresheet.template import Column
    from games.scoresheet.values import Value

ENDINGS = (
    "points",
    "target",
    "ranking",
    "tie_breaker",
    "tie",
    "forced_loss",
    "last_standing",
    "nobody",
    "won_together",
    "lost_together",
    "reached_first",
    "stopped",
    "stopped_without_winner",
    *adjustments.ENDINGS,
)
"""By the total; the same after a target was reached; by a column; by what breaks a tie; shared; because the better
ones lost whatever their points; because all others dropped out; nobody is left; together against the game; by the
target, for who came to it first; by the standing when the game was stopped early; stopped so that nobody wins; and what
rulings bring."""

RULING = "scoresheet:RULING"


def scores(state: ScoresheetState) -> list[ScoreLine]:
    """The audit: all points with their cells, formulas and entries, in the order of play.

    Each member of a team has the team's points.
    """
    found = [*_entered(state), *_adjusted(state), *_computed(state)]
    found.sort(key=lambda line: line.since.moment)
    return [line.score_line(seat) for line in found for seat in state.members[line.side]]


def sides_at_end(state: ScoresheetState) -> list[int]:
    """The sides with a total at the target, or with a true formula `ends`.

    No side as long as one more round is needed to break a tie.
    """
    found = _at_end(state)
    return [] if found and one_more_round(state) else found


def one_more_round(state: ScoresheetState) -> bool:
    """Whether the first sides are level at a possible end, and the template wants one more round."""
    return state.template.tie_round and bool(_at_end(state)) and _Standing(state).ranks().count(1) > 1


def _at_end(state: ScoresheetState) -> list[int]:
    if not state.template.has_end:
        return []
    sheet = Sheet(state)
    return [side for side, total in enumerate(sheet.totals()) if _at_target(state, total) or sheet.ends(side, total)]


def _at_target(state: ScoresheetState, total: int) -> bool:
    return state.template.target is not None and total >= state.template.target


def effects_of_reaching(state: ScoresheetState, before: Sequence[int]) -> list[Effect]:
    """The effects for sides that have reached the target or the end, except those that had `before`."""
    new = [side for side in sides_at_end(state) if side not in before]
    if not new:
        return []
    totals = Sheet(state).totals()
    return [
        Effect("target.reached", "scoresheet:END-2", state.members[side][0], count=state.template.target)
        if _at_target(state, totals[side])
        else Effect("end.reached", "scoresheet:END-2", state.members[side][0])
        for side in new
    ]


def arrivals(state: ScoresheetState) -> dict[int, PointsReached]:
    """The arrival of each side at the target, if the first one there wins; else empty.

    A changed cell counts as if it had been right from the beginning.
    """
    return _arrivals(state, by_seats=state.template.first_wins == "seats") if state.template.first_wins else {}


def _arrivals(state: ScoresheetState, *, by_seats: bool) -> dict[int, PointsReached]:
    """The arrival of each side at the target, in the order of entry or of seats."""
    template = state.template
    if template.target is None:
        return {}
    sheet = Sheet(state, as_placed=True)
    totals = sheet.totals()
    found = {}
    for side in range(state.sides):
        if totals[side] >= template.target:
            steps = sorted(_steps(sheet, side, by_seats=by_seats), key=lambda step: step.at)
            sums = accumulate(step.points for step in steps)
            found[side] = next(step for step, total in zip(steps, sums, strict=True) if total >= template.target)
    return found


class PointsReached(NamedTuple):
    """Points of a side: their place `at` in the deciding order, their entry and their round."""

    at: tuple[int, ...]
    points: int
    version: int
    round: int | None


def _steps(sheet: Sheet, side: int, *, by_seats: bool) -> Iterator[PointsReached]:
    """The points of a side, unsorted. By seats, a round is ordered by column, and then by side."""
    state = sheet.state

    def step(points: int, since: ValueStart, number: int | None, column: int) -> PointsReached:
        place = (ROUNDS + 1 if number is None else number, column, side)
        return PointsReached(place if by_seats else (since.moment,), points, since.version, number)

    for index, column in enumerate(state.template.columns):
        if column.counts:
            for number in _rounds(state, column):
                value = sheet.value(column, number, side)
                if value.number is not None:
                    yield step(points_of(value), value.since, number, index)
    for given in state.credits:
        if given.side == side:
            yield step(given.points, ValueStart(given.moment, given.version), given.round, len(state.template.columns))


def due_rounds(state: ScoresheetState) -> int:
    """The number of rounds to fill in before the end: the fixed number, unless the target was reached."""
    fixed = state.template.rounds or 0
    if sides_at_end(state):
        return state.round + _goes_on(state)
    return max(fixed, state.round)


def can_begin(state: ScoresheetState) -> bool:
    """Whether another round can begin: no side is at the target, or a side has one more turn in it."""
    return not sides_at_end(state) or _goes_on(state)


def _goes_on(state: ScoresheetState) -> bool:
    """Whether a side has one more turn after the target was reached, in a round that has not begun."""
    following = state.round + 1
    if not state.template.last_turn or following > state.last:
        return False
    return any(state.owes_cells(side, following) for side in sides_with_turn(state, following))


def sides_with_turn(state: ScoresheetState, number: int | None) -> range:
    """The sides with a turn in a round. After a side reached the target, only the sides before it have one more.

    The order is that of seats, and it counts from the side that came to the target first.
    """
    every = range(state.sides)
    if not state.template.last_turn or number is None or number < state.round:
        return every
    found = _arrivals(state, by_seats=True).items()
    if not found:
        return every
    last, first = min((state.round if arrival.round is None else arrival.round, side) for side, arrival in found)
    return every if number <= last else range(first) if number == last + 1 else range(0)


GAPS = 8
"""The most round lines with gaps that are offered: the newest."""


def due_lines(state: ScoresheetState) -> list[tuple[Column, int | None]]:
    """The due lines, one per column, with their rounds: the oldest round first, lines without a round last.

    The round after the oldest can begin before that is complete; later rounds wait. A column with a default delays
    nothing: it is due in the last round begun.
    """
    return _due(state, untouched=False)


def offered_lines(state: ScoresheetState) -> list[tuple[Column, int | None]]:
    """The lines to offer: empty due lines, and then lines with gaps.

    In a line with gaps some cells were left empty. It delays no other line.
    """
    gaps = _gaps(state)
    return _due(state, untouched=True) + gaps if gaps else due_lines(state)


def _due(state: ScoresheetState, *, untouched: bool) -> list[tuple[Column, int | None]]:
    """The due lines, as in `due_lines`: all of them, or only `untouched` lines without any value."""
    if state.closing:
        return []
    found: list[tuple[Column, int | None]] = []
    begins = can_begin(state)
    for column in state.template.entered_columns:
        number = _due_round(state, column, untouched=untouched)
        if number is None:
            due = _waits(state, column, None, untouched=untouched)
        else:
            due = number <= state.round or (begins and number <= state.last)
        if due:
            found.append((column, number))
    needed = [number for column, number in found if number is not None and column.default is None]
    oldest = min(needed or [number for _, number in found if number is not None], default=ROUNDS)
    near = [line for line in found if line[1] is None or line[1] <= oldest + 1]
    return sorted(near, key=_place)


def _due_round(state: ScoresheetState, column: Column, *, untouched: bool) -> int | None:
    """The oldest round in which the column is not complete.

    With a default, rounds before the last begun do not count.
    """
    if column.per == "game":
        return None
    rounds = range(1 if column.default is None else max(state.round, 1), state.round + 1)
    return next((number for number in rounds if _waits(state, column, number, untouched=untouched)), state.round + 1)


def _waits(state: ScoresheetState, column: Column, number: int | None, *, untouched: bool) -> bool:
    """Whether a line has due empty cells; an `untouched` line must have no value."""
    if untouched and line_name(column.id, number) in state.cells:
        return False
    return next(state.empty(column, number), None) is not None


def _gaps(state: ScoresheetState) -> list[tuple[Column, int | None]]:
    """The lines with some cells left empty. With a default, rounds before the last begun do not count."""
    found: list[tuple[Column, int | None]] = []
    if state.closing or not any(None in cells for cells in state.cells.values()):
        return found
    for number in range(state.round, 0, -1):
        found += [
            (column, number)
            for column in state.template.entered_columns
            if column.per == "round" and (column.default is None or number == state.round)
            if _is_gap(state, column, number)
        ]
        if len(found) >= GAPS:
            break
    found += [
        (column, None)
        for column in state.template.entered_columns
        if column.per == "game" and _is_gap(state, column, None)
    ]
    return sorted(found, key=_place)


def _is_gap(state: ScoresheetState, column: Column, number: int | None) -> bool:
    cells = state.cells.get(line_name(column.id, number), ())
    return None in cells and next(state.empty(column, number), None) is not None


def _place(line: tuple[Column, int | None]) -> int:
    return line[1] or ROUNDS + 1


class _Line(NamedTuple):
    """A line of the audit for a side."""

    side: int
    points: int
    category: str
    rule: str
    since: ValueStart
    note: str

    def score_line(self, seat: int) -> ScoreLine:
        """The score line for one of the side's seats."""
        return ScoreLine(seat, self.points, self.category, self.rule, self.since.version, self.note)


def _entered(state: ScoresheetState) -> Iterator[_Line]:
    for column in state.template.entered_columns:
        if column.counts:
            for number in _rounds(state, column):
                name = line_name(column.id, number)
                for side, cell in enumerate(state.cells.get(name, ())):
                    if cell is not None:
                        rule = "scoresheet:CELL-1"
                        since = ValueStart(cell.moment, cell.version)
                        note = _written(_called(column, number), cell)
                        yield _Line(side, int(cell.value), _category(column, number), rule, since, note)


def _adjusted(state: ScoresheetState) -> Iterator[_Line]:
    for given in state.credits:
        category = "ruling" if given.rule == RULING else "penalty" if given.points < 0 else "bonus"
        since = ValueStart(given.moment, given.version)
        yield _Line(given.side, given.points, category, given.rule, since, reason_of(state, given))


def reason_of(state: ScoresheetState, given: Credit) -> str:
    """The reason of points beside the columns; for a late player, how they were made."""
    if given.rule != "scoresheet:SEAT-1":
        return given.reason
    found = next((each for each in state.arrivals if each.version == given.version), None)
    if found is None:
        return Sentence("joined late").by(NAME)
    if found.missed == "zero":
        return Sentence("joined late with 0 points").by(NAME)
    totals = comma_list([str(total) for total in found.totals])
    if found.missed == "average":
        return Sentence("joined late with the average of {totals}", totals=totals).by(NAME)
    if found.missed == "lowest":
        return Sentence("joined late with the lowest of {totals}", totals=totals).by(NAME)
    return Sentence("joined late with the highest of {totals}", totals=totals).by(NAME)


def _computed(state: ScoresheetState) -> Iterator[_Line]:
    sheet, template = Sheet(state), state.template
    for column, number, side, value in sheet.computed_points():
        line, formula = _called(column, number), template.formulas_called[column.id]
        made_of = _made_of(sheet, column, number, side)
        if made_of:
            note = Sentence("{line} = {formula} with {parts}", line=line, formula=formula, parts=comma_list(made_of))
        else:
            note = Sentence("{line} = {formula}", line=line, formula=formula)
        rule = "scoresheet:FORM-2" if column.ranges or column.round else "scoresheet:FORM-1"
        if number is not None and any(template.needs(template.formulas[column.id], way) for way in (-1, 1)):
            rule = "scoresheet:FORM-4"
        if state.closing and value.since.version == state.closing.version:
            rule = "scoresheet:FORM-3"
        yield _Line(side, points_of(value), _category(column, number), rule, value.since, note.by(NAME))


def _made_of(sheet: Sheet, column: Column, number: int | None, side: int) -> list[Sentence]:
    """The values that a formula used; values of other rounds with their round."""
    found = []
    for taken in sheet.inputs(column, number, side):
        value = number_text(taken.number)
        if taken.column is None:
            found.append(Sentence("{value} before the round", value=value))
        else:
            line = _called(taken.column, None if taken.round == number else taken.round)
            found.append(Sentence("{line} {value}", line=line, value=value))
    if len(found) > SHOWN:
        more = count_and_noun(len(found) - SHOWN, "more value")
        found = [*found[:SHOWN], Sentence("{counted}", counted=more)]
    return found


SHOWN = 40
"""The most values of a formula in a line of the audit."""


def _written(line: Title, cell: Cell) -> Sentence:
    """The value of a cell, and its value before."""
    if cell.was is None:
        return Sentence("{line} {value}", line=line, value=cell.value).by(NAME)
    return Sentence("{line} {value}, was {was}", line=line, value=cell.value, was=cell.was).by(NAME)


def _called(column: Column, number: int | None = None) -> Title:
    """A line of cells as it is typed; in Japanese with the name of its column."""
    return Title(line_name(column.id, number), line_name(column.ja or column.title, number))


def _rounds(state: ScoresheetState, column: Column) -> Sequence[int | None]:
    return state.begun_rounds() if column.per == "round" else [None]


def _category(column: Column, number: int | None) -> str:
    return column.id if number is None else f"round-{number}"


# How a game ends


def outcome_without_winner(state: ScoresheetState) -> Outcome:
    """The outcome of a game that was stopped without a winner."""
    return Outcome((2,) * state.seats, (), "stopped_without_winner", "scoresheet:END-5")


def outcome_together(state: ScoresheetState) -> Outcome:
    """The outcome for players who play together, as they entered it."""
    seats = range(state.seats)
    if state.closing and state.closing.result == "won":
        return Outcome((1,) * len(seats), tuple(seats), "won_together", "scoresheet:END-3", together=True)
    return Outcome((2,) * len(seats), (), "lost_together", "scoresheet:END-3")


def deciding(state: ScoresheetState) -> Deciding | None:
    """The value that ranks the sides instead of their points, or breaks ties."""
    template, ending = state.template, state.ending
    ruled = ending is not None and ending.reason == "adjudicated"
    if ruled or state.out or template.by or template.ties or template.first_wins or template.loses:
        return _Standing(state).deciding()
    return None  # only points rank the sides: the most common case, kept fast for lists


def shared_result(state: ScoresheetState) -> Deciding | None:
    """The result of players who play together, if it is not points: the first shared cell."""
    sheet, columns = Sheet(state), state.template.columns
    column = next((each for each in columns if each.shared and each.per == "game"), None)
    value = sheet.value(column, None, 0).number if column and not any(sheet.totals()) else None
    if column is None or value is None:
        return None
    return Deciding(column.titles, (write_value(column, value),) * state.seats)


def current_outcome(state: ScoresheetState) -> Outcome:
    """The outcome by the current sheet, for sides that play against each other."""
    return _Standing(state).outcome()


def _ranks(keys: Sequence[tuple[Any, ...]]) -> list[int]:
    """The rank of each key, from 1 for the smallest."""
    return [1 + sum(other < key for other in keys) for key in keys]


class _Standing:
    """The final standing. Sides that dropped out, or lost by the formula `loses`, come after all others."""

    def __init__(self, state: ScoresheetState) -> None:
        self.state = state
        self._sheet = Sheet(state)
        self._totals = self._sheet.totals()
        self._arrivals = arrivals(state)
        self._gone = [not state.plays(side) for side in range(state.sides)]
        self._lost = [self._sheet.loses(side, total) for side, total in enumerate(self._totals)]
        self._main = [self._decisive(side) for side in range(state.sides)]
        self._ties = [self._breakers(side) for side in range(state.sides)]
        self._keys = list(zip(self._gone, self._lost, self._main, self._ties, strict=True))

    def ranks(self) -> list[int]:
        """The rank of each side, from 1."""
        return _ranks(self._keys)

    def outcome(self) -> Outcome:
        """The outcome: the ranks, and the reason of the first one."""
        ranks = self.ranks()
        first = [side for side, rank in enumerate(ranks) if rank == 1]
        if self._gone[first[0]] or self._lost[first[0]]:
            ranks = [rank + 1 for rank in ranks]
            first = []
        reason, rule = self._reason(first)
        side_of = self.state.side_of
        winners = tuple(seat for seat, side in enumerate(side_of) if side in first)
        team = len(first) == 1 < len(winners)
        return Outcome(tuple(ranks[side] for side in side_of), winners, reason, rule, together=team)

    def _reason(self, first: list[int]) -> tuple[str, str]:
        template = self.state.template
        if not first:
            return "nobody", "scoresheet:WIN-7"
        level = [side for side in self._sides_in_play() if self._main[side] == self._main[first[0]]]
        best = min(self._main[side] for side in range(self.state.sides) if not self._gone[side])
        if len(first) > 1:
            return "tie", "scoresheet:WIN-4"
        if self.state.sides > 1 and self._gone.count(False) == 1:
            return "last_standing", "scoresheet:WIN-6"
        if best < self._main[first[0]]:
            return "forced_loss", "scoresheet:WIN-5"
        if len(level) > 1:
            return "tie_breaker", "scoresheet:WIN-3"
        if self.state.closing and self.state.closing.result == "stopped":
            return "stopped", "scoresheet:END-5"
        if template.by:
            return "ranking", "scoresheet:WIN-2"
        if self._arrivals:
            return "reached_first", "scoresheet:WIN-8"
        return ("target", "scoresheet:END-2") if sides_at_end(self.state) else ("points", "scoresheet:WIN-1")

    def _sides_in_play(self) -> list[int]:
        return [side for side in range(self.state.sides) if not self._gone[side] and not self._lost[side]]

    def deciding(self) -> Deciding | None:
        """The value that ranks the sides instead of their points, or breaks ties."""
        template, ending = self.state.template, self.state.ending
        if ending and ending.reason == "adjudicated":
            return Deciding(Title("place by the ruling", "裁定による順位"), tuple(map(str, ending.ranks)))
        if self.ranks() != _ranks([key[1:] for key in self._keys]):
            return self._of(Title("dropped out", "途中離脱"), ["✗" if gone else "" for gone in self._gone])
        if template.by:
            return self._column(template.by)
        if self._arrivals:
            return self._arrival_order()
        if any(self._lost):
            return self._of(Title("loses in any case", "無条件の敗北"), ["✗" if lost else "" for lost in self._lost])
        return self._tie_breaker()

    def _tie_breaker(self) -> Deciding | None:
        """The first tie-breaker that separates level sides, the first ranks before others."""
        level: dict[tuple[Any, ...], list[int]] = {}
        for _, lost, main, side in sorted(
            zip(self._gone, self._lost, self._main, range(self.state.sides), strict=True)
        ):
            level.setdefault((lost, main), []).append(side)
        for sides in level.values():
            for index, tie in enumerate(self.state.template.ties):
                if len({self._ties[side][index] for side in sides}) > 1:
                    return self._column(tie.column)
        return None

    def _column(self, name: str) -> Deciding:
        column = self.state.template.by_id[name]
        values = [self._sheet.value(column, None, side).number for side in range(self.state.sides)]
        said = ["" if value is None else write_value(column, value) for value in values]
        return self._of(column.titles, said)

    def _arrival_order(self) -> Deciding:
        target, found = self.state.template.target, self._arrivals
        order = {side: 1 + sum(other.at < arrival.at for other in found.values()) for side, arrival in found.items()}
        title = Title(f"order of reaching {target}", f"{target}点に達した順")
        return self._of(title, [str(order.get(side, "")) for side in range(self.state.sides)])

    def _of(self, title: Title, values: Sequence[str]) -> Deciding:
        return Deciding(title, tuple(values[side] for side in self.state.side_of))

    def _decisive(self, side: int) -> tuple[bool, Fraction | int]:
        """The main key of a side, smaller is better: if it was late at the target, and the total or its column."""
        template = self.state.template
        if template.by:
            return self._key(template.by, template.wins, side)
        total = self._totals[side]
        first = min((arrival.at for arrival in self._arrivals.values()), default=None)
        late = first is not None and (side not in self._arrivals or self._arrivals[side].at > first)
        return late, total if template.wins == "lowest" else -total

    def _breakers(self, side: int) -> tuple[tuple[bool, Fraction | int], ...]:
        return tuple(self._key(tie.column, tie.wins, side) for tie in self.state.template.ties)

    def _key(self, name: str, wins: str, side: int) -> tuple[bool, Fraction | int]:
        """The key of a column's value, smaller is better; an empty cell comes after all others."""
        value: Value = self._sheet.value(self.state.template.by_id[name], None, side)
        if value.number is None:
            return True, 0
        return False, value.number if wins == "lowest" else -value.number
