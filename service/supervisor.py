"""The supervisor: one process that keeps the others of the service running, and stops them in good order.

Its children are the web server, the embedded Valkey (unless another Redis is named), the relay and a worker. A child
that ends is started again. When the supervisor itself is killed, its children die with it.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import socket
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from events.privacy import keep_private
from service.child import Child, GaveUpError
from workers import valkey
from workers.process import SUPERVISOR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from service.settings import Settings

FACTORY = "service.app:create_app"
"""What makes the web application of the settings."""

LOCK = "serve.lock"
"""The file in the data folder that is locked while a supervisor serves it."""

HEALTH = "/v1/health"
REDIS_SCHEMES = ("redis", "rediss", "unix")
WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - they are only recognised
"""Where a server that listens on every address is asked."""


class ServeError(Exception):
    """Why the service cannot start, in one sentence."""


def serve(settings: Settings, factory: str = FACTORY, ready: Callable[[str], None] | None = None) -> int:
    """Serve until SIGTERM or SIGINT, and return the exit code; `ready` is told the URL once the service answers.

    What stands in the way (a port in use, a folder that cannot be written, a log that another process has open or
    that a newer release wrote) is one sentence on standard error, and code 1.
    """
    try:
        with locked(settings.data):
            asyncio.run(Supervisor(settings, factory, ready or announce).run())
    except (ServeError, GaveUpError) as error:
        sys.stderr.write(f"kifu: {error}\n")
        return 1
    return 0


def announce(url: str) -> None:
    """The line that says that the service can be used."""
    sys.stdout.write(f"Kifu is ready at {url}\n")
    sys.stdout.flush()


class Supervisor:
    """Runs the service of one data folder, which it has locked. Raises `ServeError` for settings it cannot have."""

    def __init__(self, settings: Settings, factory: str, ready: Callable[[str], None]) -> None:
        check_redis(settings.redis_url)
        host, port = bindable(settings.host, settings.port)
        self._asked = WILDCARDS.get(host, host), port
        self._ready = ready
        settings = msgspec.structs.replace(settings, data=settings.data.absolute(), host=host, port=port)
        self._valkey: list[Child] = []
        if not settings.redis_url:
            path = valkey.socket_path(settings.data)
            settings = msgspec.structs.replace(settings, redis_url=valkey.socket_url(path))
            self._valkey = [Child("valkey", "workers.valkey", str(path), hushed=True)]
        self._web = Child("web", "service.server", factory, hushed=True, vital=True)
        self._work = [Child("relay", "workers.relay"), Child("worker", "workers.worker")]
        self._environment = environment_of(settings)

    async def run(self) -> None:
        """Serve until SIGTERM, SIGINT or SIGHUP. Raises `GaveUpError` if the web server does not start."""
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        try:
            await self._serve(stop)
        finally:
            await self._web.stop()  # first, so that what was accepted is finished and on disk
            for children in (self._work, self._valkey):
                await asyncio.gather(*(child.stop() for child in children))

    async def _serve(self, stop: asyncio.Event) -> None:
        for child in self._valkey:
            child.start(self._environment)
        web = self._web.start(self._environment)
        answered, stopped = asyncio.create_task(self._answered()), asyncio.create_task(stop.wait())
        await asyncio.wait([web, answered, stopped], return_when=asyncio.FIRST_COMPLETED)
        if web.done():
            web.result()
        if stopped.done():
            answered.cancel()
            return
        self._web.came_up()
        for child in self._work:  # the web server has made the files that they read
            child.start(self._environment)
        host, port = self._asked
        self._ready(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")
        await stopped

    async def _answered(self) -> None:
        """Wait until the web server answers when it is asked how it is, whatever it says."""
        while True:
            try:
                async with asyncio.timeout(2.0):
                    reader, writer = await asyncio.open_connection(*self._asked)
                    writer.write(f"GET {HEALTH} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
                    answer = await reader.readline()
                    writer.close()
                if answer.startswith(b"HTTP/1"):
                    return
            except (OSError, TimeoutError):
                pass
            await asyncio.sleep(0.05)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a data folder, made if need be, against a second supervisor. Raises `ServeError`."""
    path = folder / LOCK
    try:
        keep_private(folder)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise ServeError(f"the data folder {folder} cannot be written: {error.strerror}") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(file, 0)
        os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
        yield
    except BlockingIOError as error:
        holder = os.pread(file, 20, 0).decode(errors="replace").strip()
        raise ServeError(f"the data folder {folder} is served already, by process {holder}") from error
    finally:
        os.close(file)


def bindable(host: str, port: int) -> tuple[str, int]:
    """The numeric address and the port to listen on; port 0 is turned into a free one. Raises `ServeError`."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as trial:
            # Granian shares its port with whoever asks for it (SO_REUSEPORT), so it would not notice another server.
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
            numeric, free, *_ = trial.getsockname()
    except OSError as error:
        raise ServeError(f"cannot listen on {host}, port {port}: {error.strerror}") from error
    return numeric, free


def check_redis(url: str) -> None:
    """Whether that can be the URL of a Redis, or nothing. Raises `ServeError`."""
    if url and urlsplit(url).scheme not in REDIS_SCHEMES:
        raise ServeError(f"the Redis to use is named by a URL that begins with {', '.join(REDIS_SCHEMES)}")


def environment_of(settings: Settings) -> dict[str, str]:
    """The environment of a child process: this one's, the settings, and whom to die with."""
    values = {f"KIFU_{name.upper()}": str(value) for name, value in msgspec.structs.asdict(settings).items()}
    return os.environ | values | {SUPERVISOR: str(os.getpid())}
