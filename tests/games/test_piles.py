"""Piles as sources of the cards in hands."""

from __future__ import annotations

import random
from functools import reduce
from itertools import combinations_with_replacement, product

import pytest

from games.hidden import Hand, removed
from games.knowledge import SHUFFLED, Fact, Possibilities, Table
from games.piles import Piles, SlotsOfHand
from tests.choosing import soak_except

HANDS = ("hand-1", "hand-2")


def piles_of(left: list[dict[str, int]], *slots: list[int]) -> Piles:
    """Piles, and the slots of each hand in them."""
    newest = [max((pile for pile, count in enumerate(held) if count), default=0) for held in slots]
    return Piles(left, [*slots, [0] * len(left)], [[] for _ in left], [*newest, 0])


def dealt() -> Piles:
    """Two players hold a card of the deal each, a and b; a and c were shuffled, and player 1 drew one of them."""
    return piles_of([{"a": 1, "b": 1}, {"a": 1, "c": 1}], [1, 1], [1, 0])


def test_a_card_that_was_named_is_taken_for_an_older_one_where_another_needs_its_slot() -> None:
    piles = dealt()
    assert piles.name(0, ["a"])
    assert piles.choices == [[], [(0, "a", 1)]]
    assert piles.fit([(0, ["c"])])
    assert piles.fit([(0, ["b"])])
    assert piles.name(0, ["c"])
    assert (piles.choices, piles.slots) == ([[(0, "a", 1)], [(0, "c", 1)]], [[0, 0], [1, 0], [0, 0]])
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
    piles = piles_of([{"a": 1, "b": 1}, {"a": 1, "b": 1}, {"b": 1, "c": 1}], [1, 1, 1], [0, 0, 0])
    assert piles.name(0, ["b"])
    assert piles.name(0, ["a"])
    assert piles.fit([(0, ["c"])])
    assert piles.name(0, ["c"])
    assert piles.slots[0] == [0, 0, 0]
    taken = [[(seat, card) for seat, card, _ in choices] for choices in piles.choices]
    assert taken in ([[(0, "a")], [(0, "b")], [(0, "c")]], [[(0, "b")], [(0, "a")], [(0, "c")]])


def test_what_does_not_fit_is_found_by_every_way_to_choose() -> None:
    """Brute force over the piles of each card: a hand that drew from three piles names all its cards in any order."""
    left = [{"a": 1, "b": 1, "c": 1}, {"a": 1, "b": 2}, {"c": 1, "a": 1}]
    for slots in product(range(3), repeat=3):
        for cards in product("abc", repeat=min(3, sum(slots))):
            piles = piles_of([dict(each) for each in left], list(slots))
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


def test_cards_that_were_put_away_unseen_are_slots_of_the_new_pile() -> None:
    """Player 1 put one of a, a, b away, and c was shuffled with it: what it is stays open until a card is named."""
    piles = piles_of([{"a": 2, "b": 1}], [2], [1])
    piles.put_away(0, 1)
    piles.shuffle(["c"])
    assert (piles.left, piles.inner) == ([{"a": 2, "b": 1}, {"c": 1}], {1: [1]})
    assert piles.slots == [[1, 0], [1, 0], [0, 0]]
    piles.draw(1)
    assert piles.fit([(0, ["a"]), (1, ["a", "b"])])
    assert piles.name(1, ["a", "b"])
    assert piles.inner == {1: [0]}
    assert piles.fit([(0, ["a"])])
    assert not piles.fit([(0, ["c"])])


def test_a_known_hand_that_puts_a_card_away_unseen_is_a_pile() -> None:
    """Player 1 held a, b and another card, and put one of them away. Then d, of the deck, came."""
    piles = piles_of([{"c": 1, "d": 1, "e": 2}], [1], [1])
    piles.put_away(0, 1, ["a", "b"])
    piles.draw(0)
    assert (piles.left[1], piles.inner, piles.slots) == ({"a": 1, "b": 1}, {1: [1]}, [[1, 2], [1, 0], [0, 1]])
    assert piles.fit([(0, ["a", "b", "d"])])
    assert piles.fit([(0, ["a", "c", "d"])])
    assert not piles.fit([(0, ["c", "d", "e"])])
    assert not piles.fit([(1, ["a"])])


def test_a_card_that_was_named_cannot_be_one_that_was_drawn_later() -> None:
    """Of a and b one was put away unseen, and b was laid. The deck still has a b, which comes only then."""
    piles = piles_of([{"b": 1, "c": 1}], [0])
    piles.put_away(0, 1, ["a", "b"])
    assert piles.name(0, ["b"])
    piles.draw(0)
    assert piles.fit([(0, ["c"])])
    assert piles.fit([(0, ["b"])])
    assert not piles.fit([(0, ["a"])])


class Deals:
    """Games at random with few cards, and each way in which the named cards can have come from the piles."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        box = ["a", "a", "b", "b", "c", "d"]
        self.chance.shuffle(box)
        self.hands, self.deck, self.discards = [box[:2], box[2:4]], list[str](), box[4:]
        self.ways: list[list[list[int]]] = [[[2], [2]]]
        unseen = {card: sum(hand.count(card) for hand in self.hands) for card in "abcd"}
        self.left: list[list[dict[str, int]]] = [[unseen]]
        self.piles = Piles.before_shuffle(dict(unseen), [Hand([], 2), Hand([], 2)], Hand())
        self.shuffle()

    def shuffle(self) -> None:
        self.chance.shuffle(self.discards)
        mixed = {card: self.discards.count(card) for card in set(self.discards)}
        self.piles.shuffle(self.discards)
        self.deck, self.discards = self.discards, []
        self.ways = [[[*slots, 0] for slots in way] for way in self.ways]
        self.left = [[*map(dict, left), dict(mixed)] for left in self.left]

    def draw(self, seat: int) -> None:
        if not self.deck:
            self.shuffle()
        if self.deck:
            self.hands[seat].append(self.deck.pop())
            self.piles.draw(seat)
            for way in self.ways:
                way[seat][-1] += 1

    def name(self, seat: int) -> bool:
        """A card of a hand is laid. Whether the piles could take it for a slot."""
        card = self.hands[seat].pop(self.chance.randrange(len(self.hands[seat])))
        self.discards.append(card)
        found = []
        for way, left in zip(self.ways, self.left, strict=True):
            for pile, copies in enumerate(left):
                if way[seat][pile] and copies.get(card):
                    slots, rest = [list(each) for each in way], [dict(each) for each in left]
                    slots[seat][pile] -= 1
                    rest[pile][card] -= 1
                    found.append((slots, rest))
        self.ways, self.left = [way for way, _ in found], [left for _, left in found]
        return self.piles.name(seat, [card])

    def can_be(self, seat: int, cards: tuple[str, ...]) -> bool:
        """Whether a hand can hold these cards, in any of the ways."""
        return any(
            all(pile_of.count(pile) <= way[seat][pile] for pile in range(len(left)))
            and all(
                sum(pair == (card, pile) for pair in zip(cards, pile_of, strict=True)) <= left[pile].get(card, 0)
                for card in cards
                for pile in range(len(left))
            )
            for way, left in zip(self.ways, self.left, strict=True)
            for pile_of in product(range(len(left)), repeat=len(cards))
        )


@pytest.mark.parametrize("seed", soak_except(range(20), *range(6)))
def test_what_slots_can_be_is_what_some_way_of_all_has(seed: int) -> None:
    """Brute force over all ways in which cards that were laid can have come from the piles."""
    deals, told = Deals(seed), {True: 0, False: 0}
    for _ in range(12):
        seat = deals.chance.randrange(2)
        if deals.hands[seat] and deals.chance.random() < 0.6:
            if not deals.name(seat):
                break
        else:
            deals.draw(seat)
        if len(deals.ways) > 300:
            break
        for seat, count in product(range(2), (1, 2)):
            slots = SlotsOfHand(deals.piles, seat)
            for cards in combinations_with_replacement("abcd", count):
                can_be = slots.can_be(cards)
                assert can_be in (None, deals.can_be(seat, cards)), (seat, cards)
                if can_be is not None:
                    told[can_be] += 1
    assert min(told.values()) > 10


def test_after_cards_were_put_away_unseen_nothing_is_ruled_out() -> None:
    """Player 1 put a or b away, so the new pile has one of them."""
    piles = piles_of([{"a": 1, "b": 1, "c": 1}], [2], [1])
    assert SlotsOfHand(piles, 0).can_be(("a", "a")) is False
    piles.put_away(0, 1)
    piles.shuffle([])
    assert SlotsOfHand(piles, 0).can_be(("c",)) is not False
    assert SlotsOfHand(piles, 1).can_be(("a",)) is not False


class Hidden:
    """Games at random with few cards: some hands are noted, some cards put away unseen, and the discards shuffled."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.copies = {"a": 3, "b": 3, "c": 2, "d": 2, "e": 1, "f": 1}
        self.deck = [card for card, count in self.copies.items() for _ in range(count)]
        self.chance.shuffle(self.deck)
        self.real: list[list[str]] = [[], []]
        self.hands, self.discards, self.away = [Hand(), Hand()], Hand(), list[str]()
        self.possible = Possibilities(Table(self.copies, ("deck", "discards", *HANDS), "deck", ("discards",), 10_000))
        self.piles = Piles.before_shuffle(dict(self.copies), self.hands, self.discards)
        for seat in (0, 1) * 3:
            self.draw(seat)

    def tell(self, source: str, to: str, *cards: str | None) -> None:
        self.possible = self.possible.after(Fact(1, source, to, cards))

    def draw(self, seat: int) -> None:
        if not self.deck:
            self.deck, self.away = self.away, []
            self.chance.shuffle(self.deck)
            self.tell(SHUFFLED, "deck")
            self.piles.shuffle(self.discards.known)
            self.discards = Hand()
        if self.deck:
            self.real[seat].append(self.deck.pop())
            self.hands[seat].take(None)
            self.tell("deck", HANDS[seat], None)
            self.piles.draw(seat)

    def play(self, seat: int, *, seen: bool) -> bool:
        """A card goes to the discards. Whether the piles could take it for a slot."""
        card, hand = self.real[seat].pop(self.chance.randrange(len(self.real[seat]))), self.hands[seat]
        self.away.append(card)
        self.tell(HANDS[seat], "discards", card if seen else None)
        known = hand.known.copy()
        if seen:
            named = self.piles.name(seat, hand.missing([card]))
            hand.give(card)
            self.discards.take(card)
            return named
        hand.give_unseen(1)
        self.discards.unknown += 1
        self.piles.put_away(seat, 1, removed(known, hand.known))
        return True

    def note(self, seat: int) -> bool:
        """A whole hand is noted. Whether the piles could take its cards for slots."""
        self.tell(HANDS[seat], HANDS[seat], *self.real[seat])
        missing = self.hands[seat].missing(self.real[seat])
        self.hands[seat].note(self.real[seat])
        return self.piles.name(seat, missing)

    def step(self) -> bool:
        seat, way = self.chance.randrange(2), self.chance.random()
        if not self.real[seat] or (way < 0.4 and len(self.real[seat]) < 6):
            self.draw(seat)
            return True
        return self.note(seat) if way > 0.85 else self.play(seat, seen=way < 0.65)

    def check_slots(self) -> None:
        """Each unknown card of a hand is a slot. What is left of a pile, and its inner slots, are slots elsewhere."""
        piles = self.piles
        assert [sum(slots) for slots in piles.slots] == [hand.unknown for hand in (*self.hands, self.discards)]
        for pile, left in enumerate(piles.left):
            inner = piles.inner.get(pile, [])
            held = [*piles.slots, *[slots for outer, slots in piles.inner.items() if outer > pile]]
            deck = len(self.deck) if pile == piles.deck else 0
            assert min([*left.values(), *inner, 0]) == 0
            assert sum(left.values()) + sum(inner) == sum(slots[pile] for slots in held) + deck

    def named(self) -> list[tuple[int, list[str]]]:
        """One to three cards that are not known to be in a hand, or in both."""
        found = []
        for seat, hand in enumerate(self.hands):
            if count := min(hand.unknown, self.chance.randrange(3 - seat)):
                found.append((seat, self.chance.choices(list(self.copies), k=count)))
        return found


@pytest.mark.parametrize("seed", soak_except(range(12), *range(4)))
def test_what_piles_have_room_for_is_possible_by_all_that_was_seen(seed: int) -> None:
    """Held against all arrangements, which tests/games/test_knowledge.py holds against brute force."""
    told = {(fits, can_be): 0 for fits in (True, False) for can_be in (True, False)}
    for game in range(4):
        hidden = Hidden(seed * 4 + game)
        for _ in range(60):
            if not hidden.step():
                break
            hidden.check_slots()
            if not (hidden.possible.are_known and (named := hidden.named())):
                continue
            facts = [Fact(1, HANDS[seat], HANDS[seat], (*hidden.hands[seat].known, *cards)) for seat, cards in named]
            can_be = bool(reduce(Possibilities.after, facts, hidden.possible))
            told[hidden.piles.fit(named), can_be] += 1
    assert told[True, False] == 0
    assert told[True, True] > 9 * told[False, True]
    assert told[False, False] > 10
