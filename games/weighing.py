"""What can be known of hidden cards, for deals: exact shares of positive weights only.

`games/knowledge` counts arrangements, some with negative weights for what others count twice. Here arrangements are
split by the slots that hold a seen card instead. So all weights are positive, and each arrangement can be dealt.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter, deque
from functools import partial
from itertools import accumulate
from math import comb
from typing import TYPE_CHECKING, Any, Protocol

from games.chance import lot_of
from games.knowledge import LOOKED_FOR, SEARCHED, Knowledge
from games.knowledge.arrangements import holding_of, kinds_of, normal_form, slots_in, with_card_moved

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from games.contract import Chance
    from games.knowledge import Fact, Table, Teller
    from games.knowledge.arrangements import Arrangement, Holding, Item
    from games.knowledge.shares import Step

    class DealTeller(Teller, Protocol):
        """Also says whether chance brought the cards that come from the deck, or somebody chose them."""

        def is_chance(self, word: Any) -> bool:
            """Whether the cards of a word are the next ones of the deck."""


Part = tuple[float, "Arrangement"]
"""A share of an arrangement's weight, and the arrangement that gets it."""
MOST, MOST_STACKED = 2_000, 200
"""The most arrangements to deal cards from. With stacks each takes far more time."""
MOST_PILES = 5
"""The most piles of an arrangement with stacks: with more, a seen card can make thousands of arrangements."""


class DealKnowledge(Knowledge):
    """Arrangements with positive weights only. If there `are_too_many`, nothing is known any more."""

    def __init__(self, table: Table, *, seed: str = "") -> None:
        """Only the cards are known. Weights need not be exact, because none is negative."""
        super().__init__(table, MOST_STACKED if table.stacks else MOST, seed=seed)
        self._weights = dict.fromkeys(self._weights, 1.0)  # type: ignore[arg-type]
        self._stacks = {stack[0]: stack for stack in table.stacks}
        self.are_too_many = False

    def follow(self, teller: DealTeller, version: int, word: Any) -> None:
        """Learn the facts of a word: a move, an adjustment or a shuffle."""
        for fact in teller.facts_of(version, word):
            if stack := self._stacks.get(fact.source.removeprefix(SEARCHED)):
                self._leave(stack, fact)
            elif fact.source.startswith(LOOKED_FOR):
                self.look_for(fact)
            elif teller.is_chance(word) or not fact.source or fact.source == fact.to:
                deque(self.learn(fact), maxlen=0)
            else:
                self.take(fact)

    def _leave(self, stack: Sequence[str], fact: Fact) -> None:
        """Learn that cards left a stack: its next ones, or those that somebody looked for."""
        is_search = fact.source.startswith(SEARCHED)
        for card in fact.cards:
            if card:
                (self.search if is_search else self.draw)(stack, fact.to, card)
            else:
                (self.search_unseen if is_search else self.draw_unseen)(stack, fact.to)

    def odds_before(self, card: str | None, *stack: str) -> dict[str, int]:  # noqa: ARG002
        """No odds: deals do not need them."""
        return {}

    def move(self, source: str, target: str, cards: Sequence[str]) -> None:
        """As `Knowledge.move`, with all cards seen at once, which makes fewer arrangements."""
        self.see(source, cards)
        super().move(source, target, cards)

    def see(self, place: str, cards: Sequence[str]) -> None:
        """Learn that a place has these cards, and split arrangements by the slots that hold them."""
        if cards:
            step: Any = partial(_having, at=self._at[place], cards=Counter(cards))
            self._replace(step)

    def search(self, stack: Sequence[str], target: str, card: str) -> None:
        """As `Knowledge.search`, with arrangements split by the slots that hold the card."""
        step: Any = partial(_found, places=self.numbers(stack), to=self._at[target], card=card)
        self._replace(step)

    def weights(self) -> Mapping[Arrangement, float]:
        """The weight of each arrangement, piles after places."""
        return self._weights

    def dealer(self, places: Sequence[str]) -> WeighedDeals:
        """The dealer of the cards of these places, by what is known now."""
        return WeighedDeals(self.weights(), self.numbers(places))

    def _replace(self, step: Step) -> None:
        self._take(step)

    def _take_once(self, step: Step) -> None:
        weights, places = dict[Any, float](), len(self._at)
        for before, weight in self._weights.items():
            for part, parts, after in step(before):
                each = after if len(after) == len(before) else normal_form(after, places)
                weights[each] = weights.get(each, 0.0) + weight * (part / parts)
            if len(weights) > self._most or (self._stacks and max(map(len, weights), default=0) > places + MOST_PILES):
                self.are_too_many, weights = True, {}
                break
        whole = sum(weights.values())
        self._weights = {each: weight / whole for each, weight in weights.items()}  # type: ignore[misc]


class WeighedDeals:
    """Deals the hidden cards of some places, any number of times. It never changes."""

    def __init__(self, weights: Mapping[Arrangement, float], places: Sequence[int]) -> None:
        """Take the arrangements of these places. If nothing is known, there are none."""
        self._places = places
        self._arrangements, self._ends = list(weights), list(accumulate(weights.values()))

    def __len__(self) -> int:
        """The number of arrangements: 0 if nothing is known."""
        return len(self._arrangements)

    def deal(self, chance: Chance) -> list[list[str]]:
        """Deal cards to each place by chance."""
        return dealt_cards(self._arrangements[self._picked(chance)], self._places, chance)

    def _picked(self, chance: Chance) -> int:
        """The index of an arrangement, drawn by weight."""
        last = len(self._ends) - 1
        lot = lot_of(chance) * self._ends[-1] if last else 0.0
        return min(bisect(self._ends, lot), last)


def dealt_cards(each: Arrangement, places: Sequence[int], chance: Chance) -> list[list[str]]:
    """The cards of some places in an arrangement. The slots of a pile get its cards by chance, each card once."""
    lying: dict[int, list[Item]] = {}

    def cards(held: Holding) -> list[str]:
        found: list[str] = []
        for item, count in held:
            if isinstance(item, str):
                found += [item] * count
                continue
            if item not in lying:
                left = [inner for inner, copies in each[item] for _ in range(copies)]
                lying[item] = chance.sample(left, min(len(left), _slots_of(each, item)))
            for _ in range(count):
                inner = lying[item].pop()
                found += [inner] if isinstance(inner, str) else cards(((inner, 1),))
        return found

    return [cards(each[at]) for at in places]


def _slots_of(each: Arrangement, pile: int) -> int:
    """The number of slots of a pile."""
    return sum([count for held in each for item, count in held if item == pile])


def _having(each: Arrangement, at: int, cards: Counter[str]) -> Iterator[tuple[float, int, Arrangement]]:
    """Split an arrangement by the slots of a place that hold these cards; only parts with at least these cards.

    Yields parts as steps of `Knowledge` do: with a denominator, which is 1 here.
    """
    found = [(1.0, each)]
    for card, count in cards.items():
        found = [
            (part * share, after)
            for part, before in found
            for share, after in _told_apart(before, at, card, count)
            if _lacking(after[at], cards) <= slots_in(after[at])
        ]
    yield from ((part, 1, after) for part, after in found)


def _found(each: Arrangement, places: Sequence[int], to: int, card: str) -> Iterator[tuple[float, int, Arrangement]]:
    """Split an arrangement by the first of some places that has a card. The card goes to another place."""
    lacking = [(1.0, each)]
    for at in places:
        apart = [(part * share, after) for part, before in lacking for share, after in _told_apart(before, at, card)]
        lacking = [(part, after) for part, after in apart if card not in dict(after[at])]
        having = ((part, after) for part, after in apart if card in dict(after[at]))
        yield from ((part, 1, with_card_moved(after, at, to, card)) for part, after in having)


def _lacking(held: Holding, cards: Counter[str]) -> int:
    """How many of these cards are not among the named cards of a place."""
    return sum([max(0, count - dict(held).get(card, 0)) for card, count in cards.items()])


def _told_apart(each: Arrangement, at: int, card: str, least: int = 0) -> list[Part]:
    """Split an arrangement until no slot of a place can be `card`; only parts with at least `least` of it."""
    if dict(each[at]).get(card, 0) >= least > 0:
        return [(1.0, each)]
    found = [(1.0, each)]
    for item, _ in each[at]:
        if isinstance(item, int) and card in kinds_of(each, item):
            found = [(part * share, after) for part, before in found for share, after in _split(before, at, item, card)]
    return [(part, after) for part, after in found if dict(after[at]).get(card, 0) >= least]


def _split(each: Arrangement, at: int, pile: int, card: str) -> Iterator[Part]:
    """Split an arrangement by the number of a pile's slots in a place that are `card`."""
    for part, before in _told_apart(each, pile, card):
        held, slots = dict(before[pile]), dict(before[at])[pile]
        copies = held.pop(card, 0)
        if not copies:
            yield part, before
            continue
        others = sum(held.values())
        whole = comb(others + copies, slots)
        for number in range(max(0, slots - others), min(slots, copies) + 1):
            share = comb(copies, number) * comb(others, slots - number) / whole
            yield part * share, _with_slots_taken(before, at, pile, card, number)


def _with_slots_taken(each: Arrangement, at: int, pile: int, card: str, count: int) -> Arrangement:
    """The arrangement with `count` slots of a pile in a place being `card`.

    The others are slots of a pile without it.
    """
    here, left = dict(each[at]), dict(each[pile])
    slots, copies = here.pop(pile) - count, left.pop(card)
    rest: dict[Item, int] = {card: copies - count, len(each): sum(left.values()) - slots}
    here |= {card: here.get(card, 0) + count, len(each): slots}
    found = [*each, holding_of(left)]
    found[at], found[pile] = holding_of(here), holding_of(rest)
    return tuple(found)
