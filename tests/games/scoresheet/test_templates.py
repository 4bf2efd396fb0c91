"""The ready templates, and that a game keeps the one that it was opened with."""

from __future__ import annotations

import msgspec
import pytest

from games import transcript
from games.scoresheet import SCORESHEET
from games.scoresheet.components import PLAIN, READY, Column, Team, Template, TieBreaker, read_template
from tests import goldens

NAMES = sorted(READY)


def test_what_people_expect_is_ready():
    expected = {"plain", "rounds", "golf", "hearts", "first_to_100", "win_loss_draw", "cooperative", "ranking", "teams"}
    assert expected <= READY.keys()
    assert sum(bool(read_template(data).formulas) for data in READY.values()) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_a_ready_template_is_data_that_can_be_embedded(name):
    data = SCORESHEET.components({"template": name})
    kept = msgspec.json.decode(msgspec.json.encode(data))
    assert SCORESHEET.open({"template": name}, kept, 4) == SCORESHEET.open({"template": name}, None, 4)


@pytest.mark.parametrize("name", NAMES)
def test_every_ready_template_has_a_recorded_game(name):
    opened = [transcript.opening(SCORESHEET, recording) for recording in goldens.games(SCORESHEET).values()]
    assert any(game.options.get("template", PLAIN) == name and game.components is None for game in opened)


def test_a_game_keeps_its_template_whatever_becomes_of_the_ready_one(monkeypatch):
    kept = SCORESHEET.components({"template": "golf"})
    monkeypatch.setitem(READY, "golf", READY["plain"])
    assert SCORESHEET.open({"template": "golf"}, kept, 2).template.name == "Golf"
    assert SCORESHEET.open({"template": "golf"}, None, 2).template.name == "Plain points"


@pytest.mark.parametrize("kind", [Template, Column, Team, TieBreaker])
def test_every_field_of_a_template_is_explained(kind):
    explained = SCORESHEET.rulebook["scoresheet:SHEET-1"].text
    assert all(f"`{name}`" in explained for name in kind.__struct_fields__)


def test_a_template_is_written_as_it_was_read():
    for data in READY.values():
        template = read_template(data)
        assert msgspec.convert(msgspec.to_builtins(template), Template) == template


FARM = {
    "fields": (0, -1, 1, -1, 2, 1, 3, 2, 4, 3, 5, 4, 9, 4),
    "pastures": (0, -1, 1, 1, 2, 2, 3, 3, 4, 4, 7, 4),
    "grain": (0, -1, 1, 1, 3, 1, 4, 2, 5, 2, 6, 3, 7, 3, 8, 4, 20, 4),
    "vegetables": (0, -1, 1, 1, 2, 2, 3, 3, 4, 4, 9, 4),
    "sheep": (0, -1, 1, 1, 3, 1, 4, 2, 6, 3, 7, 3, 8, 4),
    "boar": (0, -1, 1, 1, 2, 1, 3, 2, 4, 2, 5, 3, 6, 3, 7, 4),
    "cattle": (0, -1, 1, 1, 2, 2, 3, 2, 4, 3, 5, 3, 6, 4),
    "unused": (0, 0, 4, -4),
    "stables": (0, 0, 4, 4),
    "clay_rooms": (0, 0, 3, 3),
    "stone_rooms": (0, 0, 3, 6),
    "family": (2, 6, 5, 15),
    "begging": (0, 0, 2, -6),
    "cards": (7, 7),
    "bonus": (3, 3),
    "supplies": (9, 0),
}
"""Of each column of the farm: what is entered, and the points that it brings."""


@pytest.mark.parametrize("column", FARM)
def test_the_whole_farm_is_scored(table, column):
    assert set(FARM) == {entered.id for entered in read_template(READY["farm"]).entered}
    for value, points in zip(FARM[column][::2], FARM[column][1::2], strict=True):
        t = table("farm", 1)
        t.do(f"{column} {value}")
        assert t.scores() == [points]


def test_a_template_has_a_name_and_an_option_shows_it():
    (option,) = SCORESHEET.options
    assert [option.called(choice) for choice in option.choices] == [READY[name]["name"] for name in option.choices]
