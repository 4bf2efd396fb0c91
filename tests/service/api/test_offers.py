"""What is offered for export: every file is there, has the size that is told, and holds what the caller may know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from service.api import recorded
from service.api.exporting import XLSX
from tests import goldens
from tests.choosing import soak_except
from tests.service.conftest import Guest

if TYPE_CHECKING:
    from games.contract import Viewpoint
    from projections.archive import Archive
    from projections.fold import Fold
    from service.exchange.tables import Recorded
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

NAMES = (
    "kahuna/points",
    "catan_cards/buildings",
    "manapani/two_players",
    "scoresheet/wizard",
    "scoresheet/uno",
    "verraeter/shared_victory",
)
ENTRIES = 80
"""The entries of such a game that are recorded: a file with a picture of each moment takes its time."""
NEAR = 1.7
"""How many times larger or smaller a file may be than was estimated."""


def offered(api: Api, query: str = "") -> dict[str, Any]:
    answer = api.get(f"/v1/exports{query}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def golden(api: Api, name: str, entries: int | None = None) -> str:
    """A recorded game, or its first entries."""
    text = goldens.cut(*name.split("/"), entries) if entries else (goldens.FOLDER / f"{name}.txt").read_text("utf-8")
    answer = api.request("POST", f"/v1/imports?id={uuid7()}", data=text.encode(), content_type="text/plain")
    assert answer.status_code == 201, answer.text
    api.catch_up()
    return str(answer.get_json()["game"])


@pytest.mark.parametrize("name", soak_except(NAMES, "scoresheet/uno", "verraeter/shared_victory"))
@pytest.mark.slow
def test_every_form_of_a_game_has_the_size_that_is_told(api: Api, name: str) -> None:
    found = offered(api, f"?game={golden(api, name, ENTRIES)}")
    assert found["games"] == 1
    forms = {each["name"]: each for each in found["exports"]}
    assert {"report.html", "game.html", "record.ndjson", "record.txt", "entries.csv", "tables.xlsx"} <= forms.keys()
    for each in forms.values():
        answer = api.get(each["href"])
        assert answer.status_code == 200, each
        assert answer.mimetype == each["media_type"]
        if each["exact"]:
            assert len(answer.data) == each["bytes"], each
        else:
            assert each["bytes"] / NEAR <= len(answer.data) <= each["bytes"] * NEAR, each


@pytest.mark.slow
@pytest.mark.service("test")
def test_sizes_of_many_games_follow_from_some_of_them(api: Api) -> None:
    for number in range(24):
        game = api.open(seats=[{"name": f"Person {number % 5}"}, {"name": f"Person {5 + number % 4}"}])
        api.record(game, "deal black BARI COCO DUDA", *(["b-d"] if number % 3 else []))
    api.catch_up()
    found = offered(api)
    assert (found["games"], found["entries"]) == (24, 24 * 2 + 16)
    for each in found["exports"]:
        length = len(api.get(each["href"]).data)
        assert not each["exact"]
        assert each["bytes"] / NEAR <= length <= each["bytes"] * NEAR, each


def test_each_game_is_read_once_for_all_sizes(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    api.open()
    api.catch_up()
    read = list[str]()
    real = recorded.recorded_game

    def noted(here: Archive, fold: Fold, viewpoint: Viewpoint) -> Recorded:
        read.append(fold.game)
        return real(here, fold, viewpoint)

    monkeypatch.setattr(recorded, "recorded_game", noted)
    offered(api)
    assert 0 < len(read) == len(set(read))
    monkeypatch.setattr("service.api.offers.MEASURED", 0)
    offered(api)
    assert len(read) > 3 * len(set(read)), "long games are not held in memory"


def test_what_is_offered_is_what_is_asked_for(api: Api) -> None:
    ours, other = api.open(title="Autumn"), api.open(title="Spring")
    api.catch_up()
    found = offered(api, "?q=autumn&status=playing")
    assert found["games"] == 1
    for each in found["exports"]:
        assert each["href"].endswith("?q=autumn&status=playing")
        assert not each["exact"] or len(api.get(each["href"]).data) == each["bytes"], each
    rows = api.get(next(each["href"] for each in found["exports"] if each["name"] == "games.csv")).text
    assert ours in rows
    assert other not in rows


@pytest.mark.slow
@pytest.mark.service("test")
def test_nobody_is_offered_or_counted_what_they_may_not_know(api: Api) -> None:
    hidden, shown = api.play("-", "+?gola", "-"), api.play("-", "+?gola", "-")
    api.show(shown)
    api.catch_up()
    stranger = Guest(api.app, "", None)
    assert offered(api)["games"] == 2
    assert offered(stranger)["games"] == 1
    assert stranger.get(f"/v1/exports?game={hidden}").status_code == 404
    assert stranger.get(f"/v1/exports/games.csv?game={hidden}").status_code == 404
    forms = offered(stranger, f"?game={shown}")["exports"]
    assert {"game.html", "record.ndjson"} <= {each["name"] for each in forms}
    assert not any("public" in each["href"] for each in forms), "what they see is public as it is"
    for each in forms:
        answer = stranger.get(each["href"])
        assert answer.status_code == 200, each
        if each["name"].endswith((".csv", ".txt", ".ndjson")):  # the others have the map, with the names of all islands
            assert b"GOLA" not in answer.data.upper()


def test_who_may_not_take_the_record_out_is_offered_what_is_public(api: Api) -> None:
    game = api.play("-", "+?gola", "-")
    api.catch_up()
    reader = api.let_in("referee", scopes=["games:read", "hidden:read"])
    forms = [each for each in offered(reader, f"?game={game}")["exports"] if "/export?" in each["href"]]
    assert [each["name"] for each in forms] == ["game-public.html", "record-public.ndjson"]
    assert [reader.get(each["href"]).status_code for each in forms] == [200, 200]
    assert reader.get(f"/v1/games/{game}/export").status_code == 403


@pytest.mark.slow
def test_a_long_game_is_estimated_from_its_beginning(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    game = golden(api, "kahuna/points")
    monkeypatch.setattr("service.api.offers.MEASURED", 40)
    for each in offered(api, f"?game={game}")["exports"]:
        if "/export?" in each["href"]:
            assert not each["exact"]
            assert each["bytes"] / NEAR <= len(api.get(each["href"]).data) <= each["bytes"] * NEAR, each


@pytest.mark.service("test")
def test_the_pages_of_a_file_are_one_file_with_each_game_once(api: Api) -> None:
    for title in ("A", "B", "C", "D", "E"):
        api.open(title=title)
    api.catch_up()
    for name in ("games.csv", "seats.csv", "records.ndjson", "records.txt", "tables.ndjson"):
        whole = api.get(f"/v1/exports/{name}?limit=500")
        assert "Link" not in whole.headers
        pieces, address = [], f"/v1/exports/{name}?limit=2"
        while address:
            answer = api.get(address)
            assert answer.status_code == 200, answer.text
            pieces.append(answer.data)
            address = answer.headers.get("Link", "").partition(">")[0].removeprefix("<")
        assert len(pieces) == 3
        if name == "records.ndjson":  # a header has the time of the export
            assert [line for line in b"".join(pieces).splitlines() if b"exported_at" not in line] == [
                line for line in whole.data.splitlines() if b"exported_at" not in line
            ]
        else:
            assert b"".join(pieces) == whole.data


def test_a_game_that_goes_on_between_two_pages_is_there_once(api: Api) -> None:
    games = [api.open(title=title) for title in ("A", "B", "C")]
    api.catch_up()
    first = api.get("/v1/exports/games.csv?limit=1")
    api.record(games[0], "deal black BARI COCO DUDA")
    api.catch_up()
    address = first.headers["Link"].partition(">")[0].removeprefix("<").replace("limit=1", "limit=500")
    text = first.text + api.get(address).text
    assert [text.count(game) for game in games] == [1, 1, 1]


@pytest.mark.parametrize("name", ["people.csv", "tables.xlsx", "bgstats.json", "bgg.xml", "report.html"])
@pytest.mark.parametrize("field", ["limit=2", "after=0192f0c4-7e1a-7c3e-8b1a-2f6f0a1b2c3d"])
def test_a_file_that_is_written_as_a_whole_has_no_pages(api: Api, name: str, field: str) -> None:
    answer = api.get(f"/v1/exports/{name}?{field}")
    assert answer.status_code == 400
    assert answer.get_json()["errors"][0]["field"] == field.partition("=")[0]


@pytest.mark.parametrize(
    ("path", "accept", "media"),
    [
        ("tables", "*/*", XLSX),
        ("tables", "application/x-ndjson", "application/x-ndjson"),
        ("tables?format=ndjson", "*/*", "application/x-ndjson"),
        ("records", "text/plain", "text/plain"),
        ("records?format=txt", "*/*", "text/plain"),
        ("report", "text/html", "text/html"),
        ("games?format=csv", "text/csv", "text/csv"),
        ("bgstats", "*/*", "application/json"),
        ("bgg", "*/*", "application/xml"),
    ],
)
def test_a_name_without_an_ending_is_completed_by_what_is_asked_for(
    api: Api, path: str, accept: str, media: str
) -> None:
    answer = api.get(f"/v1/exports/{path}", headers={"Accept": accept})
    assert (answer.status_code, answer.mimetype) == (200, media)


@pytest.mark.parametrize(
    ("path", "accept", "status", "detail"),
    [
        ("exports/games?format=xlsx", "*/*", 404, "there is no export games as xlsx, only games.csv"),
        ("exports/tables.xlsx?format=csv", "*/*", 404, "there is no export tables.xlsx as csv, only tables.xlsx"),
        ("exports/evening.csv", "image/png", 404, "there is no export evening.csv"),
        ("exports/games?format=pdf", "*/*", 400, "some fields are invalid"),
        ("exports/games", "text/html", 406, "this is available only as text/csv"),
        ("exports/games.csv", "application/json", 406, "this is available only as text/csv"),
        ("exports/bgstats.json", "application/octet-stream", 406, "this is available only as application/json"),
        ("exports/tables?format=xlsx", "application/x-ndjson", 406, f"this is available only as {XLSX}"),
        ("games/GAME/export?format=text", "text/html", 406, "this is available only as text/plain"),
        ("games/GAME/export?format=report", "image/png", 406, "this is available only as text/html"),
        (
            "games/GAME/export",
            "application/json",
            406,
            "this is available only as application/x-ndjson or text/plain or text/html",
        ),
    ],
)
def test_a_form_that_a_file_has_not_is_refused_and_the_others_are_named(
    api: Api, path: str, accept: str, status: int, detail: str
) -> None:
    answer = api.get(f"/v1/{path.replace('GAME', api.open())}", headers={"Accept": accept})
    assert (answer.status_code, answer.get_json()["detail"]) == (status, detail)


@pytest.mark.slow
@pytest.mark.service("test")
def test_the_page_offers_the_files_of_a_game_of_a_search_and_of_all(api: Api) -> None:
    game = golden(api, "scoresheet/uno")
    api.open(title="Kahuna here")
    api.catch_up()
    for query, words in (("", "2 games"), ("?ruleset=kahuna", "1 game,"), (f"?game={game}", "UNO")):
        page = api.get(f"/export{query}").text
        assert words in page
        for each in offered(api, query)["exports"]:
            assert each["href"].replace("&", "&amp;") in page
            assert each["purpose"] in page
    assert "書き出し" in api.get("/export?lang=ja").text or "エクスポート" in api.get("/export?lang=ja").text
    assert api.get(f"/export?game={uuid7()}").status_code == 404
