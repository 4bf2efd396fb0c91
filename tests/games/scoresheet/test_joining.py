"""SEAT-1: what somebody who comes late begins with."""

from __future__ import annotations

import pytest

from games.adjustments import SEATS
from games.errors import NotationError
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


# A seat more


@pytest.fixture
def two(table):
    """Two have played a round."""
    t = table("rounds", 2)
    t.do("r1 1 2")
    return t


def test_seat_1_a_newcomer_without_a_free_seat_gets_one(two):
    assert two.do("p3 in") == ["p3 seat.added", "p3 seat.joined 0"]
    two.do("r2 3 4 5")
    assert (two.state.seats, two.scores()) == (3, [4, 6, 5])
    assert two.cells("r1 points") == [1, 2, None]
    assert two.broken("r1 p3 7") == {"SEAT-1": "p3 joined in round 2"}
    assert two.end().ranks == (3, 1, 2)


@pytest.mark.parametrize(("missed", "points"), [("average", 2), ("lowest", 1), ("highest", 2), ("zero", 0)])
def test_seat_1_a_new_seat_begins_with_what_the_table_says(two, missed, points):
    two.do(f"p3 in {missed}")
    assert two.scores() == [1, 2, points]
    said = "0 points" if missed == "zero" else f"the {missed} of 1, 2"
    assert two.audit()[-1][1:] == (points, "bonus", "SEAT-1", 2, f"joined late with {said}")


def test_seat_1_the_template_says_what_was_missed_and_the_table_can_say_otherwise(table):
    for line, points in (("p3 in", 9), ("p3 in nothing", 0), ("p3 in lowest", 4), ("p3 in 7", 7)):
        t = table(seats=2, late="highest")
        t.do("r1 4 9", line)
        assert t.scores()[2] == points, line
    alone = table(seats=1, late="average")
    alone.do("p2 in")
    assert alone.scores() == [0, 0], "there is no average of nobody"


def test_seat_1_a_round_that_was_begun_is_played_by_the_new_seat_too(two):
    two.do("r2 10 ?", "p3 in", "r2 ? 4 5")
    assert two.scores() == [11, 6, 5]
    assert [line.round for line in two.state.legal_moves() if type(line).__name__ == "Line"] == [3]


def test_seat_1_formulas_of_earlier_rounds_go_by_those_who_played_them(table):
    """Seeger-Fabian: the others get 40 if three play, and 30 if four do."""
    t = table("skat_seeger", 3)
    t.do("r1 -36 0 0")
    assert t.scores() == [-86, 40, 40]
    t.do("p4 in")
    assert t.scores() == [-86, 40, 40, 0], "three played the first round, and it still says so"
    t.do("r2 0 -36 0 0")
    assert t.scores() == [-56, -46, 70, 30]


def test_seat_1_a_formula_gives_a_new_seat_nothing_for_rounds_before_it(table):
    columns = [
        {"id": "points", "per": "round"},
        {"id": "quiet", "per": "round", "formula": "1 if given(points) == 0 else 0"},
    ]
    t = table("", 2, columns)
    t.do("r1 0 5", "p3 in", "r2 0 5 0")
    assert t.scores() == [2, 10, 1]


def test_seat_1_checks_go_by_those_who_played_the_round(table):
    t = table("hearts", 4)
    t.do("r1 25 1 0 0", "p5 in", "r2 0 26 26 26 26")
    assert "CHECK-1" in t.broken("r1 p1 30")
    t.force("r1 p1 0")
    assert not t.broken("r1 25 1 0 0 ?"), "what four played can be put right"
    assert "CHECK-1" in t.broken("r3 0 26 26 26 0")


def test_seat_1_what_all_share_stays_one_cell(table):
    columns = [{"id": "points", "per": "round"}, {"id": "weather", "per": "round", "shared": True, "counts": False}]
    t = table("", 2, columns)
    t.do("r1 1 2", "r1 weather 3", "p3 in", "r2 weather 4", "r2 1 1 1")
    assert t.state.cells["r1 weather"][0].value == 3
    assert len(t.state.cells["r1 weather"]) == 1
    assert len(t.state.cells["r1 points"]) == 3


def test_seat_1_markers_go_on_round_the_larger_table(table):
    t = table("rounds+dealer", 2)
    t.do("r1 1 2", "r2 1 2")
    assert [marker.seats for marker in t.state.markers()] == [(0,)]
    t.do("p3 in")
    dealers = []
    for number in range(3, 6):
        dealers += [marker.seats for marker in t.state.markers()]
        t.do(f"r{number} 1 2 3")
    assert dealers == [(0,), (1,), (2,)]


def test_seat_1_where_teams_take_turns_the_new_seat_is_of_the_next_one(table):
    t = table("teams", 4)
    t.do("r1 5 6", "p5 in", "r2 1 2")
    assert t.state.members == ((0, 2, 4), (1, 3))
    assert t.scores() == [6, 8, 6, 8, 6]


def test_seat_1_what_has_no_room_is_named(table):
    teams = [{"name": "Odd", "seats": [0, 2]}, {"name": "Even", "seats": [1, 3]}]
    t = table("", 4, None, teams=teams)
    assert "name their seats: there is none for 5 seats" in t.cannot("p5 in")
    full = table("rounds", SEATS)
    for t, line in ((full, f"p{SEATS + 1} in"), (table("rounds", 2), "p4 in"), (table("rounds", 2), "p3 7")):
        with pytest.raises(NotationError, match=f"players from p1 to p{t.seats}"):
            t.parse(line)
    assert "p3 is the next one to join" in table("rounds", 2).cannot_make(type="join", seat=5)


def test_seat_1_a_sheet_that_would_be_too_much_to_compute_gets_no_seat(table):
    heavy = [{"id": f"c{n}", "per": "round", "formula": "+".join(["sum(before(a))"] * 9)} for n in range(5)]
    columns = [{"id": "a", "per": "round"}, *heavy]
    t = table("", 1, columns)
    last = t.state.last
    t.do(*(f"r{number} 1" for number in range(1, last + 1)))
    assert "too much to compute for 2 seats" in t.cannot("p2 in")


def test_seat_1_nobody_joins_a_game_that_is_over(two):
    two.do("end")
    assert "END-4" in two.broken("p3 in")


def test_seat_1_a_new_seat_is_kept_with_the_sheet_and_nothing_where_there_is_none(two):
    assert "came" not in two.state.dump()
    two.do("p3 in")
    assert two.state.dump()["came"] == [2]
    assert SCORESHEET.state.load(two.state.dump()) == two.state


# Rounds that somebody missed


def a_deal(number, players):
    """A petite of French tarot that is just made: each defender pays 25 to the first player."""
    gaps = " ".join("?" * (players - 1))
    return [f"r{number} {cell}" for cell in ("contract petite", "bouts 3", "cards 36", f"takes yes {gaps}")]


@pytest.mark.parametrize(
    ("leaves", "scores"), [("p5 out", [175, -50, -50, -50, -25]), ("p2 -9 rude", [200, -59, -50, -50, -50])]
)
def test_seat_2_who_dropped_out_pays_nothing_in_later_rounds(table, leaves, scores):
    t = table("french_tarot", 5)
    t.do(*a_deal(1, 5), leaves, *a_deal(2, 5))
    assert t.scores() == scores


def test_seat_1_who_comes_again_has_missed_the_rounds_between_alone(table):
    t = table("french_tarot", 5)
    t.do(*a_deal(1, 5), "p5 out", *a_deal(2, 5), "p5 in", *a_deal(3, 5), "p5 out", "p5 in", *a_deal(4, 5))
    taker = [line.points for line in t.state.scores() if line.seat == 0]
    assert taker == [100, 75, 100, 100]
    assert t.scores()[4] == -75
    assert SCORESHEET.state.load(t.state.dump()) == t.state


@pytest.mark.parametrize("seats", [4, 5], ids=["added", "kept free"])
def test_seat_1_who_comes_late_has_missed_the_rounds_before(table, seats):
    t = table("french_tarot", seats)
    if seats == 5:
        t.do(*a_deal(1, 5))
        assert t.scores() == [100, -25, -25, -25, -25], "as long as nobody says that the seat is free"
        t.do("p5 in", *a_deal(2, 5))
    else:
        t.do(*a_deal(1, 4), "p5 in", *a_deal(2, 5))
    assert t.scores() == [175, -50, -50, -50, -25]


def test_seat_2_a_round_is_checked_by_those_who_play_it(table):
    t = table("hearts", 4)
    t.do("r1 25 1 0 0", "r2 ? ? ? 0", "p4 out")
    assert "CHECK-1" in t.broken("r2 26 26 0 ?"), "there were four when the round began"
    t.do("r2 26 26 26 ?", "r3 26 26 0 ?")
    assert "CHECK-1" in t.broken("r4 26 26 26 ?")
    t.do("p4 in 20", "r4 26 26 26 0")


def test_seat_1_rounds_are_counted_as_before_in_games_of_an_older_revision(table):
    t = table("french_tarot", 5)
    t.state.revision = 4
    t.do(*a_deal(1, 5), "p5 out", *a_deal(2, 5))
    assert t.scores() == [200, -50, -50, -50, -50]
    assert "away" not in t.state.dump()


def test_seat_1_an_old_gap_is_not_the_round_that_is_due(table):
    t = table("rounds", 3)
    t.do("r1 1 ? 3", "r2 1 1 1", "r3 2 2 2", "p4 in")
    assert t.state.since == [1, 1, 1, 4]
    t = table("rounds", 3)
    t.do("r1 1 2 3", "r2 1 ? 1", "p4 in", "r2 ? 5 ? 6")
    assert t.state.since == [1, 1, 1, 2]


def test_seat_1_who_comes_late_has_no_cell_in_earlier_rounds(table):
    t = table("wizard", 3)
    t.do("r1 bid 1 0 0", "p4 in")
    lines = {t.state.notation(move): t.state.notation_template(move) for move in t.state.legal_moves()}
    assert lines["r1 tricks ? ? ? ?"] == "r1 tricks {} {} {} ?"
    assert lines["r2 ? ? ? ?"] == "r2 {} {} {} {}"


def test_tables_and_audit_say_what_points_beside_the_columns_are_for(table):
    t = table(seats=2)
    t.do("r1 7 8", "p1 +5 longest road", "p3 in 4", "p4 in average")
    _, given = t.state.tables()
    assert (given.caption, [row[1:] for row in given.rows]) == (
        "Bonus and penalty",
        [("+5", "longest road"), ("+4", "joined late"), ("+8", "joined late with the average of 12, 8, 4")],
    )
    assert [line[5] for line in t.audit() if line[3] in {"ADJ-1", "SEAT-1"}] == [row[2] for row in given.rows]
