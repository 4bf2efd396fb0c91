"""The list of games can be ordered by when they were played, however late they were recorded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.service.conftest import DEAL, Guest

if TYPE_CHECKING:
    from tests.service.conftest import Api

DAYS = {"Moon": "1969-07-20", "Summer": "2024-08-01", "Today": "2026-11-22", "Autumn": "2024-10-31"}
IN_ORDER = ["Today", "Autumn", "Summer", "Moon"]


@pytest.fixture
def games(api: Api) -> dict[str, str]:
    """Games that were recorded in another order than they were played, by their titles."""
    opened = {title: api.open(title=title, happened_at=f"{day}T20:00:00+02:00") for title, day in DAYS.items()}
    api.catch_up()
    return opened


def _titles(asker: Guest, query: str = "") -> list[str]:
    answer = asker.get(f"/v1/games?{query}")
    assert answer.status_code == 200, answer.text
    return [game["title"] for game in answer.get_json()["games"]]


def test_the_order_is_that_of_the_last_entry_or_that_of_play(api: Api, games: dict[str, str]) -> None:
    assert _titles(api) == _titles(api, "order=recorded") == list(DAYS)[::-1]
    assert _titles(api, "order=played") == IN_ORDER
    assert _titles(api, "order=played&from=2024-01-01&to=2024-12-31&ruleset=kahuna") == ["Autumn", "Summer"]
    assert api.record(games["Moon"], DEAL).status_code == 201
    api.catch_up()
    assert _titles(api)[0] == "Moon"
    assert _titles(api, "order=played") == IN_ORDER


def test_the_link_to_the_next_page_keeps_order_and_filters(api: Api, games: dict[str, str]) -> None:
    seen, path = list[str](), "/v1/games?order=played&limit=1&to=2025-01-01"
    while path:
        answer = api.get(path)
        seen += [game["title"] for game in answer.get_json()["games"]]
        found = re.match(r'<(.*)>; rel="next"$', answer.headers.get("Link", ""))
        path = found[1] if found else ""
        if found:
            asked = {name: value for name, (value,) in parse_qs(urlsplit(path).query).items()}
            cursor = answer.get_json()["next"]
            assert asked == {"order": "played", "limit": "1", "to": "2025-01-01", "cursor": cursor}
    assert seen == IN_ORDER[1:]


def test_a_cursor_of_another_order_is_refused(api: Api, games: dict[str, str]) -> None:
    for order, other in (("played", "recorded"), ("recorded", "played")):
        cursor = api.get(f"/v1/games?order={order}&limit=1").get_json()["next"]
        assert api.get(f"/v1/games?order={order}&cursor={cursor}").status_code == 200
        answer = api.get(f"/v1/games?order={other}&cursor={cursor}")
        assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, "cursor")
    answer = api.get("/v1/games?order=day")
    assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, "order")


def test_others_see_in_this_order_what_they_see_in_the_other_one(api: Api, games: dict[str, str]) -> None:
    for title in ("Moon", "Autumn"):
        api.show(games[title])
    api.catch_up()
    stranger = Guest(api.app, "", None)
    assert _titles(stranger, "order=played") == ["Autumn", "Moon"]
    assert _titles(stranger, "order=played&from=2024-01-01") == ["Autumn"]
    api.show(games["Autumn"], "private")
    api.catch_up()
    assert _titles(stranger, "order=played") == ["Moon"]


def test_the_page_is_ordered_so_and_its_next_page_is_too(api: Api, games: dict[str, str]) -> None:
    page = api.get("/?order=played&limit=2").text
    assert re.findall(r'<h2><a href="/games/[^"]+"><bdi>(\w+)', page) == IN_ORDER[:2]
    assert '<option value="played" selected>' in page
    following = re.search(r'rel="next" href="([^"]+)"', page)
    assert following
    assert "order=played" in following[1]
    rest = api.get(following[1].replace("&amp;", "&")).text
    assert re.findall(r'<h2><a href="/games/[^"]+"><bdi>(\w+)', rest) == IN_ORDER[2:]
