"""Results: data that workers derive from the log, as rows of `work.db` in the data folder.

Where hosts share a database, they share these rows, too.

The relay's cursor and the dead letters lie there too. Several processes read and write at once. What a power cut takes
is derived again, because the cursor goes with it. So is what is not what was written: every result has a checksum, and
a damaged file is made anew, with all of its results that fit.
"""

from __future__ import annotations

import contextlib
import logging
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import msgspec
from sqlite_utils import Migrations

from events.databases.checksums import by_last, by_repr
from events.databases.definition import Definition, Table
from events.databases.opening import open_database
from events.errors import DamagedError, GameUnknownError, LogError
from events.event import now_ms
from games.words import in_english
from projections.audit import Audit
from projections.errors import ProjectionError
from projections.thinning import SavedVersion, versions_to_drop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from sqlite_utils import Database as SqliteUtils

    from events.databases.rows import Rows
    from events.event import Head
    from events.log import LogReader

SNAPSHOT = "snapshot"
"""The kind of result for scoring snapshots. It has no parameters."""

SNAPSHOTS = 2**20
"""Bytes of snapshots that every game may keep."""

SNAPSHOTS_ENTRY = 512
"""Bytes of snapshots that a long game may keep for each of its entries."""

_LETTER = "game, kind, version, cause, attempts, at"

logger = logging.getLogger(__name__)

RESULT = Table(
    "result",
    {
        "game": str,
        "version": int,
        "kind": str,
        "parameters": str,
        "revision": int,
        "hash": str,
        "created_at": int,
        "data": str,
        "round": int,
        "over": int,
    },
    key=("game", "version", "kind", "parameters", "revision"),
    older=by_repr,
)
ANALYSIS = Table(
    "analysis",
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
    },
    key=("id",),
    older=by_last,
)
PIECE = Table("piece", {"key": str, "game": str, "data": str}, key=("key",), older=by_last)

migrations = Migrations("kifu.work")


@migrations(name="1: results, dead letters, cursor, identity")
def _create(db: SqliteUtils) -> None:
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
def _add_checksums(db: SqliteUtils) -> None:
    """Older snapshots have no known round, so only the newest of each game stays."""
    for column in ("round", "over", "checksum"):
        db.table("result").add_column(column, int, not_null_default=0)
    db.execute(
        "delete from result where exists (select 1 from result newer where newer.game = result.game "
        "and newer.kind = result.kind and newer.revision = result.revision and newer.version > result.version)"
    )
    RESULT.sum_all(db)


@migrations(name="3: analyses")
def _add_analyses(db: SqliteUtils) -> None:
    """Add tables of analyses, their pieces, and their time of work."""
    db.table("analysis").create({**ANALYSIS.columns, "checksum": int}, pk="id")
    same = ["game", "version", "kind", "parameters", "viewpoint", "revision"]
    db.table("analysis").create_index(same, unique=True)
    db.table("analysis").create_index(["game", "asked_at", "id"])
    db.table("analysis").create_index(["status"])
    db.table("piece").create({**PIECE.columns, "checksum": int}, pk="key")
    db.table("piece").create_index(["game"])
    db.table("effort").create({"game": str, "asker": str, "queue": str, "at": int, "seconds": float})
    db.table("effort").create_index(["game", "at"])
    db.table("effort").create_index(["asker", "at"])


@migrations(name="4: self-audit")
def _add_differences(db: SqliteUtils) -> None:
    """Add tables of the self-audit's differences."""
    columns = {"subject": str, "kind": str, "why": str, "at": int}
    db.table("difference").create(columns, pk=("subject", "kind", "why"))
    db.table("effort").create_index(["queue", "at"])


_LEASES = """
create table if not exists lease (name text primary key, host text not null, ends timestamptz not null);
insert into lease values ('relay', '', '-infinity'), ('webhooks', '', '-infinity') on conflict do nothing
"""
"""The table of leases (see `workers.lease`)."""

WORK = Definition(
    file="work.db",
    schema="kifu_work",
    tables=(RESULT, ANALYSIS, PIECE),
    loss="remade",
    release=4,
    migrations=migrations,
    shared={"lease": _LEASES},
)


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


class Results:
    """The results of a data folder, or of all hosts that share a database. Safe to share between threads.

    With `proved` a file is looked through before it is used. `remake` is asked to make a snapshot again that is not
    what was written. Raises `LogNewerError`, `LogError`.
    """

    def __init__(
        self,
        folder: Path,
        database_url: str = "",
        *,
        proved: bool = False,
        remake: Callable[[str, int], object] | None = None,
    ) -> None:
        self._remake = remake
        self.db = open_database(WORK, folder, database_url, proved=proved)
        try:
            self.identity = self._identity()
        except BaseException:
            self.close()
            raise
        self.db.keep("update identity set id = ?", [self.identity])  # other processes keep their queue

    def _identity(self) -> str:
        found = self.query("select id from identity", [])
        if len(found) != 1:
            self.db.renew("it is not known which one it is")
            found = self.query("select id from identity", [])
        return str(found[0][0])

    def close(self) -> None:
        """Close the file, or the connections."""
        self.db.close()

    # Statements of other modules

    def query(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Run a query; its rows."""
        found: list[tuple[Any, ...]] = self.db.execute(sql, values).fetchall()
        return found

    def change(self, sql: str, values: Sequence[Any]) -> int:
        """Run a statement. Returns the number of changed rows."""
        return int(self.db.execute(sql, values).rowcount)

    # Snapshots

    def keep_snapshot(self, audit: Audit, round_: int = 0) -> bool:
        """Store a snapshot once, and drop the game's dead letter. Returns whether it is new.

        A snapshot of another past of the game, before the log was restored from a backup, is replaced. Of those between
        the first and the last of a round (`round_`, 0 if the game has none) none is kept. A game keeps fewer of its
        older snapshots if they would be much larger than its record.
        """
        data = in_english(audit).decode()
        row = (
            *(audit.game, audit.version, SNAPSHOT, "", audit.revision, audit.hash, now_ms()),
            *(data, round_, int(audit.outcome is not None)),
        )

        def keep(db: Rows) -> bool:
            stored = RESULT.put(db, row, "where result.hash <> excluded.hash")
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
            return stored == 1

        return self.db.run(keep)

    def _thin_snapshots(self, db: Rows, audit: Audit, size: int) -> None:
        """Delete older snapshots of a long game, because the size of a snapshot grows with the game."""
        which = "game = ? and kind = ? and revision = ? and over = 0 and version <= ?"
        place = [audit.game, SNAPSHOT, audit.revision, audit.version]
        rows = db.execute(f"select version from result where {which} order by version", place).fetchall()
        saved = (SavedVersion(version, size * version // audit.version) for (version,) in rows)
        for version in versions_to_drop(saved, max(SNAPSHOTS, SNAPSHOTS_ENTRY * audit.version)):
            db.execute(f"delete from result where {which.replace('<=', '=')}", [*place[:-1], version])

    def find_snapshots(self, game: str, before: tuple[int, int] | None, limit: int) -> list[Snapshot]:
        """A game's snapshots, the newest first, after the place `before` (version, revision)."""
        place = before or (2**62, 0)
        return self._snapshots("and (version, revision) < (?, ?)", [game, SNAPSHOT, *place, limit])

    def find_snapshot(self, game: str, version: int) -> Snapshot | None:
        """The snapshot of a game at a version, by the newest stored revision of the rules."""
        found = self._snapshots("and version = ?", [game, SNAPSHOT, version, 1])
        return found[0] if found else None

    def finished(self, after: str, limit: int) -> list[tuple[str, int]]:
        """Finished games with their versions, by their newest snapshots: ordered by id, after a game."""
        outcome = self.db.dialect.field.format("data", "outcome")
        rows = self.query(
            "select game, version from result where game > ? and kind = ? "
            f"and (over = 1 or {outcome} is not null) and not exists (select 1 from result newer "
            "where newer.game = result.game and newer.kind = result.kind and newer.version > result.version) "
            "group by game, version order by game limit ?",
            [after, SNAPSHOT, limit],
        )
        return [(game, version) for game, version in rows]

    def _snapshots(self, condition: str, values: list[Any]) -> list[Snapshot]:
        sql = (
            f"select {self.db.dialect.row_id}, {RESULT.names} from result where game = ? and kind = ? {condition} "
            "order by version desc, revision desc limit ?"
        )
        while True:
            rows = self.query(sql, values)
            unfit = [row for row in rows if not RESULT.fits(row[1:])]
            if not unfit:
                return [
                    Snapshot(game, version, revision, hash_, created_at, msgspec.json.decode(data, type=Audit))
                    for game, version, _, _, revision, hash_, created_at, data, *_ in (row[1:] for row in rows)
                ]
            for row in unfit:
                self._make_again(row, values[0])

    def _make_again(self, row: tuple[Any, ...], game: str) -> None:
        """Drop a row with a wrong checksum, and remake its snapshot if the game has that version."""
        rowid, _, version, *_ = row
        logger.warning("%s: a snapshot of game %s is not what was written, and is made again", self.db.name, game)
        self.change(f"delete from result where {self.db.dialect.row_id} = ?", [rowid])
        if self._remake and isinstance(version, int):
            with contextlib.suppress(ProjectionError, LogError):
                self._remake(game, version)

    # Dead letters

    def put_dead_letter(self, game: str, version: int, cause: str, attempts: int = 1) -> None:
        """Store a dead letter for a game: the cause, and the number of tries."""
        self.db.execute(
            f"insert into dead_letter ({_LETTER}) values (?, ?, ?, ?, ?, ?) on conflict (game, kind) do update set "
            "version = case when dead_letter.version > excluded.version then dead_letter.version "
            "else excluded.version end, cause = excluded.cause, "
            "attempts = dead_letter.attempts + excluded.attempts, at = excluded.at",
            [game, SNAPSHOT, version, cause, attempts, now_ms()],
        )

    def drop_dead_letter(self, game: str) -> None:
        """Drop the dead letter of a game."""
        self.db.execute("delete from dead_letter where game = ?", [game])

    def erase_dead_letter(self, game: str) -> None:
        """Delete a game's dead letter without a trace: its cause may contain hidden content of the record."""
        self.db.execute("delete from dead_letter where game = ?", [game])
        self.db.wipe("dead_letter")

    def find_dead_letters(self, before: tuple[int, str] | None, limit: int) -> list[DeadLetter]:
        """The dead letters, the newest first, after the place `before` (at, game)."""
        rows = self.db.execute(
            f"select {_LETTER} from dead_letter where (at, game) < (?, ?) order by at desc, game desc limit ?",
            [*(before or (2**62, "")), limit],
        )
        return [DeadLetter(*row) for row in rows]

    def stalest_dead_letters(self, limit: int) -> list[DeadLetter]:
        """The dead letters with the oldest last try."""
        rows = self.db.execute(f"select {_LETTER} from dead_letter order by at, game limit ?", [limit])
        return [DeadLetter(*row) for row in rows]

    def count_letters(self) -> int:
        """The number of dead letters."""
        ((count,),) = self.db.execute("select count(*) from dead_letter").fetchall()
        return int(count)

    # Queries of the relay

    def done(self, heads: Iterable[Head]) -> set[str]:
        """The games among `heads` with finished work: the snapshot is stored, or a later one, or a letter."""
        wanted = msgspec.json.encode([(head.game, head.version, head.hash) for head in heads]).decode()
        rows = self.db.execute(
            f"with wanted (game, version, hash) as ({self.db.dialect.items}) select game from wanted "
            "where exists (select 1 from result where result.game = wanted.game and kind = ? "
            "and (result.version > wanted.version "
            "or (result.version = wanted.version and result.hash = wanted.hash))) "
            "or exists (select 1 from dead_letter where dead_letter.game = wanted.game and kind = ? "
            "and dead_letter.version >= wanted.version)",
            [wanted, SNAPSHOT, SNAPSHOT],
        )
        return {game for (game,) in rows}

    def cursor(self) -> tuple[int, str]:
        """The feed position up to which all work is done, and the hash of the event there."""
        position, hash_ = self.db.execute("select position, hash from cursor").fetchone() or (0, "")
        return position, hash_

    def set_cursor(self, position: int, hash_: str) -> None:
        """Record that all work up to `position` is done."""
        self.db.execute("update cursor set position = ?, hash = ?", [position, hash_])

    def forget_lost(self, log: LogReader) -> int:
        """Remove results of entries that the log does not hold, and start over. Returns the number of removed ones."""
        lost = []
        row_id = self.db.dialect.row_id
        for row, game, version, hash_ in self.query(f"select {row_id}, game, version, hash from result", []):
            if not _holds(log, game, version, hash_):
                lost.append([row])

        def forget(db: Rows) -> None:
            for each in lost:
                db.execute(f"delete from result where {row_id} = ?", each)
            db.execute("delete from dead_letter")
            db.execute("update cursor set position = 0, hash = ''")

        self.db.run(forget)
        return len(lost)


def _holds(log: LogReader, game: str, version: int, hash_: str) -> bool:
    """Whether the log holds an entry. True for damaged games, which cannot be checked."""
    try:
        return any(event.hash == hash_ for event in log.read(game, version - 1, version))
    except GameUnknownError:
        return False
    except DamagedError:
        return True
