"""RULING: what a referee can change, within which limits, and what follows from it."""

from __future__ import annotations

import pytest

from games.catan_cards.adjustments import MoveCard
from games.contract import PUBLIC, Viewpoint
from tests.cases import cases
from tests.games.catan_cards.conftest import CRESTS


def test_ruling_points_count_like_all_others_and_can_win(table):
    t = table(target=5)
    assert t.rule("points seat=Player1 points=3")[-1] == "1 game.won 5"
    assert t.state.scores()[-1].category == "ruling"


def test_ruling_no_points_are_a_line_all_the_same(table):
    t = table()
    t.rule("points seat=Player1 points=0")
    assert t.state.scores()[-1].points == 0


def test_ruling_a_turn_begins_before_its_roll_and_drops_what_was_pending(table):
    t = table()
    t.state.phase, t.state.production = "roll", 0
    t.do("roll plenty 6")
    assert t.rule("turn seat=Player1") == ["1 turn.ruled", "1 turn.begun 1"]
    t.do("roll trade 6")
    assert t.rule("turn seat=Player2")[1] == "2 turn.begun 1"


def test_ruling_a_turn_waits_for_the_regions_of_a_settlement(table):
    t = table()
    t.state.principalities[0].roads.append("o")
    t.do("settlement right")
    assert "the regions of the new settlement are laid first" in t.cannot_rule("turn seat=Player2")


def test_ruling_who_resigns_loses_and_adjudging_comes_after(table):
    t = table()
    t.rule("resign seat=Player1")
    assert t.state.outcome().winners == (1,)
    assert t.legal() == []
    assert "the game is over" in t.cannot_rule("resign seat=Player2")
    t.rule("adjudge ranks=1,1")
    assert t.state.outcome().reason == "adjudicated"


def test_ruling_a_switch_takes_effect_at_once(table):
    t = table("1lu1 Ore Fleet, 2lu1 Wool Fleet", cities="1l 2l")
    t.state.tokens[1] = 0
    t.state.points[0] += 1
    assert t.rule("option name=windmill_tie value=return")[-1] == "1 token.lost windmill token"
    t.rule("option name=windmill_tie value=profile")
    assert t.state.options.windmill_tie == "keep"
    assert t.rule("option name=target value=3") == ["option.switched target = 3"]
    assert "cannot be switched" in t.cannot_rule("option name=profile value=2005")


def test_ruling_a_stock_and_a_region(table):
    t = table()
    t.rule("stock at=1ku stock=3")
    assert t.stocks(1, "ku") == [3]
    t.rule("region at=1ku resource=gold number=3")
    assert str(t.state.region_at("1ku")) == "gold 3"
    assert "no region lies at 1qu" in t.cannot_rule("stock at=1qu stock=3")


def test_ruling_a_token_stays_until_its_sums_change(table):
    t = table("2lu1 Otto the Berserker", hands=("Siegfried Lackland, ??", "???"))
    t.rule("token token=knight seat=Player1")
    t.settle()
    assert t.tokens()[0] == 1
    assert t.do("build Siegfried lu")[-1] == "2 token.gained knight token"
    t.rule("token token=knight")
    assert t.tokens()[0] is None


def test_ruling_a_card_between_a_hand_and_a_stack_stays_a_secret(table):
    t = table(hands=("Abbey, ??", "???"))
    before = t.state.stacks[1].size
    assert t.rule("card from=hand-1 to=stack-2 card=Abbey") == ["card.moved a card hand-1 → stack-2"]
    assert (t.state.stacks[1].size, t.hand(1)) == (before + 1, "? ?")
    ruled = MoveCard(source="hand-1", to="stack-2", card="Abbey")
    assert ruled.seen(PUBLIC).card is None
    assert ruled.seen(Viewpoint("seat", 0)) == ruled
    assert t.state.view(PUBLIC).stacks[1].known_cards() == []


def test_ruling_a_card_between_the_hands_is_seen_and_cards_are_conserved(table, check):
    t = table(hands=("Abbey, ??", "??"))
    total = sum(map(len, t.state.hands)) + sum(stack.size for stack in t.state.stacks)
    t.rule("card from=hand-1 to=hand-2 card=Abbey")
    assert t.state.hands[1].open == ["Abbey"]
    t.rule("card from=hand-2 to=hand-1")
    assert t.hand(1) == "? ? ?"
    t.rule("card from=hand-1 to=spent card=Scout")
    assert sum(map(len, t.state.hands)) + sum(stack.size for stack in t.state.stacks) + 1 == total


@cases(
    ("text", "why"),
    [
        ("card from=hand-1 to=hand-1", "lies in hand-1 already"),
        ("card from=spent to=hand-1", "say which one"),
        ("card from=spent to=hand-1 card=Abbey", "was not used up"),
        ("card from=stack-1 to=stack-2 card=Abbey", "goes unseen"),
        ("card from=hand-2 to=stack-2 card=Abbey", "holds Scout, not Abbey"),
        ("expansion at=1pu1 pile=spent card=Abbey", "no site of player 1"),
        ("expansion at=1lu1 pile=hand-1 card=Abbey", "lies at 1lu1"),
        ("expansion at=1ld1 pile=hand-1", "say which expansion"),
        ("expansion at=1ld1 pile=hand-1 card=Spy", "say which expansion"),
    ],
)
def test_ruling_what_cannot_be(table, text, why):
    assert why in table("1lu1 Smithy", hands=("???", "Scout")).cannot_rule(text)


def test_ruling_a_line_grows_and_shrinks_with_its_points_and_regions(table, check):
    t = table()
    assert t.rule("line seat=Player2 at=o card=road") == ["2 line.ruled nothing → road in column o"]
    t.rule("line seat=Player2 at=p card=city")
    assert t.state.to_move() == 1
    t.do("2: regions grain3 ore4")
    assert t.scores() == [2, 4]
    assert t.state.supply == {"road": 6, "settlement": 4, "city": 6}
    check(t.state)
    t.rule("line seat=Player2 at=p card=settlement")
    t.rule("line seat=Player2 at=p")
    t.rule("line seat=Player2 at=o")
    assert t.scores() == [2, 2]
    assert t.state.supply == {"road": 7, "settlement": 5, "city": 7}
    assert t.state.lands == t.state.box.lands()[1:2] + t.state.box.lands()[3:] + t.state.box.lands()[:3:2]
    check(t.state)


def test_ruling_a_city_brings_the_windmill_token_and_wins(table):
    t = table("1lu1 Ore Fleet", target=4)
    assert t.rule("line seat=Player1 at=l card=city")[1:] == ["1 token.gained windmill token", "1 game.won 4"]
    assert t.state.scores()[-2].rule == "catan_cards:RULING"
    t.rule("line seat=Player1 at=k card=road")
    assert "the game is over" in t.cannot_rule("line seat=Player1 at=j card=city")


@cases(
    ("text", "why"),
    [
        ("line seat=Player1 at=q card=road", "the line goes on in column o, not q"),
        ("line seat=Player1 at=o card=settlement", "no settlement lies in column o"),
        ("line seat=Player1 at=m", "only the last card of a line goes"),
        ("line seat=Player2 at=o", "only the last card of a line goes"),
        ("line seat=Player1 at=q", "in column q lies nothing"),
        ("line seat=Player1 at=n", "only the last card of a line goes"),
        ("line seat=Player1 at=m card=city", "in column m lies road"),
        ("line seat=Player1 at=l card=city", "in column l lies city"),
        ("line seat=Player1 at=l card=settlement", "Church at 1lu1 is for a city"),
        ("line seat=Player2 at=n card=city", "no city is left"),
        ("line seat=Player2 at=p", "Abbey lies at 2pd1: move it first"),
    ],
)
def test_ruling_what_no_line_can_be(table, text, why):
    t = table("1lu1 Church, 2pd1 Abbey", cities="1l", components={"supply": {"city": {"count": 0}}})
    t.state.principalities[1].roads.append("o")
    t.state.principalities[1].line["p"] = "settlement"
    assert why in t.cannot_rule(text)


def test_ruling_an_expansion_comes_and_goes_with_its_points(table):
    t = table(cities="1l", hands=("Church, ??", "???"))
    t.rule("expansion at=1lu1 pile=hand-1 card=Church")
    assert t.scores() == [3, 2]
    t.rule("expansion at=1lu1 pile=hand-2")
    assert t.scores() == [2, 2]
    assert t.state.hands[1].open == ["Church"]


def test_ruling_before_the_cards_are_picked_there_is_nothing_to_change(new):
    t = new()
    t.do("start 1", *CRESTS, "pick 1 ? ? ?")
    for text in (
        "turn seat=Player1",
        "stock at=1ku stock=3",
        "token token=knight seat=Player1",
        "card from=hand-1 to=stack-2",
        "expansion at=1lu1 pile=stack-1 card=Abbey",
    ):
        assert "the first cards have not been picked yet" in t.cannot_rule(text)


@pytest.mark.parametrize("to", ["hand-2", "stack-1"])
def test_ruling_no_card_goes_from_an_empty_hand_and_any_from_one_that_is_known_whole(table, to):
    """In either case: afterwards it is unknown which one stays."""
    t = table(hands=("", "Abbey"))
    text = "player 1 has no card in hand: see entry 4 (catan_cards:RULING)"
    assert t.cannot_rule(f"card from=hand-1 to={to}") == text
    t = table(hands=("Abbey, Spy", "Scout"))
    t.rule(f"card from=hand-1 to={to}")
    assert t.hand(1) == "?"
