"""Facts about cards, as moves tell them, and the cards and places of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SEARCHED = "any of "
"""The prefix of a stack as a source if its cards come from anywhere in it, not from its top."""
LOOKED_FOR = "looked for in "
"""The prefix of a place as a source if somebody looked there for certain kinds of card. With no card, none was found.
"""
SHUFFLED = ""
"""The source of a shuffle."""
DRAWN = "drawn to "
"""The prefix of a hand for the place of the cards of its last draw."""


class Fact(NamedTuple):
    """A fact of entry `version`: cards went from `source` to another place. None is a card that was not seen.

    Cards that go to the same place were only looked at there. `stay` are known cards of the source that stayed. If the
    source is `SHUFFLED`, all cards of the shuffled places go there. Before that, the cards of the last draws of
    `gathered` hands are put to the other cards of these hands.
    """

    version: int
    source: str
    to: str
    cards: tuple[str | None, ...] = ()
    stay: tuple[str, ...] = ()
    gathered: tuple[str, ...] = ()

    def named(self) -> list[str]:
        """The cards that were seen."""
        return [card for card in self.cards if card]


class Table(NamedTuple):
    """The cards of a game, their possible places, and the place of the deck: at first all cards lie there.

    The cards of the `shuffled` places go there at a shuffle. `Possibilities` keeps at most `most` arrangements. The
    places of a stack lie one on the other; the first is on top, and names the stack. If it `mixes`, the cards of a
    place become a pile when one of them leaves unseen. So there are far fewer arrangements, and more than `most` are
    pooled into one. It is False only for older revisions. `wanted` are the kinds of card that are `LOOKED_FOR`.
    """

    cards: Mapping[str, int]
    places: tuple[str, ...]
    deck: str
    shuffled: tuple[str, ...] = ()
    most: int = 5_000
    stacks: tuple[tuple[str, ...], ...] = ()
    mixes: bool = True
    wanted: frozenset[str] = frozenset()

    def gathering(self) -> list[Fact]:
        """A fact that puts the cards of the last draws to the other cards of all hands; none without such places."""
        hands = tuple(place.removeprefix(DRAWN) for place in self.places if place.startswith(DRAWN))
        return [Fact(0, hands[0], hands[0], gathered=hands)] if hands else []


class Teller(Protocol):
    """Turns the words of a game into facts about cards, one after the other from the first."""

    def facts_of(self, version: int, word: Any) -> Sequence[Fact]:
        """The facts of a word of entry `version`: a move, an adjustment of a ruling, or a shuffle (None)."""
