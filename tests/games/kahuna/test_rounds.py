"""ROUND, WIN and LOSS: rounds, points and the end of the game."""

from __future__ import annotations

import pytest

from games.contract import Outcome, ScoreLine
from tests.cases import cases

ALOA = "ALOA-BARI ALOA-DUDA"
LALE = "HUNA-LALE IFFI-LALE"
LAST = {"row": "COCO", "deck": 0}
LAST_TURN = {"round": 3, "deck": 0, "last_turns": [0]}


def lines(*points: tuple[int, int]) -> list[ScoreLine]:
    return [
        ScoreLine(seat, scored, f"round-{number}", "kahuna:ROUND-2", 9)
        for number, round_ in enumerate(points, 1)
        for seat, scored in enumerate(round_)
    ]


def test_round_1_ends_with_the_last_card_of_deck_and_row(table):
    t = table(row="COCO DUDA", deck=0)
    assert "cards.exhausted" not in " ".join(t.do("+COCO"))
    assert "cards.exhausted 1" in t.do("+DUDA")


@pytest.mark.parametrize(("number", "points"), [(1, 1), (2, 2)])
def test_round_2_points_go_to_who_holds_more_islands(table, number, points):
    t = table(black=ALOA + " HUNA-LALE IFFI-LALE", white="COCO-GOLA", round=number, **LAST)
    assert f"black round.scored round {number} {points}" in t.do("+COCO")
    assert t.state.scores() == [
        ScoreLine(0, points, f"round-{number}", "kahuna:ROUND-2", 1, "black 2 islands (ALOA, LALE), white 0 islands"),
        ScoreLine(1, 0, f"round-{number}", "kahuna:ROUND-2", 1, "black 2 islands (ALOA, LALE), white 0 islands"),
    ]


def test_round_2_a_tie_scores_nothing(table):
    t = table(black=ALOA, white=LALE, **LAST)
    assert "round.tied round 1" in t.do("+COCO")
    assert t.state.totals() == [0, 0]
    assert t.state.scores()[0].note == "black 1 island (ALOA), white 1 island (LALE)"


def test_round_3_what_is_not_in_hands_is_shuffled_and_the_other_player_goes_on(table):
    t = table(black=ALOA, hands=("BARI ?", "? ? ?"), played=["LALE"] * 2, **LAST)
    assert t.do("+COCO")[-1] == "cards.shuffled 18"
    assert t.state.to_move() is None
    assert t.state.played == []
    assert t.do("row LALE ? DUDA") == ["row.laid LALE ? DUDA"]
    assert t.state.to_move() == 1
    assert (t.state.round, t.state.deck) == (2, 15)
    assert t.hand(0) == "BARI COCO ?"
    assert t.holder("ALOA") == "black"


def test_round_3_nobody_moves_before_the_new_row_lies_there(table):
    t = table(**LAST)
    t.do("+COCO")
    assert t.broken("white: BARI-DUDA") == {"ROUND-3": "round 2 begins when the new row is laid out"}
    assert t.legal() == ["row ? ? ?"]


def test_round_3_the_one_who_goes_on_is_not_forced_to_draw(table):
    t = table(**LAST)
    t.do("+COCO", "row ? ? ?", "-")


def test_round_4_each_has_one_more_turn_first_the_opponent_of_who_drew_last(table):
    t = table(black=ALOA, round=3, **LAST)
    assert t.do("+COCO")[-1] == "white turns.numbered 2"
    assert t.state.outcome() is None
    assert "black turn.passed" in t.do("KAHU-LALE", "-")
    assert t.state.outcome() is None
    assert "black round.scored round 3 1" in t.do("-")
    assert t.state.outcome()


def test_round_4_nobody_draws_in_the_last_turns(table):
    t = table(round=3, black=ALOA, white=LALE, **LAST)
    t.do("+COCO")
    assert "the deck is empty" in t.cannot("+")
    assert "no card lies in the row" in t.cannot("+BARI")
    t.do("-", "-")


def test_round_4_the_difference_is_scored(table):
    t = table(black=ALOA + " HUNA-LALE IFFI-LALE", white="COCO-GOLA COCO-KAHU COCO-FAAA", **LAST_TURN)
    t.do("-")
    assert [line.points for line in t.state.scores()] == [1, 0]
    assert {line.rule for line in t.state.scores()} == {"kahuna:ROUND-4"}


def test_win_1_most_points(table):
    t = table(black=ALOA, white="KAHU-LALE", lines=lines((0, 0), (0, 2)), **LAST_TURN)
    assert t.do("-")[-1] == "white game.won points"
    assert t.state.outcome() == Outcome((2, 1), (1,), "points", "kahuna:WIN-1")


def test_win_2_a_tie_goes_to_who_scored_in_round_3(table):
    t = table(black=ALOA, white="KAHU-LALE", lines=lines((0, 1), (0, 0)), **LAST_TURN)
    t.do("-")
    assert t.state.outcome() == Outcome((1, 2), (0,), "third_round", "kahuna:WIN-2")


def test_win_3_then_to_who_has_more_bridges(table):
    t = table(black=ALOA, white=LALE + " COCO-GOLA", **LAST_TURN)
    t.do("-")
    assert t.state.outcome() == Outcome((2, 1), (1,), "bridges", "kahuna:WIN-3")


def test_win_4_else_it_is_a_draw(table):
    t = table(black=ALOA, white=LALE, **LAST_TURN)
    assert t.do("-")[-1] == "game.drawn"
    assert t.state.outcome() == Outcome((1, 1), (0, 1), "draw", "kahuna:WIN-4")


@pytest.mark.parametrize("number", [2, 3])
def test_loss_1_a_player_without_bridges_loses_at_once(table, number):
    t = table(black="BARI-DUDA DUDA-HUNA", white="ALOA-DUDA", round=number)
    assert t.do("DUDA-ELAI")[-1] == "black game.won last_bridge"
    assert t.state.outcome() == Outcome((1, 2), (0,), "last_bridge", "kahuna:LOSS-1")
    assert t.state.scores() == []
    assert t.legal() == []


def test_loss_1_does_not_hold_in_round_1(table):
    t = table(white="ELAI-HUNA", round=1)
    t.do("x ELAI-HUNA (HUNA HUNA)")
    assert t.state.outcome() is None


def test_loss_1_the_opponent_loses_even_if_the_mover_has_no_bridge_either(table):
    t = table(white="ELAI-HUNA", round=2)
    t.do("x ELAI-HUNA (HUNA HUNA)")
    assert t.state.outcome().winners == (0,)


def test_loss_1_holds_in_the_last_turns_too(table):
    t = table(black="BARI-DUDA", white="ELAI-HUNA", lines=lines((0, 1), (0, 2)), **LAST_TURN)
    t.do("x ELAI-HUNA (HUNA HUNA)")
    assert t.state.outcome().reason == "last_bridge"


def test_loss_1_who_has_none_at_the_start_of_a_round_still_has_a_turn(table):
    t = table(white="ELAI-HUNA", round=2)
    assert t.state.outcome() is None
    t.do("BARI-DUDA", "+")
    assert t.state.outcome() is None


@cases("line", ["-", "+", "+BARI"])
def test_loss_2_a_player_without_a_bridge_after_an_own_turn_loses(table, line):
    t = table(white="ELAI-HUNA", round=2, row="BARI COCO DUDA")
    assert t.do(line)[-1] == "white game.won no_bridge"
    assert t.state.outcome() == Outcome((2, 1), (1,), "no_bridge", "kahuna:LOSS-2")


def test_loss_2_does_not_hold_if_the_opponent_has_none_either(table):
    t = table(round=2)
    t.do("-")
    assert t.state.outcome() is None


def test_loss_2_does_not_hold_in_round_1(table):
    t = table(white="ELAI-HUNA")
    t.do("-")
    assert t.state.outcome() is None


def test_loss_2_comes_before_the_end_of_the_round(table):
    t = table(white="ELAI-HUNA", round=2, **LAST)
    t.do("+COCO")
    assert t.state.outcome().reason == "no_bridge"
    assert t.state.scores() == []


def test_the_round_1_card_that_ends_it_costs_nothing_but_the_next_turn_does(table):
    t = table(white="ELAI-HUNA", active=1, **LAST)
    t.do("+COCO", "row ? ? ?")
    assert t.state.outcome() is None
    t.do("+")
    assert t.state.outcome().rule == "kahuna:LOSS-2"


@cases("end", ["last_bridge", "resigned", "adjudicated", "no_bridge", "points"])
def test_a_game_that_is_over_asks_nobody_for_anything(table, end):
    last = {"round": 3, "deck": 0, "last_turns": [0]} if end == "points" else {"round": 2}
    t = table(black="ALOA-BARI ALOA-DUDA", white="ELAI-HUNA", must_draw=True, **last)
    if end == "no_bridge":
        t.state.bridges[0], t.state.stones[0] = 0, 0
    {
        "last_bridge": lambda: t.do("x ELAI-HUNA (HUNA HUNA)"),
        "no_bridge": lambda: t.do("+"),
        "resigned": lambda: t.rule("resign seat=White"),
        "adjudicated": lambda: t.rule("adjudge ranks=1,2"),
        "points": lambda: t.force("-"),
    }[end]()
    assert t.state.outcome().reason == end
    found = t.state.describe()
    assert (found["must_draw"], found["last_turns"], found["due"], found["to_move"]) == (False, [], None, None)


def test_win_3_goes_by_the_bridges_that_lay_there_when_the_game_ended(table):
    t = table(black="ALOA-BARI", white="HUNA-LALE HUNA-IFFI", lines=lines((0, 1)), **LAST_TURN)
    t.do("-")
    t.rule("bridge line=BARI-DUDA seat=Black + bridge line=BARI-COCO seat=Black + bridge line=COCO-KAHU seat=Black")
    t.rule("points seat=Black points=1")
    assert (t.state.outcome().reason, t.state.outcome().winners) == ("bridges", (1,))


def test_round_3_where_every_card_is_in_a_hand_there_is_no_row_to_lay(table, check):
    t = table(white="ELAI-HUNA", hands=(" ".join("?" * 12), " ".join("?" * 11)), row="?", deck=0, active=1)
    t.force("+/")
    assert (t.state.round, t.state.deck, t.state.due) == (2, 0, None)
    check(t.state)
    assert t.legal()
