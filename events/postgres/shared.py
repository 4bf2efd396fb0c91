"""Tables beside the log that all hosts share, and statements in them, in the words of SQLite."""

from __future__ import annotations

import re
import threading
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
import psycopg
from psycopg import sql

from events.errors import LogNewerError
from events.postgres.database import Database, can_hold, name_of
from events.postgres.translation import translated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from psycopg import Connection

_LOCK = 0x4B494656
"""The advisory lock for changes of the tables: the one after the log's."""


class Tables(msgspec.Struct, frozen=True):
    """Tables of a `schema` of their own; the `script` brings those of any older release up to this one."""

    schema: str
    release: int
    names: tuple[str, ...]
    script: str


class _Rows(list[Any]):
    """What a statement has found, or how many rows it has changed."""

    rowcount = 0

    def fetchall(self) -> list[Any]:
        return self

    def fetchone(self) -> Any:
        return next(iter(self), None)


class Statements:
    """Carries statements out in the tables of a schema: all inside `together` in one transaction, others by themselves.

    Safe to share between threads. Raises `LogError`; inside `together` its errors are those of the driver.
    """

    def __init__(self, database: Database, schema: str, names: tuple[str, ...]) -> None:
        self.name, self._database, self._schema, self._names = database.name, database, schema, names
        self._local = threading.local()

    def close(self) -> None:
        """Let go of the connections."""
        self._database.close()

    @contextmanager
    def together(self) -> Iterator[Statements]:
        """Have all statements of this thread carried out together, or none."""
        with translated(self._database.name), self._database.answering() as connection, connection.transaction():
            self._local.connection = connection
            try:
                yield self
            finally:
                self._local.connection = None

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Any:
        """Carry a statement out. By itself it may be carried out twice, if its connection is cut meanwhile."""
        said = _said(statement, self._schema, self._names)
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            return connection.execute(said, values)
        if not all(map(can_hold, values)):
            return _Rows()
        with translated(self._database.name):
            return self._database.steadily(lambda free: _carried_out(free, said, values))


def _carried_out(connection: Connection[Any], statement: str, values: Sequence[Any]) -> _Rows:
    cursor = connection.execute(statement, values, binary=True)
    rows = _Rows(cursor.fetchall() if cursor.description else ())
    rows.rowcount = cursor.rowcount
    return rows


@lru_cache(maxsize=1000)
def _said(statement: str, schema: str, names: tuple[str, ...]) -> str:
    """A statement of SQLite, as PostgreSQL understands it."""
    named = re.sub(rf"\b(from|into|update|join|vacuum) ({'|'.join(names)})\b", rf"\1 {schema}.\2", statement)
    return named.replace("%", "%%").replace("?", "%s")


def open_tables(url: str, tables: Tables) -> Statements:
    """Statements in these tables, which are made if need be. Raises `LogNewerError`, `LogError`."""
    prepare(url, tables)
    return Statements(Database(url), tables.schema, tables.names)


def prepare(url: str, tables: Tables, role: str | None = None) -> None:
    """Make tables, or bring them up to this release, and let `role`, if one is named, read and write them.

    Raises `LogNewerError`, `LogError`.
    """
    schema = sql.Identifier(tables.schema)
    with translated(name_of(url)), psycopg.connect(url, autocommit=True) as connection:
        if _release(connection, tables) < tables.release:
            with connection.transaction():
                connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
                if _release(connection, tables) < tables.release:  # else another host was faster, and uses them already
                    _make(connection, tables)
        if role is not None:
            with connection.transaction():
                connection.execute(sql.SQL(_RIGHTS).format(schema=schema, role=sql.Identifier(role)))


def _make(connection: Connection[Any], tables: Tables) -> None:
    schema = sql.Identifier(tables.schema)
    connection.execute(sql.SQL("create schema if not exists {}").format(schema))
    connection.execute(sql.SQL("set local search_path = {}").format(schema))
    connection.execute(tables.script)
    connection.execute("create table if not exists release (one boolean primary key, number integer)")
    put = "insert into release values (true, %s) on conflict (one) do update set number = excluded.number"
    connection.execute(put, (tables.release,))


_RIGHTS = """
    grant usage on schema {schema} to {role};
    grant select, insert, update, delete on all tables in schema {schema} to {role};
    grant usage, select, update on all sequences in schema {schema} to {role};
    revoke insert, update, delete on {schema}.release from {role};
"""


def _release(connection: Connection[Any], tables: Tables) -> int:
    """The release of the tables, 0 if there are none. Raises `LogNewerError`."""
    known = "select from pg_catalog.pg_tables where schemaname = %s and tablename = 'release'"
    if connection.execute(known, (tables.schema,)).fetchone() is None:
        return 0
    found = connection.execute(f"select number from {tables.schema}.release").fetchone()
    number = int(found[0]) if found else 0
    if number > tables.release:
        raise LogNewerError(
            f"the tables {tables.schema} have schema {number}, and this release knows {tables.release}: "
            "they are of a newer one"
        )
    return number
