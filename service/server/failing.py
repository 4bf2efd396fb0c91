"""The processes of a service that do not stay up: the supervisor notes them in the data folder, and health tells."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from events import safekeeping

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FILE = "failing.json"


def note(folder: Path, found: Mapping[str, str]) -> None:
    """Note the processes that do not stay up, by name, and how each ended last. Raises `OSError`."""
    path = folder / FILE
    if not found:
        path.unlink(missing_ok=True)
        return
    safekeeping.put(path, msgspec.json.encode(found))


def look(folder: Path) -> dict[str, str]:
    """The processes that do not stay up, by name, and how each ended last."""
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode((folder / FILE).read_bytes(), type=dict[str, str])
    return {}
