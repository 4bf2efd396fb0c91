"""What is known of hidden cards is what a count of all arrangements says, one by one."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from typing import TYPE_CHECKING, Any

import pytest

from games.knowledge import SHUFFLED, Course, Fact, Knowledge, Possibilities, Table, arrangements, course
from games.knowledge import shares as steps
from games.recent import Recent
from games.seen_cards import FactTeller
from tests.cases import cases
from tests.choosing import short_or_soak

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PLACES = ("deck", "row", "discards", "black", "white", "unseen")
DECKS = ({"a": 2, "b": 2, "c": 1}, {"a": 3, "b": 1, "c": 1}, {"a": 2, "b": 2}, {"a": 1, "b": 1, "c": 1, "d": 2})
World = tuple[tuple[str, ...], ...]


class Every:
    """All arrangements with the cards of each place, sorted, each with the part of all shuffles and choices it has."""

    def __init__(self, deck: dict[str, int]) -> None:
        empty: World = ((),) * len(PLACES)
        self.worlds: dict[World, Fraction] = {(tuple(Counter(deck).elements()), *empty[1:]): Fraction(1)}

    def take(self, source: str, target: str, card: str | None = None) -> None:
        """Any card of a place goes to another; if it is named, only where it was this one."""
        at, to, after = PLACES.index(source), PLACES.index(target), Counter[World]()
        for world, weight in self.worlds.items():
            for number, each in enumerate(world[at]):
                if card in (None, each):
                    piles = list(world)
                    piles[at] = (*world[at][:number], *world[at][number + 1 :])
                    piles[to] = tuple(sorted((*piles[to], each)))
                    after[tuple(piles)] += weight / len(world[at])  # type: ignore[assignment]
        self.worlds = dict(after)  # type: ignore[arg-type]

    def see(self, place: str, cards: list[str]) -> None:
        """Only where the place has all these cards."""
        at = PLACES.index(place)
        self.worlds = {world: part for world, part in self.worlds.items() if Counter(cards) <= Counter(world[at])}

    def give(self, source: str, target: str, cards: list[str]) -> None:
        """These cards go, where the place has them."""
        self.see(source, cards)
        worlds, at, to = self.worlds, PLACES.index(source), PLACES.index(target)
        self.worlds = {}
        for world, part in worlds.items():
            piles = list(world)
            piles[at] = tuple(sorted((Counter(world[at]) - Counter(cards)).elements()))
            piles[to] = tuple(sorted((*world[to], *cards)))
            self.worlds[tuple(piles)] = self.worlds.get(tuple(piles), Fraction(0)) + part

    def move_unseen(self, source: str, target: str, count: int = 1) -> None:
        for _ in range(count):
            self.take(source, target)

    def turn_up(self, source: str, target: str, card: str) -> None:
        self.take(source, target, card)

    def shuffle(self, sources: Sequence[str] = (), target: str = "deck") -> None:  # noqa: ARG002
        """All that lies in no hand goes to the deck."""
        worlds, self.worlds = self.worlds, {}
        for (deck, row, open_ones, black, white, gone), part in worlds.items():
            world = (tuple(sorted((*deck, *row, *open_ones, *gone))), (), (), black, white, ())
            self.worlds[world] = self.worlds.get(world, Fraction(0)) + part

    def odds(self, place: str) -> dict[str, Fraction]:
        """The part of each card among the next ones."""
        at, found = PLACES.index(place), dict[str, Fraction]()
        for world, part in self.worlds.items():
            for card in world[at]:
                found[card] = found.get(card, Fraction(0)) + part / len(world[at])
        whole = sum(found.values())
        return {card: part / whole for card, part in found.items()}


def shares(odds: dict[str, int]) -> dict[str, Fraction]:
    return {card: Fraction(weight, sum(odds.values())) for card, weight in odds.items()}


def step(
    chance: random.Random, known: Knowledge | Seen, every: Every, truth: dict[str, list[str]], shuffles: int
) -> int:
    """One thing that happens to a real deck, told to both; how many shuffles are left."""
    kind = chance.choice(["draw", "draw", "turn", "play", "play", "see", "bury", "shuffle"])
    hand = chance.choice(["black", "white"])
    if kind == "shuffle" and shuffles:
        for place in ("row", "discards", "unseen"):
            truth["deck"] += truth.pop(place)
            truth[place] = []
        known.shuffle(["row", "discards", "unseen"], "deck")
        every.shuffle()
        return shuffles - 1
    source = "deck" if kind in {"draw", "turn"} else hand
    if kind == "shuffle" or not truth[source]:
        return shuffles
    cards = chance.sample(truth[source], 1 if kind in {"draw", "turn"} else chance.randint(1, min(2, len(truth[hand]))))
    target = {"draw": hand, "turn": "row", "play": "discards", "bury": "unseen", "see": hand}[kind]
    for card in cards:
        truth[source].remove(card)
        truth[target].append(card)
    if kind in {"draw", "bury"}:
        known.move_unseen(source, target, len(cards))
        for _ in cards:
            every.take(source, target)
    elif kind == "turn":
        known.turn_up(source, target, cards[0])
        every.take(source, target, cards[0])
    elif kind == "see":
        known.see(hand, cards)
        every.see(hand, cards)
    else:
        known.move(source, target, cards)
        every.give(source, target, cards)
    return shuffles


@cases("seed", range(short_or_soak(40, 150)))
def test_the_odds_are_those_of_all_arrangements_counted_one_by_one(seed: int) -> None:
    _odds_are_those_of_all_arrangements(seed)


def _odds_are_those_of_all_arrangements(seed: int) -> None:
    chance = random.Random(seed)
    deck = chance.choice(DECKS)
    known, every = Knowledge(Table(deck, PLACES, "deck")), Every(deck)
    truth: dict[str, Any] = {place: [] for place in PLACES} | {"deck": list(Counter(deck).elements())}
    left = 2
    for _ in range(16):
        left = step(chance, known, every, truth, left)
        assert known.is_exact, "what really happened is always possible"
        for place in PLACES:
            assert shares(known.odds(place)) == every.odds(place), place


def test_the_count_by_hand_agrees_with_every_order_of_a_deck() -> None:
    """Two of three cards are drawn unseen, and a BARI is played of them: what can the last one be?"""
    known = Knowledge(Table({"BARI": 2, "COCO": 1}, PLACES, "deck"))
    known.move_unseen("deck", "black", 2)
    known.move("black", "discards", ["BARI"])
    last = Counter(order[2] for order in permutations(["BARI", "BARI", "COCO"]) if "BARI" in order[:2])
    assert shares(known.odds("deck")) == {card: Fraction(count, 6) for card, count in last.items()}


def test_a_contradiction_leaves_nothing_known() -> None:
    known = Knowledge(Table({"BARI": 2, "COCO": 2}, PLACES, "deck"))
    known.turn_up("deck", "row", "COCO")
    known.turn_up("deck", "row", "COCO")
    assert known.odds("deck") == {"BARI": 1}
    known.turn_up("deck", "row", "COCO")
    assert not known.is_exact
    assert known.odds("deck") == {}


def test_what_is_certain_is_told_as_certain() -> None:
    """Of A, B and C two are put away unseen, then C is played. So A and B are away, and the deck holds D.

    By bounds, which forget that, A, B and D were alike: one in three each.
    """
    known = Knowledge(Table(dict.fromkeys("ABCD", 1), PLACES, "deck"))
    for card in "ABC":
        known.turn_up("deck", "black", card)
    known.move_unseen("black", "unseen", 2)
    known.move("black", "discards", ["C"])
    assert known.odds("deck") == {"D": 1}


def test_a_game_can_be_shuffled_any_number_of_times() -> None:
    """One card is drawn before each shuffle, and put away unseen: all that is told fits in a few arrangements."""
    known = Knowledge(Table({"A": 2, "B": 1}, PLACES, "deck"))
    for _ in range(60):
        known.move_unseen("deck", "black", 2)
        known.move_unseen("black", "unseen")
        known.shuffle(["unseen"], "deck")
        known.move_unseen("black", "discards")
        known.shuffle(["discards"], "deck")
    assert (known.is_exact, known.odds("deck"), len(known)) == (True, {"A": 2, "B": 1}, 1)


DEALT = {"black": "aabc", "white": "aabd"}
SIX = {"a": 4, "b": 2, "c": 2, "d": 2}


def put_away(known: Knowledge | Every) -> None:
    """Each puts two of four known cards away unseen; all but hands is shuffled, and cards are drawn from it.

    Then rare cards turn out to be in the hands.
    """
    for hand, cards in DEALT.items():
        for card in cards:
            known.turn_up("deck", hand, card)
    for hand in DEALT:
        known.move_unseen(hand, "unseen", 2)
    known.shuffle(["row", "discards", "unseen"], "deck")
    for place, count in (("black", 2), ("white", 1), ("row", 1)):
        known.move_unseen("deck", place, count)
    for hand, cards in (("black", "a"), ("white", "a"), ("black", "bc"), ("white", "b")):
        known.see(hand, list(cards))


def weights_of(known: Knowledge, place: str) -> dict[str, Fraction]:
    """The weight of each card of a place, which is not compared with those of others yet."""
    at, found = known._at[place], dict[str, Fraction]()
    for each, weight in known._weights.items():
        for card, part, whole in steps.kinds(each, each[at]):
            found[card] = found.get(card, Fraction(0)) + Fraction(weight * part, known._whole * whole)
    return found


@pytest.mark.slow
def test_a_sample_that_is_ruled_out_is_drawn_again_without_bias() -> None:
    """The odds of all samples together, with their weights, are as near to the exact ones as chance allows."""
    every, samples = Every(SIX), 300
    put_away(every)
    exact, found, again = every.odds("row"), list[dict[str, Fraction]](), 0
    for seed in range(samples):
        known = Knowledge(Table(SIX, PLACES, "deck"), 2, seed=str(seed))
        put_away(known)
        assert known.is_exact or known.sample
        again += known._most > 2
        found.append(weights_of(known, "row"))
    assert again > samples / 6, "else nothing is shown"
    for card in SIX:
        off = [float(each.get(card, 0) - exact.get(card, 0) * sum(each.values())) for each in found]
        assert abs(sum(off)) <= 4.5 * sum(one * one for one in off) ** 0.5 + 1e-9, card


def test_a_contradiction_is_not_drawn_again() -> None:
    """Nothing is sampled yet, so more arrangements would not help."""
    known = Knowledge(Table({"a": 1, "b": 1}, PLACES, "deck"), 10)
    known.turn_up("deck", "row", "a")
    known.turn_up("deck", "row", "a")
    assert (known.is_exact, known.sample, known._most) == (False, 0, 10)


class Seen:
    """What is possible, told by the same calls as the weights are."""

    def __init__(self, deck: dict[str, int], most: int = 5_000, *, mixes: bool = False) -> None:
        self.possible = Possibilities(Table(deck, PLACES, "deck", ("row", "discards", "unseen"), most, mixes=mixes))
        self.is_exact = True

    def tell(self, source: str, target: str, *cards: str | None) -> None:
        self.possible = self.possible.after(Fact(1, source, target, cards))

    def shuffle(self, sources: list[str], target: str) -> None:
        assert sources == ["row", "discards", "unseen"]
        self.tell(SHUFFLED, target)

    def move_unseen(self, source: str, target: str, count: int) -> None:
        self.tell(source, target, *(None,) * count)

    def turn_up(self, source: str, target: str, card: str) -> None:
        self.tell(source, target, card)

    def see(self, place: str, cards: list[str]) -> None:
        self.tell(place, place, *cards)

    def move(self, source: str, target: str, cards: list[str]) -> None:
        self.tell(source, target, *cards)

    def can_be(self, place: str, *cards: str) -> bool:
        return bool(self.possible.after(Fact(1, place, place, cards)))


@cases("kept", ["all", "mixed", "pooled"])
@cases("seed", range(short_or_soak(12, 40)))
def test_what_is_possible_is_what_some_arrangement_has(seed: int, kept: str) -> None:
    """Every card and every two cards in every place, after each step: as in all arrangements, looked at one by one.

    If two arrangements are too many already, more may count as possible, but never less.
    """
    chance = random.Random(seed)
    deck = chance.choice(DECKS)
    seen, every = Seen(deck, 1 if kept == "pooled" else 5_000, mixes=kept != "all"), Every(deck)
    truth: dict[str, Any] = {place: [] for place in PLACES} | {"deck": list(Counter(deck).elements())}
    left, pairs = 2, list(combinations_with_replacement(deck, 2))
    for _ in range(12):
        left = step(chance, seen, every, truth, left)
        assert seen.possible, "what really happened is always possible"
        for place, at in zip(PLACES, zip(*every.worlds, strict=True), strict=True):
            for cards in ((card,) for card in deck), pairs:
                for some in cards:
                    has = any(Counter(some) <= Counter(world) for world in at)
                    told = seen.can_be(place, *some)
                    assert told >= has if kept == "pooled" else told == has, (place, some)


def test_too_many_arrangements_contradict_nothing() -> None:
    seen = Seen({"a": 1, "b": 1, "c": 1}, most=1)
    for card in "ab":
        seen.turn_up("deck", "black", card)
    seen.move_unseen("black", "unseen", 1)
    assert not seen.possible.are_known
    assert seen.can_be("black", "c")


MANY = dict.fromkeys("abcdefgh", 1) | dict.fromkeys("ijklmnop", 2)


def shuffled_often(known: Knowledge | Seen, times: int) -> None:
    """Both players draw before each shuffle, and put cards away unseen: so piles lie in each other. Then two j come."""
    for card in "abcdefgh":
        known.turn_up("deck", "black", card)
    for _ in range(times):
        for hand in ("black", "white"):
            known.move_unseen("deck", hand, 3)
            known.move_unseen(hand, "unseen", 2)
            known.move_unseen(hand, "discards", 1)
        known.shuffle(["row", "discards", "unseen"], "deck")
    for card in "jjkl":
        known.turn_up("deck", "row", card)


def test_what_is_possible_after_many_shuffles_is_told_at_once() -> None:
    """It is pooled. A card that lies open is still nowhere else."""
    seen = Seen(MANY, mixes=True)
    shuffled_often(seen, 60)
    assert seen.possible.are_known
    assert not seen.can_be("black", "j")
    assert seen.can_be("black", "k")


def test_odds_after_many_shuffles_come_from_a_sample() -> None:
    known = Knowledge(Table(MANY, PLACES, "deck"), 20)
    shuffled_often(known, 6)
    assert known.sample
    assert "j" not in known.odds("deck")
    assert "k" in known.odds("deck")


def test_odds_are_exact_where_piles_lie_too_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slots are decided then: all parts of them are kept, so nothing is lost as long as there is room."""
    monkeypatch.setattr(steps, "MOST_WAYS", 1)
    monkeypatch.setattr(arrangements, "FEW_PILES", 0)
    for seed in range(short_or_soak(12, 40)):
        _odds_are_those_of_all_arrangements(seed)


@pytest.mark.parametrize(("most", "stay"), [(100, 3), (2, 2), (0, 1)])
def test_courses_are_cached_while_they_are_small_and_the_newest_always(
    most: int, stay: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of these has two arrangements: before and after a card was drawn."""
    monkeypatch.setattr(course, "RECENT", Recent[Course](8, most_size=most, size=course.RECENT._size))
    words: list[tuple[int, Any]] = [(1, ("deck", "black", (None,), None))]
    made = [Course.for_words(Table({"a": number, "b": 1}, PLACES, "deck"), FactTeller, words) for number in (1, 2, 3)]
    assert [course.arrangements for course in made] == [2, 2, 2]
    assert made[::-1][:stay] == [*course.RECENT]


def told_by_chance(seed: int) -> Iterator[Fact]:
    """Facts of a few cards, as they could be noted: drawn, put away, shown in a hand, or shuffled."""
    chance = random.Random(seed)
    real: dict[str, list[str]] = {"deck": list("aabbcd"), "one": [], "two": [], "gone": []}
    for version in range(1, 13):
        chance.shuffle(real["deck"])
        what, hand = chance.choice(("draw", "draw", "away", "away", "see", "shuffle")), chance.choice(("one", "two"))
        if what == "shuffle":
            real["deck"] += real["gone"]
            real["gone"] = []
            yield Fact(version, SHUFFLED, "deck")
            continue
        source, to = {"draw": ("deck", hand), "away": (hand, "gone"), "see": (hand, hand)}[what]
        if real[source]:
            card = chance.choice(real[source])
            real[source].remove(card)
            real[to].append(card)
            yield Fact(version, source, to, (card if what == "see" or chance.random() < 0.5 else None,))


def test_pooled_arrangements_miss_a_contradiction_at_times_and_invent_none() -> None:
    """With more arrangements than a table keeps, a message about cards can be missing. None is wrong."""
    questions = [[Fact(99, place, place, (card,))] for place in ("one", "two") for card in "abcd"]
    questions += [[*one, *two] for one in questions[:4] for two in questions[4:]]
    noticed = missed = 0
    for seed in short_or_soak((88, 89, 90), range(500)):
        whole, pooled = (
            Possibilities(
                Table({"a": 2, "b": 2, "c": 1, "d": 1}, ("deck", "one", "two", "gone"), "deck", ("gone",), most)
            )
            for most in (5_000, 1)
        )
        for fact in told_by_chance(seed):
            whole, pooled = whole.after(fact), pooled.after(fact)
            for told in questions:
                allows = whole.allows(told)
                assert pooled.allows(told) or not allows, (seed, told)
                noticed += not pooled.allows(told)
                missed += pooled.allows(told) and not allows
    assert 0 < missed < noticed / 20
