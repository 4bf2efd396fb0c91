"""Hidden cards for simulated games, dealt as often as all arrangements together have them (`games/knowledge.py`).

The cards of a place come one by one, each by its odds beside those before it. No arrangement is picked by itself,
because some take away what others count twice.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from games.knowledge import with_held, without_item

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from games.contract import Chance
    from games.knowledge import Arrangement, Item, Knowledge

Parts = list[tuple[float, "Arrangement"]]
"""Arrangements, each with its part of all."""

LOTS = range(1 << 48)
"""A lot is one of these numbers."""


class WeighedDeals:
    """Deals the cards of some places anew, any number of times. It never changes.

    Places come one after the other. Where nothing is known, there is nothing to deal.
    """

    def __init__(self, known: Knowledge, places: Sequence[str]) -> None:
        """By all that is known of these places now."""
        self._places = places
        self._numbers, self._parts = known.parts_of(places)

    def __bool__(self) -> bool:
        """Whether anything is known."""
        return bool(self._parts)

    def deal(self, chance: Chance) -> dict[str, list[str]]:
        """The cards of each place, by chance."""
        parts, dealt = self._parts, dict[str, list[str]]()
        for place, at in zip(self._places, self._numbers, strict=True):
            cards = dealt[place] = list[str]()
            while parts[0][1][at]:
                odds = odds_at(parts, at)
                card = next(iter(odds)) if len(odds) == 1 else _drawn(odds, chance)
                cards.append(card)
                parts = parts_after(parts, at, card)
        return dealt


def odds_at(parts: Parts, at: int) -> dict[str, float]:
    """The chance of each kind to be one card of a place, as parts of all."""
    odds = defaultdict[str, float](float)
    for part, each in parts:
        held = each[at]
        share = part / sum([count for _, count in held])
        for item, count in held:
            _add_kinds(odds, each, item, share * count)
    return odds


def parts_after(parts: Parts, at: int, card: str) -> Parts:
    """The arrangements after this card was taken out of a place."""
    found = defaultdict["Arrangement", float](float)
    for part, each in parts:
        for share, after in _taken(each, at, card):
            found[after] += part * share
    return [(part, each) for each, part in found.items()]


def _add_kinds(odds: dict[str, float], each: Arrangement, item: Item, part: float) -> None:
    """Add the kinds of card that an item can be, with their parts."""
    if isinstance(item, str):
        odds[item] += part
        return
    held = each[item]
    share = part / sum([count for _, count in held])
    for inner, count in held:
        _add_kinds(odds, each, inner, share * count)


def _taken(each: Arrangement, at: int, card: str) -> Iterator[tuple[float, Arrangement]]:
    """The parts in which a card of a place or a pile is this one, and goes."""
    held = each[at]
    whole = sum([count for _, count in held])
    for item, count in held:
        if item == card or isinstance(item, int):
            left = with_held(each, at, without_item(held, item))
            after: Iterable[tuple[float, Arrangement]] = (
                _taken(left, item, card) if isinstance(item, int) else [(1.0, left)]
            )
            for share, gone in after:
                yield share * count / whole, gone


def _drawn(odds: dict[str, float], chance: Chance) -> str:
    """A card by its odds. Rounding can leave a little below 0 of what cannot be."""
    likely = {card: part for card, part in odds.items() if part > 0}
    place = chance.choice(LOTS) / len(LOTS) * sum(likely.values())
    for card, part in likely.items():
        place -= part
        if place < 0:
            return card
    return card
