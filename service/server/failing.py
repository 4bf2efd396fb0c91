"""Failing processes and witnesses, noted in the data folder for the health route."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from events import safekeeping

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FILE = "failing.json"
"""The processes that do not stay up, noted by the supervisor."""

WITNESSES = "failing-witnesses.json"
"""The witnesses that do not cosign, noted after each round by the process that asks them."""

LASTING = 600.0
"""Seconds after which a note about witnesses is out of date. It is made anew much earlier."""


def note(folder: Path, found: Mapping[str, str], file: str = FILE) -> None:
    """Note failures by name, each with its reason or with how the process ended. Raises `OSError`."""
    path = folder / file
    if not found:
        path.unlink(missing_ok=True)
        return
    safekeeping.put(path, msgspec.json.encode(found))


def read_failures(folder: Path) -> dict[str, str]:
    """The noted failures by name, each with its reason or with how the process ended."""
    return _noted(folder / FILE) | _noted(folder / WITNESSES, LASTING)


def _noted(path: Path, lasting: float | None = None) -> dict[str, str]:
    with suppress(OSError, msgspec.DecodeError):
        if lasting is None or path.stat().st_mtime > time.time() - lasting:
            return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    return {}
