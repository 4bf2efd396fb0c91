"""The entries that show where cards lie: a message about cards names them as its reason."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from games.knowledge import DRAWN, LOOKED_FOR, SEARCHED, SHUFFLED

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import Any

    from games.knowledge import Fact, Table, Teller

Copies = dict[str, list[tuple[int, ...]]]
"""The known copies of each card in a place, each with the entries that named it."""


class _Moved(NamedTuple):
    """So many cards went from a place to another in entry `version`."""

    version: int
    source: str
    to: str
    number: int


class Evidence:
    """The known copies of cards in each place, by all facts of a game."""

    _last: ClassVar[tuple[tuple[Table, Callable[[], Teller], list[tuple[int, Any]]], Evidence] | None] = None
    """The last evidence, and what it was made of. Threads replace both at once."""

    def __init__(self, table: Table, facts: Iterable[Fact]) -> None:
        """Follow all facts, from the deal on."""
        self._table, self._stacks = table, {stack[0]: stack for stack in table.stacks}
        self._at: dict[str, Copies] = {}
        self._moves = list[_Moved]()
        self._shuffles = list[int]()
        for fact in facts:
            self._learn(fact)

    @classmethod
    def of(cls, table: Table, teller: Callable[[], Teller], words: Sequence[tuple[int, Any]]) -> Evidence:
        """Follow all words of a game.

        The last evidence is kept: where many moves are tried, each that cannot be asks for the same one.
        """
        last = cls._last
        if last is None or last[0] != (table, teller, words):
            tell = teller().facts_of
            found = cls(table, (fact for version, word in words for fact in tell(version, word)))
            cls._last = last = (table, teller, [*words]), found
        return last[1]

    def of_cards(self, cards: Iterable[str]) -> list[int]:
        """The entries that named the copies of these cards outside of the deck and of stacks."""
        hidden = {self._table.deck, *chain.from_iterable(self._table.stacks)}
        lying = [copies for place, copies in self._at.items() if place not in hidden]
        return [entry for copies in lying for card in cards for copy in copies.get(card, ()) for entry in copy]

    def of_place(self, place: str, cards: Collection[str] | None = None) -> list[int]:
        """The entries that named these cards, or all known ones, in a place or a stack."""
        lying = [named for named in self._named(place) if cards is None or named[0] in cards]
        return [entry for _, copies in lying for copy in copies for entry in copy]

    def of_hand(self, place: str, size: int, cards: Sequence[str | None]) -> list[int]:
        """The entries that show why a hand of a size cannot have these cards, None being any card.

        It has other cards; or too few, because cards left it.
        """
        wanted, lacking = Counter(filter(None, cards)), len(cards) - size
        known = [
            (copies, wanted[card]) for each in self._layers(place) for card, copies in self._at.get(each, {}).items()
        ]
        found = [entry for copies, count in known for copy in copies[count:] for entry in copy]
        for move in reversed(self._moves):
            if lacking > 0 and move.source == place:
                found.append(move.version)
                lacking -= move.number
        return found or self.of_last_change(place)

    def of_last_change(self, place: str) -> list[int]:
        """The last entry in which cards came to a place, or left it."""
        return [move.version for move in self._moves if place in (move.source, move.to.removeprefix(DRAWN))][-1:]

    def of_last_shuffle(self) -> list[int]:
        """The entry of the last shuffle."""
        return self._shuffles[-1:]

    def _named(self, place: str) -> list[tuple[str, list[tuple[int, ...]]]]:
        """The known copies of each card in a place or a stack."""
        return [named for each in self._layers(place) for named in self._at.get(each, {}).items()]

    def _layers(self, place: str) -> Sequence[str]:
        """The places of a stack; of a hand, also that of its last draw."""
        return self._stacks.get(place, (place, DRAWN + place))

    def _learn(self, fact: Fact) -> None:
        for hand in fact.gathered:
            for card, copies in self._at.pop(DRAWN + hand, {}).items():
                self._known_copies(hand, card).extend(copies)
        if fact.source == SHUFFLED:
            self._shuffles.append(fact.version)
            for place in (self._table.deck, *self._table.shuffled):
                self._at.pop(place, None)
            return
        source = fact.source.removeprefix(SEARCHED).removeprefix(LOOKED_FOR)
        self._see_cards(source, fact.stay if source != fact.to else fact.named(), fact.version)
        if source != fact.to:
            self._move(source, fact)

    def _see_cards(self, place: str, cards: Sequence[str], version: int) -> None:
        """A place has these cards: the ones that were not known there are named now."""
        for card, count in Counter(cards).items():
            copies = self._known_copies(place, card)
            copies += [(version,)] * (count - len(copies))

    def _move(self, source: str, fact: Fact) -> None:
        """Cards went to another place. A known card that may have gone unseen is not known any more."""
        self._moves.append(_Moved(fact.version, source, fact.to, len(fact.cards)))
        for card in fact.named():
            copies = next(filter(None, (self._known_copies(place, card) for place in self._layers(source))), [()])
            self._known_copies(fact.to, card).append((*copies.pop(), fact.version))
        unseen = 0 if source in self._stacks else fact.cards.count(None)
        for card, copies in self._at.get(source, {}).items() if unseen else ():
            del copies[max(fact.stay.count(card), len(copies) - unseen) :]

    def _known_copies(self, place: str, card: str) -> list[tuple[int, ...]]:
        """The known copies of a card in a place."""
        return self._at.setdefault(place, {}).setdefault(card, [])
