"""Devices: programs without a browser that ask for a token, and the people who let them (RFC 8628).

A device shows a short code, somebody types it on a page and decides, and the device, which has asked again and again
meanwhile, is answered. All that is kept in memory: it comes from anybody, so nothing of it goes to disk before somebody
has let the device in. After a restart a device begins anew.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, TypeVar

import msgspec

from service.access import codes, secrets
from service.access.scopes import Scopes

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

LIFETIME = 15 * 60
"""Seconds that a code can be typed."""

INTERVAL = 5
"""Seconds between two questions of a device, and how many more they become when it asks too soon."""

EARLY = 0.5
"""Seconds that a question may come too soon: its way here is not always equally long."""

MOST = 1000
"""How many devices can wait."""

EACH = 20
"""How many of them from one address; one more takes the place of the oldest."""


class Approval(msgspec.Struct, frozen=True, kw_only=True):
    """That somebody lets a program do `scopes`: who (`person`, as the log calls them `by`), and by which credential.

    It ends with that credential, and may be for some `games` alone.
    """

    person: str
    by: str
    credential: str
    scopes: Scopes
    ends: int | None
    games: frozenset[str] | None = None


class Asked(msgspec.Struct, kw_only=True):
    """A device that waits: what it calls itself, what it asks for, and from where. Times are those of a clock in here.

    It is approved, refused, or, without either, still to be decided.
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
        return self.approval is None and not self.refused and time.monotonic() < self.ends


class NotGrantedError(Exception):
    """A program gets no token, or not yet: `error` as RFC 6749 and RFC 8628 call it, and why."""

    def __init__(self, error: str, why: str) -> None:
        super().__init__(why)
        self.error = error


class FullError(Exception):
    """So many devices wait already that no more can."""


class Devices:
    """The devices that wait. Used by many threads at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[bytes, Asked] = {}
        """By the digest of the code that the device has."""

    def ask(self, client: str, scopes: Scopes, address: str) -> tuple[str, Asked]:
        """Let a device wait: the code that it asks with, and what it shows. Raises `FullError`."""
        code, now = secrets.make("dvc"), time.monotonic()
        with self._lock:
            # those whose time is over are told so for a while
            self._waiting = {key: each for key, each in self._waiting.items() if now < each.ends + LIFETIME}
            same = [key for key, each in self._waiting.items() if each.address == address]
            if len(same) >= EACH:
                del self._waiting[same[0]]
            if len(self._waiting) >= MOST:
                raise FullError
            user_code = codes.make({each.user_code for each in self._waiting.values()})
            asked = Asked(user_code=user_code, client=client, scopes=scopes, address=address, ends=now + LIFETIME)
            self._waiting[secrets.digest(code)] = asked
        return code, asked

    def find(self, typed: str) -> Asked | None:
        """The device that shows this code, however it was typed, if nobody has decided yet."""
        with self._lock:
            return self._find(typed)

    def decide(self, typed: str, approval: Approval | None) -> bool:
        """Approve a device, or refuse it; False if it waits no more."""
        with self._lock:
            asked = self._find(typed)
            if asked is None:
                return False
            asked.approval, asked.refused = approval, approval is None
        return True

    def take(self, code: str, client: str, issue: Callable[[Asked, Approval], T]) -> T:
        """What `issue` makes for a device that was approved, once. Raises `NotGrantedError`, and what `issue` raises.

        Only what was made uses up the code.
        """
        digest, now = secrets.digest(code), time.monotonic()
        with self._lock:
            asked = self._waiting.get(digest)
            if asked is None or asked.client != client:
                raise NotGrantedError("invalid_grant", "no device_code of this client, or one that was used")
            if asked.refused:
                raise NotGrantedError("access_denied", "it was refused")
            if now >= asked.ends:
                raise NotGrantedError("expired_token", "the time of this code is over: ask for another one")
            if asked.approval is None:
                raise _wait(asked, now)
            made = issue(asked, asked.approval)
            del self._waiting[digest]
        return made

    def _find(self, typed: str) -> Asked | None:
        wanted = codes.read(typed)
        return next((each for each in self._waiting.values() if each.user_code == wanted and each.undecided), None)


def _wait(asked: Asked, now: float) -> NotGrantedError:
    """That nobody has decided yet; whoever asks too soon has to wait longer from then on."""
    early = asked.polled is not None and now < asked.polled + asked.interval - EARLY
    asked.polled = now
    if not early:
        return NotGrantedError("authorization_pending", "nobody has decided yet")
    asked.interval += INTERVAL
    return NotGrantedError("slow_down", f"ask every {asked.interval} seconds, not more often")
