"""The numbered rules: setup, turn, production, tokens, trade, building, refill and victory."""

from __future__ import annotations

import random

import pytest

from games.catan_cards.moves import Build, City, Pick, Road
from games.sketch import as_text
from tests.games.catan_cards.conftest import CRESTS


def test_10_to_12_and_19_everybody_begins_with_six_regions_of_1_and_2_points(begun):
    t = begun()
    for player in (1, 2):
        assert t.stocks(player, "ku", "mu", "ou", "kd", "md", "od") == [1] * 6
    assert t.scores() == [2, 2]
    assert [line.rule for line in t.state.scores()] == ["catan_cards:19"] * 4


def test_10_there_is_one_region_of_each_resource(new):
    t = new()
    t.do("start 1")
    assert "there is one region of grain among the six" in t.broken("lay g1 g2 w3 l4 b5 a6").values()


def test_10_regions_noted_one_after_the_other_are_of_one_crest(new):
    t = new()
    t.do("start 1", "lay g1 o2 ? ? ? ?")
    assert "there is one region of grain among the six" in t.broken("lay ? ? g1 l4 b5 a6").values()
    assert "region.unlisted wool 4" in t.do("lay ? ? w4 l4 b5 a6")
    t = new()
    t.do("start 1", CRESTS[0], "lay ? ? w3 l4 b5 a6")
    assert set(t.broken("lay g1 o2 ? ? ? ?")) == {"10"}


def test_11_legal_moves_and_chance_keep_what_was_noted_of_the_regions(new):
    t = new()
    t.do("start 1", "lay g1 ? ? ? ? a6")
    (move,) = t.state.legal_moves()
    assert t.state.notation(move) == "lay grain1 ? ? ? ? gold6"
    blank = t.state.blanks(move)[0]
    assert blank.choices == ("ore2", "wool3", "lumber4", "brick5")
    filled = t.state.sample_chance(move, random.Random(1))
    assert sorted(land.number for land in filled.regions) == [1, 2, 3, 4, 5, 6]
    t.state.verify(filled)
    t.state.apply(filled)


def test_11_regions_that_were_not_noted_have_to_be_before_play_begins(new):
    t = new()
    t.do("start 1")
    t.do("lay g1 o2 ? ? ? ?")
    assert t.state.phase == "lay"
    assert "1ku is known to be grain 1" in t.cannot("lay o2 g1 w3 l4 b5 a6")
    t.do("lay ? ? w3 l4 b5 a6")
    assert t.state.to_move() == 1
    assert "player 1 has laid already" in t.cannot(f"1: {CRESTS[0]}")


def test_18_both_pick_three_cards_from_different_stacks_the_first_player_first(new):
    t = new()
    t.do("start 2", f"2: {CRESTS[1]}", CRESTS[0])
    assert set(t.broken("1: pick 1 ? ? ?")) == {"18"}
    t.do("pick 1 Abbey Spy ?")
    assert set(t.broken("pick 1 ? ? ?")) == {"18"}
    assert t.do("pick 3 ? ? ?")[-1] == "2 turn.begun 1"
    assert t.hand(2) == "Abbey Spy ?"
    assert [stack.size for stack in t.state.stacks] == [10, 13, 9, 12, 12]


def test_20_phases_come_in_their_order(begun):
    t = begun()
    assert set(t.broken("road left ()")) == {"20", "41"}
    assert set(t.broken("2: roll trade 3")) == {"20"}
    t.do("roll trade 6")
    assert set(t.broken("roll trade 6")) == {"20"}
    assert set(t.broken("2: road left ()")) == {"20", "41"}
    assert "now the turn goes on" in t.cannot_be(Pick(seat=0, stack=1))


def test_20_who_rolls_out_of_turn_has_the_turn(table):
    t = table()
    t.do("end", "roll trade 6", "end")
    assert t.state.turns == [2, 1]
    assert t.force("2: roll trade 6")[0] == "2 turn.begun 2"
    assert (t.state.active, t.state.turns) == (1, [1, 2])


def test_22_the_tournament_goes_to_more_points_and_a_tie_to_nobody(table):
    t = table("2lu1 Siegfried Lackland")
    t.state.phase, t.state.production = "roll", 0
    assert t.do("roll tournament 6")[1] == "2 tournament.won 0 to 1"
    t.do("2: gain ku")
    t = table()
    t.state.phase, t.state.production = "roll", 0
    assert "tournament.tied 0 to 0" in t.do("roll tournament 6")


def test_23_the_holder_of_the_windmill_takes_a_resource(table):
    t = table("2lu1 Marketplace", cities="2l", stocks="2kd 3")
    t.settle()
    assert t.tokens()[1] == 2
    t.state.phase, t.state.production = "roll", 0
    t.do("roll trade 6")
    assert "2kd has no room" in t.cannot("2: take 1kd > 2kd")
    assert "cannot lie where" in t.cannot("2: take 1kd > 2ku")
    t.do("2: take 1ku")
    assert (t.stocks(1, "ku"), t.stocks(2, "ku")) == ([0], [2])


def test_24_brigands_take_all_ore_and_wool_also_from_protected_regions(table):
    t = table("1nu1 Garrison", stocks="1mu 3, 1ku 3, 1kd 3, 1md 3")
    t.state.phase, t.state.production = "roll", 0
    t.do("roll brigands 6")
    assert t.stocks(1, "mu", "ou", "ku") == [0, 0, 3]


def test_28_to_30_production_is_one_also_at_cities_and_stops_at_three(table):
    t = table(cities="1l 1n", stocks="1mu 3")
    t.state.phase, t.state.production = "roll", 0
    effects = t.do("roll trade 2")
    assert [effect for effect in effects if "stock" in effect] == ["2 stock.gained 2ku grain 1"]


def test_29_doubling_fills_a_region_of_two_by_one_only(table):
    t = table("1lu1 Foundry", stocks="1mu 2")
    t.state.phase, t.state.production = "roll", 0
    assert "1 stock.gained 1mu ore 1" in t.do("roll trade 2")


def test_31_and_32_the_knight_token_follows_strength_and_goes_out_on_a_tie(table):
    t = table(hands=("Hagen the Sinister, ??", "Siegfried Lackland, ??"))
    assert t.do("build Hagen lu")[-1] == "1 token.gained knight token"
    assert t.scores() == [3, 2]
    t.do("draw 1", "roll trade 1")
    assert t.do("build Siegfried lu")[-1] == "1 token.lost knight token"
    assert t.scores() == [2, 2]


def test_33_the_windmill_token_needs_a_city(table):
    t = table("1lu1 Ore Fleet", stocks="1mu 3, 1ku 2")
    t.settle()
    assert t.tokens()[1] is None
    assert t.do("city l")[-1] == "1 token.gained windmill token"
    assert t.scores() == [4, 2]


def test_37_to_39_three_two_or_one_for_one(table):
    t = table("1lu1 Ore Fleet, 1nu1 Mint", cities="1n", stocks="1mu 2, 1ku 3")
    assert set(t.broken("trade ku ku > ou")) == {"37"}
    assert set(t.broken("trade mu mu ku > ou")) == {"37"}
    assert t.do("trade grain > ou")[0] == "1 trade.made 3 grain for 1 wool"
    assert t.broken("trade mu mu mu > ku") == {}
    t.do("trade ore > ou", "trade gold > kd")
    assert t.stocks(1, "ku", "mu", "od", "ou", "kd") == [0, 0, 0, 3, 2]


def test_41_the_player_says_which_regions_pay(table):
    t = table(hands=("Garrison, ??", "???"))
    own = t.state.principalities[0]
    own.regions["1qu"], own.stocks["1qu"] = own.regions["1md"], 1
    t.do("build Garrison lu (kd qu)")
    assert t.stocks(1, "md", "qu") == [1, 0]
    assert "1qu has 0 in stock, and cannot give 1 (catan_cards:3)" in t.cannot_be(
        Road(seat=0, side="left", pay=("1qu",))
    )
    assert "2ku is no region of player 1" in t.cannot_be(Road(seat=0, side="left", pay=("2ku",)))


def test_42_a_road_is_never_next_to_a_road(table):
    t = table(stocks="1kd 2, 1md 3")
    t.do("road left")
    t.state.principalities[0].stocks |= {"1kd": 1, "1md": 2}
    assert t.broken("road left (kd md md)") == {"42": "a road lies on the left, and no road is next to a road"}


def test_42_a_road_next_to_a_road_lies_where_the_next_one_would(table, check):
    t = table(stocks="1kd 3", target=20)
    t.force("road left ()")
    t.force("road left ()")
    check(t.state)
    assert sorted(t.state.principalities[0].roads) == ["i", "k", "m"]
    assert "===" in as_text(t.state.sketch())
    t.force("settlement left ()")
    t.do("regions grain3 ore4")
    assert t.stocks(1, "iu", "id") == [0, 0]
    assert set(t.broken("settlement left ()")) == {"41"}
    t.state.supply["road"] = 9
    while t.state.principalities[0].next_road(right=False):
        t.force("road left ()")
    assert "no column is left on the left (catan_cards:42)" in t.cannot("road left ()")
    assert t.state.picture()


def test_43_a_settlement_stands_behind_a_road_and_brings_two_empty_regions(table):
    t = table()
    assert t.broken("settlement left") == {"43": "no road is open on the left"}
    t.state.principalities[0].roads.append("k")
    t.do("settlement left")
    assert set(t.broken("trade ku ku ku > mu")) >= {"43"}
    t.do("regions grain3 ore4")
    assert t.stocks(1, "iu", "id") == [0, 0]
    assert t.state.principalities[0].line["j"] == "settlement"
    assert t.scores() == [3, 2]


def test_43_a_settlement_without_a_road_lies_where_it_would_with_one(table, check):
    t = table(target=20)
    t.force("settlement right ()")
    t.do("regions grain3 ore4")
    check(t.state)
    own = t.state.principalities[0]
    assert (sorted(own.line), own.roads, t.stocks(1, "qu", "qd")) == (["l", "n", "p"], ["m"], [0, 0])
    t.force("road right ()")
    assert own.roads == ["m", "q"]
    assert t.rule("line seat=Player1 at=q") == ["1 line.ruled road → nothing in column q"]
    assert t.state.picture()


def test_43_two_settlements_each_have_their_own_regions(table, check):
    """A second one comes after the regions of the first; if it did not, each has its own all the same."""
    t = table(target=20)
    t.state.principalities[0].roads += ["o", "q"]
    t.state.supply["road"] -= 2
    t.do("settlement right")
    assert set(t.broken("settlement right ()")) == {"43", "41"}
    t.force("settlement right ()")
    t.do("regions wool5 ore5", "regions grain3 ore4")
    check(t.state)
    assert [str(t.state.region_at(f"1{at}")) for at in ("qu", "qd", "su", "sd")] == [
        "grain 3",
        "ore 4",
        "wool 5",
        "ore 5",
    ]


def test_44_a_city_stands_on_a_settlement_and_opens_two_sites(table):
    t = table("1lu1 Smithy", stocks="1mu 3, 1ku 2", hands=("Abbey, ??", "???"))
    assert set(t.broken("build Abbey lu2 ()")) == {"6", "41"}
    t.do("city l")
    assert t.scores() == [3, 2]
    assert "no settlement to build on lies in column l" in t.cannot("city l ()")
    t.state.principalities[0].stocks["1mu"] = 1
    t.do("build Abbey lu")
    assert t.state.principalities[0].sites["1lu2"] == "Abbey"


def test_46_red_cards_are_for_cities(table):
    t = table(hands=("Marketplace, ??", "???"))
    assert set(t.broken("build Marketplace lu")) == {"46"}


def test_45_a_site_takes_one_card_and_only_expansions(table):
    t = table("1lu1 Smithy", hands=("Abbey, Spy, ?", "???"))
    assert "Smithy lies at 1lu1 (catan_cards:45)" in t.cannot("build Abbey lu1")
    assert "Spy is an action" in t.cannot("build Spy nu ()")
    assert "1pu1 is no site of player 1" in t.cannot_be(Build(seat=0, card="Abbey", at="1pu1"))
    assert "no settlement to build on" in t.cannot_be(City(seat=0, at="p"))


def test_47_what_was_burned_is_built_anew_elsewhere(act):
    t = act("2lu1 Smithy", hands=("Arsonist, ??", "??"), stocks="2mu 3")
    t.do("play Arsonist", "counter -", "duel 1", "strike Smithy", "draw 1", "roll trade 1", "build Smithy nd")
    assert t.state.principalities[1].sites == {"2nd1": "Smithy"}


def test_49_what_is_used_up_cannot_be_built(table):
    t = table(stocks="1kd 2, 1md 3")
    t.state.supply["road"] = 0
    assert "no road is left (catan_cards:49)" in t.cannot("road left")
    assert not any(line.startswith("road") for line in t.legal())


def test_50_an_action_is_used_once_and_leaves_the_game(act):
    t = act(hands=("Caravan, ??", "???"))
    t.do("play Caravan ku > mu")
    assert t.state.spent == ["Caravan"]
    assert t.hand(1) == "? ?"


def test_53_counters_are_not_played_on_their_own(act):
    t = act(hands=("Bishop, ??", "???"))
    assert not any("Bishop" in line for line in t.legal())
    assert "now the turn goes on" in t.cannot("counter Bishop")


def test_56_the_hand_is_refilled_freely_or_by_search(table):
    t = table(hands=("?", "???"))
    assert set(t.broken("search 1 (ku)")) == {"56"}
    t.do("draw 1")
    assert set(t.broken("under 3")) == {"57"}
    t.do("search 2 Abbey (ku mu)")
    assert t.state.active == 1


def test_58_after_drawing_nothing_else_is_done(table):
    t = table(hands=("?", "???"), stocks="1kd 2, 1md 3")
    t.do("draw 1")
    assert set(t.broken("road left")) == {"58"}


def test_59_who_loses_an_abbey_puts_the_excess_away_at_once(act):
    t = act("2lu1 Abbey", hands=("Arsonist, ??", "????"))
    t.do("play Arsonist", "counter -", "duel 1", "strike Abbey")
    assert t.state.to_move() == 1
    assert set(t.broken("1: under 1")) == {"54"}
    t.do("2: under 1", "2: under 1")
    assert len(t.state.hands[1]) == 3


@pytest.mark.parametrize("target", [12, 3])
def test_60_who_has_the_points_wins(table, target):
    t = table(target=target, stocks="1mu 3, 1ku 2")
    effects = t.do("city l")
    assert (effects[-1] == "1 game.won 3") is (target == 3)
    if target == 3:
        assert t.state.outcome().winners == (0,)
        assert set(t.broken("1: road left ()")) == {"60"}


def test_61_the_audit_names_what_each_point_is_for(table):
    t = table(cities="1n", stocks="1mu 3, 1md 2, 1ku 2", hands=("Church, ??", "???"))
    t.do("build Church nu")
    line = t.state.scores()[-1]
    assert (line.points, line.category, line.rule, line.note) == (1, "building", "catan_cards:88", "Church at nu1")
