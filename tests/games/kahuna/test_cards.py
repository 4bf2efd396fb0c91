"""CARD: what is known of cards."""

from __future__ import annotations

import msgspec
import pytest

from games.contract import PUBLIC, Viewpoint
from games.errors import ImpossibleError
from games.kahuna import KAHUNA
from games.kahuna.moves import Row
from games.kahuna.state import KahunaState
from tests.cases import cases


def test_card_1_a_third_card_of_an_island_cannot_be_played(table):
    t = table(hands=("? ?", "BARI"), row="BARI COCO DUDA")
    assert t.cannot("BARI-DUDA") == "of BARI the box has 2 cards, and 2 are known to lie elsewhere (kahuna:CARD-1)"


def test_card_1_counts_what_was_played_and_what_was_put_away(table):
    t = table(hands=("BARI BARI ?", "? ? ?"), row="COCO DUDA ELAI")
    t.do("BARI-DUDA", "d BARI")
    assert "CARD-1" in t.cannot("BARI-ALOA")


@cases("line", ["+?BARI", "+COCO/BARI", "show BARI", "d BARI", "x BARI-COCO (BARI COCO)"])
def test_card_1_holds_for_every_way_a_card_becomes_known(table, line):
    t = table(hands=("? ? ?", "BARI BARI"), row="COCO DUDA ELAI", white="BARI-COCO")
    assert "CARD-1" in t.cannot(line)


def test_card_1_a_pair_needs_both_cards_of_its_island(table):
    t = table(hands=("HUNA ?", "HUNA"), white="ELAI-HUNA", row="COCO DUDA ELAI")
    assert "CARD-1" in t.cannot("x HUNA-ELAI (HUNA HUNA)")
    assert t.do("x HUNA-ELAI (HUNA ELAI)")


def test_card_1_a_deal_cannot_hold_three_of_an_island(table):
    state = KAHUNA.open({}, None, 2)
    t = table()
    t.state = state
    assert "CARD-1" in t.cannot("deal black BARI BARI COCO / BARI ? ? / ? ? ?")


def test_card_1_shuffled_cards_can_come_again(table):
    t = table(hands=("?", "BARI"), row="COCO", deck=0, played=["DUDA", "DUDA"])
    t.do("+COCO", "row DUDA DUDA BARI")
    assert "CARD-1" in t.cannot("+DUDA/BARI")


def test_card_2_a_known_hand_gives_no_other_card(table):
    t = table(hands=("BARI COCO", "?"))
    assert t.cannot("DUDA-ALOA") == "black holds BARI COCO, not DUDA (kahuna:CARD-2)"


def test_card_2_an_empty_hand_gives_no_card(table):
    t = table(hands=("", "?"))
    assert t.cannot("DUDA-ALOA") == "black has no card, and so not DUDA (kahuna:CARD-2)"


def test_card_2_an_unknown_card_becomes_known_when_it_is_played(table):
    t = table(hands=("BARI ? ?", "?"))
    t.do("DUDA-ALOA")
    assert t.hand(0) == "BARI ?"
    assert t.state.played == ["DUDA"]


def test_card_2_a_card_of_the_row_that_was_not_noted_becomes_known_when_it_is_taken(table):
    t = table(row="? COCO DUDA")
    t.do("+BARI/ELAI")
    assert t.state.row == ["ELAI", "COCO", "DUDA"]
    assert t.hand(0) == "BARI ? ? ?"


def test_card_2_a_card_of_the_row_may_stay_unknown(table):
    t = table(row="? COCO DUDA")
    t.do("+/")
    assert t.state.row == [None, "COCO", "DUDA"]
    assert t.hand(0) == "? ? ? ?"


def test_card_2_a_row_that_is_known_gives_no_card_without_a_name(table):
    t = table(row="BARI COCO DUDA")
    assert t.cannot("+/") == "say which card was taken from the row: BARI, COCO, DUDA (kahuna:CARD-2)"


def test_card_2_the_row_can_be_looked_at_again(table):
    t = table(row="? COCO ?", deck=4)
    assert t.do("row COCO DUDA BARI") == ["row.laid COCO DUDA BARI"]
    assert t.state.row == ["COCO", "DUDA", "BARI"]
    assert t.state.deck == 4


def test_card_2_the_row_does_not_lose_a_card_by_being_looked_at(table):
    t = table(row="BARI COCO ?")
    assert t.cannot("row BARI DUDA ELAI") == "COCO is known to lie in the row (kahuna:CARD-2)"


def test_card_2_the_row_has_as_many_cards_as_lie_there(table):
    state = table(row="BARI COCO ?").state
    with pytest.raises(ImpossibleError, match="the row has 3 cards, not 2"):
        state.apply(Row(cards=("BARI", "COCO")))


def test_card_2_unseen_discards_leave_a_hand_unknown(table):
    t = table(hands=("BARI COCO DUDA", "?"))
    t.do("d2")
    assert t.hand(0) == "?"
    assert t.state.buried[0].unknown == 2


def test_card_2_of_two_alike_one_stays_when_one_card_goes(table):
    t = table(hands=("BARI BARI COCO", "?"))
    t.do("d1")
    assert t.hand(0) == "BARI ?"


def test_card_2_a_whole_known_hand_that_is_put_away_stays_known(table):
    t = table(hands=("BARI COCO", "?"))
    t.do("d2")
    assert t.state.buried[0].known == ["BARI", "COCO"]


def test_card_2_a_card_taken_from_the_row_is_known_to_everybody_until_it_is_played(table):
    t = table(hands=("ALOA ?", "?"), row="BARI COCO DUDA")
    t.do("+BARI/ELAI", "-")
    seen = t.state.view(PUBLIC)
    assert (seen.hands[0].known, seen.hands[0].unknown) == (["BARI"], 2)
    t.do("BARI-DUDA")
    assert t.state.view(PUBLIC).hands[0].known == []


@pytest.mark.parametrize("viewpoint", [PUBLIC, Viewpoint("seat", 1)], ids=["public", "white"])
def test_states_that_differ_in_hidden_cards_alone_look_the_same(table, viewpoint):
    one = table(hands=("ALOA BARI", "?"), row="COCO DUDA ELAI", must_draw=True)
    two = table(hands=("LALE ?", "?"), row="COCO DUDA ELAI", must_draw=True)
    for t, card in ((one, "IFFI"), (two, "KAHU")):
        t.state.buried[0].known, t.state.buried[0].unknown = [card], 0
        t.state.deck -= 1
    looks = [t.state.view(viewpoint) for t in (one, two)]
    assert looks[0] == looks[1]
    for ask in (KahunaState.describe, KahunaState.dump, KahunaState.picture, lambda state: list(state.legal_moves())):
        assert ask(looks[0]) == ask(looks[1])
    assert "IFFI" not in msgspec.json.encode(looks[0].dump()).decode()


def test_black_sees_black_s_own_cards_and_not_white_s(table):
    t = table(hands=("ALOA BARI", "COCO ?"))
    view = t.state.view(Viewpoint("seat", 0))
    assert [hand.known for hand in view.hands] == [["ALOA", "BARI"], []]
    assert [len(hand) for hand in view.hands] == [2, 2]


def shuffled(table, hands=("? ?", "? ?"), played=("BARI", "BARI", "COCO")):
    """A table at which the cards of round 1, with these open among them, have just been shuffled."""
    t = table(black="ALOA-BARI", white="ELAI-HUNA", hands=hands, played=list(played), row="?", deck=0, active=1)
    t.state.buried[0].unknown -= len(played)
    t.force("white: +/")
    t.do("row ? ? ?")
    return t


def test_card_2_what_lay_open_is_in_no_hand_that_has_drawn_nothing_since(table, check):
    t = shuffled(table)
    check(t.state)
    assert {"CARD-2"} == set(t.broken("BARI-DUDA")) == set(t.broken("show BARI")) == set(t.broken("d BARI"))
    assert set(t.broken("x ELAI-HUNA (BARI BARI)")) == {"REM-1", "CARD-2"}
    assert t.broken("COCO-BARI") == {}  # one of the two lay open
    assert set(t.broken("show COCO COCO")) == {"CARD-2"}
    assert not any(line.startswith("BARI-") for line in t.legal())
    t.force("BARI-DUDA")
    check(t.state)


def test_card_2_a_hand_that_has_drawn_since_can_hold_one_of_what_lay_open(table):
    t = shuffled(table)
    t.do("+", "-")
    assert t.broken("BARI-DUDA") == {}
    assert set(t.broken("show BARI BARI")) == {"CARD-2"}
    t.do("BARI-DUDA")
    assert set(t.broken("BARI-COCO")) == {"CARD-2"}


def test_card_2_what_may_have_been_put_away_unseen_can_be_in_any_hand(table):
    t = shuffled(table, hands=("? ?", "? ?"), played=())
    assert t.broken("BARI-DUDA") == {}


def test_card_2_what_is_known_of_a_shuffle_is_the_same_from_every_viewpoint(table):
    t = shuffled(table)
    for line in ("+?BARI", "d1", "+", "d BARI ?"):
        t.do(line)
        for viewpoint in (PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1)):
            assert t.state.view(viewpoint).shuffled == t.state.shuffled
    assert KAHUNA.state.load(t.state.dump()) == t.state
    t.rule("card from=deck to=black")
    assert t.state.shuffled is None
