"""Limits: how often a caller may ask, so that no program delays the others, and nobody can guess secrets.

Requests are counted in Redis, for all processes that serve, and in memory while Redis does not answer. Callers with the
scope `admin` are not limited. A window begins at every full minute, so one number in Redis is enough.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec
from limits.storage import RedisStorage
from redis.exceptions import RedisError

from service.languages import gettext, gettext_noop
from service.problems.kinds import ProblemError
from workers.cache import open_pool

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limits.storage import Storage

    from service.settings import Settings

WINDOW = 60
"""Seconds of a window."""

REDIS_TIMEOUT = 0.05
"""Seconds that Redis has for an answer."""

CODES = 5
"""How many codes an address may mistype in a window: they are short, so this is no setting."""

ALL_CODES = 1000
"""How many codes all addresses together may mistype. So an attacker with many addresses finds none, either."""

COUNTED = {
    "reads": gettext_noop("reads"),
    "writes": gettext_noop("writes"),
    "guesses": gettext_noop("wrong tokens, codes and links"),
    "codes": gettext_noop("wrong codes"),
    "all-codes": gettext_noop("wrong codes of all addresses"),
}
"""What each policy counts, for people."""

REDIS_RETRY = 5.0
"""Seconds after which Redis is asked again that did not answer."""


class QuotaLeft(msgspec.Struct, frozen=True):
    """How many requests of a policy are left in its window, and in how many seconds that ends."""

    policy: str
    quota: int
    left: int
    seconds: int

    @property
    def headers(self) -> dict[str, str]:
        """The headers of draft-ietf-httpapi-ratelimit-headers."""
        return {
            "RateLimit-Policy": f'"{self.policy}";q={self.quota};w={WINDOW}',
            "RateLimit": f'"{self.policy}";r={max(self.left, 0)};t={self.seconds}',
        }


class Limits:
    """Counts requests by policy. Safe to share between threads. A quota of 0 means no limit."""

    def __init__(self, settings: Settings) -> None:
        self._quotas = {
            "reads": settings.reads,
            "writes": settings.writes,
            "guesses": settings.guesses,
            "codes": CODES,
            "all-codes": ALL_CODES,
        }
        self._memory = Memory()
        self._redis = _redis(settings.redis_url) if settings.redis_url else None
        self._away = 0.0
        self._long = threading.BoundedSemaphore(max(settings.threads // 4, 1))

    def count(self, policy: str, who: str) -> QuotaLeft | None:
        """Count a request. Returns what is left. Raises `quota-exceeded`."""
        left = self._add(policy, who, 1)
        if left is not None and left.left < 0:
            raise quota_problem(left)
        return left

    def check(self, policy: str, who: str) -> None:
        """Check that a caller may ask once more, without counting. Raises `quota-exceeded`."""
        left = self._add(policy, who, 0)
        if left is not None and left.left <= 0:
            raise quota_problem(left)

    def note(self, policy: str, who: str) -> None:
        """Count a request that was already answered, even beyond the quota."""
        self._add(policy, who, 1)

    @contextmanager
    def long_read(self) -> Iterator[None]:
        """Run one of the long reads, which are limited in number. Raises `overloaded` beyond the limit."""
        self.begin_long()
        try:
            yield
        finally:
            self.end_long()

    def begin_long(self) -> None:
        """Begin a long read. Raises `overloaded` beyond the limit."""
        if not self._long.acquire(blocking=False):
            problem = ProblemError("overloaded", "too many long requests are running; try again later")
            problem.headers["Retry-After"] = "2"
            raise problem

    def end_long(self) -> None:
        """End a long read."""
        self._long.release()

    def _add(self, policy: str, who: str, amount: int) -> QuotaLeft | None:
        quota, now = self._quotas[policy], int(time.time())
        if not quota:
            return None
        window = now // WINDOW
        counted = self._counted(f"kifu:limit:{policy}:{who}:{window}", window, amount)
        return QuotaLeft(policy, quota, quota - counted, WINDOW - now % WINDOW)

    def _counted(self, key: str, window: int, amount: int) -> int:
        if self._redis is not None and time.monotonic() >= self._away:
            try:
                return self._redis.incr(key, 2 * WINDOW, amount=amount) if amount else self._redis.get(key)
            except (RedisError, OSError):
                self._away = time.monotonic() + REDIS_RETRY
        return self._memory.count(key, window, amount)


class Memory:
    """The counts of this process in the present window. A new window begins at zero.

    The storage of `limits` would start a thread for nearly every request, which walks all counts.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._window, self._counts = 0, dict[str, int]()

    def count(self, key: str, window: int, amount: int) -> int:
        """Add `amount` to a count. Returns the new count."""
        with self._lock:
            if window != self._window:
                self._window, self._counts = window, {}
            counted = self._counts.get(key, 0) + amount
            if amount:
                self._counts[key] = counted
        return counted


def _redis(url: str) -> Storage:
    return RedisStorage("redis://", connection_pool=open_pool(url, REDIS_TIMEOUT))


def quota_problem(left: QuotaLeft) -> ProblemError:
    """The problem for a caller who asked too often."""
    why = gettext(
        "more than %(quota)s %(policy)s in %(seconds)s seconds; try again in %(wait)s s",
        quota=left.quota,
        policy=gettext(COUNTED[left.policy]),
        seconds=WINDOW,
        wait=left.seconds,
    )
    found = ProblemError("quota-exceeded", why, **{"violated-policies": [left.policy]})
    found.headers |= left.headers | {"Retry-After": str(left.seconds)}
    return found
