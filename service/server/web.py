"""The web: the front, in this process, and behind it the web servers and the streams, each in a child process.

`python -m service.server.web FACTORY` runs it alone, without the work in the background; it ends with its web server.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from events.stores import LOG_SOCKET
from service.server import hosts, orders
from service.server.child import Child, GaveUpError, print_line
from service.server.forked import ForkServer
from service.server.front.front import Front
from service.settings import METRICS_FOLDER, Settings, from_environment
from workers import process

if TYPE_CHECKING:
    from socket import socket

    from service.server.authority import Certificates

SOCKET, LOG_NAME = "web.sock", "log.sock"
FACTORY = "service.app:create_app"
"""What makes the web application of the settings."""

STREAMS = "service.live.streams"
"""What the process of the streams runs."""

MEMORY = Path("/dev/shm")  # noqa: S108 - the folder in it is private, and not used if it cannot be made
"""The folder in which files lie in memory, where the system has one."""

STOP_TIMEOUT = 1.5
"""Seconds that accepted requests have to be answered when the service is stopped."""

CERTIFICATE_CHECK_INTERVAL = 60.0
"""Seconds between two looks at whether the certificate still holds, and is for the present addresses."""


class WebProcesses:
    """Serves a listening socket with an application. Its processes are restarted when they end, unless `once`."""

    def __init__(self, settings: Settings, factory: str, listener: socket, *, once: bool = False) -> None:
        path = process.socket_path(settings.data, SOCKET)
        self._live, self._go = path.with_name(orders.SOCKET), asyncio.Event()
        paths = [path, *(path.with_name(f"web-{number}.sock") for number in range(2, settings.web_processes + 1))]
        self._servers = [_server(factory, path, once=once) for path in paths]
        self.modules = (*_modules(factory), STREAMS)
        self._streams = Child("live", STREAMS)
        self._log = _log(settings, path.with_name(LOG_NAME))
        self._certificates = _certificates(settings)
        context = self._certificates.context if self._certificates else None
        self._front = Front(listener, paths, self._live, settings.threads, settings.connections, context)
        self._renewing: asyncio.Task[None] | None = None
        self._counting = _adding_up(settings)
        more = {orders.LIVE: str(self._live)} | ({LOG_SOCKET: str(path.with_name(LOG_NAME))} if self._log else {})
        self.forks = ForkServer(os.environ | settings.as_environment() | more | self._counting)

    @property
    def children(self) -> list[Child]:
        """The child processes of the web."""
        return [*self._servers, self._streams, *self._log]

    def start(self) -> list[asyncio.Task[None]]:
        """Start the web servers. Each task ends when its server is stopped or given up."""
        ended = [child.start(self.forks) for child in (*self._log, *self._servers)]
        self._streams.start(self.forks, self._go)
        return ended

    async def open(self) -> None:
        """Wait until the web servers are up, then accept connections."""
        if self._certificates:
            self._renewing = asyncio.create_task(_renew(self._certificates))
        await self._front.open()
        self._go.set()  # they have made the files that the streams are read from

    def came_up(self) -> None:
        """Note that the start went well: from now on, restart each that ends."""
        for child in (*self._log, *self._servers):
            child.came_up()

    async def stop(self) -> None:
        """Finish the accepted calls, and end the web servers. Their log is complete then."""
        if self._renewing:
            self._renewing.cancel()
        await asyncio.gather(self._front.close(STOP_TIMEOUT), self._streams.stop())
        await asyncio.gather(*(server.stop() for server in self._servers))
        await asyncio.gather(*(log.stop() for log in self._log))
        for folder in self._counting.values():
            shutil.rmtree(folder, ignore_errors=True)


def _log(settings: Settings, path: Path) -> list[Child]:
    """The process that writes the log of a data folder for several web processes, which reach it at `path`."""
    if settings.database_url or settings.web_processes == 1:
        return []
    return [Child("log", "service.server.log", str(settings.data), str(path), hushed=True, vital=True)]


def _server(factory: str, path: Path, *, once: bool) -> Child:
    module, *imports = _modules(factory)
    return Child(path.stem, module, factory, str(path), imports=tuple(imports), hushed=True, vital=True, once=once)


def _modules(factory: str) -> tuple[str, str]:
    """What a web server runs."""
    return "service.server.server", factory.partition(":")[0]


def _adding_up(settings: Settings) -> dict[str, str]:
    """The environment for joint metrics of several processes: a folder of files, empty at the start."""
    if settings.web_processes == 1:
        return {}
    folder = _counts(settings.data)
    shutil.rmtree(folder, ignore_errors=True)
    try:
        folder.mkdir(mode=0o700)
    except OSError as error:
        print_line("serve", f"each web process counts for itself: {folder} cannot be made: {error.strerror}")
        return {}
    return {METRICS_FOLDER: str(folder)}


def _counts(data: Path) -> Path:
    """The folder of the counts, in memory if possible: they are mapped files, which kill a process on a full disk."""
    own = sha256(os.fsencode(data.absolute())).hexdigest()[:16]
    return MEMORY / f"kifu-{os.geteuid()}-{own}" if os.access(MEMORY, os.W_OK) else data / "counts"


def _certificates(settings: Settings) -> Certificates | None:
    """What to speak TLS with, if that is wanted. Raises `BadHostError`."""
    if not settings.https:
        return None
    from service.server.authority import Certificates  # noqa: PLC0415 - what makes them takes its time to load

    try:
        return Certificates(settings.data, settings.host, lambda line: print_line("serve", line))
    except OSError as error:
        raise hosts.BadHostError(f"cannot make a certificate: {error}") from error


async def _renew(certificates: Certificates) -> None:
    """Keep the certificates valid, for ever. A failure is printed, and tried again."""
    while True:
        await asyncio.sleep(CERTIFICATE_CHECK_INTERVAL)
        try:
            if await asyncio.to_thread(certificates.renew):
                certificates.load()
                print_line("serve", "the certificate was made anew")
        except OSError as error:
            print_line("serve", f"the certificate cannot be looked after: {error}")


async def _alone(settings: Settings, factory: str) -> int:
    process.set_process_name("kifu-serve")
    listener = hosts.listen(settings.host, settings.port)
    web, stop = WebProcesses(settings, factory, listener, once=True), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    servers = web.start()
    opened, stopped = asyncio.create_task(web.open()), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait([*servers, stopped], return_when=asyncio.FIRST_COMPLETED)
        for ended in servers:
            if ended.done():
                ended.result()
    finally:
        opened.cancel()
        await web.stop()
        await web.forks.close()
    return 0


def main() -> int:
    """Serve the application of the factory named by the first argument, with the settings of the environment."""
    settings = from_environment()
    settings.data.mkdir(parents=True, exist_ok=True)
    try:
        return asyncio.run(_alone(msgspec.structs.replace(settings, data=settings.data.absolute()), sys.argv[1]))
    except (GaveUpError, hosts.BadHostError) as error:
        sys.stderr.write(f"kifu: {error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
