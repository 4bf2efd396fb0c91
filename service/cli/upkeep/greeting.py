"""The greeting of `kifu serve`: the address, a login link, and the way for a phone."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from service.api.answers.access import LoginLink
from service.cli.shell import screen
from service.cli.shell.connection import Place, reach_own
from service.cli.shell.failures import explain
from service.languages import gettext
from service.server import hosts
from service.server.authority import certificate_file, fingerprint

if TYPE_CHECKING:
    from service.settings import Settings

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds until a login link is asked for again: the first time, and at most."""


def greet(settings: Settings, url: str) -> None:
    """Print the address and a login link. The link follows later if the service cannot make one yet."""
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
    if settings.redis_url and (trouble := trouble_of_redis(settings.redis_url)):
        screen.warn(trouble)
    if settings.https:
        show_trust(settings.data, [each.replace("https:", "http:", 1) for each in (url, *found)])
    if not here:
        here = wait_for_login_link(place, url)
        out.print(gettext("Log in at %(url)s%(here)s", url=url, here=here), soft_wrap=True)
    if found:
        show_way(found, wait_for_login_link(place, url))
    elif hosts.resolves_to_loopback(settings.host):
        out.print(gettext("Only this computer reaches Kifu. For phones in this network: kifu serve --network"))
    else:
        out.print(gettext("This computer has no address in a home network, so no phone can reach it."))
    said = gettext("Run commands such as `kifu invite NAME` with %(program)s.", program=program())
    out.print(said, soft_wrap=True)


def trouble_of_redis(url: str) -> str:
    """Why the Redis at a checked URL does not serve now; empty if it does."""
    from redis.exceptions import AuthenticationError, RedisError  # noqa: PLC0415 - it takes its time to load

    from workers.queue import connect  # noqa: PLC0415 - as above, and few have a Redis

    redis = connect(url)
    try:
        redis.ping()
    except AuthenticationError:
        return gettext("Redis (KIFU_REDIS_URL) wants another user or password. Entries are recorded; analyses wait.")
    except RedisError:
        return gettext("Redis (KIFU_REDIS_URL) does not answer. Entries are recorded; analyses wait until it does.")
    finally:
        redis.close()
    return ""


def program() -> str:
    """The path of this program."""
    return str(Path(sys.argv[0]).absolute())


def wait_for_login_link(place: Place, url: str) -> str:
    """Wait for a login link until the service can make one."""
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
    """Print how a phone in the same network gets here, with a QR code of the likeliest address."""
    for url in urls:
        screen.out().print(
            gettext("On a phone in this network: %(url)s%(way_in)s", url=url, way_in=way_in), soft_wrap=True
        )
    if urls:
        screen.qr(urls[0] + way_in)


def show_trust(data: Path, plain: list[str]) -> None:
    """Print how a browser comes to trust a service with HTTPS, with a QR code for phones."""
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
