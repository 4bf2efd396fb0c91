"""Hands: known cards, unknown ones, and what others know of them."""

from __future__ import annotations

import functools
import itertools
import operator
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.hidden import CardState, Hand
from games.rulesets import RULESETS

cards = st.lists(st.sampled_from("ABCDE"), max_size=6)


@given(cards, cards, st.data())
def test_what_is_known_after_unseen_discards_is_just_what_is_certain(known, unknown, data):
    held = len(known) + len(unknown)
    count = data.draw(st.integers(0, held))
    hand = Hand(sorted(known), len(unknown))
    gone = hand.give_unseen(count)
    ways = [
        Counter(known[index] for index in went if index < len(known))
        for went in itertools.combinations(range(held), count)
    ]
    certainly_gone = functools.reduce(operator.and_, ways)
    certainly_left = functools.reduce(operator.and_, [Counter(known) - way for way in ways])
    assert Counter(hand.known) == certainly_left
    assert Counter(gone.known) == certainly_gone
    assert (len(hand), len(gone)) == (held - count, count)


def test_discards_that_are_named_leave_the_rest_known():
    hand = Hand(["A", "B", "C"])
    gone = hand.give_unseen(2, ["B", "C"])
    assert hand == Hand(["A"])
    assert gone == Hand(["B", "C"])


def test_others_do_not_know_which_cards_were_put_away():
    hand = Hand(["A", "B"], 0, ["A", "B"])
    gone = hand.give_unseen(1, ["A"])
    assert hand.seen_by_others() == Hand([], 1)
    assert gone.seen_by_others() == Hand([], 1)


def test_a_named_card_may_have_been_an_unknown_one():
    hand = Hand(["A"], 2)
    hand.give_unseen(1, ["B"])
    assert hand == Hand(["A"], 1)


def test_a_card_given_is_the_known_one_if_there_is_one():
    hand = Hand(["A"], 1, ["A"])
    hand.give("A")
    assert hand == Hand([], 1)
    hand.give("B")
    assert hand == Hand([], 0)


def test_a_card_shown_twice_is_still_one_card():
    hand = Hand([], 2)
    hand.show(["A"])
    hand.show(["A"])
    assert hand == Hand(["A"], 1, ["A"])


def test_a_hand_can_hold_what_is_known_or_unknown_in_it():
    hand = Hand(["A", "A"], 1)
    assert hand.can_hold(["A", "A", "B"])
    assert hand.can_hold(["B"])
    assert not hand.can_hold(["B", "C"])
    assert not Hand(["A"]).can_hold(["A", "A"])


def test_others_see_only_what_is_open():
    assert Hand(["A", "B"], 1, ["B"]).seen_by_others() == Hand(["B"], 2, ["B"])


@pytest.mark.parametrize(("name", "card", "pile"), [("kahuna", "BARI", "played"), ("catan_cards", "Abbey", "spent")])
def test_a_card_that_the_hand_holds_already_can_come_again(name, card, pile):
    """All other cards lie open, so the unknown card can only be one more of the same."""
    state = RULESETS[name].open({}, None, 2)
    setattr(state, pile, [other for other in Counter(state.copies).elements() if other != card])
    state.hands[0] = Hand([card], 1)
    state.decide_hidden(random.Random(1))
    assert (state.hands[0].known, state.hands[0].unknown) == ([card, card], 0)


def test_a_card_that_another_hand_took_unseen_is_known_to_its_taker_alone():
    """From every viewpoint the hands are what somebody knows who saw only the number of cards."""
    giver, taker = Hand(["A", "A", "B"]), Hand([], 1)
    giver.give_unseen(1)
    taker.take("B")
    assert giver == Hand(["A"], 1)
    assert taker == Hand(["B"], 1)
    blind = Hand(["A", "A", "B"]).seen_by_others()
    blind.give_unseen(1)
    assert giver.seen_by_others() == blind
    assert taker.seen_by_others() == Hand([], 2)


@pytest.mark.parametrize(("held", "unknown", "most"), [(1, 0, 1), (1, 1, 2), (0, 3, 2), (2, 1, 2)])
def test_a_hand_may_hold_as_many_of_a_kind_as_are_in_the_box_and_have_a_place_in_it(held, unknown, most):
    state = Table(hands=[Hand(["A"] * held, unknown), Hand()])
    assert [count for count in range(1, 5) if state.may_hold(0, "A", count)] == list(range(1, most + 1))


class Table(CardState, kw_only=True):
    """A hand of a box with two cards of a kind."""

    @property
    def copies(self) -> dict[str, int]:
        return {"A": 2, "B": 9}

    def located_cards(self) -> list[str]:
        return [card for hand in self.hands for card in hand.known]
