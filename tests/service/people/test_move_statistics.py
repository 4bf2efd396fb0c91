"""Statistics from the moves: the counts per person, and the games behind each figure."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from uuid_utils import uuid7

from projections.statistics.digests import digest_of
from projections.statistics.moves import CLASSES, distribution
from service.api import sums
from service.app import create_app
from service.settings import Settings
from tests import goldens
from tests.cases import cases
from tests.choosing import short_or_soak
from tests.service.conftest import DEAL, UNLIMITED, Api, Guest, entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.statistics.digests import Digest

ADA, BOB = "0199d2f3-6a00-7000-8000-00000000000a", "0199d2f3-6a00-7000-8000-00000000000b"
NOBODY = "0199d2f3-6a00-7000-8000-0000000000ff"


@pytest.fixture
def table(api: Api) -> Api:
    for person, name in ((ADA, "Ada"), (BOB, "Bob")):
        api.request("PUT", f"/v1/players/{person}", json={"name": name})
    return api


def play(api: Api, *moves: Any, seats: tuple[str, ...] = (ADA, BOB), shown: bool = True, **more: Any) -> str:
    """A game of Kahuna with these moves after the deal, which a referee ended."""
    game = api.open(seats=[{"player": player} for player in seats], **more)
    answer = api.post(f"/v1/games/{game}/events", {"events": [entry(DEAL), *map(moved, moves)]})
    assert answer.status_code == 201, answer.text
    end(api, game)
    if shown:
        api.show(game)
    api.catch_up()
    return game


def moved(move: Any) -> dict[str, Any]:
    return entry(move[0], override={"reason": "it happened"}) if isinstance(move, tuple) else entry(move)


def end(api: Api, game: str) -> None:
    ruling = {"reason": "The café closed.", "adjustments": ["adjudge ranks=1,2"]}
    given = {"id": str(uuid7()), "type": "ruling.given", "data": ruling}
    answer = api.post(f"/v1/games/{game}/events", {"events": [given]})
    assert answer.status_code == 201, answer.text


def of(api: Api, **query: Any) -> dict[str, Any]:
    """The statistics, once all games are read."""
    while True:
        answer = api.get(f"/v1/statistics?{urlencode(query)}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.get_json()
        if found["read"] == found["n"]:
            return found


def behind(api: Api, **query: Any) -> list[str]:
    found: list[str] = []
    while True:
        answer = api.get(f"/v1/statistics/games?{urlencode(query | {'limit': 3})}")
        assert answer.status_code == 200, answer.text
        found += [game["game"] for game in answer.get_json()["games"]]
        if not answer.get_json()["next"]:
            assert answer.get_json()["n"] == len(found)
            return found
        query["cursor"] = answer.get_json()["next"]


def games_of(api: Api, kind: str) -> list[dict[str, Any]]:
    query = {"kind": kind, "limit": 500}
    found: list[dict[str, Any]] = api.get(f"/v1/statistics/games?{urlencode(query)}").get_json()["games"]
    return found


def digest(api: Api, game: str) -> Digest:
    folds = api.app.context.archive.folds
    return digest_of(folds, game, folds.current(game).version)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """A service with recorded games of all rulesets: every fifth golden, and in the long run every other one."""
    with closing(create_app(Settings(data=tmp_path_factory.mktemp("filled"), **UNLIMITED))) as app:
        api = Api(app)
        for path in goldens.recorded()[:: short_or_soak(5, 2)]:
            text = path.read_text(encoding="utf-8").encode()
            api.request("POST", f"/v1/imports?id={uuid7()}", data=text, content_type="text/plain")
        api.catch_up()
        yield api


def test_figures_of_moves_are_those_that_are_counted_by_hand(table: Api) -> None:
    first = play(table, "b-d", "+c/e", ("black: c-f",))
    second = play(table, "b-d", "+c/e", "a-b", seats=(BOB, ADA))
    replaced = {"entry": 3, "move": "c-f", "reason": "misread"}
    body = {"events": [{"id": str(uuid7()), "type": "entry.replaced", "data": replaced}]}
    found = table.post(f"/v1/games/{second}/events", body)
    assert found.status_code == 201, found.text
    table.catch_up()
    (kind,) = of(table)["kinds"]
    assert (kind["kind"], kind["n"], kind["read"]) == ("kahuna", 2, 2)
    openings = {each["about"]: (each["n"], each["share"]["wins"]) for each in kind["openings"]}
    assert set(openings.values()) == {(1, 1)}
    assert len(openings) == 2, "the corrected move counts"
    for player in ({"player": ADA}, {"player": BOB}, {}):
        for each in of(table, **player)["kinds"][0]["openings"]:
            won = behind(table, about=each["about"].replace(":", "-won:", 1), **player)
            assert len(won) == each["share"]["wins"], "the wins lead to their games"
    assert (kind["corrections"]["n"], kind["corrections"]["total"], kind["corrections"]["mean"]) == (1, 1, 0.5)
    assert behind(table, about="corrected") == [second]
    rules = Counter({each["about"]: each["total"] for each in kind["irregular"]})
    assert rules
    assert all(behind(table, about=rule) == [first] for rule in rules)
    assert of(table, player=BOB)["kinds"][0]["irregular"] == [], "the move was Ada's"
    assert {each["about"] for each in of(table, player=ADA)["kinds"][0]["irregular"]} == set(rules)


@pytest.mark.slow
def test_points_are_those_of_the_score_audit_and_times_those_of_the_timeline(filled: Api) -> None:
    listed = filled.get("/v1/games?limit=500&forks=false").get_json()["games"]
    games = [game["game"] for game in listed if game["ranks"]]
    for game in games[::14]:
        found = digest(filled, game)
        points = Counter[tuple[int, str]]()
        for line in filled.get(f"/v1/games/{game}/score").get_json()["lines"]:
            points[line["seat"], line["category"]] += line["points"]
        assert {(s, c): p for s, seat in enumerate(found.seats) for c, p in seat.points.items()} == dict(points)
        asked = filled.post(f"/v1/games/{game}/analyses", {"kind": "timeline", "seat": "public"}).get_json()
        pace = filled.get(f"/v1/games/{game}/analyses/{asked['id']}").get_json()["result"]["pace"]
        assert [(s.turns, s.timed, s.seconds) for s in found.seats] == [
            (each["turns"], each["timed"], each["seconds"]) for each in pace
        ]


@pytest.mark.slow
def test_each_figure_leads_to_as_many_games_as_it_says(filled: Api) -> None:
    for game in filled.get("/v1/games?limit=500&ruleset=kahuna").get_json()["games"][:6]:
        asked = filled.post(f"/v1/games/{game['game']}/analyses", {"kind": "luck-counts", "seat": "public"}).get_json()
        filled.get(f"/v1/games/{game['game']}/analyses/{asked['id']}")
    found = of(filled)
    assert found["n"] == found["read"] == sum(kind["n"] for kind in found["kinds"])
    told = Counter[str]()
    for kind in found["kinds"]:
        plain = [each for each in (kind["pace"], kind["corrections"]) if each]
        named = kind["points"][:4] + kind["openings"][:3] + kind["variants"][:3] + kind["irregular"][:3]
        for each in (*plain, *named, *kind["luck"][:2]):
            told[each["about"].partition(":")[0]] += 1
            games = behind(filled, kind=kind["kind"], about=each["about"])
            assert len(set(games)) == len(games) == each["n"], each
            if each.get("share"):
                won = behind(filled, kind=kind["kind"], about=each["about"].replace(":", "-won:", 1))
                assert set(won) <= set(games)
                assert len(won) == each["share"]["wins"], each
    assert told.keys() >= {"points", "opening", "variant", "irregular", "luck", "corrected"}
    assert len(behind(filled, kind="kahuna")) == next(kind["n"] for kind in found["kinds"] if kind["kind"] == "kahuna")


@pytest.mark.slow
def test_a_distribution_has_every_score_in_one_class(filled: Api) -> None:
    for kind in of(filled)["kinds"]:
        found = kind["distribution"]
        assert 1 <= len(found) <= CLASSES
        assert all(one[1] + 1 == other[0] for one, other in pairwise(found))
        assert len({high - low for low, high, _ in found}) == 1, "one width"
        games = games_of(filled, kind["kind"])
        scores = [score for game in games for score in game["scores"]]
        assert [n for *_, n in found] == [sum(low <= score <= high for score in scores) for low, high, _ in found]
        assert sum(n for *_, n in found) == len(scores)
    golf = next(kind for kind in of(filled)["kinds"] if kind["kind"] == "scoresheet/Golf")
    assert golf["best"]["points"] == min(score for game in games_of(filled, golf["kind"]) for score in game["scores"])


@cases(
    ("scores", "classes"),
    [
        ([7], [(7, 7, 1)]),
        ([0, 1, 1], [(0, 0, 1), (1, 1, 2)]),
        ([-3, 20], [(-5, -1, 1), *((low, low + 4, 0) for low in range(0, 20, 5)), (20, 24, 1)]),
        (
            [-30, 0, 55],
            [
                (-30, -21, 1),
                (-20, -11, 0),
                (-10, -1, 0),
                (0, 9, 1),
                *((low, low + 9, 0) for low in range(10, 50, 10)),
                (50, 59, 1),
            ],
        ),
    ],
)
def test_classes_have_a_round_width(scores: list[int], classes: list[tuple[int, int, int]]) -> None:
    assert list(distribution(Counter(scores))) == classes


def test_luck_is_the_sum_of_the_analyses_that_are_done(table: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums, "LUCK_INTERVAL", 1e-6)
    games = [play(table, "b-d", "+c/e", "a-b", "+d/f"), play(table, "b-d", "+c/e", seats=(BOB, ADA)), play(table)]
    assert of(table)["kinds"][0]["luck"] == []
    got, expected, n = Counter[tuple[str, str]](), Counter[tuple[str, str]](), 0
    for game in games[:2]:
        asked = table.post(f"/v1/games/{game}/analyses", {"kind": "luck-counts", "seat": "public"}).get_json()
        result = table.get(f"/v1/games/{game}/analyses/{asked['id']}").get_json()["result"]
        n += result["n"]
        for kind in result["kinds"]:
            for outcome in kind["outcomes"]:
                got[kind["kind"], outcome["outcome"]] += outcome["count"]["got"]
                expected[kind["kind"], outcome["outcome"]] += outcome["count"]["expected"]
    assert n > 3
    (kind,) = of(table, players=2)["kinds"]
    assert kind["lucky"] == 2
    for each in kind["luck"]:
        key = each["about"].partition(":")[2], each["outcome"]
        assert each["got"] == got[key]
        assert each["expected"] == pytest.approx(expected[key], abs=1e-3)
    assert len(kind["luck"]) == len(got)
    assert len(of(table, player=ADA)["kinds"][0]["luck"]) <= len(got) + 2


def test_a_digest_that_is_made_again_is_the_same_row(table: Api) -> None:
    game = play(table, "b-d", "+c/e")
    of(table)
    results = table.app.context.results
    sql = "select version, kind, parameters, revision, hash, data from result where game = ? and kind = 'digest'"
    rows = results.query(sql, [game])
    assert len(rows) == 1
    results.change("delete from result where kind = 'digest'", [])
    of(table, player=ADA)
    assert results.query(sql, [game]) == rows
    withdrawn = {"id": str(uuid7()), "type": "entry.withdrawn", "data": {"entry": 4}}
    assert table.post(f"/v1/games/{game}/events", {"events": [withdrawn]}).status_code == 201
    table.catch_up()
    assert of(table, player=BOB)["kinds"][0]["corrections"]["total"] == 1, "at once"
    assert len(results.query(sql, [game])) == 1, "the older one is dropped"


def test_a_hidden_card_is_in_no_digest(table: Api) -> None:
    """Two games that differ in a card that was drawn unseen, and told to the recorder alone."""
    games = [play(table, "b-d", hidden, "a-b", "-") for hidden in ("+?lale", "+?gola")]
    one, other = (digest(table, game) for game in games)
    assert {f: getattr(one, f) for f in one.__struct_fields__ if f != "game"} == {
        f: getattr(other, f) for f in other.__struct_fields__ if f != "game"
    }
    assert "lale" not in str(one).lower()


def test_only_games_that_the_reader_may_see_are_counted(table: Api) -> None:
    play(table, "b-d")
    stranger = Guest(table.app, "", None)
    seen = [stranger.get(path).data for path in ("/v1/statistics", f"/v1/statistics?player={ADA}")]
    listed = stranger.get("/v1/statistics/games").data
    hidden = play(table, "b-a", "+c/e", shown=False)
    assert [stranger.get(path).data for path in ("/v1/statistics", f"/v1/statistics?player={ADA}")] == seen
    assert stranger.get("/v1/statistics/games").data == listed
    assert hidden not in stranger.get("/statistics/games").text
    assert (of(table)["n"], of(table, player=ADA)["n"]) == (2, 2)
    assert of(table.let_in(person=BOB), player=ADA)["n"] == 2, "players see their own games"


def test_a_pair_a_place_a_club_and_a_period_are_asked_for(table: Api) -> None:
    guest = str(uuid7())
    at_home = play(table, "b-d", place="Café  Central", happened_at="2020-07-01T20:00:00+02:00")
    play(table, "b-d", seats=(ADA, guest))
    club = str(uuid7())
    table.post("/v1/clubs", {"id": club, "name": "Thursday Club"})
    attached = {"id": str(uuid7()), "type": "club.game_attached", "data": {"game": at_home}}
    assert table.post(f"/v1/clubs/{club}/entries", attached).status_code == 201
    for query, n in (
        ({}, 2),
        ({"player": ADA, "with": BOB}, 1),
        ({"with": BOB}, 1),
        ({"player": BOB, "with": guest}, 0),
        ({"place": "CAFÉ  CENTRAL"}, 1),
        ({"place": " cafe central"}, 1),
        ({"place": "Café"}, 0),
        ({"club": club}, 1),
        ({"club": club, "player": guest}, 0),
        ({"from": "2020-07-01", "to": "2020-07-01"}, 1),
        ({"kind": "kahuna"}, 2),
        ({"kind": "kahuna/x"}, 0),
        ({"players": 3}, 0),
    ):
        assert of(table, **query)["n"] == n, query
        assert len(behind(table, **query)) == n, query
    assert of(table, club=club)["names"] == {club: "Thursday Club"}
    refused = Guest(table.app, "", None).get(f"/v1/statistics?club={club}")
    assert (refused.status_code, refused.get_json()["type"]) == (404, "/problems/club-unknown")


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("about=points", 400),
        ("about=nothing:x", 400),
        ("about=corrected:x", 400),
        (f"about=points:{'x' * 500}", 400),
        ("cursor=-1", 400),
        ("cursor=x", 400),
        ("limit=0", 400),
        ("player=Ada", 400),
        ("with=x", 400),
        (f"place={'x' * 300}", 400),
        ("players=0", 400),
        (f"player={NOBODY}", 404),
        (f"player={ADA}&with={NOBODY}", 404),
        (f"club={NOBODY}", 404),
        ("about=points:nothing&cursor=9007199254740992", 200),
    ],
)
def test_odd_questions_get_a_clear_answer(table: Api, query: str, status: int) -> None:
    for path in ("/v1/statistics/games", "/statistics/games"):
        answer = table.get(f"{path}?{query}")
        assert answer.status_code == status, answer.text


@pytest.mark.slow
def test_the_page_tells_it_with_links_to_the_games(table: Api) -> None:
    game = play(table, "b-d", "+c/e", ("a-d",))
    page = table.get(f"/statistics?player={ADA}&with={BOB}")
    assert page.status_code == 200
    assert "Ada and Bob" in page.text
    assert "about=opening" in page.text
    assert f"/statistics?player={ADA}" in table.get(f"/people/{ADA}").text
    assert game in table.get(f"/statistics/games?kind=kahuna&player={ADA}").text
    japanese = table.get("/statistics", headers={"Accept-Language": "ja"}).text
    assert "Openings" not in japanese
    assert "Seconds a turn" not in japanese


def test_the_page_names_the_columns_of_a_ready_sheet_in_the_language_of_its_reader(table: Api) -> None:
    seats = [{"player": player} for player in (ADA, BOB)]
    game = table.open(ruleset="scoresheet", options={"template": "ticket_to_ride"}, seats=seats)
    table.record(game, "longest yes no", "end early")
    table.show(game)
    table.catch_up()
    said = {tag: table.get("/statistics", headers={"Accept-Language": tag}).text for tag in ("en", "ja")}
    assert ">longest path<" in said["en"]
    assert ">最長路線<" in said["ja"]
    assert ">longest" not in said["ja"]
