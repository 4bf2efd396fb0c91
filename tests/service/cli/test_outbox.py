"""What waited on a phone comes from its file."""

from __future__ import annotations

import json

import pytest
from uuid_utils import uuid7


def entry(game, base, move):
    body = {"events": [{"id": str(uuid7()), "data": {"move": move}}]}
    path = f"/v1/games/{game}/events"
    return {"box": game, "key": str(uuid7()), "path": path, "body": body, "base": base, "label": move}


@pytest.fixture
def saved(tmp_path):
    """A file with a game that is opened, and with these moves in it."""

    def save(*moves, **more):
        game = str(uuid7())
        body = {"id": game, "ruleset": "kahuna", "seats": [{"name": "Anna"}, {"name": "Ben"}], "title": "On the train"}
        opening = {"box": game, "key": str(uuid7()), "path": "/v1/games", "body": body, "base": None, "label": "train"}
        items = [opening, *(entry(game, base, move) for base, move in enumerate(moves, 1))]
        file = tmp_path / "kifu-outbox.json"
        file.write_text(json.dumps({"kifu": "outbox", "items": [item | more for item in items]}, indent=1))
        return game, file

    return save


def test_what_waited_on_a_phone_is_recorded_once(kifu, saved):
    game, file = saved("deal black BARI COCO DUDA", "b-d")
    for _ in range(2):
        assert f"game {game}, 3 entries" in kifu("import", file)
    shown = kifu("export", game, "-", "--format", "text")
    assert "BARI-DUDA" in shown
    assert "On the train" in kifu("show", game)


def test_a_game_that_waited_to_be_opened_in_a_club_is_one_of_the_club(kifu, saved):
    club = json.loads(kifu("clubs", "create", "Club", "--json"))["club"]
    game, file = saved(path=f"/v1/clubs/{club}/games")
    assert f"game {game}, 1 entries" in kifu("import", file)
    assert json.loads(kifu("clubs", "show", "Club", "--json"))["games"] == [game]


def test_what_is_refused_of_it_is_said_and_holds_up_what_follows(kifu, saved):
    game, file = saved("deal black BARI COCO DUDA", "a-z", "+")
    assert "a-z: " in kifu.fails("import", file)
    assert "deal black BARI COCO DUDA" in kifu("export", game, "-", "--format", "text")


def test_such_a_file_makes_nothing_but_games_and_entries(kifu, saved):
    _, file = saved("deal black", path="/v1/tokens")
    assert "not a file that a phone saved" in kifu.fails("import", file)
