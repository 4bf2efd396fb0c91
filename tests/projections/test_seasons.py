"""The table of a season: which games count, what they give, and what decides between equal points."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from events.errors import BadEventError
from events.seasons import Bonus, SeasonPointsGiven, SeasonRules
from projections.seasons import Season, SeasonRow, check_season_rules, games_that_count, season_table
from projections.statistics.results import Result
from tests.choosing import soak_except

DAYS = iter(range(1, 1000))


def played(*scores: int, seats: str = "abcdef", day: str = "2026-10-01", kind: str = "hearts", **more: Any) -> Result:
    number = next(DAYS)
    ranks = tuple(1 + sum(other > own for other in scores) for own in scores)
    people = tuple(None if seat == "-" else seat for seat in seats[: len(scores)])
    given: dict[str, Any] = {
        "game": f"game-{number}",
        "kind": kind,
        "played_at": number,
        "day": day,
        "minutes": 10,
        "seats": people,
        "scores": scores,
        "ranks": ranks,
        "winners": frozenset(seat for seat, rank in enumerate(ranks) if rank == 1),
        "together": False,
        "irregular": 0,
    }
    return Result(**given | more)


def season(**rules: Any) -> Season:
    made = SeasonRules(**rules)
    check_season_rules(made)
    return Season(id="season", name="Autumn", description="", club="club", rules=made, founded_at=0)


def table(games: list[Result], given: Any = (), **rules: Any) -> list[SeasonRow]:
    made = season(**rules)
    made.given = dict(enumerate(given, 2))
    return season_table(made, games, lambda player: player, ())


def told(rows: list[SeasonRow]) -> list[tuple[int | None, str, float]]:
    return [(row.rank, row.player, float(row.points)) for row in rows]


def test_without_points_a_game_gives_the_share_of_opponents_beaten() -> None:
    rows = table([played(9, 5, 5, 1)])
    assert told(rows) == [(1, "a", 1), (2, "b", 0.5), (2, "c", 0.5), (4, "d", 0)]


def test_points_of_places_are_shared_by_those_on_equal_places() -> None:
    rows = table([played(9, 9, 3, 1), played(7, 4, 2, 1)], points=[[5, 3, 2, 0]])
    assert told(rows) == [(1, "a", 9), (2, "b", 7), (3, "c", 4), (4, "d", 0)]


def test_the_days_the_kind_the_number_of_players_and_cooperation_decide_which_games_count() -> None:
    fits = played(3, 2, 1)
    others = [
        played(3, 2, 1, day="2026-09-30"),
        played(3, 2, 1, day="2026-11-01"),
        played(3, 2, 1, kind="uno"),
        played(3, 2),
        played(3),
        played(3, 2, 1, together=True),
        played(3, 2, 1, seats="aab"),
        played(3, 2, 1, seats="---"),
    ]
    made = season(first="2026-10-01", last="2026-10-31", kind="hearts", points=[[3, 1, 0]])
    assert games_that_count(made, [*others, fits]) == [fits]
    left = played(3, 2, 1)
    made.left_out[left.game] = "a friendly game"
    assert games_that_count(made, [fits, left]) == [fits]


def test_the_best_games_count_and_every_line_adds_up() -> None:
    games = [played(3, 2, 1), played(1, 2, 3), played(2, 3, 1), played(3, 1, 2)]
    rows = table(games, points=[[4, 2, 1]], best=2)
    first = rows[0]
    assert (first.player, first.points) == ("a", 8)
    assert [line.counts for line in first.games] == [True, False, False, True]
    for row in rows:
        assert row.points == sum(line.total for line in row.games if line.counts)
        assert sum(line.counts for line in row.games) == 2


def test_somebody_with_too_few_games_has_no_rank_and_takes_none() -> None:
    rows = table([played(1, 2, seats="ab"), played(1, 2, seats="ab"), played(9, 1, seats="cb")], least=2)
    assert told(rows) == [(1, "b", 2), (2, "a", 0), (None, "c", 1)]


def test_guests_take_places_and_members_alone_can_be_in_the_table() -> None:
    games = [played(9, 5, 1, seats="-bc")]
    assert told(table(games, points=[[3, 2, 1]])) == [(1, "b", 2), (2, "c", 1)]
    made = season(members=True)
    assert told(season_table(made, games, lambda player: player, "c")) == [(1, "c", 0)]


@pytest.mark.parametrize(
    ("bonus", "earned"),
    [
        (Bonus(kind="played", points=1), "abc"),
        (Bonus(kind="score", points=1, at=20), "ab"),
        (Bonus(kind="won_by", points=1, at=7), "a"),
        (Bonus(kind="won_by", points=1, at=8), ""),
        (Bonus(kind="lost_within", points=1, at=7), "b"),
        (Bonus(kind="lost_within", points=1, at=30), "bc"),
    ],
)
def test_bonus_points_are_given_for_what_they_say(bonus: Bonus, earned: str) -> None:
    rows = table([played(27, 20, 3)], points=[[0, 0, 0]], bonuses=[bonus])
    assert {row.player for row in rows if row.points == 1} == set(earned)
    for row in rows:
        assert row.points == sum(points for line in row.games for _, points in line.bonuses)


def test_a_tie_earns_no_bonus_for_winning() -> None:
    assert not any(
        row.points for row in table([played(5, 5, 1)], points=[[0] * 3], bonuses=[Bonus(kind="won_by", points=1)])
    )


def test_points_of_organisers_are_added_also_for_somebody_without_a_game() -> None:
    given = [SeasonPointsGiven(player="b", points=5), SeasonPointsGiven(player="z", points=-2)]
    assert told(table([played(2, 1)], given=given)) == [(1, "b", 5), (2, "a", 1), (3, "z", -2)]


def test_tie_breaks_decide_in_their_order() -> None:
    games = [played(3, 2, 1, seats="abc"), played(3, 2, 1, seats="bac"), played(9, 2, 1, seats="acb")]
    points = [[2, 2, 0]]
    assert told(table(games, points=points))[0] == (1, "a", 6)
    level = [played(3, 2, 1, seats="abc"), played(3, 2, 1, seats="acb"), played(3, 2, 1, seats="cba")]
    assert [row.rank for row in table(level, points=[[1, 1, 1]])] == [1, 1, 1]
    by_wins = table(level, points=[[1, 1, 1]], tie_breaks=["wins"])
    assert [(row.rank, row.player, *row.values) for row in by_wins] == [(1, "a", 2), (2, "c", 1), (3, "b", 0)]
    by_seconds = table(level, points=[[1, 1, 1]], tie_breaks=["second_places", "wins"])
    assert [row.player for row in by_seconds] == ["b", "c", "a"]


def test_the_direct_encounter_decides_only_if_all_who_are_tied_met() -> None:
    met = [played(2, 1, seats="ab"), played(1, 2, seats="ac"), played(2, 1, seats="bd")]
    rows = {row.player: row for row in table(met, points=[[1, 1]], best=1, tie_breaks=["direct_encounter"])}
    assert {row.rank for row in rows.values()} == {1}
    both = [played(2, 1, seats="ab"), played(2, 1, seats="ab"), played(1, 2, seats="ab")]
    rows = {row.player: row for row in table(both, points=[[1, 1]], tie_breaks=["direct_encounter"])}
    assert (rows["a"].values, rows["b"].values) == ((Fraction(2, 3),), (Fraction(1, 3),))
    assert (rows["a"].rank, rows["b"].rank) == (1, 2)


def test_the_order_in_which_games_are_known_changes_nothing() -> None:
    games = [played(*scores) for scores in ((3, 2, 1), (1, 2, 3), (2, 2, 5), (4, 4, 4), (9, 1, 2))]
    rules: dict[str, Any] = {"points": [[3, 2, 1]], "best": 3, "tie_breaks": ["wins", "average", "direct_encounter"]}
    assert table(games, **rules) == table(games[::-1], **rules)


def test_a_count_back_as_in_motor_racing_is_wins_then_second_and_third_places() -> None:
    """FIA Formula One Sporting Regulations, article 7.2: first places decide, then second ones, then third ones."""
    games = [
        played(9, 5, 4, 3, seats="abcd"),
        played(9, 5, 4, 3, seats="bcad"),
        played(9, 5, 4, 3, seats="cbad"),
        played(9, 5, 4, 3, seats="dabc"),
    ]
    rules: dict[str, Any] = {"points": [[1, 1, 1, 1]], "tie_breaks": ["wins", "second_places", "third_places"]}
    assert [row.player for row in table(games, **rules)] == ["b", "a", "c", "d"]


def test_the_points_of_equal_places_are_added_and_shared() -> None:
    """FIA Formula One Sporting Regulations, article 7.1."""
    rows = table([played(9, 7, 7, 1)], points=[[9, 6, 4, 3]])
    assert told(rows) == [(1, "a", 9), (2, "b", 5), (2, "c", 5), (4, "d", 3)]


def test_the_best_eleven_of_sixteen_decided_the_world_championship_of_1988() -> None:
    """Senna had 90 of 94 points, Prost 87 of 105: https://pitwall.app/seasons/1988-formula-1-world-championship."""
    senna = (0, 1, 0, 2, 1, 1, 2, 1, 1, 1, 1, 0, 6, 4, 1, 2)
    prost = (1, 2, 1, 1, 2, 2, 1, 0, 2, 2, 2, 0, 1, 1, 2, 1)
    races = []
    for places in zip(senna, prost, strict=True):
        seats = [dict(zip(places, "sp", strict=True)).get(place, "-") for place in range(1, 7)]
        if set(seats) != {"-"}:
            races.append(played(6, 5, 4, 3, 2, 1, seats="".join(seats)))
    points = [[9, 6, 4, 3, 2, 1]]
    assert told(table(races, points=points, best=11)) == [(1, "s", 90), (2, "p", 87)]
    assert told(table(races, points=points)) == [(1, "p", 105), (2, "s", 94)]


def test_a_sum_of_scores_is_better_if_it_is_lower_where_few_points_win() -> None:
    ranks = {"ranks": (1, 2), "winners": frozenset({0})}
    golf = [played(60, 70, **ranks), played(65, 80, seats="ba", **ranks)]
    assert told(table(golf, tie_breaks=["score_total"])) == [(1, "b", 1), (2, "a", 1)]
    assert told(table([played(70, 60), played(80, 65, seats="ba")], tie_breaks=["score_total"])) == [
        (1, "b", 1),
        (2, "a", 1),
    ]


CODES = ("wins", "second_places", "third_places", "games", "average", "best_game", "score_total", "direct_encounter")


class Plain:
    """A season counted once more, by other code: everything of one person from the list of games alone."""

    def __init__(self, games: list[Result], points: dict[int, list[int]], best: int, bonus: int) -> None:
        self.best = best
        self.own: dict[str, list[tuple[Fraction, int, int]]] = {}
        self.met: dict[tuple[str, str], list[Fraction]] = {}
        for game in (each for each in games if len(each.seats) in points):
            for seat, player in enumerate(game.seats):
                if player is None:
                    continue
                ahead = sum(rank < game.ranks[seat] for rank in game.ranks)
                level = [each for each in range(len(game.seats)) if game.ranks[each] == game.ranks[seat]]
                share = Fraction(sum(points[len(game.seats)][ahead : ahead + len(level)]), len(level))
                self.own.setdefault(player, []).append((share + bonus, ahead + 1, game.scores[seat]))
                for other, rival in enumerate(game.seats):
                    if rival not in (None, player):
                        result = Fraction(
                            (game.ranks[seat] < game.ranks[other]) + (game.ranks[seat] <= game.ranks[other]), 2
                        )
                        self.met.setdefault((player, str(rival)), []).append(result)

    def points(self, player: str) -> Fraction:
        return sum(sorted((total for total, *_ in self.own[player]), reverse=True)[: self.best], Fraction())

    def value(self, code: str, player: str, tied: list[str]) -> Fraction:
        games = self.own[player]
        if code == "direct_encounter":
            pairs = [(one, other) for one in tied for other in tied if one != other]
            if not all(pair in self.met for pair in pairs):
                return Fraction()
            return sum(
                (sum(self.met[pair]) / Fraction(len(self.met[pair])) for pair in pairs if pair[0] == player), Fraction()
            )
        return Fraction(
            {
                "wins": sum(place == 1 for _, place, _ in games),
                "second_places": sum(place == 2 for _, place, _ in games),
                "third_places": sum(place == 3 for _, place, _ in games),
                "games": len(games),
                "average": sum(total for total, *_ in games) / len(games),
                "best_game": max(total for total, *_ in games),
                "score_total": sum(score for *_, score in games),
            }[code]
        )

    def ordered(self, people: list[str], codes: tuple[str, ...]) -> list[list[str]]:
        """Those who are equal together, the best first."""
        if not codes:
            return [sorted(people)]
        values = {player: self.value(codes[0], player, people) for player in people}
        groups = [
            [each for each in people if values[each] == value] for value in sorted(set(values.values()), reverse=True)
        ]
        return [part for group in groups for part in self.ordered(group, codes[1:])]


@pytest.mark.parametrize("seed", soak_except(range(20), *range(6)))
def test_a_season_is_that_of_a_plain_count_by_other_code(seed: int) -> None:
    chance = random.Random(seed)
    points = {size: sorted(chance.choices(range(9), k=size), reverse=True) for size in chance.sample(range(2, 6), 3)}
    best, least, bonus = chance.randint(1, 5), chance.randint(0, 3), chance.randint(1, 2)
    codes = tuple(chance.sample(CODES, chance.randint(0, 4)))
    seats = (chance.sample("abcdefgh-", chance.randint(2, 6)) for _ in range(chance.randint(0, 25)))
    games = [played(*(chance.randint(0, 5) for _ in own), seats="".join(own)) for own in seats]
    rows = table(
        games,
        points=list(points.values()),
        best=best,
        least=least,
        bonuses=[Bonus(kind="played", points=bonus)],
        tie_breaks=codes,
    )
    plain, rank = Plain(games, points, best, bonus), 1
    assert {row.player: row.points for row in rows} == {player: plain.points(player) for player in plain.own}
    enough = [player for player in plain.own if len(plain.own[player]) >= least]
    wanted = list[tuple[int, str]]()
    for total in sorted({plain.points(player) for player in enough}, reverse=True):
        for tied in plain.ordered([player for player in enough if plain.points(player) == total], codes):
            wanted += [(rank, player) for player in tied]
            rank += len(tied)
    assert sorted((row.rank, row.player) for row in rows if row.rank) == wanted
    assert {row.player for row in rows if row.rank is None} == plain.own.keys() - set(enough)


@pytest.mark.parametrize(
    ("rules", "path"),
    [
        ({"points": [[3, 1], [2, 0]]}, "data.rules.points"),
        ({"points": [[1, 3]]}, "data.rules.points"),
        ({"tie_breaks": ["wins", "wins"]}, "data.rules.tie_breaks"),
        ({"first": "2026-02-30"}, "data.rules.first"),
        ({"first": "2026-10-02", "last": "2026-10-01"}, "data.rules.last"),
    ],
)
def test_rules_that_do_not_fit_each_other_are_refused_by_name(rules: dict[str, Any], path: str) -> None:
    with pytest.raises(BadEventError) as caught:
        season(**rules)
    assert caught.value.path == path
