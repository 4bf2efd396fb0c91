"""Apps: programs that get a token through a browser, and the people who allow it (RFC 6749, RFC 7636).

There is no register of apps. An app is called by its address, where the browser is sent back to, or by a name that
anybody could have taken. So people see where they are sent. The code alone is worth nothing: the challenge was made
from a secret that never left the app.
"""

from __future__ import annotations

import base64
import hmac
import re
import threading
from contextlib import suppress
from hashlib import sha256
from ipaddress import IPv6Address
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit
from uuid import UUID, uuid5

import msgspec

from events.event import now_ms
from service.access import secrets
from service.access.devices import Approval, NotGrantedError
from service.access.families import family
from service.access.scopes import Scopes
from service.access.store import HOUSE, Code

if TYPE_CHECKING:
    from collections.abc import Callable

    from service.access.store import Store

T = TypeVar("T")

LIFETIME = 60
"""Seconds that an app has to take a token for its code."""

PURPOSE = "consent"
"""The purpose of such a code."""

CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
"""A SHA-256 in base64url."""

VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")
"""What a challenge is made of."""

_ADDRESS = re.compile(
    r"(?P<origin>(?P<scheme>https?)://(?P<host>[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?)"
    r"(?:/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)?(?:\?[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?",
)
"""An address that everybody reads alike: no user before the host, no fragment, nothing that is not ASCII."""

_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
"""A part of the name of a host, between dots."""

LONGEST_HOST, LAST_PORT = 253, 65535

_OURS = frozenset({"code", "state", "error", "error_description", "iss"})
"""What is put into the address that the browser is led back to."""

_LOOPBACK = re.compile(r"localhost|127(\.[0-9]{1,3}){3}|\[::1\]")
_IDS = UUID("3c0f0d9e-6f2b-4c43-9d3b-0a8f1b8d7c55")


def _read(address: str) -> re.Match[str] | None:
    """The parts of an address to which a browser can be redirected; None for other texts."""
    found = _ADDRESS.fullmatch(address)
    if found is None:
        return None
    host, port = found["host"], found["port"]
    if host.startswith("["):
        with suppress(ValueError):
            IPv6Address(host[1:-1])
            host = "localhost"  # which reads as a name
    labels = host.removesuffix(".").split(".")
    named = len(host) <= LONGEST_HOST and all(map(_LABEL.fullmatch, labels))
    return found if named and (port is None or 0 < int(port) <= LAST_PORT) else None


class BadAppError(Exception):
    """The browser cannot be redirected to this app: the invalid parameter, and why."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(why)
        self.field, self.why = field, why


class App(msgspec.Struct, frozen=True):
    """An app that asks: its address or a name (`client`), and the address to redirect to."""

    client: str
    redirect: str

    @property
    def gives_name(self) -> bool:
        """Whether the app gives a name, which nobody can check, instead of an address."""
        return _read(self.client) is None

    @property
    def host(self) -> str:
        """The host and port that the browser is redirected to."""
        return urlsplit(self.redirect).netloc

    @property
    def origin(self) -> str:
        """The origin that the browser is redirected to."""
        return str(urlsplit(self.redirect)._replace(path="", query="").geturl())

    @property
    def readable_in_transit(self) -> bool:
        """Whether others in the network can read the redirect."""
        found = _read(self.redirect)
        return found is not None and found["scheme"] == "http" and not _LOOPBACK.fullmatch(found["host"])

    def redirect_with(self, **parameters: str | None) -> str:
        """The redirect address, with parameters for the app."""
        joint = "&" if "?" in self.redirect else "?"
        return (
            f"{self.redirect}{joint}{urlencode({name: text for name, text in parameters.items() if text is not None})}"
        )


def app_of(client: str, redirect: str) -> App:
    """The app that asks. Raises `BadAppError`.

    The redirect goes to https or to this machine. To http elsewhere it goes only for an app whose client id is its
    address. No app may use the address of another one.
    """
    found, own = _read(redirect), _read(client)
    if found is None:
        raise BadAppError(
            "redirect_uri", "not an address like https://host/path, without a fragment, its host in lower case"
        )
    if taken := _OURS & {name for name, _ in parse_qsl(urlsplit(redirect).query, keep_blank_values=True)}:
        raise BadAppError("redirect_uri", f"{min(taken)} is put there by this service")
    if own is None and "://" in client:
        raise BadAppError("client_id", "neither a name nor an address of the form https://host/path")
    if own is not None and own["origin"] != found["origin"]:
        raise BadAppError("redirect_uri", f"the app {client} may only redirect to {own['origin']}")
    app = App(client, redirect)
    if own is None and app.readable_in_transit:
        raise BadAppError("redirect_uri", "https, or http on this very machine, unless client_id is the app's address")
    return app


class AppRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What an app asks for; `state` is given back to it, and `challenge` binds the code to it."""

    scopes: Scopes
    challenge: str
    state: str | None


class Consent(msgspec.Struct, frozen=True, kw_only=True):
    """The consent of a person to an app, kept until the app takes its token."""

    app: App
    challenge: str
    approval: Approval


class Apps:
    """The allowed apps that have no token yet. Used by many threads at once."""

    def __init__(self, store: Store) -> None:
        self._store, self._lock = store, threading.Lock()

    def let_in(self, consent: Consent) -> str:
        """The code that an app exchanges for its token. Raises `StoreFullError`."""
        code, now = secrets.make("cod"), now_ms()
        data = msgspec.to_builtins(consent)
        kept = Code(purpose=PURPOSE, person=consent.approval.person, made=now, ends=now + LIFETIME * 1000, data=data)
        self._store.put_code(secrets.digest(code), kept, by=consent.approval.by)
        return code

    def take(self, code: str, app: App, verifier: str, issue: Callable[[str, Approval, str], T]) -> T:
        """Exchange a code for the token that `issue` makes of the app's name, the approval and an id.

        The code is used up in any case. If it comes again, somebody else has it, too: the token that it gave ends.
        Raises `NotGrantedError`, and what `issue` raises.
        """
        if secrets.kind_of(code) != "cod":
            raise NotGrantedError("invalid_grant", "the code is incomplete")
        id_ = str(uuid5(_IDS, code))
        with self._lock:
            kept = self._store.take_code(secrets.digest(code), PURPOSE)
            if kept is None:
                self._end(id_)
                raise NotGrantedError("invalid_grant", "this code was already used, or its minute is over")
            consent = msgspec.convert(kept.data, Consent)
            if consent.app != app:
                raise NotGrantedError("invalid_grant", "the code was given to another client_id, or redirect_uri")
            if not hmac.compare_digest(challenge_of(verifier), consent.challenge):
                raise NotGrantedError("invalid_grant", "the code_verifier does not match the code_challenge")
            return issue(app.client, consent.approval, id_)

    def _end(self, id_: str) -> None:
        """End the token that a code gave, also after rotations, and everything that was made with it."""
        made = self._store.credential(id_)
        if made is not None:
            same = [each.id for each in self._store.credentials([made.person], made.kind) if each.app == made.app]
            found = family(self._store, id_)
            ids = [*same, *(each.id for each in found.credentials if each.id not in same)]
            self._store.end(ids, by=HOUSE, why="its code was used twice", links=found.links, webhooks=found.webhooks)


def challenge_of(verifier: str) -> str:
    """The challenge of a verifier (S256)."""
    return base64.urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("=")
