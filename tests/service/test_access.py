"""Who may do what: every route, with the owner's token, without one, and with a wrong one."""

from __future__ import annotations

import re
import stat
from typing import TYPE_CHECKING

import pytest
from uuid_utils import uuid7

from service.app import create_app
from service.routes import PARTS
from service.settings import Settings
from tests.service.conftest import Api

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from service.endpoints import Endpoint

ENDPOINTS = [endpoint for part in PARTS for endpoint in part.described]

PUBLIC = {
    "list_rulesets",
    "show_ruleset",
    "list_games",
    "show_game",
    "show_state",
    "list_moves",
    "show_score",
    "show_timeline",
    "list_snapshots",
    "show_board",
    "list_players",
    "show_health",
    "show_metrics",
    "show_openapi",
}


def test_what_is_open_to_everybody_is_what_is_listed_here() -> None:
    """A new route asks for the token unless somebody decides otherwise, here."""
    assert {endpoint.name for endpoint in ENDPOINTS if not endpoint.owner} >= PUBLIC
    writing = [endpoint for endpoint in ENDPOINTS if endpoint.method != "GET"]
    assert writing
    assert all(endpoint.owner for endpoint in writing)


@pytest.fixture(scope="module")
def visited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """A service that many strangers come to: none of them can change anything."""
    app = create_app(Settings(data=tmp_path_factory.mktemp("visited") / "data"))
    yield Api(app)
    app.extensions["kifu"].close()


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.name)
@pytest.mark.parametrize("token", [None, "kifu_owner_wrong", ""])
def test_every_route_refuses_or_serves_a_stranger_as_described(
    visited: Api, endpoint: Endpoint, token: str | None
) -> None:
    path = re.sub("<game>", visited.play(), endpoint.path)
    path = re.sub("<name>", "kahuna", path)
    path = re.sub("<player>", str(uuid7()), path)
    path = re.sub("<[a-z]+>", "1", path)
    if endpoint.name == "compare_games":
        path += f"?with={visited.play()}"
    stranger = Api(visited.app)
    stranger.token = None
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    answer = stranger.request(endpoint.method, path, headers=headers)
    if endpoint.owner:
        assert answer.status_code == 401, answer.text
        assert answer.content_type == "application/problem+json"
        if token is None:
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    elif token is None:
        assert answer.status_code in {200, 404}


def test_a_stranger_sees_a_game_as_the_public_does(api: Api) -> None:
    game = api.play("+?lale", "-")
    owner = api.get(f"/v1/games/{game}/state").get_json()
    public = api.get(f"/v1/games/{game}/state?seat=public").get_json()
    api.token = None
    stranger = api.get(f"/v1/games/{game}/state").get_json()
    assert (owner["viewpoint"], stranger["viewpoint"]) == ("record", "public")
    assert stranger == public
    assert "LALE" in str(owner["state"]["hands"])
    assert "LALE" not in str(stranger["state"]["hands"])
    for seat in ("record", "0", "1"):
        assert api.get(f"/v1/games/{game}/state?seat={seat}").status_code == 401


@pytest.mark.parametrize("path", ["state", "moves", "score", "timeline", "board.svg"])
def test_nobody_learns_of_a_card_that_was_drawn_unseen(api: Api, path: str) -> None:
    """Two games that differ only in a card that only black saw: white and the public are told the same."""
    answers = []
    ids = [str(uuid7()) for _ in range(2)]
    for game, card in zip(ids, ("lale", "kahu"), strict=True):
        api.post("/v1/games", {"id": game, "ruleset": "kahuna"})
        assert api.record(game, "deal black BARI COCO DUDA", f"+?{card}", "-", f"d {card}").status_code == 201
        told = [api.get(f"/v1/games/{game}/{path}?seat={seat}").text for seat in ("public", "1")]
        answers.append([re.sub(r'"(hash|id|recorded_at)":"[^"]*"', "", text).replace(game, "") for text in told])
    assert answers[0] == answers[1]


def test_the_login_link_gives_a_cookie_that_opens_everything(api: Api) -> None:
    game, token = api.play(), api.token
    api.token = None
    answer = api.get(f"/login?token={token}")
    assert answer.status_code == 303
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert api.record(game, "b-d").status_code == 201
    foreign = api.record(game, "-", headers={"Origin": "https://elsewhere.example"})
    assert (foreign.status_code, foreign.get_json()["type"]) == (403, "/problems/foreign-origin")
    assert api.record(game, "-", headers={"Origin": "http://localhost"}).status_code == 201


def test_the_token_is_readable_by_the_owner_only_and_stays(tmp_path: Path, api: Api) -> None:
    path = tmp_path / "data" / "owner.token"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text().strip() == api.token


def test_a_name_that_was_rebound_to_this_machine_is_refused(api: Api) -> None:
    answer = api.get("/v1/games", headers={"Host": "elsewhere.example"})
    assert answer.status_code == 400
    assert answer.content_type == "application/problem+json"
