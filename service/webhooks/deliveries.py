"""Deliveries: how far each endpoint has got the feed, and the messages on their way to it.

They are rows of `webhooks.db`, or of the database, if the log is in one: then any host can go on with them. A message
and the cursor that moves past its entries are stored in one step, and an attempt is noted before it is made. So after a
kill every entry is sent, and a repeated message has the same id. The API looks in from another process. The rows can be
lost: endpoints then get again what happened since they were made.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from sqlite_utils import Migrations

from events.databases.checksums import no_checksum
from events.databases.definition import Definition, Table
from events.databases.opening import open_database
from service.webhooks.messages import APPENDING, DIFFERS, TEST, audit_id, message_id, trial_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from sqlite_utils import Database as SqliteUtils

    from events.databases.rows import Rows
    from workers.differences import StoredDifference

KEPT = 1000
"""How many finished deliveries of an endpoint can be looked at."""

LISTED = 20
"""How many attempts at a message are told of: the last ones."""

PATIENCE = 5000
"""Milliseconds after which a message of a game that is never quiet is sent."""

logger = logging.getLogger(__name__)

State = Literal["waiting", "delivered", "failed", "withheld"]
"""Still to be sent, arrived, given up, or not sent because its game may not be seen any more."""

ENDPOINT = Table(
    "endpoint",
    {"id": str, "disabled_at": int, "why": str, "paused_until": int, "succeeded_at": int},
    key=("id",),
    older=no_checksum,
    salvaged=False,
)
CURSOR = Table(
    "cursor",
    {"endpoint": str, "position": int, "hash": str, "until": int},
    key=("number",),
    older=no_checksum,
    salvaged=False,
)
DELIVERY = Table(
    "delivery",
    {
        "endpoint": str,
        "message": str,
        "type": str,
        "game": str,
        "first": int,
        "last": int,
        "hash": str,
        "at": int,
        "made_at": int,
        "state": str,
        "due": int,
        "attempts": int,
        "tried": str,
    },
    key=("number",),
    older=no_checksum,
    salvaged=False,
)

migrations = Migrations("kifu.webhooks")


@migrations(name="1: endpoints, cursors, deliveries")
def _create(db: SqliteUtils) -> None:
    """Make the tables. A file of the first releases has them, but no list of migrations."""
    for statement in _TABLES.split(";\n"):
        db.execute(statement)


@migrations(name="2: checksums")
def _add_checksums(db: SqliteUtils) -> None:
    for table in WEBHOOKS.tables:
        db.execute(f"alter table {table.name} add column checksum integer")
        table.sum_all(db)


WEBHOOKS = Definition(
    file="webhooks.db",
    schema="kifu_webhook",
    tables=(ENDPOINT, CURSOR, DELIVERY),
    loss="resent",
    release=2,
    migrations=migrations,
)

_TABLES = """
create table if not exists endpoint (
    id text primary key,
    disabled_at integer,
    why text,
    paused_until integer not null default 0,
    succeeded_at integer not null default 0
) strict;
create table if not exists cursor (
    number integer primary key,
    endpoint text not null references endpoint on delete cascade,
    position integer not null,
    hash text not null,
    until integer
) strict;
create index if not exists cursor_of on cursor (endpoint);
create table if not exists delivery (
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
create index if not exists delivery_of on delivery (endpoint, number);
create index if not exists waiting on delivery (endpoint, game, number) where state = 'waiting';
create index if not exists failed on delivery (endpoint) where state = 'failed';
"""


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt: when it ended, the answer of the receiver or the error, and how long it took."""

    at: int
    status: int | None
    error: str | None
    took: int


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """A message for an endpoint about the entries `first` to `last` of a game. A trial is about none.

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
    """Consecutive entries of one game that share a message."""

    type: str
    game: str
    first: int
    last: int
    hash: str
    at: int


class Cursor(msgspec.Struct, frozen=True, kw_only=True):
    """How far an endpoint has got the feed. A cursor with an `until` repeats the feed up to there."""

    number: int
    endpoint: str
    position: int
    hash: str
    until: int | None


class EndpointStatus(msgspec.Struct, frozen=True, kw_only=True):
    """The status of an endpoint: since when it is disabled and why, and its waiting and given-up messages."""

    disabled_at: int | None = None
    why: str | None = None
    waiting: int = 0
    failed: int = 0


_COUNTED = ("waiting", "failed")
_DELIVERY = f"number, {DELIVERY.names}"


class Deliveries:
    """The deliveries of one data folder, or of all hosts that share a database. Safe to share between threads.

    The process that sends has a file `proved`: it sets a damaged one aside. Raises `LogNewerError`, `LogError`.
    """

    def __init__(self, folder: Path, database_url: str = "", *, proved: bool = False) -> None:
        self.db = open_database(WEBHOOKS, folder, database_url, proved=proved)

    def close(self) -> None:
        """Close the file, or the connections."""
        self.db.close()

    # Endpoints

    def sync_endpoints(self, found: Mapping[str, int]) -> None:
        """Add new endpoints, which get the feed after a position, and forget all others."""
        told = {id_ for (id_,) in self.db.execute("select endpoint from cursor where until is null")}
        kept = {id_ for (id_,) in self.db.execute("select id from endpoint")}
        gone = kept - found.keys()
        if not gone and found.keys() <= told & kept:
            return
        with self.db.transaction() as db:
            for id_ in gone:
                db.execute("delete from endpoint where id = ?", [id_])
            for id_ in found.keys() - told:
                _make_sure_of(db, id_)
                CURSOR.add(db, (id_, found[id_], "", None))

    def statuses(self) -> dict[str, EndpointStatus]:
        """The status of every endpoint, by its id."""
        counts = [f"(select count(*) from delivery where endpoint = id and state = '{name}')" for name in _COUNTED]
        sql = f"select id, disabled_at, why, {', '.join(counts)} from endpoint"
        return {
            id_: EndpointStatus(disabled_at=disabled_at, why=why, waiting=waiting, failed=failed)
            for id_, disabled_at, why, waiting, failed in self.db.execute(sql)
        }

    def full(self, window: int) -> set[str]:
        """The endpoints with `window` waiting messages or more."""
        sql = "select endpoint from delivery where state = 'waiting' group by endpoint having count(*) >= ?"
        return {endpoint for (endpoint,) in self.db.execute(sql, [window])}

    def disable(self, endpoint: str, now: int, why: str) -> None:
        """Disable an endpoint. Its new messages wait in the log."""
        with self.db.transaction() as db:
            ENDPOINT.change(db, {"disabled_at": now, "why": why}, "id = ? and disabled_at is null", [endpoint])

    def enable(self, endpoint: str, now: int) -> None:
        """Enable an endpoint again: its waiting messages, as if never tried, and everything since then."""
        with self.db.transaction() as db:
            ENDPOINT.change(db, {"disabled_at": None, "why": None, "paused_until": 0}, "id = ?", [endpoint])
            tried = "endpoint = ? and state = 'waiting' and attempts > 0"
            DELIVERY.change(db, {"attempts": 0, "due": now}, tried, [endpoint])

    def pause(self, endpoint: str, until: int) -> None:
        """Send nothing to an endpoint until a time."""
        with self.db.transaction() as db:
            ENDPOINT.change(db, {"paused_until": until}, "id = ? and paused_until < ?", [endpoint, until])

    # Telling the feed

    def cursors(self) -> list[Cursor]:
        """The cursors of all enabled endpoints."""
        endpoints = self._sound(ENDPOINT, self.db.execute(f"select id, {ENDPOINT.names} from endpoint"))
        on = {id_ for id_, _, disabled_at, *_ in endpoints if disabled_at is None}
        sql = f"select number, {CURSOR.names} from cursor order by position"
        found = [_cursor(row) for row in self._sound(CURSOR, self.db.execute(sql))]
        return [cursor for cursor in found if cursor.endpoint in on]

    def _sound(self, table: Table, rows: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
        """The rows (key, summed columns, checksum) if all are sound.

        If not, nobody knows which messages arrived. All rows are dropped, so that endpoints get the feed again.
        """
        if all(table.fits(row[1:]) for row in rows):
            return rows
        logger.warning("%s: rows of %s are not what was written; endpoints are told again", self.db.name, table.name)
        with self.db.transaction() as db:
            for each in (DELIVERY, CURSOR, ENDPOINT):
                db.execute(f"delete from {each.name}")
        return ()

    def rewind(self, cursor: Cursor, position: int) -> None:
        """Move an endpoint's cursor: what it got before is not in this log."""
        with self.db.transaction() as db:
            CURSOR.change(db, {"position": position, "hash": ""}, "number = ?", [cursor.number])

    def replay(self, endpoint: str, after: int, until: int) -> None:
        """Repeat the feed for an endpoint, after one position and up to another one."""
        with self.db.transaction() as db:
            _make_sure_of(db, endpoint)
            CURSOR.add(db, (endpoint, after, "", until))

    def enqueue(
        self, told: Iterable[tuple[Cursor, list[EntryRange]]], position: int, hash_: str, now: int, quiet: int
    ) -> None:
        """Enqueue messages and move the cursors to a position, in one step.

        A message is sent once its game was quiet for `quiet` milliseconds. Until then, and while it waits for others of
        its game, it takes in later entries. A cursor that another host has moved stays where that put it.
        """
        with self.db.transaction() as db:
            for cursor, runs in told:
                where, place = "number = ? and position = ?", [cursor.number, cursor.position]
                if cursor.until is not None and position >= cursor.until:
                    moved = db.execute(f"delete from cursor where {where}", place).rowcount
                else:
                    moved = CURSOR.change(db, {"position": position, "hash": hash_}, where, place)
                if not moved:
                    continue
                for run in runs:
                    if not self._taken_in(db, cursor.endpoint, run, now, quiet):
                        message = message_id(run.type, run.game, run.first, run.last)
                        _put(db, cursor.endpoint, message, run, now, now + quiet)

    def enqueue_differences(self, endpoint: str, found: Sequence[StoredDifference], now: int) -> None:
        """Enqueue a message for each difference that is new to the endpoint."""
        sql = "select message from delivery where endpoint = ? and type = ?"
        told = {message for (message,) in self.db.execute(sql, [endpoint, DIFFERS])}
        fresh = [each for each in found if audit_id(each) not in told]
        if not fresh:
            return
        with self.db.transaction() as db:
            _make_sure_of(db, endpoint)
            for each in fresh:
                put = EntryRange(type=DIFFERS, game=each.subject, first=0, last=0, hash=each.kind, at=each.at)
                _put(db, endpoint, audit_id(each), put, now, now)

    def _taken_in(self, db: Rows, endpoint: str, run: EntryRange, now: int, quiet: int) -> bool:
        """Extend the last message of the game by a run, if it was not sent yet and ends right before it."""
        if run.type not in APPENDING:
            return False
        row = db.execute(
            "select number, type, state, attempts, first, last, made_at from delivery "
            "where endpoint = ? and game = ? and state = 'waiting' order by number desc limit 1",
            [endpoint, run.game],
        ).fetchone()
        if row is None:
            return False
        number, type_, _, attempts, first, last, made_at = row
        if type_ != run.type or attempts or last != run.first - 1:
            return False
        more = {
            "message": message_id(run.type, run.game, first, run.last),
            "last": run.last,
            "hash": run.hash,
            "at": run.at,
            "due": min(now + quiet, made_at + PATIENCE),
        }
        return bool(DELIVERY.change(db, more, "number = ? and attempts = 0", [number]))

    def enqueue_test(self, endpoint: str, now: int) -> Delivery:
        """Enqueue a trial message."""
        with self.db.transaction() as db:
            _make_sure_of(db, endpoint)
            run = EntryRange(type=TEST, game="", first=0, last=0, hash="", at=now)
            return _delivery(_put(db, endpoint, trial_id(), run, now, now))

    # Sending

    def due(self, now: int, most: int) -> list[Delivery]:
        """The due messages: the first waiting one of each game, and every trial; up to `most` for each endpoint."""
        fields = ", ".join(f"delivery.{name}" for name in _DELIVERY.split(", "))
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
        found = f"select {_DELIVERY} from ({ranked}) as ranked where place <= ? order by due"
        rows = self.db.execute(found, [TEST, now, now, TEST, now, most])
        return [_delivery(row) for row in self._sound(DELIVERY, rows)]

    def begin(self, number: int) -> Delivery | None:
        """Mark a message as being sent, and return it. From now on it never changes. None if it is gone."""
        with self.db.transaction() as db:
            begun = DELIVERY.change(db, lambda old: {"attempts": old["attempts"] + 1}, "number = ?", [number])
            row = db.execute(f"select {_DELIVERY} from delivery where number = ?", [number]).fetchone()
        return _delivery(row) if begun else None

    def finish(self, delivery: Delivery, attempt: Attempt | None, state: State, due: int) -> None:
        """Store the outcome of an attempt: the new state, and, if it still waits, when it is due again."""
        tried = [*delivery.tried, *([attempt] if attempt else [])][-LISTED:]
        with self.db.transaction() as db:
            end = {"tried": msgspec.json.encode(tried).decode(), "state": state, "due": due}
            DELIVERY.change(db, end, "number = ?", [delivery.number])
            if state == "delivered" and attempt and delivery.type != TEST:
                ENDPOINT.change(db, {"succeeded_at": attempt.at}, "id = ?", [delivery.endpoint])
            done = (
                "endpoint = ? and state <> 'waiting' and type <> ?"  # by those of the audit it is known what was told
            )
            db.execute(
                f"delete from delivery where {done} and number <= "
                f"(select number from delivery where {done} order by number desc limit 1 offset ?)",
                [delivery.endpoint, DIFFERS, delivery.endpoint, DIFFERS, KEPT],
            )

    def succeeded_since(self, delivery: Delivery) -> bool:
        """Whether the endpoint has accepted any message since the first counted attempt at this one."""
        tried = delivery.tried[-delivery.attempts :]
        sql = "select succeeded_at >= ? from endpoint where id = ?"
        row = self.db.execute(sql, [tried[0].at, delivery.endpoint]).fetchone() if tried else None
        return bool(row and row[0])

    # Looking

    def delivery(self, endpoint: str, number: int) -> Delivery | None:
        """A delivery of an endpoint by its number."""
        sql = f"select {_DELIVERY} from delivery where endpoint = ? and number = ?"
        row = self.db.execute(sql, [endpoint, number]).fetchone()
        return _delivery(row) if row and DELIVERY.fits(row[1:]) else None

    def list_deliveries(self, endpoint: str, before: int | None, state: str | None, limit: int) -> list[Delivery]:
        """Deliveries of an endpoint, the newest first; optionally before a number, or of one state."""
        wanted = {"number <": before, "state =": state}
        asked = {name: value for name, value in wanted.items() if value is not None}
        where = "".join(f" and {name} ?" for name in asked)
        sql = f"select {_DELIVERY} from delivery where endpoint = ?{where} order by number desc limit ?"
        rows = self.db.execute(sql, [endpoint, *asked.values(), limit])
        return [_delivery(row) for row in rows if DELIVERY.fits(row[1:])]

    def retry(self, delivery: Delivery, now: int) -> None:
        """Send a message again, in any state. Its earlier attempts stay listed."""
        with self.db.transaction() as db:
            DELIVERY.change(db, {"state": "waiting", "attempts": 0, "due": now}, "number = ?", [delivery.number])


def _put(db: Rows, endpoint: str, message: str, run: EntryRange, now: int, due: int) -> Sequence[Any]:
    """Enqueue a message. Returns its row."""
    row = (endpoint, message, run.type, run.game, run.first, run.last, run.hash, run.at, now, "waiting", due, 0, "[]")
    put: Sequence[Any] = DELIVERY.add(db, row, f"returning {_DELIVERY}").fetchone()
    return put


def _make_sure_of(db: Rows, endpoint: str) -> None:
    """Make sure that an endpoint has a row. The API can know it before the process that sends."""
    ENDPOINT.add(db, (endpoint, None, None, 0, 0), "on conflict do nothing")


def _cursor(row: Sequence[Any]) -> Cursor:
    return Cursor(**dict(zip(Cursor.__struct_fields__, row, strict=False)))


def _delivery(row: Sequence[Any]) -> Delivery:
    values = dict(zip(Delivery.__struct_fields__, row, strict=False))
    return msgspec.convert(values | {"tried": msgspec.json.decode(values["tried"])}, Delivery)
