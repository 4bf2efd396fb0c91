"""Templates of score sheets are found by name, and a game is opened with what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from uuid_utils import uuid7

from games.scoresheet.reading import read_template
from games.scoresheet.ready import READY
from tests.cases import cases

if TYPE_CHECKING:
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

OWN = {"name": "Our Wizard", "ja": "うちの魔法使い", "aliases": ["Hexen"], "columns": [{"id": "points"}]}


def found(api: Api, query: str) -> list[str]:
    answer = api.get(f"/v1/templates?q={quote(query)}")
    assert answer.status_code == 200, answer.text
    return [one["name"] for one in answer.get_json()["templates"]]


@cases(
    ("query", "name"),
    [
        ("7 wonders", "seven_wonders"),
        ("seven wonders", "seven_wonders"),
        ("azul", "azul"),
        ("ＡＺＵＬ", "azul"),
        ("アズール", "azul"),
        ("あずーる", "azul"),
        ("カタン", "catan"),
        ("siedler", "catan"),
        ("petanque", "petanque"),
        ("リーチ麻雀", "mahjong_riichi"),
        ("foosball", "table_football"),
        ("kniffel", "yahtzee"),
        ("ride europe", "ticket_to_ride_europe"),
        ("囲碁", "go"),
        ("どみにおん", "dominion"),
        ("wingspan", "wingspan"),
        ("ウイングスパン", "wingspan"),
        ("ウィングスパン", "wingspan"),
        ("ういんぐ", "wingspan"),
        ("うぃんぐ", "wingspan"),
        ("ｗｉｎｇ", "wingspan"),
        ("WINGSPAN", "wingspan"),
        ("はなふだ", "koi_koi"),
        ("まーじゃん", "mahjong_chinese"),
        ("ティチュ", "tichu"),
        ("テイチユー", "tichu"),
    ],
)
def test_a_template_is_found_by_what_people_call_the_game(shared: Api, query: str, name: str) -> None:
    assert found(shared, query)[0] == name


@pytest.mark.slow
def test_every_ready_template_is_found_by_all_of_its_names(api: Api) -> None:
    for name, data in READY.items():
        for called in (data["name"], data["ja"], *data.get("aliases", [])):
            assert name in found(api, called), called


def test_what_a_ready_sheet_says_of_itself_is_in_the_language_of_the_reader(api: Api) -> None:
    def said(language: str) -> dict[str, Any]:
        answer = api.get("/v1/templates?q=bridge", headers={"Accept-Language": language})
        assert "Accept-Language" in answer.vary
        found: dict[str, Any] = answer.get_json()["templates"][0]
        return found

    assert said("en")["about"] == READY["bridge"]["about"]
    assert said("ja")["about"].startswith("ディールごとに")
    assert said("ja")["checked"] == "デュプリケートブリッジの規則（2007 年）第 77 条"


def test_labels_and_teams_of_a_sheet_are_in_the_language_of_the_reader(api: Api) -> None:
    ja = {"Accept-Language": "ja"}
    chess = api.open(ruleset="scoresheet", options={"template": "chess"}, seats=[{}, {}])
    effect = api.record(chess, "result win loss", headers=ja).get_json()["entries"][0]["effects"][0]
    assert effect["text"] == "プレイヤー1がp1 結果、勝ちを記入しました"
    (table,) = api.get(f"/v1/games/{chess}/state", headers=ja).get_json()["tables"]
    assert (table["caption"], table["rows"][0]) == ("チェス（結果と時計）", ["結果", "勝ち", "負け"])
    bridge = api.open(ruleset="scoresheet", options={"template": "bridge"}, seats=[{}, {}, {}, {}])
    table, _ = api.get(f"/v1/games/{bridge}/state", headers=ja).get_json()["tables"]
    assert table["columns"] == ["行", "南北", "東西"]
    table, _ = api.get(f"/v1/games/{bridge}/state").get_json()["tables"]
    assert table["columns"] == ["Line", "North-South", "East-West"]


def test_what_fits_best_stands_first(api: Api) -> None:
    assert found(api, "golf") == ["golf", "golf_stableford"]
    assert found(api, "go")[0] == "go"


def test_what_nothing_is_called_finds_nothing(api: Api) -> None:
    assert found(api, "no such game") == []


def test_a_template_that_was_kept_is_found_first_and_opens_a_game(api: Api) -> None:
    assert api.request("PUT", "/v1/components/scoresheet/ours", json={"data": OWN}).status_code == 200
    for query in ("wizard", "うちの魔法使い", "hexen", "ours"):
        assert "ours" in found(api, query)
    assert found(api, "ours")[0] == "ours"
    first = api.get("/v1/templates?limit=1").get_json()
    assert (first["found"], first["templates"][0]["kept"]) == (len(READY) + 1, True)
    assert api.get(first["templates"][0]["path"]).get_json()["data"] == OWN
    api.request("DELETE", "/v1/components/scoresheet/ours")
    assert found(api, "hexen") == []


def test_what_was_found_is_what_a_game_is_opened_with(api: Api) -> None:
    (info,) = api.get("/v1/templates?q=catan").get_json()["templates"]
    data = api.get(info["path"]).get_json()["data"]
    assert (data, len(read_template(data).columns)) == (READY["catan"], info["columns"])
    assert (info["checked"], info["ja"]) == ("the base game, the metropolises, and the points of islands", "カタン")
    body = {"id": str(uuid7()), "ruleset": "scoresheet", "options": {"template": info["name"]}, "seats": [{}, {}]}
    assert api.post("/v1/games", body).status_code == 201


def test_a_stranger_finds_templates(api: Api) -> None:
    api.token = None
    assert found(api, "bridge") == ["bridge"]
    assert api.get("/v1/templates/bridge").status_code == 200


def test_bad_requests_are_named(api: Api) -> None:
    assert api.get("/v1/templates/chess960").get_json()["type"] == "/problems/components-unknown"
    for query in ("limit=0", "limit=501", "q=" + "x" * 5000, "no=such"):
        answer = api.get(f"/v1/templates?{query}")
        assert (answer.status_code, answer.get_json()["type"]) == (400, "/problems/bad-request"), query


@pytest.mark.parametrize(
    ("language", "said"), [("en", "it contains characters that are not allowed here"), ("ja", "使えない文字")]
)
def test_nobody_has_to_read_a_pattern(shared, language, said):
    data = READY["plain"] | {"sources": [{"title": "Rules", "url": "ftp://example.org"}]}
    answer = shared.request(
        "PUT", "/v1/components/scoresheet/mine", json={"data": data}, headers={"Accept-Language": language}
    )
    assert answer.status_code == 400, answer.text
    assert said in answer.text
    assert "regex" not in answer.text


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ({"id": "a", "per": "hour"}, "hour は game, round のどれでもありません"),
        ({"id": "a", "least": 5, "default": 1}, "1 は 5 より小さい値です"),
        ({"id": "a", "most": 5, "default": 9}, "9 は 5 より大きい値です"),
        ({"id": "a", "default": 1.5}, "得点は整数です。1.5 は数えられません"),
        ({"id": "a", "counts": False, "default": 1.2345}, "1.2345 は小数点以下が 3 桁を超えています"),
        ({"id": "a b"}, "ID は文字、数字、_ からなり、文字で始まります"),
        ({"id": "a", "labels": {"x,y": 1}}, "'x,y' には語を区切る記号が含まれています。取り除いてください"),
        ({"id": "a", "labels": {"r1": 1}}, "'r1' は別の意味に読まれてしまいます"),
    ],
)
def test_what_is_wrong_with_a_column_is_said_in_the_language_of_the_reader(shared, column, said):
    data = {"name": "Own", "columns": [column]}
    answer = shared.request(
        "PUT", "/v1/components/scoresheet/mine", json={"data": data}, headers={"Accept-Language": "ja"}
    ).get_json()
    ((error,), detail) = answer["errors"], answer["detail"]
    assert (error["message"], detail) == (said, f"{error['field']}: {said}")


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("settlements 9 2", "開拓地: 9 は 5 より大きい値です"),
        ("cities -1 2", "都市の数: -1 は 0 より小さい値です"),
        ("road 3 0", "最長交易路: 3 は yes（はい）、no（いいえ） のどれでもありません"),
    ],
)
def test_what_a_cell_does_not_take_is_said_in_the_language_of_the_reader(shared, move, said):
    game = shared.open(ruleset="scoresheet", options={"template": "catan"}, seats=[{}, {}])
    entry = {"id": str(uuid7()), "data": {"move": move}}
    answer = shared.request(
        "POST", f"/v1/games/{game}/events", json={"events": [entry]}, headers={"Accept-Language": "ja"}
    )
    assert (answer.status_code, answer.get_json()["detail"]) == (422, said)


def test_columns_are_counted_that_are_there_if_nothing_is_chosen(api):
    (found,) = api.get("/v1/templates?q=Darts 501").get_json()["templates"]
    assert found["columns"] == 2
