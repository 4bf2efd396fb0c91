"""The arrangements that fit what was seen, without weights: whether a card can be in a place."""

from __future__ import annotations

from collections import Counter
from copy import copy
from functools import reduce
from itertools import islice
from operator import and_
from typing import TYPE_CHECKING

from games.knowledge import shares
from games.knowledge.arrangements import (
    FEW_PILES,
    Item,
    gathered,
    holding_of,
    is_deep,
    items_of_places,
    kinds_of,
    laid_out,
    moved_unseen,
    normal_form,
    opening,
    shuffled,
    with_card_moved,
    with_held,
    with_item,
    without_item,
)
from games.knowledge.facts import DRAWN, LOOKED_FOR, SEARCHED, SHUFFLED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from games.knowledge.arrangements import Arrangement, Arrangements, Holding
    from games.knowledge.facts import Fact, Table

MOST_MIDWAY = 5
"""During a fact, there can be this many times the table's `most` arrangements."""
FIRST = 8
"""The number of arrangements that are tried one by one for one that fits facts."""
FEW = 20
"""With more arrangements, each is brought into its normal form, to find equal ones."""


MOST_WAYS = 12
"""The most ways from a slot through nested piles to a card. With more, arrangements are pooled."""


class Possibilities:
    """The arrangements that fit all facts, without weights, to check whether any fits.

    It never changes: `after` makes new possibilities. With more arrangements than the table keeps, anything counts as
    possible. If the table `mixes`, a place still has the cards that it has in all of them.
    """

    __slots__ = ("_all", "_at", "_kinds_at", "_layers", "_table", "are_known")

    def __init__(self, table: Table) -> None:
        """Only the cards are known."""
        self._table, self.are_known = table, True
        self._at = {place: number for number, place in enumerate(table.places)}
        self._layers = [[self._at[place] for place in stack] for stack in table.stacks]
        self._all = {opening(table): None}
        self._kinds_at: dict[int, set[str]] = {}

    def __bool__(self) -> bool:
        """Whether any arrangement fits; True if there were too many."""
        return bool(self._all) or not self.are_known

    def __len__(self) -> int:
        """The number of arrangements; 0 if there were too many."""
        return len(self._all)

    def example(self) -> tuple[dict[str, list[list[str | None]]], dict[str, int]]:
        """The cards of each place in one arrangement, in groups from the top of a stack, and all unseen cards.

        None is any card that nobody has seen. It works only before a shuffle.
        """
        first = min(self._all, key=repr)
        places = self._table.places
        below = {place: stack[0] for stack in self._table.stacks for place in stack}
        groups: dict[str, list[list[str | None]]] = {}
        *lying, left = laid_out(first, len(places))
        for place, cards in zip(places, lying, strict=True):
            found = groups.setdefault(below.get(place, place), [])
            if cards or not found:
                found.append(cards)
        for found in groups.values():
            found[:] = [group for group in found if group] or [[]]
        return groups, dict.fromkeys(self._table.cards, 0) | Counter(filter(None, left))

    def after(self, fact: Fact) -> Possibilities:
        """The possibilities after a further fact."""
        found = self._with_arrangements({})
        if self.are_known:
            found._all = dict.fromkeys(self._told(self._all, fact))
            if self._table.mixes:
                most, are_many = len(self._table.places) + FEW_PILES, len(found._all) > FEW
                tidied = (self._normal_form(each) if are_many or len(each) > most else each for each in found._all)
                found._all = dict.fromkeys(tidied)
                if len(found._all) > self._table.most or any(
                    is_deep(each, len(self._at), MOST_WAYS) for each in found._all
                ):
                    found._all = {self._normal_form(self._pooled(found._all)): None}
            if len(found._all) > self._table.most:
                found._all, found.are_known = {}, False
        return found

    def allows(self, told: Sequence[Fact]) -> bool:
        """Whether an arrangement fits these facts. One is enough, so this is quicker than `after`."""
        return any(self._fitting(each, told) for each in self._all)

    def first_way(self, told: Sequence[Fact]) -> Possibilities | None:
        """A single arrangement after these facts, found among the first few; None if they fit none of those."""
        for each in islice(self._all, FIRST):
            for after in self._fitting(each, told):
                return self._with_arrangements({after: None})
        return None

    def _fitting(self, each: Arrangement, told: Sequence[Fact]) -> Collection[Arrangement]:
        found: Collection[Arrangement] = (each,)
        for fact in told:
            found = dict.fromkeys(self._told(found, fact))
        return found

    def first_only(self) -> Possibilities:
        """The possibilities of one arrangement only, if they are known."""
        return self._with_arrangements(dict.fromkeys(islice(self._all, 1)))

    def one_after(self, fact: Fact) -> Possibilities | None:
        """The possibilities of one arrangement after a further fact; None if it fits none."""
        found = self._told(self._all, fact)
        return self._with_arrangements(dict.fromkeys(islice(found, 1))) if found else None

    def kinds_in(self, place: str) -> set[str]:
        """The kinds of card that a place can have."""
        at = self._at[place]
        if at not in self._kinds_at:
            self._kinds_at[at] = {kind for each in self._all for item, _ in each[at] for kind in kinds_of(each, item)}
        return self._kinds_at[at]

    def _with_arrangements(self, arrangements: Arrangements) -> Possibilities:
        """Possibilities with these arrangements of the same cards."""
        found = copy(self)
        found._all, found._kinds_at = arrangements, {}
        return found

    def _told(self, every: Collection[Arrangement], fact: Fact) -> Collection[Arrangement]:
        """The arrangements after a fact."""
        found = self._gathered(every, fact.gathered) if fact.gathered else every
        if fact.source == SHUFFLED:
            places, to = {self._at[place] for place in self._table.shuffled}, self._at[self._table.deck]
            return [shuffled(each, {*places, to}, to) for each in found]
        for stack in self._table.stacks:
            if fact.source.removeprefix(SEARCHED) == stack[0]:
                return self._out_of_stack(every, stack, fact)
        if fact.source.startswith(LOOKED_FOR):
            return self._looked_for(every, fact)
        at, to = self._at[fact.source], self._at[fact.to]
        if at == to:
            return self._holding(found, at, fact.named())
        aside = self._at[self._table.deck]
        steps: list[tuple[int, int, Sequence[str | None]]] = [(at, to, sorted(fact.cards, key=_unseen_last))]
        if fact.stay:
            steps = [(at, aside, fact.stay), *steps, (aside, at, fact.stay)]
        for start, end, cards in steps:
            for name in cards:
                found = self._fewer(
                    {after: None for each in found for after in self._after_move(each, start, end, name)}
                )
        return found

    def _holding(self, every: Collection[Arrangement], at: int, cards: Sequence[str]) -> Collection[Arrangement]:
        """The arrangements with these cards in a place."""
        for card, count in Counter(cards).items():
            for number in range(1, count + 1):
                every = self._fewer(
                    {after: None for each in every for after in _holding_so_many(each, at, card, number)}
                )
        return every

    def _looked_for(self, every: Collection[Arrangement], fact: Fact) -> Collection[Arrangement]:
        """The arrangements after somebody looked in a place for certain kinds of card."""
        at, to, kinds = self._at[fact.source.removeprefix(LOOKED_FOR)], self._at[fact.to], self._table.wanted
        if not fact.cards:
            return dict.fromkeys(after for each in every for _, _, after in shares.none_of(each, at, kinds))
        for _ in fact.cards:
            every = self._fewer(
                dict.fromkeys(after for each in every for _, _, after in shares.one_of(each, at, to, kinds))
            )
        return every

    def _gathered(self, every: Collection[Arrangement], hands: Sequence[str]) -> Collection[Arrangement]:
        """The arrangements after the cards of hands' last draws were put to their other cards."""
        for hand in hands:
            at, to = self._at[DRAWN + hand], self._at[hand]
            every = [gathered(each, at, to) for each in every]
        return every

    def _out_of_stack(
        self, every: Collection[Arrangement], stack: Sequence[str], fact: Fact
    ) -> Collection[Arrangement]:
        """The arrangements after the next cards of a stack went to a place, or any of its cards if it was searched."""
        places, to = [self._at[place] for place in stack], self._at[fact.to]
        last = None if fact.source.startswith(SEARCHED) else 1
        found = every
        for card in fact.cards:
            reached = ((each, at) for each in found for at in [at for at in places if each[at]][:last])
            found = self._fewer({after: None for each, at in reached for after in self._after_move(each, at, to, card)})
        return found

    def _after_move(self, each: Arrangement, at: int, to: int, card: str | None) -> Iterable[Arrangement]:
        """The arrangements after a card of a place went to another; any card if it was not seen."""
        if card:
            return [with_card_moved(each, at, to, card)] if card in dict(each[at]) else _named(each, at, to, card)
        if self._table.mixes and each[at]:
            return [moved_unseen(each, at, to)]
        return [with_card_moved(each, at, to, item) for item, _ in each[at]]

    def _fewer(self, every: Arrangements) -> Arrangements:
        """These arrangements during a fact; if they are far too many, a pooled one."""
        is_most = self._table.mixes and len(every) > MOST_MIDWAY * self._table.most
        return {self._pooled(every): None} if is_most else every

    def _pooled(self, every: Iterable[Arrangement]) -> Arrangement:
        """An arrangement that allows everything that these allow.

        A place has its cards that are common to all, and any others.

        The order in a stack is lost.
        """
        piles, left = len(self._table.places), Counter[Item](self._table.cards)
        pooled: list[Holding] = [()] * piles
        below = {at for layer in self._layers for at in layer[1:]}
        layers = {layer[0]: layer for layer in self._layers}
        for at in set(range(piles)) - below:
            lying = [Counter(items_of_places(each, layers.get(at, [at]))) for each in every]
            sure = Counter({item: count for item, count in reduce(and_, lying).items() if isinstance(item, str)})
            left -= sure
            pooled[at] = holding_of(sure + Counter({piles: lying[0].total() - sure.total()}))
        return (*pooled, holding_of(left))

    def _normal_form(self, each: Arrangement) -> Arrangement:
        """The normal form of an arrangement: equal ones have the same."""
        return normal_form(each, len(self._table.places), self._layers)


def _unseen_last(card: str | None) -> bool:
    return card is None


def _holding_so_many(each: Arrangement, at: int, card: str, count: int) -> Iterable[Arrangement]:
    """The arrangements with at least `count` of a card in a place."""
    found = {each: None}
    for _ in range(count - dict(each[at]).get(card, 0)):
        found = {after: None for before in found for after in _named(before, at, at, card)}
    return found


def _named(each: Arrangement, at: int, to: int, card: str) -> Iterator[Arrangement]:
    """The arrangements after a slot of a place was found to be this card, and went to another place."""
    for item, _ in each[at]:
        if isinstance(item, int):
            taken = with_held(each, at, without_item(each[at], item))
            for after in _drawn(taken, item, card):
                yield with_held(after, to, with_item(after[to], card))


def _drawn(each: Arrangement, pile: int, card: str) -> Iterator[Arrangement]:
    """The arrangements after a card left a pile."""
    for inner, _ in each[pile]:
        if inner == card or isinstance(inner, int):
            taken = with_held(each, pile, without_item(each[pile], inner))
            if isinstance(inner, int):
                yield from _drawn(taken, inner, card)
            else:
                yield taken
