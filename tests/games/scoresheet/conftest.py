"""Score sheets in one line, and words for what happens on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from games import adjustments
from games.errors import BadOpeningError, ImpossibleError
from games.scoresheet import SCORESHEET
from games.scoresheet.effects import seat_name

if TYPE_CHECKING:
    from games.contract import Effect, Outcome
    from games.scoresheet.moves import ScoresheetMove
    from games.scoresheet.state import ScoresheetState


class Table:
    """A table at which lines of notation are written on a sheet."""

    def __init__(self, state: ScoresheetState) -> None:
        self.state = state
        self.seats = len(state.side_of)

    def do(self, *lines: str) -> list[str]:
        """Write lines by the rules; say what followed the last one: `p2 cell.entered r1 p2, 7`."""
        effects: list[Effect] = []
        for line in lines:
            move = SCORESHEET.parse(self.state, line)
            SCORESHEET.verify(self.state, move)
            effects = self.make(move)
        return [_words(effect) for effect in effects]

    def force(self, line: str) -> list[str]:
        """Write a line whatever the rules say."""
        return [_words(effect) for effect in self.make(SCORESHEET.parse(self.state, line))]

    def make(self, move: ScoresheetMove) -> list[Effect]:
        self.state.version += 1
        return SCORESHEET.apply(self.state, move)

    def rule(self, text: str) -> list[str]:
        """Adjust the table as a ruling says; say what followed."""
        self.state.version += 1
        effects: list[Effect] = []
        for adjustment in adjustments.parse_all(SCORESHEET, text):
            effects += SCORESHEET.adjust(self.state, adjustment)
        return [_words(effect) for effect in effects]

    def cannot_rule(self, text: str) -> str:
        """Why a ruling cannot be; make sure that nothing was changed by trying."""
        before = SCORESHEET.copy(self.state)
        with pytest.raises(ImpossibleError) as error:
            SCORESHEET.adjust(self.state, adjustments.parse(SCORESHEET, text))
        assert self.state == before
        return str(error.value)

    def broken(self, line: str) -> dict[str, str]:
        """The rules that a line would break, with the reasons."""
        breaches = SCORESHEET.breaches(self.state, SCORESHEET.parse(self.state, line))
        return {breach.rule.removeprefix("scoresheet:"): breach.why for breach in breaches}

    def cannot(self, **move: Any) -> str:
        """Why a move cannot be, with the rule; make sure that nothing was changed by trying."""
        before = SCORESHEET.copy(self.state)
        typed = SCORESHEET.read_move(move)
        list(SCORESHEET.breaches(self.state, typed))
        SCORESHEET.notation(self.state, typed)
        with pytest.raises(ImpossibleError) as error:
            SCORESHEET.apply(self.state, typed)
        assert self.state == before
        return str(error.value)

    def legal(self) -> list[str]:
        return [SCORESHEET.notation(self.state, move) for move in SCORESHEET.legal_moves(self.state)]

    def totals(self) -> list[int]:
        found = SCORESHEET.totals(self.state, self.seats)
        sums = [0] * self.seats
        for line in SCORESHEET.scores(self.state):
            sums[line.seat] += line.points
        assert found == sums
        return found

    def audit(self) -> list[tuple[Any, ...]]:
        """The lines: who, points, category, rule, entry, and what they are for."""
        return [
            (seat_name(line.seat), line.points, line.category, line.rule.partition(":")[2], line.version, line.note)
            for line in SCORESHEET.scores(self.state)
        ]

    def end(self) -> Outcome:
        self.do("end")
        return self.outcome

    @property
    def outcome(self) -> Outcome:
        found = SCORESHEET.outcome(self.state)
        assert found is not None
        return found

    def cells(self, line: str) -> list[Any]:
        """A line of the sheet as it is described."""
        return list(SCORESHEET.describe(self.state)["sheet"][line].values())


def _words(effect: Effect) -> str:
    parts = [seat_name(effect.seat)] if effect.seat is not None else []
    parts += [effect.kind, ", ".join(effect.at)] + ([] if effect.count is None else [str(effect.count)])
    return " ".join(part for part in parts if part)


@pytest.fixture
def table() -> Any:
    """Open a sheet: a ready template by its name, or one of these columns and fields."""

    def lay(template: str = "", seats: int = 3, columns: list[dict[str, Any]] | None = None, **fields: Any) -> Table:
        if template:
            return Table(SCORESHEET.open({"template": template}, None, seats))
        usual = [{"id": "points", "per": "round"}]
        data = {"name": "Test", "columns": usual if columns is None else columns} | fields
        return Table(SCORESHEET.open({}, data, seats))

    return lay


@pytest.fixture
def refused(table: Any) -> Any:
    """Where and why a template is refused."""

    def refuse(seats: int = 3, columns: list[dict[str, Any]] | None = None, **fields: Any) -> tuple[str, str]:
        with pytest.raises(BadOpeningError) as error:
            table("", seats, columns, **fields)
        return error.value.field.removeprefix("components."), error.value.why

    return refuse
