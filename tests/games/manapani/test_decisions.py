"""Every decision on what the printed rules leave open has a test that is named after it."""

from __future__ import annotations

import re
import sys
from itertools import product

import pytest

from games.contract import PUBLIC
from games.errors import BadOpeningError
from games.manapani import MANAPANI
from games.manapani.chips import available_chips, is_minimal, tally, ways_to_pay_toll
from games.manapani.components import COLOURS, SAMPLE
from games.manapani.fights import winner
from games.manapani.moves import Toll
from tests.cases import cases

RICH = "rrrrrbbbbbyyyyygggggw"


def only(effects: list[str], *kinds: str) -> list[str]:
    """The effects of these kinds."""
    return [effect for effect in effects if any(kind in effect for kind in kinds)]


def deck(**copies: int) -> dict[str, object]:
    """The invented box with other numbers of some cards."""
    return {"board": SAMPLE["board"], "deck": SAMPLE["deck"] | copies}


TWO_ELEMENTALS = deck() | {"board": ["start", "fort", "fire land", "fire elemental", "fire elemental"]}


# A. Turn, squares, payments


def test_a1_nothing_is_drawn_where_there_is_no_card(table):
    t = table("Kobold", held=["rb"])
    t.state.pile = 0
    assert "2 draw.missed" in t.do("roll 1 1", "leave")
    assert t.hand(2) == "? ? ? ? ?"


@cases("two", ["rr", "rb", "br", "yg"])
def test_a2_two_coloured_chips_are_exchanged_equal_or_not(table, two):
    t = table(held=["rrbyg"])
    t.do(f"exchange {two}")
    assert sorted(t.chips(1) + two) == sorted("rrbygw")
    assert set(t.broken("exchange wr")) == {"A2", "4"}


def test_a3_only_the_very_colour_strengthens(table):
    t = table(held=["wwyyyyb"], lands={8: (1, 1)}, pawns=[6])
    t.do("roll 1 1")
    assert t.legal() == ["put 1", "leave"]
    assert "player 1 holds 1 blue, 4 yellow, 2 white, and cannot give 2 blue" in t.cannot("put 2")


def test_a4_claiming_without_a_chip_brings_a_panic_and_no_land(table):
    t = table(held=["rrrrrr", "rr"], chips=8)
    t.do("roll 1 1")
    assert "claim" in t.legal()
    assert only(t.do("claim"), "panic", "halved", "claimed") == [
        "1 panic.struck red",
        "1 chips.halved red 3",
        "2 chips.halved red 1",
    ]
    assert t.land(2) == (None, 0)


def test_a5_marks_do_not_run_out(table):
    board = ["start", *["fire land"] * 25]
    components = {"board": board, "deck": SAMPLE["deck"] | {"Brave Attack": 0}}
    t = table(held=["b"], lands=dict.fromkeys(range(3, 18), (1, 1)), components=components)
    t.do("roll 1 1", "claim")
    assert len(list(t.state.lands_of(0))) == 16


def test_a6_costs_go_to_the_source(table):
    t = table("HolyDice", held=["rb"])
    before = t.state.source[1]
    t.do("cast HolyDice 3 b")
    assert t.state.source[1] == before + 1


def test_a7_the_owner_gets_just_the_chips_that_are_paid(table):
    t = table(held=["bbyyw", "g"], lands={2: (2, 2)})
    effects = t.do("roll 1 1", "toll bbyy")
    assert "2 toll.received 2 blue, 2 yellow 4" in effects
    assert (t.chips(1), t.chips(2)) == ("w", "bbyyg")


def test_a8_who_cannot_pay_in_full_hands_over_everything_an_odd_chip_too(table):
    t = table(held=["byg", "g"], lands={2: (2, 4), 8: (1, 1)})
    t.do("roll 1 1")
    assert [line for line in t.legal() if line.startswith("toll")] == ["toll byg from 8"]
    assert "A8" in t.broken("toll by")
    effects = t.do("toll")
    assert "2 toll.received 2 blue, 1 yellow, 1 green 4" in effects
    assert only(effects, "mana.exhausted", "game.won") == ["1 mana.exhausted", "2 game.won 9"]
    assert (t.scores(), t.land(8)) == ([0, 9], (None, 0))


def test_a9_a_toll_that_lands_can_pay_is_paid_from_them(table):
    t = table(held=["b", "g"], lands={2: (2, 2), 1: (1, 1), 4: (1, 1)})
    t.do("roll 1 1")
    assert [line for line in t.legal() if line.startswith("toll")] == ["toll - from 1 4"]
    assert "13" in t.broken("toll b")
    t.do("toll - from 1 4")
    assert (t.chips(1), t.chips(2), t.land(1)) == ("b", "rrg", (None, 0))


def test_a9_the_usual_toll_takes_no_land_that_can_be_kept(table):
    t = table(held=["b", "g"], lands={2: (2, 4), 1: (1, 2), 4: (1, 4)})
    t.do("roll 1 1")
    assert t.legal()[0] == "toll - from 1 4 4 4"
    t.do("toll")
    assert (t.land(1), t.land(4)) == ((1, 1), (1, 1))


@cases("toll", [1, 2, 3, 5])
@cases(("held", "lands"), [("rrbbyggw", {}), ("bw", {1: (1, 3), 4: (1, 2)}), ("ryyggww", {4: (1, 4)})])
def test_a10_each_way_to_pay_comes_once_and_the_fewest_chips_first(table, held, lands, toll):
    """Held against every choice of chips; of ways with as many chips, those with the fewest from lands come first."""
    state = table(held=[held, "g"], lands={2: (2, toll), **lands}).state
    colour, most = state.box.colours[2], available_chips(state, 0)
    ways = list(ways_to_pay_toll(state, 0, colour, toll))
    given = [tally([*chips, *(COLOURS[state.box.colours[place]] for place in places)]) for chips, places in ways]
    every = product(*(range(count + 1) for count in most))
    assert sorted(given) == sorted(list(counted) for counted in every if is_minimal(counted, colour, toll))
    prices = [(len(chips) + len(places), len(places)) for chips, places in ways]
    assert prices == sorted(prices)


@cases("paid", ["rw", "rby", "byy", "rr"])
def test_a10_nothing_is_paid_that_could_be_left_out(table, paid):
    t = table(held=["rrwwbyy", "g"], lands={2: (2, 1)})
    t.do("roll 1 1")
    assert set(t.broken(f"toll {paid}")) == {"A10"}
    assert f"toll {paid}" not in t.legal()


def test_a11_the_land_stood_on_never_pays_its_own_toll(table):
    t = table(held=["b", "g"], lands={2: (2, 2), 1: (1, 2)})
    t.do("roll 1 1")
    assert not [line for line in t.legal() if line.startswith("toll") and " 2" in line]
    assert "player 1 has not 1 chip on 2 fire land (manapani:15)" in t.cannot("toll b from 2")


def test_a12_gains_come_square_by_square_and_panics_at_their_moment(table):
    t = table(held=["rb", "rrrrrrr"], chips=8, pawns=[20])
    effects = t.do("roll 6 6", "gain r")
    assert effects[:4] == [
        "1 panic.struck red",
        "1 chips.halved red 1",
        "2 chips.halved red 4",
        "1 chip.gained red 1",
    ]
    assert t.at(1) == 8


def test_a13_each_pass_of_one_move_counts(table):
    small = {"board": ["start", "fire elemental", "fire land"], "deck": SAMPLE["deck"] | {"Brave Attack": 0}}
    t = table(held=["b"], components=small)
    t.do("roll 6 2", "gain w", "gain w")
    assert t.chips(1) == "rrrbww"


def test_a14_leaving_an_elemental_brings_nothing(table):
    t = table(held=["b"], pawns=[3])
    t.do("roll 1 1")
    assert t.chips(1) == "b"


def test_a15_too_many_cards_are_asked_for_at_the_end_of_the_own_turn_only(table):
    t = table("? " * 7, "? " * 10, held=["b"])
    t.do("roll 1 1", "leave")
    assert (t.state.active, len(t.state.hands[1])) == (1, 11)
    t.do("roll 1 1", "leave")
    assert (t.state.due, t.state.active) == ("discard", 1)
    assert "4" in t.broken("discard ?")
    t.do("discard ? ? ? ?")
    assert (len(t.state.hands[1]), t.state.active) == (7, 0)


def test_a16_pawns_share_a_square(table):
    t = table(held=["b"])
    t.do("roll 1 1", "leave", "roll 1 1", "leave")
    assert [t.at(1), t.at(2)] == [2, 2]


def test_a17_the_track_is_one_ring(table):
    t = table(held=["b"], pawns=[22])
    t.do("roll 1 3", "gain w")
    assert t.at(1) == 2


def test_a18_a_fort_brings_nothing_to_who_has_no_land(table):
    t = table(held=["b"])
    t.do("roll 3 3")
    assert (t.at(1), t.state.active) == (6, 1)


# B. Fights


def test_b1_a_free_scroll_can_be_left_uncast(fight):
    t = fight("fire", 1, "Kobold")
    assert t.legal() == ["pay Kobold", "done"]
    assert "1 power.counted attack 0" in t.do("done")


def test_b2_all_is_paid_before_any_effect_and_the_attacker_acts_first(fight):
    t = fight("wind", 1, "Gremlin Specter", "Gremlin Troll")
    t.do("pay Specter", "pay Gremlin#1", "pay Gremlin", "pay Troll rr")
    assert t.state.due == "effects"
    assert t.state.levels[14] == 0
    assert t.legal() == ["use Gremlin#1 Gremlin#3", "use Gremlin#1 Troll"]
    t.do("use Gremlin#1 Troll")
    assert t.legal() == ["use Gremlin#3 Gremlin#1", "use Gremlin#3 Specter"]


def test_b3_targets_are_named_after_both_sides_have_paid(fight):
    t = fight("wind", 1, "Bandit", "Kobold Troll")
    t.do("pay Bandit", "pay Kobold", "done")
    assert t.legal() == ["use Bandit Kobold", "use Bandit Troll"]


@pytest.mark.parametrize(("when", "won"), [("before", True), ("after", False)])
def test_b4_a_specter_with_a_kobold_wins_level_2_if_the_level_falls_first(fight, when, won):
    t = fight("fire", 2, "Specter Kobold", level_drop=when)
    t.do("pay Specter", "pay Kobold")
    assert (t.land(2) == (1, 1)) is won
    assert (t.state.due == "toll") is not won


@pytest.mark.parametrize("when", ["before", "after"])
def test_b5_a_defender_lowers_no_level(fight, when):
    t = fight("fire", 4, "Kobold", "RedDragon Specter", level_drop=when)
    t.do("pay Kobold", "pay RedDragon")
    effects = t.do("pay Specter")
    assert "2 power.counted defence 10" in effects
    assert t.land(2) == (2, 4)


def test_b6_a_level_of_nothing_frees_the_land_but_the_fight_goes_on(fight):
    t = fight("fire", 1, "Specter", "Troll")
    t.do("pay Specter")
    effects = t.do("pay Troll rr")
    assert only(effects, "land.lost", "fight.won") == ["2 land.lost 2 fire land", "2 fight.won 2 fire land"]
    assert (t.land(2), t.state.active) == ((None, 0), 1)


@cases(("first", "level"), [("RedDragon", 1), ("Specter", 2)])
@cases("when", ["before", "after"])
def test_b7_red_dragon_and_specter_act_in_the_attackers_order(fight, first, level, when):
    t = fight("fire", 5, "RedDragon Specter FireGiant", level_drop=when)
    t.do("pay RedDragon", "pay Specter", "done")
    assert t.legal() == ["use RedDragon", "use Specter"]
    t.do(f"use {first}")
    assert t.land(2) == (1, level)


@pytest.mark.parametrize(("when", "level"), [("before", 2), ("after", 5)])
def test_b8_a_nullified_red_dragon_loses_its_power_not_what_it_did(fight, when, level):
    t = fight("fire", 5, "RedDragon", "SnowGiant", level_drop=when)
    t.do("pay RedDragon")
    effects = t.do("pay SnowGiant")
    assert "1 power.counted attack 0" in effects
    assert t.state.levels[2] == level


def test_b9_a_nullified_hellhound_does_not_win(fight):
    t = fight("water", 1, "Hellhound", "SnowGiant")
    t.do("pay Hellhound")
    assert "2 fight.won 8 water land" in t.do("pay SnowGiant")


def test_b10_a_snow_giant_hits_cast_fire_and_what_was_stolen_before_it(fight):
    t = fight("wind", 1, "Minotaur Bandit", "SnowGiant FireGiant Kobold")
    t.do("pay Bandit", "done", "pay SnowGiant", "done")
    effects = t.do("use Bandit FireGiant")
    assert only(effects, "nullified") == ["1 scroll.nullified Fire Giant"]
    assert "1 power.counted attack 0" in effects


def test_b10_an_unpaid_fire_card_is_not_nullified_and_works_when_stolen_later(fight):
    t = fight("wind", 1, "SnowGiant Bandit", "FireGiant Kobold")
    t.do("pay SnowGiant", "pay Bandit", "done")
    t.do("use SnowGiant")
    assert "1 power.counted attack 7" in t.do("use Bandit FireGiant")


def test_b11_snow_giants_do_not_hit_each_other(fight):
    t = fight("wind", 1, "SnowGiant", "SnowGiant", held=None, components=deck(**{"Snow Giant": 2}))
    t.do("pay SnowGiant")
    effects = t.do("pay SnowGiant")
    assert {"1 power.counted attack 3", "2 power.counted defence 4"} <= set(effects)


def test_b12_gremlins_halve_the_changed_power_and_repeat(fight):
    t = fight("fire", 1, "Gremlin Gremlin", "Guardian Skeleton", components=deck(Gremlin=2))
    t.do("pay Gremlin", "pay Gremlin", "pay Guardian b", "pay Skeleton")
    t.do("use Gremlin Guardian")
    assert "2 power.counted defence 3" in t.do("use Gremlin Guardian")  # 6 -> 3 -> 1, Skeleton 1, level 1


def test_b13_what_an_attackers_gremlin_did_stays_when_the_defender_aims_at_it(fight):
    t = fight("fire", 1, "Gremlin", "Bandit Troll")
    t.do("pay Gremlin", "pay Bandit", "pay Troll rr")
    effects = t.do("use Gremlin Troll")
    assert "2 scroll.stolen Gremlin" in effects
    assert "2 power.counted defence 2" in effects  # 3 -> 1, level 1


def test_b14_a_stolen_bandit_is_used_at_once_on_another_card(fight):
    t = fight("fire", 1, "Bandit", "Bandit Troll Kobold", components=deck(Bandit=2))
    t.do("pay Bandit#1", "done", "use Bandit#1 Bandit#2")
    assert t.legal() == ["use Bandit#2 Troll", "use Bandit#2 Kobold"]
    assert "1 power.counted attack 3" in t.do("use Bandit#2 Troll")


def test_b15_a_stolen_red_dragon_leaves_what_it_did(fight):
    t = fight("fire", 4, "RedDragon", "Bandit")
    t.do("pay RedDragon")
    effects = t.do("pay Bandit")
    assert "2 power.counted defence 8" in effects  # 6 and the level of 2
    assert t.land(2) == (2, 2)


@pytest.mark.parametrize(("card", "kind"), [("Treant", "2 power.counted defence 3"), ("HellPlant", "1 pawn.held")])
def test_b16_a_bluff_works_for_the_defender_who_steals_it(fight, card, kind):
    t = fight("fire", 1, card, "Bandit")
    assert kind in t.do("pay Bandit")


def test_b17_a_hell_plant_is_dead_for_the_attacker(fight):
    t = fight("fire", 1, "Bandit", "HellPlant")
    t.do("pay Bandit")
    effects = t.do("done")
    assert "1 scroll.stolen Hell Plant" in effects
    assert not only(effects, "held")


def test_b18_a_stolen_world_spell_does_nothing(fight):
    t = fight("fire", 1, "Bandit", "Armageddon")
    effects = t.do("pay Bandit")
    assert "1 scroll.stolen Armageddon" in effects
    assert "1 power.counted attack 0" in effects
    assert t.land(2) == (2, 1)


def test_b19_nothing_is_paid_back(fight):
    t = fight("fire", 1, "FireGiant", "SnowGiant")
    t.do("pay FireGiant r", "pay SnowGiant")
    assert t.chips(1) == RICH.replace("rrr", "", 1)


def test_b20_if_both_win_for_sure_the_defender_does():
    attack, defence = 0, 1
    assert winner([True, True], [9, 0]) == defence
    assert winner([True, False], [0, 9]) == attack
    assert winner([False, False], [3, 3]) == attack


def test_b21_a_held_player_draws_casts_exchanges_and_discards_only(fight):
    t = fight("fire", 1, "", "HellPlant HellPlant", components=deck(**{"Hell Plant": 2}))
    t.do("pay HellPlant", "pay HellPlant", "toll r", "roll 6 6")
    drawn = len(t.state.hands[0])
    assert drawn == 1
    kinds = {line.split()[0] for line in t.legal()}
    assert kinds == {"go", "cast", "exchange"}
    assert "B21" in t.broken("roll 1 1")
    t.do("exchange bb", "go", "roll 6 6", "gain w")
    assert t.legal()[0] == "roll ? ?"


def test_b22_a_hell_plant_counts_for_a_loser(fight):
    t = fight("fire", 1, "FireGiant", "HellPlant")
    t.do("pay FireGiant r")
    effects = t.do("pay HellPlant")
    assert {"1 fight.won 2 fire land", "1 pawn.held"} <= set(effects)


def test_b23_a_fight_without_a_card_is_lost(fight):
    t = fight("fire", 1)
    assert t.state.due == "toll"
    assert "1 toll.paid 1 red 1" in t.do("toll")


def test_b24_the_number_of_laid_cards_is_seen(table):
    t = table("Kobold Merfolk ?", "? ?", lands={2: (2, 1)})
    t.do("roll 1 1", "attack 2")
    seen = t.state.view(PUBLIC).describe()
    assert seen["fight"]["sides"][0] == {"holder": 0, "laid": 2}
    assert seen["players"][0]["face_down"] == 2
    assert seen["players"][0]["hand"]["known"] == []


def test_b25_x_is_bounded_by_the_chips_left(fight):
    t = fight("fire", 1, "Salamander", held=["rrbw", "r"])
    assert t.legal() == ["pay Salamander 0", "pay Salamander r", "pay Salamander rb", "pay Salamander rbw", "done"]
    assert "cannot give 1 red, 4 blue" in t.cannot("pay Salamander bbbb")


def test_b26_a_won_land_keeps_all_its_chips(fight):
    t = fight("water", 5, "Hellhound")
    t.do("pay Hellhound")
    assert t.land(8) == (1, 5)


def test_b27_restrictions_look_at_the_land_only(fight):
    assert fight("fire", 1, "Lizardman", "Skeleton").legal()[0] == "pay Lizardman"
    t = fight("wind", 1, "Lizardman", "Goblin")
    assert "18" in t.broken("1: pay Lizardman =bb")


# C. World spells


@cases(("line", "rules"), [("rbw yyy", {"C1"}), ("rbb yyw", {"C1"}), ("rbb ryg", set())])
def test_c1_three_coloured_chips_for_three(table, line, rules):
    t = table("ManaPrism", held=["rbbw"])
    assert set(t.broken(f"cast ManaPrism {line}")) == rules


def test_c1_with_fewer_than_three_chips_it_cannot_be_cast(table):
    t = table("ManaPrism", held=["rbww"])
    assert not [line for line in t.legal() if "Prism" in line]
    assert "cannot give" in t.cannot("cast ManaPrism rbb yyy")


def test_c2_what_is_given_is_there_first_and_each_failed_gain_is_a_panic(table):
    t = table("ManaPrism", held=["rryyy", "yyyyy"], chips=8)
    effects = t.do("cast ManaPrism rry ryy")
    assert effects[1:] == [
        "1 chips.returned 2 red, 1 yellow 3",
        "1 chip.gained red 1",
        "1 chip.gained yellow 1",
        "1 panic.struck yellow",
        "1 chips.halved yellow 2",
        "2 chips.halved yellow 3",
    ]


def test_c3_holy_dice_under_slow_leaves_nothing_to_roll(table):
    t = table("HolyDice", held=["rb"])
    t.state.slowed = True
    t.do("cast HolyDice 5 b")
    assert t.legal()[0] == "go"
    assert "C3" in t.broken("roll 1")
    assert "1 pawn.moved 5 fire land" in t.do("go")


def test_c4_fly_and_holy_dice_never_meet(table):
    t = table("HolyDice Fly", held=["rby"])
    t.do("cast HolyDice 5 b")
    assert set(t.broken("cast Fly")) == {"25"}


def test_c4_of_spells_that_were_cast_together_all_the_same_each_holds(table):
    t = table("HolyDice Fly", held=["rby"])
    t.do("cast Fly")
    t.force("cast HolyDice 5 b")
    t.do("roll 1")
    assert t.at(1) == 12
    t = table("Shield Mana", held=["rb", "g"], lands={2: (2, 1)})
    t.do("cast Shield")
    t.force("cast Mana r")
    assert "has cast Shield and Mana" in t.broken("cast Mana r")["25"]
    t.do("roll 1 1")
    assert t.legal()[0] == "leave"


def test_c5_two_slows_are_one_and_over_with_the_turn(table):
    t = table("Slow Slow", held=["ggb"])
    t.do("cast Slow 2")
    t.force("cast Slow 2")
    t.do("roll 1 1", "leave")
    t.state.held = True
    t.do("go", "roll 1 1", "leave")
    assert t.legal()[0] == "roll ? ?"


def test_c6_slow_can_be_cast_on_oneself(table):
    assert "cast Slow 1" in table("Slow", held=["gb"]).legal()


def test_c7_under_a_shield_one_can_fight_and_a_lost_fight_costs_no_toll(table):
    t = table("Shield Kobold", "?", held=["rb", "r"], lands={2: (2, 3)})
    t.do("cast Shield", "roll 1 1")
    assert t.legal() == ["leave", "attack 0", "attack 1"]
    assert "C7" in t.broken("toll r")
    assert "1 toll.waived 2 fire land" in t.do("attack 0", "defend 0")
    assert (t.chips(1), t.state.active) == ("r", 1)


def test_c8_the_next_fort_can_be_the_one_stood_on(table):
    board = ["start", "fort", "fire land", "fire elemental"]
    t = table("BraveAttack", held=["rrb"], pawns=[1], lands={2: (1, 1)}, components=deck() | {"board": board})
    t.do("cast BraveAttack", "gain w")
    assert (t.at(1), t.state.due, t.chips(1)) == (1, "put", "rrbw")
    t.do("put 1 at 2")
    assert (t.land(2), t.state.due, t.state.active) == ((1, 2), "turn", 0)


def test_c9_brave_attack_spends_a_slow(table):
    t = table("BraveAttack", held=["rb"])
    t.state.slowed = True
    t.do("cast BraveAttack", "go", "roll 1 1", "leave")
    assert t.legal()[0] == "roll ? ?"


def test_c10_drain_magic_drains_any_owned_land(table):
    t = table("DrainMagic", held=["rrrr"], lands={8: (2, 1), 1: (1, 2)})
    assert {"cast DrainMagic 1 rrr", "cast DrainMagic 8 rrr"} <= set(t.legal())
    assert "4 fire land is nobody's" in t.cannot("cast DrainMagic 4 rrr")
    t.do("cast DrainMagic 8")
    assert (t.land(8), t.chips(1)) == ((None, 0), "rb")


def test_c11_drain_magic_and_armageddon_bring_no_panic(table):
    t = table("DrainMagic", "", held=["bbbb", "bbb"], lands={8: (2, 1)}, chips=8)
    assert t.state.source[1] == 0
    assert not only(t.do("cast DrainMagic 8 bbb"), "panic")
    t = table("Armageddon", held=["rbygw", "w"], lands={2: (2, 1)})
    assert not only(t.do("cast Armageddon"), "panic")


def test_c12_a_spell_may_take_the_last_mana_and_ends_the_game(table):
    t = table("Shield", held=["b", "r"])
    assert "cast Shield" in t.legal()
    assert t.do("cast Shield")[-2:] == ["1 mana.exhausted", "2 game.won 1"]


# D. The end


def test_d1_a_fight_is_resolved_whole_before_mana_is_asked_for(table):
    t = table("FireGiant", "", held=["rrr", "r"], lands={2: (2, 2)})
    t.do("roll 1 1", "attack 1", "defend 0", "reveal FireGiant /", "pay FireGiant r")
    assert (t.chips(1), t.land(2), t.state.ending) == ("", (1, 2), None)


@pytest.mark.parametrize("move", ["exchange rb", "cast HolyDice 1 w"])
def test_d1_mana_is_asked_for_after_spells_and_exchanges(table, move):
    t = table("HolyDice", held=["rbw", "r"])
    t.state.source[0] += t.state.chips[1][0]
    t.state.chips[1][0] = 0
    assert "2 mana.exhausted" in t.do(move)


def test_d2_the_last_white_chip_ends_the_game_at_once(table):
    t = table(held=["rb" + "w" * 9, "w" * 9], chips=20, pawns=[22])
    t.state.source[4] = 1
    t.state.chips[1][4] = 10
    effects = t.do("roll 3 3", "gain w")
    assert effects[-3:] == [
        "game.ended the source has no white chip left",
        "1 bonus.scored 5",
        f"1 game.won {2 + 10 + 5}",
    ]
    assert (t.at(1), t.state.due) == (0, None)


def test_d3_paying_puts_white_back(table):
    t = table("HolyDice", held=["rw", "r"])
    before = t.state.source[4]
    t.do("cast HolyDice 1 w")
    assert (t.state.source[4], t.state.ending) == (before + 1, None)


def test_d4_the_bonus_is_points_and_no_chips(table):
    t = table(held=["rrbb", "w" * 19 + "y"], lands={2: (1, 2)})
    t.do("exchange rb")
    assert t.chips(1) == "rbw"
    assert t.scores() == [3 + 2 + 5, 20]
    lines = [(line.seat, line.category, line.points, line.note) for line in t.state.scores()]
    assert lines == [
        (0, "hand", 3, "chips in hand"),
        (0, "land", 2, "2 fire land"),
        (1, "hand", 20, "chips in hand"),
        (0, "bonus", 5, "took the last white chip"),
    ]


def test_d5_several_can_be_empty_at_once(table):
    t = table("?", "?", "?", held=["r", "r", "rrrrrr"], chips=8, pawns=[1])
    effects = t.do("roll 1 1")
    assert effects[-3:] == ["1 mana.exhausted", "2 mana.exhausted", "3 game.won 3"]
    assert t.state.ending.ranks == (2, 2, 1)


def test_d6_equals_share_the_victory(table):
    t = table("?", "?", "?", held=["r", "rbb", "rrrrrr"], chips=8, pawns=[1])
    t.state.chips[1][1] = 3
    t.state.source[1] -= 1
    effects = t.do("roll 1 1")
    assert effects[-2:] == ["2 victory.shared 3", "3 victory.shared 3"]
    assert t.state.ending.winners == (1, 2)


def test_d7_the_bonus_counts_where_both_ends_meet(table):
    t = table("BraveAttack", held=["r" * 7 + "bb" + "w" * 7, "r"], chips=8, pawns=[1], components=TWO_ELEMENTALS)
    t.do("cast BraveAttack")
    assert (t.state.due, t.state.mana(1)) == ("gain", 0)
    assert "1 bonus.scored 5" in t.do("gain w")
    assert t.state.ending.reason == "no_white"
    assert t.scores() == [3 + 2 + 8 + 5, 0]


# E. Further decisions


def test_e1_slow_on_oneself_waits_for_the_next_turn(table):
    t = table("Slow", held=["gb"])
    t.do("cast Slow 1")
    assert t.legal()[0] == "roll ? ?"
    t.do("roll 1 1", "leave", "roll 1 1", "leave")
    assert t.legal()[0] == "roll ?"


def test_e2_a_mana_prism_is_resolved_whole_before_mana_is_asked_for(table):
    t = table("ManaPrism", held=["rrr", "y" * 8], chips=8)
    effects = t.do("cast ManaPrism rrr yyr")
    assert only(effects, "mana", "gained", "panic") == [
        "1 panic.struck yellow",
        "1 chip.gained yellow 1",
        "1 chip.gained red 1",
    ]
    assert (t.chips(1), t.state.ending) == ("ry", None)


def test_e2_brave_attack_is_resolved_whole_before_mana_is_asked_for(table):
    t = table("BraveAttack", held=["r" * 7 + "bb", "r"], chips=8, pawns=[1], components=TWO_ELEMENTALS)
    assert not only(t.do("cast BraveAttack"), "mana.exhausted")
    assert t.do("gain b") == ["1 chip.gained blue 1", "1 pawn.moved 1 fort", "2 mana.exhausted", "1 game.won 6"]


def test_e3_the_level_falls_before_land_or_toll_change_hands(fight):
    t = fight("fire", 4, "RedDragon", level_drop="after")
    effects = t.do("pay RedDragon")
    assert only(effects, "defence", "lowered", "captured") == [
        "2 power.counted defence 4",
        "2 level.lowered 2 fire land 2",
        "1 land.captured 2 fire land",
    ]
    t = fight("fire", 4, "RedDragon", "Bandit", level_drop="after")
    t.do("pay RedDragon")
    assert not only(t.do("pay Bandit"), "lowered")
    t = fight("fire", 2, "Specter Kobold", level_drop="after")
    t.do("pay Specter", "pay Kobold")
    assert "1 toll.paid 1 red 1" in t.do("toll")


def test_e4_a_bandit_takes_any_laid_card(fight):
    t = fight("fire", 1, "Bandit", "Kobold Fly Treant")
    t.do("pay Bandit", "pay Kobold", "done")
    assert t.legal() == ["use Bandit Kobold", "use Bandit Fly", "use Bandit Treant"]


def test_e5_a_stolen_card_acts_at_once_and_fresh(fight):
    t = fight("fire", 5, "RedDragon Bandit", "Specter Kobold")
    t.do("pay Bandit", "done", "done")
    assert only(t.do("use Bandit Specter"), "lowered") == ["2 level.lowered 2 fire land 1"]
    t = fight("water", 1, "Hellhound", "Bandit")
    t.do("pay Hellhound")
    assert "2 fight.won 8 water land" in t.do("pay Bandit")


def test_e5_halving_and_nullifying_do_not_follow_and_it_can_be_stolen_back(fight):
    t = fight("fire", 1, "Gremlin Bandit", "FireGiant Bandit", components=deck(Bandit=2))
    t.do("pay Gremlin", "pay Bandit#2", "pay FireGiant r", "pay Bandit#4")
    t.do("use Gremlin FireGiant", "use Bandit#2 FireGiant")
    assert t.legal() == ["use Bandit#4 Gremlin", "use Bandit#4 Bandit#2", "use Bandit#4 FireGiant"]
    assert "2 power.counted defence 5" in t.do("use Bandit#4 FireGiant")


def test_e6_a_target_is_named_if_there_is_one(fight):
    t = fight("fire", 1, "Gremlin", "Kobold Troll")
    t.do("pay Gremlin", "pay Kobold", "pay Troll rr")
    assert "needs a target" in t.cannot("use Gremlin")
    t = fight("fire", 1, "Gremlin SnowGiant", "Kobold")
    t.do("pay Gremlin", "pay SnowGiant")
    assert only(t.do("pay Kobold"), "halved", "nullified") == ["1 power.halved Kobold", "2 scroll.nullified Kobold"]
    t = fight("fire", 1, "Gremlin", "Kobold")
    t.do("pay Gremlin")
    assert "1 effect.missed Gremlin" in t.do("done")


@pytest.mark.parametrize("bluff", ["Mana", "Treant"])
def test_e6_a_stolen_bluff_counts_as_cast_and_may_be_named(fight, bluff):
    t = fight("fire", 1, "Bandit Kobold", f"Gremlin {bluff}", components=deck(Gremlin=1))
    t.do("pay Bandit", "pay Kobold", "pay Gremlin")
    if bluff == "Treant":
        t.do("done")
    t.do(f"use Bandit {bluff}")
    assert t.legal() == ["use Gremlin Bandit", "use Gremlin Kobold", f"use Gremlin {bluff}"]
    effects = t.do(f"use Gremlin {bluff}")
    assert only(effects, "counted") == ["1 power.counted attack 1", "2 power.counted defence 1"]


def test_e6_without_a_card_to_act_on_no_order_is_asked_for(fight):
    t = fight("wind", 2, "Gremlin Bandit RedDragon SnowGiant")
    effects = t.do("pay Gremlin", "pay Bandit", "pay RedDragon", "pay SnowGiant")
    assert only(effects, "missed") == ["1 effect.missed Gremlin", "1 effect.missed Bandit"]
    assert "1 land.captured 14 wind land" in effects


def test_e7_discards_are_shuffled_when_a_card_is_due_and_not_before(table):
    t = table("Mana", held=["rb"])
    t.do("cast Mana r")
    t.state.hands[1].unknown += t.state.pile
    t.state.pile = 0
    assert len(t.state.discards) == 1
    assert only(t.do("roll 1 1", "leave"), "shuffled", "drawn") == ["pile.shuffled 1", "2 card.drawn"]
    assert (t.state.pile, len(t.state.discards)) == (0, 0)


@pytest.mark.parametrize("order", [("exchange bb", "cast BraveAttack"), ("cast BraveAttack", "exchange bb")])
def test_e8_the_exchange_comes_before_or_after_brave_attack(table, order):
    t = table("BraveAttack", held=["rbbb"])
    t.do(*order)
    assert (t.at(1), t.chips(1)) == (6, "rbw")
    assert t.legal() == ["go"]


def test_e8_without_a_fort_brave_attack_cannot_be_cast(table):
    components = {"board": ["start", "fire land"], "deck": SAMPLE["deck"]}
    t = table("BraveAttack", held=["rb"], components=components)
    assert not [line for line in t.legal() if "Brave" in line]
    assert "there is no fort to move to (manapani:E8)" in t.cannot("cast BraveAttack")


def test_e8_under_a_hell_plant_brave_attack_is_spent_in_vain(table):
    t = table("BraveAttack", held=["rb"])
    t.state.held = True
    assert "1 spell.wasted" in t.do("cast BraveAttack")
    assert (t.at(1), t.chips(1), t.hand(1)) == (0, "b", "")


def test_e9_drain_magic_needs_an_owned_land(table):
    t = table("DrainMagic", held=["rrrr"])
    assert not [line for line in t.legal() if "Drain" in line]
    assert "(manapani:E9)" in t.cannot("cast DrainMagic 8 rrr")


def test_e10_the_pawn_stays_where_the_game_ended(table):
    t = table(held=["r", "rrrrrrr"], chips=8, pawns=[1])
    t.do("roll 6 6")
    assert (t.at(1), t.state.ending.reason) == (3, "no_mana")


@cases(("seats", "chips"), [(2, 4), (3, 6), (4, 8)])
def test_e11_there_are_as_many_chips_as_the_players_begin_with(new, seats, chips):
    t = new(seats, chips=chips)
    t.do("start 1")
    assert t.state.source == [0, 0, 0, 0, chips]
    with pytest.raises(BadOpeningError, match=f"options.chips.*{chips}"):
        new(seats, chips=chips - 1)


def test_e11_any_number_of_chips_can_be_agreed_on(new):
    assert [new(2, chips=chips).state.source[0] for chips in range(4, 41)] == list(range(4, 41))


def test_e12_the_sanctuary_brings_a_card_of_the_deck_that_nobody_else_sees(table):
    t = table("Kobold", held=["rb"], pawns=[10])
    effects = t.do("roll 1 1")
    assert effects[2] == "1 card.drawn"
    assert t.hand(1) == "Kobold ?"


# All of them

DECISIONS = [rule.partition(":")[2] for rule in MANAPANI.rulebook if re.search(":[A-E][0-9]", rule)]


def test_there_are_as_many_decisions_as_were_made():
    counts = {letter: sum(rule[0] == letter for rule in DECISIONS) for letter in "ABCDE"}
    assert counts == {"A": 18, "B": 27, "C": 12, "D": 7, "E": 12}


@cases("decision", DECISIONS)
def test_every_decision_has_its_test(decision):
    names = dir(sys.modules[__name__])
    assert any(name.startswith(f"test_{decision.lower()}_") for name in names)


def test_a_toll_can_name_a_land_that_is_not_there_without_harm(table):
    t = table(held=["b", "g"], lands={2: (2, 2)})
    t.do("roll 1 1")
    assert "the squares are 0 to 23" in t.cannot_be(Toll(seat=0, lands=(99,)))
    assert "2 play: there is no player 4 (manapani:1)" in t.cannot_be(Toll(seat=3))
