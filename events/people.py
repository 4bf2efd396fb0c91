"""The names of people: the one table that is no part of any record, so that a name can be erased for good."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol

from events import limits
from events.merges import Merge, Merges

if TYPE_CHECKING:
    from collections.abc import Iterable

_JOINERS = re.compile("[\u200c\u200d]")
"""What joins letters, or keeps them apart: unseen, and needed to write names in many scripts."""

UNKNOWN = "?"
"""What stands in texts for somebody whose name is not known."""


class BadNameError(ValueError):
    """A name that cannot be kept: empty, too long, the sign for nobody, or with control characters."""


class People(Protocol):
    """Names by player id. Events carry the ids alone.

    A person can have been entered several times: an id that was merged into another one goes by that one's name.
    """

    def put(self, person: str, name: str) -> None:
        """Give an id a name, or another one. Raises `BadNameError`, `LogFullError`."""

    def name(self, person: str) -> str | None:
        """The person's name; None for somebody unknown or erased."""

    def names(self, people: Iterable[str]) -> dict[str, str]:
        """The names of several people; those without one are left out."""

    def entered(self, people: Iterable[str]) -> dict[str, str]:
        """The names that these very ids were entered with, whatever they were merged into."""

    def find(self, text: str) -> list[str]:
        """The ids of all whose name holds `text`, whatever the case, in the order of their names.

        Those who were merged are found by each of their names, and told by the id that they go by.
        """

    def all(self) -> dict[str, str]:
        """Every name, by the id that it was entered with, in the order of the names."""

    def erased(self, people: Iterable[str]) -> set[str]:
        """Those of them whose names were erased: that they were, is kept, so that no name comes back unasked."""

    def erase(self, person: str) -> bool:
        """Remove all names of a person so that no byte is left in any file of the log; False if there was none.

        A database server keeps old bytes until it vacuums and recycles its own log; there it is told to vacuum at once.
        Raises `LogBusyError` if the bytes can only go when a long read has ended.
        """

    def merges(self) -> Merges:
        """Who is who."""

    def merge(self, person: str, kept: str, *, by: str) -> bool:
        """Say that a person is another one, whose id is kept; False if that was said. Raises `BadMergeError`."""

    def split(self, person: str, *, by: str) -> bool:
        """Say that a person is somebody of their own again; False if they are."""


class KnownPeople(ABC):
    """What can be told of people, whatever stores it. Safe to share between threads."""

    def __init__(self) -> None:
        self._merges = Merges()

    def name(self, person: str) -> str | None:
        """The person's name; None for somebody unknown or erased."""
        return self.names([person]).get(person)

    def names(self, people: Iterable[str]) -> dict[str, str]:
        """The names of several people; those without one are left out."""
        merges = self.merges()
        ends = {person: merges.end(person) for person in people}
        found = self.entered(set(ends.values()))
        return {person: found[end] for person, end in ends.items() if end in found}

    def find(self, text: str) -> list[str]:
        """The ids of all whose name holds `text`, whatever the case, in the order of their names."""
        part, merges, called = text.casefold(), self.merges(), self.all()
        found = {merges.end(person) for person, name in called.items() if part in name.casefold()}
        return [person for person in called if person in found] + sorted(found - called.keys())

    def erased(self, people: Iterable[str]) -> set[str]:
        """Those of them whose names were erased: that they were, is kept, so that no name comes back unasked."""
        merges = self.merges()
        ends = {person: merges.end(person) for person in people}
        gone = self._erased({*ends, *ends.values()})
        return {person for person, end in ends.items() if person in gone or end in gone}

    def merges(self) -> Merges:
        """Who is who."""
        if self._merges.number != self._last_merge():
            self._merges = Merges(self._merge_records())
        return self._merges

    @abstractmethod
    def entered(self, people: Iterable[str]) -> dict[str, str]:
        """The names that these very ids were entered with, whatever they were merged into."""

    @abstractmethod
    def all(self) -> dict[str, str]:
        """Every name, by the id that it was entered with, in the order of the names."""

    @abstractmethod
    def _erased(self, people: set[str]) -> set[str]:
        """Those of these ids whose names were erased."""

    @abstractmethod
    def _last_merge(self) -> int:
        """The number of the last record of a merge, 0 if there is none."""

    @abstractmethod
    def _merge_records(self) -> list[Merge]:
        """Every record of a merge, in the order of their numbers."""


def checked_name(name: str) -> str:
    """The name without outer blanks. Raises `BadNameError`."""
    name = name.strip()
    seen = _JOINERS.sub("", name)
    if not seen.strip():
        raise BadNameError("a name needs at least one character")
    if len(name) > limits.NAME:
        raise BadNameError(f"a name has at most {limits.NAME} characters, not {len(name)}")
    if name == UNKNOWN:
        raise BadNameError(f"nobody is called {UNKNOWN}: it stands for somebody whose name is not known")
    if not seen.isprintable():
        raise BadNameError("a name holds no control characters")
    return name
