"""Results: what workers derived from the log, as rows of `work.db` in the data folder.

The relay's cursor and the dead letters lie there too. Several processes read and write at once. What a power cut takes
is derived again, because the cursor goes with it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import threading
import time
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import msgspec
from sqlite_utils import Database, Migrations

from events.errors import DamagedError, GameUnknownError
from projections.audit import Audit
from workers.errors import WorkError, WorkNewerError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from events.event import Head
    from events.log import LogReader

FILE = "work.db"
SNAPSHOT = "snapshot"
"""The kind of result that is a scoring snapshot: it has no parameters."""

SCHEMA = 1
"""The number of the newest migration, kept as `PRAGMA user_version`. A higher one was written by a newer release."""

_LETTER = "game, kind, version, cause, attempts, at"

migrations = Migrations("kifu.work")


@migrations(name="1: results, dead letters, cursor, identity")
def _create(db: Database) -> None:
    db.table("result").create(
        {
            "game": str,
            "version": int,
            "kind": str,
            "parameters": str,
            "revision": int,
            "hash": str,
            "created_at": int,
            "data": str,
        },
        pk=("game", "version", "kind", "parameters", "revision"),
    )
    db.table("dead_letter").create(
        {"game": str, "kind": str, "version": int, "cause": str, "attempts": int, "at": int}, pk=("game", "kind")
    )
    db.table("dead_letter").create_index(["at", "game"])
    db.table("cursor").insert({"position": 0, "hash": ""})
    db.table("identity").insert({"id": uuid4().hex})


class Snapshot(msgspec.Struct, frozen=True):
    """A scoring snapshot: the audit of `game` at `version`, whose entry has `hash`, under `revision` of its rules.

    `created_at` is when a worker stored it, in milliseconds since 1970.
    """

    game: str
    version: int
    revision: int
    hash: str
    created_at: int
    audit: Audit


class Letter(msgspec.Struct, frozen=True):
    """A dead letter: work on `game` at `version` that failed `attempts` times, the last time `at`, by `cause`."""

    game: str
    kind: str
    version: int
    cause: str
    attempts: int
    at: int


class Results:
    """The store of results of one data folder. Safe to share between threads. Raises `WorkError`, `WorkNewerError`."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._local = threading.local()
        self._open: list[Database] = []
        try:
            with _alone(folder):
                _migrate(self._db, self.path)
            ((self.identity,),) = self._db.execute("select id from identity").fetchall()
        except WorkError:
            self.close()
            raise
        except (sqlite3.Error, OSError) as error:
            self.close()
            raise WorkError(f"{self.path} cannot be opened: {error}") from error

    def close(self) -> None:
        """Let go of the file."""
        while self._open:
            self._open.pop().conn.close()

    @property
    def _db(self) -> Database:
        """This thread's connection."""
        if not hasattr(self._local, "db"):
            self._local.db = _connect(self.path)
            self._open.append(self._local.db)
        db: Database = self._local.db
        return db

    # Snapshots

    def keep_snapshot(self, audit: Audit) -> bool:
        """Store a snapshot once, and drop the game's dead letter; says whether it was not there yet.

        One that was made of another past of the game, before the log was restored from a backup, is replaced.
        """
        with self._db.atomic() as db:
            stored = db.execute(
                "insert into result values (?, ?, ?, '', ?, ?, ?, ?) on conflict do update "
                "set hash = excluded.hash, created_at = excluded.created_at, data = excluded.data "
                "where hash <> excluded.hash",
                [
                    audit.game,
                    audit.version,
                    SNAPSHOT,
                    audit.revision,
                    audit.hash,
                    _now(),
                    msgspec.json.encode(audit).decode(),
                ],
            )
            db.execute(
                "delete from dead_letter where game = ? and kind = ? and version <= ?",
                [audit.game, SNAPSHOT, audit.version],
            )
        return stored.rowcount == 1

    def find_snapshots(self, game: str, before: tuple[int, int] | None, limit: int) -> list[Snapshot]:
        """A game's snapshots, the newest first, from behind the place `before` (version, revision)."""
        place = before or (2**62, 0)
        return self._snapshots("and (version, revision) < (?, ?)", [game, SNAPSHOT, *place, limit])

    def find_snapshot(self, game: str, version: int) -> Snapshot | None:
        """The snapshot of a game at a version, by the newest revision of the rules that there is."""
        found = self._snapshots("and version = ?", [game, SNAPSHOT, version, 1])
        return found[0] if found else None

    def _snapshots(self, condition: str, values: list[Any]) -> list[Snapshot]:
        columns = "game, version, revision, hash, created_at, data"
        sql = f"select {columns} from result where game = ? and kind = ? {condition}"
        rows = self._db.execute(f"{sql} order by version desc, revision desc limit ?", values)
        return [
            Snapshot(game, version, revision, hash_, created_at, msgspec.json.decode(data, type=Audit))
            for game, version, revision, hash_, created_at, data in rows
        ]

    # Dead letters

    def put_letter(self, game: str, version: int, cause: str, attempts: int = 1) -> None:
        """Say that the snapshot of a game cannot be made, why, and how often that was tried."""
        self._db.execute(
            "insert into dead_letter values (?, ?, ?, ?, ?, ?) on conflict do update set "
            "version = max(version, excluded.version), cause = excluded.cause, "
            "attempts = attempts + excluded.attempts, at = excluded.at",
            [game, SNAPSHOT, version, cause, attempts, _now()],
        )

    def drop_letter(self, game: str) -> None:
        """Forget that work on a game failed."""
        self._db.execute("delete from dead_letter where game = ?", [game])

    def find_letters(self, before: tuple[int, str] | None, limit: int) -> list[Letter]:
        """The dead letters, the newest first, from behind the place `before` (at, game)."""
        rows = self._db.execute(
            f"select {_LETTER} from dead_letter where (at, game) < (?, ?) order by at desc, game desc limit ?",
            [*(before or (2**62, "")), limit],
        )
        return [Letter(*row) for row in rows]

    def stalest_letters(self, limit: int) -> list[Letter]:
        """The dead letters of the work that was not tried for the longest time."""
        rows = self._db.execute(f"select {_LETTER} from dead_letter order by at, game limit ?", [limit])
        return [Letter(*row) for row in rows]

    def count_letters(self) -> int:
        """How many dead letters there are."""
        ((count,),) = self._db.execute("select count(*) from dead_letter").fetchall()
        return int(count)

    # What the relay asks

    def settled(self, heads: Iterable[Head]) -> set[str]:
        """The games among `heads` whose work is done there: the snapshot is stored, or a letter says why not."""
        wanted = msgspec.json.encode([(head.game, head.version, head.hash) for head in heads]).decode()
        rows = self._db.execute(
            "with wanted (game, version, hash) as (select json_extract(value, '$[0]'), json_extract(value, '$[1]'), "
            "json_extract(value, '$[2]') from json_each(?)) select game from wanted where exists (select 1 from result "
            "where result.game = wanted.game and result.version = wanted.version and kind = ? "
            "and result.hash = wanted.hash) or exists (select 1 from dead_letter where "
            "dead_letter.game = wanted.game and kind = ? and dead_letter.version >= wanted.version)",
            [wanted, SNAPSHOT, SNAPSHOT],
        )
        return {game for (game,) in rows}

    def cursor(self) -> tuple[int, str]:
        """The feed position up to which all work is done, and the hash of the event there."""
        position, hash_ = self._db.execute("select position, hash from cursor").fetchone()
        return position, hash_

    def set_cursor(self, position: int, hash_: str) -> None:
        """Say that all work up to `position` is done."""
        self._db.execute("update cursor set position = ?, hash = ?", [position, hash_])

    def forget_lost(self, log: LogReader) -> int:
        """Remove what was made of entries that the log does not hold, and start over; returns how many results went."""
        lost = []
        for row, game, version, hash_ in self._db.execute("select rowid, game, version, hash from result"):
            if not _holds(log, game, version, hash_):
                lost.append([row])
        with self._db.atomic() as db:
            db.conn.executemany("delete from result where rowid = ?", lost)
            db.execute("delete from dead_letter")
            db.execute("update cursor set position = 0, hash = ''")
        return len(lost)


def _connect(path: Path) -> Database:
    connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = normal")
    return Database(connection)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other processes from opening the store meanwhile: SQLite does not wait when a new file is turned to WAL."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _migrate(db: Database, path: Path) -> None:
    """Bring the tables up to this release."""
    ((schema,),) = db.execute("pragma user_version").fetchall()
    if schema > SCHEMA:
        raise WorkNewerError(
            f"{path} has schema {schema}, and this release knows {SCHEMA}: it was written by a newer one"
        )
    if schema < SCHEMA:
        with db.conn:
            db.execute("begin immediate")
            migrations.apply(db)
            db.execute(f"pragma user_version = {SCHEMA}")


def _holds(log: LogReader, game: str, version: int, hash_: str) -> bool:
    """Whether the log holds that entry. Damaged games are given the benefit of the doubt."""
    try:
        return any(event.hash == hash_ for event in log.read(game, version - 1, version))
    except GameUnknownError:
        return False
    except DamagedError:
        return True


def _now() -> int:
    return int(time.time() * 1000)
