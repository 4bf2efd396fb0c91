"""SET and PLAY: the deal, the order of turns, playing and discarding."""

from __future__ import annotations

import pytest

from games.errors import ImpossibleError
from games.kahuna import KAHUNA
from games.kahuna.components import LINES
from tests.cases import cases


def test_set_1_three_cards_each_three_in_the_row_fifteen_in_the_deck(new):
    assert new.do("deal white BARI COCO DUDA / ALOA ? ? / ? ? ?") == ["white cards.dealt 15"]
    assert (new.hand(0), new.hand(1)) == ("ALOA ? ?", "? ? ?")
    assert new.state.row == ["BARI", "COCO", "DUDA"]
    assert new.state.deck == 15


def test_set_1_nothing_happens_before_the_deal(new):
    assert new.state.to_move() is None
    for line in ("black: BARI-DUDA", "black: +", "white: -", "white: show BARI", "white: d1"):
        assert "the cards have not been dealt yet (kahuna:SET-1)" in new.cannot(line)


def test_set_1_cards_are_dealt_once(new):
    new.do("deal black")
    assert "the cards have been dealt already (kahuna:SET-1)" in new.cannot("deal white")


def test_set_2_who_starts_is_on_turn_and_turns_alternate(new):
    new.do("deal white")
    assert new.state.to_move() == 1
    new.do("+")
    assert new.state.to_move() == 0
    new.do("-")
    assert new.state.to_move() == 1


@cases("line", ["white: BARI-DUDA", "white: +", "white: -", "white: d1", "white: +BARI"])
def test_set_2_a_move_out_of_turn_is_refused(table, line):
    assert table(row="BARI COCO DUDA").broken(line) == {"SET-2": "it is black's turn, not white's"}


def test_play_1_a_turn_without_a_card_is_legal(table):
    assert table().do("-")


def test_play_1_five_cards_can_be_played_and_not_six(table):
    t = table(hands=("? ? ? ? ? ?", "?"), white="HUNA-IFFI")
    t.do("BARI-DUDA", "COCO-BARI", "GOLA-COCO", "x HUNA-IFFI (HUNA IFFI)")
    assert t.broken("KAHU-LALE") == {"PLAY-1": "black would play 6 cards in one turn"}
    assert not any("LALE" in line for line in t.legal())


def test_play_1_a_pair_counts_as_two(table):
    t = table(hands=("? ? ? ? ? ?", "?"), white="HUNA-IFFI", plays=4)
    assert "PLAY-1" in t.broken("x HUNA-IFFI (HUNA IFFI)")
    assert not any(line.startswith("x") for line in t.legal())


def test_play_2_the_card_must_touch_the_line(table):
    assert table().broken("BARI-DUDA (COCO)") == {"PLAY-2": "COCO is at neither end of BARI-DUDA"}


def test_play_2_either_end_will_do(table):
    for line in ("BARI-DUDA", "DUDA-BARI"):
        t = table()
        assert t.do(line)[1] == "black bridge.built BARI-DUDA"


def test_play_2_an_island_that_the_opponent_holds_can_be_built_on(table):
    t = table(white="ALOA-BARI ALOA-DUDA")
    assert t.holder("ALOA") == "white"
    assert t.do("ALOA-HUNA")
    assert t.holder("ALOA") == "white"


@pytest.mark.parametrize("line", ["BARI-DUDA", "DUDA-BARI"])
def test_play_2_a_line_takes_one_bridge(table, line):
    assert "a bridge lies on BARI-DUDA already" in table(white="BARI-DUDA").cannot(line)
    assert "a bridge lies on BARI-DUDA already" in table(black="BARI-DUDA").cannot(line)


def test_play_3_played_cards_lie_open(table):
    t = table(white="HUNA-IFFI")
    t.do("BARI-DUDA")
    assert t.do("x HUNA-IFFI (HUNA IFFI)")[0] == "black cards.played HUNA IFFI"
    assert t.state.played == ["BARI", "HUNA", "IFFI"]


def test_play_4_cards_can_be_discarded_before_between_and_after_plays(table):
    t = table(hands=("? ? ? ? ?", "?"), must_draw=True)
    assert t.do("d1") == ["black cards.discarded 1"]
    t.do("BARI-DUDA", "d COCO", "LALE-KAHU", "d1", "+")
    assert len(t.state.buried[0]) == 3


def test_play_4_no_more_than_are_held(table):
    t = table(hands=("BARI ?", "?"))
    assert t.cannot("d3") == "black has 2 cards, not 3 (kahuna:PLAY-4)"
    assert "black holds BARI ?, not COCO DUDA" in t.cannot("d COCO DUDA")


def test_play_4_cards_are_not_named_beyond_the_count(table):
    t = table()
    move = KAHUNA.read_move({"type": "discard", "seat": 0, "count": 1, "cards": ["BARI", "COCO"]})
    with pytest.raises(ImpossibleError, match="2 cards are named, and 1 discarded"):
        t.state.apply(move)


def test_play_5_without_a_bridge_in_supply_none_is_built(table):
    t = table(black=" ".join(LINES[:25]))
    assert t.cannot("KAHU-LALE") == "black has no bridge left (kahuna:PLAY-5)"
    assert not any("-" in line and line != "-" for line in t.legal())
