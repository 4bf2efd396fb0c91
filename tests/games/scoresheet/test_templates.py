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
