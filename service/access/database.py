"""The store of access in PostgreSQL, beside the log: one for all hosts.

The statements are those of SQLite, translated to PostgreSQL. Each change locks the row of the table `house`. So changes
come one after the other, and the trail has no gaps.
"""

from __future__ import annotations

import time
from contextlib import closing, contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import msgspec
import psycopg
from psycopg import sql
from uuid_utils import uuid7

from events.errors import LogError, LogFullError
from events.postgres.database import Database
from events.postgres.database import name_of as name_of_database
from events.postgres.shared import Statements
from events.postgres.translation import translated
from service.access.chain import CHAIN, NOTHING, followed, judge, name_of
from service.access.file import FILE, SqliteStore
from service.access.heads import HeadFile
from service.access.rows import (
    BESIDE,
    CREDENTIAL,
    INDEXES,
    KEYS,
    LINK,
    SCHEMA,
    TABLES,
    TRAIL,
    WEBHOOK,
    RowStore,
    copy_rows,
    differing,
    unfit,
)
from service.access.store import AccessNewerError, StoreFullError
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from psycopg import Connection

    from service.access.chain import Mark


FRESH = 0.1
"""Seconds after which it is looked whether another host has changed something."""

MOVED = f"{FILE}.moved"
"""What a folder's own store is called once all of it is in the database."""

_LOCK = 0x4B494656
"""The advisory lock for changes of the tables: the one after the log's."""

_HOUSE = "house"
_KINDS = {str: 'text collate "C"', bytes: "bytea", int: "bigint"}
_NAMES = (_HOUSE, *TABLES)


class PostgresStore(RowStore):
    """See `service.access.store.Store`. For any number of processes on any number of hosts.

    A folder that has a store of its own brings it in, if it is the first; the owner's token of it is that of `host`
    then. Raises `AccessNewerError`, `LogError`.
    """

    def __init__(self, url: str, folder: Path, host: str) -> None:
        prepare(url)
        self._open(url, folder)
        try:
            self._know_whose()
            if (folder / FILE).exists():
                self._take_in(folder, host)
                self._know_whose()
            self._judge(begins=True)
        except BaseException:
            self.close()
            raise

    def _open(self, url: str, folder: Path) -> None:
        self._database = Database(url)
        self._heads = HeadFile(folder)
        self._lock = nullcontext()
        self._db: Statements = Statements(self._database, "kifu_access", _NAMES)
        self._generation, self._looked = 0, 0.0

    def _know_whose(self) -> None:
        ((self.owner, self.identity),) = self._db.execute(f"select owner, identity from {_HOUSE}").fetchall()

    def close(self) -> None:
        """Let go of the connections."""
        self._database.close()

    @property
    def generation(self) -> int:
        """Another one whenever something was changed, here at once, by others within `FRESH` seconds."""
        now = time.monotonic()
        if now - self._looked > FRESH:
            ((found,),) = self._db.execute(f"select generation from {_HOUSE}").fetchall()
            if found != self._generation and self._fault is None:
                self._keep_up()
            self._generation, self._looked = max(found, self._generation), now
        return self._generation

    def _keep_up(self) -> None:
        """Take down what other hosts have changed: this one, too, is to know if that is lost one day."""
        before = self._head
        self._head, self._fault = followed(self._db, before)
        if self._head != before:
            with suppress(StoreFullError):  # it is taken down with the next change
                self._take_down(self._head)

    @contextmanager
    def _together(self, *, keeps: bool) -> Iterator[Statements]:
        try:
            with self._db.together() as db:
                ((generation,),) = db.execute(
                    f"update {_HOUSE} set generation = generation + ? returning generation", [int(not keeps)]
                ).fetchall()
                yield db
            self._generation = max(generation, self._generation)
        except LogFullError as error:
            raise StoreFullError(str(error)) from error

    @contextmanager
    def _still(self) -> Iterator[Statements]:
        with _snapshot(self._db) as db:
            yield db

    def _note_down(self, statement: str, values: Sequence[Any]) -> None:
        with suppress(LogError):
            self._db.execute(statement, values)

    def _wipe(self) -> None:
        """The server is told to vacuum; what its own log and its backups hold of the bytes goes with those."""
        for table in (CREDENTIAL, LINK, WEBHOOK):
            self._db.execute(f"vacuum {table}")

    def _take_in(self, folder: Path, host: str) -> None:
        """Bring in what a folder knew before it belonged to this database. Raises `LogError` if that is too late."""
        own = SqliteStore(folder)
        try:
            with self._change() as db:
                ((identity,),) = db.execute(f"select identity from {_HOUSE}").fetchall()
                if identity != own.identity:
                    if own.stopped:
                        raise LogError(f"{folder / FILE} lost changes: {own.stopped}; run `kifu access`")
                    if db.execute(f"select number from {CHAIN} limit 1").fetchone():
                        raise LogError(
                            f"{folder / FILE} says who may do what, and so does {self._database.name}, which others "
                            "use already; put the file aside, and give what is missing anew"
                        )
                    copy_rows(own._db, db)
                    for key in list(self._credentials("where kind = 'own'", [])):
                        self._rewrite(db, msgspec.structs.replace(key, name=host))
        finally:
            own.close()
        (folder / FILE).rename(folder / MOVED)


class PostgresReader(PostgresStore):
    """See `service.access.reading.StoreReader`. Raises `AccessNewerError`, `LogError`."""

    def __init__(self, url: str, folder: Path) -> None:
        self._open(url, folder)
        self._seen = 0
        try:
            with translated(self._database.name), self._database.connection() as connection:
                _check_release(connection, self._database.name)
            self._know_whose()
            self._judge()
        except BaseException:
            self.close()
            raise

    def _judge(self, *, begins: bool = False) -> None:  # noqa: ARG002 - a reader begins nothing
        """Hold the chain against the head of this host. The rows are held against it by those who write."""
        self._stamp = self._heads.stamp
        judged = judge(self._db, self._heads.read() or NOTHING)
        self._head, self._fault = judged.last, judged.fault

    def changed(self) -> bool:
        """Whether anything may have changed since this was last asked, on any host."""
        self._looked = 0.0
        seen, self._seen = self._seen, self.generation
        return self._seen != seen


def prepare(url: str, role: str | None = None) -> None:
    """Make the tables, or bring them up to this release, and let `role`, if one is named, use them as a service does.

    Raises `AccessNewerError`, `LogError`.
    """
    with translated(name_of_database(url)), psycopg.connect(url, autocommit=True) as connection:
        if _release(connection) < SCHEMA:
            with connection.transaction():
                connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
                if _release(connection) < SCHEMA:  # else another host was faster, and uses the tables already
                    _make_tables(connection)
        if role is not None:
            with connection.transaction():
                _grant(connection, sql.Identifier(role))


def _make_tables(connection: Connection[Any]) -> None:
    for statement in _tables():
        connection.execute(statement)
    connection.execute(_SETTLED, (str(uuid7()), uuid4().hex, SCHEMA))
    _grant(connection, sql.SQL("current_user"))


@contextmanager
def rows_of(url: str) -> Iterator[Statements]:
    """The rows of a store as they are at one moment, to be read.

    Raises `LogError` if there is none, or one of another release.
    """
    with closing(Database(url)) as database:
        with translated(database.name), database.connection() as connection:
            _check_release(connection, database.name)
        with _snapshot(Statements(database, "kifu_access", _NAMES)) as db:
            yield db


@contextmanager
def _snapshot(rows: Statements) -> Iterator[Statements]:
    with rows.together() as db:
        db.execute("set transaction isolation level repeatable read, read only")
        yield db


def prove(url: str) -> Iterator[str]:
    """Rows that are not what was written. Raises `LogError`."""
    with rows_of(url) as rows:
        yield from unfit(rows)


def contradictions(url: str, folder: Path, signed: Mark) -> Iterator[str]:
    """What the tables do not hold of what was changed: by the heads that this host knows, and by their rows.

    Raises `LogError`.
    """
    with rows_of(url) as db:
        judged = judge(db, max(HeadFile(folder).read() or NOTHING, signed))
        ((owner,),) = db.execute(f"select owner from {_HOUSE}").fetchall()
        found = differing(db, judged, owner)
    if judged.fault is not None:
        yield str(judged.fault)
    if judged.last != NOTHING:
        for name in [name_of(*each) for each in found.rows] + found.missing:
            yield gettext("%(row)s does not match the changes that were made", row=name)


_SETTLED = """
    insert into kifu_access.house (one, owner, identity, generation, schema) values (true, %s, %s, 1, %s)
    on conflict (one) do update set schema = excluded.schema
"""

_RIGHTS = f"""
    revoke all on all tables in schema kifu_access from {{role}};
    grant usage on schema kifu_access to {{role}};
    grant select, insert, update, delete on all tables in schema kifu_access to {{role}};
    revoke update, delete on kifu_access.{TRAIL}, kifu_access.{CHAIN} from {{role}};
    revoke insert, delete on kifu_access.{_HOUSE} from {{role}};
"""
"""The rights of the role that the service uses. It cannot take back what it wrote into the trail."""


def _grant(connection: Connection[Any], role: sql.Composable) -> None:
    connection.execute(sql.SQL(_RIGHTS).format(role=role))


def _tables() -> Iterator[str]:
    """What makes the tables, as far as they are not there, from what both stores know of them."""
    yield "create schema if not exists kifu_access"
    yield "grant all on all tables in schema kifu_access to current_user"  # their makers kept less
    yield (
        f"create table if not exists kifu_access.{_HOUSE} (one boolean primary key check (one), owner text not null, "
        "identity text not null, generation bigint not null, schema integer not null)"
    )
    for table, columns in TABLES.items():
        kinds = {name: _KINDS[kind] for name, kind in columns.items()} | {"checksum": "bigint"} | BESIDE.get(table, {})
        named = [f'"{name}" {kind}' for name, kind in kinds.items()]
        key = ", ".join(KEYS[table])
        yield f"create table if not exists kifu_access.{table} ({', '.join(named)}, primary key ({key}))"
        for column in named:
            yield f"alter table kifu_access.{table} add column if not exists {column}"
        for column in INDEXES.get(table, ()):
            yield f"create index if not exists {table}_{column} on kifu_access.{table} ({column})"
        if "digest" in columns:
            yield f"create unique index if not exists {table}_digest on kifu_access.{table} (digest)"
    yield (
        "create or replace function kifu_access.refuse() returns trigger language plpgsql as $$ begin "
        "raise exception 'the trail is append-only' using errcode = 'insufficient_privilege'; end $$"
    )
    for table in (TRAIL, CHAIN):
        yield (
            f"create or replace trigger {table}_no_change before update or delete or truncate on kifu_access.{table} "
            "for each statement execute function kifu_access.refuse()"
        )


def _check_release(connection: Connection[Any], name: str) -> None:
    if _release(connection) != SCHEMA:
        raise LogError(f"{name} holds no tables of access of this release")


def _release(connection: Connection[Any]) -> int:
    """The schema of the tables, 0 if there are none. Raises `AccessNewerError`."""
    tables = "select from pg_catalog.pg_tables where schemaname = 'kifu_access' and tablename = %s"
    if connection.execute(tables, (_HOUSE,)).fetchone() is None:
        return 0
    found = connection.execute(f"select schema from kifu_access.{_HOUSE}").fetchone()
    schema = int(found[0]) if found else 0
    if schema > SCHEMA:
        raise AccessNewerError(
            f"the tables of access have schema {schema}, and this release knows {SCHEMA}: they are of a newer one"
        )
    return schema
