"""Closes connections together with their owner, also one that somebody only forgot."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections import deque


def close_with(owner: object, connections: list[sqlite3.Connection] | deque[sqlite3.Connection]) -> None:
    """Close the connections that are in this list when nobody has its owner any more."""
    weakref.finalize(owner, close_all, connections).atexit = False


def close_all(connections: list[sqlite3.Connection] | deque[sqlite3.Connection]) -> None:
    """Close the connections, and leave the list empty."""
    while connections:
        connections.pop().close()
