"""Score sheets in one line, and words for what happens on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from games.errors import BadOpeningError
from games.scoresheet import SCORESHEET
from tests.games.table import Table

if TYPE_CHECKING:
    from games.contract import Effect, Outcome


class ScoresheetTable(Table):
    """A table at which lines of notation are written on a sheet."""

    ruleset = SCORESHEET

    def name(self, seat: int) -> str:
        return self.state.seat_name(seat)

    def parts(self, effect: Effect) -> list[str]:
        return super().parts(replace(effect, at=(", ".join(effect.at),) if effect.at else ()))

    def cannot_make(self, **move: Any) -> str:
        """Why a move that notation would not write cannot be."""
        return self.cannot_be(SCORESHEET.read_move(move))

    def audit(self) -> list[tuple[Any, ...]]:
        """The lines: who, points, category, rule, entry, and what they are for."""
        return [
            (self.name(line.seat), line.points, line.category, line.rule.partition(":")[2], line.version, line.note)
            for line in self.state.scores()
        ]

    def end(self) -> Outcome:
        self.do("end")
        return self.outcome

    @property
    def outcome(self) -> Outcome:
        found = self.state.outcome()
        assert found is not None
        return found

    def cells(self, line: str) -> list[Any]:
        """A line of the sheet as it is described."""
        return list(self.state.describe()["sheet"][line].values())


@pytest.fixture
def table() -> Any:
    """Open a sheet: a ready template by its name, or one of these columns and fields."""

    def lay(
        template: str = "", seats: int = 3, columns: list[dict[str, Any]] | None = None, **fields: Any
    ) -> ScoresheetTable:
        if template:
            return ScoresheetTable({"template": template}, None, seats)
        usual = [{"id": "points", "per": "round"}]
        data = {"name": "Test", "columns": usual if columns is None else columns} | fields
        return ScoresheetTable({}, data, seats)

    return lay


@pytest.fixture
def refused(table: Any) -> Any:
    """Where and why a template is refused."""

    def refuse(seats: int = 3, columns: list[dict[str, Any]] | None = None, **fields: Any) -> tuple[str, str]:
        with pytest.raises(BadOpeningError) as error:
            table("", seats, columns, **fields)
        return error.value.field.removeprefix("components."), error.value.why

    return refuse
