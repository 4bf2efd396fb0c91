"""Statistics, ratings and a season, computed once more from the exported tables alone, by other code."""

from __future__ import annotations

import csv
import io
import random
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import pytest
from openskill.models import PlackettLuce
from uuid_utils import uuid7

if TYPE_CHECKING:
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
    over = [row for row in tables["games"] if row["status"] == "finished"]
    return [(row["game"], seats[row["game"]]) for row in sorted(over, key=lambda row: (row["played_at"], row["game"]))]


def _rank(play: Play, player: str) -> int:
    return next(int(row["rank"]) for row in play if row["player"] == player)


@pytest.fixture
def club(api: Api) -> tuple[str, dict[str, str]]:
    """The club with the games, and the people."""
    return _record(api)


@pytest.mark.slow
def test_the_figures_of_every_person_are_those_of_the_exported_tables(
    api: Api, club: tuple[str, dict[str, str]]
) -> None:
    exported, people = _exported(api), club[1]
    assert len(exported) == GAMES
    for player in people.values():
        own = [play for _, play in exported if any(row["player"] == player for row in play)]
        won = [any(row["won"] == "1" and row["player"] == player for row in play) for play in own]
        by_chance = sum(sum(row["won"] == "1" for row in play) / len(play) for play in own)
        met = defaultdict[str, Counter[str]](Counter)
        for play in own:
            for row in play:
                if row["player"] != player:
                    ahead, level = _rank(play, player) < int(row["rank"]), _rank(play, player) == int(row["rank"])
                    met[row["player"]]["level" if level else "before" if ahead else "behind"] += 1
        found = api.get(f"/v1/players/{player}/statistics").get_json()["figures"]
        assert (found["n"], found["share"]["wins"]) == (len(own), sum(won))
        assert found["share"]["by_chance"] == pytest.approx(by_chance)
        told = {
            each["player"]: Counter(before=each["before"], behind=each["behind"], level=each["level"])
            for each in found["opponents"]
        }
        assert told == dict(met)
        scores = [int(row["points"]) for play in own for row in play if row["player"] == player]
        (kind,) = found["kinds"]
        assert kind["average"] == pytest.approx(sum(scores) / len(scores))
        assert kind["best"]["points"] == max(scores)
        assert sum(found["months"].values()) == len(own)


@pytest.mark.slow
def test_the_ratings_are_those_of_the_exported_tables(api: Api, club: tuple[str, dict[str, str]]) -> None:
    model, ratings, played = PlackettLuce(), dict[str, Any](), Counter[str]()
    error, predictions = 0.0, 0
    for _, play in _exported(api):
        teams = [[ratings.get(row["player"]) or model.rating()] for row in play]
        winners = sum(row["won"] == "1" for row in play)
        for row, chance in zip(play, model.predict_win(teams), strict=True):
            error += (chance - (1 / winners if row["won"] == "1" else 0)) ** 2
            predictions += 1
        after = model.rate(teams, ranks=[float(row["rank"]) for row in play])
        ratings |= {row["player"]: team[0] for row, team in zip(play, after, strict=True)}
        played.update(row["player"] for row in play)
    found = api.get("/v1/ratings").get_json()
    assert {each["player"] for each in found["ratings"]} == {each for each in played if played[each] >= 5}
    for each in found["ratings"]:
        rating = ratings[each["player"]]
        assert (each["n"], each["mu"], each["sigma"]) == (
            played[each["player"]],
            round(rating.mu, 2),
            round(rating.sigma, 2),
        )
    assert found["brier"]["n"] == predictions
    assert found["brier"]["score"] == pytest.approx(error / predictions, abs=1e-4)


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
