"""What is against the rules and happens at tables can stand; what cannot be now is told the step that is due."""

from __future__ import annotations

import pytest

from games.catan_cards.moves import Gain, Strike
from tests.cases import cases
from tests.games.catan_cards.conftest import CRESTS, CatanCardsTable


def test_3_a_gain_that_is_nobodys_due_is_irregular_and_can_stand(table):
    t = table()
    assert t.broken("gain ku") == {"20": "no resource of choice is due: now the turn goes on"}
    t.force("gain ku")
    assert t.stocks(1, "ku") == [2]
    assert "now the first cards are to be picked (catan_cards:18)" in _picking().cannot_be(Gain(seat=0, at="1ku"))


def _picking():
    t = CatanCardsTable({}, None, 2)
    t.do("start 1", *CRESTS)
    return t


def rolled(t, line):
    """The dice are rolled anew."""
    t.state.phase, t.state.production, t.state.face = "roll", 0, ""
    t.do(line)


def test_63_dice_that_show_another_number_than_the_alchemist_set_count(act):
    t = act(hands=("Alchemist, ??", "???"))
    t.state.phase, t.state.production = "roll", 0
    t.do("play Alchemist 4")
    assert t.broken("roll trade 4") == {}
    assert t.broken("roll trade 5") == {"63": "an Alchemist has set the die to 4, not 5"}
    effects = t.force("roll trade 5")
    assert "1 dice.rolled trade 5" in effects
    assert "2 stock.gained 2kd lumber 1" in effects


@pytest.mark.parametrize(
    ("attack", "rule", "struck", "why"),
    [
        ("Arsonist", "64", "2ld1", "Karl the Strong is no building"),
        ("Arsonist", "64", "1lu1", "player 1 chooses among the other's cards"),
        ("BlackKnight", "66", "2lu1", "Smithy is no knight"),
    ],
)
def test_64_66_a_card_that_the_attack_does_not_hit_goes_back_to_the_hand_all_the_same(
    act, check, attack, rule, struck, why
):
    t = act("2lu1 Smithy, 2ld1 Karl the Strong, 1lu1 Abbey", hands=("Arsonist, The Black Knight, ?", "???"))
    t.state.stacks[0].size -= 2
    t.do(f"play {attack}", "counter -", "duel 1")
    move = Strike(seat=0, at=struck)
    assert [(breach.rule, breach.why) for breach in t.state.breaches(move)] == [(f"catan_cards:{rule}", why)]
    t.make(move)
    assert t.state.pending == []
    assert struck not in t.state.principalities[int(struck[0]) - 1].sites


def test_62_the_die_is_the_attackers_no_matter_who_rolls_it(act):
    t = act("2lu1 Smithy", hands=("Arsonist, ??", "???"))
    t.do("play Arsonist", "counter -")
    assert t.broken("2: duel 1") == {"62": "player 1 attacks and rolls the die, not player 2"}
    assert "1 duel.won 1" in t.force("2: duel 1")


def test_73_who_chooses_first_in_a_civil_war_can_come_second(act):
    t = act("1lu1 Karl the Strong, 2lu1 Otto the Berserker", hands=("?", "?"))
    rolled(t, "roll event 6")
    t.do("event CivilWar")
    assert t.broken("2: strike Karl") == {"73": "player 1 chooses first, not player 2"}
    t.force("2: strike Karl")
    t.do("strike Otto")
    assert t.state.phase == "actions"


def test_25_gaining_out_of_order_can_stand_and_the_other_gain_is_still_due(table):
    t = table()
    rolled(t, "roll plenty 6")
    assert t.broken("2: gain ku") == {"25": "player 1 chooses first, not player 2"}
    t.force("2: gain ku")
    assert (t.stocks(2, "ku"), t.state.to_move()) == ([2], 0)
    t.do("gain ku")
    assert (t.stocks(1, "ku"), t.state.phase) == ([2], "actions")


def test_22_a_gain_of_the_wrong_player_is_the_one_that_was_due(table):
    t = table("1lu1 Karl the Strong")
    rolled(t, "roll tournament 6")
    assert t.broken("2: gain ku") == {"22": "it is player 1 who chooses, not player 2"}
    t.force("2: gain ku")
    assert (t.state.pending, t.state.phase) == ([], "actions")


def test_75_who_gives_and_takes_out_of_order_has_done_so(table):
    t = table(hands=("?", "?"))
    rolled(t, "roll event 6")
    t.do("event MasterBuilder")
    assert t.broken("2: under 1") == {"75": f"{UNDER}now a card is to be given up"}
    t.force("2: under 1")
    t.force("2: search 2 ()")
    t.do("under 1")
    assert set(t.broken("search 2")) == {"Q22b"}
    t.do("search 3")
    assert t.state.phase == "actions"


def test_20_a_turn_that_ends_with_a_gain_pending_has_its_production_and_no_gain(table):
    t = table()
    rolled(t, "roll plenty 1")
    t.do("gain ku")
    assert t.broken("1: end") == {"25": f"{END}now a resource is to be chosen"}
    effects = t.force("1: end")
    assert effects == ["2 choice.skipped", "1 stock.gained 1ku grain 1", "2 stock.gained 2od gold 1", *effects[3:]]
    assert effects[-2:] == ["1 turn.ended", "2 turn.begun 1"]
    assert (t.state.pending, t.legal()[0]) == ([], "roll tournament 1")


def test_54_a_turn_that_ends_with_excess_cards_is_ended_and_they_go_in_the_next(act):
    t = act(hands=("????", "???"))
    assert t.broken("end") == {"54": f"{END}now cards over the hand limit go under stacks"}
    assert t.force("end") == ["1 turn.ended", "2 turn.begun 1"]
    t.do("roll trade 6")
    assert t.legal()[0] == "under 1"
    assert t.state.to_move() == 0


def test_q50_excess_at_the_end_of_the_own_turn_is_judged_by_that_rule(act):
    t = act(hands=("????", "???"), own_turn_limit="end")
    t.do("end")
    assert set(t.broken("end")) == {"Q50"}
    assert t.force("end") == ["1 turn.ended", "2 turn.begun 1"]


def test_20_a_turn_without_a_roll_can_end(table):
    t = table()
    t.state.phase = "roll"
    assert t.broken("end") == {"20": f"{END}now the dice are to be rolled"}
    assert t.force("end") == ["1 turn.ended", "2 turn.begun 1"]


def test_43_regions_wait_beyond_the_end_of_the_turn(table, check):
    t = table(target=20)
    t.state.principalities[0].roads.append("o")
    t.state.supply["road"] -= 1
    t.do("settlement right")
    t.force("end")
    assert t.state.to_move() == 0
    assert t.broken("2: roll plenty 6") == {"43": f"{ROLL}now the two new regions are to be laid"}
    t.force("2: roll plenty 6")
    t.do("regions grain3 ore4", "gain ku", "gain ku")
    check(t.state)
    assert t.state.phase == "actions"


def test_71_a_scout_at_the_wrong_time_is_spent(table):
    t = table(hands=("Scout, ??", "???"))
    assert t.broken("play Scout") == {"71": "a Scout comes right after a settlement"}
    t.force("play Scout")
    assert t.state.spent == ["Scout"]


# Out of step

UNDER = "cards are put under stacks at the end of the turn, or where a rule says so: "
END = "the turn ends after the dice and what they bring: "
ROLL = "the dice are rolled once a turn, at its beginning: "
STEPS = {
    "start 1": "the one who starts is to be named (catan_cards:17)",
    CRESTS[0]: "the regions are to be laid (catan_cards:11)",
    "pick 1 ? ? ?": "the first cards are to be picked (catan_cards:18)",
    "roll trade 6": "the dice are to be rolled (catan_cards:20)",
}


OTHERS = (
    *("event Plague", "2: regions grain3 ore4", "2: counter -", "2: duel 1", "2: strike 1lu1", "2: skip"),
    "2: confiscate 1 ?",
)


def test_what_cannot_be_in_the_setup_is_told_the_step_that_is_due_with_its_rule(new):
    t = new()
    for line, why in STEPS.items():
        for other in (*STEPS, *OTHERS) if "roll" not in line else ():
            if other != line and other.split()[1] not in ("strike", "confiscate"):  # no card lies there yet
                assert t.cannot(other if other[0] in "2s" else f"1: {other}").endswith(f": now {why}")
        t.do(*((*CRESTS,) if line == CRESTS[0] else (line, "pick 2 ? ? ?") if "pick" in line else (line,)))


def test_what_is_wrong_is_told_before_what_is_due(table):
    t = table()
    rolled(t, "roll plenty 6")
    due = "now a resource is to be chosen"
    assert t.cannot("2: counter Bishop") == f"no attack is to be answered: {due} (catan_cards:25)"
    assert t.cannot("2: duel 3") == f"no attack goes on that a die decides: {due} (catan_cards:25)"
    assert t.broken("draw 1") == {"25": f"cards are drawn at the end of the turn: {due}"}
    assert t.broken("under 1") == {"25": f"{UNDER}{due}"}
    assert t.broken("event Plague") == {"25": f"an event card is drawn when the event die says so: {due}"}
    assert t.broken("trade ku ku ku > mu")["25"] == f"trade comes after the dice and what they bring: {due}"


LATER = ("road left ()", "settlement left ()", "city l ()", "build Abbey lu ()", "trade ku > mu")


@cases("line", LATER)
def test_20_building_and_trade_before_the_dice_cite_the_order_of_a_turn(table, line):
    t = table(stocks="1ku 3", hands=("Abbey, ??", "???"))
    t.state.phase = "roll"
    assert "20" in t.broken(line)
    assert "52" not in t.broken(line)
    assert t.broken(line)["20"].endswith(": now the dice are to be rolled")


def test_20_a_second_roll_is_irregular_and_brings_what_dice_bring(table):
    t = table()
    rolled(t, "roll trade 6")
    assert t.broken("roll plenty 1") == {"20": f"{ROLL}now the turn goes on"}
    assert t.force("roll plenty 1") == ["1 dice.rolled plenty 1"]
    t.do("gain ku", "gain ku")
    assert (t.state.active, t.state.phase, t.state.production) == (0, "actions", 1)


def test_20_a_roll_while_a_choice_waits_leaves_the_choice_and_brings_what_was_rolled_before(table):
    t = table()
    rolled(t, "roll plenty 1")
    effects = t.force("roll trade 6")
    assert effects[:2] == ["1 choice.skipped", "2 choice.skipped"]
    assert effects[2] == "1 stock.gained 1ku grain 1"
    assert (t.state.pending, t.state.phase) == ([], "actions")


def test_20_who_rolls_before_the_other_has_ended_ends_that_turn(table):
    t = table()
    rolled(t, "roll trade 6")
    assert t.force("2: roll trade 6")[:2] == ["1 turn.ended", "2 turn.begun 1"]
    assert (t.state.active, t.state.phase) == (1, "actions")


def test_26_an_event_card_that_no_die_called_for_has_its_effect(table):
    t = table()
    rolled(t, "roll trade 6")
    assert "2 gain" not in t.force("event YearEnd")
    assert t.force("event Progress")[0] == "1 event.drawn Progress"
    assert t.state.phase == "actions"


def test_cards_that_were_struck_or_put_away_for_nothing_went_all_the_same(table, check):
    t = table("2lu1 Karl the Strong", hands=("??", "???"))
    assert t.broken("confiscate 1 ? ?") == {"20": "no cards of the other hand are put away now: now the turn goes on"}
    assert t.force("confiscate 1 ? ?") == ["2 cards.confiscated 1 2"]
    assert t.broken("strike Karl") == {"20": "no card goes back to a hand now: now the turn goes on"}
    assert t.force("strike Karl") == ["2 card.struck Karl the Strong 2lu1"]
    check(t.state)
