"""Named components: what somebody entered of his box once, to open many games with. A game holds a copy of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from events.databases import checksums

if TYPE_CHECKING:
    from collections.abc import Sequence


class NamedComponents(msgspec.Struct, frozen=True):
    """Components of a ruleset under a name. `created_at` is in milliseconds since 1970."""

    ruleset: str
    name: str
    data: dict[str, Any]
    created_at: int


_DATA = msgspec.json.Decoder(dict[str, Any])


def sum_of(ruleset: bytes, name: bytes, data: bytes, created_at: int) -> int:
    """The checksum that is kept with components. Texts are in UTF-8."""
    return checksums.checksum([ruleset, name, data, created_at])


def decoded(ruleset: str, name: bytes, data: bytes, created_at: int, kept: int | None) -> NamedComponents | None:
    """The components of a stored row with the checksum that was `kept`; None for damaged ones."""
    if kept not in {None, sum_of(ruleset.encode(), name, data, created_at)}:
        return None
    try:
        return NamedComponents(ruleset, name.decode(), _DATA.decode(data), created_at)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def row_of(kept: NamedComponents) -> tuple[str, str, bytes, int, int]:
    """The row that is stored of components."""
    data = msgspec.json.encode(kept.data)
    checksum = sum_of(kept.ruleset.encode(), kept.name.encode(), data, kept.created_at)
    return kept.ruleset, kept.name, data, kept.created_at, checksum


class Components(Protocol):
    """Components by ruleset and name. They are no part of any record, and can be changed and removed."""

    def put(self, ruleset: str, name: str, data: dict[str, Any]) -> NamedComponents:
        """Keep components under a name, in place of those that had it. Raises `BadNameError`, `LogFullError`."""

    def find(self, ruleset: str, name: str) -> NamedComponents | None:
        """The components of that name, if there are any."""

    def all(self, ruleset: str) -> Sequence[NamedComponents]:
        """All components of a ruleset, by name."""

    def every(self) -> Sequence[NamedComponents]:
        """All components of all rulesets."""

    def unreadable(self) -> list[str]:
        """The names of damaged components, each after its ruleset. They count as removed."""

    def restore(self, kept: Sequence[NamedComponents]) -> None:
        """Keep what another log has kept, and nothing else. Raises `LogFullError`."""

    def remove(self, ruleset: str, name: str) -> bool:
        """Remove the components of that name; False if there were none. Games that were opened with them keep them."""
