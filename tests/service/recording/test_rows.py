"""The rows of the list of games: small boards, what each game is, and the next game for the same people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests import goldens
from tests.service.entries import entry, recorded_entry, send

if TYPE_CHECKING:
    from tests.service.conftest import Api


def row(api: Api, game: str) -> str:
    """The row of a game, as a page has it."""
    api.catch_up()
    (found,) = re.findall(
        rf'<li class="card [^"]*" data-game="{game}".*?</li>\s*(?=<li class="card|</ol>)', listed(api), re.DOTALL
    )
    return str(found)


def listed(api: Api) -> str:
    return str(api.get("/").text)


def test_the_row_of_a_board_game_shows_its_board_as_everybody_may_see_it(api: Api) -> None:
    game = api.play("b-d")
    (picture,) = re.findall(r'<img class="view" src="([^"]+)"[^>]* loading="lazy"', row(api, game))
    address = picture.replace("&amp;", "&")
    assert address == f"/v1/games/{game}/board.svg?seat=public&at=3"
    assert api.get(address).text == api.get(f"/v1/games/{game}/board.svg?seat=public").text


def test_the_row_of_a_score_sheet_has_its_standing_and_no_board(api: Api) -> None:
    game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=[{}, {}])
    api.record(game, "r1 3 9")
    said = row(api, game)
    assert "<img" not in said
    assert re.findall(r'class="points">(\d+)<', said) == ["3", "9"]


def test_each_status_has_its_word_and_a_form_of_its_own(api: Api) -> None:
    running = api.play("b-d")
    over = str(
        api.request("POST", "/v1/imports", data=golden("kahuna/points"), content_type="text/plain").get_json()["game"]
    )
    broken = str(
        api.request("POST", "/v1/imports", data=golden("kahuna/irregular"), content_type="text/plain").get_json()[
            "game"
        ]
    )
    assert re.findall(r'<span class="badge ([a-z]+)">([^<]+)<', row(api, running)) == [("playing", "being played")]
    assert re.findall(r'<span class="badge ([a-z]+)">([^<]+)<', row(api, over)) == [("over", "finished")]
    assert [form for form, _ in re.findall(r'<span class="badge ([a-z]+)">([^<]+)<', row(api, broken))] == [
        "over",
        "irregular",
    ]


def golden(name: str) -> bytes:
    return (goldens.FOLDER / f"{name}.txt").read_bytes()


def test_another_game_is_offered_after_one_that_nobody_won(api: Api) -> None:
    seats = [{"name": "Ada"}, {"name": "Bob"}]
    game = api.open(ruleset="scoresheet", options={"template": "uno"}, seats=seats)
    api.catch_up()
    assert "Play again" not in listed(api)
    recorded_entry(send(api, game, entry("game.closed", how="abandoned", reason="dinner")))
    api.catch_up()
    assert f"/games/{game}/again" in listed(api)
