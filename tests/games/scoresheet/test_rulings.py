"""RULING: what a referee can change on a sheet, within which limits, and what follows from it."""

from __future__ import annotations

from tests.cases import cases


def test_ruling_points_stand_beside_the_columns(table):
    t = table()
    t.do("r1 4 5 6")
    assert t.rule("points seat=Player1 points=-3") == ["p1 points.ruled -3"]
    assert t.scores() == [1, 5, 6]
    assert ("p1", -3, "ruling", "RULING", 2, "ruling") in t.audit()


def test_ruling_points_are_each_members_of_a_team(table):
    t = table(seats=4, teams=[{"name": "us"}, {"name": "them"}])
    t.rule("points seat=Player3 points=2")
    assert t.scores() == [2, 0, 2, 0]


def test_ruling_points_can_reach_the_target(table):
    t = table(target=10)
    assert t.rule("points seat=Player2 points=12") == ["p2 points.ruled 12", "p2 target.reached 10"]


def test_ruling_points_after_the_end_change_the_result(table):
    t = table()
    t.do("r1 4 5 6", "end")
    t.rule("points seat=Player1 points=9")
    assert t.outcome.winners == (0,)
    assert t.outcome.reason == "points"


def test_ruling_who_resigns_has_dropped_out(table):
    t = table()
    t.do("r1 4 5 6")
    assert t.rule("resign seat=Player3") == ["p3 seat.resigned"]
    assert t.broken("p3 r2 1").keys() == {"SEAT-2"}
    t.do("r2 1 1 ?", "end")
    assert t.outcome.ranks == (2, 1, 3)


def test_ruling_the_last_side_left_has_won(table):
    t = table()
    t.do("r1 4 5 6")
    t.rule("resign seat=Player3 + resign seat=Player2")
    assert (t.outcome.winners, t.outcome.reason, t.outcome.rule) == ((0,), "resigned", "scoresheet:RULING")
    assert t.outcome.ranks == (1, 3, 2)
    assert t.legal() == []
    assert t.broken("r2 1 1 1")["RULING"] == "the game is over"


def test_ruling_a_team_is_left_only_when_all_others_resigned(table):
    t = table(seats=4, teams=[{"name": "us"}, {"name": "them"}])
    t.rule("resign seat=Player2")
    assert t.state.outcome() is None
    t.rule("resign seat=Player4")
    assert t.outcome.winners == (0, 2)
    assert t.outcome.together


def test_ruling_nobody_resigns_twice_or_as_the_last_or_after_the_end(table):
    t = table(seats=1)
    assert "the last one" in t.cannot_rule("resign seat=Player1")
    t = table()
    t.rule("resign seat=Player1")
    assert "dropped out already" in t.cannot_rule("resign seat=Player1")
    t.rule("adjudge ranks=1,1,1")
    assert "the game is over" in t.cannot_rule("resign seat=Player2")


def test_ruling_who_plays_with_the_others_resigns_alone(table):
    t = table("cooperative", seats=2)
    t.rule("resign seat=Player1")
    assert t.state.outcome() is None
    assert "the last one" in t.cannot_rule("resign seat=Player2")


def test_ruling_an_adjudged_result_stands_against_the_sheet(table):
    t = table()
    t.do("r1 4 5 6")
    assert t.rule("adjudge ranks=1,2,3") == ["game.adjudged"]
    t.force("p3 +50 for nothing")
    assert (t.outcome.winners, t.outcome.reason) == ((0,), "adjudicated")
    assert t.scores() == [4, 5, 56]


def test_ruling_an_adjudged_result_takes_the_place_of_the_sheets(table):
    t = table()
    t.do("r1 4 5 6", "end")
    t.rule("adjudge ranks=1,1,1")
    assert t.outcome.winners == (0, 1, 2)


@cases("text", ["points seat=Player4 points=1", "resign seat=Player4", "adjudge ranks=1,2"])
def test_ruling_only_seats_of_the_game_can_be_ruled_on(table, text):
    assert "3 seats" in table().cannot_rule(text)
