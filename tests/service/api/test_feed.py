"""The feed, as a program follows it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from service.app import create_app
from service.settings import Settings
from tests.service.conftest import DEAL, UNLIMITED, Api

if TYPE_CHECKING:
    from pathlib import Path


def test_a_client_that_sends_the_feeds_cursors_back_reads_all_of_it_once(api: Api) -> None:
    games = [api.play("black: a-h"), api.play()]
    seen, after = [], ""
    while items := (page := api.get(f"/v1/feed?limit=2{after}").get_json())["items"]:
        assert page["next"] == items[-1]["cursor"]
        seen += [item["event"]["id"] for item in items]
        after = f"&after={page['next']}"
    stored = [each for game in games for each in api.get(f"/v1/games/{game}/events").get_json()["events"]]
    assert seen == [each["id"] for each in stored]
    assert f"&after={page['next']}" == after, "at its end a reader is told to ask from the same place"
    api.record(games[1], "black: a-h")
    (item,) = api.get(f"/v1/feed?limit=2{after}").get_json()["items"]
    assert item["event"]["game"] == games[1]


def test_a_cursor_of_the_feed_is_a_word_that_goes_into_an_address_as_it_is(api: Api) -> None:
    api.play()
    page = api.get("/v1/feed").get_json()
    for cursor in (page["next"], *(item["cursor"] for item in page["items"])):
        assert not cursor.isdigit()
        assert set(cursor) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=")


def test_the_numbers_that_were_cursors_before_are_still_taken(api: Api) -> None:
    game = api.open()
    api.record(game, DEAL)
    whole = api.get("/v1/feed?after=0").get_json()
    assert [item["event"]["version"] for item in whole["items"]] == [1, 2]
    assert api.get("/v1/feed?after=1").get_json()["items"] == whole["items"][1:]
    assert api.get("/v1/feed?after=2").get_json()["items"] == []


def test_the_feed_names_the_games_that_it_leaves_out(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data", **UNLIMITED)
    app = create_app(settings)
    api = Api(app)
    damaged, sound = api.play("black: a-h"), api.play()
    whole = api.get("/v1/feed").get_json()
    assert "damaged" not in whole
    app.close()
    with closing(sqlite3.connect(tmp_path / "data" / "kifu.db", isolation_level=None)) as db:
        for (trigger,) in db.execute("select name from sqlite_master where type = 'trigger'").fetchall():
            db.execute(f"drop trigger {trigger}")
        db.execute("update event set hash = zeroblob(32) where game = 1 and version = 2")
    app = create_app(settings)
    try:
        answer = Api(app).get("/v1/feed").get_json()
        assert answer["damaged"] == [{"game": damaged, "version": 2}]
        events = [(item["event"]["game"], item["event"]["version"]) for item in answer["items"]]
        assert events == [(damaged, 1), (sound, 1), (sound, 2)]
    finally:
        app.close()
