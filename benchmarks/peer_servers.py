"""The peers of `benchmarks.peers`, each a Flask service under Waitress with sixteen threads: `NAME PORT FOLDER`.

They run in an environment of their own, and import nothing of the project.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Flask, request
from waitress import serve  # type: ignore[import-untyped, import-not-found, unused-ignore]

if TYPE_CHECKING:
    from collections.abc import Callable

    Record = Callable[[str, dict[str, Any]], int]

THREADS = 16


def bare(folder: Path) -> Record:
    """A row in a table for each move, on disk before the answer."""
    path, local = folder / "bare.db", threading.local()

    def connection() -> sqlite3.Connection:
        if not hasattr(local, "db"):
            local.db = sqlite3.connect(path, timeout=60, isolation_level=None)
            for pragma in ("journal_mode = wal", "synchronous = full"):
                local.db.execute(f"pragma {pragma}")
        found: sqlite3.Connection = local.db
        return found

    connection().execute("create table move (number integer primary key, game text, id text unique, data text)")

    def record(game: str, entry: dict[str, Any]) -> int:
        values = (game, entry["id"], json.dumps(entry["data"]))
        done = connection().execute("insert into move (game, id, data) values (?, ?, ?)", values)
        return done.lastrowid or 0

    return record


def eventsourced(folder: Path, cached: int) -> Record:
    """An aggregate for each game, and an event for each move, by the library eventsourcing."""
    from uuid import UUID  # noqa: PLC0415 - the other peer needs none of this

    from eventsourcing.application import (  # type: ignore[import-not-found, unused-ignore] # noqa: PLC0415
        AggregateNotFoundError,
        Application,
    )
    from eventsourcing.domain import (  # type: ignore[import-not-found, unused-ignore] # noqa: PLC0415
        Aggregate,
        event,
    )

    class Game(Aggregate):  # type: ignore[misc, unused-ignore]
        @event("Opened")  # type: ignore[untyped-decorator, unused-ignore]
        def __init__(self, game: str) -> None:
            self.game, self.moves = game, 0

        @staticmethod
        def create_id(game: str) -> UUID:
            return UUID(game)

        @event("MoveMade")  # type: ignore[untyped-decorator, unused-ignore]
        def make(self, id_: str, data: dict[str, Any]) -> None:  # noqa: ARG002 - they are the event
            self.moves += 1

    environment = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(folder / "events.db")}
    kept = Application(env=environment | ({"AGGREGATE_CACHE_MAXSIZE": str(cached)} if cached else {}))

    def record(game: str, entry: dict[str, Any]) -> int:
        try:
            found = kept.repository.get(UUID(game))
        except AggregateNotFoundError:
            found = Game(game)
        found.make(entry["id"], entry["data"])
        kept.save(found)
        return int(found.moves)

    return record


PEERS: dict[str, Callable[[Path], Record]] = {
    "bare": bare,
    "eventsourcing": lambda folder: eventsourced(folder, 0),
    "eventsourcing-cached": lambda folder: eventsourced(folder, 1000),
}


def main() -> None:
    """Serve a peer until the process is killed."""
    name, port, folder = sys.argv[1:]
    record, app = PEERS[name](Path(folder)), Flask("peer")

    @app.get("/")
    def ready() -> dict[str, str]:
        return {"peer": name}

    @app.post("/v1/games/<game>/events")
    def made(game: str) -> dict[str, int]:
        (entry,) = request.get_json()["events"]
        return {"version": record(game, entry)}

    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it warns of more clients than threads
    serve(app, port=int(port), host="127.0.0.1", threads=THREADS, connection_limit=1000)


if __name__ == "__main__":
    main()
