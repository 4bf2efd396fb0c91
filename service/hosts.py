"""Hosts: what a service listens on, under which names it may be asked, and where others find it."""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

_AUTHORITY = re.compile(r"(?P<host>\[[^\[\]]*\]|[^:\[\]]*)(?::\d{0,5})?")


class BadHostError(Exception):
    """A host that cannot be listened on, in one sentence."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there and that no other process can share; port 0 is any free one. Raises `BadHostError`.

    However a host is spelled, it is what the system makes of it: a name in any case, an address with or without
    brackets or a zone.
    """
    listener: socket.socket | None = None
    try:
        family, kind, _, _, address = _resolve(host, port)
        listener = socket.socket(family, kind)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # not SO_REUSEPORT, with which several can
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind(address)
        listener.listen()
        listener.setblocking(False)
    except (OSError, UnicodeError) as error:
        if listener:
            listener.close()
        why = error.strerror if isinstance(error, OSError) else "that is no name of a host"
        raise BadHostError(f"cannot listen on {host}, port {port}: {why}") from error
    return listener


def url_of(listener: socket.socket) -> str:
    """Where a listening socket is reached from this machine."""
    host, port, *_ = listener.getsockname()
    return url({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port)  # noqa: S104 - they are only recognised


def url(host: str, port: int) -> str:
    """The address of a service."""
    return f"http://[{host.replace('%', '%25')}]:{port}" if ":" in host else f"http://{host}:{port}"


def found_at(host: str, port: int) -> list[str]:
    """The addresses at which other machines find a service that listens on `host`, the likeliest first."""
    try:
        address = ip_address(_resolve(host, port)[4][0].partition("%")[0])
    except (OSError, UnicodeError):
        return []
    if address.is_loopback:
        return []
    if not address.is_unspecified:
        return [url(str(address), port)]
    versions = (4, 6) if address.version == 6 else (4,)
    own = [found for found in _own_addresses() if found.version in versions]
    return [url(str(found), port) for found in own]


def _own_addresses() -> list[IPv4Address | IPv6Address]:
    """This machine's addresses in its networks: those that it would send from, and those that its name has."""
    texts = []
    for family, elsewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as unused:
            unused.connect((elsewhere, 9))  # nothing is sent: the system only chooses the way
            texts.append(unused.getsockname()[0])
    with suppress(OSError):
        texts += [entry[4][0] for entry in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM)]
    addresses = [ip_address(str(text).partition("%")[0]) for text in dict.fromkeys(texts)]
    return [found for found in addresses if not found.is_loopback and not found.is_link_local]


class Names:
    """The names under which a service that listens on a host may be asked.

    One that only this machine reaches goes by this machine's own names: a foreign page that has its name lead here is
    not to be answered. Nobody knows all the names of one that others reach.
    """

    def __init__(self, host: str) -> None:
        self._own = _plain(host) if _is_loopback(host) else None

    def hold(self, asked: str) -> bool:
        """Whether what was asked for, a name or an address, with or without a port, is one of them."""
        if self._own is None:
            return True
        found = _AUTHORITY.fullmatch(asked)
        if found is None:
            return False
        name = _plain(found["host"])
        return name == self._own or leads_home(name)


def leads_home(host: str) -> bool:
    """Whether a name leads to the machine of whoever asks for it, whichever that is."""
    name = _plain(host)
    return name == "localhost" or name.endswith(".localhost") or _is_loopback_address(name)


def _resolve(host: str, port: int) -> tuple[Any, Any, int, str, Any]:
    return socket.getaddrinfo(_plain(host), port, type=socket.SOCK_STREAM)[0]


def _plain(host: str) -> str:
    """A host without what does not make a difference."""
    return host.strip().strip("[]").lower().removesuffix(".")


def _is_loopback(host: str) -> bool:
    try:
        return _is_loopback_address(_resolve(host, 0)[4][0])
    except (OSError, UnicodeError):
        return False


def _is_loopback_address(text: str) -> bool:
    try:
        address: IPv4Address | IPv6Address = ip_address(text)
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback
