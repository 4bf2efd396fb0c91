"""Deals hidden cards for simulated games, each deal as often as its true chance.

What is known follows the words of a game: all arrangements with their weights (`games/weighing.py`), or a sample of
worlds if there are too many arrangements (`games/sampled_deals.py`). Manapani always has too many.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any, Protocol

from games.recent import Recent
from games.sampled_deals import SampledKnowledge
from games.weighing import DealKnowledge

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.contract import Chance
    from games.knowledge import Table
    from games.weighing import DealTeller


class Deals(Protocol):
    """Deals the hidden cards of some places, any number of times. It never changes."""

    def __len__(self) -> int:
        """The number of arrangements or worlds: 0 if nothing is known."""

    def deal(self, chance: Chance) -> list[list[str]]:
        """Deal cards to each place by chance."""


class Known(Protocol):
    """What is known of hidden cards, by all words so far. A copy learns by itself."""

    are_too_many: bool
    """Whether there are too many arrangements: nothing is known any more."""

    def __len__(self) -> int:
        """The number of arrangements or worlds."""

    def follow(self, teller: DealTeller, version: int, word: Any) -> None:
        """Learn the facts of a word: a move, an adjustment or a shuffle."""

    def gather(self, hands: Sequence[str]) -> None:
        """Put the cards of hands' last draws to their other cards."""

    def dealer(self, places: Sequence[str]) -> Deals:
        """The dealer of the cards of these places, by what is known now."""


def deals_of(
    table: Table,
    teller: Callable[[], DealTeller],
    words: list[Any],
    places: Sequence[str],
    knowledge: Callable[[Table], Known] = DealKnowledge,
) -> Deals:
    """The dealer of the cards of `places`, by all words of a game.

    The last dealers are cached: many simulated games begin at the same table.
    """
    for told, of, deals in _RECENT:
        if told == words and of == table:
            return deals
    begun = max((each for each in _COURSES if each.is_beginning_of(table, words)), key=_Course.count, default=None)
    course = begun.copy() if begun else _Course(table, teller, knowledge(table))
    course.learn(words)
    _COURSES.add(course)
    deals = course.with_hands_together().dealer(places)
    _RECENT.add((course.words, table, deals))
    return deals


class _Course:
    """The knowledge from all words so far. The next moment of the same game goes on from it."""

    def __init__(self, table: Table, teller: Callable[[], DealTeller], known: Known) -> None:
        self.words = list[Any]()
        self._table, self._begin_teller = table, teller
        self._teller, self.known = teller(), known

    def count(self) -> int:
        """The number of words."""
        return len(self.words)

    def copy(self) -> _Course:
        """An independent copy."""
        twin = copy(self)
        twin._teller, twin.known = copy(self._teller), copy(self.known)
        return twin

    def with_hands_together(self) -> Known:
        """The knowledge now, with all cards of each hand in one place."""
        known = copy(self.known)
        for fact in self._table.gathering():
            known.gather(fact.gathered)
        return known

    def is_beginning_of(self, table: Table, words: list[Any]) -> bool:
        """Whether `words` begin with all words of this course, at the same table."""
        return table == self._table and words[: len(self.words)] == self.words

    def learn(self, words: list[Any]) -> None:
        """Learn the further words. If there are too many arrangements, learn all words again, with a sample."""
        for version, word in words[len(self.words) :]:
            self.known.follow(self._teller, version, word)
            if self.known.are_too_many:
                self._begin_sample(words)
                break
        self.words = words.copy()

    def _begin_sample(self, words: list[Any]) -> None:
        self._teller, self.known = self._begin_teller(), SampledKnowledge(self._table)
        for version, word in words:
            self.known.follow(self._teller, version, word)


_MOST_KEPT = 3_000
"""The most arrangements or worlds of all cached courses, and of all cached dealers. Each takes up to 3 kB."""
_COURSES = Recent[_Course](8, always=2, most_size=_MOST_KEPT, size=lambda course: len(course.known))
"""The courses used last. Two always stay, for games that are played on by turns."""
_RECENT = Recent[tuple[list[Any], "Table", Deals]](128, most_size=_MOST_KEPT, size=lambda kept: len(kept[-1]))
"""The words, the table and the dealer of the last moments."""
