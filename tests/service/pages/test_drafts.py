"""What the page of a game that no service knows yet is told of score sheets."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from games.scoresheet.reading import conflicting_options, read_template
from games.scoresheet.ready import READY
from games.scoresheet.state import ScoresheetState
from service.pages import drafts

if TYPE_CHECKING:
    from games.contract import JSON

WITH_OPTIONS = sorted(name for name, data in READY.items() if data.get("options"))
SEATS = 4


def shown(sheet: JSON, chosen: tuple[str, ...]) -> list[dict[str, Any]]:
    """The columns of a sheet that are there with these options, as the page chooses them."""

    def of(condition: Any) -> set[str]:
        return {condition} if isinstance(condition, str) else set(condition or ())

    return [
        column
        for column in sheet["columns"]
        if ("when" not in column or of(column["when"]) & set(chosen)) and not of(column.get("unless")) & set(chosen)
    ]


@pytest.mark.parametrize("name", WITH_OPTIONS)
def test_a_sheet_has_the_lines_of_every_option_before_its_game_is_opened(name: str) -> None:
    sheet = drafts.sheet(READY[name])
    options = read_template(READY[name]).options
    names = [option.id for option in options]
    for chosen in [(), *combinations(names, 1), *combinations(names, 2)]:
        if conflicting_options(options, chosen):
            continue
        template = read_template({**READY[name], "chosen": list(chosen)})
        columns = shown(sheet, chosen)
        assert [column["id"] for column in columns] == [column.id for column in template.entered_columns]
        state = ScoresheetState.begin({}, {**READY[name], "chosen": list(chosen)}, SEATS)
        there = {column["id"] for column in columns}
        lines = [line["move"].get("column") for line in sheet["lines"]]  # the end of a game has none
        legal = [getattr(move, "column", None) for move in state.legal_moves()]
        assert [column for column in lines if column is None or column in there] == legal


def test_lines_are_written_so_that_they_mean_the_same_with_every_option() -> None:
    for name in WITH_OPTIONS:
        sheet = drafts.sheet(READY[name])
        for option in read_template(READY[name]).options:
            data = {**READY[name], "chosen": [option.id]}
            state = ScoresheetState.begin({}, data, SEATS)
            there = {column["id"] for column in shown(sheet, (option.id,))}
            for line in sheet["lines"]:
                if (column := line["move"].get("column")) in there:
                    cells = 1 if read_template(data).by_id[column].shared else state.sides
                    assert state.parse(" ".join([line["notation"], *["?"] * cells])).column == column


def test_an_option_can_change_the_number_of_rounds() -> None:
    own = {
        "name": "Own",
        "rounds": 3,
        "columns": [{"id": "points", "per": "round"}],
        "options": [{"id": "long", "name": "long", "sets": {"rounds": 7}}, {"id": "open", "name": "open"}],
        "chosen": ["open"],
    }
    sheet = drafts.sheet(own)
    assert (sheet["rounds"], sheet["rounds_with"], list(sheet["chosen"])) == (3, {"long": 7}, ["open"])
