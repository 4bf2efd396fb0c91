"""A score sheet at one moment."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Literal, Self

import msgspec

from games.contract import Effect, State, Title
from games.errors import BadOpeningError, ImpossibleError, RuleBrokenError
from games.scoresheet import markers
from games.scoresheet.evenness import is_even
from games.scoresheet.reading import read_template
from games.scoresheet.scoring import (
    RULING,
    current_outcome,
    deciding,
    effects_of_reaching,
    outcome_together,
    outcome_without_winner,
    scores,
    shared_result,
    sides_at_end,
    sides_with_turn,
)
from games.scoresheet.template import Number, Template, line_name
from games.scoresheet.values import Sheet, write_value
from games.words import count_and_noun, titled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from games.contract import JSON, Choices, Deciding, Outcome, ScoreLine, SeatMarker, Viewpoint
    from games.scoresheet.template import Column

AWAY = 5
"""The first revision that does not count a side in rounds that it missed."""


class Cell(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The value of a cell, with its entry and moment.

    A changed cell keeps the value before, and the moment `placed` of its first value.
    """

    value: Number
    version: int
    moment: int
    was: Number | None = None
    placed: int | None = None


class Credit(msgspec.Struct, frozen=True):
    """Points beside the columns: a bonus, a penalty, or points of a late player; `round` was the last one begun."""

    side: int
    points: int
    reason: str
    rule: str
    version: int
    moment: int
    round: int = 0


class LateArrival(msgspec.Struct, frozen=True):
    """How the points of a late player were made in the entry of this version, from the others' totals."""

    version: int
    missed: str
    totals: tuple[int, ...]


class MissedRounds(msgspec.Struct, frozen=True):
    """The rounds that a side missed, from the `first` one on until it plays again."""

    side: int
    first: int
    until: int | None = None

    def holds(self, number: int) -> bool:
        """Whether a round is one of the missed ones."""
        return self.first <= number and (self.until is None or number < self.until)


class Closing(msgspec.Struct, frozen=True):
    """The entry that ended the game, and a result that is not on the sheet.

    Players together have `won` or `lost`; a game was `stopped` early, or stopped so that `nobody` wins.
    """

    version: int
    moment: int
    result: Literal["won", "lost", "stopped", "nobody"] | None = None


class ScoresheetState(State, kw_only=True):
    """The sheet with all entries. A side is a seat or a team; `members` are the seats of each side.

    `cells` holds lines of cells, side by side, by their names: `r3 points`, or `wood` for a column of the whole game;
    the line of a shared column has one cell. `round` is the last begun one, and `points` are each side's points from
    entered columns and credits. A side's cells are due from round `since` on; `out` are the seats that dropped out. The
    sheet can be changed after the game was closed: who won is read from it, and `ending` is only what a ruling said.
    `moment` counts the entries that changed something, as they happened, and `newest` is the version of the last of
    them: one that was inserted happened before others with lower versions. `marks` are the markers that were given by
    hand, or kept as somebody went or came; `arrivals` explain what somebody began with. `came` are the rounds in which
    the last sides came that were added during the game, in their order. `away` are the rounds that other sides missed.
    """

    template: Template
    members: tuple[tuple[int, ...], ...]
    side_of: tuple[int, ...]
    cells: dict[str, tuple[Cell | None, ...]]
    points: list[int]
    credits: list[Credit]
    since: list[int]
    out: list[int]
    closing: Closing | None
    moment: int
    newest: int
    marks: list[markers.MarkerEntry] = msgspec.field(default_factory=list)
    arrivals: list[LateArrival] = msgspec.field(default_factory=list)
    came: list[int] = msgspec.field(default_factory=list)
    away: list[MissedRounds] = msgspec.field(default_factory=list)

    @classmethod
    def begin(cls, options: Choices, components: JSON | None, seats: int) -> Self:  # noqa: ARG003
        """An empty sheet. The components are its template, which must allow this number of seats."""
        template = read_template(components or {})
        members = template.sides(seats)
        template.last_round(len(members))
        return cls(
            template=template,
            members=members,
            side_of=tuple(next(side for side, team in enumerate(members) if seat in team) for seat in range(seats)),
            cells={},
            points=[0] * len(members),
            credits=[],
            since=[1] * len(members),
            out=[],
            closing=None,
            moment=0,
            newest=-1,
        )

    def dump(self) -> JSON:
        """As `State.dump`, without empty fields of markers, and of players who come and go."""
        data = super().dump()
        for name in ("marks", "arrivals", "came", "away"):
            if not data[name]:
                del data[name]
        return data

    @classmethod
    def load(cls, data: JSON) -> Self:
        """Load a state, with the template that all its games share."""
        state = super().load(data)
        state.template = read_template(data["template"])
        return state

    def translated(self, language: str, words: Mapping[str, str]) -> Self:
        """The sheet with the names in this language that its template has, and its labels and teams by these words."""
        template = self.template.in_language(language, words)
        if template is self.template:
            return self
        sheet = self.copy()
        sheet.template = template
        return sheet

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.side_of)

    @property
    def teams(self) -> tuple[int, ...]:
        """The team of each seat, if teams play."""
        return self.side_of if self.template.teams else ()

    def seat_name(self, seat: int) -> str:
        """The name as in notation: `p1` for the first seat."""
        return f"p{seat + 1}"

    def to_move(self) -> int | None:
        """None: the table enters everything."""
        return None

    def game_over_breach(self) -> RuleBrokenError | None:
        """The breach of any move after the sheet was closed."""
        if not self.closing:
            return None
        return RuleBrokenError(self.ending.rule if self.ending else "scoresheet:END-4", "the game is over")

    def scores(self) -> list[ScoreLine]:
        """Every point with its cell, formula and entry, in the order in which the entries happened."""
        return scores(self)

    def totals(self) -> list[int]:
        """The points of each seat, which are its side's."""
        points = Sheet(self).totals() if self.template.point_columns else self.points
        return [points[side] for side in self.side_of]

    def ranks(self) -> tuple[int, ...]:
        """The rank of each seat by the sheet's rules. Players together all have the same rank."""
        return (1,) * self.seats if self.wins == "cooperative" else current_outcome(self).ranks

    def outcome(self) -> Outcome | None:
        """The outcome by the current sheet, or None while the game goes on."""
        if self.ending or not self.closing:
            return self.ending
        if self.closing.result == "nobody":
            return outcome_without_winner(self)
        return outcome_together(self) if self.wins == "cooperative" else current_outcome(self)

    @property
    def wins(self) -> Literal["highest", "lowest", "cooperative"]:
        """What the template says."""
        return self.template.wins

    @property
    def is_even(self) -> bool:
        """Whether all sides have equally many cells filled in, or the game is over."""
        return self.outcome() is not None or is_even(self)

    def deciding(self) -> Deciding | None:
        """The value that ranks the sides instead of points, or breaks ties: a column, the order of arrival, a ruling.

        For players together it is their result.
        """
        return shared_result(self) if self.wins == "cooperative" else deciding(self)

    def markers(self) -> tuple[SeatMarker, ...]:
        """The markers of the template: who deals, who begins."""
        return markers.current_markers(self)

    def game_name(self) -> Title:
        """The name of the template."""
        return Title(self.template.name, self.template.ja or self.template.name)

    def view(self, viewpoint: Viewpoint) -> Self:  # noqa: ARG002
        """A copy: a score sheet lies open to everybody."""
        return self.copy()

    # What entries change

    def now(self) -> int:
        """The moment of the current entry, which changes something."""
        if self.version != self.newest:
            self.newest = self.version
            self.moment += 1
        return self.moment

    def put(self, column: Column, number: int | None, side: int, given: float) -> Cell | None:
        """Put a value into a cell. None if the cell has it already: then it keeps its entry."""
        name = line_name(column.id, number)
        line = self.cells.get(name) or (None,) * (1 if column.shared else len(self.members))
        value = given if type(given) is int or given != int(given) else int(given)  # 3.0 is 3
        was: Number | None = None
        placed: int | None = None
        if old := line[side]:
            was, placed = old.value, old.placed or old.moment
            if was == value:
                return None
        cell = Cell(value, self.version, self.now(), was, placed)
        cells = [*line]
        cells[side] = cell
        self.cells[name] = (*cells,)
        if column.counts:
            self.points[side] += int(value) - int(was or 0)
        if number is not None and number > self.round:
            self.round = number
        return cell

    def write(self, column: Column, number: int | None, side: int, given: float) -> list[Effect]:
        """Put a value into a cell, and return the effects."""
        cell = self.put(column, number, side, given)
        if cell is None:
            return []
        seat = None if column.shared else self.members[side][0]
        place = titled(self.cell_title(column, number, side))
        text = write_value(column, cell.value)
        rule = "scoresheet:SHEET-2" if column.shared else "scoresheet:CELL-1"
        if cell.was is not None:
            text, rule = f"{write_value(column, cell.was)} → {text}", "scoresheet:CELL-3"
        if column.shared:
            return [Effect("cell.shared", rule, seat, (place, text))]
        if cell.was is not None:
            return [Effect("cell.changed", rule, seat, (place, text))]
        return [Effect("cell.entered", rule, seat, (place, text))]

    def give_points(self, side: int, points: int, reason: str, rule: str) -> None:
        """Give a side points beside the columns."""
        self.credits.append(Credit(side, points, reason, rule, self.version, self.now(), self.round))
        self.points[side] += points

    def drop_out(self, seat: int) -> None:
        """Take a seat out of the game. Raises `ImpossibleError`."""
        if seat in self.out:
            raise ImpossibleError("{name} has dropped out already", "scoresheet:SEAT-2", name=self.seat_name(seat))
        self.settle_markers()
        self.out.append(seat)
        side = self.side_of[seat]
        if self.revision >= AWAY and self.template.has_rounds and not self.plays(side):
            self.away.append(MissedRounds(side, markers.present_round(self)))

    def start_playing(self, side: int, since: int) -> None:
        """Make a side of the sheet play from a round on."""
        self.since[side] = since
        if self.revision < AWAY:
            return
        gone = next((away for away in self.away if away.side == side and away.until is None), MissedRounds(side, 1))
        self.away = [*(away for away in self.away if away is not gone), msgspec.structs.replace(gone, until=since)]

    def with_another_seat(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side with one more seat. Raises `ImpossibleError` if the sheet has no room."""
        seats = count_and_noun(self.seats + 1, "seat")
        try:
            members = self.template.sides(self.seats + 1)
        except BadOpeningError:
            text = "the teams of the sheet name their seats: there is none for {counted}"
            raise ImpossibleError(text, "scoresheet:SEAT-1", counted=seats) from None
        if self.template.most_rounds(len(members)) < self.round:
            raise ImpossibleError("there is too much to compute for {counted}", "scoresheet:SEAT-1", counted=seats)
        return members

    def add_seat(self, members: tuple[tuple[int, ...], ...], since: int) -> None:
        """Add a seat, so that each side has these `members`. A side that is new plays from the round `since` on."""
        side = next(side for side, seats in enumerate(members) if self.seats in seats)
        if side == self.sides:
            shared = {column.id for column in self.template.entered_columns if column.shared}
            for name, line in self.cells.items():
                if name.rpartition(" ")[2] not in shared:
                    self.cells[name] = (*line, None)
            self.points.append(0)
            self.since.append(since)
            self.came.append(since)
        self.members, self.side_of = members, (*self.side_of, side)

    def sides_in(self, number: int | None) -> Sequence[int]:
        """The sides that play a round or have played it; all of them without a round."""
        if number is None or not (self.came or self.away):
            return range(self.sides)
        first = self.sides - len(self.came)
        there = [*range(first), *(first + late for late, since in enumerate(self.came) if since <= number)]
        return [side for side in there if not self._is_away(side, number) or self._has_cells(side, number)]

    def _is_away(self, side: int, number: int) -> bool:
        """Whether a side that was on the sheet from the beginning missed a round."""
        return any(away.side == side and away.holds(number) for away in self.away)

    def explain_arrival(self, missed: str, totals: tuple[int, ...]) -> None:
        """Note how the points of a late player were made, with the current entry."""
        self.arrivals.append(LateArrival(self.version, missed, totals))

    def settle_markers(self) -> None:
        """Keep the current holders of markers: a player leaves or joins, so the order round the table changes."""
        self.marks += markers.marks_to_keep(self)

    def close(self, result: Literal["won", "lost", "stopped", "nobody"] | None = None) -> None:
        """End the game with the current entry. A closed game keeps its closing."""
        self.closing = self.closing or Closing(self.version, self.now(), result)

    # What rulings change

    def award(self, line: ScoreLine) -> list[Effect]:
        """Add points beside the columns to the seat's side."""
        before = sides_at_end(self)
        self.give_points(self.side_of[line.seat], line.points, line.category, line.rule)
        return effects_of_reaching(self, before)

    def end(self, ending: Outcome) -> list[Effect]:
        """End the game by a ruling. The cells that were filled in when it was closed stay."""
        self.close()
        self.ending = ending
        return []

    def resign(self, seat: int) -> list[Effect]:
        """Take the seat out of the game. A player left alone does not win by that, but by the sheet."""
        if self.is_last(seat):
            raise ImpossibleError(
                "{name} is the last one: end or adjudge the game instead", RULING, name=self.seat_name(seat)
            )
        self.drop_out(seat)
        if self.wins != "cooperative" and sum(map(self.plays, range(self.sides))) == 1:
            self.close()
            self.ending = msgspec.structs.replace(current_outcome(self), reason="resigned", rule=RULING)
        return []

    # The sheet

    def with_cells(self, column: Column, number: int | None, values: Iterable[tuple[int, float]]) -> Self:
        """A read-only copy with these values, by side, in a line. All other parts are shared."""
        trial = self._copy_to_look_at()
        trial.cells, trial.points = self.cells.copy(), self.points.copy()
        for side, value in values:
            trial.put(column, number, side, value)
        return trial

    def without_line(self, line: str) -> Self:
        """A read-only copy with an empty line."""
        trial = self._copy_to_look_at()
        trial.cells = {name: cells for name, cells in self.cells.items() if name != line}
        return trial

    def when_closed(self) -> Self:
        """A read-only copy as if the game was over."""
        trial = self._copy_to_look_at()
        trial.close()
        return trial

    def _copy_to_look_at(self) -> Self:
        """A shallow copy with a version of its own, unlike any entry of the record."""
        trial = copy(self)
        trial.version = max(self.version, self.newest) + 1
        return trial

    @property
    def sides(self) -> int:
        """The number of sides."""
        return len(self.members)

    @property
    def last(self) -> int:
        """The last possible round."""
        return self.template.last_round(self.sides)

    def cell(self, column: Column, number: int | None, side: int) -> Cell | None:
        """The cell of a column (in round `number`) for a side; None if it is empty."""
        line = self.cells.get(line_name(column.id, number))
        return line[0 if column.shared else side] if line else None

    def cell_name(self, column: Column, number: int | None, side: int) -> str:
        """The name of a cell, as it is typed: `r3 p1`, `r3 p1 bid`, `p2 wood`, `weather`."""
        return self.cell_title(column, number, side).en

    def cell_title(self, column: Column, number: int | None, side: int) -> Title:
        """The name of a cell in a sentence: as it is typed; in Japanese with the name of its column."""
        place = [] if number is None else [f"r{number}"]
        place += [] if column.shared else [self.speaker(side)]
        if number is not None and column is self.template.default_column:
            return Title(text := " ".join(place), text)
        return Title(" ".join([*place, column.name_in_sentence.en]), " ".join([*place, column.name_in_sentence.ja]))

    def speaker(self, side: int) -> str:
        """The name of a side's first seat, which represents the side."""
        return self.seat_name(self.members[side][0])

    def plays(self, side: int) -> bool:
        """Whether any of the side's seats has not dropped out."""
        return any(seat not in self.out for seat in self.members[side])

    def is_last(self, seat: int) -> bool:
        """Whether all other seats have dropped out."""
        return all(other in self.out for other in range(self.seats) if other != seat)

    def begun_rounds(self) -> list[int]:
        """The rounds with any value."""
        names = [column.id for column in self.template.entered_columns if column.per == "round"]
        return [
            number
            for number in range(1, self.round + 1)
            if any(line_name(name, number) in self.cells for name in names)
        ]

    def has_begun(self, side: int) -> bool:
        """Whether any cell of the side's own has a value."""
        return any(self._has_cells(side, number) for number in [*range(1, self.round + 1), None])

    def _has_cells(self, side: int, number: int | None) -> bool:
        """Whether a cell of the side's own has a value, in this round or for the whole game."""
        per = "game" if number is None else "round"
        own = (column for column in self.template.entered_columns if column.per == per and not column.shared)
        return any(self.cell(column, number, side) for column in own)

    def owes_cells(self, side: int, number: int | None) -> bool:
        """Whether the side's cells (of round `number`) are due."""
        return self.plays(side) and (number is None or number >= self.since[side])

    def missing(self, last: int) -> Iterator[tuple[Column, int | None, int]]:
        """The empty cells that are due: column, round and side, in the order of the sheet.

        They are cells of rounds up to the `last` one, and of columns without rounds.
        """
        for place in [*range(1, last + 1), None]:
            for column in self.template.entered_columns:
                if (column.per == "round") == (place is not None):
                    yield from ((column, place, side) for side in self.empty(column, place))

    def empty(self, column: Column, number: int | None) -> Iterator[int]:
        """The sides whose cells in a line are empty and due; 0 for the shared cell."""
        line = self.cells.get(line_name(column.id, number))
        if column.shared:
            if line is None:
                yield 0
            return
        for side in sides_with_turn(self, number):
            if (line is None or line[side] is None) and self.owes_cells(side, number):
                yield side

    def fillable(self, column: Column, number: int | None) -> list[int]:
        """The sides with a fillable cell in a line: it has a value, or they have a turn then; 0 if shared."""
        if column.shared:
            return [0]
        turns = sides_with_turn(self, number)
        line = self.cells.get(line_name(column.id, number)) or (None,) * self.sides
        return [
            side
            for side, cell in enumerate(line)
            if cell is not None or (side in turns and self.owes_cells(side, number))
        ]

    def coming_round(self, side: int) -> int:
        """The first round of a side that joins now: the last one begun, or the next if the others have filled it in."""
        column = self.template.default_column
        if column is None or column.per == "game":
            return 1
        if self.revision < AWAY:
            return self.next_round(column, without=side) or 1
        if column.default is not None:
            return markers.due_round(self)
        is_open = any(other != side for other in self.empty(column, self.round))
        return max(self.round if is_open else self.round + 1, 1)

    def next_round(self, column: Column, without: int | None = None) -> int | None:
        """The next round to fill in the column, without regard to one side; None without rounds."""
        if column.per == "game":
            return None
        for number in range(1, self.round + 1):
            if any(side != without for side in self.empty(column, number)):
                return number
        return self.round + 1
