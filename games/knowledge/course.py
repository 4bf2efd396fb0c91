"""The course of a game: what was possible before each fact, and which entry a contradiction began with."""

from __future__ import annotations

from copy import copy
from functools import reduce
from itertools import chain
from typing import TYPE_CHECKING, Any

from games.knowledge.facts import DRAWN, LOOKED_FOR, SEARCHED
from games.knowledge.possibilities import Possibilities
from games.recent import Recent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.knowledge.facts import Fact, Table, Teller


class Course:
    """The possibilities before each fact of a game, and after the last one: as many `arrangements` in all.

    It never changes. A few courses are cached, so that the next question about a game goes on from the last one.
    """

    def __init__(self, table: Table, teller: Teller) -> None:
        """Before the first fact."""
        self.table = table
        self.facts: list[Fact] = []
        self._words: list[tuple[int, Any]] = []
        self._possible, self._teller = [Possibilities(table)], teller
        self.arrangements = 1

    @classmethod
    def for_words(cls, table: Table, teller: Callable[[], Teller], words: list[tuple[int, Any]]) -> Course:
        """The course of a game by all its words, made from a cached one if possible."""
        begun = None
        for each in RECENT:
            if (begun is None or len(each) > len(begun)) and each.is_beginning_of(table, teller, words):
                begun = each
                if len(begun) == len(words) or begun.is_over:
                    return begun
        course = cls(table, teller()) if begun is None else begun.copy()
        for version, word in words[len(course) :]:
            if course.is_over:
                break
            course.add_word(version, word)
        RECENT.add(course)
        return course

    @property
    def is_over(self) -> bool:
        """Whether checking has ended: the facts contradict each other already, or there are too many possibilities."""
        return not (self._possible[-1] and self._possible[-1].are_known)

    @property
    def possible(self) -> Possibilities:
        """The possibilities now."""
        return self._possible[-1]

    def with_hands_together(self) -> Possibilities:
        """The possibilities now, with all cards of each hand in one place."""
        return reduce(Possibilities.after, self.table.gathering(), self.possible)

    def __len__(self) -> int:
        """The number of words."""
        return len(self._words)

    def is_beginning_of(self, table: Table, teller: Callable[[], Teller], words: list[tuple[int, Any]]) -> bool:
        """Whether `words` begin with all words of this course, with the same table and kind of teller."""
        last = len(self._words) - 1  # other courses mostly differ there
        if last >= len(words) or (last >= 0 and self._words[last] != words[last]):
            return False
        begun = words[: last + 1]
        if type(self._teller) is not teller or self.table != table or self._words != begun:
            return False
        self._words = begun  # the same objects compare faster
        return True

    def copy(self) -> Course:
        """An independent copy."""
        twin = copy(self)
        twin.facts, twin._words, twin._possible = self.facts.copy(), self._words.copy(), self._possible.copy()
        twin._teller = copy(self._teller)
        return twin

    def add_word(self, version: int, word: Any) -> None:
        """Add the next word; only while no other code has the course."""
        self._words.append((version, word))
        for fact in self._teller.facts_of(version, word):
            self.facts.append(fact)
            self._possible.append(self._possible[-1].after(fact))
            self.arrangements += len(self._possible[-1])

    def allows(self, version: int, word: Any) -> bool:
        """Whether a next word is possible. If checking has ended, any word is."""
        if self.is_over:
            return True
        told = copy(self._teller).facts_of(version, word)
        return self.possible.allows(told) or not _first_impossible(self.possible, told)

    def contradicted_since(self, version: int, word: Any) -> tuple[int, Fact] | None:
        """The entry since which a next word is impossible, and its first impossible fact; None if it is possible.

        Before that entry it was possible, and never after. If checking has ended, any word is possible.
        """
        if self.is_over:
            return None
        told = copy(self._teller).facts_of(version, word)
        if self.possible.allows(told) or not (wrong := _first_impossible(self.possible, told)):
            return None
        place = wrong.source.removeprefix(SEARCHED).removeprefix(LOOKED_FOR)
        lower = next((stack[1:] for stack in self.table.stacks if stack[0] == place), ())
        late = (place,) if place.startswith(DRAWN) else lower
        last = max((fact.version for fact in self.facts if fact.to in late), default=1)  # its cards came by then
        asked = told if place.startswith(DRAWN) else [*self.table.gathering(), *told]
        earlier = zip(self.facts[::-1], self._possible[-2::-1], strict=True)
        since = (fact.version for fact, before in earlier if not _first_impossible(before, asked))
        full = (fact.version for fact in reversed(self.facts) if fact.to == place)  # room for the card came then
        return max(next(chain(since, full), 1), last), wrong


def _first_impossible(known: Possibilities, told: Sequence[Fact]) -> Fact | None:
    """The first impossible fact; None if all are possible."""
    for fact in told:
        known = known.after(fact)
        if not known:
            return fact
    return None


RECENT = Recent[Course](8, most_size=40_000, size=lambda course: course.arrangements)
"""The courses used last. Each arrangement takes some 300 bytes."""
