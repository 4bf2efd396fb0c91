"""The web server: granian with one worker process, which alone writes to the log."""

from __future__ import annotations

import multiprocessing
import multiprocessing.util
import sys
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server import MPServer

from events.errors import LogError
from service.settings import BadSettingError, from_environment
from workers import process
from workers.errors import WorkError

if TYPE_CHECKING:
    from flask import Flask

GRACE = 10
"""Seconds that accepted requests have to finish when the server is stopped."""


class Server(MPServer):
    """Granian that leaves with the exit code of its worker, so that its parent learns why that ended."""

    def shutdown(self, exit_code: int = 0) -> None:
        """Stop the worker, if it still runs, and leave."""
        codes = [worker.inner.exitcode for worker in self.wrks]
        super().shutdown(exit_code or next(filter(None, codes), 0))  # type: ignore[no-untyped-call]


def application(factory: str) -> Flask:
    """Make the application, in granian's worker process, with the `module:function` that takes the settings."""
    parent = multiprocessing.parent_process()
    if parent and parent.pid:
        process.die_with(parent.pid)
    module, _, function = factory.partition(":")
    create = getattr(import_module(module), function)
    try:
        made: Flask = create(from_environment())
    except (LogError, WorkError, BadSettingError, OSError) as error:
        process.give_up(error)
    # A process of multiprocessing leaves without the functions of atexit; these it runs.
    multiprocessing.util.Finalize(made, made.extensions["kifu"].close, exitpriority=0)
    return made


def main() -> None:
    """Serve the application of the factory named by the first argument, with the settings of the environment."""
    process.begin()
    settings = from_environment()
    options: dict[str, Any] = {
        "address": settings.host,
        "port": settings.port,
        "interface": Interfaces.WSGI,
        "workers": 1,
        "blocking_threads": settings.threads,
        "workers_kill_timeout": GRACE,
        "log_level": LogLevels.critical,  # the supervisor tells when it ends, and the application when a request fails
    }
    Server("kifu", **options).serve(target_loader=partial(application, sys.argv[1]), wrap_loader=False)


if __name__ == "__main__":
    main()
