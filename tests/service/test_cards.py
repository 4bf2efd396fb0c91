"""Cards: what chats and sites show of a link to a game."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest
from werkzeug.test import Client

from service.pages import cards
from tests.service.test_pictures import size

if TYPE_CHECKING:
    from tests.service.conftest import Api

pytestmark = pytest.mark.programs


def meta(page: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[a-z:]+)" content="([^"]*)">', page)
    return {name: unescape(content) for name, content in found}


def stranger(api: Api, address: str) -> bytes:
    answer = Client(api.app, use_cookies=False).get(address)
    assert answer.status_code == 200, answer.text
    return answer.data


def linked(api: Api, game: str, **body: object) -> str:
    return str(api.post(f"/v1/games/{game}/links", body).get_json()["path"])


@pytest.mark.parametrize("level", ["link", "public"])
def test_a_game_that_strangers_may_see_has_a_card(api: Api, level: str) -> None:
    seats = [{"name": '髙橋 <"さくら">'}, {"name": "Ben & Jo"}]
    game = api.open(title='By the "window" <b>', seats=seats)
    api.show(game, level)
    found = meta(stranger(api, f"/games/{game}").decode())
    assert found["og:title"] == 'By the "window" <b>'
    assert found["og:description"] == 'Kahuna: 髙橋 <"さくら"> 0, Ben & Jo 0'
    assert found["og:url"].endswith(f"/games/{game}")
    assert found["og:url"].startswith("http")
    assert found["og:image"] == f"{found['og:url']}/card.png"
    assert found["twitter:card"] == "summary_large_image"
    drawn = stranger(api, f"/games/{game}/card.png")
    assert size(drawn) == (cards.WIDTH, cards.HEIGHT)
    assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")


def test_a_private_game_has_no_card(api: Api) -> None:
    game = api.open(title="Ours alone")
    assert meta(api.get(f"/games/{game}").text) == {}
    assert Client(api.app).get(f"/games/{game}/card.png").status_code == 404


@pytest.mark.parametrize("body", [{}, {"at": 2}, {"seat": "record"}])
def test_a_share_link_has_a_card_of_what_it_shows_though_the_game_is_private(api: Api, body: dict[str, object]) -> None:
    game = api.play("a-h", "-", "b-d")
    path = linked(api, game, **body)
    found = meta(stranger(api, path).decode())
    assert found["og:image"].endswith(f"{path}/card.png")
    assert game not in "".join(found.values()), "whoever is shown it learns of no other address"
    assert size(stranger(api, f"{path}/card.png")) == (1200, 630)
    now = stranger(api, f"{linked(api, game)}/card.png")
    assert (stranger(api, f"{path}/card.png") == now) == ("at" not in body)


@pytest.mark.parametrize("seat", ["public", "0", "record"])
def test_games_that_differ_in_what_is_hidden_have_the_same_card_whatever_a_link_shows(api: Api, seat: str) -> None:
    one, other = (linked(api, api.play(*moves), seat=seat) for moves in (("+?lale", "-"), ("+?gola", "-")))
    assert (stranger(api, f"{one}/board.svg") == stranger(api, f"{other}/board.svg")) == (seat == "public")
    assert stranger(api, f"{one}/card.png") == stranger(api, f"{other}/card.png")
    found = [meta(stranger(api, path).decode()) for path in (one, other)]
    assert found[0]["og:description"] == found[1]["og:description"]


def test_a_link_that_was_revoked_has_no_card(api: Api) -> None:
    made = api.post(f"/v1/games/{(game := api.play())}/links", {}).get_json()
    api.request("DELETE", f"/v1/games/{game}/links/{made['info']['id']}")
    assert Client(api.app).get(f"{made['path']}/card.png").status_code == 404


def test_a_card_has_room_for_every_table(api: Api) -> None:
    seats = [{"name": f"選手{number} von und zu Hohenstein"} for number in range(8)]
    game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=seats, title="大会 " * 30)
    api.show(game)
    assert size(stranger(api, f"/games/{game}/card.png")) == (1200, 630)
