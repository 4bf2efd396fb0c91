"""The service itself, with everything that belongs to it."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

import click
import msgspec

from service.api.answers.access import LoginLink
from service.cli import screen
from service.cli.connection import Place, connect, data_option, reach_own
from service.cli.failures import explain
from service.cli.samples import put_samples
from service.languages import gettext
from service.server import hosts
from service.server.authority import certificate_file, fingerprint
from service.settings import from_environment

if TYPE_CHECKING:
    from service.settings import Settings

EVERYWHERE = "0.0.0.0"  # noqa: S104 - only `--network` chooses it
"""All addresses of this machine."""

URL_LENGTH = 4096
"""The most bytes of the URL of a service."""

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds until a login link is asked for again: the first time, and at most."""


@click.command()
@click.option("--host", envvar="KIFU_HOST", show_envvar=True, help="The address to listen on.  [default: 127.0.0.1]")
@click.option("--network", is_flag=True, help="Let phones in this network in: listen on all addresses, 0.0.0.0.")
@click.option(
    "--port", type=click.IntRange(0, 65535), envvar="KIFU_PORT", show_envvar=True, help="0 for any.  [default: 8080]"
)
@click.option(
    "--https",
    is_flag=True,
    default=None,
    help="Speak HTTPS, with a certificate of a local authority that phones are told to trust.  [env var: KIFU_HTTPS]",
)
@data_option
@click.option("--samples", is_flag=True, help="Put sample games into an empty data folder first.")
def serve(host: str | None, network: bool, port: int | None, https: bool | None, data: Path, samples: bool) -> None:
    """Serve a data folder: the API, the pages, and the work in the background, until Ctrl-C.

    The login link that is printed makes a browser the owner's: one, within fifteen minutes. `kifu tokens link` makes
    another one.
    """
    if network:
        if host not in {None, EVERYWHERE}:
            raise click.UsageError(gettext("--network listens on all addresses, and --host names one."))
        host = EVERYWHERE
    chosen = {"host": host, "port": port, "https": https, "data": data}
    given = {name: value for name, value in chosen.items() if value is not None}
    settings = msgspec.structs.replace(from_environment(), **given)
    if samples:
        bring_samples(data)
    become_supervisor(settings)


def become_supervisor(settings: Settings) -> NoReturn:
    """Go on as the process that serves. It needs a quarter of the memory of the command line, and does not end.

    A process beside it has the command line, says where the service is, and ends.
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
    """Greet once the URL comes through a pipe. If that is closed, the service has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the service, which then closes the pipe
    url = os.read(pipe, URL_LENGTH).decode()
    if url:
        threading.Thread(target=_leave_after, args=[pipe], daemon=True).start()
        greet(settings, url)
        for stream in (sys.stdout, sys.stderr):
            stream.flush()


def _leave_after(pipe: int) -> None:
    os.read(pipe, 1)
    os._exit(0)


def bring_samples(data: Path) -> None:
    """Put the sample games into an empty folder. The service starts without them if that fails."""
    try:
        with connect(Place(data, None, None), makes=True) as client:
            put_samples(client)
    except Exception as error:  # noqa: BLE001 - none of it is needed to serve
        why, *_ = explain(error)
        screen.warn(gettext("The sample games are left out: %(why)s", why=why))


def greet(settings: Settings, url: str) -> None:
    """Say where the service is and how to log in. Login links follow later if it cannot make them yet."""
    place, at = Place(settings.data, None, None), urlsplit(url).port or settings.port
    found, out = hosts.network_urls(settings.host, at, https=settings.https), screen.out()
    try:
        here = login_link(place, url)
        out.print(gettext("Kifu is ready. Log in at %(url)s%(here)s", url=url, here=here), soft_wrap=True)
    except Exception as error:  # noqa: BLE001 - none of it is needed to serve
        out.print(gettext("Kifu is ready at %(url)s", url=url), soft_wrap=True)
        why, *_ = explain(error)
        screen.warn(gettext("The login link follows as soon as one can be made: %(why)s", why=why))
        here = ""
    if settings.https:
        show_trust(settings.data, [each.replace("https:", "http:", 1) for each in (url, *found)])
    if not here:
        here = wait_for_login_link(place, url)
        out.print(gettext("Log in at %(url)s%(here)s", url=url, here=here), soft_wrap=True)
    if found:
        show_way(found, wait_for_login_link(place, url))
    else:
        out.print(gettext("Only this computer reaches Kifu. For phones in this network: kifu serve --network"))
    said = gettext("The commands are those of %(program)s, such as `kifu invite NAME`.", program=program())
    out.print(said, soft_wrap=True)


def program() -> str:
    """Where this program lies."""
    return str(Path(sys.argv[0]).absolute())


def wait_for_login_link(place: Place, url: str) -> str:
    """A login link, as soon as the service can make one."""
    pause = FIRST_PAUSE
    while True:
        try:
            return login_link(place, url)
        except Exception:  # noqa: BLE001 - it was said why
            time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def login_link(place: Place, url: str) -> str:
    """A login link of the service at `url`. Raises what a request can meet."""
    with reach_own(place, url) as client:
        return client.send("POST", "/v1/login-links", LoginLink).path


def show_way(urls: list[str], way_in: str) -> None:
    """Say how a phone in the same network gets here, the likeliest way as a QR code, too."""
    for url in urls:
        screen.out().print(
            gettext("On a phone in this network: %(url)s%(way_in)s", url=url, way_in=way_in), soft_wrap=True
        )
    if urls:
        screen.qr(urls[0] + way_in)


def show_trust(data: Path, plain: list[str]) -> None:
    """Say how a browser comes to trust a service that speaks HTTPS: here, and by a QR code where a phone finds it."""
    own, *by_phones = plain
    out = screen.out()
    out.print(
        gettext("A browser that warns does not trust it yet: see %(own)s/https. The fingerprint is", own=own),
        soft_wrap=True,
    )
    out.print(fingerprint(certificate_file(data).read_bytes()), soft_wrap=True)
    if by_phones:
        out.print(
            gettext("On a phone, once, before anything else: %(url)s", url=f"{by_phones[0]}/https"), soft_wrap=True
        )
        screen.qr(f"{by_phones[0]}/https")
