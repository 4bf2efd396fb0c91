"""This host: what it is called among those that share a database."""

from __future__ import annotations

import secrets
import socket
from typing import TYPE_CHECKING

from events import safekeeping

if TYPE_CHECKING:
    from pathlib import Path

FILE = "host"
"""The file in the data folder that holds the name: it stays when the machine gets another one."""

LONGEST = 300


def host_name(folder: Path) -> str:
    """The name of the host that has this data folder: the machine's, and what tells it from others of that name.

    It is made when it is first asked for. Raises `OSError`.
    """
    kept = safekeeping.get(folder / FILE, LONGEST).decode("ascii", errors="replace").strip()
    if kept:
        return kept
    made = f"{socket.gethostname() or 'host'}-{secrets.token_hex(4)}"
    safekeeping.put(folder / FILE, f"{made}\n".encode())
    return made
