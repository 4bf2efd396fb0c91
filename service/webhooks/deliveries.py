"""Deliveries: how far each endpoint was told what is in the log, and what is on its way to it.

They are rows of `webhooks.db`, or of the database, if the log is in one: then any host can go on with them. A message
and the cursor that moves past its entries are stored in one step, and an attempt is noted before it is made. So after a
kill every entry is sent, and a repeated message has the same id. The API looks in from another process. The file can be
lost: endpoints then get again what happened since they were made.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import threading
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from events.sqlite.files import header_of, set_aside
from events.sqlite.translation import is_corruption
from service.settings import BadSettingError
from service.webhooks.messages import APPENDED, DIFFERS, TEST, audit_id, message_id, trial_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from events.postgres.shared import Statements, Tables
    from workers.differences import StoredDifference

    Connection = sqlite3.Connection | Statements

FILE = "webhooks.db"
ASIDE = "webhooks.db.damaged"
"""What a damaged file is called once it is set aside."""

SCHEMA = 1

KEPT = 1000
"""How many finished deliveries of an endpoint can be looked at."""

TOLD = 20
"""How many attempts at a message are told of: the last ones."""

PATIENCE = 5000
"""Milliseconds after which a message of a game that is never quiet is sent."""

logger = logging.getLogger(__name__)

State = Literal["waiting", "delivered", "failed", "withheld"]
"""Still to be sent, arrived, given up, or not sent because its game may not be seen any more."""

SCHEMA_NAME = "kifu_webhook"
"""The schema of the tables in the database."""

_TABLES = """
create table endpoint (
    id text primary key,
    disabled_at integer,
    why text,
    paused_until integer not null default 0,
    succeeded_at integer not null default 0
) strict;
create table cursor (
    number integer primary key,
    endpoint text not null references endpoint on delete cascade,
    position integer not null,
    hash text not null,
    until integer
) strict;
create index cursor_of on cursor (endpoint);
create table delivery (
    number integer primary key autoincrement,
    endpoint text not null references endpoint on delete cascade,
    message text not null,
    type text not null,
    game text not null,
    first integer not null,
    last integer not null,
    hash text not null,
    at integer not null,
    made_at integer not null,
    state text not null default 'waiting',
    due integer not null,
    attempts integer not null default 0,
    tried text not null default '[]'
) strict;
create index delivery_of on delivery (endpoint, number);
create index waiting on delivery (endpoint, game, number) where state = 'waiting';
create index failed on delivery (endpoint) where state = 'failed';
"""


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt: when it ended, what the receiver answered or what went wrong, and how long it took."""

    at: int
    status: int | None
    error: str | None
    took: int


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """A message for an endpoint, of the entries `first` to `last` of a game; of none if it is a trial.

    `hash` is that of the last entry, `at` when it was recorded, `made_at` when the message was made, `due` when it is
    to be sent, in milliseconds since 1970. `attempts` counts those that were begun, `tried` lists those that ended. For
    a difference that the self-audit found, `game` is the subject, `hash` the kind, and `at` when it was found.
    """

    number: int
    endpoint: str
    message: str
    type: str
    game: str
    first: int
    last: int
    hash: str
    at: int
    made_at: int
    state: State
    due: int
    attempts: int
    tried: tuple[Attempt, ...]


class EntryRange(msgspec.Struct, kw_only=True):
    """Entries of one game, one after the other, that are told by one message."""

    type: str
    game: str
    first: int
    last: int
    hash: str
    at: int


class Cursor(msgspec.Struct, frozen=True, kw_only=True):
    """How far an endpoint was told the feed; one that has an `until` tells it again as far as that."""

    number: int
    endpoint: str
    position: int
    hash: str
    until: int | None


class EndpointStatus(msgspec.Struct, frozen=True, kw_only=True):
    """How an endpoint gets along: since when it is disabled and why, and how many messages wait and were given up."""

    disabled_at: int | None = None
    why: str | None = None
    waiting: int = 0
    failed: int = 0


_COUNTED = ("waiting", "failed")
_DELIVERY = ", ".join(Delivery.__struct_fields__)


_FIELDS = {
    "endpoint": ("id", "disabled_at", "why", "paused_until", "succeeded_at"),
    "cursor": Cursor.__struct_fields__,
    "delivery": Delivery.__struct_fields__,
}
"""The tables, and what they hold."""

_COUNT_ON = (
    f"select setval(pg_get_serial_sequence('{SCHEMA_NAME}.{{0}}', 'number'), "
    f"greatest((select max(number) from {SCHEMA_NAME}.{{0}}), 1))"
)


class NewerError(BadSettingError):
    """The file was written by a newer release."""


class Deliveries:
    """The deliveries of one data folder, or of all hosts that share a database. Safe to share between threads.

    Raises `NewerError`, `LogNewerError`; `sqlite3.Error` and `LogError` at any time.
    """

    def __init__(self, folder: Path, database_url: str = "") -> None:
        self._lock: contextlib.AbstractContextManager[Any]
        self._db: sqlite3.Connection | Statements
        if database_url:
            from events.postgres.shared import open_tables  # noqa: PLC0415 - its driver takes its time to load

            self._lock, self._db = contextlib.nullcontext(), open_tables(database_url, shared_tables())
        else:
            self._lock, self._db = threading.RLock(), _opened(folder / FILE)

    def close(self) -> None:
        """Let go of the file, or of the connections."""
        with self._lock:
            self._db.close()

    # Endpoints

    def sync_endpoints(self, found: Mapping[str, int]) -> None:
        """Begin to tell new endpoints what happens after a position, and forget all others."""
        with self._lock:
            told = {id_ for (id_,) in self._db.execute("select endpoint from cursor where until is null")}
            kept = {id_ for (id_,) in self._db.execute("select id from endpoint")}
        gone = kept - found.keys()
        if not gone and found.keys() <= told & kept:
            return
        with self._change() as db:
            for id_ in gone:
                db.execute("delete from endpoint where id = ?", [id_])
            for id_ in found.keys() - told:
                _make_sure_of(db, id_)
                db.execute("insert into cursor (endpoint, position, hash) values (?, ?, '')", [id_, found[id_]])

    def statuses(self) -> dict[str, EndpointStatus]:
        """How every endpoint gets along, by its id."""
        counts = [f"(select count(*) from delivery where endpoint = id and state = '{name}')" for name in _COUNTED]
        sql = f"select id, disabled_at, why, {', '.join(counts)} from endpoint"
        with self._lock:
            rows = self._db.execute(sql).fetchall()
        return {
            id_: EndpointStatus(disabled_at=disabled_at, why=why, waiting=waiting, failed=failed)
            for id_, disabled_at, why, waiting, failed in rows
        }

    def full(self, window: int) -> set[str]:
        """The endpoints with so many waiting messages, or more."""
        sql = "select endpoint from delivery where state = 'waiting' group by endpoint having count(*) >= ?"
        with self._lock:
            return {endpoint for (endpoint,) in self._db.execute(sql, [window])}

    def disable(self, endpoint: str, now: int, why: str) -> None:
        """Send nothing more to an endpoint; what happens waits in the log."""
        with self._change() as db:
            db.execute(
                "update endpoint set disabled_at = ?, why = ? where id = ? and disabled_at is null",
                [now, why, endpoint],
            )

    def enable(self, endpoint: str, now: int) -> None:
        """Send to an endpoint again: what waits, as if it had never been tried, and all that happened meanwhile."""
        with self._change() as db:
            db.execute("update endpoint set disabled_at = null, why = null, paused_until = 0 where id = ?", [endpoint])
            db.execute(
                "update delivery set attempts = 0, due = ? where endpoint = ? and state = 'waiting' and attempts > 0",
                [now, endpoint],
            )

    def pause(self, endpoint: str, until: int) -> None:
        """Leave an endpoint alone until then."""
        with self._change() as db:
            db.execute(
                "update endpoint set paused_until = ? where id = ? and paused_until < ?", [until, endpoint, until]
            )

    # Telling the feed

    def cursors(self) -> list[Cursor]:
        """How far each endpoint was told the feed, but for those that are disabled."""
        fields = ", ".join(f"cursor.{name}" for name in Cursor.__struct_fields__)
        sql = f"select {fields} from cursor join endpoint on id = endpoint where disabled_at is null order by position"
        with self._lock:
            return [_read(Cursor, row) for row in self._db.execute(sql)]

    def rewind(self, cursor: Cursor, position: int) -> None:
        """Tell an endpoint the feed from another position on: what it was told before is not in this log."""
        with self._change() as db:
            db.execute("update cursor set position = ?, hash = '' where number = ?", [position, cursor.number])

    def replay(self, endpoint: str, after: int, until: int) -> None:
        """Tell an endpoint again what is in the feed after a position and up to another one."""
        with self._change() as db:
            _make_sure_of(db, endpoint)
            db.execute(
                "insert into cursor (endpoint, position, hash, until) values (?, ?, '', ?)", [endpoint, after, until]
            )

    def enqueue(
        self, told: Iterable[tuple[Cursor, list[EntryRange]]], position: int, hash_: str, now: int, quiet: int
    ) -> None:
        """Put messages on their way and move the cursors up to a position, all in one step.

        A message is sent once its game was `quiet` for so many milliseconds. Until then, and while it waits for others
        of its game, it takes in what comes after. A cursor that another host has moved stays where that put it.
        """
        with self._change() as db:
            for cursor, runs in told:
                where, place = "where number = ? and position = ?", [cursor.number, cursor.position]
                if cursor.until is not None and position >= cursor.until:
                    moved = db.execute(f"delete from cursor {where}", place)
                else:
                    moved = db.execute(f"update cursor set position = ?, hash = ? {where}", [position, hash_, *place])
                if not moved.rowcount:
                    continue
                for run in runs:
                    if not self._taken_in(db, cursor.endpoint, run, now, quiet):
                        self._put(db, cursor.endpoint, run, now, now + quiet)

    def enqueue_differences(self, endpoint: str, found: Sequence[StoredDifference], now: int) -> None:
        """Put a message on its way for each difference that the endpoint was not told of."""
        with self._lock:
            sql = "select message from delivery where endpoint = ? and type = ?"
            told = {message for (message,) in self._db.execute(sql, [endpoint, DIFFERS])}
        fresh = [each for each in found if audit_id(each) not in told]
        if not fresh:
            return
        with self._change() as db:
            _make_sure_of(db, endpoint)
            for each in fresh:
                db.execute(
                    "insert into delivery (endpoint, message, type, game, first, last, hash, at, made_at, due) "
                    "values (?, ?, ?, ?, 0, 0, ?, ?, ?, ?)",
                    [endpoint, audit_id(each), DIFFERS, each.subject, each.kind, each.at, now, now],
                )

    def _taken_in(self, db: Connection, endpoint: str, run: EntryRange, now: int, quiet: int) -> bool:
        """Whether the last message of the game could take in a run: nobody has seen it, and it ends right before."""
        if run.type != APPENDED:
            return False
        row = db.execute(
            "select number, type, state, attempts, first, last, made_at from delivery "
            "where endpoint = ? and game = ? and state = 'waiting' order by number desc limit 1",
            [endpoint, run.game],
        ).fetchone()
        if row is None:
            return False
        number, type_, _, attempts, first, last, made_at = row
        if type_ != APPENDED or attempts or last != run.first - 1:
            return False
        taken = db.execute(
            "update delivery set message = ?, last = ?, hash = ?, at = ?, due = ? where number = ? and attempts = 0",
            [
                message_id(APPENDED, run.game, first, run.last),
                *(run.last, run.hash, run.at),
                min(now + quiet, made_at + PATIENCE),
                number,
            ],
        )
        return bool(taken.rowcount)

    def _put(self, db: Connection, endpoint: str, run: EntryRange, now: int, due: int) -> None:
        db.execute(
            "insert into delivery (endpoint, message, type, game, first, last, hash, at, made_at, due) "
            "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                *(endpoint, message_id(run.type, run.game, run.first, run.last), run.type, run.game),
                *(run.first, run.last, run.hash, run.at, now, due),
            ],
        )

    def enqueue_test(self, endpoint: str, now: int) -> Delivery:
        """Put a message on its way that nothing happened."""
        with self._change() as db:
            _make_sure_of(db, endpoint)
            row = db.execute(
                "insert into delivery (endpoint, message, type, game, first, last, hash, at, made_at, due) "
                f"values (?, ?, ?, '', 0, 0, '', ?, ?, ?) returning {_DELIVERY}",
                [endpoint, trial_id(), TEST, now, now, now],
            ).fetchone()
        return _delivery(row)

    # Sending

    def due(self, now: int, most: int) -> list[Delivery]:
        """What is to be sent now: of each game the first message that waits, and every trial; so many an endpoint."""
        fields = ", ".join(f"delivery.{name}" for name in Delivery.__struct_fields__)
        sql = (
            "with next as (select min(number) as number from delivery "
            "where state = 'waiting' and type <> ? group by endpoint, game) "
            f"select {fields} from delivery join next using (number) join endpoint on id = endpoint "
            "where due <= ? and disabled_at is null and paused_until <= ? "
            f"union all select {fields} from delivery where state = 'waiting' and type = ? and due <= ?"
        )
        ranked = (
            f"select {_DELIVERY}, row_number() over (partition by endpoint order by due, number) as place "
            f"from ({sql}) as found"
        )
        with self._lock:
            rows = self._db.execute(
                f"select {_DELIVERY} from ({ranked}) as ranked where place <= ? order by due",
                [TEST, now, now, TEST, now, most],
            ).fetchall()
        return [_delivery(row) for row in rows]

    def begin(self, number: int) -> Delivery | None:
        """Note that a message is being sent, and give it: from now on it stays as it is. None if it is no more."""
        with self._change() as db:
            sql = f"update delivery set attempts = attempts + 1 where number = ? returning {_DELIVERY}"
            row = db.execute(sql, [number]).fetchone()
        return None if row is None else _delivery(row)

    def finish(self, delivery: Delivery, attempt: Attempt | None, state: State, due: int) -> None:
        """Note what came of it: its state now, and, if it still waits, when it is due again."""
        tried = [*delivery.tried, *([attempt] if attempt else [])][-TOLD:]
        with self._change() as db:
            db.execute(
                "update delivery set tried = ?, state = ?, due = ? where number = ?",
                [msgspec.json.encode(tried).decode(), state, due, delivery.number],
            )
            if state == "delivered" and attempt and delivery.type != TEST:
                db.execute("update endpoint set succeeded_at = ? where id = ?", [attempt.at, delivery.endpoint])
            done = (
                "endpoint = ? and state <> 'waiting' and type <> ?"  # by those of the audit it is known what was told
            )
            db.execute(
                f"delete from delivery where {done} and number <= "
                f"(select number from delivery where {done} order by number desc limit 1 offset ?)",
                [delivery.endpoint, DIFFERS, delivery.endpoint, DIFFERS, KEPT],
            )

    def succeeded_since(self, delivery: Delivery) -> bool:
        """Whether the endpoint has taken anything since the first attempt at this message that still counts."""
        tried = delivery.tried[-delivery.attempts :]
        with self._lock:
            sql = "select succeeded_at >= ? from endpoint where id = ?"
            row = self._db.execute(sql, [tried[0].at, delivery.endpoint]).fetchone() if tried else None
        return bool(row and row[0])

    # Looking

    def delivery(self, endpoint: str, number: int) -> Delivery | None:
        """A delivery of an endpoint by its number."""
        sql = f"select {_DELIVERY} from delivery where endpoint = ? and number = ?"
        with self._lock:
            row = self._db.execute(sql, [endpoint, number]).fetchone()
        return None if row is None else _delivery(row)

    def listed(self, endpoint: str, before: int | None, state: str | None, limit: int) -> list[Delivery]:
        """Deliveries of an endpoint, the newest first; those before a number, and of a state, if these are given."""
        wanted = {"number <": before, "state =": state}
        asked = {name: value for name, value in wanted.items() if value is not None}
        where = "".join(f" and {name} ?" for name in asked)
        sql = f"select {_DELIVERY} from delivery where endpoint = ?{where} order by number desc limit ?"
        with self._lock:
            return [_delivery(row) for row in self._db.execute(sql, [endpoint, *asked.values(), limit])]

    def retry(self, delivery: Delivery, now: int) -> None:
        """Send a message again, in any state, with all attempts before it."""
        with self._change() as db:
            db.execute(
                "update delivery set state = 'waiting', attempts = 0, due = ? where number = ?", [now, delivery.number]
            )

    @contextlib.contextmanager
    def _change(self) -> Iterator[Connection]:
        """Change something: all of it, or nothing."""
        if not isinstance(self._db, sqlite3.Connection):
            with self._db.together() as db:
                yield db
            return
        with self._lock:
            self._db.execute("begin immediate")
            try:
                yield self._db
            except BaseException:
                self._db.execute("rollback")
                raise
            self._db.execute("commit")

    def copy_to(self, other: Deliveries) -> None:
        """Put all that is known here into one that knows nothing yet; one that does stays as it is."""
        with other._change() as db:
            if db.execute("select id from endpoint limit 1").fetchone():
                return
            for table, fields in _FIELDS.items():
                names = ", ".join(fields)
                for row in self._db.execute(f"select {names} from {table}").fetchall():
                    db.execute(f"insert into {table} ({names}) values ({', '.join('?' * len(row))})", row)
                if "number" in fields and not isinstance(db, sqlite3.Connection):
                    db.execute(_COUNT_ON.format(table))


def shared_tables() -> Tables:
    """The tables in the database: those of the file."""
    from events.postgres.mirror import mirror  # noqa: PLC0415 - its driver takes its time to load

    with contextlib.closing(sqlite3.connect(":memory:")) as file:
        file.executescript(_TABLES)
        return mirror(file, SCHEMA_NAME, SCHEMA)


def _make_sure_of(db: Connection, endpoint: str) -> None:
    """That there is a row of an endpoint, which the API can know before the process that sends."""
    db.execute("insert into endpoint (id) values (?) on conflict do nothing", [endpoint])


def _read(kind: Any, row: tuple[Any, ...]) -> Any:
    return kind(**dict(zip(kind.__struct_fields__, row, strict=True)))


def _delivery(row: tuple[Any, ...]) -> Delivery:
    said = dict(zip(Delivery.__struct_fields__, row, strict=True))
    return msgspec.convert(said | {"tried": msgspec.json.decode(said["tried"])}, Delivery)


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    try:
        for pragma in ("journal_mode = wal", "synchronous = full", "foreign_keys = on"):
            connection.execute(f"pragma {pragma}")
        if _schema(connection) < SCHEMA:
            connection.execute("begin immediate")
            if _schema(connection) < SCHEMA:
                for statement in _TABLES.split(";\n"):
                    connection.execute(statement)
                connection.execute(f"pragma user_version = {SCHEMA}")
            connection.execute("commit")
        if _schema(connection) > SCHEMA:
            raise NewerError(f"{path} was written by a newer release than this one, which knows schema {SCHEMA}")
    except BaseException:
        connection.close()
        raise
    return connection


def _schema(connection: sqlite3.Connection) -> int:
    """The schema that the header names; this one where the tables are its own, as nothing vouches for a header."""
    named = header_of(connection)
    if named != SCHEMA and _definitions(connection) == _definitions_here():
        return SCHEMA
    return named


@cache
def _definitions_here() -> set[str]:
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.executescript(_TABLES)
        return _definitions(db)


def _definitions(connection: sqlite3.Connection) -> set[str]:
    return {sql for (sql,) in connection.execute("select sql from sqlite_schema where sql is not null")}


def mend(folder: Path) -> None:
    """Set a damaged file aside: what was on its way is told again. For the process that sends, before it opens it."""
    path = folder / FILE
    if not path.exists():
        return
    for finding in prove(path):
        logger.warning("%s is damaged and set aside; endpoints are told again what they were told: %s", path, finding)
        set_aside(path, ASIDE)
        return


def copy(source: Path, target: Path) -> None:
    """Copy the deliveries, which a service may be making. Raises `sqlite3.Error`."""
    address = f"{source.absolute().as_uri()}?mode=ro"
    with (
        contextlib.closing(sqlite3.connect(address, uri=True)) as old,
        contextlib.closing(sqlite3.connect(target)) as new,
    ):
        old.backup(new)


def prove(path: Path) -> Iterator[str]:
    """What is wrong with a file of deliveries, in SQLite's words."""
    try:
        with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=30)) as db:
            for (finding,) in db.execute("pragma integrity_check"):
                if finding != "ok":
                    yield f"SQLite: {finding}"
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if is_corruption(error):
            yield str(error)
        else:
            raise
