"""END, WIN, SEAT: how a sheet ends, and who wins."""

from __future__ import annotations

import pytest

from tests.cases import cases

MONEY = {"id": "money", "counts": False}
POINTS = {"id": "points"}
ROUNDS = [{"id": "points", "per": "round"}]
LATE = {"id": "late", "counts": False, "formula": "1 if rounds > 1 else 0"}


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
    assert t.broken("end") == {"END-2": "nobody has reached 100; the game can be stopped early"}
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
        t.do(f"r{number} 26 0")
    assert (t.end().reason, t.outcome.winners) == ("target", (1,))


@pytest.mark.parametrize(("word", "winners"), [("won", (0, 1, 2)), ("lost", ())])
def test_end_3_all_win_or_lose_together(table, word, winners):
    t = table("cooperative")
    t.do(word)
    assert (t.outcome.reason, t.outcome.winners) == (f"{word}_together", winners)
    assert t.outcome.together == (word == "won")
    assert "ended already" in t.cannot_make(type="decide", result="won")


def test_end_3_what_all_reached_together_decides_where_there_are_no_points(table):
    t = table("hanabi")
    assert t.state.deciding() is None
    t.do("points 17", "won")
    deciding = t.state.deciding()
    assert (deciding.title.en, deciding.values) == ("highest cards together", ("17",) * 3)
    assert deciding.replaces(t.scores())


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
    assert refused(1, teams=[{"name": "Red"}, {"name": "Blue"}]) == ("teams", "2 teams need a player each")


# END-5: stopped early


def test_end_5_a_game_is_stopped_by_its_standing_and_breaks_no_rule(table):
    t = table("first_to_100", 2)
    t.do("r1 10 30", "r2 5 ?")
    assert t.broken("end early") == {}
    assert t.do("end early") == ["game.stopped", "p2 game.won"]
    assert (t.outcome.reason, t.outcome.rule, t.outcome.ranks) == ("stopped", "scoresheet:END-5", (2, 1))
    assert t.scores() == [15, 30]


def test_end_5_or_without_a_winner(table):
    t = table("catan", 2)
    t.do("settlements 3 4")
    assert t.do("end nobody")[-1] == "game.stopped"
    assert (t.outcome.reason, t.outcome.ranks, t.outcome.winners) == ("stopped_without_winner", (2, 2), ())
    assert t.broken("p1 cities 2").keys() == {"END-4"}


def test_end_5_who_is_level_shares(table):
    t = table("first_to_100", 2)
    t.do("r1 10 10", "end early")
    assert (t.outcome.reason, t.outcome.winners) == ("tie", (0, 1))


def test_end_5_those_who_play_together_stop_without_a_winner(table):
    t = table("cooperative", 2)
    t.do("points 7")
    assert t.cannot("end early") == "those who play together stop without a winner (scoresheet:END-5)"
    t.do("end nobody")
    assert (t.outcome.reason, t.outcome.winners) == ("stopped_without_winner", ())


def test_end_5_nothing_was_played(table):
    t = table("first_to_100", 2)
    assert t.broken("end early") == {"CELL-4": "the sheet is empty"}
    assert t.broken("end nobody") == {}


def test_end_5_a_template_names_other_ends(table):
    stops = [{"id": "time", "name": "Time is up"}, {"id": "half", "name": "Half", "rounds": 2}]
    t = table(seats=2, rounds=4, stops=stops)
    t.do("r1 1 2")
    assert t.broken("end half") == {"END-5": "this is an end after round 2 alone"}
    assert t.broken("end time") == {}
    t.do("r2 3 ?")
    assert t.broken("end half") == {"CELL-4": "r2 p2 is empty"}
    assert t.cannot_make(type="stop", why="dawn") == "the sheet knows no end dawn; it has time, half (scoresheet:END-5)"
    t.do("r2 p2 1")
    assert t.do("end half")[0] == "game.stopped"
    assert (t.outcome.reason, t.outcome.ranks) == ("stopped", (1, 2))


def test_end_5_it_is_offered_beside_the_play_and_never_among_the_moves(table):
    t = table("golf", 2)
    assert t.off_turn() == []
    t.do("r1 4 4")
    assert t.off_turn() == ["end early", "end nobody"]
    t.do(*(f"r{hole} 4 4" for hole in range(2, 10)))
    assert t.off_turn() == ["end early", "end nine", "end nobody"]
    assert not any(line.startswith("end") for line in t.legal())
    t.do("end early")
    assert t.off_turn() == []


@cases(
    ("stop", "field", "why"),
    [
        ({"id": "early", "name": "A"}, "stops[0].id", "a meaning of its own"),
        ({"id": "nobody", "name": "A"}, "stops[0].id", "a meaning of its own"),
        ({"id": "half", "name": "A", "rounds": 2}, "stops[0].rounds", "no column is entered in rounds"),
    ],
)
def test_end_5_an_end_that_cannot_be_is_refused(refused, stop, field, why):
    found, said = refused(columns=[POINTS], stops=[stop])
    assert found == field
    assert why in said


# WIN-8: who is first at the target


def test_win_8_who_comes_first_has_won_before_anything_else_is_counted(table):
    t = table("cribbage", 2)
    t.do("r1 120 115", "r2 1 3", "r2 hand 2 12")
    assert (t.end().winners, t.outcome.reason, t.outcome.rule) == ((0,), "reached_first", "scoresheet:WIN-8")
    assert t.scores() == [123, 130]
    decides = t.state.deciding()
    assert (decides.title.en, decides.values) == ("order of reaching 121", ("1", "2"))


def test_win_8_the_rest_of_the_round_can_stay_empty(table):
    t = table("cribbage", 2)
    t.do("r1 115 100", "r1 hand 0 0", "r2 p1 9")
    assert t.broken("end") == {}
    assert t.end().winners == (0,)


def test_win_8_by_the_same_entry_the_total_decides(table):
    t = table("cribbage", 2)
    t.do("r1 118 115", "r1 hand 5 10")
    assert t.end().winners == (1,)


def test_win_8_a_slip_that_was_corrected_counts_as_if_it_had_been_right(table):
    t = table("cribbage", 2)
    t.do("r1 p1 pegs 100", "r1 p2 pegs 110", "r1 hand 12 12", "r1 p1 pegs 110")
    assert t.end().winners == (0, 1)
    t = table("cribbage", 2)
    t.do("r1 p1 pegs 120", "r1 p2 pegs 121", "r1 p1 hand 2", "r1 p2 pegs 120", "r1 p2 hand 2")
    assert t.end().winners == (0,)


def test_win_8_an_entry_that_was_inserted_counts_where_it_happened(table):
    t = table("cribbage", 2)
    for line, version in (("r1 p1 pegs 110", 1), ("r1 p2 pegs 110", 2), ("r1 p2 hand 12", 9), ("r1 p1 hand 12", 3)):
        t.state.apply(t.parse(line), version)
    assert t.end().winners == (1,)


def test_win_8_by_seats_a_round_goes_round_the_table(table):
    for lines in (("r2 p1 10", "r2 p2 10"), ("r2 p2 10", "r2 p1 10")):
        t = table(seats=2, target=50, first_wins="seats")
        t.do("r1 40 45", *lines)
        assert (t.end().winners, t.outcome.reason) == ((0,), "reached_first")


def test_win_8_needs_a_target(refused):
    assert refused(first_wins="entry") == ("first_wins", "there is no target that somebody could reach first")


def test_win_8_points_beside_the_columns_count_when_they_were_given(table):
    t = table(seats=2, target=50, first_wins="entry")
    t.do("r1 49 45", "p2 +5 luck", "r1 p1 58")
    assert t.end().winners == (0,)
    t = table(seats=2, target=50, first_wins="entry")
    t.do("r1 p2 45", "p2 +5 luck", "r1 p1 58")
    assert t.end().winners == (1,)


# Bidders before the others


def test_of_two_teams_that_come_to_500_in_one_deal_the_bidders_have_won(table):
    """9 hearts are 400, 9 no trump 420, 6 diamonds 80, and each trick of the others is 10."""
    t = table("five_hundred", 4)
    for number, (strain, level, tricks, bidder) in enumerate(
        [("hearts", 9, "0 10", 2), ("notrump", 9, "9 1", 1), ("diamonds", 6, "1 9", 2), ("diamonds", 6, "7 3", 1)], 1
    ):
        t.do(f"r{number} strain {strain}", f"r{number} level {level}")
        t.do(f"r{number} p{bidder} declares yes", f"r{number} tricks {tricks}")
    assert t.scores() == [510, 520, 510, 520]
    assert (t.end().winners, t.outcome.reason) == ((0, 2), "reached_first")


def test_of_two_teams_that_come_to_the_target_of_pinochle_in_one_hand_the_bidders_have_won(table):
    t = table("pinochle", 4)
    t.do("r1 bid 100 0", "r1 meld 400 420", "r1 counters 30 20")
    t.do("r2 bid 60 0", "r2 meld 50 60", "r2 counters 25 25")
    assert t.scores() == [505, 525, 505, 525]
    assert t.end().winners == (0, 2)


# One more round


def test_end_2_one_more_round_is_played_while_the_first_are_level(table):
    t = table(seats=3, target=10, tie_round=True)
    t.do("r1 10 10 4")
    assert t.broken("end") == {"END-2": "the first are level: one more round decides, or stop the game early"}
    t.do("r2 1 1 0")
    assert "END-2" in t.broken("end")
    t.do("r3 0 1 20")
    assert "END-2" in t.broken("r4 1 1 1")
    assert (t.end().winners, t.outcome.reason) == ((2,), "target")


def test_end_2_the_last_of_several_do_not_need_another_round(table):
    t = table(seats=3, target=10, tie_round=True, wins="lowest")
    t.do("r1 10 10 4")
    assert t.end().ranks == (2, 2, 1)


def test_end_2_a_game_with_level_leaders_can_be_stopped_as_a_tie(table):
    t = table("hearts", 4)
    t.do(*(f"r{number} 25 1 0 0" for number in range(1, 5)))
    assert "END-2" in t.broken("end")
    t.do("end early")
    assert (t.outcome.winners, t.outcome.reason) == ((2, 3), "tie")


def test_end_2_one_more_round_needs_rounds_and_an_end(refused):
    why = "one more round needs rounds, and a target or a formula that ends the game"
    assert refused(tie_round=True) == ("tie_round", why)
    assert refused(columns=[POINTS], target=9, tie_round=True) == ("tie_round", why)
    assert refused(wins="cooperative", tie_round=True)[0] == "tie_round"


# One more turn


def last_turn(table, seats=4, **more):
    return table(seats=seats, target=10, last_turn=True, **more)


def due(t):
    return [each["line"] for each in t.state.describe()["due"]]


def test_end_2_who_sits_before_the_first_at_the_target_has_one_more_turn(table):
    t = last_turn(table)
    t.do("r1 4 5 6 3", "r2 p1 3", "r2 p2 1", "r2 p3 5")
    assert due(t) == ["r2 points"]
    assert t.broken("end") == {"CELL-4": "r2 p4 is empty"}
    t.do("r2 p4 9")
    assert t.broken("end") == {"CELL-4": "r3 p1 is empty"}
    assert t.broken("r3 3 9 1 ?") == {"END-2": "p3 has no turn left"}
    assert t.broken("r3 p4 1") == {"END-2": "p4 has no turn left"}
    t.do("r3 p2 9")
    assert t.broken("r3 p3 1") == {"END-2": "p3 has no turn left"}
    assert t.broken("r4 1 1 1 1") == {"END-2": "p2 has reached 10: no round is begun"}
    t.do("r3 p1 0")
    assert due(t) == []
    assert (t.end().winners, t.outcome.reason, t.outcome.rule) == ((1,), "target", "scoresheet:END-2")
    assert t.scores() == [7, 15, 11, 12]


def test_end_2_after_the_first_seat_nobody_has_another_turn(table):
    t = last_turn(table)
    t.do("r1 10 4 12 3")
    assert due(t) == []
    assert t.broken("r2 1 1 1 1") == {"END-2": "p1 has reached 10: no round is begun"}
    assert t.end().winners == (2,)


def test_end_2_one_more_turn_follows_corrections_late_seats_and_who_goes(table):
    t = last_turn(table)
    t.do("r1 4 10 6 3")
    assert due(t) == ["r2 points"]
    t.do("r1 p2 9")
    t.do("r2 1 ? 4 ?")
    assert due(t)[0] == "r2 points"
    t.do("r2 p2 0", "r2 p4 1", "p1 out")
    assert due(t) == ["r3 points"]
    assert t.broken("r3 1 1 1 1").keys() == {"SEAT-2", "END-2"}
    t.do("p2 out")
    assert t.end().winners == (2,)
    t = last_turn(table)
    t.do("r1 4 5 10 3", "p5 in")
    assert t.broken("r2 p5 1") == {"END-2": "p5 has no turn left"}
    t.do("r2 1 2 ? ? ?")
    assert t.end().winners == (2,)


def test_end_2_points_beside_the_columns_bring_one_to_the_target_in_their_round(table):
    t = last_turn(table, 3)
    t.do("r1 4 8 3", "p2 +2 a prize")
    assert due(t) == ["r2 points"]
    t.do("r2 p1 3")
    assert t.end().winners == (1,)


def test_end_2_no_turn_comes_after_the_last_round_that_is_fixed(table):
    t = last_turn(table, 2, rounds=1)
    t.do("r1 3 10")
    assert due(t) == []
    assert t.end().winners == (1,)


def test_end_2_one_more_turn_can_be_stopped_early_and_overruled(table):
    t = last_turn(table, 2)
    t.do("r1 3 10", "end early")
    assert (t.outcome.winners, t.outcome.reason) == ((1,), "stopped")
    t = last_turn(table, 2)
    t.do("r1 3 10")
    t.force("r2 3 4")
    assert t.scores() == [6, 14]
    assert t.end().winners == (1,)


def test_end_2_one_more_turn_needs_rounds_and_a_target_alone(refused):
    why = "one more turn needs rounds and a target"
    assert refused(last_turn=True) == ("last_turn", why)
    assert refused(last_turn=True, columns=[POINTS], target=9) == ("last_turn", why)
    why = "one more turn goes neither with tie_round nor with first_wins"
    assert refused(last_turn=True, target=9, tie_round=True) == ("last_turn", why)
    assert refused(last_turn=True, target=9, first_wins="seats") == ("last_turn", why)
    assert refused(wins="cooperative", last_turn=True)[0] == "last_turn"


def test_end_2_farkle_gives_the_others_one_more_turn(table):
    t = table("farkle", 3)
    t.do(*(f"r{number} 2400 2000 2500" for number in range(1, 5)))
    assert t.broken("end") == {"CELL-4": "r5 p1 is empty"}
    t.do("r5 500 350 ?")
    assert t.end().winners == (0,)
    assert t.scores() == [10100, 8350, 10000]


def test_end_2_the_formula_of_the_end_sees_how_many_rounds_there_are(table):
    for more in ({"ends": "rounds >= 2"}, {"ends": "late > 0", "columns": [*ROUNDS, LATE]}):
        t = table(seats=2, **more)
        t.do("r1 1 2")
        assert t.broken("end").keys() == {"END-2"}
        t.do("r2 p1 1")
        assert t.broken("end") == {"CELL-4": "r2 p2 is empty"}
        t.do("r2 p2 3")
        assert t.broken("r3 1 1") == {"END-2": "p1 has ended the game: no round is begun"}
        assert t.end().winners == (1,)


def test_end_2_the_formula_of_the_end_sees_the_rounds_as_they_stand(table):
    t = table("phase_10", 2)
    for number in range(1, 11):
        assert t.broken("end") == {"END-2": "nobody has ended the game; it can be stopped early"} or number == 1
        t.do(f"r{number} phase yes no", f"r{number} points 0 50")
    assert t.broken("r11 phase yes yes")["END-2"] == "p1 has ended the game: no round is begun"
    assert t.end().winners == (0,)
    t = table(seats=2, ends="max(points) >= 7 or count(points) >= 3")
    t.do("r1 1 2", "r2 7 0")
    assert t.end().winners == (0,)


def test_what_go_shows_as_points_never_contradicts_the_winner(table):
    for komi in (6.5, 7.5, 0.5, -6.5, 0, 3.75):
        for black in range(30, 50):
            t = table("go", 2)
            t.do(f"territory {black} 38", f"p2 komi {komi}", "end")
            points = t.scores()
            assert all(points[winner] == max(points) for winner in t.outcome.winners), (komi, black)


# What decides


def test_what_decides_stands_beside_the_totals(table):
    t = table("go", 2)
    t.do("territory 40 38", "p2 komi 6.5")
    decides = t.state.deciding()
    assert (decides.title.ja, decides.values) == ("コミ込み", ("40", "44.5"))
    t = table("ranking")
    t.do("place 2 1 ?")
    assert t.state.deciding().values == ("2", "1", "")
    t = table(columns=[POINTS, MONEY], loses="money < 1")
    t.do("points 12 10 9", "money 0 5 5", "end")
    assert t.state.deciding().values == ("✗", "", "")
    t = table(columns=[POINTS, MONEY], ties=[{"column": "money"}])
    t.do("points 9 9 1", "money 3 4 5", "end")
    assert t.state.deciding().values == ("3", "4", "5")


def test_who_dropped_out_stands_beside_totals_that_they_lead(table):
    t = table("rounds")
    t.do("r1 9 2 3", "p2 out")
    assert t.state.deciding() is None, "last by the points, too"
    t.do("p1 out", "end")
    assert (t.outcome.winners, t.state.deciding().values) == ((2,), ("✗", "✗", ""))
    assert t.state.deciding().title.ja == "途中離脱"


def test_the_places_of_a_ruling_stand_beside_the_totals(table):
    t = table("go", 2)
    t.do("territory 40 38", "p2 komi 6.5", "end")
    t.rule("adjudge ranks=1,2")
    assert (t.outcome.winners, t.state.deciding().values) == ((0,), ("1", "2"))
    assert t.state.deciding().title.en == "place by the ruling"


def test_a_tie_breaker_stands_beside_totals_that_are_level_below_the_first(table):
    t = table(columns=[POINTS, MONEY], ties=[{"column": "money"}])
    t.do("points 9 4 4", "money 0 1 2", "end")
    assert (t.outcome.ranks, t.state.deciding().values) == ((1, 3, 2), ("0", "1", "2"))


def test_nothing_stands_beside_totals_that_say_it_all(table):
    t = table(columns=[POINTS, MONEY], ties=[{"column": "money"}])
    t.do("points 9 8 1", "money 3 4 5")
    assert t.end().reason == "points"
    assert t.state.deciding() is None
    assert table("cooperative").state.deciding() is None


# Marks that have to be met


def test_darts_that_go_too_far_do_not_count(table):
    t = table("darts_501", 2)
    t.do("r1 180 100", "r2 180 100", "r3 180 100", "r4 141 100")
    assert t.scores() == [501, 400]
    t = table("darts_501", 1)
    t.do("r1 180", "r2 180", "r3 140")
    assert t.scores() == [500]
    t = table("darts_501+double_out", 1)
    t.do("r1 180", "r2 180", "r3 140", "r4 141")
    assert t.scores() == [501]
    assert t.broken("r5 163") == {
        "END-2": "p1 has reached 501: no round is begun",
        "CHECK-1": "points of the turn: 163 cannot be",
    }


def test_darts_are_thrown_in_turn_and_the_first_has_won(table):
    t = table("darts_501+from_301", 2)
    t.do("r1 180 180", "r2 121 121")
    assert (t.end().winners, t.scores()) == ((0,), [301, 301])


def test_a_mark_that_must_be_met_exactly_throws_back_who_passes_it(table):
    """As in Mölkky: past 50 one goes on from 25."""
    pins = {"id": "pins", "per": "round", "counts": False}
    counted = {
        "id": "counted",
        "per": "round",
        "formula": "pins if total_before + pins <= target else 25 - total_before",
    }
    t = table(seats=1, columns=[pins, counted], target=50)
    t.do("r1 45", "r2 6", "r3 12", "r4 12")
    assert t.scores() == [49]
    t.do("r5 1")
    assert t.end().reason == "target"


def test_a_barrel_is_left_by_so_many_points_alone(table):
    """From 880 on, only a deal of 120 or more counts."""
    made = {"id": "made", "per": "round", "counts": False}
    counted = {"id": "counted", "per": "round", "formula": "made if total_before < 880 or made >= 120 else 0"}
    t = table(seats=1, columns=[made, counted], target=1000)
    t.do("r1 890", "r2 60", "r3 120")
    assert t.scores() == [1010]
