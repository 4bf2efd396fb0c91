"""What can be played is found by any name, and never nothing."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rulesets import RULESETS, SHIPPED
from games.scoresheet import SCORESHEET
from games.scoresheet.ready import READY
from games.scoresheet.search import nearness, rank
from service.api.routes.playable import WELL_KNOWN

if TYPE_CHECKING:
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")


def found(api: Api, words: str = "", **headers: str) -> list[dict[str, Any]]:
    answer = api.get("/v1/playable", query_string={"q": words}, headers=headers)
    assert answer.status_code == 200
    listed: list[dict[str, Any]] = answer.get_json()["playable"]
    return listed


@pytest.mark.slow
def test_all_sheets_and_rulesets_are_found_by_their_names(api: Api) -> None:
    assert len(found(api)) == len(READY) + len(RULESETS) - 1
    for name, data in READY.items():
        for called in [data["name"], *data.get("aliases", []), *([data["ja"]] if "ja" in data else [])]:
            assert name in [one["template"] for one in found(api, called)], called
    for name, ruleset in RULESETS.items():
        for called in (ruleset.title.en, ruleset.title.ja):
            assert name in [one["ruleset"] for one in found(api, called)], called


@pytest.mark.parametrize(
    ("words", "template"),
    [("uno", "uno"), ("ウノ", "uno"), ("yatzy", "yatzy"), ("kniffel", "yahtzee"), ("カルカソンヌ", "carcassonne")],
)
def test_the_best_one_comes_first(api: Api, words: str, template: str) -> None:
    assert found(api, words)[0]["template"] == template


SLIPS = {
    "carcasonne": "carcassonne",
    "uno flip": "uno",
    "rumikub": "rummikub",
    "majong": "mahjong_chinese",
    "settlrs": "catan",
    "wignspan": "wingspan",
    "uon": "uno",
    "kwixx": "qwixx",
    "ボーリング": "bowling",
    "doppelkopp": "doppelkopf",
    "xadres": "chess",
    "sachach": "chess",
}


@pytest.mark.parametrize(("words", "template"), SLIPS.items())
def test_a_slip_finds_what_is_near_and_plain_points_last(api: Api, words: str, template: str) -> None:
    *near, plain = found(api, words)
    assert near[0]["template"] == template
    assert near[0]["fits"] == "near"
    assert (plain["template"], plain["fits"]) == ("plain", "any")


def test_what_nothing_is_like_is_scored_in_plain_points(api: Api) -> None:
    assert found(api, "Mensch ärgere dich nicht")[-1]["template"] == "plain"
    assert [one["template"] for one in found(api, "☃☃☃ qzxj")] == ["plain"]


@pytest.mark.parametrize("words", ["briscola", "scopa", "arschloch", "truco", "Go Fish", "七並べ", "mau mau"])
def test_a_game_without_a_sheet_is_no_slip_of_another_one(api: Api, words: str) -> None:
    """Agricola stood for briscola, a game for all together for scopa, and chess for Arschloch."""
    assert [one["template"] for one in found(api, words)] == ["plain"]


def test_what_was_played_last_comes_first_for_those_who_may_see_it(api: Api) -> None:
    api.open(ruleset="scoresheet", options={"template": "uno"}, seats=[{"name": "Lisa"}])
    api.catch_up()
    assert found(api)[0]["template"] == "uno"
    assert found(api)[0]["played_at"]
    api.token = ""
    assert not any(one["played_at"] for one in found(api))


def test_a_sheet_that_was_kept_here_is_found_by_its_name(api: Api) -> None:
    body = {"data": {"name": "Quartz and stones", "columns": [{"id": "stones"}]}}
    assert api.request("PUT", "/v1/components/scoresheet/Quartz", json=body).status_code in {200, 201}
    assert found(api, "quartz")[0]["components"] == "Quartz"


@pytest.mark.parametrize("query", ["limit=0", "limit=501", "limit=x", "q=" + "a" * 10_000])
def test_a_bad_question_is_said(api: Api, query: str) -> None:
    answer = api.get(f"/v1/playable?{query}")
    assert answer.status_code == 400
    assert answer.get_json()["errors"][0]["field"] in {"limit", "q"}


@given(st.text(max_size=40), st.lists(st.text(max_size=20), max_size=5))
def test_nearness_is_a_share(query: str, names: list[str]) -> None:
    assert 0 <= nearness(query, names) <= 1
    for name in names:
        if rank(name, [name]) == 0 and any(sign.isalnum() for sign in name):
            assert nearness(name, [name]) == 1


@pytest.mark.service("test")
def test_a_fresh_service_offers_what_many_families_know_and_no_sample(api: Api) -> None:
    assert [one["template"] or one["ruleset"] for one in found(api)[: len(WELL_KNOWN)]] == list(WELL_KNOWN)
    offered = api.get("/").text.partition('id="seats"')[0]
    assert "sample" not in offered.lower()
    assert set(SHIPPED) <= {SCORESHEET.name, *re.findall(r'"ruleset": ?"(\w+)', unescape(offered))}
