"""A year in review as a page and as a picture: of a person, a club, or everybody."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from defusedxml.ElementTree import fromstring
from uuid_utils import uuid7

from tests.service.conftest import Guest
from tests.service.drawing.test_pictures import size
from tests.service.people.test_statistics import ADA, BOB, check_links, club, play

if TYPE_CHECKING:
    from tests.service.conftest import Api

__all__ = ["club"]


def words(api: Api, query: str = "", **more: object) -> str:
    """What the picture says."""
    answer = api.get(f"/year.svg{query}", **more)
    assert answer.status_code == 200, answer.text
    assert answer.headers["Cache-Control"] == "private, no-cache"
    return " | ".join("".join(part.itertext()) for part in fromstring(answer.text) if part.tag.endswith("text"))


def test_the_page_has_each_number_with_its_games(club: Api) -> None:
    game = play(club, 3, 1, happened_at="2025-07-01T20:00:00+02:00")
    play(club, 1, 3, happened_at="2024-07-01T20:00:00+02:00")
    page = club.get(f"/year?player={ADA}")
    assert page.status_code == 200
    assert "Year in review 2025" in page.text, "the last year with games"
    assert game in page.text, "the longest, the closest, or the record"
    assert "year=2024" in page.text
    assert "from=2025-01-01" in page.text
    behind = club.get(f"/statistics/games?player={ADA}&about=won&from=2025-01-01&to=2025-12-31").text
    assert game in behind
    assert page.text.count("<svg") == page.text.count("As a table")
    assert "No finished game" in club.get("/year?year=1999").text
    assert "Year in review" not in club.get("/year", headers={"Accept-Language": "ja"}).text


@pytest.mark.slow
def test_each_number_of_a_year_leads_to_as_many_games(club: Api) -> None:
    for day, scores in enumerate(((3, 1), (5, 4), (1, 2), (2, 2), (6, 1), (0, 7)), 1):
        play(club, *scores, happened_at=f"2025-07-{day // 2 + 1:02}T20:00:00+02:00")
    play(club, 1, 3, happened_at="2024-07-01T20:00:00+02:00")
    own = check_links(club, f"/year?year=2025&player={ADA}")
    assert {"won", "against", "streak-won", "month:2025-07", "month:2025-08"} <= own
    assert {"won", "against", "month:2025-07"} <= check_links(club, "/year?year=2025")
    for query in (f"&player={ADA}", ""):
        page = club.get(f"/year?year=2025{query}").text
        assert re.findall(r"<td>\d+</td>", page) == [], "no number of games is without a link"


@pytest.mark.slow
def test_a_review_tells_only_of_games_that_its_reader_may_see(club: Api) -> None:
    play(club, 3, 1, happened_at="2025-07-01T20:00:00+02:00")
    stranger = Guest(club.app, "", None)
    queries = ("?year=2025", f"?year=2025&player={ADA}", "?year=2026", "")
    told = [stranger.get(f"/year{kind}{query}").data for query in queries for kind in ("", ".svg")]
    for number in range(5):
        play(club, 0, 9, shown=False, happened_at=f"2026-0{number + 1}-01T20:00:00+02:00")
        play(club, 0, 99, shown=False, happened_at=f"2025-0{number + 1}-01T20:00:00+02:00")
    assert [stranger.get(f"/year{kind}{query}").data for query in queries for kind in ("", ".svg")] == told
    assert "0 / 5" in words(club, f"?year=2026&player={ADA}")
    assert "1 / 1" in words(stranger, f"?player={ADA}")


def test_the_api_has_the_figures_of_the_page(club: Api) -> None:
    game = play(club, 3, 1, happened_at="2025-07-01T20:00:00+02:00")
    play(club, 1, 3, happened_at="2024-07-01T20:00:00+02:00")
    told = club.get("/v1/statistics/year").get_json()
    assert (told["player"], told["years"], told["figures"]["year"], told["figures"]["n"]) == (
        None,
        [2025, 2024],
        2025,
        1,
    )
    ada = club.get(f"/v1/statistics/year?player={ADA}&year=2025").get_json()
    assert ada["names"] == {ADA: "Ada", BOB: "Bob"}
    assert ada["figures"]["share"]["wins"] == 1
    assert ada["figures"]["closest"]["game"] == game
    assert club.get("/v1/statistics/year?year=1999").get_json()["figures"]["n"] == 0
    club.request("PUT", f"/v1/players/{ADA}/listing", json={"listed": False})
    assert Guest(club.app, "", None).get("/v1/statistics/year").get_json()["names"] == {BOB: "Bob"}


def test_a_changed_game_changes_the_year(club: Api) -> None:
    game = play(club, 3, 1, happened_at="2025-07-01T20:00:00+02:00")
    before = club.get("/v1/statistics/year").get_json()["figures"]["closest"]
    assert (before["game"], before["value"]) == (game, 2)
    replaced = {"id": str(uuid7()), "type": "entry.replaced", "data": {"entry": 2, "move": "r1 9 1", "reason": "x"}}
    assert club.post(f"/v1/games/{game}/events", {"events": [replaced]}).status_code == 201
    club.catch_up()
    assert club.get("/v1/statistics/year").get_json()["figures"]["closest"]["value"] == 8
    play(club, 5, 1, happened_at="2025-07-02T20:00:00+02:00")
    assert club.get("/v1/statistics/year").get_json()["figures"]["n"] == 2


def test_the_picture_counts_in_the_singular_and_the_plural(club: Api) -> None:
    play(club, 3, 1, happened_at="2025-07-01T20:00:00+02:00")
    told = words(club)
    assert "1 | game on one day" in told
    assert "1 | game, 1 new" in told
    assert "hours in 1 game" in told
    assert "hours in 1 games" not in told
    play(club, 3, 1, happened_at="2025-07-01T21:00:00+02:00")
    assert "2 | games on one day" in words(club)
    play(club, 3, 1, happened_at="2025-07-02T20:00:00+02:00")
    assert "3 | games on 2 days" in words(club)


def test_the_picture_is_in_the_readers_language(club: Api) -> None:
    play(club, 3, 1, happened_at="2025-07-01T20:00:00+02:00")
    assert "Ada | " in words(club, f"?player={ADA}")
    assert "2025年のまとめ" in words(club, "", headers={"Accept-Language": "ja"})
    club.request("PUT", f"/v1/players/{BOB}", json={"name": '<b>&"'})
    assert '<b>&"' in words(club, f"?player={ADA}"), "a name is text"


@pytest.mark.programs
def test_the_picture_can_be_had_as_png(club: Api) -> None:
    play(club, 3, 1)
    picture = club.get(f"/year.png?player={ADA}")
    assert picture.mimetype == "image/png"
    assert size(picture.data) == (1200, 630)
    assert size(club.get("/year.png?year=1").data) == (1200, 630)


def test_a_review_of_a_club_has_its_games_alone(club: Api) -> None:
    ours = play(club, 3, 1, happened_at="2025-07-01T20:00:00+02:00")
    play(club, 3, 1, happened_at="2025-07-02T20:00:00+02:00")
    own = str(uuid7())
    club.post("/v1/clubs", {"id": own, "name": "Thursday Club"})
    attached = {"id": str(uuid7()), "type": "club.game_attached", "data": {"game": ours}}
    assert club.post(f"/v1/clubs/{own}/entries", attached).status_code == 201
    assert "Thursday Club | 1 | " in words(club, f"?club={own}")
    assert f"/year?club={own}" in club.get(f"/clubs/{own}").text
    assert Guest(club.app, "", None).get(f"/year?club={own}").status_code == 404


@pytest.mark.parametrize(
    ("query", "status"),
    [("year=0", 400), ("year=x", 400), ("year=10000", 400), ("player=Ada", 400), ("club=1", 400)]
    + [(f"{name}=0199d2f3-6a00-7000-8000-0000000000ff", 404) for name in ("player", "club")],
)
def test_odd_questions_get_a_clear_answer(club: Api, query: str, status: int) -> None:
    for path in ("/year", "/year.svg", "/v1/statistics/year"):
        assert club.get(f"{path}?{query}").status_code == status
    assert club.get("/year.gif").status_code == 404
