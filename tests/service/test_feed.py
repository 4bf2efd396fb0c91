"""The feed, as a program follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.service.conftest import DEAL

if TYPE_CHECKING:
    from tests.service.conftest import Api


def test_whoever_sends_the_feeds_cursors_back_reads_all_of_it_once(api: Api) -> None:
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
