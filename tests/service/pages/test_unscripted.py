"""What a page says by its HTML alone: to a browser without JavaScript, and while its scripts are on their way."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from uuid_utils import uuid7

if TYPE_CHECKING:
    from tests.service.conftest import Api

TAG = re.compile(r"<[^>]+>")
READER = {"Accept": "text/html"}


def standing(page: str) -> list[list[str]]:
    """The words of each row of a game's standing."""
    (rows,) = re.findall(r'<ol class="standing".*?</ol>', page, re.DOTALL)
    return [TAG.sub(" ", row).split() for row in re.findall(r"<li.*?</li>", rows, re.DOTALL)]


def played(api: Api, end: str) -> str:
    """The page of a game of Ada and Ben that is over."""
    seats = [{"name": "Ada"}, {"name": "Ben"}]
    game = str(uuid7())
    body = {"id": game, "ruleset": "scoresheet", "options": {"template": "rounds"}, "seats": seats}
    assert api.post("/v1/games", body).status_code == 201
    moves = [{"id": str(uuid7()), "type": "move.made", "data": {"move": move}} for move in ("r1 4 9", end)]
    assert api.post(f"/v1/games/{game}/events", {"events": moves}).status_code == 201
    return str(api.get(f"/games/{game}", headers=READER).get_data(as_text=True))


def test_a_game_that_is_over_has_its_standing_in_the_page(api: Api) -> None:
    assert standing(played(api, "end")) == [["1", "Ben", "9"], ["2", "Ada", "4"]]
    assert standing(played(api, "end nobody")) == [["Ada", "4"], ["Ben", "9"]], "nobody is first"


@pytest.mark.parametrize("path", ["/", "/rulesets/scoresheet/template", "/rulesets/kahuna", "/access"])
def test_a_page_that_needs_scripts_says_so_and_what_does_the_same(shared: Api, path: str) -> None:
    (said,) = re.findall("<noscript>(.*?)</noscript>", shared.get(path, headers=READER).get_data(as_text=True))
    assert re.search("needs? JavaScript", said)
    assert "kifu " in said


def test_the_page_of_a_refusal_names_each_field(shared: Api) -> None:
    page = shared.get("/?from=2026-13-01&order=backwards", headers=READER)
    assert page.status_code == 400
    said = TAG.sub("", page.get_data(as_text=True))
    assert "First day: Not a valid date." in said
    assert "Order: Must be one of" in said
    assert "some fields are invalid" not in said


@pytest.mark.parametrize("kind", ["games", "clubs", "seasons", "tournaments", "people"])
def test_where_nothing_is_seen_strangers_are_asked_to_log_in(shared: Api, kind: str) -> None:
    said = shared.client.get(f"/{kind}/{uuid7()}", headers=READER)
    assert said.status_code == 404
    assert "If you may see it" in said.get_data(as_text=True)
    assert "If you may see it" not in shared.get(f"/{kind}/{uuid7()}", headers=READER).get_data(as_text=True)


def test_the_owner_without_a_name_is_called_so_by_those_who_list_people(api: Api) -> None:
    club = str(uuid7())
    assert api.post("/v1/clubs", {"id": club, "name": "Chess Club", "public": True}).status_code == 201
    said = TAG.sub("", api.get(f"/clubs/{club}", headers=READER).get_data(as_text=True))
    assert "owner created the club" in said
    said = TAG.sub("", api.client.get(f"/clubs/{club}", headers=READER).get_data(as_text=True))
    assert "somebody created the club" in said
    assert "owner" not in said
