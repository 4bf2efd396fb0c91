"""REC: what is entered although it broke a rule leaves a sane table, and play goes on from there."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from games.kahuna.components import ISLANDS, LINES
from games.kahuna.moves import Build, Decline, Discard, Draw, KahunaMove, Remove, Row, Show, Take
from tests.cases import cases
from tests.choosing import soak_except

if TYPE_CHECKING:
    from games.kahuna.state import KahunaState


def test_rec_1_who_acts_out_of_turn_is_on_turn_and_the_opponent_follows(table):
    t = table()
    assert t.force("white: BARI-DUDA")[0] == "white turn.taken"
    assert t.state.to_move() == 1
    assert "black turn.passed" in t.do("+")


def test_rec_1_a_card_drawn_out_of_turn_ends_that_turn(table):
    t = table()
    t.force("white: +")
    assert t.state.to_move() == 0


def test_rec_1_a_turn_that_was_cut_short_forces_nobody(table):
    t = table(must_draw=True)
    t.force("white: d1")
    t.do("-")


def test_rec_1_the_plays_of_the_turn_that_was_cut_short_do_not_count(table):
    t = table(plays=5)
    assert set(t.broken("white: BARI-DUDA")) == {"SET-2"}
    t.force("white: BARI-DUDA")
    assert t.state.plays == 1


def test_rec_1_a_last_turn_that_was_cut_short_is_still_to_come(table):
    t = table(black="ALOA-BARI ALOA-DUDA", white="KAHU-LALE", round=3, deck=0, last_turns=[0, 1])
    t.force("white: -")
    assert t.state.to_move() == 0
    t.do("-")
    assert t.state.outcome()


@cases("line", ["black: BARI-DUDA", "white: +", "black: -", "white: d1"])
def test_rec_1_after_the_end_moves_break_the_rule_that_ended_the_game_and_change_no_result(table, line):
    t = table(black="ALOA-BARI ALOA-DUDA", white="ELAI-HUNA", round=2)
    t.do("x ELAI-HUNA (HUNA HUNA)")
    outcome = t.state.outcome()
    assert t.broken(line) == {"LOSS-1": "the game is over"}
    t.force(line)
    assert t.state.outcome() is outcome
    assert t.state.to_move() is None


def test_rec_1_after_the_end_the_last_card_ends_no_round(table):
    t = table(black="ALOA-BARI", white="ELAI-HUNA", round=2, row="COCO", deck=0)
    t.do("x ELAI-HUNA (HUNA HUNA)")
    t.force("black: +COCO")
    assert t.state.scores() == []


def test_rec_2_cards_that_are_shown_are_known_to_everybody(table):
    t = table(hands=("BARI ? ?", "?"))
    assert t.do("show BARI COCO") == ["black cards.shown BARI COCO"]
    assert t.hand(0) == "BARI COCO ?"
    assert t.state.hands[0].open == ["BARI", "COCO"]


def test_rec_2_cards_can_be_shown_at_any_time(table):
    t = table(hands=("?", "? ?"))
    t.do("white: show BARI BARI")
    assert t.state.to_move() == 0
    assert t.hand(1) == "BARI BARI"


def test_rec_2_only_what_is_held_can_be_shown(table):
    assert "black holds BARI, not COCO" in table(hands=("BARI", "?")).cannot("show COCO")


def test_an_own_bridge_removed_by_mistake_goes_back(table):
    t = table(black="ALOA-BARI ALOA-DUDA")
    t.force("x ALOA-BARI (ALOA BARI)")
    assert t.holder("ALOA") is None


def test_a_sixth_card_drawn_by_mistake_is_held(table):
    t = table(hands=("? ? ? ? ?", "?"))
    t.force("+")
    assert len(t.state.hands[0]) == 6


def anything(state: KahunaState, chance: random.Random) -> KahunaMove:
    """Any move at all, by any seat."""
    seat, card = chance.randrange(2), chance.choice(ISLANDS)
    maybe = chance.choice([None, *ISLANDS])
    return chance.choice(
        [
            Build(seat=seat, card=card, line=chance.choice(LINES)),
            Remove(seat=seat, cards=(card, chance.choice(ISLANDS)), line=chance.choice(LINES)),
            Discard(seat=seat, count=chance.randint(1, 3), cards=(card,) * chance.randrange(2)),
            Take(seat=seat, card=chance.choice([*state.row, maybe]), refill=maybe if state.deck else None),
            Draw(seat=seat, card=maybe),
            Decline(seat=seat),
            Show(seat=seat, cards=(card,)),
            Row(cards=(None,) * 3),
        ]
    )


@pytest.mark.parametrize("seed", soak_except(range(20), 0))
@pytest.mark.slow
def test_the_table_stays_sane_after_any_event(new, check, seed):
    new.do("deal black")
    assert new.try_random_moves(anything, check, random.Random(seed), tries=600) > 50


def test_random_games_keep_every_piece(play, check):
    for step in play.steps:
        check(step.after)
