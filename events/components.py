"""Named components: what somebody entered of their box once, to open many games with. A game holds its own copy."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from events.databases import checksums
from events.encoding import readable
from events.people import checked_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


class NamedComponents(msgspec.Struct, frozen=True):
    """Components of a ruleset under a name. `created_at` is in milliseconds since 1970."""

    ruleset: str
    name: str
    data: dict[str, Any]
    created_at: int


_DATA = msgspec.json.Decoder(dict[str, Any])


def sum_of(ruleset: bytes, name: bytes, data: bytes, created_at: int) -> int:
    """The checksum that is stored with components. Texts are in UTF-8."""
    return checksums.checksum([ruleset, name, data, created_at])


class ComponentsRow(NamedTuple):
    """A stored row. An older release kept no checksum.

    A row that goes to another log keeps its checksum, so damaged components are damaged there, too.
    """

    ruleset: bytes
    name: bytes
    data: bytes
    created_at: int
    checksum: int | None = None

    def decoded(self) -> NamedComponents | None:
        """The components; None for damaged ones."""
        if self.checksum not in {None, sum_of(*self[:4])}:
            return None
        try:
            return NamedComponents(self.ruleset.decode(), self.name.decode(), _DATA.decode(self.data), self.created_at)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return None

    def values(self) -> tuple[str, str, bytes, int, int]:
        """The values to store. U+FFFD replaces the damaged parts of a text."""
        checksum = sum_of(*self[:4]) if self.checksum is None else self.checksum
        return readable(self.ruleset), readable(self.name), self.data, self.created_at, checksum

    def title(self) -> str:
        """The ruleset and the name, for a report."""
        return f"{readable(self.ruleset)} {readable(self.name)!r}"


def row_of(kept: NamedComponents) -> ComponentsRow:
    """The row that stores components."""
    return ComponentsRow(kept.ruleset.encode(), kept.name.encode(), msgspec.json.encode(kept.data), kept.created_at)


def is_same(found: NamedComponents, wanted: NamedComponents) -> bool:
    """Whether both have the same data, byte for byte."""
    return row_of(found).data == row_of(wanted).data


class Components(Protocol):
    """Components by ruleset and name. They are not part of a record, and can be changed and removed."""

    def put(self, ruleset: str, name: str, data: dict[str, Any]) -> NamedComponents:
        """Keep components under a name, in place of those that had it.

        If the same ones are there, they stay as they are. Raises `BadNameError`, `LogFullError`.
        """

    def find(self, ruleset: str, name: str) -> NamedComponents | None:
        """The components of that name, if there are any."""

    def all(self, ruleset: str) -> Sequence[NamedComponents]:
        """All components of a ruleset, by name."""

    def rows(self) -> list[ComponentsRow]:
        """The stored rows of all rulesets."""

    def unreadable(self) -> list[str]:
        """The rulesets and names of damaged components. They count as removed."""

    def restore(self, kept: Iterable[ComponentsRow]) -> None:
        """Replace all components by those of another log. Raises `LogFullError`."""

    def remove(self, ruleset: str, name: str) -> bool:
        """Remove the components of that name; False if there were none. Games that were opened with them keep them."""


class KnownComponents(ABC):
    """The readable facts about components, from any store."""

    @abstractmethod
    def find(self, ruleset: str, name: str) -> NamedComponents | None:
        """See `Components.find`."""

    @abstractmethod
    def rows(self) -> list[ComponentsRow]:
        """See `Components.rows`."""

    def unreadable(self) -> list[str]:
        """The rulesets and names of damaged components. They count as removed."""
        return [row.title() for row in self.rows() if not row.decoded()]


class WritableComponents(KnownComponents):
    """Components in a store that can be written."""

    _clock: Callable[[], int]

    def put(self, ruleset: str, name: str, data: dict[str, Any]) -> NamedComponents:
        """See `Components.put`."""
        wanted = NamedComponents(ruleset, checked_name(name), data, self._clock())
        found = self.find(ruleset, wanted.name)
        if found is not None and is_same(found, wanted):
            return found
        self._keep(row_of(wanted))
        return wanted

    def restore(self, kept: Iterable[ComponentsRow]) -> None:
        """Replace all components by those of another log. Raises `LogFullError`."""
        wanted = {each.values()[:2]: each for each in kept}
        for each in self.rows():
            if each.values()[:2] not in wanted:
                self.remove(*each.values()[:2])
        for row in wanted.values():
            self._keep(row)

    @abstractmethod
    def remove(self, ruleset: str, name: str) -> bool:
        """See `Components.remove`."""

    @abstractmethod
    def _keep(self, row: ComponentsRow) -> None:
        """Store a row, in place of one with its ruleset and name. Raises `LogFullError`."""
