"""Devices: programs without a browser that ask for a token, and the people who allow it (RFC 8628).

A device shows a short code, and somebody types it on a page and decides. The device asks again and again, and then gets
its answer from any process that serves. Anybody can send such a request, so nothing of it goes to disk before somebody
has let the device in. After a restart a device begins anew.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

import msgspec

from service.access import codes, secrets
from service.access.passing import ExpiringStore
from service.access.scopes import Scopes
from service.server.hosts import network_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")

LIFETIME = 15 * 60
"""Seconds that a code can be typed."""

INTERVAL = 5
"""Seconds between two questions of a device, and how many more they become when it asks too soon."""

EARLY_TOLERANCE = 0.5
"""Seconds that a question may come too soon: its way here is not always equally long."""

MOST_WAITING = 1000
"""How many devices can wait."""

MOST_OF_AN_ADDRESS = 20
"""How many of them from one address, or one /64 of IPv6; one more takes the place of the oldest."""


class Approval(msgspec.Struct, frozen=True, kw_only=True):
    """An approval: a person lets a program do `scopes`. It holds the `person`, their id in the log (`by`), and the
    credential that they used.

    It ends with that credential, and may be for some `games` alone.
    """

    person: str
    by: str
    credential: str
    scopes: Scopes
    ends: int | None
    games: frozenset[str] | None = None


class PendingDevice(msgspec.Struct, kw_only=True):
    """A waiting device: its name, the scopes that it asks for, and its address. Times are in seconds.

    It is approved, refused, or undecided.
    """

    user_code: str
    client: str
    scopes: Scopes
    address: str
    ends: float
    polled: float | None = None
    interval: int = INTERVAL
    approval: Approval | None = None
    refused: bool = False

    @property
    def undecided(self) -> bool:
        """Whether somebody can still decide."""
        return self.approval is None and not self.refused and time.time() < self.ends


class NotGrantedError(Exception):
    """A program gets no token, or not yet: the `error` of RFC 6749 or RFC 8628, and the reason."""

    def __init__(self, error: str, why: str) -> None:
        super().__init__(why)
        self.error = error


class FullError(Exception):
    """Too many devices are waiting for approval."""


class Devices:
    """The waiting devices. Safe to share between threads."""

    def __init__(self, redis_url: str) -> None:
        self._waiting = ExpiringStore(redis_url, "devices", PendingDevice, 2 * LIFETIME)
        """By the digest of the code that the device has."""

    def ask(self, client: str, scopes: Scopes, address: str) -> tuple[str, PendingDevice]:
        """Let a device wait: the code that it asks with, and what it shows. Raises `FullError`."""
        code, now = secrets.make("dvc"), time.time()
        with self._waiting.open() as waiting:
            for key in [key for key, each in waiting.items() if now >= each.ends + LIFETIME]:
                del waiting[key]  # expired devices are told so for a while
            network = network_of(address)
            same = [key for key, each in waiting.items() if network_of(each.address) == network]
            if len(same) >= MOST_OF_AN_ADDRESS:
                del waiting[same[0]]
            if len(waiting) >= MOST_WAITING:
                raise FullError
            user_code = codes.make({each.user_code for each in waiting.values()})
            asked = PendingDevice(
                user_code=user_code, client=client, scopes=scopes, address=address, ends=now + LIFETIME
            )
            waiting[_key(code)] = asked
        return code, asked

    def find(self, typed: str) -> PendingDevice | None:
        """The undecided device that shows this code, in any spelling."""
        with self._waiting.open() as waiting:
            return _shown(waiting, typed)

    def decide(self, typed: str, approval: Approval | None) -> bool:
        """Approve or refuse a device; False if it is no longer waiting."""
        with self._waiting.open() as waiting:
            asked = _shown(waiting, typed)
            if asked is None:
                return False
            asked.approval, asked.refused = approval, approval is None
        return True

    def take(self, code: str, client: str, issue: Callable[[PendingDevice, Approval], T]) -> T:
        """Issue the token of an approved device, once. Raises `NotGrantedError`, and what `issue` raises.

        The code is used up only if a token was made.
        """
        key, now = _key(code), time.time()
        with self._waiting.open() as waiting:
            asked = waiting.get(key)
            if asked is None or asked.client != client:
                raise NotGrantedError("invalid_grant", "this device_code is unknown, of another client, or used")
            if asked.refused:
                raise NotGrantedError("access_denied", "it was refused")
            if now >= asked.ends:
                raise NotGrantedError("expired_token", "this code has expired: ask for a new one")
            if asked.approval is None:
                raise _wait(asked, now)
            made = issue(asked, asked.approval)
            del waiting[key]
        return made


def _key(code: str) -> str:
    return secrets.digest(code).hex()


def _shown(waiting: Mapping[str, PendingDevice], typed: str) -> PendingDevice | None:
    """The undecided device that shows this code, in any spelling."""
    wanted = codes.normal_code(typed)
    return next((each for each in waiting.values() if each.user_code == wanted and each.undecided), None)


def _wait(asked: PendingDevice, now: float) -> NotGrantedError:
    """Tell a device to wait. After asking too soon it must wait longer."""
    early = asked.polled is not None and now < asked.polled + asked.interval - EARLY_TOLERANCE
    asked.polled = now
    if not early:
        return NotGrantedError("authorization_pending", "nobody has approved or refused it yet")
    asked.interval += INTERVAL
    return NotGrantedError("slow_down", f"ask every {asked.interval} seconds, not more often")
