"""SEAT-1: what somebody who comes late begins with."""

from __future__ import annotations

import pytest

from games.scoresheet import SCORESHEET


@pytest.fixture
def late(table):
    """Three have played two rounds, a fourth comes."""
    t = table("rounds", 4)
    t.do("r1 10 4 7 ?", "r2 5 3 2 ?")
    return t


@pytest.mark.parametrize(("missed", "points"), [("average", 10), ("lowest", 7), ("highest", 15)])
def test_seat_1_what_was_missed_is_made_up_for_from_the_points_of_the_others(late, missed, points):
    assert late.do(f"p4 in {missed}") == [f"p4 seat.joined {points}"]
    assert late.scores() == [15, 7, 9, points]
    assert late.audit()[-1] == ("p4", points, "bonus", "SEAT-1", 3, f"joined late with the {missed} of 15, 7, 9")
    late.do("r3 1 1 1 1")
    assert late.scores()[3] == points + 1


def test_seat_1_an_average_is_rounded_and_a_half_goes_away_from_zero(table):
    for scores, average in (("1 2 ?", 2), ("-1 -2 ?", -2), ("1 3 ?", 2)):
        t = table("rounds", 3)
        t.do(f"r1 {scores}", "p3 in average")
        assert t.scores()[2] == average


def test_seat_1_an_average_of_nothing_is_explained_too(table):
    t = table("rounds", 3)
    t.do("r1 5 -5 ?", "p3 in average")
    assert t.audit()[-1] == ("p3", 0, "bonus", "SEAT-1", 2, "joined late with the average of 5, -5")


def test_seat_1_who_comes_again_is_brought_to_it(late):
    late.do("p4 in lowest", "p1 out", "r3 ? 1 1 1")
    assert late.scores() == [15, 8, 10, 8]
    late.do("p1 in average")
    assert late.scores()[0] == 9, "of 8, 10 and 8, which is 6 less than what stood there"
    assert late.audit()[-1][1:3] == (-6, "penalty")


def test_seat_1_who_dropped_out_is_not_counted(late):
    late.do("p1 out", "p4 in highest")
    assert late.scores()[3] == 9


def test_seat_1_a_cell_that_is_changed_later_does_not_change_it(late):
    late.do("p4 in average", "r1 p1 100")
    assert late.scores() == [105, 7, 9, 10]


def test_seat_1_it_is_kept_with_the_sheet_and_nothing_where_nobody_came(late):
    assert "arrivals" not in late.state.dump()
    late.do("p4 in average")
    assert late.state.dump()["arrivals"] == [{"version": 3, "missed": "average", "totals": (15, 7, 9)}]
    assert SCORESHEET.state.load(late.state.dump()).scores() == late.state.scores()


def test_seat_1_what_cannot_be_is_named(late, table):
    assert "with points, or with those of the others" in late.cannot_make(
        type="join", seat=3, points=5, missed="lowest"
    )
    assert late.broken("p1 in average") == {"SEAT-1": "p1 plays already"}
    assert "joins a side that has points" in late.cannot("p1 in average")
    assert "nobody else plays" in table("rounds", 1).cannot("p1 in average")
    team = table("teams", 4)
    team.do("r1 5 6", "p1 out")
    assert "joins a side that has points" in team.cannot("p1 in average")
