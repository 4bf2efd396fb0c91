"""Piles as sources of the cards in hands."""

from __future__ import annotations

from itertools import product

from games.piles import Piles


def dealt() -> Piles:
    """Two players hold a card of the deal each, a and b; a and c were shuffled, and player 1 drew one of them."""
    return Piles([{"a": 1, "b": 1}, {"a": 1, "c": 1}], [[1, 1], [1, 0], [0, 0]], [[], []])


def test_a_card_that_was_named_is_taken_for_an_older_one_where_another_needs_its_slot() -> None:
    piles = dealt()
    assert piles.name(0, ["a"])
    assert piles.choices == [[], [(0, "a")]]
    assert piles.fit([(0, ["c"])])
    assert piles.fit([(0, ["b"])])
    assert piles.name(0, ["c"])
    assert (piles.choices, piles.slots) == ([[], [(0, "c")]], [[0, 0], [1, 0], [0, 0]])
    assert not piles.fit([(0, ["b"])])
    assert piles.fit([(1, ["b"])])


def test_a_copy_of_a_card_is_left_for_another_hand() -> None:
    piles = dealt()
    piles.slots[1] = [0, 1]
    assert piles.name(0, ["a"])
    assert piles.fit([(1, ["a"])])
    assert piles.fit([(1, ["a"]), (0, ["c"])])
    assert not piles.fit([(1, ["a"]), (0, ["b"])])


def test_cards_make_room_for_each_other_along_several_piles() -> None:
    """A card of the third pile is needed: another goes back to the second one, and a third one to the first."""
    piles = Piles(
        [{"a": 1, "b": 1}, {"a": 1, "b": 1}, {"b": 1, "c": 1}], [[1, 1, 1], [0, 0, 0], [0, 0, 0]], [[], [], []]
    )
    assert piles.name(0, ["b"])
    assert piles.name(0, ["a"])
    assert piles.fit([(0, ["c"])])
    assert piles.name(0, ["c"])
    assert piles.slots[0] == [0, 0, 0]
    assert piles.choices in ([[], [(0, "b")], [(0, "c")]], [[], [(0, "a")], [(0, "c")]])


def test_what_does_not_fit_is_found_by_every_way_to_choose() -> None:
    """Brute force over the piles of each card: a hand that drew from three piles names all its cards in any order."""
    left = [{"a": 1, "b": 1, "c": 1}, {"a": 1, "b": 2}, {"c": 1, "a": 1}]
    for slots in product(range(3), repeat=3):
        for cards in product("abc", repeat=min(3, sum(slots))):
            piles = Piles([dict(each) for each in left], [list(slots), [0, 0, 0]], [[], [], []])
            ways = product(range(3), repeat=len(cards))
            able = any(
                all(way.count(pile) <= slots[pile] for pile in range(3))
                and all(
                    sum(1 for at, card in zip(way, cards, strict=True) if (at, card) == (pile, name))
                    <= left[pile].get(name, 0)
                    for pile in range(3)
                    for name in "abc"
                )
                for way in ways
            )
            assert all(piles.name(0, [card]) for card in cards) == able, (slots, cards)


def test_only_cards_of_one_pile_are_in_hands_that_never_drew_again() -> None:
    assert not dealt().fit([(1, ["c"])])
    assert dealt().fit([(0, ["c"]), (1, ["b"])])
    assert not dealt().fit([(0, ["c", "b"]), (1, ["b"])])


def test_cards_that_were_put_away_unseen_are_some_cards_of_the_new_pile() -> None:
    piles = Piles([{"a": 2, "b": 1}], [[2], [1], [0]], [[]])
    piles.put_away(0, 1)
    piles.shuffle(["c"])
    assert piles.left == [{"a": 1, "b": 1}, {"c": 1, "a": 1}]
    assert piles.slots == [[1, 0], [1, 0], [0, 0]]
