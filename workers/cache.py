"""Connects to Redis or Valkey: at its URL, or at the current primary that sentinels name."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from redis import ConnectionPool
from redis.backoff import NoBackoff
from redis.connection import parse_url
from redis.retry import Retry
from redis.sentinel import Sentinel, SentinelConnectionPool

SENTINELS = "redis+sentinel"
"""The scheme of a URL that names sentinels: `redis+sentinel://user:password@one:26379,two:26379/primary/0`.

User and password are the primary's; those of the sentinels, if they have some, are `sentinel_username` and
`sentinel_password` after a `?`.
"""

ALONE = (
    "no URL of a Redis, such as redis://host:6379/0, or one that begins with rediss://, unix:// "
    f"or, where sentinels know it, {SENTINELS}://"
)
"""The message for a malformed URL."""

PORT = 26379
"""The default port of sentinels."""


class BadURLError(ValueError):
    """A text is not the URL of a Redis. The message does not quote it."""


def check(url: str) -> None:
    """Check the form of a Redis URL. Raises `BadURLError`."""
    if url.partition(":")[0] == SENTINELS:
        _sentinels(url)
        return
    try:
        parse_url(url)  # type: ignore[no-untyped-call]
        scheme, path = urlsplit(url)[0], urlsplit(url)[2]
        if scheme != "unix":
            int(path.removeprefix("/") or 0)  # the client takes 0 for what is no number
    except ValueError:
        raise BadURLError(ALONE) from None


def open_pool(url: str, timeout: float, **more: Any) -> ConnectionPool:
    """A pool of connections to a Redis, opened when needed. They give up after `timeout` seconds.

    Sentinels are asked one after the other, each within that time. Raises `BadURLError`.
    """
    more |= {"socket_timeout": timeout, "socket_connect_timeout": timeout}
    if url.partition(":")[0] != SENTINELS:
        return ConnectionPool.from_url(url, **more)
    sentinels, name, own, theirs = _sentinels(url)
    theirs |= {"socket_timeout": timeout, "socket_connect_timeout": timeout}
    theirs["retry"] = Retry(NoBackoff(), 0)  # by default a client tries four times, over some seconds
    asked = Sentinel(sentinels, sentinel_kwargs=theirs)  # type: ignore[no-untyped-call]
    return SentinelConnectionPool(name, asked, **own, **more)  # type: ignore[no-untyped-call]


def _sentinels(url: str) -> tuple[list[tuple[str, int]], str, dict[str, Any], dict[str, Any]]:
    """The sentinels in a URL, their name of the primary, and the credentials for both."""
    try:
        place, rest = _divided(url)
        login, _, hosts = place.rpartition("@")
        named = [urlsplit(f"//{host}") for host in hosts.split(",")]
        sentinels = [(host.hostname or "", host.port or PORT) for host in named]
        name, _, number = rest.path.removeprefix("/").partition("/")
        own: dict[str, Any] = {"db": int(number or 0)} | _words(*login.split(":", 1))
        asked = {key: values[-1] for key, values in parse_qs(rest.query, strict_parsing=bool(rest.query)).items()}
        theirs = {key.removeprefix("sentinel_"): value for key, value in asked.items()}
    except ValueError:
        raise BadURLError(_FORM) from None
    if not name or not all(host for host, _ in sentinels) or asked.keys() - _ASKED:
        raise BadURLError(_FORM)
    return sentinels, name, own, theirs


def _divided(url: str) -> tuple[str, SplitResult]:
    """The part of a URL with its hosts, and what follows. Many versions of `urlsplit` refuse a list with `[::1]:7`."""
    rest = url.partition("://")[2]
    place = re.split("[/?#]", rest, maxsplit=1)[0]
    return place, urlsplit(rest.removeprefix(place))


_ASKED = {"sentinel_username", "sentinel_password"}
_FORM = f"sentinels are named like {SENTINELS}://user:password@one:{PORT},two:{PORT}/primary/0"


def _words(user: str = "", password: str = "") -> dict[str, str]:
    """The keyword arguments for a user and a password, if given."""
    return {key: unquote(value) for key, value in (("username", user), ("password", password)) if value}
