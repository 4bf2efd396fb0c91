"""20 to 31: building, strategy, drawing, and the end."""

from __future__ import annotations

from itertools import combinations_with_replacement

import msgspec
import pytest

from games.contract import PUBLIC, ScoreLine
from games.errors import ImpossibleError
from games.verraeter import VERRAETER
from games.verraeter.components import COPIES, HOUSES
from games.verraeter.moves import Lay
from tests.cases import cases


def revealed(table, actions, houses="ERER", *args, site="3-4", hands=None, **more):
    """A table at which nobody laid anything, and what followed the reveal. Hands have room for the Farmer."""
    t = table(houses, *args, hands=hands or " ".join(["34"] * len(houses)), **more)
    t.do(site, *["lay -"] * t.state.seats)
    return t, t.do(f"reveal {actions}")


def building(table, cards=""):
    t, _ = revealed(table, "Builder Diplomat5 Diplomat2 Farmer", "ERER", cards)
    return t


def test_20_only_the_builder_builds_and_one_thing(table):
    t = building(table)
    assert t.state.to_move() == 0
    assert t.broken("2: estate 5") == {"20": "player 1 is the Builder, not player 2"}
    assert t.do("estate 5")[0] == "1 estate.put 5 City"
    assert t.state.due != "build"


def test_20_without_a_builder_nothing_is_asked(table):
    t, effects = revealed(table, "Traitor Diplomat5 Diplomat2 Farmer")
    assert effects[-1] == "2 round.begun 2"
    assert "now the conflict card is to be put down" in t.cannot("1: skip")


def test_a4_a_card_comes_into_play_with_either_side_up(table):
    assert building(table).do("post 5")[0] == "1 post.put 5 City"


def test_a6_the_builder_can_build_at_lands_of_either_house(table):
    legal = building(table, "2e1").legal()
    assert {f"{side} {land}" for side in ("estate", "post") for land in range(2, 13)} <= set(legal)
    assert "estate 1" not in legal


def test_20_a_card_in_play_can_be_turned_over_and_back(table):
    assert building(table, "1e5").do("turn 5")[0] == "1 post.turned 5 City"
    assert building(table, "1p5").do("turn 5")[0] == "1 estate.turned 5 City"


def test_20_only_own_cards_are_turned(table):
    t = building(table, "2e5")
    assert t.broken("turn 5") == {"20": "the card at 5 City is player 2's"}
    assert "no card lies under 6 Woods" in t.cannot("turn 6")
    assert "turn 5" not in t.legal()


def test_21_at_most_two_trading_posts(table):
    t = building(table, "1p5 1p6 1e7")
    assert t.broken("turn 7") == {"21": "player 1 has 2 trading posts in play already"}
    assert t.broken("turn 5") == {}
    assert "turn 7" not in t.legal()
    t = building(table, "1p5 1p6")
    assert set(t.broken("post 9")) == {"21"}
    assert t.broken("estate 9") == {}
    assert "post 9" not in t.legal()


def test_20_who_builds_without_a_builder_in_the_round_is_recorded_against_the_rule(table):
    t, _ = revealed(table, "Traitor Diplomat5 Diplomat2 Farmer", cards="1e5")
    assert (t.state.due, t.state.round) == ("site", 2)
    assert t.broken("1: estate 7") == {
        "20": "player 1 is not asked to build: now the conflict card is to be put down",
    }
    assert t.force("1: estate 7") == ["1 estate.put 7 Wilderness"]
    assert t.force("1: turn 5") == ["1 post.turned 5 City"]
    assert (t.state.due, t.state.round) == ("site", 2)
    t.do(t.legal()[0])
    assert t.broken("1: estate 9") == {"20": "player 1 is not asked to build: now the supply cards are to be laid"}


def test_20_building_out_of_step_needs_a_free_land_and_a_card_in_reserve(table):
    t, _ = revealed(table, "Traitor Diplomat5 Diplomat2 Farmer", cards="1e5 1e6 1e8 2e7")
    assert "a card lies under 7 Wilderness already" in t.cannot("2: estate 7")
    assert "player 1 has no card left in reserve" in t.cannot("1: estate 9")


def test_20_before_any_reveal_building_is_against_the_rules_and_can_stand(table):
    t = table()
    assert t.broken("1: estate 7") == {"20": "player 1 is not asked to build: now the conflict card is to be put down"}
    assert t.force("1: estate 7") == ["1 estate.put 7 Wilderness"]
    assert (t.state.due, t.state.round) == ("site", 1)


def test_20_what_is_built_after_the_end_changes_neither_points_nor_result(table):
    t = laid_to_the_end(table, [9, 5, 9])
    before, outcome = t.scores(), t.state.outcome()
    free = next(place for place, held in enumerate(t.state.holdings) if held is None) + 1
    assert set(t.broken(f"1: post {free}")) == {"28", "20"}
    t.force(f"1: post {free}")
    assert (t.scores(), t.state.outcome()) == (before, outcome)


def test_what_has_no_object_is_told_what_is_wrong_and_then_what_is_due(table):
    t = table("ERE", hands="34455 3 3")
    t.do("3-4", "lay -", "lay -", "lay -", "reveal Farmer Builder Strategist")
    wrong = "the action cards are revealed once a round, after all have laid: now the Builder is to build"
    again = "reveal Farmer Builder Strategist"
    assert (t.broken(again), t.cannot(again)) == ({}, f"{wrong} (verraeter:14)")
    t.do("skip")
    for line, wrong in {
        "1: choose Farmer": "action cards are chosen after the conflict card, and before the reveal:",
        "reveal Builder Farmer Traitor": "the action cards are revealed once a round, after all have laid:",
        "points 3": "no conquered land is to be read:",
        "start 1 ERE": "the start player is named once, before all else:",
        "1: skip": "there is nothing to build, and nothing to do without:",
    }.items():
        assert t.broken(line) == {}
        assert t.cannot(line).startswith(f"{wrong} now somebody has to choose how to draw (verraeter:")


def test_11_the_conflict_card_is_moved_against_the_rules_until_the_reveal(table):
    t = table()
    t.do("3-4", "lay 3")
    assert set(t.broken("2: 1-2")) == {"11"}
    t.force("2: 1-2")
    assert (t.state.site, t.state.due, t.state.laid[0]) == (0, "lay", ["3"])


def test_11_a_conflict_card_that_is_moved_after_the_reveal_changes_nothing(table):
    t = table("ERE", hands="34455 3 3")
    t.do("3-4", "lay -", "lay -", "lay -", "reveal Farmer Builder Strategist")
    assert set(t.broken("2: 1-2")) == {"11"}
    before = t.state.copy()
    assert t.force("2: 1-2") == ["2 site.chosen 1-2"]
    assert msgspec.structs.replace(t.state, version=before.version) == before


def test_13_cards_laid_too_early_count_and_those_laid_too_late_go_with_the_others(table):
    t = table()
    why = "supply cards are laid after the conflict card, and before the reveal"
    assert t.broken("1: lay 3") == {"13": f"{why}: now the conflict card is to be put down"}
    t.force("1: lay 3")
    t.do("3-4", "2: lay -", "3: lay -", "4: lay -", "reveal Builder Diplomat5 Diplomat2 Farmer")
    assert t.state.due == "build"
    t.force("2: lay 3")
    assert "supplies.spent 2" in t.do("skip")


def test_14_a_reveal_before_all_have_laid_resolves_the_conflict(table):
    t = table()
    t.do("3-4", "lay -")
    assert set(t.broken("reveal Builder Diplomat5 Diplomat2 Farmer")) == {"14"}
    t.force("reveal Builder Diplomat5 Diplomat2 Farmer")
    assert t.state.due == "build"


def test_24_who_draws_before_the_others_has_drawn(table):
    t = table("ERE", hands="34455 34455 3", cards="1e3 1e4 2r5")
    t.state.actions, t.state.due = ["Farmer", "Builder", "Strategist"], "build"
    t.do("2: skip")
    assert t.state.draws[0][0] == 0
    if any(seat == 1 for seat, _ in t.state.draws):
        assert t.broken("2: draw -") == {"24": "player 1 draws before player 2"}
        t.force("2: draw -")
        assert t.state.draws[0][0] == 0


def test_a5_the_builder_may_build_nothing(table):
    assert building(table).do("-")[0] == "1 build.skipped"


def test_22_the_strategist_takes_the_strategy_card_and_keeps_it(table):
    t, effects = revealed(table, "Strategist Diplomat5 Diplomat2 Farmer")
    assert "1 strategy.taken" in effects
    assert t.state.strategy == 0
    t, effects = revealed(table, "Traitor Diplomat5 Diplomat2 Farmer")
    assert t.state.strategy == 1


def test_23_laid_cards_go_open_to_the_discards(table):
    t = table("ERE")
    t.do("3-4", "lay 5", "lay 3 4", "lay -")
    t.do("reveal Traitor Diplomat5 Strategist")
    assert sorted(t.state.discards) == ["3", "4", "5"]


def test_a16_the_discards_are_shuffled_when_a_card_is_needed(table):
    t = table("ERE", hands="3 4 5")
    t.state.pile, t.state.discards = 1, ["2"] * 5 + ["6"] * 2 + ["4"] * 4 + ["5"] * 4 + ["3"] * 4
    t.do("3-4", "lay -", "lay -", "lay -")
    effects = t.do("reveal Diplomat5 Farmer Strategist")
    assert effects[effects.index("pile.shuffled 19") + 1] == "2 cards.drawn 3"
    assert (t.state.pile, t.state.discards) == (17, [])


def test_a16_an_empty_pile_stays_empty_until_then(table):
    t = table("ERE", "1e1")
    t.state.pile, t.state.discards = 1, ["2"] * 5 + ["6"] * 2 + ["4"] * 2 + ["5"] * 2 + ["3", "3"]
    t.do("3-4", "lay 3", "lay -", "lay -")
    t.do("reveal Diplomat5 Traitor Strategist")
    assert (t.state.pile, len(t.state.discards)) == (0, 14)


def full_pile(table, hands="? ?? ?", revision=VERRAETER.revision):
    """A table at which the discards, with the 8 among them, are shuffled in the middle of the Farmer's draw."""
    t = table("ERE", hands=hands)
    t.state.revision = revision
    t.state.pile, t.state.discards = 1, [*"22222", *"3333", *"444", *"55", *"66", "8", "4"]
    t.state.told.append((t.state.version, ("pile", "discards", tuple(t.state.discards), None)))
    t.do("3-4", "lay -", "lay -", "lay -")
    assert "pile.shuffled 18" in t.do("reveal Diplomat5 Farmer Strategist")
    t.do(t.legal()[0])
    return t


@pytest.mark.parametrize("revision", [2, 3])
def test_a16_a_hand_that_drew_nothing_since_the_shuffle_holds_nothing_of_it(table, revision):
    t = full_pile(table, revision=revision)
    assert t.hand(1) == "?"
    t.state.start = 0
    assert set(t.broken("1: lay 8")) == set(t.broken("1: hold 6")) == {"A17"}
    assert set(t.broken("3: lay 2")) == {"13", "A17"}
    assert set(t.legal()) & {f"lay {card}" for card in "234568"} == {"lay 3", "lay 4", "lay 5"}
    assert "8" in t.broken("1: lay 8")["A17"]


@pytest.mark.parametrize("revision", [2, 3])
def test_a16_a_hand_that_drew_since_the_shuffle_can_hold_as_many_of_it_as_it_drew(table, revision):
    t = full_pile(table, revision=revision)
    assert t.hand(2) == "? ? ? ? ?"  # three from before the shuffle, two from after it
    assert t.broken("2: lay 8 2") == {}
    assert set(t.broken("2: lay 8 2 2")) == {"A17"}
    t.force("2: lay 8 2")
    t.state.hands[1].unknown = 3
    assert "A17" in t.broken("2: lay 2")


@cases("revision", [2, 3])
@cases("hands", ["? ?? ?", "3 45 ?", "35 ? 4"])
@pytest.mark.slow
def test_a16_every_card_that_can_be_laid_is_legal_and_nothing_else(table, hands, revision):
    """Held against every choice of cards there is."""
    t = full_pile(table, hands, revision)
    for seat in range(3):
        t.state.laid = [None if other == seat else [] for other in range(3)]
        lays = [Lay(seat=seat, cards=cards) for n in range(6) for cards in combinations_with_replacement(COPIES, n)]
        able = [lay for lay in lays if not any(t.state.breaches(lay)) and can_be(t.state, lay)]
        assert [move for move in t.state.legal_moves() if isinstance(move, Lay)] == able
        assert able


def can_be(state, move):
    try:
        state.copy().apply(move)
    except ImpossibleError:
        return False
    return True


@pytest.mark.parametrize("revision", [2, 3])
def test_a16_what_is_known_of_a_shuffle_goes_by_what_lies_open(table, revision):
    t = full_pile(table, revision=revision)
    t.state.start = 0
    public = t.state.view(PUBLIC)
    assert (public.shuffled, public.piles) == (t.state.shuffled, t.state.piles)
    assert (public.shuffled is None, public.piles is None) == (revision == 3, False)
    assert VERRAETER.state.load(t.state.dump()) == t.state
    t.rule("card from=pile to=player1")
    assert t.broken("1: lay 8") == {}


def test_24_and_a29_farmer_then_all_estates_in_one_draw_then_diplomat(table):
    t, effects = revealed(table, "Traitor Diplomat2 Farmer", "ERE", "2e2 2e4 3e3 2e8", hands="3 4 5")
    drawn = [effect for effect in effects if "drawn" in effect]
    assert drawn == ["3 cards.drawn 3", "2 cards.drawn 2", "2 cards.drawn 1"]
    assert t.hand(3) == "5 ? ? ?"


def test_24_estates_count_at_lands_of_the_house_after_the_conflict(table):
    _, effects = revealed(table, "Strategist Builder Diplomat5", "ERE", "1e4 2e4", site="3-4")
    assert "1 cards.drawn 1" not in effects
    t = table("ERE", "1e4")
    t.do("3-4", "lay 5", "lay -", "lay -")
    assert "1 cards.drawn 1" in t.do("reveal Strategist Traitor Diplomat2")


def test_24_estates_count_for_the_house_after_the_change(table):
    _, effects = revealed(table, "Traitor Strategist Diplomat5", "ERE", "1e8 2e10", hands="3 4 5")
    assert [effect for effect in effects if "drawn" in effect] == ["1 cards.drawn 1", "2 cards.drawn 1"]


def test_25_posts_and_estates_at_the_other_house_bring_nothing_and_the_farmer_none_for_estates(table):
    _, effects = revealed(table, "Farmer Strategist Diplomat5", "ERE", "1e1 2p2 3e8", hands="3 4 5")
    assert [effect for effect in effects if "drawn" in effect] == ["1 cards.drawn 3"]


def test_a31_what_is_built_counts_in_the_same_round(table):
    t, _ = revealed(table, "Builder Strategist Diplomat5", "ERE")
    assert "1 cards.drawn 1" in t.do("estate 1")


def choosing(table, hands="2345 3 4", actions="Farmer Diplomat5 Diplomat2", **more):
    return revealed(table, actions, "ERE", hands=hands, **more)[0]


def test_26_too_many_cards_are_a_choice(table):
    t = choosing(table)
    assert (t.state.due, t.state.to_move()) == ("draw", 0)
    assert t.do("draw -")[:2] == ["1 cards.forgone 2", "1 cards.drawn 1"]
    t = choosing(table)
    assert t.do("-23")[:2] == ["1 cards.discarded 2 3", "1 cards.drawn 3"]


def test_26_only_who_draws_chooses(table):
    assert "no draw waits for player 2: it is player 1 who draws now" in choosing(table).cannot("2: draw -")


def test_26_a_card_that_is_not_held_cannot_be_discarded(table):
    assert "player 1 holds 2 3 4 5, not 8" in choosing(table).cannot("draw -8")


def test_a12_a_player_can_do_both(table):
    assert choosing(table).do("draw -2")[:3] == ["1 cards.discarded 2", "1 cards.forgone 1", "1 cards.drawn 2"]


def test_a13_no_more_than_the_excess_is_discarded(table):
    t = choosing(table)
    assert t.broken("draw -2 3 4") == {"A13": "player 1 can discard 2 before this draw, not 3"}
    assert max(line.count(" ") for line in t.legal()) == 2
    t.force("draw -2 3 4")
    assert len(t.state.hands[0]) == 4


def test_a13_without_excess_nobody_is_asked(table):
    _, effects = revealed(table, "Farmer Diplomat5 Diplomat2", "ERE", hands="23 3 4")
    assert "1 cards.drawn 3" in effects


def test_a14_each_draw_has_its_own_choice(table):
    t, _ = revealed(table, "Diplomat5 Strategist Diplomat2", "ERE", "3e1 3e5", hands="3 4 2345")
    assert t.do("draw -")[-1] == "3 hand.exceeded 1"
    assert "3 cards.drawn 1" in t.do("draw -4")


def test_a15_discards_can_be_drawn_again_at_once(table):
    t = choosing(table)
    t.state.pile, t.state.discards = 1, []
    assert "pile.shuffled 2" in t.do("draw -2 3")


def test_a28_strictly_all_or_nothing(table):
    t = choosing(table, strict_overflow=True)
    assert t.broken("draw -2") == {"A28": "player 1 discards all that is too much, 2 cards, or nothing"}
    assert t.broken("draw -2 3") == {}
    assert t.broken("draw -") == {}
    assert {line.count(" ") - (line != "draw -") for line in t.legal()} == {1}


def test_27_the_start_player_card_goes_to_the_left(table):
    t, effects = revealed(table, "Traitor Diplomat5 Diplomat2 Farmer")
    assert effects[-2] == "2 start.passed"
    assert t.state.order() == (1, 2, 3, 0)
    assert (t.state.actions, t.state.choices, t.state.laid) == ([], [None] * 4, [None] * 4)


@pytest.mark.parametrize(("houses", "last"), [("ERE", 9), ("ERER", 8)])
def test_28_the_game_ends_after_the_last_round(table, houses, last):
    for number, over in ((last - 1, False), (last, True)):
        t = table(houses, hands=" ".join(["3"] * len(houses)))
        t.state.round = number
        t.do("3-4", *["lay -"] * len(houses))
        t.do("reveal " + " ".join(["Diplomat5", "Farmer", "Diplomat2", "Strategist"][: len(houses)]))
        assert (t.state.outcome() is not None) == over


def almost(table, number):
    t = table("ERE", hands="3 4 5")
    t.state.owners = ["Eagle"] * 12
    t.state.owners[3] = HOUSES[1]
    t.state.round = number
    t.do("3-4", "lay -", "lay -", "lay -")
    return t, t.do("reveal Farmer Strategist Diplomat2")


def test_29_all_lands_in_one_house_end_the_game_after_the_draws(table):
    t, effects = almost(table, 4)
    assert effects.index("1 cards.drawn 3") < effects.index("game.ended")
    assert not any("start.passed" in effect for effect in effects)
    outcome = t.state.outcome()
    assert (outcome.reason, outcome.rule) == ("one_house", "verraeter:29")


def test_a30_in_the_last_round_all_lands_in_one_house_are_the_reason(table):
    t, _ = almost(table, 9)
    assert t.state.outcome().reason == "one_house"


def test_29_the_round_goes_on_while_somebody_chooses(table):
    t = table("ERE", hands="2345 4 5")
    t.state.owners = ["Eagle"] * 12
    t.state.owners[3] = HOUSES[1]
    t.do("3-4", "lay -", "lay -", "lay -", "reveal Farmer Strategist Diplomat2")
    assert t.state.outcome() is None
    t.do("draw -")
    assert t.state.outcome()


@cases(
    ("cards", "hands", "bonus"),
    [
        ("1p1 1p2", "22345 3 3", 6),
        ("1p1 1p2", "22 3 3", 4),
        ("1p1 1e2", "2234 3 3", 3),
        ("1e1 1e2 1e3", "22345 3 3", 0),
    ],
)
def test_30_posts_times_cards_in_hand(table, cards, hands, bonus):
    t = table("ERE", cards, hands=hands)
    t.state.owners = ["Rose"] * 12
    t.state.owners[3] = "Eagle"
    t.state.round = 9
    t.do("3-4", "lay -", "lay -", "lay -", "reveal Diplomat2 Diplomat5 Farmer")
    while t.state.due == "draw":
        t.do("draw -")
    lines = [line.points for line in t.state.scores() if line.rule == "verraeter:30"]
    drawn = min(len(hands.split()[0]) + 1, 5)
    assert lines[0] == cards.count("p") * min(drawn, 3)
    assert lines[0] >= bonus


def test_30_a_third_trading_post_counts_nothing(table):
    t = table("ERE", "1p5 1p6", hands="345 34 34")
    t.do("3-4", "lay -", "lay -", "lay -", "reveal Builder Diplomat5 Strategist")
    assert set(t.broken("post 7")) == {"21"}
    t.state.owners = ["Rose"] * 12
    t.force("post 7")
    line = next(line for line in t.state.scores() if line.rule == "verraeter:30")
    assert (line.seat, line.points) == (0, 6)
    assert line.note == "3 trading posts, 3 cards in hand; only 2 trading posts count"


def test_31_most_points_win_and_equal_ones_share_a_rank(table):
    t = laid_to_the_end(table, [5, 9, 5])
    outcome = t.state.outcome()
    assert (outcome.ranks, outcome.winners) == ((2, 1, 2), (1,))


def test_a21_who_have_equally_many_share_the_victory(table):
    t = laid_to_the_end(table, [9, 5, 9])
    outcome = t.state.outcome()
    assert (outcome.ranks, outcome.winners) == ((1, 3, 1), (0, 2))


def laid_to_the_end(table, points):
    t = table("EEE", hands="3 3 3")
    t.state.round = 9
    t.state.lines = [ScoreLine(seat, count, "round-1", "verraeter:16", 1) for seat, count in enumerate(points)]
    t.do("1-2", "lay -", "lay -", "lay -", "reveal Diplomat2 Farmer Builder", "skip")
    return t


def test_after_the_end_cards_move_and_the_result_stays(table):
    t = laid_to_the_end(table, [9, 5, 9])
    before, outcome = t.scores(), t.state.outcome()
    seat = next(seat for seat, hand in enumerate(t.state.hands) if len(hand))
    held = len(t.state.hands[seat])
    lay = f"{seat + 1}: lay {t.state.possible_cards(seat, 1)[-1][0]}"
    assert t.broken(lay) == {"28": "the game is over"}
    t.force(lay)
    assert len(t.state.hands[seat]) == held - 1
    assert (t.scores(), t.state.outcome()) == (before, outcome)
    assert "the game is over" in t.cannot("1: choose Farmer")
