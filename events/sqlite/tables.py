"""The tables of the log's database, and how older databases are brought up to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlite_utils import Database, Migrations

from events import components, failpoints, people
from events.errors import LogError, LogNewerError
from events.rows import COLUMNS
from events.sqlite.files import header_of, schema_of
from events.sqlite.people import merge_of

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

SCHEMA = 6
"""The number of the newest migration, kept as `PRAGMA user_version`. A higher one was written by a newer release."""

READABLE = 3
"""The first schema that can be read as it is."""

APPLICATION_ID = 0x4B494655
"""`PRAGMA application_id`: the letters KIFU, so that tools such as `file` recognise the database."""

SELECT = f"select {COLUMNS} from event"
"""The statement for stored entries as rows."""

migrations = Migrations("kifu.log")


@migrations(name="1: games, events, people")
def _create(db: Database) -> None:
    db.table("game").create({"number": int, "id": bytes}, pk="number", not_null={"id"}, strict=True)
    db.table("game").create_index(["id"], unique=True)
    db.table("event").create(
        {
            "seq": int,
            "game": int,
            "version": int,
            "id": bytes,
            "type": str,
            "schema": int,
            "recorded_at": int,
            "happened_at": str,
            "recorder": str,
            "data": bytes,
            "hash": bytes,
        },
        pk="seq",
        not_null={"game", "version", "id", "type", "schema", "recorded_at", "recorder", "data", "hash"},
        strict=True,
    )
    db.table("event").create_index(["game", "version"], index_name="event_version", unique=True)
    db.table("event").create_index(["id"], index_name="event_id", unique=True)
    db.table("person").create({"id": bytes, "name": str}, pk="id", not_null={"id", "name"}, strict=True)
    for table in ("game", "event"):
        for change in ("update", "delete"):
            db.execute(
                f"create trigger {table}_no_{change} before {change} on {table} "
                f"begin select raise(abort, 'the log is append-only'); end"
            )


@migrations(name="2: named components")
def _add_components(db: Database) -> None:
    db.table("component").create(
        {"ruleset": str, "name": str, "data": bytes, "created_at": int},
        pk=("ruleset", "name"),
        not_null={"ruleset", "name", "data", "created_at"},
        strict=True,
    )


@migrations(name="3: seals")
def _add_seals(db: Database) -> None:
    """Add the column of seals, the only part of an entry that can change."""
    columns = ", ".join(db.table("event").columns_dict)
    db.execute("alter table event add column sealed blob")
    db.execute("drop trigger event_no_update")
    db.execute(
        f"create trigger event_no_update before update of {columns} on event "
        "begin select raise(abort, 'the log is append-only'); end"
    )


@migrations(name="4: merges of people")
def _add_merges(db: Database) -> None:
    db.table("merge").create(
        {"number": int, "person": bytes, "kept": bytes, "at": int, "by": str},
        pk="number",
        not_null={"person", "at", "by"},
        strict=True,
    )
    for change in ("update", "delete"):
        db.execute(
            f"create trigger merge_no_{change} before {change} on merge "
            f"begin select raise(abort, 'merges are undone by another record'); end"
        )


@migrations(name="5: checksums of names and components")
def _add_checksums(db: Database) -> None:
    """Add the checksums of rows, as they are. A damaged text is not a text to SQLite, so it is read as bytes."""
    for table, summed, of in (
        ("person", "id, cast(name as blob)", people.name_sum),
        ("component", "cast(ruleset as blob), cast(name as blob), data, created_at", components.sum_of),
    ):
        db.execute(f"alter table {table} add column checksum integer")
        db.conn.create_function(f"sum_of_{table}", -1, of, deterministic=True)
        db.execute(f"update {table} set checksum = sum_of_{table}({summed})")


@migrations(name="6: checksums of merges")
def _add_checksums_of_merges(db: Database) -> None:
    trigger = db.execute("select sql from sqlite_schema where name = 'merge_no_update'").fetchone()[0]
    db.execute("alter table merge add column checksum integer")
    db.conn.create_function(
        "sum_of_merge", -1, lambda *row: merge_of(*row).with_checksum().checksum, deterministic=True
    )
    db.execute("drop trigger merge_no_update")
    db.execute("update merge set checksum = sum_of_merge(number, person, kept, at, cast(by as blob))")
    db.execute(trigger)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the tables up to this release, all at once or not at all."""
    if header_of(connection) == SCHEMA and _pragma(connection, "application_id") == APPLICATION_ID:
        return
    database = Database(connection)
    with database.atomic():
        migrations.apply(database)
        connection.execute(f"pragma application_id = {APPLICATION_ID}")
        connection.execute(f"pragma user_version = {SCHEMA}")
        failpoints.reach("tables.migrated")


def check_release(connection: sqlite3.Connection, path: Path, *, new: bool) -> None:
    """Check that a database is a log, and not of a newer release. An empty one can become a `new` log.

    One that is too old to be read can be opened as `new` only, to be brought up to this release. Raises `LogError`,
    `LogNewerError`.
    """
    making = new and _pragma(connection, "schema_version") == 0
    if not making and _pragma(connection, "application_id") != APPLICATION_ID and not schema_of(connection, migrations):
        raise LogError(f"{path} is a database, but not a log")
    if not new and 0 < (schema := schema_of(connection, migrations)) == header_of(connection) < READABLE:
        raise LogError(
            f"{path} has schema {schema}, of an older release: start the service there once, "
            "which brings it up to this one, or use that release"
        )
    if header_of(connection) > SCHEMA and (schema := schema_of(connection, migrations)) > SCHEMA:
        raise LogNewerError(f"{path} has schema {schema}, of a newer release; this one knows {SCHEMA}")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"pragma {name}").fetchone()[0]
    return value
