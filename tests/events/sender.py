"""A process that records games until it is done or killed. Run by the tests that kill it.

`sender.py DATABASE GAMES EVENTS [ACKNOWLEDGED ...]`: so many games of so many events, one thread each. The first
ACKNOWLEDGED events of each are known to be stored. Every acknowledged event is printed on standard output as
`GAME-NUMBER VERSION`. Events that were sent and not acknowledged before are sent again, as a phone would.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import TYPE_CHECKING
from uuid import UUID, uuid5

from events import grouping
from events.event import NewEvent
from events.sqlite import SqliteLog, writer

if TYPE_CHECKING:
    from events.log import Log

NAMESPACE = UUID("018f0000-0000-7000-8000-000000000000")


def game_id(number: int) -> str:
    return str(uuid5(NAMESPACE, f"game {number}"))


def event(number: int, version: int) -> NewEvent:
    """The event that game `number` has at `version`, the same in every run."""
    event_id = str(uuid5(NAMESPACE, f"game {number}, version {version}"))
    if version == 1:
        return NewEvent(id=event_id, type="game.opened", data={"ruleset": "k", "revision": 1, "seats": [{}]})
    return NewEvent(id=event_id, type="move.made", data={"move": {"number": version, "pad": "x" * (version % 300)}})


def record(log: Log, number: int, stored: int, events: int) -> None:
    """Send what is left of a game, now one event at a time and now two."""
    while stored < events:
        size = 1 + stored % 2
        batch = [event(number, version) for version in range(stored + 1, min(stored + size, events) + 1)]
        appended = log.append(game_id(number), batch, expected=stored, recorder="owner")
        stored = appended.events[-1].version
        os.write(1, f"{number} {stored}\n".encode())


def _opened(path: str) -> Log:
    if "://" not in path:
        return SqliteLog(path)
    from events.postgres import PostgresLog  # which takes longer to import than the events to send

    return PostgresLog(path)


def main() -> None:
    path, games, events, *stored = sys.argv[1:]
    writer.WAL_LIMIT = 40
    grouping.IDLE_SECONDS = 0.02
    with _opened(path) as log:
        stored = [int(count) for count in stored] or [0] * int(games)
        threads = [
            threading.Thread(target=record, args=(log, number, count, int(events)), daemon=True)
            for number, count in enumerate(stored)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    main()
