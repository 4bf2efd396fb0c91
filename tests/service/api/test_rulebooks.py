"""Rulebooks as they are served: on their pages and by the API, in the language of the request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from games.kahuna import KAHUNA
from games.rulesets import SHIPPED
from service.api.routes import rulesets
from service.api.rulebooks import chapters
from tests.cases import cases

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.service("file")

JAPANESE = {"Accept-Language": "ja-JP,ja;q=0.9,en;q=0.5"}


@pytest.fixture
def untranslated(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Kahuna without its Japanese rulebook."""
    kept = (chapters, rulesets.ruleset_detail)
    for each in kept:
        each.cache_clear()
    with monkeypatch.context() as patch:
        patch.setitem(vars(KAHUNA), "translations", {})
        yield
    for each in kept:
        each.cache_clear()


def section(page: str, rule: str) -> str:
    return re.search(rf'<section class="rule" id="{rule}">.*?</section>', page, re.DOTALL)[0]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_rulebook_is_shown_in_japanese_with_every_rule_at_its_anchor(api, name):
    answer = api.get(f"/rulesets/{name}", headers=JAPANESE)
    assert "Accept-Language" in answer.vary
    assert re.findall(r'class="rule" id="([^"]+)"', answer.text) == [
        rule.partition(":")[2] for rule in SHIPPED[name].rulebook
    ]
    assert set(re.findall(r'<div lang="(\w+)">', answer.text)) == {"ja"}
    for rule in SHIPPED[name].rulebook_in("ja").values():
        assert rule.title in section(answer.text, rule.id.partition(":")[2])


def test_rules_that_a_japanese_text_refers_to_are_links(api):
    page = api.get("/rulesets/kahuna", headers=JAPANESE).text
    assert '<a href="#CTRL-2">CTRL-2</a>で取り除かれた橋' in section(page, "CTRL-3")
    page = api.get("/rulesets/verraeter", headers=JAPANESE).text
    assert '規則<a href="#17">17</a>による得点' in section(page, "19")


@cases("name", SHIPPED)
def test_a_japanese_rulebook_refers_to_what_the_english_one_refers_to(name):
    """No link is lost because no blank stands beside it; numbers in a row are none in either."""
    links = [
        [set(re.findall(r'href="#([A-Z][^"]*)"', chapter.html)) for chapter in chapters(SHIPPED[name], language)]
        for language in ("en", "ja")
    ]
    assert links[0] == links[1]


def test_an_english_rulebook_has_english_titles_alone(api):
    page = api.get("/rulesets/kahuna", headers={"Accept-Language": "en"}).text
    rule = section(page, "DRAW-2")
    assert "Five cards in hand</h3>" in rule
    assert "手札の上限は5枚" not in page
    assert '<div lang="en"><p>With five cards in hand nothing can be drawn.</p>' in rule


@pytest.mark.usefixtures("untranslated")
def test_a_rulebook_without_a_translation_is_english_and_says_so(api):
    page = api.get("/rulesets/kahuna", headers=JAPANESE).text
    assert '<div lang="en"><p>With five cards in hand nothing can be drawn.</p>' in section(page, "DRAW-2")
    assert "手札の上限は5枚" in section(page, "DRAW-2")
    assert {rule["lang"] for rule in api.get("/v1/rulesets/kahuna", headers=JAPANESE).json["rules"]} == {"en"}


def test_the_api_tells_rules_in_the_language_that_is_accepted(api):
    english, japanese = (api.get("/v1/rulesets/kahuna", headers=headers) for headers in ({}, JAPANESE))
    for answer in (english, japanese):
        assert "Accept-Language" in answer.vary
    assert english.get_etag() != japanese.get_etag()
    ours, theirs = english.json.pop("rules"), japanese.json.pop("rules")
    assert [(rule["id"], rule["en"], rule["ja"]) for rule in ours] == [
        (rule["id"], rule["en"], rule["ja"]) for rule in theirs
    ]
    found = {rule["id"]: rule for rule in theirs}["kahuna:DRAW-2"]
    assert (found["lang"], found["title"]) == ("ja", "手札の上限は5枚")
    assert found["text"] == "手札が5枚のときは補充できない。"
    assert {rule["lang"] for rule in ours} == {"en"}


def test_an_answer_in_one_language_is_not_taken_for_that_in_another(api):
    english = api.get("/v1/rulesets/kahuna")
    again = api.get("/v1/rulesets/kahuna", headers=JAPANESE | {"If-None-Match": english.headers["ETag"]})
    assert again.status_code == 200


def test_the_rules_behind_a_score_are_in_the_language_that_is_accepted(api):
    api.shows = True
    game = api.open(ruleset="scoresheet", options={"template": "golf"}, seats=[{}, {}])
    assert api.record(game, "r1 3 4").status_code == 201
    english, japanese = (api.get(f"/v1/games/{game}/score", headers=headers) for headers in ({}, JAPANESE))
    assert [rule["id"] for rule in english.json["rules"]] == [rule["id"] for rule in japanese.json["rules"]] != []
    assert {rule["lang"] for rule in english.json["rules"]} == {"en"}
    assert {rule["lang"] for rule in japanese.json["rules"]} == {"ja"}
    assert "Accept-Language" in japanese.vary
