"""The names of people: the one table that is no part of any record, so that a name can be erased for good."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from events import limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_JOINERS = re.compile("[\u200c\u200d]")
"""What joins letters, or keeps them apart: unseen, and needed to write names in many scripts."""

UNKNOWN = "?"
"""What stands in texts for somebody whose name is not known."""


class BadNameError(ValueError):
    """A name that cannot be kept: empty, too long, the sign for nobody, or with control characters."""


class People(Protocol):
    """Names by player id. Events carry the ids alone."""

    def put(self, person: str, name: str) -> None:
        """Give a person a name, or another one. Raises `BadNameError`, `LogFullError`."""

    def name(self, person: str) -> str | None:
        """The person's name; None for somebody unknown or erased."""

    def names(self, people: Iterable[str]) -> dict[str, str]:
        """The names of several people; those without one are left out."""

    def find(self, text: str) -> list[str]:
        """The ids of all whose name holds `text`, whatever the case, in the order of their names."""

    def all(self) -> dict[str, str]:
        """Every name, by id, in the order of the names."""

    def kept(self) -> dict[str, str]:
        """What is kept of everybody, by id: a name, or nothing of somebody whose name was erased."""

    def restore(self, kept: Mapping[str, str]) -> None:
        """Keep what another log has kept. Raises `LogFullError`."""

    def erased(self, people: Iterable[str]) -> set[str]:
        """Those of them whose names were erased: that they were, is kept, so that no name comes back unasked."""

    def erase(self, person: str) -> bool:
        """Remove a name so that no byte of it is left in any file of the log; False if there was none.

        A database server keeps old bytes until it vacuums and recycles its own log; there it is told to vacuum at once.
        Raises `LogBusyError` if its bytes can only go when a long read has ended.
        """


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
