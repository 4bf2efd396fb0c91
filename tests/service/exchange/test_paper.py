"""Paper: reports of one game and of many, and blank sheets, without scripts, and without what is hidden."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest
from uuid_utils import uuid7

from games import transcript
from games.rulesets import SHIPPED
from games.scoresheet import SCORESHEET
from games.scoresheet.ready import READY
from service.api import paper
from tests import goldens
from tests.service.conftest import Guest
from tests.service.entries import entry, send
from tests.service.exchange.test_exports import score_sheet

if TYPE_CHECKING:
    from games.contract import Ruleset
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")


def uno(api: Api, *names: str, title: str) -> str:
    """A finished game of UNO that the first of two people won."""
    seats = [{"name": name} for name in names]
    game = api.open(ruleset="scoresheet", options={"template": "uno"}, seats=seats, title=title)
    assert api.record(game, "r1 30 0", "r2 480 0", "end").status_code == 201
    return game


JAPANESE = {"Accept-Language": "ja"}


def report(api: Api, game: str, query: str = "", **more: object) -> str:
    answer = api.get(f"/v1/games/{game}/export?format=report{query}", **more)
    assert answer.status_code == 200, answer.text
    assert answer.content_type == "text/html; charset=utf-8"
    assert answer.headers["Content-Disposition"].startswith("inline")
    assert "<script" not in answer.text
    return text_of(answer.text)


def text_of(page: str) -> str:
    """What a page says, without its style and tags."""
    body = re.sub(r"<style>.*?</style>|<svg.*?</svg>", " ", page, flags=re.DOTALL)
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", body).split()))


def test_a_report_has_people_result_audit_moves_corrections_rulings_notes_and_room_to_sign(api: Api) -> None:
    game = api.open(seats=[{"name": "Anna"}, {"name": "Ben"}], title="Friday", place="Porto")
    api.record(game, "deal black BARI COCO DUDA", "b-d", "-")
    entries = [
        entry("entry.replaced", entry=3, move="b-c", reason="misread"),
        entry("ruling.given", reason="slow play", adjustments=["points seat=white points=-1"]),
        entry("note.added", text="it <rained>"),
        entry("score.claimed", scores=[0, None]),
        entry("ruling.given", reason="late", adjustments=["resign seat=white"]),
    ]
    assert send(api, game, *entries).status_code == 201
    told = report(api, game)
    for part in ("Friday", "Porto", "Anna", "Ben", "won", "Audit", "Final board", "BARI-COCO", "misread", "slow play"):
        assert part in told
    assert "it <rained>" in told
    assert "0 : ?" in told
    assert "Place and date" in told
    assert api.get(f"/v1/games/{game}").get_json()["hash"] in told
    japanese = report(api, game, headers=JAPANESE)
    assert "場所と日付" in japanese
    assert "Final board" not in japanese


def test_the_report_of_a_score_sheet_is_the_sheet_with_names(api: Api) -> None:
    game = score_sheet(api, "Ada", "Bob")
    told = report(api, game)
    assert re.search(r"Line Ada Bob Round 1, \w+ 30 0", told), told
    assert "Final board" not in told


def test_paper_of_a_sheet_without_points_has_no_total(api: Api) -> None:
    ranking, points = (
        api.open(ruleset="scoresheet", options={"template": template}, seats=[{"name": "Ada"}, {"name": "Ben"}])
        for template in ("ranking", "rounds")
    )
    assert api.record(ranking, "place 2 1", "end").status_code == 201
    assert "Total" not in report(api, ranking)
    assert "Total" in report(api, points)
    assert "This game has no points." in text_of(api.get(f"/v1/games/{ranking}/export?format=html").text)
    blank = "/v1/rulesets/scoresheet/sheet?template="
    assert [name for name in ("ranking", "rounds", "hanabi") if "Total" in api.get(blank + name).text] == ["rounds"]


def test_the_last_line_alone_of_a_sheet_in_a_report_is_a_total(api: Api) -> None:
    game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=[{"name": "Ada"}, {"name": "Bob"}])
    assert api.record(game, "r1 3 4", "p1 +5 fair play", "p2 -5 late").status_code == 201
    page = api.get(f"/v1/games/{game}/export?format=report").text
    sums = re.findall(r'<tr class="sum">(.*?)</tr>', page)
    assert len(sums) == 1
    assert "Total" in sums[0]


def test_a_report_leads_back_to_the_game_and_holds_its_code(api: Api) -> None:
    game = api.play("b-d")
    page = api.get(f"/v1/games/{game}/export?format=report").text
    assert 'class="qr"><svg' in page


def test_a_report_for_the_public_says_nothing_that_is_hidden(api: Api) -> None:
    one, other = api.play("+?HUNA", "-"), api.play("+?ALOA", "-")
    for game in (one, other):
        api.show(game)
    stranger = Guest(api.app, "", None)
    pages = [report(stranger, game, "&seat=public") for game in (one, other)]
    plain = [re.sub(r"\b[0-9a-f]{64}\b|\d\d:\d\d", "", page) for page in pages]
    assert plain[0] == plain[1]
    assert "HUNA" in report(api, one)
    private = api.play("b-d")
    assert stranger.get(f"/v1/games/{private}/export?format=report").status_code == 404


@pytest.mark.service("test")
def test_the_games_that_a_list_shows_are_one_report_with_standings(api: Api) -> None:
    game = uno(api, "Ada", "Bob", title="First")
    uno(api, "Ada", "Cleo", title="Second")
    api.play("b-d")
    fork = api.post(f"/v1/games/{game}/forks", {"id": str(uuid7())})
    assert fork.status_code == 201
    api.catch_up()
    answer = api.get("/v1/exports/report.html")
    assert (answer.status_code, answer.content_type) == (200, "text/html; charset=utf-8")
    told = text_of(answer.text)
    assert "1 Ada 2 2 100 % 2 Bob 1 0 0 % 2 Cleo 1 0 0 %" in told
    assert told.index("Second") < told.index("Standings")
    chosen = text_of(api.get("/v1/exports/report.html?q=First&ruleset=scoresheet&from=2020-01-01").text)
    assert "Search: First" in chosen
    assert "Second" not in chosen
    assert "Cleo" not in chosen
    assert "No game matches." in text_of(api.get("/v1/exports/report.html?q=nothing").text)
    assert "First" not in Guest(api.app, "", None).get("/v1/exports/report.html").text


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_template_has_a_blank_sheet_with_all_its_lines(
    api: Api, language: str, subtests: pytest.Subtests
) -> None:
    for template, data in READY.items():
        with subtests.test(template):
            path = f"/v1/rulesets/scoresheet/sheet?template={template}"
            answer = api.get(path, headers={"Accept-Language": language})
            assert answer.status_code == 200, answer.text
            page = text_of(answer.text)
            for column in data["columns"]:
                if column.get("when") is None:
                    name = language == "ja" and column.get("ja")
                    name = name or column.get("name") or column["id"].replace("_", " ")
                    assert name.casefold() in page.casefold()
            assert ((language == "ja" and data.get("ja")) or data["name"]) in page


@pytest.mark.parametrize(
    ("template", "seats", "tables"),
    [("cartographers", 6, 1), ("cartographers", 12, 2), ("flip_7", 12, 2), ("wizard", 12, 1), ("catan", 12, 1)],
)
def test_no_line_of_a_blank_sheet_is_wider_than_the_paper(shared: Api, template: str, seats: int, tables: int) -> None:
    """Twelve players with five cells each went beyond the edge: those who have no room stand in a second table."""
    page = shared.get(f"/v1/rulesets/scoresheet/sheet?template={template}&seats={seats}").text
    assert page.count('<table class="blank') == tables
    assert page.count('<th scope="col" class="name"') == seats
    assert max(line.count("<td") for line in re.findall(r"<tr.*?</tr>", page, re.DOTALL)) <= paper.WIDEST


def test_options_are_ticked_on_the_blank_sheet_by_a_tap_each(api: Api) -> None:
    sheet = "/v1/rulesets/scoresheet/sheet"
    page = api.get(f"{sheet}?template=ticket_to_ride%2Bnordic&seats=3").text
    assert "Route of 9" in page
    links = dict(re.findall(r'<a href="([^"]*)">([^<]*)</a>', page))
    shown = {text: unescape(address) for address, text in links.items()}
    assert [text for text in shown if text.startswith("☑")] == ["☑ Nordic Countries"]
    other = api.get(sheet + shown["☐ India"]).text
    assert "☑ India" in other
    assert "☐ Nordic Countries" in other
    assert "Grand tour of India" in other
    assert other.count('class="name"') == 1 + 3
    assert "Route of 9" not in api.get(sheet + shown["☑ Nordic Countries"]).text


@pytest.mark.parametrize(
    "ruleset", [each for each in SHIPPED.values() if each is not SCORESHEET], ids=lambda each: each.name
)
@pytest.mark.slow
def test_every_other_ruleset_has_a_blank_sheet_with_all_that_brings_points(api: Api, ruleset: Ruleset) -> None:
    page = text_of(api.get(f"/v1/rulesets/{ruleset.name}/sheet").text)
    assert all(category.replace("-", " ") in page for category in ruleset.score_categories)
    scored = set()
    for recording in goldens.games(ruleset).values():
        *_, last = transcript.replay(ruleset, recording)
        scored |= {line.category for line in last.state.scores()}
    assert scored - {"ruling"} <= set(ruleset.score_categories)


def test_a_sheet_that_was_kept_is_printed_for_as_many_as_play(api: Api) -> None:
    data = READY["hearts"] | {"name": "Our <hearts>"}
    assert api.request("PUT", "/v1/components/scoresheet/mine", json={"data": data}).status_code in {200, 201}
    page = api.get("/v1/rulesets/scoresheet/sheet?components_name=mine&seats=5").text
    assert "Our &lt;hearts&gt;" in page
    assert page.count('class="name"') == 1 + 5


@pytest.mark.parametrize(
    ("query", "status", "field"),
    [
        ("kahuna/sheet?seats=3", 400, "seats"),
        ("kahuna/sheet?seats=0", 400, "seats"),
        ("kahuna/sheet?template=wizard", 400, "template"),
        ("scoresheet/sheet?template=nothing", 400, "template"),
        ("scoresheet/sheet?components_name=nothing", 400, "components_name"),
        ("scoresheet/sheet?template=wizard&components_name=mine", 400, "components_name"),
        ("chess/sheet", 404, None),
    ],
)
def test_a_sheet_that_cannot_be_is_refused_with_the_field(api: Api, query: str, status: int, field: str | None) -> None:
    answer = api.get(f"/v1/rulesets/{query}")
    assert answer.status_code == status, answer.text
    errors = answer.get_json().get("errors", [])
    assert field is None or field in str(errors[0]["field"])
