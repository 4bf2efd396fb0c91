"""One arrangement of hidden cards that fits all observations. What fits it, too, is possible: that is asked first.

Most of what is told fits the first arrangement that comes to mind. In it, a card that goes unseen is one that nobody
has ever seen, if there is such a card. If that does not fit, another card may have gone instead. Only what does not fit
then needs all arrangements (`games/knowledge.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from games.knowledge import SEARCHED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.knowledge import Possibilities, Table
    from games.seen_cards import Told

Group = list[str | None]
"""Cards that lie in any order. None is one that nobody has ever seen."""


class _Put(NamedTuple):
    """Cards of a hand that were put under a stack unseen, and others that stayed and could have gone instead."""

    group: Group
    others: list[str]


class Witness:
    """The cards of each place as they can lie, in groups from the top: what comes to a stack is a group under it.

    Cards that nobody has ever seen are any of those that are left. It took in the first `count` words that were told;
    more can be told at the end of the same list. Once something does not fit, it knows nothing more, unless it is given
    another arrangement.
    """

    def __init__(self, cards: Mapping[str, int], table: Table) -> None:
        """Before anything was told: all cards lie in the deck."""
        self.count = 0
        self._told: list[tuple[int, Told]] = []
        self._cards, self._deck, self._stacks = cards, table.deck, frozenset(stack[0] for stack in table.stacks)
        self._left, self._is_lost = dict(cards), False
        self._groups: dict[str, list[Group]] = {place: [[]] for place in table.places}
        self._groups[table.deck] = [[None] * sum(cards.values())]
        self._puts: dict[str, list[_Put]] = {place: [] for place in table.places}

    @classmethod
    def of(cls, cards: Mapping[str, int], table: Table, words: list[tuple[int, Told]]) -> Witness:
        """One that was kept of the beginning of these words, or a new one. Nobody else has it until it is kept."""
        for kept in _RECENT[:]:
            if kept._knows(words) and (kept._cards is cards or kept._cards == cards):
                try:
                    _RECENT.remove(kept)
                except ValueError:  # another thread has it
                    continue
                return kept
        return cls(cards, table)

    def _knows(self, words: list[tuple[int, Told]]) -> bool:
        """Whether it took in a beginning of these words: of the same list, or of another game as far as it is alike."""
        told, count = self._told, self.count
        return count <= len(words) and (told is words or told[:count] == words[:count])

    def keep(self) -> None:
        """The next question about the game goes on from here."""
        _RECENT.insert(0, self)
        del _RECENT[MOST_RECENT:]

    def go_on(self, words: list[tuple[int, Told]]) -> bool:
        """Take in what was told since. Says whether all of it fits."""
        self._told = words
        if not self._is_lost:
            for _, word in words[self.count :]:
                if not self._take(word):
                    self._is_lost = True
                    break
                self.count += 1
        return not self._is_lost

    def lay(self, possible: Possibilities, words: list[tuple[int, Told]]) -> None:
        """Take an arrangement that fits these words."""
        groups, self._left = possible.example()
        self._groups |= groups
        self._puts = {place: [] for place in groups}
        self._told, self.count, self._is_lost = words, len(words), False

    def fits(self, words: Sequence[Told]) -> bool:
        """Whether the next observations certainly fit, too: each word names one card, and the cards lie in different
        places.
        """
        if len(words) == 1 and len(words[0][2]) == 1:
            source, _, (card,), _ = words[0]
            return self._group_with(source, card) is not None
        named = [(source, card) for source, _, cards, _ in words for card in cards]
        places, kinds = {source for source, _ in named}, {card for _, card in named}
        return len(places) == len(kinds) == len(named) and all(self._group_with(*each) for each in named)

    def _group_with(self, source: str, card: str | None) -> Group | None:
        """The group that a card can come from. For an unseen card, a card that nobody has ever seen is best."""
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
        """A hand with a card, or with one that nobody has seen, after another one of it was put away instead."""
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
        """A card of a hand cannot have been put away instead of another one any more."""
        for _, others in self._puts[hand]:
            if card in others:
                others.remove(card)

    def _take(self, word: Told) -> bool:
        """Apply the next observation, if it fits."""
        source, to, cards, _ = word
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

    def _put_under(self, place: str, stack: str, moved: Group, *, is_seen: bool) -> None:
        """Cards lie under a stack. Unseen ones of a hand could be others that stayed there."""
        lying = self._groups[stack]
        if lying[0]:
            lying.append(moved)
        else:
            lying[0] = moved
        if not is_seen and place not in self._stacks and (others := list(filter(None, self._groups[place][0]))):
            self._puts[place].append(_Put(moved, others))

    def _deal(self, to: str, count: int) -> bool:
        """The deck is dealt, unseen."""
        (deck,) = self._groups[self._deck]
        self._groups[to] = [deck[:count]]
        del deck[:count]
        return len(self._groups[to][0]) == count

    def _out_of(self, group: Group, card: str | None) -> str | None:
        """A card leaves a group: one that nobody has seen, if it is named; else the last one."""
        if card is None:
            return group.pop()
        if card in group:
            group.remove(card)
        else:
            group.remove(None)
            self._left[card] -= 1
        return card

    def _hold(self, place: str, card: str | None, count: int) -> bool:
        """So many of a card are known to be in a hand."""
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


_RECENT: list[Witness] = []
"""The last witnesses that were kept."""
MOST_RECENT = 8
