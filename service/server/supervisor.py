"""The supervisor: it keeps the other processes of the service running, and stops them in order.

Its children are the web servers, the embedded Valkey (unless another Redis is named), the relay, a worker, a worker for
spare time, and the deliverer of webhooks. The front of the web servers is in the supervisor itself. A child that ends
is started again. When the supervisor itself is killed, its children die with it.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import sys
import threading
from contextlib import ExitStack, contextmanager, suppress
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from events.privacy import keep_private
from service.server import failing, hosts, reserve, service_lock
from service.server.child import Child, GaveUpError, print_line
from service.server.web import FACTORY, WebProcesses
from service.settings import BadSettingError, from_environment
from workers import process, valkey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from service.settings import Settings

LOCK = "serve.lock"
"""The file in the data folder that is locked while a supervisor serves it."""

RETRY = 2.0
"""Seconds between two attempts to write where the service is, on a full disk."""

KEEP = 60.0
"""Seconds between two looks whether the reserve is there."""

WATCH = 1.0
"""Seconds between two looks whether the children stay up."""


class ServeError(Exception):
    """The service cannot start. The message is one sentence."""


def serve(settings: Settings, factory: str = FACTORY, ready: Callable[[str], None] | None = None) -> int:
    """Serve until SIGTERM or SIGINT, and return the exit code; `ready` is told the URL once the service answers.

    `ready` has a thread of its own. It may take its time and fail: the service goes on.

    If something is in the way, it is one sentence on standard error, and code 1. Examples are a port in use, a folder
    that cannot be written, and a log that another process has open or that a newer release wrote.
    """
    try:
        with lock_folder(settings.data):
            use_reserve(settings.data)
            asyncio.run(Supervisor(settings, factory, ready or announce).run())
    except (ServeError, GaveUpError, hosts.BadHostError, BadSettingError) as error:
        sys.stderr.write(f"kifu: {error}\n")
        return 1
    return 0


def announce(url: str) -> None:
    """The line that says that the service is ready."""
    sys.stdout.write(f"Kifu is ready at {url}\n")
    sys.stdout.flush()


class Supervisor:
    """Runs the service of one data folder, and holds its lock.

    Raises `ServeError` and `BadSettingError` for settings it cannot have, and `BadHostError`.
    """

    def __init__(self, settings: Settings, factory: str, ready: Callable[[str], None]) -> None:
        check_redis(settings.redis_url)
        process.set_process_name("kifu-serve")
        self._listener = hosts.listen(settings.host, settings.port)
        self._ready, self._https = ready, settings.https
        self._folder = settings.data.absolute()
        settings = msgspec.structs.replace(settings, data=self._folder)
        self._valkey: list[Child] = []
        if not settings.redis_url:
            path = valkey.socket_path(settings.data)
            settings = msgspec.structs.replace(settings, redis_url=valkey.socket_url(path))
            self._valkey = [Child("valkey", "workers.valkey", str(path), hushed=True)]
        self._web = WebProcesses(settings, factory, self._listener)
        modules = {"relay": "workers.relay", "worker": "workers.worker", "hooks": "service.webhooks.deliverer"}
        everything = (*modules.values(), *self._web.modules)  # loaded before the first is forked, to be shared
        self._work = [Child(name, module, imports=everything) for name, module in modules.items()]
        self._work.append(Child("spare", "workers.worker", "spare", imports=everything))

    @property
    def children(self) -> list[Child]:
        """The child processes, in the order of their start."""
        return [*self._valkey, *self._work, *self._web.children]

    async def run(self) -> None:
        """Serve until SIGTERM, SIGINT or SIGHUP. Raises `GaveUpError` if a web server does not start."""
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        try:
            await self._serve(stop)
        finally:
            working = [child.stop() for child in self._work]
            await asyncio.gather(self._web.stop(), *working)  # what was accepted is finished, and on disk
            await asyncio.gather(*(child.stop() for child in self._valkey))
            await self._web.forks.close()

    async def _serve(self, stop: asyncio.Event) -> None:
        go = asyncio.Event()
        for child in self._valkey:
            child.start(self._web.forks)
        for child in self._work:
            child.start(self._web.forks, go)
        servers = self._web.start()
        opened, stopped = asyncio.create_task(self._web.open()), asyncio.create_task(stop.wait())
        await asyncio.wait([*servers, opened, stopped], return_when=asyncio.FIRST_COMPLETED)
        for ended in servers:
            if ended.done():
                ended.result()
        if stopped.done():
            opened.cancel()
            return
        self._web.came_up()
        go.set()  # the web servers have made the files that the others read
        with ExitStack() as announced:
            url = hosts.listener_url(self._listener, https=self._https)
            watched = (self._announce(url, announced), self._keep_reserve(), self._watch_children())
            tasks = [asyncio.create_task(each) for each in watched]
            await stopped
            for task in tasks:
                task.cancel()

    async def _announce(self, url: str, announced: ExitStack) -> None:
        """Announce the service to people and to programs on this machine. It serves even if that fails."""
        found = self._let_find(url, announced)
        speaking = copy_context()  # in the language of the terminal
        threading.Thread(target=speaking.run, args=[self._greet, url], name="greeting", daemon=True).start()
        while not found:
            await asyncio.sleep(RETRY)
            found = self._let_find(url, announced, again=True)

    def _let_find(self, url: str, announced: ExitStack, *, again: bool = False) -> bool:
        """Announce the service in its data folder. True if other programs can find it from now on."""
        try:
            announced.enter_context(service_lock.announce(self._folder, url))
        except OSError as error:
            if not again:
                print_line("serve", f"commands on the data folder do not find the service yet: {error}")
            return False
        return True

    async def _keep_reserve(self) -> None:
        while True:
            with suppress(OSError):  # it is tried again
                await asyncio.to_thread(reserve.keep, self._folder)
            await asyncio.sleep(KEEP)

    async def _watch_children(self) -> None:
        children, noted = self.children, None
        while True:
            found = {child.name: child.why_failing for child in children if child.why_failing}
            if found != noted:
                with suppress(OSError):  # it is tried again
                    failing.note(self._folder, found)
                    noted = found
            await asyncio.sleep(WATCH)

    def _greet(self, url: str) -> None:
        try:
            self._ready(url)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - what is only printed ends nothing
            print_line("serve", f"the greeting broke off: {type(error).__name__}: {error}")


def use_reserve(folder: Path) -> None:
    """Free the reserve for the start if the disk is full, and print that."""
    with suppress(OSError):  # what stands in the way says so itself
        if reserve.use(folder):
            print_line("serve", f"the disk of {folder} is full: the service starts with its reserve, and reads go on")


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Lock a data folder against a second supervisor. The folder is made if it is missing. Raises `ServeError`."""
    path = folder / LOCK
    try:
        keep_private(folder)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise ServeError(f"the data folder {folder} cannot be written: {error.strerror}") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with suppress(OSError):  # a full disk: the holder stays unnamed
            os.ftruncate(file, 0)
            os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
        yield
    except BlockingIOError as error:
        holder = os.pread(file, 20, 0).decode(errors="replace").strip()
        raise ServeError(f"the data folder {folder} is served already, by process {holder}") from error
    finally:
        os.close(file)


def check_redis(url: str) -> None:
    """Check the URL of a Redis, which may be empty. Raises `BadSettingError` without the password."""
    if not url:
        return
    from workers import cache  # noqa: PLC0415 - its client takes as much memory as all the rest of this process

    try:
        cache.check(url)
    except cache.BadURLError as error:
        raise BadSettingError(f"KIFU_REDIS_URL: {error}") from None


def main() -> int:
    """Serve with the settings of the environment.

    The URL goes to the descriptor named by the first argument. Without one it is printed.
    """
    return serve(from_environment(), ready=partial(_write, int(sys.argv[1])) if sys.argv[1:] else announce)


def _write(descriptor: int, url: str) -> None:
    os.write(descriptor, url.encode())


if __name__ == "__main__":
    sys.exit(main())
