"""DRAW: the end of a turn."""

from __future__ import annotations

from tests.cases import cases


def test_draw_1_a_card_of_the_row_is_replaced_at_once(table):
    t = table(row="BARI COCO DUDA", deck=10)
    assert t.do("+COCO/ELAI")[0] == "black card.taken COCO"
    assert t.state.row == ["BARI", "ELAI", "DUDA"]
    assert t.state.deck == 9
    assert t.hand(0) == "COCO ? ? ?"


def test_draw_1_the_refill_may_be_missed(table):
    t = table(row="BARI COCO DUDA", deck=10)
    t.do("+COCO")
    assert t.state.row == ["BARI", None, "DUDA"]
    assert t.state.deck == 9


def test_draw_1_the_top_of_the_deck_is_drawn_unseen(table):
    t = table(row="BARI COCO DUDA", deck=10)
    assert t.do("+")[0] == "black card.drawn"
    assert t.hand(0) == "? ? ? ?"


def test_draw_1_only_what_lies_in_the_row_is_taken(table):
    t = table(row="BARI COCO DUDA")
    assert "the row has no ELAI: its cards are BARI, COCO, DUDA" in t.cannot("+ELAI")
    assert "no card lies in the row" in table().cannot("+ELAI")


@cases("line", ["+", "+BARI", "+?LALE"])
def test_draw_2_nothing_is_drawn_with_five_cards_in_hand(table, line):
    t = table(hands=("? ? ? ? ?", "?"), row="BARI COCO DUDA")
    assert t.broken(line) == {"DRAW-2": "black has 5 cards in hand and cannot draw"}
    assert not any(move.startswith("+") for move in t.legal())


def test_draw_3_declining_forces_the_opponent_to_draw(table):
    t = table()
    assert "white draw.forced" in t.do("-")
    assert t.broken("-") == {"DRAW-3": "white must draw: black declined in the turn before"}
    assert "-" not in t.legal()


def test_draw_3_after_a_draw_the_next_may_decline_again(table):
    t = table()
    t.do("-", "+", "-")
    assert t.state.to_move() == 1


def test_draw_3_with_a_full_hand_a_forced_player_must_play_or_discard_first(table):
    t = table(hands=("? ? ? ? ?", "?"), must_draw=True)
    assert set(t.broken("-")) == {"DRAW-3"}
    assert set(t.broken("+")) == {"DRAW-2"}
    t.do("d1", "+")


def test_draw_4_the_row_is_not_refilled_from_an_empty_deck(table):
    t = table(row="BARI COCO DUDA", deck=0)
    assert "the deck is empty, so that no card can refill the row (kahuna:DRAW-4)" in t.cannot("+COCO/ELAI")
    t.do("+COCO")
    assert t.state.row == ["BARI", "DUDA"]


def test_draw_4_nothing_is_drawn_from_an_empty_deck(table):
    t = table(row="BARI", deck=0)
    assert t.cannot("+") == "the deck is empty (kahuna:DRAW-4)"
    assert "+" not in t.legal()


@cases("line", ["+", "+BARI", "-"])
def test_draw_5_drawing_or_declining_ends_the_turn(table, line):
    t = table(row="BARI COCO DUDA")
    assert "white turn.passed" in t.do(line)


def test_draw_5_ending_a_turn_with_a_full_hand_is_declining_too(table):
    t = table(hands=("? ? ? ? ?", "?"))
    assert "white draw.forced" in t.do("-")
