"""Games in the pages of other sites: the frame, its policy, and oEmbed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from defusedxml.ElementTree import fromstring
from uuid_utils import uuid7
from werkzeug.test import Client

from tests.service.asked import RequestBuilder, routes

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")


def stranger(api: Api, address: str, **query: str) -> TestResponse:
    return Client(api.app, use_cookies=False).get(address, query_string=query or None)


def shown(api: Api, level: str = "public") -> str:
    game = api.open(title="By the <lake>", seats=[{"name": "Anna & Co"}, {"name": "Ben"}])
    api.show(game, level)
    return game


def test_a_public_game_is_a_page_that_any_site_may_frame(api: Api) -> None:
    game = shown(api)
    answer = stranger(api, f"/embed/games/{game}")
    assert answer.status_code == 200
    assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in answer.headers
    page = answer.get_data(as_text=True)
    assert "By the &lt;lake&gt;" in page
    assert "Anna &amp; Co" in page
    assert f'href="/games/{game}"' in page
    assert re.search(
        r'<figure class="tall" role="img" aria-label="Kahuna: Anna &amp; Co 0, Ben 0"><svg [^>]*viewBox', page
    )


def test_the_board_of_a_frame_has_the_names_of_the_players(api: Api) -> None:
    game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=[{"name": "<Anna>"}, {"name": "Ben"}])
    api.show(game, "public")
    board = stranger(api, f"/embed/games/{game}").text.partition("<figure")[2]
    assert re.findall(r'<g data-seat="\d" data-room="\d+"><text[^>]*>([^<]+)</text>', board) == ["&lt;Anna&gt;", "Ben"]


@pytest.mark.parametrize("path", ["/", "/games/{game}", "/games/{game}/scoreboard", "/rulesets", "/login"])
def test_no_other_page_may_be_framed(api: Api, path: str) -> None:
    policy = stranger(api, path.format(game=shown(api))).headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy


@pytest.mark.slow
def test_no_answer_of_any_other_address_may_be_framed(api: Api) -> None:
    requests, framed = RequestBuilder(api), set()
    for route in sorted(routes(api.app)):
        method, path = route.split(" ")
        if method != "GET" or path.endswith("/stream"):
            continue
        for answer in (api.get(requests.path(route)), stranger(api, requests.path(route))):
            if "frame-ancestors 'none'" not in answer.headers["Content-Security-Policy"]:
                framed.add(path)
            answer.close()
    assert framed <= {"/embed/games/<uuid:game>"}


def test_a_frame_shows_nothing_more_once_its_game_is_private(api: Api) -> None:
    game = shown(api)
    before = stranger(api, f"/embed/games/{game}")
    api.show(game, "private")
    for headers in ({}, {"If-None-Match": before.headers.get("ETag", "")}):
        after = Client(api.app, use_cookies=False).get(f"/embed/games/{game}", headers=headers)
        assert after.status_code in {401, 404}
        assert "lake" not in after.text
    assert "public" not in before.headers["Cache-Control"], "no proxy keeps it"
    card = stranger(api, f"/games/{game}/card.png")
    assert card.status_code in {401, 404}


def test_a_private_game_and_one_that_is_not_here_are_shown_to_no_site(api: Api) -> None:
    for game in (shown(api, "private"), str(uuid7())):
        answer = stranger(api, f"/embed/games/{game}")
        assert answer.status_code in {401, 404}
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        told = stranger(api, "/oembed", url=f"https://example.org/games/{game}")
        assert told.status_code == 404, told.text
        assert "lake" not in told.text


@pytest.mark.programs
def test_a_site_learns_by_oembed_how_to_show_a_game(api: Api) -> None:
    game = shown(api)
    page = stranger(api, f"/games/{game}").get_data(as_text=True)
    link = re.search(r'<link rel="alternate" type="application/json\+oembed" href="([^"]+)"', page)
    assert link
    told = stranger(api, link[1].replace("&amp;", "&")).get_json()
    assert (told["version"], told["type"], told["title"]) == ("1.0", "rich", "By the <lake>")
    assert f'/embed/games/{game}"' in told["html"]
    assert "<lake>" not in told["html"]
    assert stranger(api, f"/games/{game}/card.png").mimetype == "image/png"
    assert told["thumbnail_url"].endswith(f"/games/{game}/card.png")


def test_the_frame_is_no_larger_than_the_site_has_room_for(api: Api) -> None:
    game = shown(api)
    told = stranger(api, "/oembed", url=f"/games/{game}", maxwidth="300", maxheight="200").get_json()
    assert (told["width"], told["height"]) == (300, 200)
    assert 'width="300" height="200"' in told["html"]
    assert "thumbnail_url" not in told, "its picture is larger than that"
    told = stranger(api, "/oembed", url=f"/games/{game}", maxwidth="1200", maxheight="630").get_json()
    assert (told["thumbnail_width"], told["thumbnail_height"]) == (1200, 630)


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({}, 400),
        ({"url": ""}, 404),
        ({"url": "https://example.org/"}, 404),
        ({"url": "http://[broken"}, 404),
        ({"url": "/games/x", "format": "yaml"}, 400),
        ({"url": "/games/x", "maxwidth": "wide"}, 400),
        ({"url": "/games/x", "maxwidth": "-1"}, 400),
        ({"url": "/games/x", "maxheight": "9" * 400}, 400),
    ],
)
@pytest.mark.parametrize("accept", ["*/*", "text/html"])
def test_what_cannot_be_shown_is_refused_with_a_reason(
    api: Api, query: dict[str, str], status: int, accept: str
) -> None:
    client = Client(api.app, use_cookies=False)
    answer = client.get("/oembed", query_string=query, headers={"Accept": accept})
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json"), answer.text
    if status == 400:
        assert [error["field"] for error in answer.get_json()["errors"]] == [list(query or ["url"])[-1]]


def test_a_site_can_ask_for_xml_and_learns_the_same(api: Api) -> None:
    game = shown(api)
    answer = stranger(api, "/oembed", url=f"/games/{game}", format="xml")
    assert answer.content_type == "text/xml; charset=utf-8"
    root = fromstring(answer.data, forbid_dtd=True)
    told = stranger(api, "/oembed", url=f"/games/{game}", format="json").get_json()
    assert root.tag == "oembed"
    assert {each.tag: each.text for each in root} == {name: str(value) for name, value in told.items()}


@pytest.mark.parametrize("odd", ["\ufffe", "\uffff", "\U0001fffe", "\u2028", "]]>"])
def test_a_title_that_xml_cannot_hold_breaks_neither_the_answer_nor_a_picture(api: Api, odd: str) -> None:
    column = {"id": "points", "ja": f"点{odd}"}
    template = {"name": f"T{odd}", "columns": [column]}
    game = api.open(ruleset="scoresheet", components=template, title=f"a{odd}b", seats=[{}, {}])
    api.show(game, "public")
    for path in (f"/oembed?url=/games/{game}&format=xml", f"/v1/games/{game}/board.svg"):
        fromstring(stranger(api, path).data)
    assert stranger(api, f"/games/{game}/card.png").data.startswith(b"\x89PNG")


def test_the_frame_shows_what_everybody_may_see_to_the_owner_too(api: Api) -> None:
    """A logged-in visitor's hand must not appear in the page of another site."""
    game = shown(api)
    page = api.get(f"/embed/games/{game}").get_data(as_text=True)
    assert page == stranger(api, f"/embed/games/{game}").get_data(as_text=True)
