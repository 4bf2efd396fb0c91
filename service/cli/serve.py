"""The service itself, with everything that belongs to it."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click
import msgspec

from service import hosts, presence
from service.answers import LoginLink
from service.authority import certificate_file, fingerprint
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
@click.option(
    "--https",
    is_flag=True,
    default=None,
    help="Speak HTTPS, with a certificate of a local authority that phones are told to trust.  [env var: KIFU_HTTPS]",
)
@data_option
@click.option("--samples", is_flag=True, help="Put sample games into an empty data folder first.")
def serve(host: str | None, port: int | None, https: bool | None, data: Path, samples: bool) -> None:
    """Serve a data folder: the API, the pages, and the work in the background, until Ctrl-C.

    The login link that is printed makes a browser the owner's: one, within fifteen minutes. `kifu tokens link` makes
    another one.
    """
    from service.supervisor import serve as supervise  # noqa: PLC0415 - only this command needs all the rest

    chosen = {"host": host, "port": port, "https": https, "data": data}
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
            at = urlsplit(url).port or settings.port
            found = hosts.found_at(settings.host, at, https=settings.https)
            if settings.https:
                show_trust(settings.data, [each.replace("https:", "http:", 1) for each in (url, *found)])
            show_way(found, phone)

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
