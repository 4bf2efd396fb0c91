"""Addresses that messages may go to. An endpoint must not reach what only this machine can reach."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING

import httpx

from service.webhooks.messages import LONGEST_URL

if TYPE_CHECKING:
    from collections.abc import Iterator

PORTS = (443, 8443, 80, 8080)
"""The ports of public addresses that are asked."""

Address = IPv4Address | IPv6Address

_HOME = [
    ip_network(text)
    for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "100.64.0.0/10", "::1/128", "fc00::/7")
]
"""Private networks, which can be opened."""

_CLOUDS = [
    ip_network(text)
    for text in (
        *("169.254.0.0/16", "fe80::/10"),  # link-local: nearly every cloud
        *("168.63.129.16/32", "100.100.100.200/32", "192.0.0.0/24"),  # Azure, Alibaba, Oracle
        *("fd00:ec2::/32", "fd20:ce::/32", "fd00:c1::/32", "fd00:42::/32"),  # AWS, Google, Oracle, Scaleway
        "fd00:a9fe:a9fe::/48",  # Linode
    )
]
"""Where clouds tell their machines secrets. These stay closed, whether private networks are open or not."""

_NEVER = [ip_network(text) for text in ("100.64.0.0/10", "64:ff9b:1::/48")]
"""Refused besides what is not global."""

_NAT64 = ip_network("64:ff9b::/96")
_NAME = re.compile(rb"[a-z0-9_]([a-z0-9_.-]{0,250}[a-z0-9_.])?")
_PORT_OF = {"https": 443, "http": 80}


class RefusedError(Exception):
    """No message may go to this address. The text says why."""


def checked_url(text: str, *, private: bool) -> httpx.URL:
    """The URL, if nothing in it forbids messages. Its name is not resolved yet.

    `private` says whether private networks are open. Raises `RefusedError`.
    """
    if len(text) > LONGEST_URL or not text.isprintable():
        raise RefusedError(f"a URL of at most {LONGEST_URL} visible characters")
    try:
        url = httpx.URL(text)
        port = url.port
    except (httpx.InvalidURL, ValueError) as error:
        raise RefusedError(f"not a URL: {error}") from None
    if url.scheme not in _PORT_OF or not url.host:
        raise RefusedError("a URL begins with https:// and a name")
    if url.scheme == "http" and not private:
        raise RefusedError("only https is allowed: others could read the messages")
    if url.userinfo:
        raise RefusedError("no user or password in the URL: messages are signed")
    if port is not None and not private and port not in PORTS:
        raise RefusedError(f"port {port} is none of {', '.join(map(str, PORTS))}")
    literal = _literal(url.host)
    if literal is not None:
        check_address(url, literal, private=private)
    elif not _NAME.fullmatch(url.raw_host):
        raise RefusedError(f"{url.host} is not the name of a machine")
    return url


def check_address(url: httpx.URL, address: Address, *, private: bool) -> None:
    """Check that messages for `url` may go to this address, which its name has now. Raises `RefusedError`."""
    why = next(filter(None, (_why_not(each, private) for each in _meant(address))), None)
    if why:
        raise RefusedError(f"the address {address} is {why}")
    if private and _at_home(address):
        return
    if url.scheme != "https":
        raise RefusedError(f"{address} is not a private address: only https is allowed there")
    if port_of(url) not in PORTS:
        raise RefusedError(f"port {port_of(url)} of {address}, which is not a private address, is none of {PORTS}")


def port_of(url: httpx.URL) -> int:
    """The port of a URL."""
    return url.port or _PORT_OF[url.scheme]


def _literal(host: str) -> Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _of_a_cloud(address: Address) -> bool:
    """Whether a cloud may serve secrets at this address.

    A network can have a NAT64 prefix of its own, so the last 32 bits of an IPv6 address are looked at, too.
    """
    last = IPv4Address(int(address) & 0xFFFFFFFF)
    return any(each in network for each in (address, last) for network in _CLOUDS)


def _meant(address: Address) -> Iterator[Address]:
    """The real targets of an address: itself, or the IPv4 addresses in it."""
    if isinstance(address, IPv4Address):
        yield address
    elif address.ipv4_mapped:
        yield address.ipv4_mapped
    elif address.sixtofour:
        yield address.sixtofour
    elif address.teredo:
        yield from address.teredo
    elif address in _NAT64:
        yield IPv4Address(int(address) & 0xFFFFFFFF)
    else:
        yield address


def _at_home(address: Address) -> bool:
    return all(any(each in network for network in _HOME) for each in _meant(address))


def _why_not(address: Address, private: bool) -> str | None:
    if _of_a_cloud(address):
        return "blocked: clouds give out secrets there"
    if private and any(address in network for network in _HOME):
        return None
    if address.is_multicast or address.is_reserved or address.is_unspecified:
        return "not that of a single machine"
    if address.is_link_local or getattr(address, "is_site_local", False) or not address.is_global:
        return "not public"
    return "not public" if any(address in network for network in _NEVER) else None
