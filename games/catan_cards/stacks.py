"""The stacks of expansion cards, and the knowledge of their cards."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

import msgspec

from games.catan_cards.components import ACTIONS, STACKS, UNITS
from games.hidden import certain_after_losing, removed
from games.knowledge import SEARCHED, Fact, Table
from games.seen_cards import PLAYERS, FactTeller

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.seen_cards import Told

BOX, OPEN = "box", "open"
"""The place of all cards before the deal; and the place of built and used cards."""
HANDS = ("hand-1", "hand-2")
STACK_PILES = tuple(f"stack-{number + 1}" for number in range(STACKS))
"""The names of hands and stacks in rulings. A stack's name is also the place of its cards from the deal."""
TAKEN_BY_SPIES = UNITS | ACTIONS
"""The kinds of card that a Spy looks for (catan_cards:Q19)."""
MOST = 200
"""The most arrangements of cards that are looked at. With more, one that allows them all replaces them."""
DEPTH = 8
"""The number of places that are added to stacks at a time."""


class Group(msgspec.Struct, frozen=True):
    """Cards that entry `version` put under a stack together, in any order; None is any card.

    Seat `seer` saw them, or both `PLAYERS`, or nobody. After a card that contradicts the order, the record does not
    rely on the group any more: `doubters` is set then, and names the players who saw that card.
    """

    version: int
    cards: tuple[str | None, ...]
    seer: int | None
    doubters: tuple[int, ...] | None = None

    def relies_on_order(self, seat: int | None) -> bool:
        """Whether a player saw the cards, and no card that contradicts their order."""
        return seat is not None and self.seer in (PLAYERS, seat) and seat not in (self.doubters or ())

    def contradicts(self, card: str | None) -> bool:
        """Whether this card is certainly not in the group."""
        return card is not None and card not in self.cards and None not in self.cards

    def groups_without(self, card: str | None, seat: int | None) -> list[Group]:
        """The group after a draw that only one player saw; empty if it was the last card."""
        if len(self.cards) == 1:
            return []
        left: list[str | None] = [None] * (len(self.cards) - 1)
        if card in self.cards:
            left = list(self.cards)
            left.remove(card)
        seer = seat if self.seer in (PLAYERS, seat) else None
        return [msgspec.structs.replace(self, cards=tuple(left), seer=seer)]

    def seen(self, seat: int | None) -> Group:
        """The group as a player knows it; `seat` is None for the public."""
        return Group(self.version, self.cards if self.relies_on_order(seat) else (None,) * len(self.cards), self.seer)

    def doubted_by(self, seats: tuple[int, ...]) -> Group:
        """The group when these players and the record do not rely on it any more."""
        return msgspec.structs.replace(self, doubters=(*(self.doubters or ()), *seats))


class Stack(msgspec.Struct):
    """A face-down stack of expansion cards: its size, and its known cards.

    `under` is the greatest possible number of cards that were put under it. While the stack has more cards, the top one
    is from the deal. `sure` are the cards that are certainly in it, by all notes. Players know less: `known` has, by
    seat, the cards that only this player is certain of; `common` has those that both are. `order` are its lowest cards
    since the last search, the upper ones first.
    """

    size: int = 0
    under: int = 0
    known: list[list[str]] = []
    common: list[str] = []
    sure: list[str] = []
    order: list[Group] = []

    def next_group(self, seat: int) -> Group | None:
        """The group of the next card for a player; None if its cards are not known, or not relied on."""
        first = self._next_group()
        if first is None or None in first.cards:
            return None
        return first if first.doubters is None or first.relies_on_order(seat) else None

    def _next_group(self) -> Group | None:
        """The group of the top card; None while cards without an order lie above."""
        if not self.order or self.size > self.under or self.size > self.count_in_order():
            return None
        return self.order[0]

    def count_in_order(self) -> int:
        """The number of the lowest cards that are in order."""
        return sum([len(group.cards) for group in self.order])

    def covered_cards(self) -> list[str]:
        """The known cards that lie under others, so that they cannot be the top one."""
        first = self._next_group()
        return [card for group in self.order if group is not first for card in group.cards if card]

    def is_doubted(self) -> bool:
        """Whether a drawn card contradicted the order."""
        return any(group.doubters is not None for group in self.order)

    def follow(self, seat: int | None, card: str | None, *, top: bool) -> None:
        """Update the order for a card that is about to leave; only this player sees it.

        A search ends all knowledge of the order. A card that contradicts the order makes a player who saw it doubt the
        rest. The other player cannot notice.
        """
        if not top:
            self.order = []
        elif first := self._next_group():
            later = self.order[1:]
            if first.contradicts(card):
                saw = (seat,) if seat is not None and first.relies_on_order(seat) else ()
                if saw or first.doubters is None:
                    later = [group.doubted_by(saw) for group in later]
            self.order = [*first.groups_without(card, seat), *later]

    def put(self, seers: Sequence[int], card: str | None) -> None:
        """Put a card under the stack; None is a card that was not noted. `seers` are the seats that see it."""
        self.size += 1
        self.under += 1
        if card is None:
            return
        insort(self.sure, card)
        if len(seers) == len(self.known):
            insort(self.common, card)
        else:
            for seat in seers:
                insort(self.known[seat], card)

    def take(self, seers: Sequence[int], card: str | None, *, top: bool) -> None:
        """Take a card from the top, or from anywhere. Knowledge of cards that may have left is dropped."""
        certain = top and self.size > self.under
        self.size -= 1
        self.under = min(self.under, self.size)
        if certain or not (self.sure or self.common or any(self.known)):
            return
        told = [
            _cards_left(cards + self.common, card if seat in seers else None) for seat, cards in enumerate(self.known)
        ]
        self.common = _cards_left(self.common, card if len(seers) == len(self.known) else None)
        self.known = [removed(cards, self.common) for cards in told] if self.common else told
        self.sure = _cards_left(self.sure, card)

    def seen(self, seat: int | None) -> Stack:
        """The stack as a player knows it; `seat` is None for the public."""
        if seat is None:
            return Stack(
                self.size, self.under, [[] for _ in self.known], order=[group.seen(None) for group in self.order]
            )
        known = [cards.copy() if seat == owner else [] for owner, cards in enumerate(self.known)]
        order = [group.seen(seat) for group in self.order]
        return Stack(self.size, self.under, known, self.common.copy(), sorted(self.known[seat] + self.common), order)

    def misleads_player(self) -> bool:
        """Whether a player believes a card to be in it that is not certainly there."""
        for known in self.known:  # noqa: SIM110  a generator is a call more for each player
            if (known or self.common) and removed(known + self.common, self.sure):
                return True
        return False

    def known_by(self) -> tuple[list[str], ...]:
        """The known cards for each seat, for the public, and for what both players know."""
        first, second = self.known
        return first + self.common, second + self.common, [], self.common

    def is_known_to(self, seats: Sequence[int]) -> bool:
        """Whether all these players know a card of it, be it by the order of the cards alone."""
        if self.common or (len(seats) == 1 and self.known[seats[0]]):
            return True
        for group in self.order:  # noqa: SIM110  a comprehension is a call more
            if any(group.cards) and all(map(group.relies_on_order, seats)):
                return True
        return False

    def is_any_known(self) -> bool:
        """Whether a card is known by all notes, be it by the order of the cards alone."""
        return bool(self.sure) or any(any(group.cards) for group in self.order)

    def known_cards(self) -> list[str]:
        """The cards that are known to be in the stack."""
        return self.sure

    def reachable(self) -> list[str]:
        """The known cards, if one of them can be the top card; else none."""
        return self.sure if self.size <= self.under else []


class StackTeller(FactTeller):
    """Makes facts of sightings, with a place of its own for each group of cards under a stack."""

    def __init__(self) -> None:
        """Nothing was put under a stack."""
        super().__init__()
        self._under: Mapping[str, int] = {}

    def facts_of(self, version: int, word: Told | list[Told]) -> Sequence[Fact]:
        """The facts of an entry's sightings."""
        return [self._placed(fact) for fact in super().facts_of(version, word)]

    def _placed(self, fact: Fact) -> Fact:
        if not is_put_under(fact.source, fact.to):
            return fact
        self._under = {**self._under, fact.to: self._under.get(fact.to, 0) + 1}
        return fact._replace(to=place_under(fact.to, self._under[fact.to]))


def is_put_under(source: str, to: str) -> bool:
    """Whether a move puts cards under a stack. The deal does not: it makes the stacks."""
    return to in STACK_PILES and source != BOX


def stack_of(place: str) -> str:
    """The stack of a searched place; other places stay."""
    return place.removeprefix(SEARCHED)


def draw_sighting(seat: int, stack: int, cards: Sequence[str], *, top: bool) -> list[Told]:
    """The sighting of cards that move from a stack to a hand: from the top, or from anywhere."""
    place = STACK_PILES[stack - 1]
    return [(place if top else SEARCHED + place, HANDS[seat], tuple(cards), None)]


def place_under(pile: str, number: int) -> str:
    """The place of the group of cards that was put under a stack as number 1, 2 …"""
    return f"{pile}/{number}"


def table_of(copies: Mapping[str, int], told: Sequence[tuple[int, Told]], *, mixes: bool) -> Table:
    """The cards, and the places of all groups of cards under stacks."""
    under = Counter([to for _, (source, to, _, _) in told if to in STACK_PILES and source != BOX])
    places, stacks = _places(max(under.values(), default=0) // DEPTH + 1)
    return Table(copies, places, BOX, (), MOST, stacks, mixes=mixes, wanted=TAKEN_BY_SPIES)


@cache
def _places(steps: int) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """All places, and the places of each stack; a step makes stacks `DEPTH` places deeper."""
    deep = range(1, steps * DEPTH + 1)
    stacks = tuple((pile, *(place_under(pile, number) for number in deep)) for pile in STACK_PILES)
    return (BOX, OPEN, *HANDS, *chain.from_iterable(stacks)), stacks


def _cards_left(cards: list[str], card: str | None) -> list[str]:
    """The cards that are certainly left after this one went; None is any card."""
    return certain_after_losing(cards, 1) if card is None else removed(cards, [card])
