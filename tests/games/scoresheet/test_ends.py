"""END, WIN, SEAT: how a sheet ends, and who wins."""

from __future__ import annotations

import pytest

MONEY = {"id": "money", "counts": False}
POINTS = {"id": "points"}


def test_win_1_the_highest_total_wins_or_the_lowest(table):
    t = table(columns=[POINTS])
    t.do("points 3 9 5")
    assert t.end().ranks == (3, 1, 2)
    t = table(columns=[POINTS], wins="lowest")
    t.do("points 3 9 5")
    assert t.end().ranks == (1, 3, 2)


def test_win_2_a_column_decides_in_place_of_the_total(table):
    t = table("ranking")
    t.do("place 2 1 3")
    assert (t.end().reason, t.outcome.ranks, t.scores()) == ("ranking", (2, 1, 3), [0, 0, 0])


def test_win_3_tie_breakers_come_one_after_the_other(table):
    ties = [{"column": "money"}, {"column": "cards", "wins": "lowest"}]
    t = table(seats=4, columns=[POINTS, MONEY, {"id": "cards", "counts": False}], ties=ties)
    t.do("points 9 9 9 9", "money 5 7 7 2", "cards 0 4 3 0")
    assert (t.end().reason, t.outcome.ranks) == ("tie_breaker", (3, 2, 1, 4))


def test_win_3_an_empty_cell_is_behind_all_others(table):
    t = table(seats=2, columns=[POINTS, MONEY], ties=[{"column": "money", "wins": "lowest"}])
    t.do("points 9 9", "money ? 50")
    t.force("end")
    assert t.outcome.winners == (1,)


def test_win_4_what_no_tie_breaker_tells_apart_is_shared(table):
    t = table(columns=[POINTS, MONEY], ties=[{"column": "money"}])
    t.do("points 9 9 1", "money 4 4 9")
    assert t.do("end") == ["p1 game.tied", "p2 game.tied"]
    assert (t.outcome.reason, t.outcome.ranks, t.outcome.winners) == ("tie", (1, 1, 3), (0, 1))


def test_win_5_a_forced_loss_comes_behind_all_points(table):
    t = table(columns=[POINTS, MONEY], loses="money < 1 or total > 20")
    t.do("points 12 21 9", "money 0 5 5")
    assert (t.end().reason, t.outcome.ranks) == ("forced_loss", (3, 2, 1))


def test_win_5_who_would_have_lost_anyway_changes_no_reason(table):
    t = table(columns=[POINTS, MONEY], loses="money < 1")
    t.do("points 12 10 9", "money 5 5 0")
    assert t.end().reason == "points"


def test_win_6_the_last_one_standing_wins(table):
    t = table("rounds")
    t.do("r1 9 8 1", "p1 out", "p2 out")
    assert (t.end().reason, t.outcome.ranks) == ("last_standing", (2, 3, 1))


def test_win_7_nobody_wins_if_all_have_lost(table):
    t = table("auction", 2)
    t.do("luxury 20 10", "money 5 5")
    assert t.do("end")[-1] == "game.lost"
    assert (t.outcome.reason, t.outcome.winners, t.outcome.ranks) == ("nobody", (), (2, 3))


def test_one_alone_wins_by_points(table):
    t = table("plain", 1)
    t.do("points 12")
    assert (t.end().reason, t.outcome.winners) == ("points", (0,))


def test_end_2_the_game_goes_on_until_the_target_is_reached(table):
    t = table("first_to_100", 2)
    t.do("r1 60 50")
    assert t.broken("end") == {"END-2": "nobody has reached 100"}
    assert t.do("r2 40 30") == ["p1 cell.entered r2 p1, 40", "p2 cell.entered r2 p2, 30", "p1 target.reached 100"]
    assert t.broken("r3 1 1") == t.broken("r3 p1 1") == {"END-2": "p1 has reached 100: no round is begun"}
    assert t.legal() == ["end"]
    assert (t.end().reason, t.outcome.winners) == ("target", (0,))


def test_end_2_the_round_in_which_it_happens_is_filled_in_and_the_highest_wins(table):
    t = table("first_to_100", 2)
    t.do("r1 100 ?", "r1 p2 120")
    assert t.end().winners == (1,)


def test_end_2_a_target_that_is_reached_comes_before_the_last_round(table):
    t = table(target=10, rounds=5)
    t.do("r1 5 3 1", "r2 6 1 ?")
    assert t.broken("end") == {"CELL-4": "r2 p3 is empty"}
    t.do("r2 p3 0")
    assert t.legal() == ["end"]
    assert t.end().reason == "target"


def test_end_2_two_who_reach_it_in_the_same_round_are_told_apart_by_their_points(table):
    t = table("first_to_100")
    t.do("r1 104 110 3")
    assert t.end().ranks == (2, 1, 3)
    t = table("first_to_100")
    t.do("r1 104 104 3")
    assert (t.end().reason, t.outcome.ranks) == ("tie", (1, 1, 3))


def test_end_2_a_bonus_can_reach_the_target(table):
    t = table("first_to_100", 2)
    t.do("r1 98 50")
    assert t.do("p1 +2 good manners")[-1] == "p1 target.reached 100"


def test_end_2_in_games_of_penalties_the_lowest_wins_when_somebody_is_there(table):
    t = table("hearts", 2)
    for number in range(1, 5):
        t.do(f"r{number} 26 5")
    assert (t.end().reason, t.outcome.winners) == ("target", (1,))


@pytest.mark.parametrize(("word", "winners"), [("won", (0, 1, 2)), ("lost", ())])
def test_end_3_all_win_or_lose_together(table, word, winners):
    t = table("cooperative")
    t.do(word)
    assert (t.outcome.reason, t.outcome.winners) == (f"{word}_together", winners)
    assert t.outcome.together == (word == "won")
    assert "ended already" in t.cannot_make(type="decide", result="won")


def test_end_3_a_game_played_together_does_not_just_end(table):
    assert "won or lost" in table("cooperative").cannot_make(type="finish")


def test_end_4_after_the_end_nothing_is_entered_and_what_is_all_the_same_counts(table):
    t = table("plain", 2)
    t.do("points 5 6", "end")
    for line in ("p1 points 9", "points 1 1", "p1 +5 bonus", "p2 out", "p2 in"):
        assert "END-4" in t.broken(line)
    t.force("p1 points 9")
    assert (t.outcome.winners, t.scores()) == ((0,), [9, 6])
    assert t.legal() == []
    assert "ended already" in t.cannot_make(type="finish")


def test_seat_1_who_joins_late_owes_no_earlier_round_and_brings_points(table):
    t = table("rounds")
    t.do("r1 5 6 ?", "r2 1 1 ?")
    assert t.do("p3 in 4") == ["p3 seat.joined 4"]
    assert t.broken("r2 p3 9") == {"SEAT-1": "p3 joined in round 3"}
    t.do("r3 1 1 9")
    assert t.audit()[4] == ("p3", 4, "bonus", "SEAT-1", 3, "joined late")
    assert (t.end().winners, t.scores()) == ((2,), [7, 8, 13])


def test_seat_1_who_plays_already_does_not_join(table):
    t = table("rounds")
    t.do("r1 5 6 1")
    assert t.broken("p3 in") == {"SEAT-1": "p3 plays already"}


def test_seat_2_who_drops_out_keeps_the_points_and_comes_behind(table):
    t = table("rounds")
    t.do("r1 50 6 1")
    assert t.do("p1 out") == ["p1 seat.left"]
    assert t.broken("r2 p1 3") == {"SEAT-2": "p1 has dropped out"}
    assert t.broken("p1 +3 bonus") == {"SEAT-2": "p1 has dropped out"}
    assert "already" in t.cannot_make(type="leave", seat=0)
    t.do("r2 ? 2 3")
    assert (t.end().ranks, t.scores()) == ((3, 1, 2), [50, 8, 4])


def test_seat_2_who_dropped_out_can_come_back(table):
    t = table("rounds")
    t.do("r1 5 6 1", "p1 out", "r2 ? 1 1", "p1 in", "r3 9 1 1")
    assert t.end().winners == (0,)


def test_seat_2_a_team_that_went_on_owes_its_rounds_when_one_comes_back(table):
    t = table("teams", 4)
    t.do("r1 1 2", "p3 out", "r2 1 ?", "p3 in", "r3 1 2")
    assert t.state.since == [1, 1]
    t.do("r1 p1 5", "r2 p2 4")
    assert t.scores() == [7, 8, 7, 8]


def test_seat_2_the_last_one_ends_the_game_instead(table):
    t = table("rounds", 2)
    t.do("r1 1 2", "p1 out")
    assert set(t.broken("p2 out")) == {"SEAT-2"}


def test_sheet_2_teams_sit_in_turns_and_share_their_points(table):
    t = table("teams", 5)
    t.do("r1 10 20", "p4 +5 bonus", "r2 p5 3", "r2 p2 0")
    assert t.scores() == [13, 25, 13, 25, 13]
    assert (t.end().winners, t.outcome.together) == ((1, 3), True)


def test_sheet_2_a_team_plays_on_while_one_of_it_does(table):
    t = table("teams", 4)
    t.do("r1 10 5", "p1 out", "r2 10 5", "p3 out")
    assert t.broken("r3 p3 1") == {"SEAT-2": "p1 has dropped out"}
    assert t.end().winners == (1, 3)


def test_sheet_2_teams_can_name_their_seats(table, refused):
    teams = [{"name": "Red", "seats": [0, 1]}, {"name": "Blue", "seats": [2]}]
    t = table(teams=teams)
    t.do("t2 r1 7", "r1 p2 5")
    assert t.scores() == [5, 5, 7]
    assert list(t.state.describe()["totals"]) == ["Red", "Blue"]
    assert refused(4, teams=teams)[0] == "teams"
    assert refused(1, teams=[{"name": "Red"}, {"name": "Blue"}])[0] == "teams"
