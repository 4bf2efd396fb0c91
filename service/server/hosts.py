"""Hosts: the address that a service listens on, its allowed names, and where others find it."""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from functools import lru_cache, partial
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

_AUTHORITY = re.compile(r"(?P<host>\[[^\[\]]*\]|[^:\[\]]*)(?::\d{0,5})?")

_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")

LOCAL_NAMES = ("localhost", "local", "home.arpa", "internal", "lan", "home")
"""Names that nobody can have for themselves beyond a network of their own, nor those that end in one of them."""

LOCAL_NETWORKS = (
    *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"),
    *("::1/128", "fc00::/7", "fe80::/10"),
)
"""The addresses that mean something in a network of one's own alone."""


def network_of(address: str) -> str:
    """The network that limits count as one address.

    A household or a machine has at least a /64 of IPv6, and could use another address each time.
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ip_network((found, 64), strict=False))


class CertificateHosts(NamedTuple):
    """The names and the addresses of a certificate."""

    names: list[str]
    addresses: list[IPv4Address | IPv6Address]

    def hold(self, host: str) -> bool:
        """Whether a name or an address is one of them."""
        name = _plain(host)
        return name in {*self.names, *map(str, self.addresses)}


class BadHostError(Exception):
    """A host that the service cannot listen on; the message is one sentence."""


def listen(host: str, port: int) -> socket.socket:
    """A listening socket that no other process can share. Port 0 means any free one. Raises `BadHostError`.

    The system interprets the host: a name in any case, an address with or without brackets or a zone.
    """
    listener: socket.socket | None = None
    try:
        family, kind, _, _, address = _resolve(host, port)
        listener = socket.socket(family, kind)
        listener.setsockopt(
            socket.SOL_SOCKET, socket.SO_REUSEADDR, 1
        )  # not SO_REUSEPORT: several processes could share it
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind(address)
        listener.listen()
        listener.setblocking(False)
    except (OSError, UnicodeError) as error:
        if listener:
            listener.close()
        why = error.strerror if isinstance(error, OSError) else "that is not the name of a host"
        raise BadHostError(f"cannot listen on {host}, port {port} (KIFU_HOST, KIFU_PORT): {why}") from error
    return listener


def listener_url(listener: socket.socket, *, https: bool = False) -> str:
    """The URL of a listening socket for this machine."""
    host, port, *_ = listener.getsockname()
    own = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - they are only recognised
    return url(own, port, https=https)


def url(host: str, port: int, *, https: bool = False) -> str:
    """The address of a service."""
    name = f"[{host.replace('%', '%25')}]" if ":" in host else host
    return f"{'https' if https else 'http'}://{name}:{port}"


def network_urls(host: str, port: int, *, https: bool = False) -> list[str]:
    """The URLs at which other machines find a service that listens on `host`, the likeliest first.

    Over HTTPS they are those that the local authority can speak for.
    """
    reached = [found for found in _reached_at(host) if not found.is_loopback and (is_local(found) or not https)]
    return [url(str(found), port, https=https) for found in reached]


def certificate_hosts(host: str) -> CertificateHosts:
    """The names and addresses for the certificate of a service on `host`, with those of this machine."""
    addresses = [ip_address("127.0.0.1"), ip_address("::1"), *filter(is_local, _reached_at(host))]
    names = [name for name in (_plain(host), _plain(socket.gethostname())) if _is_local_name(name)]
    own = machine_name()
    return CertificateHosts(
        list(dict.fromkeys(["localhost", *([f"{own}.local"] if own else []), *names])), list(dict.fromkeys(addresses))
    )


def is_local(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is valid only within a private network."""
    return any(address in ip_network(network) for network in LOCAL_NETWORKS)


def machine_name() -> str:
    """The name of this machine without a domain; empty if it is not a valid host name."""
    name = _plain(socket.gethostname()).partition(".")[0]
    return name if _LABEL.fullmatch(name) else ""


def _is_local_name(name: str) -> bool:
    labels = name.split(".")
    return all(map(_LABEL.fullmatch, labels)) and any(f".{name}".endswith(f".{local}") for local in LOCAL_NAMES)


def _reached_at(host: str) -> list[IPv4Address | IPv6Address]:
    """The addresses at which a service is reached that listens on `host`."""
    try:
        address = ip_address(_resolve(host, 0)[4][0].partition("%")[0])
    except (OSError, UnicodeError):
        return []
    if not address.is_unspecified:
        return [address]
    versions = (4, 6) if address.version == 6 else (4,)
    return [found for found in _own_addresses() if found.version in versions]


def _own_addresses() -> list[IPv4Address | IPv6Address]:
    """This machine's addresses in its networks: those that it sends from, and those of its name."""
    texts = []
    for family, elsewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as unused:
            unused.connect((elsewhere, 9))  # nothing is sent: the system only chooses the way
            texts.append(unused.getsockname()[0])
    with suppress(OSError):
        texts += [entry[4][0] for entry in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM)]
    addresses = [ip_address(str(text).partition("%")[0]) for text in dict.fromkeys(texts)]
    return [found for found in addresses if not found.is_loopback and not found.is_link_local]


class AllowedHosts:
    """The names that requests to a service may use.

    One that only this machine reaches goes by this machine's own names: a foreign page that has its name lead here is
    not to be answered. Nobody knows all the names of one that others reach.
    """

    def __init__(self, host: str) -> None:
        self.hold: Callable[[str], bool] = partial(_is_own, own=_plain(host) if _is_loopback(host) else None)
        """Whether what was asked for, a name or an address, with or without a port, is one of them."""


@lru_cache(maxsize=64)
def _is_own(asked: str, own: str | None) -> bool:
    """Whether a name or an address is one of a service that listens on `own`. With None, all are."""
    if own is None:
        return True
    found = _AUTHORITY.fullmatch(asked)
    if found is None:
        return False
    name = _plain(found["host"])
    return name == own or resolves_to_loopback(name)


def resolves_to_loopback(host: str) -> bool:
    """Whether a name resolves to the client's own machine."""
    name = _plain(host)
    return name == "localhost" or name.endswith(".localhost") or _is_loopback_address(name)


def _resolve(host: str, port: int) -> tuple[Any, Any, int, str, Any]:
    return socket.getaddrinfo(_plain(host), port, type=socket.SOCK_STREAM)[0]


def _plain(host: str) -> str:
    """A host in its normal form."""
    return host.strip().strip("[]").lower().removesuffix(".")


def _is_loopback(host: str) -> bool:
    try:
        return _is_loopback_address(_resolve(host, 0)[4][0])
    except (OSError, UnicodeError):
        return False


@lru_cache(maxsize=64)
def _is_loopback_address(text: str) -> bool:
    try:
        address: IPv4Address | IPv6Address = ip_address(text)
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback
