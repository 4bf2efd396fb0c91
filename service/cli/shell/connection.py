"""Connecting to a service: the named one, the one of the data folder, or one in this process."""

from __future__ import annotations

import sqlite3
import ssl
import time
from contextlib import contextmanager, suppress
from functools import wraps
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click
import httpx
import msgspec

from events.errors import LogLockedError
from events.sqlite import LOG
from service import __version__
from service.access.ownerfile import FILE as TOKEN_FILE
from service.cli.shell import logins, screen
from service.cli.shell.client import Client, Connection
from service.cli.shell.data_option import data_option
from service.cli.shell.failures import CommandError
from service.languages import ENGLISH, gettext
from service.server import hosts, service_lock
from service.server.authority import certificate_file, fingerprint
from service.settings import from_environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from service.app import Application

    Command = Callable[..., None]

FOLDER_WAIT = 5.0
"""Seconds to wait for another command, or a service that is starting, to let go of the data folder or to answer."""

TIMEOUT = httpx.Timeout(60.0, connect=FOLDER_WAIT)
AGENT = f"kifu/{__version__}"


class Place(msgspec.Struct, frozen=True):
    """The place of a command's service."""

    data: Path
    url: str | None
    token: str | None
    ca: Path | None = None
    """The certificate of an authority to trust, besides those that everybody does."""


_url_option = click.option(
    "--url", envvar="KIFU_URL", show_envvar=True, metavar="URL", help="A service, in place of a data folder."
)
_token_option = click.option(
    "--token",
    envvar="KIFU_TOKEN",
    show_envvar=True,
    help="A token, if it is neither that of `kifu login` nor the data folder's.",
)
ca_option = click.option(
    "--ca",
    type=click.Path(dir_okay=False, path_type=Path),
    envvar="KIFU_CA",
    show_envvar=True,
    help="The certificate of the authority that the service uses, if it is not the data folder's.",
)


def with_client(*, makes: bool = False, anywhere: bool = False) -> Callable[[Command], Command]:
    """Give a command the options of the connection, and the `client`.

    A command that `makes` something makes a data folder that is missing, one that works `anywhere` does without it;
    all others refuse. The client connects at its first request, so a command checks its arguments before.
    """

    def decorate(command: Command) -> Command:
        @data_option
        @_url_option
        @_token_option
        @ca_option
        @wraps(command)
        def run(*, data: Path, url: str | None, token: str | None, ca: Path | None, **more: Any) -> None:
            place, context = Place(data, url, token, ca), click.get_current_context()
            if not (makes or anywhere):
                _check_place(place)

            def open_connection() -> Connection:
                return context.with_resource(connect(place, makes=makes, anywhere=anywhere)).connection

            language = ENGLISH if more.get("as_json") else None  # a program reads the same everywhere
            command(client=Client(open_connection, language), **more)

        return run

    return decorate


def phone_base(client: Client, said: str) -> str:
    """The URL of a service for phones: its URL here, or for a local one the URL that it gave (`said`).

    A hint says so if no phone reaches it.
    """
    asked = client.where.rstrip("/")
    if not hosts.resolves_to_loopback(urlsplit(asked).hostname or ""):
        return asked
    if hosts.resolves_to_loopback(urlsplit(said).hostname or ""):
        screen.hint(gettext("Only this computer reaches this address. For phones: kifu serve --network"))
    return said or asked


@contextmanager
def connect(place: Place, *, makes: bool = False, anywhere: bool = False) -> Iterator[Client]:
    """A client for the service at `place`. Raises `CommandError`, `LogError`, `OSError`."""
    if not (makes or anywhere):
        _check_place(place)
    if place.url:
        token = place.token or logins.token_for(place.url) or _own_token(place)
        with reach(place.url, token, place.ca or _authority_of(place.data)) as client:
            yield client
    elif makes or _has_log(place):
        with _to_folder(place) as client:
            yield client
    else:
        with TemporaryDirectory(prefix="kifu-") as folder, _to_folder(Place(Path(folder), None, None)) as client:
            yield client


def _has_log(place: Place) -> bool:
    return bool(from_environment().database_url) or (place.data / LOG).exists()


def _check_place(place: Place) -> None:
    """Raise `CommandError` if there is no service at `place`, and nothing is recorded."""
    if not (place.url or _has_log(place)):
        raise CommandError(
            gettext("nothing is recorded in the data folder %(data)s", data=place.data),
            gettext("Name another one with --data or KIFU_DATA, or begin one with `kifu open`."),
        )


@contextmanager
def _to_folder(place: Place) -> Iterator[Client]:
    deadline = time.monotonic() + FOLDER_WAIT
    while True:
        found = service_lock.find(place.data)
        if found is not None:
            with reach_own(place, found.url) as client:
                yield client
            return
        try:
            app = _open(place.data)
        except LogLockedError:  # by a service that is starting, or by another command that is soon done
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            with _in_process(app, place) as client:
                yield client
            return


@contextmanager
def reach_own(place: Place, url: str) -> Iterator[Client]:
    """A client for the service that has the data folder open and answers at `url`. Raises `CommandError`."""
    token = place.token or _stored_token(place.data)
    with reach(url, token, place.ca or _authority_of(place.data)) as client:
        yield client


def _open(data: Path) -> Application:
    from service.app import create_app  # noqa: PLC0415 - it takes its time, and a running service makes it needless

    app = create_app(msgspec.structs.replace(from_environment(), data=data, host="127.0.0.1"))
    app.context.projector.catch_up()  # the tree is as long as the log, and grows by itself
    return app


@contextmanager
def _in_process(app: Application, place: Place) -> Iterator[Client]:
    token = place.token or app.context.owner_token
    try:
        with httpx.Client(
            transport=httpx.WSGITransport(_with_paths(app)), base_url="http://localhost", headers=_headers(token)
        ) as http:
            yield Client(lambda: Connection(http, str(place.data)))
        with suppress(sqlite3.Error, OSError):  # the next command would do it, too
            app.context.projector.catch_up()
    finally:
        app.close()


def _with_paths(app: Application) -> WSGIApplication:
    """The application for httpx. It turns the path into the bytes of WSGI, as Latin-1 (PEP 3333)."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        return app(environ | {"PATH_INFO": environ["PATH_INFO"].encode().decode("latin-1")}, start_response)

    return answer


@contextmanager
def reach(url: str, token: str | None, ca: Path | None = None) -> Iterator[Client]:
    """A client for the service at `url`, with or without a token. It also trusts the authority in `ca`.

    Raises `CommandError`.
    """
    local = _is_loopback(url)
    try:
        http = httpx.Client(
            base_url=url, headers=_headers(token), timeout=TIMEOUT, trust_env=not local, verify=_tls_context(url, ca)
        )
    except (httpx.InvalidURL, ValueError) as error:
        raise CommandError(gettext("%(url)s is not a URL: %(error)s", url=f"{url!r}", error=error)) from error
    with http:
        yield Client(lambda: Connection(http, url))


def _tls_context(url: str, ca: Path | None) -> ssl.SSLContext:
    """The trusted authorities; none for plain HTTP, because reading them takes 20 ms."""
    if not url.lower().startswith("https:"):
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context = httpx.create_ssl_context()
    if ca is None:
        return context
    try:
        context.load_verify_locations(ca)
    except (OSError, ssl.SSLError) as error:
        why = gettext("it holds none") if isinstance(error, ssl.SSLError) else error.strerror
        raise CommandError(
            gettext("no certificate can be read from %(ca)s: %(why)s", ca=ca, why=why),
            gettext("The service has it at /authority.crt."),
        ) from error
    return context


def _authority_of(data: Path) -> Path | None:
    """The certificate of the data folder's own authority, if there is one."""
    path = certificate_file(data)
    try:
        fingerprint(path.read_bytes())
    except (OSError, ValueError):
        return None
    return path


def _headers(token: str | None) -> dict[str, str]:
    named = {"User-Agent": AGENT}
    if token is None:
        return named
    if not (token.isascii() and token.isprintable()):
        raise CommandError(gettext("the token holds characters that no token has"))
    return named | {"Authorization": f"Bearer {token}"}


def _own_token(place: Place) -> str | None:
    """The data folder's token, only for a service on this machine: others must not get it."""
    return _stored_token(place.data) if place.url and _is_loopback(place.url) else None


def _stored_token(data: Path) -> str | None:
    with suppress(OSError, UnicodeDecodeError):
        return (data / TOKEN_FILE).read_text(encoding="ascii").strip() or None
    return None  # without it one sees games as the public does


def _is_loopback(url: str) -> bool:
    with suppress(httpx.InvalidURL, ValueError):
        host = httpx.URL(url).host
        return host == "localhost" or ip_address(host).is_loopback
    return False
