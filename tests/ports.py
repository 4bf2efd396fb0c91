"""Ports for the services that tests start."""

from __future__ import annotations

import fcntl
import itertools
import os
import random
import socket
import tempfile
from pathlib import Path
from typing import IO

LOWEST, HIGHEST = 12_000, 32_000
"""Systems assign ports above this range to connections. A port inside it stays free until it is opened."""
_chance = (
    random.SystemRandom()
)  # tests have the same chance each time, and runs at the same time would ask for the same ports
_locks: list[IO[bytes]] = []


def free_port() -> int:
    """A free port. No other test process gets it while this one runs.

    It is not enough to ask the system for a free port. It may give the same port to a connection of another test before
    the service has opened it.
    """
    folder = Path(tempfile.gettempdir()) / f"kifu-ports-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    start = _chance.randrange(LOWEST, HIGHEST)
    for port in itertools.chain(range(start, HIGHEST), range(LOWEST, start)):
        lock = (folder / str(port)).open("wb")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with socket.create_server(("127.0.0.1", port)):
                _locks.append(lock)
                return port
        except OSError:
            lock.close()
    raise AssertionError("no port is free")
