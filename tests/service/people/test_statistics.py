"""Statistics over the API and on pages: of the games that somebody may see, and as they are after a correction."""

from __future__ import annotations

import csv
import io
import json
import re
import threading
from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import pytest
from uuid_utils import uuid7

from projections.catalogue import lookups, pages
from projections.statistics.kept import KeptFigures
from projections.statistics.moves import Tally
from projections.statistics.ratings import Ladder
from projections.statistics.years import KindScores
from service.api import ladders
from service.api.ladders import start_reading_ahead
from tests.service.conftest import Guest
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Sequence

    from projections.statistics.moves import Played
    from projections.statistics.results import Result
    from tests.service.conftest import Api

ADA, BOB = "0199d2f3-6a00-7000-8000-00000000000a", "0199d2f3-6a00-7000-8000-00000000000b"


@pytest.fixture
def club(api: Api) -> Api:
    for person, name in ((ADA, "Ada"), (BOB, "Bob")):
        api.request("PUT", f"/v1/players/{person}", json={"name": name})
    return api


def play(api: Api, *scores: int, shown: bool = True, **more: Any) -> str:
    """A finished game of plain points between Ada and Bob."""
    game = api.open(
        ruleset="scoresheet", options={"template": "rounds"}, seats=[{"player": ADA}, {"player": BOB}], **more
    )
    assert api.record(game, "r1 " + " ".join(map(str, scores)), "end").status_code == 201
    if shown:
        api.show(game)
    api.catch_up()
    return game


def read_anew(api: Api) -> None:
    """Forget all sums and ratings, and read them ahead, as a process does that starts."""
    context = api.app.context
    context.ladders, context.move_figures = KeptFigures(), KeptFigures()
    context.scores, context.months = KeptFigures(), KeptFigures()
    start_reading_ahead(context).join(60)


def of(api: Api, person: str, query: str = "", **more: Any) -> dict[str, Any]:
    answer = api.get(f"/v1/players/{person}/statistics{query}", **more)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def test_a_corrected_game_corrects_every_figure(club: Api) -> None:
    games = [play(club, 3, 1) for _ in range(5)]
    found = of(club, ADA)
    assert (found["figures"]["n"], found["figures"]["share"]["wins"]) == (5, 5)
    assert found["names"] == {ADA: "Ada", BOB: "Bob"}
    before = club.get("/v1/ratings").get_json()
    assert [each["player"] for each in before["ratings"]] == [ADA, BOB]
    replaced = {"entry": 2, "move": "r1 0 9", "reason": "misread"}
    body = {"events": [{"id": str(uuid7()), "type": "entry.replaced", "data": replaced}]}
    assert club.post(f"/v1/games/{games[0]}/events", body).status_code == 201
    club.catch_up()
    assert of(club, ADA)["figures"]["share"]["wins"] == 4
    assert of(club, BOB)["figures"]["kinds"][0]["best"] == {"points": 9, "game": games[0]}
    until(lambda: club.get("/v1/ratings").get_json()["ratings"] != before["ratings"])  # they can be a moment old


@pytest.mark.slow
def test_what_was_read_ahead_is_not_read_by_the_first_request(club: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(5):
        play(club, 3, 1, place="Café Central")
    play(club, 1, 3, shown=False, place="Café  Central")
    until(lambda: club.get("/v1/statistics").get_json()["read"] == 6)
    monkeypatch.setattr(ladders, "SOON", 4)
    work = list[str]()
    read_anew(club)
    for module in (lookups, pages):
        monkeypatch.setattr(module, "to_listed", lambda row: work.append(row["game"]))
    monkeypatch.setattr(Ladder, "add", lambda *_: work.append("rated"))
    monkeypatch.setattr(Tally, "add", lambda *_: work.append("counted"))
    monkeypatch.setattr(KindScores, "add", lambda *_: work.append("summed up"))
    for reader, games in ((club, 6), (Guest(club.app, "", None), 5)):
        found = reader.get("/v1/ratings").get_json()
        assert [each["n"] for each in found["ratings"]] == [games, games]
        assert not found["recomputing"]
        for path in (
            "",
            "?from=2026-01-01",
            "?players=2",
            "?kind=scoresheet/Points",
            "?place=CAFÉ central",
            "?place=CAFÉ central&players=2",
        ):
            found = reader.get(f"/v1/statistics{path}").get_json()
            assert (found["n"], found["read"]) == ((games, games) if "kind" not in path else (0, 0))
        assert reader.get("/v1/statistics/year").get_json()["figures"]["n"] == games
    assert work == []


def test_of_what_a_member_sees_only_the_own_games_are_counted(club: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(5):
        play(club, 3, 1)
    hidden = [play(club, 0, 5, shown=False), play(club, 2, 5, shown=False)]
    bob, stranger = club.let_in(person=BOB), Guest(club.app, "", None)
    until(lambda: club.get("/v1/statistics").get_json()["read"] == 7)
    read_anew(club)
    monkeypatch.setattr(ladders, "SOON", 0)
    counted, add = list[str](), Tally.add

    def noted(self: Tally, game: Played) -> None:
        counted.append(game.result.game)
        add(self, game)

    monkeypatch.setattr(Tally, "add", noted)
    found = bob.get("/v1/statistics").get_json()
    assert (found["n"], found["read"], sorted(counted)) == (7, 7, sorted(hidden))
    public, own = (reader.get("/v1/ratings").get_json() for reader in (stranger, bob))
    assert own["recomputing"] is True
    assert [each["n"] for each in own["ratings"]] == [each["n"] for each in public["ratings"]] == [5, 5]
    until(lambda: [each["n"] for each in bob.get("/v1/ratings").get_json()["ratings"]] == [7, 7])
    assert stranger.get("/v1/ratings").get_json() == public


def test_ratings_say_as_long_as_they_are_the_older_ones(club: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    going_on, follow = threading.Event(), Ladder.following

    def held_back(ladder: Ladder, games: Sequence[Result]) -> Ladder:
        if threading.current_thread().name == "figures":
            going_on.wait(60)
        return follow(ladder, games)

    monkeypatch.setattr(ladders, "SOON", 0)
    monkeypatch.setattr(Ladder, "following", held_back)
    games = [play(club, 5, 3) for _ in range(5)]
    before = club.get("/v1/ratings").get_json()
    assert (before["ratings"][0]["player"], before["recomputing"]) == (ADA, False)
    for game in games:
        body = {"entry": 2, "move": "r1 3 5", "reason": "swapped"}
        answer = club.post(
            f"/v1/games/{game}/events", {"events": [{"id": str(uuid7()), "type": "entry.replaced", "data": body}]}
        )
        assert answer.status_code == 201, answer.text
    club.catch_up()
    during = club.get("/v1/ratings").get_json()
    assert during == before | {"recomputing": True}
    assert of(club, BOB)["recomputing"] is True
    assert "being computed anew" in club.get("/people").text
    assert "being computed anew" in club.get(f"/people/{ADA}").text
    going_on.set()
    until(lambda: not club.get("/v1/ratings").get_json()["recomputing"])
    assert club.get("/v1/ratings").get_json()["ratings"][0]["player"] == BOB
    assert "being computed anew" not in club.get("/people").text


def test_statistics_count_only_games_that_their_reader_may_see(club: Api) -> None:
    play(club, 3, 1)
    stranger = Guest(club.app, "", None)
    told = of(stranger, ADA)
    ratings = stranger.get("/v1/ratings").data
    for _ in range(6):
        play(club, 0, 5, shown=False)
    assert of(club, ADA)["figures"]["n"] == 7
    assert of(stranger, ADA) == told
    assert stranger.get("/v1/ratings").data == ratings
    assert told["figures"]["n"] == 1


def test_periods_kinds_and_numbers_of_players_are_asked_for(club: Api) -> None:
    play(club, 3, 1, happened_at="2020-07-01T20:00:00+02:00")
    play(club, 1, 3)
    for query, n in (
        ("?from=2020-07-01&to=2020-07-01", 1),
        ("?to=2020-06-30", 0),
        ("?from=2021-01-01", 1),
        ("?players=2", 2),
        ("?players=3", 0),
        ("?kind=kahuna", 0),
    ):
        assert of(club, ADA, query)["figures"]["n"] == n, query
    kind = of(club, ADA)["figures"]["kinds"][0]["kind"]
    assert of(club, ADA, f"?kind={kind}")["figures"]["n"] == 2
    months = of(club, ADA)["figures"]["months"]
    assert next(iter(months)) == "2020-07"


def test_a_day_is_that_of_the_table_everywhere(club: Api) -> None:
    game = play(club, 3, 1, happened_at="2020-07-01T00:30:00+09:00")  # still June in UTC
    assert [*of(club, ADA)["figures"]["months"]] == ["2020-07"]
    for query, n in (("?from=2020-07-01&to=2020-07-01", 1), ("?to=2020-06-30", 0), ("?from=2020-07-02", 0)):
        assert of(club, ADA, query)["figures"]["n"] == n, query
        found = [(each["game"], each["day"]) for each in club.get(f"/v1/games{query}").get_json()["games"]]
        assert found == [(game, "2020-07-01")] * n, query
        rows = club.get(f"/v1/exports/games.csv{query}").text.splitlines()
        assert len(rows) == 1 + n, query
        assert (game in club.get(f"/{query}").text) == bool(n), query
    assert "from=2020-07-01" in club.get(f"/people/{ADA}?from=2020-07-01").text, "the number leads to these games"
    assert club.get("/v1/games?from=never").status_code == 400


@pytest.mark.parametrize("query", ["?players=0", "?players=x", "?from=never"])
def test_odd_questions_are_refused(club: Api, query: str) -> None:
    assert club.get(f"/v1/players/{ADA}/statistics{query}").status_code == 400


def test_nobody_has_no_statistics(club: Api) -> None:
    unknown = club.get(f"/v1/players/{uuid7()}/statistics")
    assert (unknown.status_code, unknown.get_json()["type"]) == (404, "/problems/player-unknown")
    assert club.get("/v1/players/Ada/statistics").status_code == 400


def test_a_person_of_private_games_alone_is_unknown_to_others(club: Api) -> None:
    nameless, stranger, cai = str(uuid7()), Guest(club.app, "", None), club.let_in()
    pages = [f"/v1/players/{nameless}/statistics", f"/people/{nameless}", f"/v1/statistics?player={nameless}"]
    pages += [f"/year?player={nameless}", f"/v1/statistics/games?player={ADA}&with={nameless}"]
    own, listing = f"/v1/players/{nameless}/held", f"/v1/players/{nameless}/listing"
    game = club.open(
        ruleset="scoresheet", options={"template": "rounds"}, seats=[{"player": nameless}, {"player": ADA}]
    )
    club.let_in(person=nameless, games={game: 0})
    club.catch_up()
    assert {guest.get(page).status_code for page in pages for guest in (stranger, cai)} == {404}
    assert {cai.get(path).status_code for path in (own, f"/v1/players/{uuid7()}/held")} == {403}
    refused = [listing, f"/v1/players/{uuid7()}/listing"]
    assert {cai.request("PUT", path, json={"listed": False}).status_code for path in refused} == {403}
    assert {club.get(page).status_code for page in pages} == {200}
    club.show(game)
    club.catch_up()
    assert {stranger.get(page).status_code for page in pages} == {200}


def test_merged_people_are_one_and_erasing_a_name_changes_no_number(club: Api) -> None:
    play(club, 3, 1)
    twice = str(uuid7())
    game = club.open(ruleset="scoresheet", options={"template": "rounds"}, seats=[{"player": twice}, {"player": BOB}])
    club.record(game, "r1 5 1", "end")
    club.catch_up()
    assert of(club, ADA)["figures"]["n"] == 1
    assert club.request("PUT", f"/v1/players/{twice}/merge", json={"into": ADA}).status_code == 200
    assert of(club, ADA)["figures"]["n"] == 2
    assert of(club, twice)["player"] == ADA
    before = of(club, BOB)
    erased = club.request("DELETE", f"/v1/players/{ADA}")
    assert erased.status_code == 204, erased.text
    after = of(club, BOB)
    assert ADA not in after["names"]
    assert after["figures"] == before["figures"]


def test_forks_and_unfinished_games_count_for_nobody(club: Api) -> None:
    game = play(club, 3, 1)
    assert club.post(f"/v1/games/{game}/forks", {"id": str(uuid7()), "at": 3}).status_code == 201
    club.open(ruleset="scoresheet", options={"template": "rounds"}, seats=[{"player": ADA}, {"player": BOB}])
    club.catch_up()
    assert of(club, ADA)["figures"]["n"] == 1


def test_pages_tell_of_people_with_links_to_their_games(club: Api) -> None:
    for number in range(6):
        game = play(club, 3 + number, 4)
    people = club.get("/people").text
    assert f"/people/{ADA}" in people
    person = club.get(f"/people/{ADA}")
    assert person.status_code == 200
    assert f"/games/{game}" in person.text, "the best score leads to its game"
    assert f"?player={ADA}" in person.text
    assert person.text.count("<svg") == person.text.count("As a table"), "each chart has its table"
    listed = club.get(f"/?player={ADA}").text
    assert game in listed
    assert "Rounds with a running total" in listed, "a score sheet goes by its name"
    empty = club.get(f"/people/{ADA}?to=1999-01-01")
    assert "No finished game in this time." in empty.text
    newcomer = uuid7()
    club.request("PUT", f"/v1/players/{newcomer}", json={"name": "Newcomer"})
    assert "No finished game." in club.get(f"/people/{newcomer}").text, "nobody asked for a time"
    assert "No finished game." in club.get(f"/statistics?player={newcomer}").text
    year = club.get(f"/year?player={newcomer}").text
    assert "Year in review<" in year.partition("<main")[2], "it says what it would be of"
    assert "Year in review 1" not in year, "there is no year without a game"
    japanese = club.get(f"/people/{ADA}", headers={"Accept-Language": "ja"})
    assert "By seat" not in japanese.text


LINK = r'<a href="/statistics/games\?([^"]*)">(\d+)</a>'


def check_links(api: Api, address: str) -> set[str]:
    """See that each linked number of a page has as many games; what the numbers are about.

    Numbers of a class of scores, and those of records up to a day, count the scores in these games.
    """
    told = set[str]()
    for sent, number in re.findall(LINK, api.get(address).text):
        query = parse_qs(unescape(sent))
        about, player = query.get("about", [""])[0], query.get("player", [None])[0]
        answer = api.get(f"/v1/statistics/games?{unescape(sent)}").get_json()
        found = answer["games"]
        assert answer["n"] == len(found)
        seats = [(game, seat) for game in found for seat in game["seats"] if player in {None, seat["player"]}]
        scores = [game["scores"][seat["seat"]] for game, seat in seats]
        if about.startswith("scores:"):
            low, high = map(int, about.split(":")[1:])
            scores = [score for score in scores if low <= score <= high]
        counts_scores = about.startswith("scores:") or (not about and "to" in query and "from" not in query)
        assert len(scores if counts_scores else found) == int(number), (address, sent)
        page = api.get(f"/statistics/games?{unescape(sent)}").text
        assert f"<p>{len(found)} game{'s' * (len(found) != 1)}</p>" in page or "No game." in page
        told.add(about)
    return told


@pytest.mark.slow
def test_each_number_of_a_person_leads_to_as_many_games(club: Api) -> None:
    for scores in ((3, 1), (5, 4), (1, 2), (2, 2), (1, 6), (0, 6)):
        play(club, *scores, happened_at="2025-07-01T20:00:00+02:00")
    play(club, 9, 1)
    cleo = str(uuid7())
    for others in ([BOB], [BOB, cleo]):
        seats = [{"player": player} for player in (*others, ADA)]
        game = club.open(ruleset="scoresheet", options={"template": "rounds"}, seats=seats)
        club.record(game, "r1 " + " ".join("51"[: len(seats) - 1]) + " 7", "end")
    club.catch_up()
    kind = of(club, ADA)["figures"]["kinds"][0]["kind"]
    for query in ("", "?from=2025-01-01&to=2025-12-31", "?players=2"):
        about = check_links(club, f"/people/{ADA}{query}")
        assert {f"before:{BOB}", f"behind:{BOB}", f"level:{BOB}", "streak-won", "streak-lost"} <= about
        assert {"seat:0", "seat-won:0", "month:2025-07", ""} <= about
        page = club.get(f"/people/{ADA}{query}").text
        assert re.findall(r"<td>\d+</td>", page) == [], "no number of games is without a link"
        assert ("By number of players" in page) is (query == "")
    until(lambda: club.get("/v1/statistics").get_json()["read"] == 9)
    assert {"seat:0", "seat-won:0", "scores:1:1"} <= check_links(club, f"/statistics?kind={kind}")
    assert "scores:9:9" in check_links(club, f"/statistics?kind={kind}&player={ADA}")
    assert of(club, ADA)["figures"]["share"]["wins"] == 6


def test_games_behind_what_results_tell_are_found_without_their_moves(
    club: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    for scores in ((3, 1), (1, 3), (5, 1)):
        play(club, *scores)

    def found(about: str) -> int:
        n: int = club.get("/v1/statistics/games", query_string={"about": about}).get_json()["n"]
        return n

    until(lambda: club.get("/v1/statistics").get_json()["read"] == 3)  # what was read ahead may be a moment old
    until(lambda: found("points:round-1") == 3)
    monkeypatch.setattr(type(club.app.context.digests), "find", None)
    counts = {about: found(about) for about in ("", "against", "seat:0", "seat-won:0", "scores:3:5", "together")}
    assert counts == {"": 3, "against": 3, "seat:0": 3, "seat-won:0": 2, "scores:3:5": 3, "together": 0}
    assert club.get(f"/v1/statistics/games?player={ADA}&about=streak-won").get_json()["n"] == 1
    assert club.get(f"/v1/statistics/games?player={ADA}&about=before:{BOB}").get_json()["n"] == 2


def test_pages_of_games_behind_a_figure_read_the_moves_of_their_months(
    club: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = ("2025-12-31T23:30:00+09:00", "2026-01-01T00:10:00+09:00", "2026-01-20", "2026-02-28", "2026-03-01")
    games = [play(club, 3, 1, happened_at=day if "T" in day else f"{day}T12:00:00Z") for day in (*days, days[1])]
    own = play(club, 2, 1, shown=False, happened_at="2026-01-02T12:00:00Z")
    play(club, 2, 1, shown=False, happened_at="2026-01-03T12:00:00Z")
    read, find = list[int](), type(club.app.context.digests).find
    until(lambda: club.get("/v1/statistics").get_json()["read"] == len(games) + 2)
    for reader, n in ((club, 8), (club.let_in(games={own: "viewer"}), 7), (Guest(club.app, "", None), 6)):
        behind = "/v1/statistics/games?about=points:round-1&limit=2"
        found, cursor = list[dict[str, Any]](), ""
        reader.get(behind)
        monkeypatch.setattr(
            type(club.app.context.digests), "find", lambda self, of, left: read.append(len(of)) or find(self, of, left)
        )
        while cursor is not None:
            page = reader.get(f"{behind}&cursor={cursor or 0}").get_json()
            found, cursor = found + page["games"], page["next"]
            assert page["n"] == n
        assert len({each["game"] for each in found}) == len(found) == n
        months = [each["played_at"][:7] for each in found if each["game"] != games[1]]
        assert [each["game"] for each in found][:2] == [games[4], games[3]]
        assert found[-1]["game"] == games[0]
        assert months == sorted(months, reverse=True)
    assert max(read) < len(games), "the moves of one month, and what is one's own"


@pytest.mark.slow
def test_the_person_met_most_and_the_one_lost_to_most_come_with_their_games(club: Api) -> None:
    for scores in ((1, 2), (1, 2), (1, 2), (3, 1), (2, 2), (4, 5)):
        play(club, *scores)
    page = club.get(f"/people/{ADA}").text
    met = re.search("<dt>Met most often</dt><dd>(.*?)</dd>", page)
    lost = re.search("<dt>Lost to most often</dt><dd>(.*?)</dd>", page)
    assert met is not None
    assert lost is not None
    assert [number for _, number in re.findall(LINK, met[1])] == ["6"]
    assert [number for _, number in re.findall(LINK, lost[1])] == ["4", "6"]
    check_links(club, f"/people/{ADA}")


def test_games_of_streaks_and_against_another_person_are_the_right_ones(club: Api) -> None:
    """By hand: lost, won, won, level, lost, lost. Both have won the level game."""
    scores = ((1, 2), (3, 1), (5, 4), (2, 2), (0, 1), (1, 9))
    games = [play(club, *each, happened_at=f"2025-07-0{day}T20:00:00Z") for day, each in enumerate(scores, 1)]

    def behind(about: str, person: str = ADA) -> list[int]:
        found = club.get(f"/v1/statistics/games?player={person}&about={about}").get_json()["games"]
        return sorted(games.index(each["game"]) for each in found)

    assert of(club, ADA)["figures"]["streaks"] == {"won": 3, "lost": 2, "current": -2}
    assert (behind("streak-won"), behind("streak-lost")) == ([1, 2, 3], [4, 5])
    assert behind(f"before:{BOB}") == behind(f"behind:{ADA}", BOB) == [1, 2]
    assert (behind(f"behind:{BOB}"), behind(f"level:{BOB}"), behind(f"before:{ADA}")) == ([0, 4, 5], [3], [])
    assert (behind("month:2025-07"), behind("month:2025-08")) == ([0, 1, 2, 3, 4, 5], [])
    assert "before: Bob" in club.get(f"/statistics/games?player={ADA}&about=before:{BOB}").text
    for about in ("before", "streak-won:x", "month", "scores", "scores:", "scores:1", "scores:x:1", "scores:1:2:3"):
        refused = club.get(f"/v1/statistics/games?player={ADA}&about={about}")
        assert refused.get_json()["errors"] == [{"field": "about", "message": "unknown figure"}]


def _table(api: Api, path: str) -> list[dict[str, str]]:
    saved = api.get(path)
    assert (saved.status_code, saved.content_type) == (200, "text/csv; charset=utf-8")
    return list(csv.DictReader(io.StringIO(saved.text)))


@pytest.mark.slow
def test_each_table_as_csv_has_the_numbers_of_the_json(club: Api) -> None:
    for scores in ((3, 1), (1, 3), (2, 2), (5, 1), (4, 1)):
        play(club, *scores)
    found = club.get("/v1/ratings").get_json()
    rows = _table(club, "/people/table.csv")
    assert [(row["name"], row["rating"], row["games"]) for row in rows] == [
        (found["names"][each["player"]], str(each["points"]), str(each["n"])) for each in found["ratings"]
    ]
    for query, tables in (("", 8), ("?kind=kahuna", 1), ("?to=1999-01-01", 1)):
        figures = of(club, ADA, query)["figures"]
        rows = _table(club, f"/people/{ADA}/table.csv{query}")
        assert len({row["table"] for row in rows}) >= min(tables, 7)
        assert [row["games"] for row in rows if row["table"] == "all"] == [str(figures["n"])]
        assert {row["of"]: row["before"] for row in rows if row["table"] == "opponents"} == {
            each["player"]: str(each["before"]) for each in figures["opponents"]
        }
        assert sum(int(row["games"]) for row in rows if row["table"] == "months") == figures["n"]
    until(lambda: club.get(f"/v1/statistics?player={ADA}").get_json()["read"] == 5)
    moves = club.get(f"/v1/statistics?player={ADA}").get_json()["kinds"][0]
    rows = _table(club, f"/statistics/table.csv?player={ADA}")
    assert {row["of"]: row["total"] for row in rows if row["table"] == "points"} == {
        each["about"]: str(each["total"]) for each in moves["points"]
    }
    assert sum(int(row["total"]) for row in rows if row["table"] == "scores") == 5
    year = club.get("/v1/statistics/year").get_json()["figures"]
    rows = _table(club, "/year/table.csv")
    assert [row["games"] for row in rows if row["table"] == "months"] == [str(n) for n in year["months"]]
    assert [(row["of"], row["wins"]) for row in rows if row["table"] == "standings"] == [
        (each["player"], str(each["share"]["wins"])) for each in year["standings"]
    ]
    assert club.get("/people/table.csv?locale=de&bom=true").text.startswith("\ufeffrank;player;name;rating")
    for page in ("/people", f"/people/{ADA}", "/statistics", "/year"):
        (link,) = re.findall(r'href="([^"]*table\.csv[^"]*)"', club.get(page).text)
        assert club.get(unescape(link)).text.startswith("\ufeff"), "the page asks for what spreadsheets read"


def test_the_list_finds_a_score_sheet_by_its_name(club: Api) -> None:
    game = play(club, 3, 1)
    (row,) = club.get("/v1/games?q=running+total").get_json()["games"]
    assert (row["game"], row["game_name"]["en"]) == (game, "Rounds with a running total")
    assert json.loads(club.get("/v1/games?q=zzz").data)["games"] == []


def test_partners_of_a_team_stand_apart_from_opponents(club: Api) -> None:
    cleo, dan = (ADA[:-1] + end for end in "cd")
    for person, name in ((cleo, "Cleo"), (dan, "Dan")):
        club.request("PUT", f"/v1/players/{person}", json={"name": name})
    seats = [{"player": each} for each in (ADA, BOB, cleo, dan)]
    for _ in range(5):
        game = club.open(ruleset="scoresheet", options={"template": "teams"}, seats=seats)
        assert club.record(game, "r1 9 4", "end").status_code == 201
        club.show(game)
    club.catch_up()
    found = of(club, ADA)["figures"]
    others = {each.pop("player"): each for each in found["opponents"]}
    assert others[cleo] == {"n": 0, "before": 0, "behind": 0, "level": 0, "beside": 5, "beside_won": 5}
    assert others[BOB] == {"n": 5, "before": 5, "behind": 0, "level": 0, "beside": 0, "beside_won": 0}
    assert (found["rival"], found["nemesis"]) == (dan, None)
    for about, games in (("beside", 5), ("beside-won", 5), ("met", 0), ("level", 0)):
        assert club.get(f"/v1/statistics/games?player={ADA}&about={about}:{cleo}").get_json()["n"] == games
    page = club.get(f"/people/{ADA}").get_data(as_text=True)
    titles = {
        f"met:{BOB}": "Against others: Bob",
        f"beside:{cleo}": "On the same side: Cleo",
        f"beside-won:{cleo}": "On the same side (Wins): Cleo",
    }
    for about, title in titles.items():
        (address,) = re.findall(f'href="([^"]*about={about}[^"]*)"', page)
        assert title in club.get(unescape(address)).get_data(as_text=True)
    _, against, beside = re.split("<h2>(?:Against others|On the same side)</h2>", page)
    assert ("Bob" in against, "Cleo" in against) == (True, False)
    assert "Cleo" in beside.partition("</section>")[0]
    rows = list(csv.DictReader(io.StringIO(club.get(f"/people/{ADA}/table.csv").get_data(as_text=True))))
    assert [(row["name"], row["games"], row["wins"]) for row in rows if row["table"] == "beside"] == [
        ("Cleo", "5", "5")
    ]
    assert sorted(row["name"] for row in rows if row["table"] == "opponents") == ["Bob", "Dan"]
