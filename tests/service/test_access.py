"""Who may do what: every route, with the owner's token, without one, and with a wrong one."""

from __future__ import annotations

import re
import stat
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from games.scoresheet.components import READY
from service.app import create_app
from service.settings import BadSettingError, Settings, from_environment

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from werkzeug.test import TestResponse

    from tests.service.conftest import Api

OPEN = "everybody, whatever they send"
SEEN = "everybody sees what the public may know, the owner all; a token that is not known is refused"
OWNER = "the owner alone"

DOORS = {
    "GET /v1/rulesets": OPEN,
    "GET /v1/rulesets/<name>": OPEN,
    "GET /v1/games": OPEN,
    "POST /v1/games": OWNER,
    "GET /v1/games/<game>": SEEN,
    "GET /v1/games/<game>/events": OWNER,
    "POST /v1/games/<game>/events": OWNER,
    "GET /v1/feed": OWNER,
    "GET /v1/games/<game>/state": SEEN,
    "GET /v1/games/<game>/moves": SEEN,
    "GET /v1/games/<game>/score": SEEN,
    "GET /v1/games/<game>/timeline": SEEN,
    "GET /v1/games/<game>/board.svg": SEEN,
    "GET /v1/games/<game>/board.txt": SEEN,
    "GET /v1/games/<game>/claims": OPEN,
    "GET /v1/games/<game>/snapshots": SEEN,
    "GET /v1/games/<game>/events/<version>/proof": OWNER,
    "GET /v1/games/<game>/events/<version>/receipt": OWNER,
    "GET /v1/games/<game>/events/<version>/receipt.svg": OWNER,
    "GET /v1/tree/checkpoint": OWNER,
    "GET /v1/tree/key": OWNER,
    "GET /v1/tree/tile/<level>/<path:tile>": OWNER,
    "GET /v1/tree/tile/entries/<path:tile>": OWNER,
    "GET /v1/tree/consistency": OWNER,
    "POST /v1/games/<game>/forks": OWNER,
    "GET /v1/games/<game>/comparison": SEEN,
    "GET /v1/games/<game>/export": SEEN,
    "POST /v1/games/<game>/erasures": OWNER,
    "POST /v1/imports": OWNER,
    "GET /v1/players": OWNER,
    "PUT /v1/players/<player>": OWNER,
    "DELETE /v1/players/<player>": OWNER,
    "GET /v1/components/<ruleset>": OPEN,
    "GET /v1/components/<ruleset>/<name>": OPEN,
    "PUT /v1/components/<ruleset>/<name>": OWNER,
    "DELETE /v1/components/<ruleset>/<name>": OWNER,
    "GET /v1/health": OPEN,
    "GET /metrics": OWNER,
    "GET /v1/openapi.yaml": OPEN,
    "GET /": OPEN,
    "GET /games/<uuid:game>": OPEN,
    "GET /rulesets": OPEN,
    "GET /rulesets/<name>": OPEN,
    "GET /rulesets/scoresheet/template": OPEN,
    "GET /problems": OPEN,
    "GET /problems/<name>": OPEN,
    "GET /login": OPEN,
    "POST /login": OPEN,
    "POST /logout": OPEN,
    "GET /static/<path:filename>": OPEN,
}
"""Every route, and to whom it opens. One that is added stands here, too, or a test fails."""

STRANGERS: dict[str, tuple[bool, dict[str, str]]] = {
    "nobody": (False, {}),
    "an empty cookie of old": (False, {"Cookie": "kifu_token="}),
    "a wrong token": (True, {"Authorization": "Bearer kifu_owner_wrong"}),
    "an empty token": (True, {"Authorization": "Bearer "}),
    "no token": (True, {"Authorization": "Bearer"}),
    "another scheme": (True, {"Authorization": "Basic b3duZXI6b3duZXI="}),
    "an unknown session": (True, {"Cookie": "kifu_session=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}),
    "an empty session": (True, {"Cookie": "kifu_session="}),
}
"""Who is not the owner: whether they claim to be, and how."""


def routes(app: Flask) -> set[str]:
    found = set()
    for rule in app.url_map.iter_rules():
        path = re.sub(r"^/static/[0-9a-f]+/", "/static/", rule.rule)
        found |= {f"{method} {path}" for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}}
    return found


class Asked:
    """A request to a route that fits, so that the owner's is carried out."""

    def __init__(self, api: Api, route: str) -> None:
        self.method, self.path = route.split(" ")
        game, other, player = api.play(), api.play(), str(uuid7())
        api.request("PUT", f"/v1/players/{player}", json={"name": "Anna"})
        api.request("PUT", "/v1/components/scoresheet/mine", json={"data": READY["hearts"]})
        static = next(rule.rule for rule in api.app.url_map.iter_rules() if rule.rule.startswith("/static/"))
        named = {
            "/static/<path:filename>": static.replace("<path:filename>", "icon.svg"),
            "<uuid:game>": game,
            "<game>": game,
            "<player>": player,
            "<ruleset>/<name>": "scoresheet/mine",
            "<ruleset>": "scoresheet",
            "problems/<name>": "problems/conflict",
            "<name>": "kahuna",
            "<version>": "1",
            "<level>": "0",
            "<path:tile>": "000.p/1",
        }
        for name, value in named.items():
            self.path = self.path.replace(name, value)
        self.path += {"comparison": f"?with={other}", "consistency": "?from=1"}.get(route.rpartition("/")[2], "")
        api.settle()
        body = {
            "POST /v1/games": {"id": str(uuid7()), "ruleset": "kahuna"},
            "POST /v1/games/<game>/events": {"events": [{"id": str(uuid7()), "data": {"move": "-"}}]},
            "POST /v1/games/<game>/forks": {"id": str(uuid7())},
            "POST /v1/games/<game>/erasures": {"entry": 1, "what": "text"},
            "PUT /v1/players/<player>": {"name": "Ben"},
            "PUT /v1/components/<ruleset>/<name>": {"data": READY["hearts"]},
        }.get(route)
        api.settle()
        self.more: dict[str, Any] = {} if body is None else {"json": body}
        if route == "POST /login":
            self.more = {"data": {"token": api.token}}
        if route == "POST /v1/imports":
            self.more = {"data": api.get(f"/v1/games/{game}/export").data, "content_type": "application/x-ndjson"}

    def by(self, api: Api, headers: dict[str, str], method: str | None = None) -> TestResponse:
        client = api.app.test_client(use_cookies=False)
        answer = client.open(self.path, method=method or self.method, headers=headers, **self.more)
        answer.get_data()
        answer.close()
        return answer


def test_every_route_is_listed_here_with_whom_it_opens_to(app: Flask) -> None:
    assert routes(app) == set(DOORS)


@pytest.mark.parametrize("route", DOORS)
def test_every_route_opens_to_those_that_it_is_for(api: Api, route: str) -> None:
    asked, door = Asked(api, route), DOORS[route]
    methods = ["GET", "HEAD"] if asked.method == "GET" else [asked.method]
    for who, (claims, headers) in STRANGERS.items():
        for method in methods:
            answer = asked.by(api, headers, method)
            if door == OWNER or (door == SEEN and claims):
                kind = "token-unknown" if claims else "token-needed"
                assert (answer.status_code, answer.mimetype) == (401, "application/problem+json"), (
                    who,
                    answer.text,
                )
                assert answer.headers["WWW-Authenticate"].startswith('Bearer realm="kifu"'), who
                assert method == "HEAD" or answer.get_json()["type"] == f"/problems/{kind}", who
            else:
                assert answer.status_code in {200, 303}, (who, answer.text)
    for method in reversed(methods):
        answer = asked.by(api, {"Authorization": f"Bearer {api.token}"}, method)
        assert answer.status_code in {200, 201, 204, 303}, answer.text


@pytest.mark.parametrize("route", [route for route, door in DOORS.items() if door == OWNER])
def test_a_session_opens_what_the_token_opens_but_not_to_foreign_pages(api: Api, route: str) -> None:
    asked = Asked(api, route)
    session = api.client.post("/login", data={"token": api.token}).headers["Set-Cookie"].partition(";")[0]
    foreign = asked.by(api, {"Cookie": session, "Origin": "https://elsewhere.example"})
    assert foreign.status_code == (200 if asked.method == "GET" else 403), foreign.text
    assert asked.by(api, {"Cookie": session, "Origin": "http://localhost"}).status_code in {200, 201, 204}


def test_a_setting_opens_the_metrics_to_everybody(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, metrics="open"))
    try:
        answer = app.test_client().get("/metrics", headers={"Authorization": "Bearer kifu_owner_wrong"})
        assert (answer.status_code, "kifu_log_position 0.0" in answer.text) == (200, True)
    finally:
        app.extensions["kifu"].close()
    with pytest.raises(BadSettingError, match="KIFU_METRICS='all'"):
        from_environment({"KIFU_METRICS": "all"})


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
