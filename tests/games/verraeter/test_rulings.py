"""RULING: what a referee can change, within which limits, and what follows from it."""

from __future__ import annotations

import pytest

from games import adjustments
from games.contract import PUBLIC, Viewpoint
from games.verraeter import VERRAETER
from tests.cases import cases

ROSE_ALONE = "land land=4 house=Eagle", "land land=6 house=Eagle", "land land=8 house=Eagle", "land land=10 house=Eagle"


def over(t):
    return t.state.outcome()


def play_last_round(t):
    """The last round of a game for three, in which nobody lays or builds anything."""
    t.state.round = 9
    t.do("1-2", "lay -", "lay -", "lay -", "reveal Diplomat5 Strategist Diplomat2")


def test_ruling_points_count_for_the_winner_also_after_the_end(table):
    t = table("ERE")
    assert t.rule("points seat=Player1 points=50") == ["1 points.ruled 50"]
    play_last_round(t)
    assert over(t).winners == (0,)
    assert t.rule("points seat=Player3 points=90")[-1].startswith("3 game.won")
    assert (over(t).winners, over(t).rule) == ((2,), "verraeter:28")


def test_ruling_who_resigns_comes_last_and_the_others_play_on(table):
    t = table("ERE")
    t.rule("points seat=Player1 points=50")
    assert t.rule("resign seat=Player1") == ["1 seat.resigned"]
    assert over(t) is None
    play_last_round(t)
    assert (over(t).ranks[0], over(t).reason) == (3, "rounds")


def test_ruling_the_last_one_who_has_not_resigned_has_won(table):
    t = table("ERE")
    t.rule("resign seat=Player3 + resign seat=Player1")
    assert (over(t).ranks, over(t).winners, over(t).reason) == ((2, 1, 3), (1,), "resigned")
    assert t.legal() == []
    assert t.state.to_move() is None
    assert "the game is over" in t.cannot_rule("resign seat=Player2")


def test_ruling_nobody_resigns_twice(table):
    t = table("ERE")
    t.rule("resign seat=Player3")
    assert "given up already" in t.cannot_rule("resign seat=Player3")


def test_ruling_an_adjudged_game_is_over_and_moves_then_break_the_ruling(table):
    t = table("ERE")
    assert t.rule("adjudge ranks=2,1,3") == ["game.adjudged"]
    assert (over(t).winners, over(t).reason) == ((1,), "adjudicated")
    assert t.broken("2: 1-2") == {"RULING": "the game is over"}
    assert t.state.describe()["due"] is None
    t.rule("points seat=Player1 points=9 + adjudge ranks=1,1,1")
    assert over(t).winners == (0, 1, 2)


def test_ruling_the_strict_reading_is_switched_and_the_choice_of_houses_is_not(table):
    t = table("ERE")
    assert t.rule("option name=strict_overflow value=true") == ["option.switched strict_overflow = true"]
    assert t.state.options.strict_overflow
    assert "cannot be switched" in t.cannot_rule("option name=alternating_allegiance value=true")


def test_ruling_a_land_changes_hands_but_not_the_last_of_a_house(table):
    t = table("ERE")
    assert t.rule("land land=2 house=Eagle") == ["land.turned 2 Village Eagle"]
    for text in ROSE_ALONE:
        t.rule(text)
    assert "the last land of Rose" in t.cannot_rule("land land=12 house=Eagle")


def test_ruling_the_lands_at_a_conflict_stay_until_it_is_resolved(table):
    t = table("ERE")
    t.do("1-2")
    assert "not resolved yet" in t.cannot_rule("land land=2 house=Eagle")
    t.rule("land land=4 house=Eagle")


def test_ruling_a_holding_is_put_turned_and_taken_back(table):
    t = table("ERE")
    assert t.rule("holding land=3 seat=Player2") == ["2 estate.put 3 Woods"]
    assert t.rule("holding land=3 seat=Player2 side=post") == ["2 post.turned 3 Woods"]
    assert t.state.reserve(1) == 2
    assert t.rule("holding land=3") == ["2 holding.removed 3 Woods"]
    assert t.state.reserve(1) == 3


def test_ruling_a_holding_needs_a_free_land_and_a_card_in_reserve(table):
    t = table("ERE", cards="1e1 1e2 1p3 2e4")
    assert "a card of player 2 lies" in t.cannot_rule("holding land=4 seat=Player1")
    assert "no card left in reserve" in t.cannot_rule("holding land=5 seat=Player1")
    assert "no card lies under" in t.cannot_rule("holding land=5")


def test_ruling_a_house_counts_in_the_conflict(table):
    t = table("ERE", hands="8?? ??? ???")
    t.do("1-2", "lay 8")
    t.rule("house seat=Player1 house=Rose")
    assert t.sums() == ["Eagle 5 = land 5", "Rose 18 = land 10 + cards 8"]


def test_ruling_no_house_changes_while_points_are_read(table):
    t = table("ERE", components=None)
    t.do("1-2", "lay -", "lay -", "lay -", "reveal Farmer Builder Strategist")
    assert t.state.due == "points"
    assert "points on the conquered card" in t.cannot_rule("house seat=Player1 house=Rose")


def test_ruling_who_has_the_strategy_card_says_where_the_conflict_is(table):
    t = table("ERE")
    t.rule("strategy seat=Player3")
    assert t.state.to_move() == 2


def test_ruling_the_start_player_changes_unless_the_action_put_aside_is_noted(table):
    t = table("ERE")
    t.do("1-2")
    t.rule("start seat=Player2")
    assert t.state.to_move() == 1
    t.do("aside Farmer")
    assert "put aside" in t.cannot_rule("start seat=Player3")


def test_ruling_a_card_drawn_too_much_goes_back_to_the_pile(table, check):
    t = table("ERE", hands="8?? ??? ???")
    pile = t.state.pile
    assert t.rule("card from=player1 to=pile card=8") == ["card.moved a card player1 → pile"]
    assert (t.hand(1), t.state.pile) == ("? ?", pile + 1)
    check(t.state)


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        ("card from=pile to=player2 card=8", ("2 ? ?", "8 ?")),
        ("card from=pile to=player2", ("2 ? ?", "? ?")),
        ("card from=player1 to=player2 card=2", ("? ?", "2 ?")),
        ("card from=player1 to=discards card=6", ("2 ?", "?")),
        ("card from=pile to=discards card=6", ("2 ? ?", "?")),
        ("card from=discards to=player2 card=3", ("2 ? ?", "3 ?")),
    ],
)
def test_ruling_a_card_goes_where_the_referee_says_and_none_is_lost(table, check, text, hands):
    t = table("ERE", hands="2?? ? ???")
    t.rule("card from=pile to=discards card=3")
    t.rule(text)
    assert (t.hand(1), t.hand(2)) == hands
    check(t.state)


@cases(
    ("text", "why"),
    [
        ("card from=player1 to=player1", "lies in player1 already"),
        ("card from=player1 to=pile card=8", "holds 2 2, not 8"),
        ("card from=player2 to=pile", "player2 has no card"),
        ("card from=pile to=player3", "player3 has 5 cards"),
        ("card from=player4 to=pile", "no seat 4"),
        ("card from=player1 to=discards", "say which card"),
        ("card from=discards to=pile card=8", "not among the discards"),
    ],
)
def test_ruling_a_card_comes_only_from_where_it_can_be(table, text, why):
    t = table("ERE", hands="22 ? ?????")
    t.rule("card from=player2 to=pile")
    assert why in t.cannot_rule(text)


def test_ruling_a_card_that_is_known_elsewhere_is_not_in_the_pile(table):
    t = table("ERE", hands="8?? ??? ???")
    assert "A17" in t.cannot_rule("card from=pile to=player2 card=8")


def test_ruling_others_do_not_see_a_card_that_goes_back_unseen():
    secret = adjustments.parse(VERRAETER, "card from=player1 to=pile card=8")
    shown = adjustments.parse(VERRAETER, "card from=player1 to=player2 card=8")
    assert secret.seen(PUBLIC) == adjustments.parse(VERRAETER, "card from=player1 to=pile")
    assert secret.seen(Viewpoint("seat", 0)) == secret
    assert shown.seen(PUBLIC) == shown


def test_ruling_who_no_longer_has_too_many_cards_draws(table, check):
    t = table("ERE", hands="??? ??? ?????")
    t.do("1-2", "lay -", "lay -", "lay -", "reveal Diplomat5 Strategist Farmer")
    assert t.state.due == "draw"
    assert t.rule("card from=player3 to=pile") == ["card.moved a card player3 → pile"]
    t.rule("card from=player3 to=pile")
    assert "3 cards.drawn 3" in t.rule("card from=player3 to=pile")
    assert (len(t.state.hands[2]), t.state.due) == (5, "site")
    check(t.state)


@cases(
    "text",
    ["land land=1 house=Rose", "holding land=1 seat=Player1", "house seat=Player1 house=Rose", "start seat=Player2"],
)
def test_ruling_before_the_first_round_and_after_the_end_the_table_stays(new, table, text):
    assert "no round is played" in new().cannot_rule(text)
    t = table("ERE")
    t.rule("adjudge ranks=1,1,1")
    assert "the game is over" in t.cannot_rule(text)
