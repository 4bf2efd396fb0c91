"""The worked checks of the rules: sums, conquests, draws and the bonus, in numbers."""

from __future__ import annotations

from tests.cases import cases


def test_three_players_who_lay_nothing_leave_it_to_the_lands(table):
    t = table("ERR")
    t.do("1-2", "lay -", "lay -", "lay -")
    effects = t.do("reveal Builder Strategist Farmer")
    assert "strength.counted Eagle 5 = land 5" in effects
    assert "strength.counted Rose 10 = land 10" in effects
    assert "land.conquered 1 River Rose" in effects
    assert t.scores() == [0, 4 + 2, 4]
    assert t.state.owners[0] == "Rose"


def test_the_traitor_brings_his_cards_to_the_new_house(table):
    t = table("ERER", hands="5? 3? 4? 4?")
    t.do("3-4", "lay 5", "lay 3", "lay -", "lay 4")
    effects = t.do("reveal Traitor Builder Farmer Diplomat5")
    assert "strength.counted Rose 20 = land 3 + cards 12 + Diplomat 5" in effects
    assert "strength.counted Eagle 7 = land 7" in effects
    assert t.scores() == [3 + 1, 3, 0, 3]
    assert t.state.owners[2] == "Rose"


def test_a_tie_moves_nothing_but_the_points_of_traitor_and_strategist(table):
    t = table("EERR", hands="5? ? ? ?")
    t.state.owners[1], t.state.owners[4] = "Rose", "Eagle"
    t.state.lands[3], t.state.lands[1] = "Village", "Meadow"
    t.do("4-5", "lay 5", "lay -", "lay -", "lay -")
    owners = t.state.owners.copy()
    effects = t.do("reveal Traitor Strategist Farmer Builder")
    assert "strength.counted Eagle 15 = land 15" in effects
    assert "strength.counted Rose 15 = land 10 + cards 5" in effects
    assert "conflict.tied" in effects
    assert t.scores() == [1, 2, 0, 0]
    assert t.state.owners == owners


@cases(("line", "discards"), [("draw -", 0), ("draw -2", 1), ("draw -2 3", 2)])
def test_a_farmer_with_four_cards_ends_with_five_after_any_choice(table, line, discards):
    t = table("ERE", hands="2345 3 4")
    t.do("3-4", "lay -", "lay -", "lay -")
    assert t.do("reveal Farmer Diplomat5 Diplomat2")[-1] == "1 hand.exceeded 3"
    assert f"1 cards.drawn {1 + discards}" in t.do(line)
    assert len(t.state.hands[0]) == 5
    assert len(t.state.discards) == discards


def test_two_posts_and_five_cards_are_a_bonus_of_six(table):
    t = table("ERE", "1p1 1p2 2e3", hands="22345 3 4")
    t.state.round = 9
    t.do("3-4", "lay -", "lay -", "lay -")
    assert "1 points.scored 2 trading posts, 5 cards in hand 6" in t.do("reveal Diplomat5 Farmer Diplomat2")
