"""The profile of the Japanese booklet: the number of Alchemists, winning at once, and refilling after a Conflict."""

from __future__ import annotations

import msgspec
import pytest

from games import transcript
from games.catan_cards import CATAN_CARDS
from games.catan_cards.options import resolve_options
from games.errors import TranscriptError
from tests import goldens
from tests.cases import cases


@cases(
    ("profile", "switches"),
    [
        ("rulebook", ("own_turn", "2+3", "same_turn")),
        ("2005", ("own_turn", "2+3", "same_turn")),
        ("booklet", ("any_turn", "1+4", "next_turn")),
    ],
)
def test_each_profile_says_how_one_wins_what_the_box_has_and_when_one_refills(profile, switches):
    options = resolve_options(CATAN_CARDS.check_options({"profile": profile}))
    assert (options.win_on, options.alchemist_spy, options.conflict_refill) == switches


def test_each_switch_of_the_booklet_can_be_set_on_its_own():
    chosen = {"profile": "booklet", "win_on": "own_turn", "alchemist_spy": "2+3", "conflict_refill": "same_turn"}
    options = resolve_options(CATAN_CARDS.check_options(chosen))
    assert (options.win_on, options.alchemist_spy, options.conflict_refill) == ("own_turn", "2+3", "same_turn")


def test_63_the_booklet_has_one_alchemist_and_four_spies():
    box = CATAN_CARDS.open({"profile": "booklet"}, None, 2).box
    assert (box.copies["Alchemist"], box.copies["Spy"]) == (1, 4)


def test_q13_in_the_booklet_one_wins_in_the_others_turn(table):
    t = table("2lu1 Marketplace", profile="booklet", target=3)
    t.rule("points seat=2 points=1")
    assert t.state.outcome().winners == (1,)
    t = table("2lu1 Marketplace", target=3)
    t.rule("points seat=2 points=1")
    assert t.state.outcome() is None


@pytest.mark.parametrize(("profile", "refills"), [("rulebook", True), ("booklet", False)])
def test_q21_who_lost_cards_to_a_conflict_in_the_own_turn_refills_then_or_in_the_next(table, profile, refills):
    t = table(hands=("???", "???"), profile=profile)
    t.state.tokens[0] = 1
    t.state.phase, t.state.production = "roll", 0
    t.do("roll event 6", "event Conflict", "2: confiscate 1 ? ?")
    draws = [line for line in t.legal() if line.startswith("draw")]
    assert bool(draws) == refills
    if refills:
        assert "end" not in t.legal()
        return
    assert t.broken("draw 1") == {"Q21": "after a Conflict player 1 refills in the next turn"}
    t.do("end", "2: roll trade 6", "end", "roll trade 6")
    assert "draw 1" in t.legal()


def test_q21_a_forbidden_refill_after_a_conflict_can_stand(table):
    t = table(hands=("???", "???"), profile="booklet")
    t.state.tokens[0] = 1
    t.state.phase, t.state.production = "roll", 0
    t.do("roll event 6", "event Conflict", "2: confiscate 1 ? ?")
    t.force("draw 1")
    assert len(t.state.hands[0]) == 2


def recorded(**switches):
    """The last state of the recorded game of the booklet, with some of its switches set otherwise."""
    game = goldens.game(goldens.FOLDER / "catan_cards" / "booklet.txt")
    tags = game.tags | {f"Option.{name}": value for name, value in switches.items()}
    *_, last = transcript.replay(CATAN_CARDS, msgspec.structs.replace(game, tags=tags))
    return last.state


def test_q13_the_recorded_game_of_the_booklet_is_won_at_once():
    assert recorded().outcome().winners == (1,)
    assert recorded(win_on="own_turn").outcome() is None


def test_q21_the_recorded_game_of_the_booklet_has_a_turn_without_a_refill():
    with pytest.raises(TranscriptError) as error:
        recorded(conflict_refill="same_turn")
    assert error.value.cause.rule == "catan_cards:56"


def test_63_the_recorded_game_of_the_booklet_used_the_only_alchemist():
    assert "Alchemist" not in recorded().drawable_cards()
    assert "Alchemist" in recorded(alchemist_spy="2+3").drawable_cards()
