"""Piles as sources of the cards in hands."""

from __future__ import annotations

from games.piles import Piles


def dealt() -> Piles:
    """Two players hold a card of the deal each, a and b; a and c were shuffled, and player 1 drew one of them."""
    return Piles([{"a": 1, "b": 1}, {"a": 1, "c": 1}], [[1, 1], [1, 0], [0, 0]], [])


def test_a_card_that_was_named_is_taken_for_an_older_one_where_another_needs_its_slot() -> None:
    piles = dealt()
    assert piles.name(0, ["a"])
    assert piles.choices == [(0, "a", 1)]
    assert piles.fit([(0, ["c"])])
    assert piles.fit([(0, ["b"])])
    assert piles.name(0, ["c"])
    assert (piles.choices, piles.slots) == ([], [[0, 0], [1, 0], [0, 0]])
    assert not piles.fit([(0, ["b"])])
    assert piles.fit([(1, ["b"])])


def test_a_copy_of_a_card_is_left_for_another_hand() -> None:
    piles = dealt()
    piles.slots[1] = [0, 1]
    assert piles.name(0, ["a"])
    assert piles.fit([(1, ["a"])])
    assert piles.fit([(1, ["a"]), (0, ["c"])])
    assert not piles.fit([(1, ["a"]), (0, ["b"])])


def test_only_cards_of_one_pile_are_in_hands_that_never_drew_again() -> None:
    assert not dealt().fit([(1, ["c"])])
    assert dealt().fit([(0, ["c"]), (1, ["b"])])
    assert not dealt().fit([(0, ["c", "b"]), (1, ["b"])])


def test_cards_that_were_put_away_unseen_are_some_cards_of_the_new_pile() -> None:
    piles = Piles([{"a": 2, "b": 1}], [[2], [1], [0]], [])
    piles.put_away(0, 1)
    piles.shuffle(["c"])
    assert piles.left == [{"a": 1, "b": 1}, {"c": 1, "a": 1}]
    assert piles.slots == [[1, 0], [1, 0], [0, 0]]
