"""Cards and secrets: counts, knowledge, and facts that stay the same after any entry."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from games.contract import PUBLIC, Viewpoint
from games.playout import playout
from games.verraeter import VERRAETER
from games.verraeter.components import ACTIONS, COPIES, PLACES, SAMPLE
from games.verraeter.moves import (
    Aside,
    Choose,
    Draw,
    Hold,
    Lay,
    Put,
    ReadPoints,
    Reveal,
    Site,
    Skip,
    Turn,
    VerraeterMove,
)
from tests.cases import cases
from tests.choosing import soak_except
from tests.games.secrecy import assert_alike, assert_recordable, replace_hidden_cards
from tests.games.verraeter.conftest import CIRCLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.verraeter.state import VerraeterState


def test_a17_there_are_only_so_many_cards(table):
    t = table("ERE", hands="??? ??? ???")
    t.do("3-4", "lay 8")
    assert "of 8 the box has 1 card, and 1 is known to lie elsewhere: see entry 4 (verraeter:A17)" in t.cannot("lay 8")
    assert "lay 8" not in t.legal()


def test_a17_more_of_a_card_than_the_box_has_are_refused_by_their_number(table):
    t = table("ERE", hands="??? ??? ???")
    t.do("3-4")
    assert "of 8 the box has 1 card, not 2 (verraeter:A17)" in t.cannot("lay 8 8")


def test_a17_in_the_first_round_only_3_4_and_5_are_laid(new):
    t = new()
    t.do("start 1 ERER", f"lands {CIRCLE}", "estate 1", "estate 2", "estate 3", "estate 4", "9-10")
    assert "player 1 holds 3 4 5, not 2: see entry 2 (verraeter:A18)" in t.cannot("lay 2")
    laid = {line for line in t.legal() if line.startswith("lay")}
    assert laid == {f"lay {cards}" for cards in ("-", "3", "4", "5", "3 4", "3 5", "4 5", "3 4 5")}


def test_a18_what_a_player_notes_is_known_to_nobody_else(table):
    t = table("ERE", hands="??? 3? 4")
    t.do("1: hold 5 8")
    assert t.hand(1) == "5 8 ?"
    assert t.state.view(PUBLIC).hands[0].known == []
    assert t.state.view(Viewpoint("seat", 0)).hands[0].known == ["5", "8"]
    assert Hold(seat=0, cards=("5", "8")).seen(PUBLIC) == Hold(seat=0)
    t.do("1: hold 5 8")
    assert t.hand(1) == "5 8 ?"
    assert "player 1 holds 5 8 ?, not 3 4" in t.cannot("1: hold 3 4")


def test_a18_a_noted_draw_is_further_cards_than_those_that_are_known(table):
    t = table("ERE", "1e1", hands="3?? 4 5")
    t.state.told = [
        (1, ("pile", "player1", ("3", None, None), None)),
        (2, ("pile", "drawn to player1", (None, None), None)),
    ]
    assert t.state.newly_drawn(0) == 2
    assert "can note 2 cards now, not 1: see entry 2 (verraeter:A18)" in t.cannot("1: hold +3")
    assert t.do("1: hold +3 4") == ["1 hand.noted"]
    assert t.hand(1) == "3 3 4"
    assert "player 1 has drawn no card that can be noted now" in t.cannot("1: hold +3 4")


def test_a18_drawn_cards_are_unknown_and_laid_ones_known(table):
    t = table("ERE", "1e1", hands="3 4 5")
    t.do("3-4", "lay -", "lay -", "lay -", "reveal Diplomat5 Strategist Diplomat2")
    assert t.hand(1) == "3 ?"
    t.do("7-8", "1: choose Farmer", "lay -", "lay -", "lay 3 6")
    assert t.hand(1) == ""
    assert t.state.unlocated_copies("6") == 1


def noted(seed: int) -> Iterator[tuple[VerraeterState, VerraeterMove]]:
    """A game at random in which player 1 notes every card, and each state after a move."""
    chance = random.Random(seed)
    state = VERRAETER.open({}, SAMPLE, 3 + seed % 2)
    for move, _ in playout(state, chance):
        yield state, move
        hand = state.hands[0]
        while hand.unknown and state.round:
            notes = [
                Hold(seat=0, cards=tuple(sorted([*hand.known, card])))
                for card in COPIES
                if state.unlocated_copies(card)
            ]
            fitting = [note for note in notes if not any(state.breaches(note))]
            if not fitting:  # what was noted by chance before was wrong
                break
            note = chance.choice(fitting)
            state.apply(note)
            yield state, note


@pytest.mark.parametrize("seed", soak_except(range(4), 0))
@pytest.mark.slow
def test_views_of_states_that_differ_only_in_secrets_are_equal(seed):
    chance = random.Random(seed)
    for one, _ in noted(seed):
        two = one.copy()
        replace_hidden_cards(two.hands[0], list(COPIES), chance)
        two.choices[0] = two.choices[0] and chance.choice(ACTIONS)
        two.aside = chance.choice(ACTIONS) if two.aside and two.start == 0 else two.aside
        assert_alike(one, two, [PUBLIC, *(Viewpoint("seat", seat) for seat in range(1, one.seats))])


@cases("seed", range(4))
def test_a_view_is_what_one_could_record_who_was_shown_no_notes(seed):
    for viewpoint in [PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1)]:
        assert_recordable(VERRAETER.open({}, SAMPLE, 3 + seed % 2), noted(seed), viewpoint)


@cases("seed", range(6))
def test_lands_strategy_card_and_counts_equal_a_count_from_zero(seed):
    """A second, simpler bookkeeping over the effects of a game comes to the same."""
    state = VERRAETER.open({}, SAMPLE, 3 + seed % 2)
    owners: list[str | None] = [None] * PLACES
    sizes, strategy, points = [0] * state.seats, 0, [0] * state.seats
    for move, effects in playout(state, random.Random(seed)):
        if move.__class__.__name__ == "Lands":
            owners, sizes = [laid.house for laid in move.lands], [3] * state.seats
        for effect in effects:
            if effect.kind in {"strategy.given", "strategy.taken"}:
                strategy = effect.seat
            elif effect.kind == "land.conquered":
                owners[int(effect.at[0].split()[0]) - 1] = effect.at[1]
            elif effect.kind == "cards.drawn":
                sizes[effect.seat] += effect.count
            elif effect.kind in {"supplies.laid", "cards.discarded"}:
                sizes[effect.seat] -= len(effect.at)
            elif effect.kind == "points.scored":
                points[effect.seat] += effect.count
        assert state.owners == owners
        assert state.strategy == strategy
        assert [len(hand) for hand in state.hands] == sizes
        assert state.totals() == points


def anything(state: VerraeterState, chance: random.Random) -> VerraeterMove:
    """Any move at all, by any seat."""
    seat, place = chance.randrange(state.seats), chance.randrange(PLACES)
    cards = tuple(chance.choices(list(COPIES), k=chance.randrange(4)))
    action = chance.choice([None, *ACTIONS])
    return chance.choice(
        [
            Put(seat=seat, place=place, side=chance.choice(["estate", "post"])),
            Site(seat=seat, place=place),
            Choose(seat=seat, action=action),
            Aside(seat=seat, action=action),
            Lay(seat=seat, cards=cards),
            Lay(seat=seat),
            Reveal(actions=tuple(chance.sample(ACTIONS, state.seats))),
            ReadPoints(points=chance.randrange(31)),
            Turn(seat=seat, place=place),
            Skip(seat=seat),
            Draw(seat=seat, discards=cards),
            Hold(seat=seat, cards=cards),
        ]
    )


@pytest.mark.parametrize("seed", soak_except(range(12), 0))
@pytest.mark.slow
def test_the_table_stays_sane_after_any_event(new, check, seed):
    t = new(3 + seed % 2, None)
    t.do("start 1 " + "EREE"[: t.seats], f"lands {CIRCLE}")
    assert t.try_random_moves(anything, check, random.Random(seed), tries=1500) > 50


def test_random_games_keep_every_card(play, check):
    for step in play.steps:
        check(step.after)
