"""Results: what workers derived from the log, as rows of `work.db` in the data folder.

Where hosts share a database, they share these rows, too (see `workers.shared`).

The relay's cursor and the dead letters lie there too. Several processes read and write at once. What a power cut takes
is derived again, because the cursor goes with it. So is what is not what was written: every result has a checksum, and
a damaged file is made anew, with all of its results that fit.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import sqlite3
import threading
import time
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar
from uuid import uuid4
from zlib import crc32

import msgspec
from sqlite_utils import Database, Migrations

from events.errors import DamagedError, GameUnknownError, LogError
from events.sqlite.files import files_of, findings, header_of, schema_of
from events.sqlite.translation import is_corruption
from games.words import in_english
from projections.audit import Audit
from projections.errors import ProjectionError
from projections.thinning import Saved, superfluous
from workers.errors import WorkError, WorkNewerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from events.event import Head
    from events.log import LogReader

FILE = "work.db"
SNAPSHOT = "snapshot"
"""The kind of result that is a scoring snapshot: it has no parameters."""

SNAPSHOTS = 2**20
"""Bytes of snapshots that every game may keep."""

SNAPSHOTS_ENTRY = 512
"""Bytes of snapshots that a long game may keep for each of its entries."""

SCHEMA = 4
"""The number of the newest migration, kept as `PRAGMA user_version`. A higher one was written by a newer release."""

_LETTER = "game, kind, version, cause, attempts, at"

logger = logging.getLogger(__name__)

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


@migrations(name="2: rounds, ends, checksums")
def _add_checksums(db: Database) -> None:
    """Older snapshots have no known round, so only the newest of each game stays."""
    for column in ("round", "over", "checksum"):
        db.table("result").add_column(column, int, not_null_default=0)
    db.execute(
        "delete from result where exists (select 1 from result newer where newer.game = result.game "
        "and newer.kind = result.kind and newer.revision = result.revision and newer.version > result.version)"
    )
    db.conn.create_function("checksum", -1, lambda *row: _checksum(row), deterministic=True)
    db.execute(f"update result set checksum = checksum({_SUMMED})")


@migrations(name="3: analyses")
def _add_analyses(db: Database) -> None:
    """What is asked for, its pieces, and what it took."""
    db.table("analysis").create(
        {
            "id": str,
            "game": str,
            "version": int,
            "hash": str,
            "kind": str,
            "parameters": str,
            "viewpoint": str,
            "revision": str,
            "queue": str,
            "asker": str,
            "asked_at": int,
            "status": str,
            "done": int,
            "planned": int,
            "cause": str,
            "data": str,
            "checksum": int,
        },
        pk="id",
    )
    same = ["game", "version", "kind", "parameters", "viewpoint", "revision"]
    db.table("analysis").create_index(same, unique=True)
    db.table("analysis").create_index(["game", "asked_at", "id"])
    db.table("analysis").create_index(["status"])
    db.table("piece").create({"key": str, "game": str, "data": str, "checksum": int}, pk="key")
    db.table("piece").create_index(["game"])
    db.table("effort").create({"game": str, "asker": str, "queue": str, "at": int, "seconds": float})
    db.table("effort").create_index(["game", "at"])
    db.table("effort").create_index(["asker", "at"])


@migrations(name="4: self-audit")
def _add_differences(db: Database) -> None:
    """What the self-audit found."""
    columns = {"subject": str, "kind": str, "why": str, "at": int}
    db.table("difference").create(columns, pk=("subject", "kind", "why"))
    db.table("effort").create_index(["queue", "at"])


_SUMMED = "game, version, kind, parameters, revision, hash, created_at, data, round, over"
_COLUMNS = f"{_SUMMED}, checksum"


def _checksum(row: tuple[Any, ...]) -> int:
    return crc32(repr(row).encode())


class Snapshot(msgspec.Struct, frozen=True):
    """A scoring snapshot: the audit of `game` at `version` under `revision` of its rules; `hash` is that of the entry.

    `created_at` is when a worker stored it, in milliseconds since 1970.
    """

    game: str
    version: int
    revision: int
    hash: str
    created_at: int
    audit: Audit


class DeadLetter(msgspec.Struct, frozen=True):
    """A dead letter: work on `game` at `version` that failed `attempts` times, the last time `at`, by `cause`."""

    game: str
    kind: str
    version: int
    cause: str
    attempts: int
    at: int


P = ParamSpec("P")
R = TypeVar("R")


def _healed(method: Callable[Concatenate[Results, P], R]) -> Callable[Concatenate[Results, P], R]:
    """The method; if the file turns out to be damaged, on the one that is made anew."""

    @wraps(method)
    def call(results: Results, /, *arguments: P.args, **named: P.kwargs) -> R:
        try:
            return method(results, *arguments, **named)
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            if not _is_damage(error):
                raise
            results.renew(error)
            return method(results, *arguments, **named)

    return call


class Rows(Protocol):
    """What carries statements out: in the dialect of SQLite, as far as PostgreSQL has it with other words for it."""

    def execute(self, sql: str, parameters: Any = ..., /) -> Any:
        """Carry a statement out. What it found can be fetched, or is in its `rowcount`."""


class Results:
    """The store of results of one data folder. Safe to share between threads. Raises `WorkError`, `WorkNewerError`.

    With `proved` it is looked through before it is used. `remake` is asked to make a snapshot again that is not what
    was written.
    """

    _row_id = "rowid"
    _outcome = "json_extract(data, '$.outcome')"
    _wanted = (
        "select json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') from json_each(?)"
    )

    def __init__(
        self, folder: Path, *, proved: bool = False, remake: Callable[[str, int], object] | None = None
    ) -> None:
        self.path = folder / FILE
        self.name = str(self.path)
        self._remake = remake
        self._local = threading.local()
        self._open: list[Database] = []
        self.identity = ""
        try:
            with _alone(folder):
                found = next(prove(self.path), None) if proved and self.path.exists() else None
                if found is not None:
                    self._make_anew(found)
                try:
                    _migrate(self._file, self.path)
                    self.identity = self._identity()
                except (sqlite3.DatabaseError, ValueError) as error:
                    if isinstance(error, sqlite3.DatabaseError) and not _is_damage(error):
                        raise
                    self._make_anew(error)
                    self.identity = self._identity()
        except WorkError:
            self.close()
            raise
        except (sqlite3.Error, OSError) as error:
            self.close()
            raise WorkError(f"{self.path} cannot be opened: {error}") from error

    def _identity(self) -> str:
        ((identity,),) = self._db.execute("select id from identity").fetchall()
        return str(identity)

    def renew(self, why: object) -> None:
        """Make a damaged file anew, unless another process has done so since this thread opened it."""
        with _alone(self.path.parent):
            if self._stamp() == getattr(self._local, "stamp", None):
                self._make_anew(why)

    def _make_anew(self, why: object) -> None:
        """Put a new file in the place of a damaged one, with the results of it that fit. What is missing is derived."""
        logger.warning("%s is damaged and is made anew: %s", self.path, why)
        fresh = self.path.with_name(f"{FILE}.new")
        for path in files_of(fresh):
            path.unlink(missing_ok=True)
        db = _connect(fresh)
        try:
            _migrate(db, fresh)
            for row in _sound_rows(self.path):
                db.execute(f"insert or ignore into result ({_COLUMNS}) values ({', '.join('?' * len(row))})", row)
            if self.identity:  # other processes go on with the queue that they know
                db.execute("update identity set id = ?", [self.identity])
            db.execute("pragma wal_checkpoint(truncate)")
        finally:
            db.conn.close()
        for path in (*files_of(self.path)[1:], *files_of(fresh)[1:]):
            path.unlink(missing_ok=True)
        fresh.replace(self.path)

    def close(self) -> None:
        """Let go of the file."""
        while self._open:
            self._open.pop().conn.close()

    @property
    def _db(self) -> Rows:
        """What carries statements out."""
        return self._file

    @property
    def _file(self) -> Database:
        """This thread's connection."""
        stamp, local = self._stamp(), self._local
        if getattr(local, "db", None) is None or local.stamp != stamp:
            if (old := getattr(local, "db", None)) in self._open:
                self._open.remove(old)
                old.conn.close()
            local.db, local.stamp = None, stamp
            local.db = _connect(self.path)
            local.stamp = self._stamp()
            self._open.append(local.db)
        db: Database = local.db
        return db

    def _stamp(self) -> int | None:
        """Which file it is: it can be made anew by any process."""
        try:
            return self.path.stat().st_ino
        except FileNotFoundError:
            return None

    # What others keep here

    @_healed
    def query(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """The rows of a statement."""
        found: list[tuple[Any, ...]] = self._db.execute(sql, values).fetchall()
        return found

    @_healed
    def change(self, sql: str, values: Sequence[Any]) -> int:
        """Carry a statement out, and say how many rows it changed."""
        return int(self._db.execute(sql, values).rowcount)

    def wipe(self, *tables: str) -> None:  # noqa: ARG002 - the file is one
        """See that no byte is left of what was deleted from these tables."""
        self.query("pragma wal_checkpoint(truncate)", [])

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Rows]:
        """All that is done inside, or nothing; others wait to write meanwhile."""
        self.query("select 1 from identity", [])  # a damaged file is made anew before
        with self._file.atomic():
            yield self._file

    # Snapshots

    @_healed
    def keep_snapshot(self, audit: Audit, round_: int = 0) -> bool:
        """Store a snapshot once, and drop the game's dead letter; says whether it was not there yet.

        A snapshot of another past of the game, before the log was restored from a backup, is replaced. Of those between
        the first and the last of a round (`round_`, 0 if the game has none) none is kept. A game keeps fewer of its
        older snapshots if they would be much larger than its record.
        """
        data = in_english(audit).decode()
        row = (
            *(audit.game, audit.version, SNAPSHOT, "", audit.revision, audit.hash, _now()),
            *(data, round_, int(audit.outcome is not None)),
        )
        with self.transaction() as db:
            stored = db.execute(
                f"insert into result ({_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                "on conflict (game, version, kind, parameters, revision) do update "
                "set hash = excluded.hash, created_at = excluded.created_at, data = excluded.data, "
                "round = excluded.round, over = excluded.over, checksum = excluded.checksum "
                "where result.hash <> excluded.hash",
                [*row, _checksum(row)],
            )
            like = (
                "select 1 from result other where other.game = result.game and other.kind = result.kind "
                "and other.revision = result.revision and other.round = result.round and other.over = result.over"
            )
            db.execute(
                f"delete from result where game = ? and kind = ? and exists ({like} and other.version > result.version)"
                f" and (round = 0 or over = 1 or exists ({like} and other.version < result.version))",
                [audit.game, SNAPSHOT],
            )
            self._thin_snapshots(db, audit, len(data))
            db.execute(
                "delete from dead_letter where game = ? and kind = ? and version <= ?",
                [audit.game, SNAPSHOT, audit.version],
            )
        return bool(stored.rowcount == 1)

    def _thin_snapshots(self, db: Rows, audit: Audit, size: int) -> None:
        """Delete older snapshots of a long game: a snapshot is about as large as the game is long."""
        which = "game = ? and kind = ? and revision = ? and over = 0 and version <= ?"
        place = [audit.game, SNAPSHOT, audit.revision, audit.version]
        rows = db.execute(f"select version from result where {which} order by version", place).fetchall()
        saved = (Saved(version, size * version // audit.version) for (version,) in rows)
        for version in superfluous(saved, max(SNAPSHOTS, SNAPSHOTS_ENTRY * audit.version)):
            db.execute(f"delete from result where {which.replace('<=', '=')}", [*place[:-1], version])

    def find_snapshots(self, game: str, before: tuple[int, int] | None, limit: int) -> list[Snapshot]:
        """A game's snapshots, the newest first, after the place `before` (version, revision)."""
        place = before or (2**62, 0)
        return self._snapshots("and (version, revision) < (?, ?)", [game, SNAPSHOT, *place, limit])

    def find_snapshot(self, game: str, version: int) -> Snapshot | None:
        """The snapshot of a game at a version, by the newest revision of the rules that there is."""
        found = self._snapshots("and version = ?", [game, SNAPSHOT, version, 1])
        return found[0] if found else None

    def finished(self, after: str, limit: int) -> list[tuple[str, int]]:
        """Games that are over, and at which version, as their newest snapshots tell: in order, after a game."""
        rows = self.query(
            "select game, version from result where game > ? and kind = ? "
            f"and (over = 1 or {self._outcome} is not null) and not exists (select 1 from result newer "
            "where newer.game = result.game and newer.kind = result.kind and newer.version > result.version) "
            "group by game, version order by game limit ?",
            [after, SNAPSHOT, limit],
        )
        return [(game, version) for game, version in rows]

    def _snapshots(self, condition: str, values: list[Any]) -> list[Snapshot]:
        while True:
            rows = self._select(condition, values)
            unfit = [row for row in rows if not _fits(row)]
            if not unfit:
                return [
                    Snapshot(game, version, revision, hash_, created_at, msgspec.json.decode(data, type=Audit))
                    for game, version, _, _, revision, hash_, created_at, data, *_ in (row[1:] for row in rows)
                ]
            for row in unfit:
                self._make_again(row, values[0])

    @_healed
    def _select(self, condition: str, values: list[Any]) -> list[tuple[Any, ...]]:
        sql = f"select {self._row_id}, {_COLUMNS} from result where game = ? and kind = ? {condition}"
        found: list[tuple[Any, ...]] = self._db.execute(
            f"{sql} order by version desc, revision desc limit ?", values
        ).fetchall()
        return found

    @_healed
    def _drop(self, row: object) -> None:
        self._db.execute(f"delete from result where {self._row_id} = ?", [row])

    def _make_again(self, row: tuple[Any, ...], game: str) -> None:
        """Drop a row that is not what was written, and have its snapshot made again if the game has that version."""
        rowid, _, version, *_ = row
        logger.warning("%s: a snapshot of game %s is not what was written, and is made again", self.name, game)
        self._drop(rowid)
        if self._remake and isinstance(version, int):
            with contextlib.suppress(ProjectionError, LogError):
                self._remake(game, version)

    # Dead letters

    @_healed
    def put_letter(self, game: str, version: int, cause: str, attempts: int = 1) -> None:
        """Say that the snapshot of a game cannot be made, why, and how often that was tried."""
        self._db.execute(
            f"insert into dead_letter ({_LETTER}) values (?, ?, ?, ?, ?, ?) on conflict (game, kind) do update set "
            "version = case when dead_letter.version > excluded.version then dead_letter.version "
            "else excluded.version end, cause = excluded.cause, "
            "attempts = dead_letter.attempts + excluded.attempts, at = excluded.at",
            [game, SNAPSHOT, version, cause, attempts, _now()],
        )

    @_healed
    def drop_letter(self, game: str) -> None:
        """Forget that work on a game failed."""
        self._db.execute("delete from dead_letter where game = ?", [game])

    @_healed
    def erase_letter(self, game: str) -> None:
        """Drop a game's dead letter so that no byte of it is left: its cause may hold what the record hides."""
        self._db.execute("delete from dead_letter where game = ?", [game])
        self.wipe("dead_letter")

    @_healed
    def find_letters(self, before: tuple[int, str] | None, limit: int) -> list[DeadLetter]:
        """The dead letters, the newest first, after the place `before` (at, game)."""
        rows = self._db.execute(
            f"select {_LETTER} from dead_letter where (at, game) < (?, ?) order by at desc, game desc limit ?",
            [*(before or (2**62, "")), limit],
        )
        return [DeadLetter(*row) for row in rows]

    @_healed
    def stalest_letters(self, limit: int) -> list[DeadLetter]:
        """The dead letters of the work that was not tried for the longest time."""
        rows = self._db.execute(f"select {_LETTER} from dead_letter order by at, game limit ?", [limit])
        return [DeadLetter(*row) for row in rows]

    @_healed
    def count_letters(self) -> int:
        """How many dead letters there are."""
        ((count,),) = self._db.execute("select count(*) from dead_letter").fetchall()
        return int(count)

    # What the relay asks

    @_healed
    def done(self, heads: Iterable[Head]) -> set[str]:
        """The games among `heads` with finished work: the snapshot is stored, or a later one, or a letter."""
        wanted = msgspec.json.encode([(head.game, head.version, head.hash) for head in heads]).decode()
        rows = self._db.execute(
            f"with wanted (game, version, hash) as ({self._wanted}) select game from wanted "
            "where exists (select 1 from result where result.game = wanted.game and kind = ? "
            "and (result.version > wanted.version "
            "or (result.version = wanted.version and result.hash = wanted.hash))) "
            "or exists (select 1 from dead_letter where dead_letter.game = wanted.game and kind = ? "
            "and dead_letter.version >= wanted.version)",
            [wanted, SNAPSHOT, SNAPSHOT],
        )
        return {game for (game,) in rows}

    @_healed
    def cursor(self) -> tuple[int, str]:
        """The feed position up to which all work is done, and the hash of the event there."""
        position, hash_ = self._db.execute("select position, hash from cursor").fetchone() or (0, "")
        return position, hash_

    @_healed
    def set_cursor(self, position: int, hash_: str) -> None:
        """Say that all work up to `position` is done."""
        self._db.execute("update cursor set position = ?, hash = ?", [position, hash_])

    @_healed
    def forget_lost(self, log: LogReader) -> int:
        """Remove what was made of entries that the log does not hold, and start over; returns how many results went."""
        lost = []
        for row, game, version, hash_ in self.query(f"select {self._row_id}, game, version, hash from result", []):
            if not _holds(log, game, version, hash_):
                lost.append([row])
        with self.transaction() as db:
            for each in lost:
                db.execute(f"delete from result where {self._row_id} = ?", each)
            db.execute("delete from dead_letter")
            db.execute("update cursor set position = 0, hash = ''")
        return len(lost)


def open_results(
    folder: Path,
    database_url: str = "",
    *,
    proved: bool = False,
    remake: Callable[[str, int], object] | None = None,
) -> Results:
    """The results of a data folder, or those of all hosts that share a database. Raises `WorkError`, `LogError`."""
    if not database_url:
        return Results(folder, proved=proved, remake=remake)
    from workers.shared import SharedResults  # noqa: PLC0415 - its driver takes its time to load

    return SharedResults(database_url, remake=remake)


def empty() -> sqlite3.Connection:
    """A store as it is when nothing was put into it yet."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    _migrate(Database(connection), Path(":memory:"))
    return connection


def prove(path: Path) -> Iterator[str]:
    """What is wrong with a store of results: SQLite's own findings, and results that do not fit their checksums."""
    return findings(path, SCHEMA, migrations, _unfit)


def _unfit(connection: sqlite3.Connection) -> Iterator[str]:
    for row in connection.execute(f"select rowid, {_COLUMNS} from result"):
        if not _fits(row):
            yield f"the snapshot of game {row[1]} at version {row[2]} is not what was written"


def _fits(row: tuple[Any, ...]) -> bool:
    """Whether a row (its rowid, what is summed, the checksum) is what was written."""
    return bool(_checksum(row[1:-1]) == row[-1])


def _sound_rows(path: Path) -> Iterator[tuple[Any, ...]]:
    """The results in a damaged file that fit, as far as it can be read."""
    with contextlib.suppress(sqlite3.Error, UnicodeDecodeError), contextlib.closing(sqlite3.connect(path)) as old:
        for row in old.execute(f"select rowid, {_COLUMNS} from result not indexed"):
            if _fits(row):
                yield row[1:]


def _is_damage(error: Exception) -> bool:
    """Whether an error of SQLite says that the file, or what is in it, is not what was written."""
    return is_corruption(error) or getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR


def _connect(path: Path) -> Database:
    connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma secure_delete = on")
        connection.execute("pragma synchronous = normal")
    except BaseException:
        connection.close()
        raise
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
    if header_of(db.conn) == SCHEMA:
        return
    schema = schema_of(db.conn, migrations)
    if schema > SCHEMA:
        raise WorkNewerError(
            f"{path} has schema {schema}, and this release knows {SCHEMA}: it was written by a newer one"
        )
    with db.conn:
        db.execute("begin immediate")
        migrations.apply(db)
        db.execute(f"pragma user_version = {SCHEMA}")
    if schema < SCHEMA:
        db.execute("vacuum")  # what an older release kept too much of


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
