"""The service itself, with everything that belongs to it."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click
import msgspec

from service import hosts, presence
from service.answers import LoginLink
from service.cli import screen
from service.cli.connection import Place, connect, data_option
from service.cli.samples import put_samples
from service.languages import gettext
from service.settings import from_environment

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.option("--host", envvar="KIFU_HOST", show_envvar=True, help="The address to listen on.  [default: 127.0.0.1]")
@click.option(
    "--port", type=click.IntRange(0, 65535), envvar="KIFU_PORT", show_envvar=True, help="0 for any.  [default: 8080]"
)
@data_option
@click.option("--samples", is_flag=True, help="Put sample games into an empty data folder first.")
def serve(host: str | None, port: int | None, data: Path, samples: bool) -> None:
    """Serve a data folder: the API, the pages, and the work in the background, until Ctrl-C.

    The login link that is printed makes a browser the owner's: one, within fifteen minutes. `kifu tokens link` makes
    another one.
    """
    from service.supervisor import serve as supervise  # noqa: PLC0415 - only this command needs all the rest

    chosen = {"host": host, "port": port, "data": data}
    given = {name: value for name, value in chosen.items() if value is not None}
    settings = msgspec.structs.replace(from_environment(), **given)
    if samples:
        with connect(Place(data, None, None), makes=True) as client:
            put_samples(client)
    with ExitStack() as stack:

        def ready(url: str) -> None:
            stack.enter_context(presence.announced(settings.data, url))
            with connect(Place(data, None, None)) as client:
                here, phone = (client.send("POST", "/v1/login-links", LoginLink).path for _ in range(2))
            screen.out().print(gettext("Kifu is ready. Log in at %(url)s%(here)s", url=url, here=here), soft_wrap=True)
            show_way(hosts.found_at(settings.host, urlsplit(url).port or settings.port), phone)

        code = supervise(settings, ready=ready)
    raise click.exceptions.Exit(code)


def show_way(urls: list[str], way_in: str) -> None:
    """Say how a phone in the same network gets here, the likeliest way as a QR code, too."""
    for url in urls:
        screen.out().print(
            gettext("On a phone in this network: %(url)s%(way_in)s", url=url, way_in=way_in), soft_wrap=True
        )
    if urls:
        screen.qr(urls[0] + way_in)
