"""The name of this host among those that share a database."""

from __future__ import annotations

import secrets
import socket
from typing import TYPE_CHECKING

from events import safekeeping

if TYPE_CHECKING:
    from pathlib import Path

FILE = "host"
"""The file in the data folder with the name. It stays the same if the machine is renamed."""

LONGEST = 300


def host_name(folder: Path) -> str:
    """The name of the host with this data folder: the machine's name with a unique suffix.

    It is made at the first call. Raises `OSError`.
    """
    kept = safekeeping.get(folder / FILE, LONGEST).decode("ascii", errors="replace").strip()
    if kept:
        return kept
    made = f"{socket.gethostname() or 'host'}-{secrets.token_hex(4)}"
    safekeeping.put(folder / FILE, f"{made}\n".encode())
    return made
