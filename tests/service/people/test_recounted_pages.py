"""What pages tell of a person, a pair, a place, a club and a year, counted once more from the exported tables alone."""

from __future__ import annotations

import csv
import io
import random
from collections import Counter, defaultdict
from itertools import groupby
from math import sqrt
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from tests.service.conftest import Guest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.service.conftest import Api

PEOPLE = [f"0199d2f3-6a00-7000-8000-0000000000c{number}" for number in range(4)]
PLACES = ("Café", "Home")

Row = dict[str, str]


class Play:
    """A game of the exported tables: its row, and the rows of its seats."""

    def __init__(self, game: Row, seats: list[Row]) -> None:
        self.game, self.seats = game, seats
        self.kind, self.day = game["name"], game["played_at"][:10]

    def own(self, player: str) -> Row:
        return next(row for row in self.seats if row["player"] == player)

    def has(self, *people: str) -> bool:
        return set(people) <= {row["player"] for row in self.seats}


@pytest.fixture
def club(api: Api) -> str:
    """A club with two of three games of four people, some of them public, in two kinds and at two places; its id."""
    chance, club = random.Random(5), str(uuid7())
    for number, player in enumerate(PEOPLE):
        assert api.request("PUT", f"/v1/players/{player}", json={"name": f"Player {number}"}).status_code == 200
    assert api.post("/v1/clubs", {"id": club, "name": "Club", "public": True}).status_code == 201
    for number in range(24):
        game = api.open(
            ruleset="scoresheet",
            options={"template": chance.choice(("rounds", "rummikub"))},
            seats=[{"player": player} for player in chance.sample(PEOPLE, chance.randint(2, 4))],
            happened_at=f"202{4 + number % 2}-{1 + number % 12:02}-{1 + number:02}T20:00:00Z",
            place=chance.choice(PLACES),
        )
        points = [chance.randint(0, 9) for _ in api.get(f"/v1/games/{game}").get_json()["seats"]]
        assert api.record(game, "r1 " + " ".join(map(str, points)), "end").status_code == 201
        if number % 3:
            body = {"id": str(uuid7()), "type": "club.game_attached", "data": {"game": game}}
            assert api.post(f"/v1/clubs/{club}/entries", body).status_code == 201
        api.show(game, "public" if number % 4 else "private")
    api.catch_up()
    return club


def _exported(api: Api) -> list[Play]:
    """The games that a reader may export, in the order of play."""
    tables = {
        name: list(csv.DictReader(io.StringIO(api.get(f"/v1/exports/{name}.csv").text))) for name in ("games", "seats")
    }
    seats = defaultdict[str, list[Row]](list)
    for row in tables["seats"]:
        seats[row["game"]].append(row)
    return [
        Play(row, seats[row["game"]])
        for row in sorted(tables["games"], key=lambda row: (row["played_at"], row["game"]))
    ]


def _share(plays: list[Play], player: str) -> dict[str, Any]:
    """Wins beside chance, with the interval of Wilson as a textbook has it."""
    n, wins = len(plays), sum(play.own(player)["won"] == "1" for play in plays)
    chances = [sum(row["won"] == "1" for row in play.seats) / len(play.seats) for play in plays]
    z, share = 1.96, wins / n
    middle, wide = share + z * z / (2 * n), z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low, high = ((middle + sign * wide) / (1 + z * z / n) for sign in (-1, 1))
    return {"n": n, "wins": wins, "by_chance": sum(chances), "low": low, "high": high}


def _by_seat(plays: list[Play], player: str) -> list[tuple[int, int, Any]]:
    found = defaultdict[tuple[int, int], list[Play]](list)
    for play in plays:
        found[len(play.seats), int(play.own(player)["seat"])].append(play)
    return [(*where, pytest.approx(_share(of, player))) for where, of in sorted(found.items())]


def _nemesis(plays: list[Play], player: str) -> set[str]:
    """Those with the largest lead of five games or more."""
    lead, met = Counter[str](), Counter[str]()
    for play in plays:
        own = int(play.own(player)["rank"])
        for row in play.seats:
            if row["player"] != player:
                met[row["player"]] += 1
                lead[row["player"]] += (int(row["rank"]) < own) - (int(row["rank"]) > own)
    ahead = {other: lead[other] for other in lead if met[other] >= 5 and lead[other] > 0}
    return {other for other in ahead if ahead[other] == max(ahead.values())}


def _check_person(reader: Api, plays: list[Play], player: str) -> None:
    own = [play for play in plays if play.has(player)]
    found = reader.get(f"/v1/players/{player}/statistics").get_json()["figures"]
    assert found["share"] == pytest.approx(_share(own, player))
    assert [(each["players"], each["seat"], each["share"]) for each in found["seats"]] == _by_seat(own, player)
    for players, share in found["by_players"].items():
        assert share == pytest.approx(_share([play for play in own if len(play.seats) == int(players)], player))
    runs = [(won, len([*run])) for won, run in groupby(play.own(player)["won"] == "1" for play in own)]
    longest = [max((length for won, length in runs if won is which), default=0) for which in (True, False)]
    current = runs[-1][1] if runs[-1][0] else -runs[-1][1]
    assert [found["streaks"][name] for name in ("won", "lost", "current")] == [*longest, current]
    assert found["nemesis"] in (_nemesis(own, player) or {None})
    counts = sorted(Counter(play.kind for play in own).values(), reverse=True)
    assert found["h_index"] == sum(count >= place for place, count in enumerate(counts, 1))
    assert found["months"] == Counter(play.day[:7] for play in own)


def _check_moves(reader: Api, plays: list[Play], query: str, player: str | None = None) -> None:
    """See that the figures from the moves of some games are those of the tables."""
    while (found := reader.get(f"/v1/statistics?{query}").get_json())["read"] < found["n"]:
        assert found["read"] > 0
    assert found["n"] == len(plays)
    assert {each["kind"].partition("/")[2]: each["n"] for each in found["kinds"]} == Counter(
        play.kind for play in plays
    )
    for each in found["kinds"]:
        of = [play for play in plays if play.kind == each["kind"].partition("/")[2]]
        scores = [int(row["points"]) for play in of for row in play.seats if player in (None, row["player"])]
        assert (each["average"], each["median"]) == (pytest.approx(fmean(scores)), median(scores))
        assert sum(points["total"] for points in each["points"]) == sum(scores)
        assert all(sum(low <= score <= high for score in scores) == n for low, high, n in each["distribution"])
        assert sum(n for _, _, n in each["distribution"]) == len(scores)
        if player:
            seats = [(one["players"], one["seat"], one["share"]) for one in each["seats"]]
            assert seats == _by_seat(of, player)


def _check_year(reader: Api, plays: list[Play], year: int, query: str = "") -> None:
    found = reader.get(f"/v1/statistics/year?year={year}{query}").get_json()["figures"]
    of = [play for play in plays if play.day.startswith(str(year))]
    assert (found["n"], found["days"]) == (len(of), len({play.day for play in of}))
    assert found["months"] == [sum(play.day[5:7] == f"{month:02}" for play in of) for month in range(1, 13)]
    assert {each["name"].partition("/")[2]: each["n"] for each in found["kinds"]} == Counter(play.kind for play in of)
    people = Counter(row["player"] for play in of for row in play.seats if f"player={row['player']}" not in query)
    assert {each["name"]: each["n"] for each in found["people"]} == people


def _readers(api: Api) -> Iterator[tuple[Api, list[Play]]]:
    for reader in (api, Guest(api.app, "", None), api.let_in(person=PEOPLE[0])):
        yield reader, _exported(reader)


@pytest.mark.slow
@pytest.mark.service("file")
def test_pages_of_people_pairs_places_clubs_and_years_are_those_of_the_tables(api: Api, club: str) -> None:
    attached = set(api.get(f"/v1/clubs/{club}").get_json()["games"])
    sizes = set[int]()
    for reader, plays in _readers(api):
        sizes.add(len(plays))
        for player in PEOPLE:
            _check_person(reader, plays, player)
            own = [play for play in plays if play.has(player)]
            _check_moves(reader, own, f"player={player}", player)
            for year in (2024, 2025):
                _check_year(reader, own, year, f"&player={player}")
        first, second = PEOPLE[:2]
        pair = [play for play in plays if play.has(first, second)]
        _check_moves(reader, pair, f"player={first}&with={second}", first)
        for place in PLACES:
            _check_moves(reader, [play for play in plays if play.game["place"] == place], f"place={place}")
        of_club = [play for play in plays if play.game["game"] in attached]
        _check_moves(reader, of_club, f"club={club}")
        _check_year(reader, of_club, 2024, f"&club={club}")
        _check_moves(reader, [play for play in plays if len(play.seats) == 3], "players=3")
        period = [play for play in plays if "2024-03-01" <= play.day <= "2025-06-30"]
        _check_moves(reader, period, "from=2024-03-01&to=2025-06-30")
    assert max(sizes) > min(sizes), "a stranger sees fewer games"
