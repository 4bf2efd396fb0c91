"""A lease: work that one host of several does at a time. It expires some seconds after the last renewal.

A host that is alone always has it. Where hosts share a database, it is a row there. The server's clock says when it
ends, because the hosts' own clocks may differ.
"""

from __future__ import annotations

import secrets
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Literal, Protocol

from events.databases.opening import open_database
from events.errors import LogError
from projections.sharing import FolderKeyLocks
from workers.host import host_name
from workers.results import WORK

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from events.databases.rows import Database
    from projections.sharing import KeyLocks
    from workers.results import Results

LEASE = 3.4
"""Seconds after the last renewal until another host may take a lease."""

HEARTBEAT_INTERVAL = 1.5
"""Seconds between two renewals, and between two attempts of waiting hosts."""

Name = Literal["relay", "webhooks"]


class Lease(Protocol):
    """The lease of some work that one host does at a time."""

    def is_held(self) -> bool:
        """Whether this host holds the lease. Raises `LogError`."""

    def close(self) -> None:
        """Close the connections. The lease stays, for a process that restarts on this host."""


class OwnLease:
    """The lease of a single host."""

    def is_held(self) -> bool:
        """Always true."""
        return True

    def close(self) -> None:
        """Do nothing: there are no connections."""


class SharedLease:
    """A lease shared among hosts. A waiting host writes nothing."""

    def __init__(self, name: Name, host: str, rows: Database) -> None:
        self._name, self._host, self._rows = name, host, rows
        self._looked, self._held = -HEARTBEAT_INTERVAL, False

    def is_held(self) -> bool:
        """Whether this host holds the lease. Renews it every `LOOK` seconds. Raises `LogError`."""
        now = time.monotonic()
        if now - self._looked >= HEARTBEAT_INTERVAL:
            self._held = False  # if the database does not answer
            self._held = self._rows.execute(_RENEWED, [self._host, LEASE, self._name, self._host]).rowcount > 0
            self._looked = now
        return self._held

    def close(self) -> None:
        """Close the connections."""
        self._rows.close()


_RENEWED = (
    "update lease set host = ?, ends = clock_timestamp() + make_interval(secs => ?) "
    "where name = ? and (host = ? or ends < clock_timestamp())"
)


KEY_LIFETIME = 30
"""Seconds until a key is free again after its holder has ended: an answer takes a second at most."""

_TAKEN = (
    "insert into lease (name, host, ends) values (?, ?, clock_timestamp() + make_interval(secs => ?)) "
    "on conflict (name) do update set host = excluded.host, ends = excluded.ends where lease.ends < clock_timestamp()"
)
_LEFT = "delete from lease where (name = ? and host = ?) or (name like 'key/%' and ends < clock_timestamp())"


class SharedKeys:
    """Like `projections.sharing.Keys`, for all hosts that share a database. A held key is a lease there."""

    def __init__(self, rows: Results) -> None:
        self._rows = rows

    @contextmanager
    def try_lock(self, key: bytes) -> Iterator[bool]:
        """Hold a key during the block. Yields False if another process holds it. Raises `LogError`."""
        name, holder = f"key/{key.hex()}", secrets.token_hex(8)
        if not self._rows.change(_TAKEN, [name, holder, KEY_LIFETIME]):
            yield False
            return
        try:
            yield True
        finally:
            with suppress(LogError):  # it expires by itself
                self._rows.change(_LEFT, [name, holder])

    def close(self) -> None:
        """Do nothing: the results own the connections."""


def open_lease(name: Name, folder: Path, database_url: str) -> Lease:
    """The lease of the host with this data folder. Raises `LogError`, `OSError`."""
    if not database_url:
        return OwnLease()
    return SharedLease(name, host_name(folder), open_database(WORK, folder, database_url))


def open_keys(folder: Path, results: Results, database_url: str) -> KeyLocks:
    """The keys for this data folder; with a database, for all hosts that share its `results`."""
    return SharedKeys(results) if database_url else FolderKeyLocks(folder)
