"""Pictures to keep: any moment of any game as PNG, with the players' names."""

from __future__ import annotations

import json
import struct
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from uuid_utils import uuid7
from werkzeug.test import Client

from games import svg
from games.rulesets import SHIPPED
from service.drawing import painter, pictures
from tests import goldens, warm

if TYPE_CHECKING:
    from tests.service.conftest import Api

pytestmark = pytest.mark.programs

CUT = json.loads((Path(__file__).parents[1] / "pages" / "scripts" / "cut-names.json").read_text(encoding="utf-8"))
"""Names with the room for them and what is shown there. Pages cut them in the same way (`names.test.mjs`)."""


def size(picture: bytes) -> tuple[int, int]:
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def picture(text: str, *, bold: bool = False) -> str:
    return svg.document("", "", 100, "#ffffff", [svg.text(10, 80, text, 60, "#000000", bold=bold)])


@cache
def written(text: str, *, bold: bool = False) -> bytes:
    """A text as the process that draws has it, without this process: so many of them take long to start."""
    return painter.draw(picture(text, bold=bold), 100)


def test_the_process_that_draws_has_kanji_and_boxes_for_letters_of_no_font() -> None:
    assert pictures.png(picture("髙\U000f0041"), 100) == written("髙□")


@pytest.mark.parametrize("bold", [False, True])
def test_names_are_drawn_in_letters_and_kanji_not_as_boxes(bold: bool) -> None:
    letters = "Aéßñłωж髙﨑濵邉橋さラー々✓−…"
    drawn = {letter: written(letter, bold=bold) for letter in letters}
    assert len(set(drawn.values())) == len(letters), "no two look the same, as boxes would"
    assert written("\ue000", bold=bold) not in drawn.values()
    assert written(" ") not in drawn.values()


@pytest.mark.parametrize("name", SHIPPED)
def test_everything_that_a_board_writes_is_in_the_font(api: Api, name: str) -> None:
    for path in goldens.sample_of(name, 40):
        sent = path.read_bytes()
        game = api.post("/v1/imports", data=sent, headers={"Content-Type": "text/plain"}).get_json()["game"]
        board = ET.fromstring(api.get(f"/v1/games/{game}/board.svg").text)  # noqa: S314  our own text
        letters = {letter for text in board.itertext() for letter in text if not letter.isascii()}
        assert [letter for letter in letters if written(letter) == written("\ue000")] == [], path.stem
        assert size(api.get(f"/v1/games/{game}/board.png?width=200").data)[0] == 200, path.stem


def test_a_board_is_as_wide_as_asked(api: Api) -> None:
    game = api.play("a-h", "-", "b-d")
    answer = api.get(f"/v1/games/{game}/board.png?width=320")
    assert (answer.status_code, answer.mimetype, size(answer.data)[0]) == (200, "image/png", 320)
    assert size(api.get(f"/v1/games/{game}/board.png").data)[0] == pictures.WIDTH
    for width in ("63", "2001", "-1", "wide", "1e3"):
        refused = api.get(f"/v1/games/{game}/board.png?width={width}")
        assert (refused.status_code, refused.get_json()["errors"][0]["field"]) == (400, "width"), width


def test_a_picture_is_of_the_moment_and_the_seat_that_are_asked_for(api: Api) -> None:
    game = api.play("+?lale", "-", "+")
    now, then = (api.get(f"/v1/games/{game}/board.png?width=300{at}").data for at in ("", "&at=3"))
    assert now != then
    assert api.get(f"/v1/games/{game}/board.png?width=300&after=3").data == then
    withdrawn = {"id": str(uuid7()), "type": "entry.withdrawn", "data": {"entry": 3, "withdraw": "all"}}
    assert api.post(f"/v1/games/{game}/events", {"events": [withdrawn]}).status_code == 201
    assert api.get(f"/v1/games/{game}/board.png?width=300&after=3").data != then
    assert api.get(f"/v1/games/{game}/board.png?width=300&after=3&at=5").data == then
    assert api.get(f"/v1/games/{game}/board.png?width=300&after=6&at=5").status_code == 404
    seen = {api.get(f"/v1/games/{game}/board.png?at=3&seat={seat}").data for seat in ("public", "0")}
    assert len(seen) == 2, "only black knows his own cards"


def test_a_picture_needs_the_rights_of_the_board(api: Api) -> None:
    game, path = api.play("a-h"), "/v1/games/{}/board.png?seat={}"
    stranger = Client(api.app)
    assert stranger.get(path.format(game, "public")).status_code == 404
    api.show(game)
    assert stranger.get(path.format(game, "public")).status_code == 200
    assert stranger.get(path.format(game, "record")).status_code == 401


def test_a_picture_that_did_not_change_is_not_sent_again(api: Api) -> None:
    path = f"/v1/games/{api.play('a-h')}/board.png?width=200"
    answer = api.get(path)
    again = api.get(path, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert answer.headers["Cache-Control"] == "private, no-cache"


def test_the_players_are_named_in_a_picture_until_they_are_erased(api: Api) -> None:
    named, guests = (api.open(seats=seats) for seats in ([{"name": "髙橋 さくら"}, {"name": "Ben"}], [{}, {}]))
    path = "/v1/games/{}/board.png?width=400"
    pictured, plain = (api.get(path.format(game)).data for game in (named, guests))
    assert pictured != plain
    for seat in api.get(f"/v1/games/{named}").get_json()["seats"]:
        assert api.request("DELETE", f"/v1/players/{seat['player']}").status_code in {200, 204}
    assert api.get(path.format(named)).data == plain


def test_a_name_is_written_as_far_as_there_is_room(api: Api) -> None:
    game = api.open(seats=[{"name": "寿限無" * 15}, {"name": "<b>&\"Ben'"}])
    assert api.get(f"/v1/games/{game}/board.png").status_code == 200
    assert pictures.shorten_to("寿限無寿限無", 4) == "寿限無…"
    assert pictures.shorten_to("Ben", 4) == "Ben"
    assert pictures.shorten_to("Maximiliane", 4) == "Maxi…"
    assert pictures.shorten_to("W" * 40, 4) == "WWW…", "as wide as kanji"
    assert pictures.shorten_to("Ze\u0301la\u0301n", 4) == "Ze\u0301la\u0301n", "marks need no room"
    assert pictures.shorten_to("🎲 محمد عبد الرحمن", 4) == f"🎲 مح…{pictures.RIGHT_TO_LEFT}"


@pytest.mark.parametrize(("name", "room", "told"), CUT["cut"])
def test_names_that_begin_alike_are_cut_before_their_end(name: str, room: int, told: str) -> None:
    assert svg.shorten(name, CUT["names"], lambda cut: len(cut) <= room) == told


def test_a_score_sheet_of_many_players_and_rounds_is_a_picture_of_bounded_size(api: Api) -> None:
    seats = [{"name": f"選手{number}"} for number in range(8)]
    game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=seats)
    assert api.record(game, *(f"r{number} 12 7 9 3 4 5 6 7" for number in range(1, 41))).status_code == 201
    width, height = size(api.get(f"/v1/games/{game}/board.png?width=2000").data)
    assert width < 2000
    assert width * height <= pictures.AREA


def test_the_highest_picture_is_drawn_less_wide() -> None:
    high = svg.document("", "", 20_000, "#ffffff", [])
    width, height = size(pictures.png(high, 2000))
    assert width * height <= pictures.AREA
    assert abs(height / width - 20) < 0.1


def test_a_long_wait_for_a_picture_ends_with_come_again(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"/v1/games/{api.play('a-h')}/board.png?width=123"
    monkeypatch.setattr(pictures, "DRAWING_TIMEOUT", 0)
    answer = api.get(path)
    assert (answer.status_code, answer.get_json()["type"]) == (503, "/problems/overloaded")
    assert "Retry-After" in answer.headers
    monkeypatch.undo()
    assert api.get(path).status_code == 200


def test_a_process_of_its_own_draws_so_that_others_go_on() -> None:
    """The library lets no other thread run while it draws."""
    loaded = "import sys, service.app; print('resvg_py' in sys.modules)"
    output = warm.run([sys.executable, "-c", loaded], text=True)
    assert output.stdout == "False\n"
