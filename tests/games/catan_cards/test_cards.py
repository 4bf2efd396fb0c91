"""Every kind of card does what it says: one test each, named after it."""

from __future__ import annotations

from games.catan_cards.components import CARDS, EVENTS
from games.catan_cards.moves import Spy
from games.catan_cards.payments import rate, search_price
from games.catan_cards.scoring import commerce, strength, tournament
from tests.cases import cases


def test_alchemist_sets_the_production_die_for_both_before_the_roll(act):
    t = act(hands=("Alchemist, ??", "???"))
    t.state.phase, t.state.production = "roll", 0
    assert t.do("play Alchemist 6") == ["1 action.played Alchemist", "1 number.set 6"]
    effects = t.do("roll trade")
    assert {"1 stock.gained 1od gold 1", "2 stock.gained 2md brick 1"} <= set(effects)
    assert "an Alchemist comes before the dice" in t.broken("play Alchemist 2").values()


def test_arsonist_sends_a_building_back_to_its_owners_hand(act):
    t = act("2lu1 Smithy, 2ld1 Karl the Strong, 1nu1 Abbey", hands=("Arsonist, ??", "??"))
    t.settle()
    t.do("play Arsonist", "counter -", "5")
    assert t.legal() == ["strike Smithy"]
    assert t.do("strike Smithy") == ["2 card.struck Smithy 2lu1"]
    assert t.hand(2) == "Smithy ? ?"


def test_arsonist_backfires_on_a_6_and_the_opponent_chooses(act):
    t = act("2lu1 Smithy, 1nu1 Abbey", hands=("Arsonist, ??", "??"))
    t.do("play Arsonist", "counter -", "duel 6", "strike Abbey")
    assert t.state.principalities[0].sites == {}
    t = act("2lu1 Smithy", hands=("Arsonist, ??", "??"))
    t.do("play Arsonist", "counter -")
    assert t.do("duel 6") == ["2 duel.won 6", "2 choice.passed"]


def test_bishop_answers_arsonist_and_brigands_and_leaves_1_and_2(act):
    for card in ("Arsonist", "Brigands"):
        for number, winner in ((2, 1), (3, 2)):
            t = act("2lu1 Smithy, 1lu1 Abbey", hands=(f"{card}, ??", "Bishop, ??"), stocks="1ku 0, 2ku 0")
            t.do(f"play {card}")
            assert t.do("counter Bishop") == ["2 counter.played Bishop"]
            assert t.do(f"duel {number}")[0] == f"{winner} duel.won {number}"
            assert t.state.spent == [card, "Bishop"]


def test_the_black_knight_sends_a_knight_back(act):
    t = act("2lu1 Smithy, 2ld1 Karl the Strong, 2nd1 Ore Fleet", hands=("The Black Knight, ??", "??"))
    assert t.do("play BlackKnight", "counter -", "1")[0] == "1 duel.won 1"
    assert t.legal() == ["strike Karl"]
    t.do("strike Karl")
    assert "Karl the Strong" in t.hand(2)
    assert t.tokens()[0] is None


def test_brigands_take_two_of_choice_that_have_room(act):
    t = act(hands=("Brigands, ??", "???"), stocks="1ku 3, 2ku 2, 2mu 2, 2ou 0, 2kd 0, 2md 0, 2od 0")
    t.do("play Brigands", "counter -", "duel 5")
    assert t.legal() == ["take 2mu"]
    t.do("take 2mu", "take ore")
    assert t.stocks(1, "mu") == [3]
    assert t.stocks(2, "mu") == [0]
    assert t.state.phase == "actions"


def test_brigands_take_one_where_there_is_but_one(act):
    t = act(hands=("Brigands, ??", "???"), stocks="2ku 1, 2mu 0, 2ou 0, 2kd 0, 2md 0, 2od 0")
    t.do("play Brigands", "counter -", "duel 5")
    assert t.do("take 2ku")[-1] == "1 choice.passed"


def test_brigands_that_backfire_take_from_the_attacker(act):
    t = act(hands=("Brigands, ??", "???"))
    t.do("play Brigands", "counter -", "duel 6", "2: take 1ku", "2: take 1mu")
    assert t.stocks(1, "ku", "mu") == [0, 0]
    assert t.stocks(2, "ku", "mu") == [2, 2]


def test_caravan_turns_two_into_two(act):
    t = act(hands=("Caravan, ??", "???"), stocks="1kd 2")
    t.do("play Caravan kd kd > mu ku")
    assert t.stocks(1, "kd", "mu", "ku") == [0, 2, 2]


def test_caravan_that_brings_more_than_it_carried_is_against_the_rule_and_can_have_happened(act):
    t = act(hands=("Caravan, ??", "???"))
    assert set(t.broken("play Caravan kd > mu ku")) == {"68"}
    t.force("play Caravan kd > mu ku")
    assert t.stocks(1, "kd", "mu", "ku") == [0, 2, 2]


def test_herb_woman_answers_the_black_knight(act):
    t = act("2ld1 Otto the Berserker", hands=("The Black Knight, ??", "Herb Woman, ??"))
    t.do("play BlackKnight")
    assert t.broken("counter Bishop") == {"53": "Herb Woman answers The Black Knight, not Bishop"}
    t.do("counter HerbWoman")
    assert t.do("duel 3") == ["2 duel.won 3", "2 choice.passed"]


def test_caravans_are_listed_in_the_same_order_in_every_process(act):
    t = act(hands=("Caravan, ??", "???"), stocks="1ku 2", caravan_min=2)
    listed = [line.split("> ")[1] for line in t.legal() if line.startswith("play Caravan ku ku >")]
    assert [gains for gains in listed if "mu" in gains] == ["ku mu", "mu mu", "mu ou", "kd mu", "md mu", "mu od"]
    assert [gains for gains in listed if not {"mu", "ku"} & set(gains.split())][:5] == [
        *("ou ou", "kd ou", "md ou", "od ou", "kd kd")
    ]


def test_merchant_takes_two_and_gives_one(act):
    t = act(hands=("Merchant, ??", "???"), stocks="1kd 2, 2ku 2")
    t.do("play Merchant 2ku 2ku > ku ku = kd > 2kd")
    assert t.stocks(1, "ku", "kd") == [3, 1]
    assert t.stocks(2, "ku", "kd") == [0, 2]


def test_scout_chooses_the_regions_at_any_score_and_shuffles(table):
    t = table(hands=("Scout, ??", "???"))
    t.state.principalities[0].roads.append("o")
    t.do("settlement right")
    assert set(t.broken("2: play Scout")) == {"71"}
    assert t.do("play Scout") == ["1 action.played Scout"]
    assert t.do("regions grain3 ore4")[-1] == "regions.shuffled"
    assert t.stocks(1, "qu", "qd") == [0, 0]


def test_spy_takes_a_card_that_everybody_has_seen(act):
    t = act(hands=("Spy", "Abbey, Karl the Strong"))
    assert t.do("play Spy Karl") == ["1 action.played Spy", "1 card.stolen Karl the Strong"]
    assert t.hand(1) == "Karl the Strong"
    assert t.state.hands[0].open == ["Karl the Strong"]
    t = act(hands=("Spy", "Abbey"))
    assert "Abbey is taken, or nothing is" in t.cannot_be(Spy(seat=0, card="Abbey", taken=False))


def roll(t, card: str) -> list[str]:
    t.state.phase, t.state.production = "roll", 0
    return t.do("roll event 6", f"event {card}")


def test_civil_war_sends_a_unit_of_each_back_the_active_player_choosing_first(table):
    t = table("1lu1 Otto the Berserker, 1ld1 Smithy, 2lu1 Ore Fleet, 2ld1 Karl the Strong")
    roll(t, "CivilWar")
    assert t.legal() == ["strike OreFleet", "strike Karl"]
    t.do("strike OreFleet")
    assert t.legal() == ["strike Otto"]
    t.do("2: strike Otto")
    assert t.state.principalities[1].sites == {"2ld1": "Karl the Strong"}
    assert len(t.state.hands[1]) == 4


def test_conflict_puts_two_cards_of_the_other_hand_under_a_stack(table):
    t = table("1lu1 Otto the Berserker", hands=("???", "Abbey, Scout, ?"))
    t.state.tokens[0] = 0
    roll(t, "Conflict")
    size = t.state.stacks[2].size
    assert t.do("confiscate 3 Scout ?")[0] == "2 cards.confiscated 3 2"
    assert len(t.state.hands[1]) == 1
    assert t.state.stacks[2].size == size + 2
    assert roll(table(), "Conflict")[1] == "conflict.missed"


def test_master_builder_gives_a_card_and_takes_one_from_different_stacks(table):
    t = table(hands=("Abbey, ??", "???"))
    roll(t, "MasterBuilder")
    t.do("under 3 Abbey", "search 4 Scout")
    assert t.hand(1) == "Scout ? ?"
    t.do("2: under 1")
    assert {line.split()[1] for line in t.legal()} == {"1", "2", "3", "5"}
    t.do("2: search 5")
    assert t.state.phase == "actions"


def test_plague_takes_one_at_a_city_and_two_between_two(table):
    t = table(cities="1l 1n", stocks="1ku 3, 1mu 3, 1ou 3, 1kd 0")
    effects = roll(t, "Plague")
    assert t.stocks(1, "mu", "ou", "kd") == [1, 2, 0]
    assert "1 stock.lost 1mu ore 2" in effects


def test_progress_brings_one_of_choice_for_every_abbey_and_library(table):
    t = table("1lu1 Abbey, 1ld1 Abbey, 1nu1 Library, 2lu1 Abbey", cities="1n")
    roll(t, "Progress")
    t.do("gain mu", "gain mu", "gain gold")
    assert t.stocks(1, "mu", "od") == [3, 2]
    t.do("2: gain ku")
    assert t.state.phase == "actions"


def test_productive_year_brings_one_beside_each_garrison(table):
    t = table("1lu1 Garrison, 1nu1 Garrison", stocks="1ou 3")
    roll(t, "ProductiveYear")
    assert t.stocks(1, "mu", "ou", "md") == [3, 3, 1]


def test_year_end_shuffles_the_events(table):
    t = table()
    roll(t, "Plague")
    assert t.state.events[-1] == "Plague"
    assert "events.shuffled" in roll(t, "YearEnd")
    assert not any(t.state.events)


def test_abbey_raises_the_hand_limit(table):
    t = table("1lu1 Abbey, 1ld1 Abbey")
    assert t.state.limits[0] == 5
    t.do("draw 3", "draw 3")
    assert t.state.active == 1


def test_garrison_protects_its_neighbours_from_being_counted(table):
    stocks = "1ku 3, 1mu 3, 1ou 1, 1kd 1, 1md 1, 1od 1"
    for sites, kind in (("1lu1 Garrison", "brigands.repelled"), ("1ld1 Garrison", "brigands.raided")):
        t = table(sites, stocks=stocks)
        t.state.phase, t.state.production = "roll", 0
        assert any(f"1 {kind}" in effect for effect in t.do("roll brigands 1"))


@cases(
    ("card", "place"),
    [("Grain Mill", "ku"), ("Foundry", "mu"), ("Woolen Mill", "ou"), ("Sawmill", "kd"), ("Brick Factory", "md")],
)
def test_grain_mill_sawmill_brick_factory_foundry_and_woolen_mill_double_their_regions(table, card, place):
    side = "l" if place[0] == "k" else "n"
    t = table(f"1{side}{place[1]}1 {card}")
    t.state.phase, t.state.production = "roll", 0
    number = t.state.region_at(f"1{place}").number
    assert f"1 stock.gained 1{place} {t.state.region_at(f'1{place}').resource} 2" in t.do(f"roll trade {number}")
    assert t.stocks(1, place) == [3]


def test_knights_have_strength_and_tournament_points(table):
    t = table("1lu1 Karl the Strong, 1ld1 Falk the Fair, 2lu1 Gotz Ironfist, 2ld1 Pippin the Short")
    assert [strength(t.state, 0), tournament(t.state, 0)] == [8, 6]
    assert [strength(t.state, 1), tournament(t.state, 1)] == [6, 5]
    t.state.phase, t.state.production = "roll", 0
    assert t.do("roll tournament 1")[1] == "1 tournament.won 6 to 5"


def test_smithy_adds_one_for_each_knight(table):
    """The rulebook's example: knights of 2 and 3 with a Smithy make 2+1+3+1 = 7."""
    t = table("1lu1 Conrad the Swift, 1ld1 Otto the Berserker, 1nu1 Smithy")
    assert strength(t.state, 0) == 7
    assert tournament(t.state, 0) == 3


def test_fleets_trade_two_for_one_in_every_place(table):
    t = table("1lu1 Gold Fleet", stocks="1od 2")
    t.do("trade gold > ku")
    assert t.stocks(1, "od", "ku") == [0, 2]
    assert commerce(t.state, 0) == 1


def test_aqueduct_keeps_plague_from_the_whole_principality(table):
    t = table("1lu1 Aqueduct", cities="1l 1n 2l")
    assert "1 plague.averted" in roll(t, "Plague")
    assert t.stocks(1, "ku", "mu") == [1, 1]
    assert t.stocks(2, "ku") == [0]


def test_bathhouse_keeps_plague_from_the_regions_around_its_city(table):
    t = table("1lu1 Bathhouse", cities="1l 1n")
    roll(t, "Plague")
    assert t.stocks(1, "ku", "mu", "ou") == [1, 1, 0]


def test_church_keeps_the_units_of_its_city_from_civil_war(table):
    t = table("2lu1 Church, 2ld1 Otto the Berserker, 2nu1 Ore Fleet", cities="2l")
    roll(t, "CivilWar")
    assert t.legal() == ["strike OreFleet"]
    assert set(t.broken("strike Otto")) == {"88"}


def test_the_colossus_of_catan_is_two_points(table):
    t = table(cities="1l", stocks="1mu 3, 1md 3, 1ku 3", hands=("The Colossus of Catan, ??", "???"))
    t.do("build Colossus lu")
    assert t.scores() == [4, 2]
    assert t.state.lines[-1].note == "The Colossus of Catan at lu1"


def test_harbor_gives_every_fleet_one_more(table):
    """The rulebook's example: three fleets and a Harbor make 3+3 = 6."""
    t = table("1lu1 Ore Fleet, 1ld1 Wool Fleet, 1nu1 Gold Fleet, 1nd1 Harbor", cities="1n")
    assert commerce(t.state, 0) == 6


def test_library_is_a_point_and_raises_the_hand_limit(table):
    t = table("1lu1 Abbey", cities="1l", stocks="1kd 2, 1mu 2", hands=("Library, ??", "???"))
    t.do("build Library ld")
    assert t.state.limits[0] == 5
    assert t.scores() == [3, 2]


def test_marketplace_counting_house_and_merchant_guild_bring_2_3_and_4_commerce(table):
    for card, points in (("Marketplace", 2), ("Counting House", 3), ("Merchant Guild", 4)):
        assert commerce(table(f"1lu1 {card}", cities="1l").state, 0) == points


def test_mint_trades_gold_one_for_one(table):
    t = table("1lu1 Mint", cities="1l")
    assert rate(t.state, 0, "gold") == 1
    t.do("trade gold > ku")
    assert t.stocks(1, "od", "ku") == [0, 2]


def test_town_hall_makes_a_search_cost_one(table):
    t = table("1lu1 Town Hall, 1ld1 Town Hall", cities="1l", hands=("??", "???"))
    assert search_price(t.state, 0) == 1
    t.do("search 3 Abbey (ku)")
    assert t.stocks(1, "ku") == [0]


def test_every_card_kind_has_its_test():
    named = " ".join(name for name in globals() if name.startswith("test_"))
    knights = {"Conrad", "Falk", "Gotz", "Hagen", "Karl", "Otto", "Pippin", "Siegfried", "Walter"}
    for card in [*CARDS, *EVENTS]:
        kind = "knights" if card.split()[0] in knights else "fleets" if card.endswith("Fleet") else card
        assert f"_{kind.lower().replace(' ', '_')}_" in named


def test_68_a_caravan_with_three_resources_is_irregular_and_can_stand(act):
    t = act(hands=("Caravan, ??", "???"), stocks="1ku 3")
    line = "play Caravan ku ku ku > mu ou kd"
    assert t.broken(line) == {"68": "a Caravan turns one or two resources, not 3"}
    t.force(line)
    assert t.stocks(1, "ku", "mu", "ou", "kd") == [0, 2, 2, 2]


def test_70_a_merchant_who_takes_three_is_irregular_and_can_stand(act):
    t = act(hands=("Merchant, ??", "???"), stocks="2ku 3, 1ku 0, 2mu 0")
    line = "play Merchant 2ku 2ku 2ku > ku ku ku = mu > 2mu"
    assert t.broken(line) == {"70": "a Merchant takes one or two resources, not 3"}
    t.force(line)
    assert t.stocks(1, "ku", "mu") == [3, 0]
