"""One arrangement of hidden cards that fits all observations. A further one that fits it is possible: this is checked
first.

Most observations fit a simple arrangement: an unseen card that moves is one that nobody has ever seen, if there is one.
If an observation does not fit, another card may have moved instead. Only if that fails, all arrangements are needed
(`games/knowledge`).
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, NamedTuple

from games.knowledge import LOOKED_FOR, SEARCHED
from games.recent import Recent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.knowledge import Possibilities, Table
    from games.seen_cards import Told

Group = list[str | None]
"""Cards in any order. None is a card that nobody has ever seen."""


class _Put(NamedTuple):
    """Cards of a hand that were put under a stack unseen, and others of it that could have been put there instead."""

    group: Group
    others: list[str]


class Witness:
    """A possible arrangement: the cards of each place, in groups from the top.

    Cards put to a stack are a group under it.

    Cards that nobody has ever seen are any of those left. The first `count` words are applied; more can follow in the
    same list. Once a word does not fit, it is lost until `set_arrangement` gives it another arrangement.
    """

    def __init__(self, cards: Mapping[str, int], table: Table) -> None:
        """All cards lie in the deck, before the first word."""
        self.count = 0
        self._told: list[tuple[int, Told]] = []
        self._cards, self._deck, self._stacks = cards, table.deck, frozenset(stack[0] for stack in table.stacks)
        self._left, self._is_lost, self._wanted = dict(cards), False, table.wanted
        self._groups: dict[str, list[Group]] = {place: [[]] for place in table.places}
        self._groups[table.deck] = [[None] * sum(cards.values())]
        self._puts: dict[str, list[_Put]] = {place: [] for place in table.places}

    @classmethod
    def for_words(cls, cards: Mapping[str, int], table: Table, words: list[tuple[int, Told]]) -> Witness:
        """Take a cached witness of the beginning of these words out of the cache, or make a new one."""
        for kept in _RECENT:
            if kept._is_prefix_of(words) and (kept._cards is cards or kept._cards == cards) and _RECENT.take(kept):
                return kept
        return cls(cards, table)

    def _is_prefix_of(self, words: list[tuple[int, Told]]) -> bool:
        """Whether its words are the beginning of these words."""
        told, count = self._told, self.count
        return count <= len(words) and (told is words or told[:count] == words[:count])

    def keep(self) -> None:
        """Put the witness into the cache, for the next question about the game."""
        _RECENT.add(self)

    def follow(self, words: list[tuple[int, Told]]) -> bool:
        """Apply the further words. Return whether all of them fit."""
        self._told = words
        if not self._is_lost:
            for _, word in words[self.count :]:
                if not self._take(word):
                    self._is_lost = True
                    break
                self.count += 1
        return not self._is_lost

    def set_arrangement(self, possible: Possibilities, words: list[tuple[int, Told]]) -> None:
        """Replace the arrangement by one that fits these words."""
        groups, self._left = possible.example()
        self._groups |= groups
        self._puts = {place: [] for place in groups}
        self._told, self.count, self._is_lost = words, len(words), False

    def fits(self, words: Sequence[Told]) -> bool:
        """Whether the next words certainly fit, too.

        Each names one card, and the cards lie in different places. If somebody looks for kinds of card, it is tried.
        """
        if len(words) == 1 and len(words[0][2]) == 1:
            source, _, (card,), _ = words[0]
            return self._group_with(source, card) is not None
        named = [(source, card) for source, _, cards, _ in words for card in cards]
        places, kinds = {source for source, _ in named}, {card for _, card in named}
        if any(place.startswith(LOOKED_FOR) for place, *_ in words):
            return self._accepts(words)
        return len(places) == len(kinds) == len(named) and all(self._group_with(*each) for each in named)

    def _accepts(self, words: Sequence[Told]) -> bool:
        """Whether a copy can apply these words."""
        return all(map(self._copy()._take, words))

    def _copy(self) -> Witness:
        """An independent copy. A group that was put under a stack is one group in both of its places again."""
        twin, groups = copy(self), {id(group): group.copy() for lying in self._groups.values() for group in lying}
        twin._left = self._left.copy()
        twin._groups = {place: [groups[id(group)] for group in lying] for place, lying in self._groups.items()}
        twin._puts = {
            place: [_Put(groups.get(id(group), group.copy()), others.copy()) for group, others in puts]
            for place, puts in self._puts.items()
        }
        return twin

    def _group_with(self, source: str, card: str | None) -> Group | None:
        """The group that a card can come from.

        An unseen card comes, if possible, from a group with a card that nobody has ever seen.
        """
        is_searched = source.startswith(SEARCHED)
        groups = self._groups[source.removeprefix(SEARCHED)] if is_searched else self._groups[source][:1]
        for group in groups:
            if card in group:
                return group
        for group in groups:
            if group and (card is None or (None in group and self._left[card])):
                return group
        return self._exchanged(source, card) if card and self._puts.get(source) else None

    def _exchanged(self, hand: str, card: str) -> Group | None:
        """The hand after it got back this or an unseen card for another that went instead; None if impossible."""
        (held,) = self._groups[hand]
        for group, others in self._puts[hand]:
            back = card if card in group else None
            if others and (back or (None in group and self._left[card])):
                away = others[0]
                group[group.index(back)], held[held.index(away)] = away, back
                self._settle(hand, away)
                return held
        return None

    def _settle(self, hand: str, card: str | None) -> None:
        """Note that a card of a hand was not put away instead of another."""
        for _, others in self._puts[hand]:
            if card in others:
                others.remove(card)

    def _take(self, word: Told) -> bool:
        """Apply the next word. False if it does not fit."""
        source, to, cards, _ = word
        if source.startswith(LOOKED_FOR):
            return self._look_for(source.removeprefix(LOOKED_FOR), to, len(cards))
        if source == self._deck and not any(cards):
            return self._deal(to, len(cards))
        if source == to:
            return all(self._hold(to, card, cards.count(card)) for card in cards)
        place = source.removeprefix(SEARCHED)
        groups = self._groups[place]
        moved: Group = []
        for card in sorted(cards, key=_is_unseen) if len(cards) > 1 else cards:
            if card in groups[0]:
                groups[0].remove(card)
                moved.append(card)
            elif group := self._group_with(source, card):
                moved.append(self._out_of(group, card))
            else:
                return False
            if moved[-1] and self._puts[place]:
                self._settle(place, moved[-1])
        if len(groups) > 1 and not all(groups):
            groups[:] = [group for group in groups if group] or [[]]
        if to in self._stacks:
            self._put_under(place, to, moved, is_seen=any(cards))
        else:
            self._groups[to][0] += moved
        return True

    def _look_for(self, place: str, to: str, count: int) -> bool:
        """Move so many cards of the wanted kinds, unseen. Without any, the place has none. False if it does not fit."""
        (held,) = self._groups[place]
        for _ in range(count):
            card = next((card for card in held if card in self._wanted), None) or self._named(held, wanted=True)
            if card is None:
                return False
            held.remove(card)
            self._settle(place, card)
            self._groups[to][0].append(card)
        if count:
            return True
        return not any(card in self._wanted for card in held) and all(
            self._named(held, wanted=False) for _ in range(held.count(None))
        )

    def _named(self, held: Group, *, wanted: bool) -> str | None:
        """Name an unseen card of a hand: as one of the wanted kinds, or as another one. None if it cannot be."""
        able = (card for card, left in self._left.items() if left and (card in self._wanted) == wanted)
        if None not in held or not (card := next(able, None)):
            return None
        held[held.index(None)] = card
        self._left[card] -= 1
        return card

    def _put_under(self, place: str, stack: str, moved: Group, *, is_seen: bool) -> None:
        """Put cards under a stack. Unseen cards from a hand could be other cards of the hand."""
        lying = self._groups[stack]
        if lying[0]:
            lying.append(moved)
        else:
            lying[0] = moved
        if not is_seen and place not in self._stacks and (others := list(filter(None, self._groups[place][0]))):
            self._puts[place].append(_Put(moved, others))

    def _deal(self, to: str, count: int) -> bool:
        """Deal cards from the deck, unseen. False if there are too few."""
        (deck,) = self._groups[self._deck]
        self._groups[to] = [deck[:count]]
        del deck[:count]
        return len(self._groups[to][0]) == count

    def _out_of(self, group: Group, card: str | None) -> str | None:
        """Remove a card from a group, in place of an unseen one if it is not there.

        Without a name, remove the last one.
        """
        if card is None:
            return group.pop()
        if card in group:
            group.remove(card)
        else:
            group.remove(None)
            self._left[card] -= 1
        return card

    def _hold(self, place: str, card: str | None, count: int) -> bool:
        """Make sure that a hand has `count` of a card. False if it cannot have them."""
        (held,) = self._groups[place]
        while card and held.count(card) < count:
            if None in held and self._left[card]:
                held[held.index(None)] = card
                self._left[card] -= 1
            elif not self._exchanged(place, card):
                return False
        self._settle(place, card)
        return True


def _is_unseen(card: str | None) -> bool:
    return card is None


_RECENT = Recent[Witness](8)
"""The cached witnesses."""
