"""Statistics, ratings and a season, computed once more from the exported tables alone, by other code."""

from __future__ import annotations

import csv
import io
import random
from collections import Counter, defaultdict
from datetime import datetime
from itertools import combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING, Any

import pytest
from openskill.models import PlackettLuce
from uuid_utils import uuid7

from tests.service.conftest import Guest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.service.conftest import Api

NAMES = ("Aiko", "Ben", "Cleo", "Dai", "Emi")
GAMES = 24

Play = list[dict[str, str]]
"""The seats of a game, as the exported table has them."""


def _record(api: Api) -> tuple[str, dict[str, str]]:
    """Games of two to four of five people with random points, all of them a club's: the club, and the people's ids."""
    chance, people = random.Random(34), {name: str(uuid7()) for name in NAMES}
    for name, player in people.items():
        assert api.request("PUT", f"/v1/players/{player}", json={"name": name}).status_code == 200
    club = str(uuid7())
    assert api.post("/v1/clubs", {"id": club, "name": "Thursday Club"}).status_code == 201
    for number in range(GAMES):
        seats = chance.sample(NAMES, chance.randint(2, 4))
        points = [chance.randint(0, 6) for _ in seats]
        game = api.open(
            ruleset="scoresheet",
            options={"template": "rounds"},
            seats=[{"player": people[name]} for name in seats],
            happened_at=f"2026-10-{chance.randint(1, 28):02}T20:{number:02}:00+09:00",
        )
        api.record(game, "r1 " + " ".join(map(str, points)), "end")
        attached = {"id": str(uuid7()), "type": "club.game_attached", "data": {"game": game}}
        assert api.post(f"/v1/clubs/{club}/entries", attached).status_code == 201
    api.catch_up()
    return club, people


def _exported(api: Api) -> list[tuple[str, Play]]:
    """The exported games that are over, in the order of play, each with its seats."""
    tables: dict[str, list[dict[str, str]]] = {}
    for name in ("games", "seats"):
        answer = api.get(f"/v1/exports/{name}.csv")
        assert answer.status_code == 200
        tables[name] = list(csv.DictReader(io.StringIO(answer.text)))
    seats = defaultdict[str, Play](list)
    for row in tables["seats"]:
        seats[row["game"]].append(row)
    over = [row for row in tables["games"] if row["status"] == "finished" and not row["origin"]]
    return [(row["game"], seats[row["game"]]) for row in sorted(over, key=lambda row: (row["played_at"], row["game"]))]


@pytest.fixture
def club(api: Api) -> tuple[str, dict[str, str]]:
    """The club with the games, and the people."""
    return _record(api)


def _chance_to_win(play: Play, player: str) -> float:
    """The part of all ways to choose the winning seats that have a seat of this player."""
    own, winners = len(_rows(play, player)), sum(row["won"] == "1" for row in play)
    return 1 - comb(len(play) - own, winners) / comb(len(play), winners)


def _check_figures(reader: Api, people: Iterable[str]) -> None:
    """See that the figures of these people are those of the tables that the reader may export."""
    exported = _exported(reader)
    assert reader.get("/v1/statistics/games").get_json()["n"] == len(exported)
    for player in people:
        own = [play for _, play in exported if any(row["player"] == player for row in play)]
        answer = reader.get(f"/v1/players/{player}/statistics").get_json()
        if answer.get("player") != player:
            assert not own, "nothing is known of somebody, or they go by another id"
            continue
        found = answer["figures"]
        assert (found["n"], sum(found["months"].values())) == (len(own), len(own))
        against = [play for play in own if any(row["player"] != player for row in play)]
        assert found["share"]["wins"] == sum(any(row["won"] == "1" for row in _rows(play, player)) for play in against)
        assert found["share"]["by_chance"] == pytest.approx(sum(_chance_to_win(play, player) for play in against))
        told = {each["player"]: (each["before"], each["behind"], each["level"]) for each in found["opponents"]}
        assert told == _met(own, player)
        scores = [int(row["points"]) for play in own for row in _rows(play, player)]
        for kind in found["kinds"]:
            assert kind["average"] == pytest.approx(sum(scores) / len(scores))
            assert kind["best"]["points"] == max(scores)


def _rows(play: Play, player: str) -> Play:
    return [row for row in play if row["player"] == player]


def _met(own: list[Play], player: str) -> dict[str, tuple[int, ...]]:
    """For each opponent, how often somebody came before them, behind them, and level with them."""
    met = defaultdict[str, list[int]](lambda: [0, 0, 0])
    for play in own:
        best = min(int(row["rank"]) for row in _rows(play, player))
        for other in {row["player"] for row in play} - {player, ""}:
            theirs = min(int(row["rank"]) for row in _rows(play, other))
            met[other][0 if best < theirs else 1 if best > theirs else 2] += 1
    return {other: tuple(counts) for other, counts in met.items()}


def _check_ratings(reader: Api) -> dict[str, Any]:
    """See that the ratings are those of openskill from the tables that the reader may export; the answer."""
    model, ratings, played = PlackettLuce(), dict[str, Any](), Counter[str]()
    errors = list[float]()
    for _, play in _exported(reader):
        players = [row["player"] for row in play]
        if len(play) < 2 or "" in players or len(set(players)) < len(players):
            continue
        teams = [[ratings.get(player) or model.rating()] for player in players]
        winners = sum(row["won"] == "1" for row in play)
        for row, chance in zip(play, model.predict_win(teams), strict=True):
            errors.append((chance - (row["won"] == "1") / winners) ** 2)
        after = model.rate(teams, ranks=[float(row["rank"]) for row in play])
        ratings |= {player: rating for player, (rating,) in zip(players, after, strict=True)}
        played.update(players)
    found: dict[str, Any] = reader.get("/v1/ratings").get_json()
    assert {each["player"] for each in found["ratings"]} == {each for each in played if played[each] >= 5}
    assert {each["player"]: each["n"] for each in found["ratings"] + found["newcomers"]} == played
    for each in found["ratings"] + found["newcomers"]:
        rating = ratings[each["player"]]
        assert (each["mu"], each["sigma"]) == pytest.approx((rating.mu, rating.sigma), abs=0.006)
    if errors:
        assert found["brier"]["n"] == len(errors)
        assert found["brier"]["score"] == pytest.approx(sum(errors) / len(errors), abs=1e-4)
    return found


def _odd_games(api: Api, people: dict[str, str]) -> list[str]:
    """Games of one to five, with guests and with somebody in two seats; some are public, and some have a fork."""
    chance, games = random.Random(5), list[str]()
    for number in range(GAMES):
        names = ["Ben", "Ben"] if number % 9 == 4 else chance.sample([*people, ""], chance.randint(1, 5))
        game = api.open(
            ruleset="scoresheet",
            options={"template": "rounds"},
            seats=[{"player": people[name]} if name else {} for name in names],
            happened_at=f"2025-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}T23:{number:02}:00+09:00",
        )
        api.record(game, "r1 " + " ".join(str(chance.randint(0, 4)) for _ in names), "end")
        if number % 3 == 0:
            api.show(game)
        if number % 8 == 3:
            fork = str(uuid7())
            assert api.post(f"/v1/games/{game}/forks", {"id": fork}).status_code == 201
            api.show(fork)
        games.append(game)
    return games


@pytest.mark.slow
def test_each_reader_has_the_figures_of_the_tables_that_they_may_export(api: Api) -> None:
    people = {name: str(uuid7()) for name in (*NAMES, "Aiko again")}
    for name, player in people.items():
        assert api.request("PUT", f"/v1/players/{player}", json={"name": name}).status_code == 200
    games = _odd_games(api, people)
    viewer = api.let_in(games={games[1]: "viewer", games[5]: "viewer", games[8]: "recorder"})
    readers = [api, viewer, api.let_in(person=people["Ben"]), Guest(api.app, "", None)]

    def all_ratings() -> list[list[tuple[str, float]]]:
        """Those of each reader, who is seen to have the right figures."""
        api.catch_up()
        for reader in readers:
            _check_figures(reader, people.values())
        found = [_check_ratings(reader) for reader in readers]
        return [[(each["player"], each["mu"]) for each in ratings["ratings"]] for ratings in found]

    def enter(game: str, kind: str, **data: Any) -> None:
        event = {"id": str(uuid7()), "type": kind, "data": data | {"reason": "misread"}}
        assert api.post(f"/v1/games/{game}/events", {"events": [event]}).status_code == 201

    before, merge = all_ratings(), f"/v1/players/{people['Aiko again']}/merge"
    assert api.request("PUT", merge, json={"into": people["Aiko"]}).status_code == 200
    assert all_ratings() != before
    assert api.request("DELETE", merge).status_code == 204
    assert all_ratings() == before
    assert api.request("DELETE", f"/v1/players/{people['Cleo']}").status_code == 204
    assert all_ratings() == before, "an erased name changes no number"
    seats = api.get(f"/v1/games/{games[0]}").get_json()["seats"]
    enter(games[0], "entry.replaced", entry=2, move="r1 " + " ".join(["9"] * len(seats)))
    enter(games[3], "entry.withdrawn", entry=3)
    api.show(games[6], "private")
    all_ratings()


@pytest.mark.slow
def test_the_table_of_a_season_is_that_of_the_exported_tables(api: Api, club: tuple[str, dict[str, str]]) -> None:
    season, points, best = str(uuid7()), {2: (3, 0), 3: (4, 2, 0), 4: (5, 3, 1, 0)}, 5
    rules = {"points": [list(each) for each in points.values()], "best": best, "least": 3}
    body = {"id": season, "name": "Autumn", "club": club[0], "rules": rules}
    assert api.post("/v1/seasons", body).status_code == 201
    given = defaultdict[str, list[float]](list)
    for _, play in _exported(api):
        for row in play:
            rank = int(row["rank"])
            ahead = sum(int(other["rank"]) < rank for other in play)
            level = sum(int(other["rank"]) == rank for other in play)
            given[row["player"]].append(sum(points[len(play)][ahead : ahead + level]) / level)
    wanted = {player: sum(sorted(each, reverse=True)[:best]) for player, each in given.items()}
    found = api.get(f"/v1/seasons/{season}").get_json()["table"]
    assert {row["player"]: row["points"] for row in found} == pytest.approx(wanted, abs=1e-3)
    for row in found:
        more = sum(points > row["points"] + 1e-6 for player, points in wanted.items() if len(given[player]) >= 3)
        assert row["rank"] == (1 + more if len(given[row["player"]]) >= 3 else None)
        assert row["played"] == len(given[row["player"]])


OFTEN = (
    "2023-12-31T23:30:00+09:00",  # still December in Tokyo
    "2024-01-01T00:10:00+09:00",  # in UTC it was the year before
    "2024-02-29T23:59:00+13:00",
    "2024-03-01T00:01:00-08:00",
    "2024-03-31T01:30:00+00:00",  # half an hour before the clocks of Porto went on
    "2024-03-31T03:30:00+01:00",
    "2024-10-27T02:30:00+02:00",  # the hour that Berlin had twice
    "2024-10-27T02:30:00+01:00",
    "2024-12-31T20:00:00-05:00",  # in UTC it was the next year
    "2024-12-31T23:59:59.999Z",
)
"""Moments at which clocks of tables and of the service do not have the same day, month or year."""


@pytest.mark.slow
def test_a_day_a_month_and_a_year_are_those_of_the_clock_of_each_table(api: Api) -> None:
    person, games = str(uuid7()), dict[str, str]()
    assert api.request("PUT", f"/v1/players/{person}", json={"name": "Aiko"}).status_code == 200
    for at in OFTEN:
        seats = [{"player": person}, {}]
        game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=seats, happened_at=at)
        api.record(game, "r1 2 1", "end")
        games[game] = at[:10]
    api.catch_up()
    exported = csv.DictReader(io.StringIO(api.get("/v1/exports/games.csv").text))
    assert {row["game"]: row["played_at"][:10] for row in exported} == games
    days = sorted({*games.values()} | {"2023-12-30", "2024-02-28", "2025-01-01"})
    for first, last in combinations_with_replacement(days, 2):
        within, period = sum(first <= day <= last for day in games.values()), f"from={first}&to={last}"
        told = api.get(f"/v1/players/{person}/statistics?{period}").get_json()["figures"]
        moves = api.get(f"/v1/statistics?{period}").get_json()
        behind = api.get(f"/v1/statistics/games?{period}").get_json()
        rows = csv.DictReader(io.StringIO(api.get(f"/v1/exports/games.csv?{period}").text))
        assert (told["n"], moves["n"], behind["n"], len(list(rows))) == (within,) * 4, period
    for about in ("", f"player={person}&"):
        for year in ("2023", "2024", "2025"):
            of_year = [day for day in games.values() if day[:4] == year]
            told = api.get(f"/v1/statistics/year?{about}year={year}").get_json()["figures"]
            assert (told["n"], told["days"]) == (len(of_year), len({*of_year}))
            assert told["months"] == [sum(day[5:7] == f"{month:02}" for day in of_year) for month in range(1, 13)]
    found = api.get(f"/v1/players/{person}/statistics").get_json()["figures"]["months"]
    assert found == Counter(day[:7] for day in games.values())
    order = [each["game"] for each in api.get("/v1/statistics/games").get_json()["games"]]
    assert order == sorted(games, key=lambda game: datetime.fromisoformat(OFTEN[[*games].index(game)]), reverse=True)


def _bonus(play: Play, row: dict[str, str]) -> int:
    """Points beside those of the place: 1 for 5 points and more, 2 for a win by 2, 3 for a loss by 1 at the most."""
    own, others = int(row["points"]), [int(each["points"]) for each in play if each is not row]
    alone = row["won"] == "1" and sum(each["won"] == "1" for each in play) == 1
    return (own >= 5) + 2 * (alone and own - max(others) >= 2) + 3 * (row["won"] == "0" and max(others) - own <= 1)


def _counted_back(api: Api, first: str, last: str, out: str) -> dict[str, tuple[Any, ...]]:
    """Of each person: points, wins, second places, the mean and the best game; games in the order of the table."""
    games: dict[str, list[tuple[float, int]]] = defaultdict(list)
    days = {
        row["game"]: row["played_at"][:10] for row in csv.DictReader(io.StringIO(api.get("/v1/exports/games.csv").text))
    }
    for game, play in _exported(api):
        if game == out or not first <= days[game] <= last:
            continue
        for row in play:
            better = sum(int(each["points"]) > int(row["points"]) for each in play)
            level = sum(int(each["points"]) == int(row["points"]) for each in play)
            shares = [(4, 2, 0, 0)[place] for place in range(better, better + level)]
            games[row["player"]].append((sum(shares) / level + _bonus(play, row), better + 1))
    found = {}
    for player, own in games.items():
        totals, places = sorted((total for total, _ in own), reverse=True), [place for _, place in own]
        best = (round(sum(totals[:4]), 6), places.count(1), places.count(2))
        found[player] = (*best, round(sum(totals) / len(totals), 6), totals[0], len(own))
    return found


@pytest.mark.slow
def test_bonuses_left_out_games_periods_and_tie_breaks_of_a_season_are_those_of_the_tables(
    api: Api, club: tuple[str, dict[str, str]]
) -> None:
    season, (first, last), out = str(uuid7()), ("2026-10-04", "2026-10-26"), _exported(api)[7][0]
    bonuses = [
        {"kind": "score", "points": 1, "at": 5},
        {"kind": "won_by", "points": 2, "at": 2},
        {"kind": "lost_within", "points": 3, "at": 1},
    ]
    breaks = ["wins", "second_places", "average", "best_game"]
    rules = {"points": [[4, 2], [4, 2, 0], [4, 2, 0, 0]], "bonuses": bonuses, "best": 4, "least": 5}
    rules |= {"first": first, "last": last, "kind": "scoresheet/Rounds with a running total", "tie_breaks": breaks}
    body = {"id": season, "name": "Autumn", "club": club[0], "rules": rules}
    assert api.post("/v1/seasons", body).status_code == 201
    for kind, data in (
        ("game_left_out", {"game": out, "reason": "a friendly"}),
        ("points_given", {"player": club[1]["Ben"], "points": -3, "reason": "late"}),
    ):
        entry = {"id": str(uuid7()), "type": f"season.{kind}", "data": data}
        assert api.post(f"/v1/seasons/{season}/entries", entry).status_code == 201
    wanted = _counted_back(api, first, last, out)
    ben = wanted[club[1]["Ben"]]
    wanted[club[1]["Ben"]] = (ben[0] - 3, *ben[1:])
    found = api.get(f"/v1/seasons/{season}").get_json()["table"]
    assert {row["player"] for row in found} == {*wanted}
    for row in found:
        values = [each["value"] for each in row["tie_breaks"]]
        assert (row["points"], *values, row["played"]) == pytest.approx(wanted[row["player"]], abs=2e-3)
        ahead = sum(each[:-1] > wanted[row["player"]][:-1] for each in wanted.values() if each[-1] >= 5)
        assert row["rank"] == (1 + ahead if row["played"] >= 5 else None)
