"""A wire between a host and its database, which can go silent, break and be mended."""

from __future__ import annotations

import socket
import struct
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from psycopg.conninfo import conninfo_to_dict

if TYPE_CHECKING:
    from types import TracebackType

_AT_ONCE = struct.pack("ii", 1, 0)
"""Ends a connection with a reset, even if something is still on its way."""


class Wire:
    """Forwards connections from a local port to the Unix socket of a database. `url` is the database at that port.

    The server does not notice faults on the host's side: its connections stay open, as after a lost network.
    """

    def __init__(self, url: str) -> None:
        parts = conninfo_to_dict(url)
        self._server = str(Path(str(parts["host"])) / ".s.PGSQL.5432")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"postgresql://{parts['user']}@127.0.0.1:{self._listener.getsockname()[1]}/{parts['dbname']}"
        self._flows = threading.Event()
        self._flows.set()
        self._hosts: set[socket.socket] = set()
        self._all: list[socket.socket] = [self._listener]
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def go_silent(self) -> None:
        """Drop everything in both directions, without an error."""
        self._flows.clear()

    def give_up(self) -> None:
        """Reset the host's connections, as its system does after a time. New ones fail, too."""
        for host in list(self._hosts):
            self._hosts.discard(host)
            with suppress(OSError):
                host.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
                host.shutdown(socket.SHUT_RD)
                host.close()

    def mend(self) -> None:
        """Forward new data again."""
        self._flows.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # ends the wait for the next connection
        self._threads[0].join()
        self._hosts.clear()
        self._flows.set()
        for each in self._all:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for each in self._all:
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                host, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                self._all += [host, server]
                try:
                    server.connect(self._server)
                except OSError:  # no server: this connection fails, a later one may not
                    host.close()
                    continue
                self._hosts.add(host)
                for source, target in ((host, server), (server, host)):
                    self._threads.append(threading.Thread(target=self._lead, args=(host, source, target), daemon=True))
                    self._threads[-1].start()

    def _lead(self, host: socket.socket, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):  # a server that is killed before it has read everything resets its end
            while data := source.recv(1 << 16):
                self._flows.wait()
                if host not in self._hosts:  # data on its way is lost
                    return
                target.sendall(data)
        if host in self._hosts:
            self._flows.wait()
            with suppress(OSError):
                target.shutdown(socket.SHUT_WR)
