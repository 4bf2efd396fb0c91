"""Running the service with all its processes.

What takes its time to load is loaded when the service is up, or never: until then, this program is in the way.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, NoReturn

import click
import msgspec

from service.cli.shell.data_option import data_option
from service.languages import gettext
from service.settings import from_environment

if TYPE_CHECKING:
    from pathlib import Path

    from service.settings import Settings

EVERYWHERE = "0.0.0.0"  # noqa: S104 - only `--network` chooses it
"""All addresses of this machine."""

URL_LENGTH = 4096
"""The most bytes of the URL of a service."""


@click.command()
@click.option("--host", envvar="KIFU_HOST", show_envvar=True, help="The address to listen on.  [default: 127.0.0.1]")
@click.option("--network", is_flag=True, help="Let phones in this network in: listen on all addresses, 0.0.0.0.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    envvar="KIFU_PORT",
    show_envvar=True,
    help="The port; 0 for any free one.  [default: 8080]",
)
@click.option(
    "--https",
    is_flag=True,
    default=None,
    help="Serve HTTPS, with a certificate of a local authority. Each phone must trust it first.  [env var: KIFU_HTTPS]",
)
@data_option
@click.option("--samples", is_flag=True, help="Put sample games into an empty data folder first.")
def serve(host: str | None, network: bool, port: int | None, https: bool | None, data: Path, samples: bool) -> None:
    """Serve a data folder: the API, the pages, and the work in the background, until Ctrl-C.

    It prints a link that logs one browser in as the owner, within fifteen minutes. `kifu tokens link` prints
    another one.
    """
    if network:
        if host not in {None, EVERYWHERE}:
            raise click.UsageError(gettext("Use --network (all addresses) or --host (one address), but not both."))
        host = EVERYWHERE
    chosen = {"host": host, "port": port, "https": https, "data": data}
    given = {name: value for name, value in chosen.items() if value is not None}
    settings = msgspec.structs.replace(from_environment(), **given)
    if samples:
        from service.cli.upkeep.samples import bring_samples  # noqa: PLC0415 - it takes its time to load

        bring_samples(data)
    become_supervisor(settings)


def become_supervisor(settings: Settings) -> NoReturn:
    """Replace this process by the supervisor, which needs a quarter of the memory.

    A process beside it keeps the command line, prints the greeting, and ends.
    """
    url, tell = os.pipe()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    if (child := os.fork()) == 0:
        if os.fork() == 0:  # twice, so that it is nobody's child
            os.close(tell)
            greet_when_told(settings, url)
        os._exit(0)
    os.waitpid(child, 0)
    os.close(url)
    os.set_inheritable(tell, True)
    command = [sys.executable, "-m", "service.server.supervisor", str(tell)]
    os.execve(sys.executable, command, os.environ | settings.as_environment())  # noqa: S606 - it is this program


def greet_when_told(settings: Settings, pipe: int) -> None:
    """Print the greeting when the URL comes through a pipe. A closed pipe means that the service has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the service, which then closes the pipe
    url = os.read(pipe, URL_LENGTH).decode()
    if url:
        threading.Thread(target=_leave_after, args=[pipe], daemon=True).start()
        from service.cli.upkeep.greeting import greet  # noqa: PLC0415 - it takes its time to load

        greet(settings, url)
        for stream in (sys.stdout, sys.stderr):
            stream.flush()


def _leave_after(pipe: int) -> None:
    os.read(pipe, 1)
    os._exit(0)
