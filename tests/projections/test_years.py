"""A year in review follows from results alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.statistics.results import lowest_wins
from projections.statistics.years import year_of
from tests.projections.test_statistics import result

if TYPE_CHECKING:
    from projections.statistics.results import Result


def games() -> list[Result]:
    """Three games of 2025 and four of 2026; Ada wins those in which the number is even."""
    return [
        result(1, ["ada", "bob"], [1, 3], day="2025-12-31"),
        result(2, ["ada", "bob"], [9, 3], day="2025-12-31", kind="scoresheet/UNO"),
        result(3, ["cleo", "bob"], [5, 4], day="2025-01-01"),
        result(4, ["ada", "bob", None], [7, 2, 3], day="2026-01-01", minutes=50),
        result(5, ["ada", "cleo"], [1, 2], day="2026-01-01"),
        result(6, ["ada", "cleo"], [12, 2], day="2026-02-03", kind="scoresheet/UNO"),
        result(7, ["bob", "cleo"], [1, 2], day="2026-02-03", kind="scoresheet/Skat"),
        result(8, ["ada", "cleo"], [0, 0], day="2026-02-04", together=True, winners=frozenset({0, 1})),
    ]


def test_a_year_has_its_games_alone() -> None:
    found = year_of(2026, games(), "ada")
    assert (found.n, found.days, found.minutes) == (4, 3, 80)
    assert year_of(2026, games(), None).n == 5
    assert year_of(2024, games(), "ada").n == 0
    assert found.months == (2, 2, *(0 for _ in range(10)))
    assert (found.busiest.name, found.busiest.n) == ("2026-01-01", 2)


def test_wins_streaks_and_people_are_those_of_the_person() -> None:
    own = [each for each in games() if "ada" in each.seats]
    found = year_of(2026, own, "ada")
    assert (found.share.wins, found.share.n, found.streak) == (2, 3, 1)
    assert [(each.name, each.n) for each in found.people] == [("cleo", 3), ("bob", 1)]
    assert found.met == 2
    assert found.standings == ()
    assert (found.played, found.begun) == (2, 0)
    assert year_of(2026, games(), None).begun == 1, "nobody had played Skat before"


def test_records_are_those_that_were_made_in_the_year_and_not_before() -> None:
    found = year_of(2026, [each for each in games() if "ada" in each.seats], "ada")
    assert [(each.kind, each.points, each.game, each.n) for each in found.records] == [
        ("kahuna", 7, "g4", 4),
        ("scoresheet/UNO", 12, "g6", 2),
    ]
    assert year_of(2025, games(), None).records[0].points == 5
    again = [*games(), result(9, ["ada", "bob"], [12, 0], day="2027-01-01", kind="scoresheet/UNO")]
    assert year_of(2027, again, "ada").records == (), "as many points as before are no record"


def test_the_closest_and_the_longest_game_are_named() -> None:
    found = year_of(2026, games(), None)
    assert (found.closest.game, found.closest.value) == ("g5", 1)
    assert (found.longest.game, found.longest.value) == ("g4", 50)


def test_where_few_points_win_the_best_score_is_the_lowest() -> None:
    golf = [
        result(number, ["ada", "bob"], scores, day="2026-01-01", ranks=(1, 2), winners=frozenset({0}))
        for number, scores in enumerate(([3, 5], [2, 9]))
    ]
    assert lowest_wins(golf)
    assert not lowest_wins(games())
    assert [each.points for each in year_of(2026, golf, None).records] == [2]


def test_scores_that_did_not_decide_name_no_best_ones() -> None:
    """The first at 121 in Cribbage can have fewer points in the end; in golf a countback tells equal scores apart."""
    cribbage = {"day": "2026-01-01", "ranks": (1, 2), "winners": frozenset({0}), "decided": True}
    assert not lowest_wins([result(1, ["ada", "bob"], [123, 130], **cribbage)])
    golf = {"day": "2026-01-01", "ranks": (1, 3, 2), "winners": frozenset({0}), "decided": True}
    assert lowest_wins([result(1, ["ada", "bob", "cem"], [70, 72, 72], **golf)])


def test_a_standing_takes_five_games_and_is_by_wins_beyond_chance() -> None:
    many = [result(number, ["ada", "bob"], [number % 5, 1], day="2026-03-01") for number in range(6)]
    found = year_of(2026, many, None).standings
    assert [(each.player, each.share.n) for each in found] == [("ada", 6), ("bob", 6)]
    assert year_of(2026, many[:4], None).standings == ()
