"""Waiting until something has happened."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 60.0
"""The most seconds to wait for a short step on a busy machine."""
LONGEST = 0.1
"""The longest seconds between two polls: polling is work, often for other processes, too."""


def until(happens: Callable[[], Any], patience: float = PATIENCE) -> Any:
    """Wait until `happens` returns something true, and return it. Polls more slowly with time."""
    deadline, pause = time.monotonic() + patience, 0.005
    while not (found := happens()):
        assert time.monotonic() < deadline, f"waited in vain for {happens}"
        time.sleep(pause)
        pause = min(pause * 1.25, LONGEST)
    return found
