"""Every decision on what the printed rules leave open, and every switch: one test each, named after it."""

from __future__ import annotations

import re

import pytest

from games.catan_cards.components import printed_box
from games.catan_cards.moves import Caravan, Strike, Trade
from games.catan_cards.options import OPTIONS
from games.catan_cards.scoring import commerce
from tests.cases import cases
from tests.games.catan_cards.conftest import CRESTS


def roll(t, line: str) -> list[str]:
    """A roll of the dice at this table, with a number that no region has twice."""
    t.state.phase, t.state.production, t.state.pending = "roll", 0, []
    return t.do(f"roll {line}")


def event(t, card: str) -> list[str]:
    roll(t, "event 6")
    return t.do(f"event {card}")


def test_q1_stacks_are_as_equal_as_can_be_or_as_recorded(new):
    assert new().do("start 2")[1] == "stacks.made 13 13 12 12 12"
    t = new()
    t.do("start 1 14 12 12 12 12")
    assert [stack.size for stack in t.state.stacks] == [14, 12, 12, 12, 12]
    assert "62 cards make five stacks" in new().cannot("start 1 13 13 13 13 13")
    assert set(new().broken("start 1 58 1 1 1 1")) == {"14"}


def test_q2_only_who_starts_is_recorded(new):
    assert new().legal() == ["start 1", "start 2"]


def test_q3_only_a_region_with_room_is_chosen_the_active_player_first(table):
    t = table(stocks="1ku 3, 1mu 3, 1ou 3, 1kd 3, 1md 2, 1od 3")
    roll(t, "plenty 6")
    assert t.legal() == ["gain md"]
    assert "1ku has no room (catan_cards:4)" in t.cannot("gain ku")
    t.do("gain md", "2: gain ku")
    full = "1ku 3, 1mu 3, 1ou 3, 1kd 3, 1md 3, 1od 3"
    assert "1 choice.passed" in roll(table(stocks=full), "plenty 6")


@pytest.mark.parametrize(("stock", "kind"), [(2, "repelled"), (3, "raided")])
def test_q4_brigands_come_from_8_unprotected_resources_on(table, stock, kind):
    t = table(stocks=f"1ku {stock}")
    assert f"1 brigands.{kind} {stock + 5}" in roll(t, "brigands 6")


def test_q42_brigand_grace_voids_a_club_in_the_rollers_first_turns(table):
    t = table(stocks="1ku 3, 2ku 3", brigand_grace=2)
    assert "brigands.spared" in roll(t, "brigands 4")
    t.state.turns = [3, 2]
    assert "1 brigands.raided 9" in roll(t, "brigands 5")


@pytest.mark.parametrize(("limit", "due"), [("immediate", "excess"), ("end", "actions")])
def test_q5_and_q50_own_turn_limit_says_when_the_active_player_puts_cards_away(act, limit, due):
    t = act("1lu1 Otto the Berserker", hands=("???", "???"), own_turn_limit=limit)
    event(t, "CivilWar")
    t.do("2: strike Otto")
    assert t.state.describe()["due"] == due
    if limit == "end":
        assert t.do("end") == ["1 actions.ended"]
    t.do("under 4")
    assert len(t.state.hands[0]) == 3
    if limit == "end":
        t.do("under 3 ?", "draw 3")
        assert t.state.active == 1


def test_q50_what_is_too_many_goes_before_an_exchange(table):
    t = table(hands=("????", "???"), own_turn_limit="end")
    assert "under 4" in t.legal()
    t.do("under 4")
    assert set(t.broken("draw 4")) == {"56"}
    assert t.state.phase == "refill"
    t.do("under 4", "draw 4")
    assert (t.state.active, len(t.state.hands[0])) == (1, 3)


def test_q5b_the_excess_goes_under_any_stacks(act):
    t = act("2lu1 Abbey, 2nu1 Smithy", hands=("Arsonist, ??", "????"))
    t.do("play Arsonist", "counter -", "duel 1", "strike Abbey")
    assert set(t.broken("1: trade ku > mu")) == {"54", "37"}
    t.do("2: under 1", "2: under 5")
    assert [stack.under for stack in t.state.stacks] == [1, 0, 0, 0, 1]


def test_q6_a_leader_without_a_city_takes_the_token_out(table):
    t = table("1lu1 Marketplace, 2lu1 Ore Fleet, 2nu1 Wool Fleet, 2ld1 Gold Fleet", cities="1l")
    t.state.tokens[1] = 0
    t.state.points[0] += 1
    t.settle()
    assert t.tokens()[1] is None


@pytest.mark.parametrize(("tie", "holder"), [("keep", 1), ("return", None)])
def test_q6_windmill_tie_keeps_the_token_or_returns_it(table, tie, holder):
    t = table("1lu1 Ore Fleet, 2lu1 Wool Fleet", cities="1l 2l", windmill_tie=tie)
    t.state.tokens[1] = 0
    t.state.points[0] += 1
    t.settle()
    assert t.tokens()[1] == holder


def test_q51_a_token_that_is_out_stays_out_on_a_tie(table):
    t = table("1lu1 Ore Fleet, 2lu1 Wool Fleet", cities="1l 2l")
    t.settle()
    assert t.tokens()[1] is None


def test_q7_a_second_fleet_of_a_resource_adds_nothing(table):
    t = table("1lu1 Ore Fleet, 1ld1 Ore Fleet", stocks="1mu 3", components={"cards": {"Ore Fleet": {"count": 2}}})
    assert set(t.broken("trade mu > ku")) == {"38"}
    t.do("trade mu mu > ku")


def test_q8_resources_are_traded_with_the_opponent_in_ones_own_turn(table):
    t = table()
    assert set(t.broken("2: barter ku > 1ku = 1mu > mu")) == {"20"}
    assert t.do("barter ku > 2ku = 2mu > mu")[0] == "1 trade.made 1 grain for 1 ore"
    assert [t.stocks(1, "ku", "mu"), t.stocks(2, "ku", "mu")] == [[0, 2], [2, 0]]
    assert not any(line.startswith("barter") for line in t.legal())


def test_q8b_what_is_paid_makes_room(table):
    t = table(stocks="1ku 3")
    t.do("trade ku ku ku > ku")
    assert t.stocks(1, "ku") == [1]


def test_q9_both_regions_are_seen_and_then_placed(table):
    t = table()
    t.state.principalities[0].roads.append("o")
    t.do("settlement right")
    assert {"regions grain3 ore4", "regions ore4 grain3"} <= set(t.legal())


@cases(
    ("gate", "points", "rules"),
    [("each3", [3, 2], {"51"}), ("each3", [3, 3], set()), ("sum7", [4, 2], {"Q10"}), ("sum7", [5, 2], set())],
)
def test_q10_action_gate_counts_all_points(table, gate, points, rules):
    t = table(hands=("Caravan, ??", "???"), action_gate=gate)
    t.state.points = points
    assert set(t.broken("play Caravan ku > mu")) == rules


def test_q11_an_exchange_is_not_compulsory(table):
    t = table()
    assert "1 turn.ended" in t.do("end")


@pytest.mark.parametrize(("same", "rules"), [(False, set()), (True, {"Q12"})])
def test_q12_exchange_same_stack_draws_where_the_card_went(table, same, rules):
    t = table(exchange_same_stack=same)
    t.do("under 3")
    assert set(t.broken("draw 4")) == rules
    t.do("draw 3")
    assert t.state.active == 1


def test_q12b_an_exchange_is_possible_after_the_excess_is_gone(act):
    t = act(hands=("????", "???"))
    t.do("under 2", "under 3", "draw 3")
    assert t.state.active == 1


def test_q12c_and_q12d_the_hand_is_refilled_up_to_its_limit(table):
    t = table("1lu1 Abbey", hands=("?", "???"))
    assert set(t.broken("end")) == {"56"}
    t.do("draw 1", "draw 1")
    assert t.state.active == 0
    t.do("draw 2")
    assert t.state.active == 1


def test_q13_victory_is_looked_for_in_ones_own_turn_and_at_its_start(table):
    t = table(hands=("???", "???"))
    t.state.points = [2, 12]
    t.settle()
    assert t.state.outcome() is None
    assert t.do("end")[-1] == "2 game.won 12"


def test_q13_win_on_any_turn_ends_the_game_at_once(table):
    t = table(win_on="any_turn")
    t.state.points = [2, 12]
    assert t.settle()[-1] == "2 game.won 12"


@pytest.mark.parametrize(("number", "chooser"), [(5, 0), (6, 1)])
def test_q14_the_winner_of_the_roll_chooses(act, number, chooser):
    t = act("1lu1 Smithy, 2lu1 Abbey", hands=("Arsonist, ??", "???"))
    t.do("play Arsonist", "counter -", f"duel {number}")
    assert t.state.to_move() == chooser


def test_q15_an_attack_needs_a_target(act):
    t = act("1lu1 Smithy, 1ld1 Karl the Strong", hands=("Arsonist, The Black Knight, Brigands", "???"))
    assert set(t.broken("play Arsonist")) == {"Q15"}
    assert set(t.broken("play BlackKnight")) == {"Q15"}
    t.state.principalities[1].stocks = dict.fromkeys(t.state.principalities[1].stocks, 0)
    assert set(t.broken("play Brigands")) == {"Q15"}


def test_q15_own_cards_are_no_targets(act):
    t = act("1lu1 Smithy, 2lu1 Abbey", hands=("Arsonist, ??", "???"))
    t.do("play Arsonist", "counter -", "duel 1")
    assert [breach.why for breach in t.state.breaches(Strike(seat=0, at="1lu1"))] == [
        "player 1 chooses among the other's cards"
    ]


def test_q15b_the_defender_always_answers(act):
    t = act("2lu1 Abbey", hands=("Arsonist, ??", "Spy"))
    t.do("play Arsonist")
    assert t.legal() == ["counter -"]
    assert t.do("counter -") == ["2 counter.missed"]


def test_q15c_a_church_does_not_protect_from_duels(act):
    t = act("2lu1 Church, 2ld1 Karl the Strong", cities="2l", hands=("The Black Knight, ??", "???"))
    t.do("play BlackKnight", "counter -", "duel 1", "strike Karl")


def test_q15d_a_counter_is_used_up_and_one_is_all(act):
    t = act("2lu1 Abbey", hands=("Arsonist, ??", "Bishop, Bishop"))
    t.do("play Arsonist", "counter Bishop")
    assert t.hand(2) == "Bishop"
    assert "now the attacker's die is to be rolled" in t.cannot("2: counter Bishop")


def test_q16_brigands_take_one_after_the_other_where_there_is_room(act):
    t = act(hands=("Brigands, ??", "???"), stocks="1ku 2, 2ku 3")
    t.do("play Brigands", "counter -", "duel 1", "take 2ku")
    assert "take 2ku" not in t.legal()
    t.do("take 2mu")


@pytest.mark.parametrize(("least", "rules"), [(1, set()), (2, {"Q17"})])
def test_q17_caravan_min_is_the_least_that_a_caravan_carries(act, least, rules):
    t = act(hands=("Caravan, ??", "???"), caravan_min=least)
    assert set(t.broken("play Caravan ku > mu")) == rules
    t.do("play Caravan ku mu > od od")


def test_q18_what_was_taken_can_be_given_and_room_counts_after_taking(act):
    t = act(hands=("Merchant, ??", "???"), stocks="1ku 0, 2ku 3, 2mu 3, 1mu 0")
    t.do("play Merchant 2ku 2mu > ku mu = mu > 2mu")
    assert [t.stocks(1, "ku", "mu"), t.stocks(2, "ku", "mu")] == [[1, 0], [2, 3]]


def test_q18b_a_merchant_takes_at_least_one(act):
    t = act(hands=("Merchant, ??", "???"))
    assert not any(re.search(r"Merchant +=", line) for line in t.legal())


@pytest.mark.parametrize(("any_", "rules"), [(True, set()), (False, {"Q19"})])
def test_q19_spy_any_takes_buildings_too(act, any_, rules):
    t = act(hands=("Spy, ??", "Abbey, Ore Fleet, Scout"), spy_any=any_)
    assert set(t.broken("play Spy Abbey")) == rules
    t.do("play Spy OreFleet")


def test_q19b_a_stolen_card_can_be_used_at_once_and_never_is_one_too_many(act):
    t = act("2lu1 Smithy", hands=("Spy, ??", "Spy, Arsonist, ?"))
    t.do("play Spy Spy")
    assert t.state.describe()["due"] == "actions"
    t.do("play Spy Arsonist", "play Arsonist", "counter -", "duel 1", "strike Smithy")
    assert (len(t.state.hands[0]), len(t.state.hands[1])) == (2, 2)


@pytest.mark.parametrize(("own", "points"), [(0, 2), (1, 3)])
def test_q20_harbor_own_cp_is_what_the_harbor_itself_counts(table, own, points):
    t = table("1lu1 Harbor, 1ld1 Ore Fleet", cities="1l", harbor_own_cp=own)
    assert commerce(t.state, 0) == points


def test_q21_the_victim_of_a_conflict_refills_at_the_end_of_the_own_turn(table):
    t = table("2lu1 Otto the Berserker")
    t.state.tokens[0] = 1
    event(t, "Conflict")
    t.do("2: confiscate 1 ? ?")
    t.do("draw 1", "draw 1")
    assert t.state.active == 1


def test_q21b_one_card_is_confiscated_where_there_is_but_one(table):
    t = table("1lu1 Otto the Berserker", hands=("???", "?"))
    t.state.tokens[0] = 0
    event(t, "Conflict")
    assert set(t.legal()) == {f"confiscate {stack} ?" for stack in range(1, 6)}
    t = table("1lu1 Otto the Berserker")
    t.state.tokens[0] = 0
    event(t, "Conflict")
    assert set(t.broken("confiscate 1 ?")) == {"Q21b"}


@pytest.mark.parametrize(("optional", "rules"), [(False, {"Q22"}), (True, set())])
def test_q22_master_builder_optional_lets_one_do_without(table, optional, rules):
    t = table(master_builder_optional=optional)
    event(t, "MasterBuilder")
    assert set(t.broken("skip")) == rules
    t.force("skip")
    assert t.state.to_move() == 1


def test_q22_the_card_just_given_may_be_taken_again(table):
    t = table(hands=("Abbey, ??", "???"))
    event(t, "MasterBuilder")
    t.do("under 2 Abbey", "search 2 Abbey")
    assert t.hand(1) == "Abbey ? ?"


def test_q22b_and_q53_the_passive_player_needs_another_stack(table):
    t = table()
    event(t, "MasterBuilder")
    t.do("under 2", "search 2", "2: under 3")
    assert set(t.broken("2: search 2")) == {"Q22b"}
    t = table()
    for stack in t.state.stacks[1:]:
        stack.size = 0
    event(t, "MasterBuilder")
    t.do("under 1")
    assert "2 choice.passed" in t.do("search 1")
    assert t.state.phase == "actions"


def test_q23_a_bathhouse_protects_a_region_shared_with_another_city(table):
    t = table("1lu1 Bathhouse", cities="1l 1n")
    assert "1 plague.averted 1mu" in event(t, "Plague")


@pytest.mark.parametrize(("double", "left"), [(True, 1), (False, 2)])
def test_q23b_plague_double_takes_two_between_two_cities(table, double, left):
    t = table(cities="1l 1n", stocks="1mu 3", plague_double=double)
    event(t, "Plague")
    assert t.stocks(1, "mu") == [left]


def test_q24_productive_year_comes_before_production(table):
    t = table("1nd1 Garrison", stocks="1od 2")
    effects = event(t, "ProductiveYear")
    assert [effect for effect in effects if "1od" in effect] == ["1 stock.gained 1od gold 1"]
    assert t.stocks(1, "od") == [3]


def test_q25_year_end_shuffles_itself_in_and_draws_nothing_more(table):
    t = table()
    assert event(t, "YearEnd")[:2] == ["1 event.drawn Year End", "events.shuffled"]
    assert t.state.events == [""] * 10
    assert t.state.phase == "actions"


def test_q26_the_event_comes_before_production(table):
    t = table(stocks="1od 3")
    roll(t, "plenty 6")
    assert t.stocks(2, "md") == [1]
    t.do("gain ku")
    assert "2 stock.gained 2md brick 1" in t.do("2: gain ku")


def test_q27_doublers_count_for_production_only(table):
    t = table("1lu1 Grain Mill")
    roll(t, "plenty 6")
    assert t.do("gain ku")[0] == "1 stock.gained 1ku grain 1"


def test_q28_there_is_no_trade_once_the_refill_has_begun(table):
    t = table("1lu1 Abbey", hands=("??", "???"), stocks="1ku 3")
    t.do("draw 1")
    assert set(t.broken("trade ku ku ku > mu")) == {"58"}


def test_q29_a_settlement_is_a_city_in_the_same_turn(table):
    t = table(stocks="1mu 3, 1ku 3")
    t.state.principalities[0].roads.append("o")
    t.do("settlement right", "regions ore4 grain4")
    t.state.principalities[0].stocks["1ku"] = 2
    t.do("city p")
    assert t.scores()[0] == 4


@pytest.mark.parametrize(("allowed", "rules"), [(False, {"Q52"}), (True, set())])
def test_q30_and_q52_demolish_lets_own_expansions_leave_the_game(table, allowed, rules):
    t = table("1lu1 Church, 1ld1 Ore Fleet", cities="1l", demolish=allowed)
    assert set(t.broken("demolish OreFleet")) == rules
    t.force("demolish OreFleet")
    assert t.state.spent == ["Ore Fleet"]


def test_q31_the_limit_rises_when_an_abbey_is_built(table):
    t = table(hands=("Abbey, ??", "???"))
    t.do("build Abbey lu")
    assert t.state.limits[0] == 4
    t.do("draw 1")
    assert t.state.active == 0


def test_q32_and_q57_with_all_stacks_empty_the_game_goes_on(table):
    t = table(hands=("?", "?"))
    for stack in t.state.stacks:
        stack.size = 0
    assert "stack 3 is empty (catan_cards:Q57)" in t.cannot("draw 3")
    t.do("end")
    assert t.state.active == 1


def test_q57_cards_go_under_an_empty_stack(table):
    t = table()
    t.state.stacks[2].size = 0
    t.do("under 3", "draw 3")


def test_q33_both_at_the_target_are_no_tie(table):
    t = table(target=3)
    t.state.points = [3, 3]
    assert t.settle()[-1] == "1 game.won 3"


def test_q34_and_q44_progress_is_chosen_one_at_a_time_active_first(table):
    t = table("1lu1 Abbey, 1ld1 Abbey, 2lu1 Abbey", stocks="1ku 2, 1mu 3, 1ou 3, 1kd 3, 1md 3, 1od 3")
    event(t, "Progress")
    assert t.do("gain ku")[1] == "1 choice.passed"
    assert t.state.to_move() == 1


def test_q35_which_crest_is_recorded_and_each_is_there_once(new):
    t = new()
    t.do("start 1", CRESTS[0])
    assert set(t.broken(CRESTS[0])) == {"10"}
    assert t.broken(CRESTS[1]) == {}


def test_q35_numbers_that_are_of_neither_crest_are_remarked_upon_and_stand(new):
    t = new()
    t.do("start 1")
    effects = t.do("lay grain6 ore2 wool3 lumber4 brick5 gold1")
    assert [effect for effect in effects if "unlisted" in effect] == [
        "region.unlisted grain 6",
        "region.unlisted gold 1",
    ]
    assert t.state.region_at("1ku").number == 6
    assert t.broken(CRESTS[0]) == {}


def test_q36_tokens_lie_nowhere_in_particular(table):
    tokens = table().state.describe()["tokens"]
    assert tokens == {"knight": {"holder": None}, "windmill": {"holder": None}}


def test_q37_commerce_points_add_up(table):
    t = table("1lu1 Mint, 1lu2 Merchant Guild, 1ld1 Garrison, 1ld2 Gold Fleet, 1nu1 Marketplace", cities="1l 1n")
    assert commerce(t.state, 0) == 1 + 4 + 1 + 1 + 2


def test_q38_tokens_are_looked_at_between_the_two_losses_of_civil_war(table):
    t = table("1lu1 Karl the Strong, 2lu1 Otto the Berserker, 2ld1 Ore Fleet")
    t.settle()
    event(t, "CivilWar")
    assert t.tokens()[0] == 1
    t.do("strike Otto")
    assert t.tokens()[0] == 1
    assert "1 token.lost knight token" in t.do("2: strike Karl")


def test_q39_too_many_cards_on_both_sides_go_in_either_order(act):
    t = act(hands=("????", "????"))
    t.do("2: under 1", "under 1")
    t = act(hands=("????", "????"))
    assert t.state.to_move() == 0
    t.do("under 1", "under 1")


def test_q40_a_gain_is_not_declined(table):
    t = table()
    roll(t, "plenty 6")
    assert all(line.startswith("gain") for line in t.legal())
    assert set(t.broken("skip")) == {"Q40"}
    assert t.force("skip") == ["1 choice.skipped"]
    assert t.state.to_move() == 1


def test_q41_who_has_an_empty_hand_neither_gives_nor_takes(table):
    t = table(hands=("", "?"))
    t.state.hands[0].unknown = 0
    assert "1 choice.passed" in event(t, "MasterBuilder")
    assert t.state.to_move() == 1


def test_q43_the_entry_is_taken_from_any_recorder(table):
    t = table()
    roll(t, "plenty 6")
    t.do("1: gain ku", "2: gain ku")


def test_q45_a_settlement_wins_before_its_regions_are_drawn(table):
    t = table(target=3)
    t.state.principalities[0].roads.append("o")
    assert t.do("settlement right")[-1] == "1 game.won 3"
    assert t.state.pending == []


def test_q46_a_second_alchemist_before_the_same_roll_is_refused(act):
    t = act(hands=("Alchemist, Alchemist", "???"))
    t.state.phase, t.state.production = "roll", 0
    t.do("play Alchemist 3")
    assert set(t.broken("play Alchemist 4")) == {"Q46"}


def test_q47_what_has_no_effect_is_refused(act):
    t = act(hands=("Spy, Merchant, Caravan", ""))
    t.state.hands[1].unknown = 0
    assert set(t.broken("play Spy -")) == {"Q47"}
    assert set(t.broken("play Merchant 2ku > ku = ku > 2ku")) == {"Q47"}
    assert [breach.rule for breach in t.state.breaches(Caravan(seat=0, give=("1ku",), get=("1ku",)))] == [
        "catan_cards:Q47"
    ]


def test_q48_a_spy_who_finds_neither_unit_nor_action_is_spent(act):
    t = act(hands=("Spy, ??", "Abbey, Church"), spy_any=False)
    assert "play Spy -" in t.legal()
    assert t.do("play Spy -") == ["1 action.played Spy", "1 spy.failed"]
    assert t.hand(2) == "Abbey Church"
    assert set(act(hands=("Spy", "Abbey, Scout"), spy_any=False).broken("play Spy -")) == {"Q40"}


def test_q49_a_trade_for_the_same_kind_is_allowed(table):
    t = table(stocks="1ku 3")
    assert list(t.state.breaches(Trade(seat=0, give=("1ku",) * 3, get="1ku"))) == []


def test_q54_the_exchanged_card_may_be_searched_out_again(table):
    t = table(hands=("Abbey, ??", "???"))
    t.do("under 3 Abbey", "search 3 Abbey (ku mu)")
    assert t.hand(1) == "Abbey ? ?"


def test_q55_cards_are_put_away_after_the_whole_event_and_before_production(act):
    t = act("1lu1 Otto the Berserker, 2lu1 Karl the Strong")
    event(t, "CivilWar")
    t.do("strike Karl", "2: strike Otto")
    assert t.stocks(1, "od") == [1]
    assert set(t.broken("trade od > ku")) == {"27", "37"}
    t.do("under 1")
    assert "1 stock.gained 1od gold 1" in t.do("2: under 1")


def test_q56_a_victim_of_conflict_has_no_other_handicap(table):
    t = table("1lu1 Otto the Berserker")
    t.state.tokens[0] = 0
    event(t, "Conflict")
    t.do("confiscate 1 ? ?", "end", "roll trade 6", "draw 1", "draw 2")
    assert t.state.active == 0


def test_alchemist_spy_counts_the_cards_as_the_box_has_them(new):
    assert [printed_box("1+4").cards[card].count for card in ("Alchemist", "Spy")] == [1, 4]
    assert new(alchemist_spy="1+4").state.box.expansions() == 62


def test_target_is_the_points_that_win(table):
    t = table(target=4, hands=("???", "???"))
    t.state.points = [4, 2]
    assert t.settle()[-1] == "1 game.won 4"


def test_profile_sets_every_switch_that_is_not_set_itself(new):
    later = new(profile="2005", spy_any=True).state.options
    assert (later.action_gate, later.brigand_grace, later.spy_any) == ("sum7", 2, True)
    first = new().state.options
    assert (first.windmill_tie, first.plague_double, first.own_turn_limit, first.target) == (
        "keep",
        True,
        "immediate",
        12,
    )


def test_every_decision_and_every_switch_has_its_test():
    tests = " ".join(name for name in globals() if name.startswith("test_"))
    decided = {number for number in range(1, 58) if not re.search(rf"_q{number}b?_", tests)}
    assert decided == set()
    for letter in ("q5b", "q8b", "q12b", "q15b", "q15c", "q15d", "q18b", "q19b", "q21b", "q22b", "q23b"):
        assert f"_{letter}_" in tests
    assert [option.name for option in OPTIONS if option.name not in tests] == []


def test_a_trade_with_free_places_and_a_barter_can_be_entered_after_the_dice(table):
    t = table()

    def beside() -> list[str]:
        return [line.split()[0] for line in map(t.state.notation_template, t.state.off_turn_moves())]

    assert beside()[:2] == ["trade", "barter"]
    t.state.phase = "roll"
    assert not {"trade", "barter"} & {*beside()}
