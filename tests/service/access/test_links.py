"""Share links: one game, from one point of view, for everybody who has the link, and nothing else."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7
from werkzeug.test import Client

from events.errors import DamagedError
from tests.service.conftest import Guest
from tests.traces import files_with

if TYPE_CHECKING:
    from pathlib import Path

    from werkzeug.test import TestResponse

    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")


def make(api: Api, game: str, **body: Any) -> tuple[str, str]:
    """A link: its text, and its id."""
    answer = api.post(f"/v1/games/{game}/links", body)
    assert answer.status_code == 201, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    made = answer.get_json()
    return made["path"].removeprefix("/s/"), made["info"]["id"]


def by_link(api: Api, text: str, path: str) -> TestResponse:
    client = Client(api.app, use_cookies=False)
    return client.get(path, headers={"Kifu-Share": text})


@pytest.fixture
def game(api: Api) -> str:
    """A private game in which black holds LALE, and only black knows."""
    return api.play("+?lale", "-")


def test_a_link_looks_like_nothing_else_and_only_its_digest_is_kept(api: Api, game: str, tmp_path: Path) -> None:
    text, _ = make(api, game)
    assert re.fullmatch("[0-9A-Za-z]{22}", text)
    assert files_with(tmp_path, text) == []
    assert text not in api.get(f"/v1/games/{game}/links").text


@pytest.mark.parametrize(
    ("seat", "name", "sees"), [("public", "public", False), ("0", "seat-0", True), ("1", "seat-1", False)]
)
@pytest.mark.programs
def test_a_link_shows_a_private_game_from_where_it_was_made_for(
    api: Api, game: str, seat: str, name: str, sees: bool
) -> None:
    text, _ = make(api, game, seat=seat)
    state = by_link(api, text, f"/v1/games/{game}/state").get_json()
    assert (state["viewpoint"], "LALE" in str(state["state"]["hands"])) == (name, sees)
    for part in (
        "",
        "/timeline",
        "/score",
        "/moves",
        "/board.svg",
        "/board.png",
        "/claims",
        "/snapshots",
        "/export?format=text",
    ):
        assert by_link(api, text, f"/v1/games/{game}{part}").status_code == 200, part
    assert by_link(api, text, f"/v1/games/{game}/state?seat=record").status_code == 401
    page = Client(api.app).get(f"/s/{text}")
    assert (page.status_code, f'data-share="{text}"' in page.text) == (200, True)


def test_a_link_to_the_record_shows_all_of_it_and_lets_nobody_write(api: Api, game: str) -> None:
    text, _ = make(api, game, seat="record")
    assert "LALE" in str(by_link(api, text, f"/v1/games/{game}/state").get_json()["state"]["hands"])
    client = Client(api.app, use_cookies=False)
    named = {"Kifu-Share": text}
    assert client.post(f"/v1/games/{game}/events", json={"events": []}, headers=named).status_code == 401
    for path in ("events", "links", "roles"):
        assert client.get(f"/v1/games/{game}/{path}", headers=named).status_code == 401, path
    page = client.get(f"/s/{text}")
    assert 'id="recorder"' not in page.text
    assert "data-acts" not in page.text


def test_a_link_opens_no_other_game(api: Api, game: str) -> None:
    text, _ = make(api, game, seat="record")
    other = api.play()
    for path in (f"/v1/games/{other}", f"/v1/games/{game}/comparison?with={other}", f"/v1/games/{uuid7()}"):
        answer = by_link(api, text, path)
        assert (answer.status_code, answer.get_json()["type"]) == (404, "/problems/game-unknown"), path
    assert by_link(api, text, "/v1/games").get_json()["games"] == []


def test_a_link_to_a_moment_shows_that_moment_alone(api: Api) -> None:
    game = api.play("a-h", "-", "b-d")
    text, _ = make(api, game, at=3)
    page = Client(api.app).get(f"/s/{text}")
    assert (page.status_code, "as it stood after entry 3" in page.text) == (200, True)
    assert "<h1><bdi>Kahuna</bdi></h1>" in page.text
    assert f'<img src="/s/{text}/board.svg" alt="The table after entry 3">' in page.text
    then = Client(api.app).get(f"/s/{text}/board.svg")
    assert then.data == api.get(f"/v1/games/{game}/board.svg?at=3&seat=public").data
    assert then.data != api.get(f"/v1/games/{game}/board.svg?seat=public").data
    for path in (f"/v1/games/{game}", f"/v1/games/{game}/state?at=3", f"/v1/games/{game}/timeline"):
        assert by_link(api, text, path).status_code == 404, path
    assert api.post(f"/v1/games/{game}/links", {"at": 99}).status_code == 404


def test_pages_of_share_links_are_not_indexed_and_send_no_referrer(api: Api, game: str) -> None:
    for text in (make(api, game)[0], make(api, game, at=2)[0], "a" * 22):
        for path in (f"/s/{text}", f"/s/{text}/board.svg"):
            answer = Client(api.app).get(path)
            assert answer.headers["X-Robots-Tag"] == "noindex"
            assert answer.headers["Cache-Control"].startswith("private" if answer.status_code == 200 else "no-store")
            if answer.mimetype == "text/html":
                assert answer.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.service("test")
def test_unknown_revoked_and_expired_links_are_the_same_nothing(
    api: Api, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    revoked, id_ = make(api, game)
    expired, _ = make(api, game, days=1)
    assert Client(api.app).get(f"/s/{revoked}").status_code == 200
    assert api.request("DELETE", f"/v1/games/{game}/links/{id_}").status_code == 204
    assert api.request("DELETE", f"/v1/games/{game}/links/{id_}").get_json()["type"] == "/problems/link-unknown"
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 2 * 86_400 * 10**9)
    found = [Client(api.app).get(f"/s/{text}") for text in (revoked, expired, "a" * 22, "short")]
    assert [answer.status_code for answer in found] == [404] * 4
    assert len({answer.data for answer in found}) == 1
    for text in (revoked, expired, "a" * 22, "short", ""):
        answer = by_link(api, text, f"/v1/games/{game}")
        assert answer.data == by_link(api, "b" * 22, f"/v1/games/{game}").data
        assert answer.get_json()["type"] == "/problems/game-unknown"


def test_links_are_listed_with_how_often_they_were_opened(api: Api, game: str) -> None:
    text, id_ = make(api, game, name="for Jonas", seat="1")
    for _ in range(3):
        Client(api.app).get(f"/s/{text}")
    (listed,) = api.get(f"/v1/games/{game}/links").get_json()["links"]
    assert (listed["id"], listed["name"], listed["seat"], listed["opened"]) == (id_, "for Jonas", "1", 3)
    api.request("DELETE", f"/v1/games/{game}/links/{id_}")
    assert api.get(f"/v1/games/{game}/links").get_json()["links"] == []
    steps = [step["what"] for step in api.get("/v1/trail").get_json()["steps"]]
    assert steps[-2:] == ["link.made", "link.ended"]


@pytest.mark.parametrize("body", [{"seat": "9"}, {"seat": "all"}, {"at": 0}, {"days": 0}, {"days": 9999}, {"x": 1}])
def test_a_link_that_cannot_be_is_refused(api: Api, game: str, body: dict[str, Any]) -> None:
    assert api.post(f"/v1/games/{game}/links", body).status_code == 400
    assert api.access.links(game) == []


def test_nobody_makes_a_link_to_what_they_may_not_see(api: Api, game: str) -> None:
    made = api.post("/v1/tokens", {"name": "x", "scopes": ["games:read", "games:share"]}).get_json()
    guest = Guest(api.app, "", made["token"])
    assert guest.post(f"/v1/games/{game}/links", {"seat": "public"}).status_code == 201
    for seat in ("record", "0"):
        assert guest.post(f"/v1/games/{game}/links", {"seat": seat}).get_json()["scope"] == "hidden:read"
    assert api.let_in(games={game: "referee"}).post(f"/v1/games/{game}/links", {}).status_code == 403


@pytest.mark.service("test")
def test_the_links_of_all_games_are_listed_with_the_titles_of_these(api: Api, game: str) -> None:
    titled = api.open(title="Sunday")
    ids = [make(api, each)[1] for each in (game, titled, titled)]
    listed = api.get("/v1/links").get_json()
    assert [(each["id"], each["game"]) for each in listed["links"]] == list(
        zip(ids, (game, titled, titled), strict=True)
    )
    assert listed["titles"] == {titled: "Sunday"}
    assert api.get(f"/v1/games/{game}/links").get_json()["titles"] == {}
    assert api.request("DELETE", f"/v1/games/{titled}/links/{ids[1]}").status_code == 204
    assert [each["id"] for each in api.get("/v1/links").get_json()["links"]] == [ids[0], ids[2]]


@pytest.mark.service("test")
def test_the_links_of_a_game_that_cannot_be_read_are_listed_too(
    api: Api, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, link = make(api, game)

    def fail(game: str) -> None:
        raise DamagedError(game, 3, "its hash does not fit")

    monkeypatch.setattr(api.app.context.archive.folds, "fold_until_error", fail)
    answer = api.get("/v1/links")
    assert (answer.status_code, [each["id"] for each in answer.get_json()["links"]]) == (200, [link])
