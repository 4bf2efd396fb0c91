"""Hidden cards that are dealt from a sample come as often as all ways to lie have them."""

from __future__ import annotations

import random
from collections import Counter, deque
from copy import copy
from typing import TYPE_CHECKING

import pytest

from games.knowledge import DRAWN, SEARCHED, SHUFFLED, Fact, Knowledge, Table
from games.manapani.components import SAMPLE_BOX
from games.sampled_deals import WORLDS, SampledKnowledge
from tests.cases import cases
from tests.choosing import short_or_soak, soak_except
from tests.games.dealt import chance_to_hold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

HANDS = ("black", "white", "red")
PLACES = ("deck", "discards", *HANDS, *[DRAWN + hand for hand in HANDS])
HIDDEN = (*HANDS, "discards")
MOST_OFF = 0.02
"""The largest difference of the share of deals that have a card somewhere."""
Shares = dict[tuple[int, str, int], float]
"""The share of deals in which a place, by its number, has at least so many of a card."""
Way = tuple[tuple[str, ...], ...]


class Facts:
    """A teller of words that are facts already. Chance brought the named cards that come from the deck."""

    def facts_of(self, version: int, word: Fact) -> Sequence[Fact]:  # noqa: ARG002
        return [word]

    def is_chance(self, word: Fact) -> bool:
        return word.source == "deck" and None not in word.cards


def known_of(deck: dict[str, int], facts: Iterable[Fact], size: int) -> SampledKnowledge:
    known = SampledKnowledge(Table(deck, PLACES, "deck", ("discards",)), size)
    for fact in facts:
        known.follow(Facts(), 1, fact)
    known.gather(HANDS)
    return known


def shares_dealt(known: SampledKnowledge, deals: int) -> Shares:
    dealer, chance, found = known.dealer(HIDDEN), random.Random(1), Counter[tuple[int, str, int]]()
    for dealt, times in Counter(tuple(map(_sorted, dealer.deal(chance))) for _ in range(deals)).items():
        found.update(dict.fromkeys(held_in(dealt), times))
    return {each: count / deals for each, count in found.items()}


def _sorted(cards: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(cards))


def held_in(dealt: Sequence[Sequence[str]]) -> list[tuple[int, str, int]]:
    counts = [(at, *each) for at, cards in enumerate(dealt) for each in Counter(cards).items()]
    return [(at, card, number) for at, card, copies in counts for number in range(1, copies + 1)]


def most_off(found: Shares, true: Shares) -> float:
    return max(abs(found.get(each, 0.0) - true.get(each, 0.0)) for each in {*found, *true})


class RealDeck:
    """A real deck that is drawn from, with the facts that are seen of it."""

    def __init__(self, deck: dict[str, int], seed: int, hands: int) -> None:
        self.chance, self.facts, self.hands = random.Random(seed), list[Fact](), HANDS[:hands]
        self.lying: dict[str, list[str]] = {place: [] for place in PLACES}
        self.lying["deck"] = [*Counter(deck).elements()]

    def happen(self, kind: str, hand: str, count: int = 1) -> None:
        """Cards are drawn, turned up from the deck, played, noted, noted as the last draw or put away unseen.

        There may be fewer of them.
        """
        place = {"draw": "deck", "turn up": "deck", "note draw": DRAWN + hand}.get(kind, hand)
        if place == hand or kind == "draw":
            self._move(DRAWN + hand, hand, self.lying[DRAWN + hand].copy())
        cards = self.chance.sample(self.lying[place], min(count, len(self.lying[place])))
        gathered = () if kind in {"note draw", "turn up"} else (hand,)
        to = {"draw": DRAWN + hand, "turn up": "discards", "play": "discards", "put away": "discards"}.get(kind, place)
        told: list[str | None] = [None] * len(cards) if kind in {"draw", "put away"} else [*cards]
        self._move(place, to, cards)
        self.facts.append(Fact(1, place, to, tuple(told), (), gathered))

    def shuffle(self) -> None:
        self._move("discards", "deck", self.lying["discards"].copy())
        self.chance.shuffle(self.lying["deck"])
        self.facts.append(Fact(1, SHUFFLED, "deck"))

    def _move(self, place: str, to: str, cards: list[str]) -> None:
        for card in cards:
            self.lying[place].remove(card)
            self.lying[to].append(card)


# Small decks, against a count of all ways


class EveryWay:
    """All ways in which the cards can lie, counted one by one, each with its share of all shuffles and choices."""

    def __init__(self, deck: dict[str, int]) -> None:
        self.ways: dict[Way, float] = {(tuple(sorted(Counter(deck).elements())), *[()] * (len(PLACES) - 1)): 1.0}

    def learn(self, fact: Fact) -> None:
        for hand in fact.gathered:
            self._pour(DRAWN + hand, hand)
        if fact.source == SHUFFLED:
            self._pour("discards", "deck")
            return
        at, named = PLACES.index(fact.source), Counter(fact.named()).items()
        self.ways = {
            way: share for way, share in self.ways.items() if all(way[at].count(card) >= count for card, count in named)
        }
        for card in sorted(fact.cards, key=lambda card: card is None) if fact.source != fact.to else ():
            self._take(at, PLACES.index(fact.to), card)

    def shares(self) -> Shares:
        for hand in HANDS:
            self._pour(DRAWN + hand, hand)
        found, whole = Counter[tuple[int, str, int]](), sum(self.ways.values())
        for way, share in self.ways.items():
            for each in held_in([way[PLACES.index(place)] for place in HIDDEN]):
                found[each] += share / whole  # type: ignore[assignment]
        return dict(found)

    def _take(self, at: int, to: int, card: str | None) -> None:
        found, is_chosen = dict[Way, float](), card and at != PLACES.index("deck")
        for way, share in self.ways.items():
            for each in sorted({*way[at]}) if card is None else {card}.intersection(way[at]):
                first, copies, places = way[at].index(each), way[at].count(each), list(way)
                places[at] = (*way[at][:first], *way[at][first + 1 :])
                places[to] = tuple(sorted((*way[to], each)))
                part = 1 if is_chosen else copies / len(way[at])
                found[tuple(places)] = found.get(tuple(places), 0.0) + share * part
        self.ways = found

    def _pour(self, source: str, target: str) -> None:
        at, to, ways = PLACES.index(source), PLACES.index(target), self.ways
        self.ways = {}
        for way, share in ways.items():
            places = list(way)
            places[at], places[to] = (), tuple(sorted((*way[at], *way[to])))
            self.ways[tuple(places)] = self.ways.get(tuple(places), 0.0) + share


SMALL = ({"a": 2, "b": 2, "c": 2}, {"a": 3, "b": 2, "c": 1, "d": 1}, {"a": 1, "b": 4, "c": 2}, {"a": 2, "b": 2, "c": 3})
KINDS = ("draw", "draw", "draw", "draw", "turn up", "play", "play", "note", "note draw", "put away", "shuffle")


@cases("seed", range(short_or_soak(4, 12)))
def test_a_small_deck_is_dealt_as_often_as_all_ways_to_lie_have_it(seed: int) -> None:
    """With unseen discards, notes of hands and of draws, and discards shuffled to what is left of the deck."""
    deck = SMALL[seed % len(SMALL)]
    real, every = RealDeck(deck, seed, 2), EveryWay(deck)
    for _ in range(16):
        kind, hand = real.chance.choice(KINDS), real.chance.choice(real.hands)
        if kind == "shuffle":
            real.shuffle()
        else:
            real.happen(kind, hand, real.chance.choice([1, 1, 2]))
    for fact in real.facts:
        every.learn(fact)
    assert most_off(shares_dealt(known_of(deck, real.facts, 1_500), 10_000), every.shares()) < MOST_OFF


FEW = dict.fromkeys("abcdef", 2)


def played(deck: dict[str, int], seed: int, turns: int, most: int) -> RealDeck:
    """Players draw, note some cards and play some, down to so many. The discards are shuffled when the deck is used up.

    So cards that come later can be old ones of a hand, or ones that were shuffled.
    """
    real = RealDeck(deck, seed, 2)
    for hand in real.hands:
        real.happen("draw", hand, most // 2)
    for turn in range(turns):
        hand = real.hands[turn % 2]
        if not real.lying["deck"]:
            real.shuffle()
        real.happen("draw", hand)
        if real.chance.random() < 0.2:
            real.happen("note", hand)
        held = len(real.lying[hand]) + len(real.lying[DRAWN + hand])
        real.happen("play", hand, max(held - most, real.chance.choice([0, 0, 1, 2])))
    return real


@cases("seed", [7, 0, 4, 8, 10, 11, 12][: short_or_soak(2, 7)])
def test_a_deck_that_is_used_up_is_dealt_as_often_as_all_ways_to_lie_have_it(seed: int) -> None:
    real, every = played(FEW, seed, 10 + seed % 12, 4), EveryWay(FEW)
    for fact in real.facts:
        every.learn(fact)
    assert most_off(shares_dealt(known_of(FEW, real.facts, 1_500), 10_000), every.shares()) < MOST_OFF


# The whole deck, against all arrangements


@pytest.mark.slow
@pytest.mark.parametrize("seed", soak_except(range(6), 1))
def test_the_whole_deck_is_dealt_as_often_as_all_arrangements_have_it(seed: int) -> None:
    """As long as these are few enough to count, and from no more worlds than in a game."""
    deck = dict(SAMPLE_BOX.deck)
    real, known = played(deck, seed, 12, 7), Knowledge(Table(deck, PLACES, "deck", ("discards",)))
    for fact in [*real.facts, Fact(1, "black", "black", (), (), HANDS)]:
        deque(known.learn(fact), maxlen=0)
    assert known.is_exact
    dealt = shares_dealt(known_of(deck, real.facts, WORLDS), 20_000)
    true = {(at, card, 1): float(chance_to_hold(known, HIDDEN[at], card)) for at in (0, 1) for card in deck}
    assert most_off({each: share for each, share in dealt.items() if each in true}, true) < MOST_OFF


def test_facts_that_contradict_each_other_leave_nothing_to_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither do they with more worlds, drawn once, and what comes after them is harmless."""
    facts = [Fact(1, "deck", "black", (None,)), Fact(1, "black", "black", ("a",)), Fact(1, "black", "black", ("b",))]
    sizes, begin = list[int](), SampledKnowledge._begin
    monkeypatch.setattr(SampledKnowledge, "_begin", lambda known, times=1: (sizes.append(times), begin(known, times)))
    known = known_of({"a": 1, "b": 1}, [*facts, Fact(1, SHUFFLED, "deck"), Fact(1, "deck", "white", (None,))], 4)
    assert not known.dealer(HANDS)
    assert sizes == [1, 4], "all facts are learnt again only once, which takes time"


def test_more_worlds_are_drawn_once_all_of_a_sample_are_ruled_out() -> None:
    """Which of 40 cards went to the deck again is seen only when it comes."""
    deck = {f"card {number}": 1 for number in range(40)}
    gone = [Fact(1, "deck", "black", (None,) * 40), Fact(1, "black", "black", tuple(deck))]
    gone += [Fact(1, "black", "discards", (None,)), Fact(1, SHUFFLED, "deck"), Fact(1, "deck", "white", (None,))]
    known = known_of(deck, [*gone, Fact(1, "white", "white", ("card 12",))], 16)
    assert {tuple(known.dealer(HANDS).deal(random.Random(lot))[1]) for lot in range(9)} == {("card 12",)}


def shares_under(size: int) -> tuple[float, float]:
    """How often deals have a card under a stack of a size, and how often it lies there.

    White took one card there, unseen, and then has the card that was put under the stack, or its other copy.
    """
    deck = dict.fromkeys(map(str, range(size + 3)), 1) | {"a": 2}
    table = Table(deck, ("deck", "stack", "under", *HANDS), "deck", stacks=(("stack", "under"),))
    facts = [Fact(1, "deck", "stack", (None,) * size), Fact(1, "deck", "white", (None,) * 2)]
    facts += [Fact(1, "deck", "black", ("a",)), Fact(1, "black", "under", ("a",))]
    facts += [Fact(1, SEARCHED + "stack", "white", (None,)), Fact(1, "white", "white", ("a",))]
    known, chance = SampledKnowledge(table), random.Random(1)
    for fact in facts:
        known.follow(Facts(), 1, fact)
    dealer, other = known.dealer(("under",)), size / (size + 1) * 3 / (size + 4)
    there = sum("a" in dealer.deal(chance)[0] for _ in range(10_000)) / 10_000
    return there, other / (other + 1 / (size + 1))


def test_a_card_that_came_by_an_unlikely_search_is_dealt_as_often_as_it_can_be() -> None:
    off = [abs(there - true) for there, true in map(shares_under, range(28, 40, 2))]
    assert sum(off) / len(off) < MOST_OFF


def test_a_copy_learns_by_itself_and_the_same_facts_make_the_same_deals() -> None:
    real = played(FEW, 3, 12, 4)
    known = known_of(FEW, real.facts[:-4], 50)
    twin, again = copy(known), known_of(FEW, real.facts, 50)
    before = [known.dealer(HANDS).deal(random.Random(lot)) for lot in range(20)]
    for fact in real.facts[-4:]:
        twin.follow(Facts(), 1, fact)
    assert [known.dealer(HANDS).deal(random.Random(lot)) for lot in range(20)] == before
    twin.gather(HANDS)
    for lot in range(20):
        assert twin.dealer(HANDS).deal(random.Random(lot)) == again.dealer(HANDS).deal(random.Random(lot))
