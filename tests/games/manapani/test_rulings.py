"""RULING: what a referee can change, within which limits, and what follows from it."""

from __future__ import annotations

import random

import pytest

from games import adjustments
from games.contract import PUBLIC, Viewpoint
from games.examination.plays import option_settings, random_game_with_rulings
from games.manapani import MANAPANI
from tests.cases import cases


def test_ruling_points_count_with_the_chips(table):
    t = table(held=["rb", "g"])
    assert t.rule("points seat=Player2 points=4") == ["2 points.ruled 4"]
    assert t.scores() == [2, 5]
    *_, line = t.state.scores()
    assert (line.seat, line.points, line.category, line.rule) == (1, 4, "ruling", "manapani:RULING")


def test_ruling_points_after_the_end_find_the_winner_anew(table):
    t = table("Shield", "", "", held=["b", "rr", "r"])
    t.do("cast Shield")
    assert t.state.ending.winners == (1,)
    assert t.rule("points seat=3 points=2") == ["3 points.ruled 2", "3 game.won 3"]
    assert t.state.ending.reason == "no_mana"


def test_ruling_a_turn_begins_with_its_draw_and_drops_what_was_not_resolved(fight, check):
    t = fight("fire", 1, "Kobold", "Troll")
    assert t.rule("turn seat=Player2") == ["2 turn.ruled", "2 turn.begun 2", "2 card.drawn"]
    assert (t.state.active, t.state.due, t.state.discards.known) == (1, "turn", ["Kobold", "Troll"])
    check(t.state)


def test_ruling_a_turn_that_is_had_again_is_fresh(table):
    t = table("Mana ?", held=["rrb"])
    t.do("cast Mana r", "exchange rr")
    t.rule("turn seat=1")
    assert any(line.startswith("exchange") for line in t.legal())


def test_ruling_who_resigns_has_no_turn_any_more_and_comes_last(table):
    t = table("?", "?", "?", held=["rrrrrr", "b", "rr"], chips=8)
    assert t.rule("resign seat=Player1") == ["1 seat.resigned", "2 turn.begun 2", "2 card.drawn"]
    t.do("roll 6 6", "roll 1 1", "leave")
    assert t.state.active == 1
    assert "has given up" in t.cannot_rule("turn seat=1")
    t.rule("adjudge ranks=1,1,1")
    t = table("Shield", "?", "?", held=["bbb", "r", "rr"], chips=8, pawns=[1])
    t.rule("resign seat=Player3")
    t.rule("chip from=player2 to=source colour=red")
    assert (t.state.ending.reason, t.state.ending.ranks) == ("no_mana", (1, 2, 3))


def test_ruling_the_last_who_is_left_has_won(table):
    t = table("?", "?", held=["rb", "g"])
    t.rule("resign seat=Player1")
    assert (t.state.ending.winners, t.state.ending.reason) == ((1,), "resigned")
    assert t.legal() == []
    assert "the game is over" in t.cannot_rule("turn seat=2")


def test_ruling_who_resigned_before_the_deal_does_not_begin(new):
    t = new(3)
    t.rule("resign seat=Player2")
    assert t.legal() == ["start 1", "start 3"]
    assert "player 2 has given up (manapani:RULING)" in t.cannot("start 2")
    t.do("start 1", "roll 1 1", "leave")
    assert t.state.active == 2


def test_ruling_a_game_is_ended_with_ranks(table):
    t = table(held=["rb", "g"])
    assert t.rule("adjudge ranks=2,1") == ["game.adjudged"]
    assert (t.state.ending.winners, t.state.ending.reason, t.state.due) == ((1,), "adjudicated", None)


@pytest.mark.parametrize("ruling", ["adjudge ranks=2,1", "resign seat=Player2"])
def test_ruling_an_end_within_a_fight_drops_it(fight, table, check, ruling):
    t = fight("fire", 1, "Kobold", "Troll")
    t.rule(ruling)
    assert (t.state.fight, t.state.discards.known) == (None, ["Kobold", "Troll"])
    check(t.state)
    t = table("? ?", "?", lands={2: (2, 1)})
    t.do("roll 1 1", "attack 2")
    t.rule(ruling)
    assert (t.state.fight, t.hand(1)) == (None, "? ?")


def test_ruling_the_level_drop_is_switched_but_not_within_a_fight(fight, table):
    t = table(held=["rb"])
    assert t.rule("option name=level_drop value=after") == ["option.switched level_drop = after"]
    assert t.state.options.level_drop == "after"
    assert "chips cannot be switched" in t.cannot_rule("option name=chips value=30")
    assert "fought to its end" in fight("fire", 1, "Kobold").cannot_rule("option name=level_drop value=after")


# Chips, lands, pawns


def test_ruling_chips_go_between_source_and_hands(table, check):
    t = table(held=["rrb", "g"])
    assert t.rule("chip from=player1 to=player2 colour=red count=2") == ["chips.moved 2 red player1 → player2"]
    t.rule("chip from=source to=player1 colour=white")
    assert [t.chips(1), t.chips(2)] == ["bw", "rrg"]
    check(t.state)


@cases(
    ("text", "why"),
    [
        ("chip from=player1 to=player1 colour=red", "they lie in player1 already"),
        ("chip from=player1 to=source colour=green", "player1 has 2 red"),
        ("chip from=source to=player1 colour=red count=7", "source has 6 red"),
        ("chip from=player3 to=source colour=red", "no seat 3"),
        ("land place=3 seat=1 level=1", "square 3 is no land"),
        ("land place=2 seat=1", "a land with chips has an owner"),
        ("land place=2 level=2", "a land with chips has an owner"),
        ("land place=99", "square 99 is no land"),
        ("land place=8 seat=4 level=1", "no seat 4"),
        ("pawn seat=1 place=24", "the squares are 0 to 23"),
    ],
)
def test_ruling_no_chip_comes_from_nowhere(table, text, why):
    assert why in table(held=["rr", "b"], chips=8).cannot_rule(text)


def test_ruling_the_last_chip_taken_ends_the_game_as_in_play(table):
    t = table(held=["r", "b"])
    assert t.rule("chip from=player1 to=source colour=red")[1:] == ["1 mana.exhausted", "2 game.won 1"]
    t = table(held=["r", "w" * 19])
    assert "1 bonus.scored 5" in t.rule("chip from=source to=player1 colour=white")
    assert t.state.ending.reason == "no_white"


def test_ruling_the_last_white_chip_taken_in_a_fight_drops_it(fight, check):
    t = fight("fire", 1, "Kobold", "Troll", held=["rb", "r" + "w" * 19])
    t.rule("chip from=source to=player1 colour=white")
    assert (t.state.ending.reason, t.state.fight) == ("no_white", None)
    assert t.state.discards.known == ["Kobold", "Troll"]
    check(t.state)


def test_ruling_a_fight_is_resolved_before_mana_is_asked_for(fight):
    t = fight("fire", 1, "Kobold", held=["r", "b"])
    t.rule("chip from=player1 to=source colour=red")
    assert t.state.ending is None
    t.do("pay Kobold")
    assert (t.land(2), t.state.ending) == ((1, 1), None)


def test_ruling_a_land_gets_owner_and_level_and_its_chips_come_from_the_source(table, check):
    t = table(held=["rb", "g"], lands={2: (2, 2)})
    assert t.rule("land place=2 seat=Player1 level=5") == ["1 land.ruled 2 fire land 5"]
    assert (t.land(2), t.state.source[0]) == ((1, 5), 20 - 1 - 5)
    check(t.state)
    assert t.rule("land place=2") == ["land.ruled 2 fire land 0"]
    assert (t.land(2), t.state.source[0]) == ((None, 0), 20 - 1)
    check(t.state)


def test_ruling_a_pawn_is_put_anywhere_and_nothing_happens_there(table):
    t = table(held=["rb", "g"])
    assert t.rule("pawn seat=2 place=12") == ["2 pawn.placed 12 sanctuary"]
    assert (t.at(2), t.hand(2)) == (12, "? ? ? ? ?")


@pytest.mark.parametrize("text", ["land place=2", "pawn seat=1 place=3"])
def test_ruling_a_square_is_resolved_before_it_is_changed(table, text):
    t = table(held=["rb", "g"], lands={2: (2, 2)})
    t.do("roll 1 1")
    assert "resolved first" in t.cannot_rule(text)


def test_ruling_lands_and_pawns_change_after_an_end_within_brave_attack(table):
    t = table("BraveAttack", held=["rb", "w" * 19], pawns=[20])
    t.do("cast BraveAttack", "gain w")
    assert t.state.ending.reason == "no_white"
    assert t.rule("pawn seat=1 place=2") == ["1 pawn.placed 2 fire land"]
    assert t.rule("land place=2 seat=Player1 level=1")[0] == "1 land.ruled 2 fire land 1"


def test_ruling_chips_after_the_end_leave_the_bonus_to_the_entry_that_brought_it(table):
    t = table(held=["rrb", "w" * 19])
    t.do("exchange rb")
    ended = t.state.version
    t.rule("chip from=player1 to=player2 colour=red")
    lines = t.state.scores()
    assert [line.version for line in lines if line.category == "bonus"] == [ended]
    assert [line.version for line in lines if line.category == "hand"] == [ended + 1] * 2


@cases("text", ["turn seat=1", "chip from=source to=player1 colour=red", "card from=deck to=player1"])
def test_ruling_before_the_start_there_is_nothing_to_move(new, text):
    assert "nothing has been dealt" in new(2).cannot_rule(text)


# Cards


@pytest.mark.parametrize(
    ("text", "hands", "discards"),
    [
        ("card from=player1 to=player2 card=Kobold", ("Troll ?", "Kobold ?"), 0),
        ("card from=player1 to=player2", ("? ?", "? ?"), 0),
        ("card from=player1 to=discards card=Kobold", ("Troll ?", "?"), 1),
        ("card from=player1 to=discards", ("? ?", "?"), 1),
        ("card from=player1 to=deck card=Fly", ("Kobold Troll", "?"), 0),
        ("card from=deck to=player2 card=Fly", ("Kobold Troll ?", "Fly ?"), 0),
        ("card from=deck to=player2", ("Kobold Troll ?", "? ?"), 0),
        ("card from=deck to=discards card=Fly", ("Kobold Troll ?", "?"), 1),
    ],
)
def test_ruling_a_card_goes_where_the_referee_says_and_none_is_lost(table, check, text, hands, discards):
    t = table("Kobold Troll ?", "?", held=["rb"])
    t.rule(text)
    assert (t.hand(1), t.hand(2), len(t.state.discards)) == (*hands, discards)
    check(t.state)


def test_ruling_a_card_out_of_the_discards_is_seen_by_all(table, check):
    t = table("Mana ?", "?", held=["rb"])
    t.do("cast Mana r")
    t.rule("card from=discards to=player2 card=Mana")
    assert t.state.view(PUBLIC).hands[1].known == ["Mana"]
    assert "no card lies in discards" in t.cannot_rule("card from=discards to=deck")
    check(t.state)


@cases(
    ("text", "why"),
    [
        ("card from=player1 to=player1", "lies in player1 already"),
        ("card from=player1 to=deck card=Fly", "player1 holds Kobold, Bandit, not Fly"),
        ("card from=deck to=player1 card=Bandit", "of Bandit the box has 1 card"),
        ("card from=player3 to=deck", "no seat 3"),
    ],
)
def test_ruling_a_card_comes_only_from_where_it_can_be(table, text, why):
    assert why.replace("Kobold, Bandit", "Bandit, Kobold") in table("Kobold Bandit", "?").cannot_rule(text)


def test_ruling_cards_that_lie_face_down_stay(table):
    t = table("? ?", "?", lands={2: (2, 1)})
    t.do("roll 1 1", "attack 2")
    assert "turned up first" in t.cannot_rule("card from=player1 to=deck")


def test_ruling_a_card_too_many_that_goes_back_ends_the_turn(table):
    t = table("? " * 8, held=["b"])
    t.do("roll 1 1", "leave")
    assert "2 turn.begun 2" in t.rule("card from=player1 to=deck")


def test_ruling_others_do_not_see_a_card_that_goes_back_unseen():
    secret = adjustments.parse(MANAPANI, "card from=player1 to=deck card=Fly")
    shown = adjustments.parse(MANAPANI, "card from=player1 to=player2 card=Fly")
    assert secret.seen(PUBLIC) == adjustments.parse(MANAPANI, "card from=player1 to=deck")
    assert secret.seen(Viewpoint("seat", 0)) == secret
    assert shown.seen(PUBLIC) == shown


@pytest.mark.parametrize("setting", range(len(option_settings(MANAPANI))))
def test_ruled_games_keep_every_chip_and_card(setting, check):
    for step in random_game_with_rulings(MANAPANI, setting, 0).steps:
        check(step.after)


def test_ruling_chance_fills_in_after_a_ruling_as_before(table):
    t = table("Kobold ? ?", "? ?", lands={2: (2, 1)}, held=["rb"])
    t.rule("card from=player1 to=player2 card=Kobold")
    t.do("roll 1 1", "attack 2", "defend 3")
    (move,) = t.state.legal_moves()
    t.state.apply(t.state.sample_chance(move, random.Random(1)))
    assert t.hand(1) == ""
