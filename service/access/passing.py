"""Facts that live for minutes in memory only: short codes, which can be guessed, and requests of strangers.

It lies in Redis, for all processes that serve, under one key: there is little of it. While Redis does not answer, and
where there is none, it lies in the memory of this process.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec
from redis import Redis
from redis.exceptions import RedisError

from workers.cache import open_pool

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar("T")

REDIS_TIMEOUT = 1.0
"""Seconds that Redis has for an answer."""

LOCK_SECONDS = 5.0
"""Seconds after which one who has it open counts as gone."""

REDIS_RETRY = 5.0
"""Seconds after which Redis is asked again that did not answer."""


class ExpiringStore(Generic[T]):
    """Values by name, forgotten when none was changed for some time. Safe to share between threads."""

    def __init__(self, redis_url: str, name: str, kind: type[T], seconds: int) -> None:
        self._redis = Redis.from_pool(open_pool(redis_url, REDIS_TIMEOUT)) if redis_url else None
        self._key, self._seconds = f"kifu:passing:{name}", seconds
        self._decode = msgspec.json.Decoder(dict[str, kind]).decode  # type: ignore[valid-type]
        self._lock = threading.Lock()
        self._memory = b"{}"
        self._away = 0.0

    @contextmanager
    def open(self) -> Iterator[dict[str, T]]:
        """All values, locked for this block. Changes are kept even if the block fails."""
        with self._lock, self._held() as redis:
            before = self._read(redis)
            found = self._decode(before)
            try:
                yield found
            finally:
                after = msgspec.json.encode(found)
                if after != before:
                    self._write(redis, after)

    @contextmanager
    def _held(self) -> Iterator[Redis | None]:
        """Redis, with the key locked by this process; None if it does not answer."""
        redis = self._redis if time.monotonic() >= self._away else None
        lock = (
            redis.lock(f"{self._key}:lock", timeout=LOCK_SECONDS, sleep=0.01, blocking_timeout=LOCK_SECONDS + 1)
            if redis
            else None
        )
        try:
            held = lock is not None and lock.acquire()
        except (RedisError, OSError):
            held = False
        if redis and not held:
            self._gone()
        try:
            yield redis if held else None
        finally:
            if lock is not None and held:
                try:
                    lock.release()
                except (RedisError, OSError):  # it ran out, or will
                    self._gone()

    def _read(self, redis: Redis | None) -> bytes:
        if redis is not None:
            try:
                return redis.get(self._key) or b"{}"  # type: ignore[return-value]
            except (RedisError, OSError):
                self._gone()
        return self._memory

    def _write(self, redis: Redis | None, content: bytes) -> None:
        if redis is not None:
            try:
                redis.set(self._key, content, ex=self._seconds)
            except (RedisError, OSError):
                self._gone()
            else:
                return
        self._memory = content

    def _gone(self) -> None:
        self._away = time.monotonic() + REDIS_RETRY
