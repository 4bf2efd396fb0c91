"""A small database as a schema of tables in PostgreSQL, which all hosts share, and statements in them."""

from __future__ import annotations

import re
import threading
from contextlib import closing, contextmanager
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg
from psycopg import sql

from events.databases.files import empty
from events.databases.mirror import mirror
from events.databases.rows import Dialect, QueryResult
from events.errors import LogError, LogNewerError
from events.postgres.database import Database, can_hold, name_of
from events.postgres.translation import raising_log_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from psycopg import Connection

    from events.databases.definition import Definition
    from events.databases.rows import Rows

T = TypeVar("T")

CONNECTIONS = 4
"""Connections of one process to a small database, at most."""

_LOCK = 0x4B494656
"""The advisory lock of whoever changes the tables: the one after the log's."""

POSTGRES = Dialect(
    row_id="ctid::text",
    lock=" for update",
    field="{}::json->>'{}'",
    items="select value->>0, (value->>1)::bigint, value->>2 from json_array_elements(?::json) as value",
    renumber="select setval(pg_get_serial_sequence('{0}', '{1}'), greatest((select max({1}) from {0}), 1))",
)


class SharedDatabase:
    """See `events.databases.rows.Database`. For any number of processes on any number of hosts.

    A statement by itself may be carried out twice, if its connection is cut meanwhile. Raises `LogError`; inside
    `transaction` its errors are those of the driver.
    """

    dialect = POSTGRES
    replaced_file = ""

    def __init__(self, definition: Definition, url: str, *, prepared: bool = False) -> None:
        self._database = Database(url, most=CONNECTIONS, prepare=None if prepared else partial(_bring_up, definition))
        self.definition, self.name = definition, self._database.name
        self._names = tables_of(definition)
        self._local = threading.local()

    def close(self) -> None:
        """Let go of the connections."""
        self._database.close()

    @contextmanager
    def transaction(self) -> Iterator[Rows]:
        """A transaction: all statements of this thread, or none."""
        if getattr(self._local, "connection", None) is not None:
            yield self
            return
        with raising_log_errors(self.name), self._database.live_connection() as connection, connection.transaction():
            self._local.connection = connection
            try:
                yield self
            finally:
                self._local.connection = None

    @contextmanager
    def consistent_read(self) -> Iterator[Rows]:
        """Read everything from one snapshot."""
        within = getattr(self._local, "connection", None) is not None
        with self.transaction() as rows:
            if not within:
                rows.execute("set transaction isolation level repeatable read, read only")
            yield rows

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Any:
        """Run a statement."""
        said = _said(statement, self.definition.schema, self._names)
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            return connection.execute(said, values)
        if not all(map(can_hold, values)):
            return QueryResult()
        with raising_log_errors(self.name):
            return self._database.retry_once(lambda free: _carried_out(free, said, values))

    def run(self, work: Callable[[Rows], T]) -> T:
        """Run `work` in a transaction, and return its result."""
        with self.transaction() as rows:
            return work(rows)

    def keep(self, sql: str, values: Sequence[Any]) -> None:
        """Does nothing: a server's tables are never made anew."""

    def wipe(self, *tables: str) -> None:
        """Ask the server to vacuum. Its write-ahead log and its backups keep what they hold."""
        for table in tables:
            self.execute(f"vacuum {table}")

    def renew(self, why: object) -> None:
        """Does nothing: damage is the server's to repair."""


def _carried_out(connection: Connection[Any], statement: str, values: Sequence[Any]) -> QueryResult:
    cursor = connection.execute(statement, values, binary=True)
    found = QueryResult(cursor.fetchall() if cursor.description else ())
    found.rowcount = cursor.rowcount
    return found


@lru_cache(maxsize=1000)
def _said(statement: str, schema: str, names: tuple[str, ...]) -> str:
    """A statement of SQLite, as PostgreSQL understands it."""
    named = re.sub(rf"\b(from|into|update|join|vacuum) ({'|'.join(names)})\b", rf"\1 {schema}.\2", statement)
    return named.replace("%", "%%").replace("?", "%s")


def tables_of(definition: Definition) -> tuple[str, ...]:
    """The names of all tables of a schema."""
    with closing(empty(definition)) as file:
        return mirror(file, definition.shared)[0]


def prepare(definition: Definition, url: str, role: str | None = None) -> None:
    """Make tables, or bring them up to this release, and let `role`, if one is named, use them as a service does.

    Raises `LogNewerError`, `LogError`.
    """
    with raising_log_errors(name_of(url)), psycopg.connect(url, autocommit=True) as connection:
        _bring_up(definition, connection)
        if role is not None:
            with connection.transaction():
                _grant(connection, definition, sql.Identifier(role))


def _bring_up(definition: Definition, connection: Connection[Any]) -> None:
    """Make tables, or bring them up to this release. Raises `LogNewerError`, and the errors of the driver."""
    if _release(connection, definition) < definition.release:
        with connection.transaction():
            connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
            if _release(connection, definition) < definition.release:  # else another host was faster
                _make(connection, definition)


def check_release(definition: Definition, url: str) -> None:
    """Check that the tables are of this release. Raises `LogNewerError`, `LogError`."""
    if not is_current(definition, url):
        name, schema = name_of(url), definition.schema
        raise LogError(f"{name} holds no tables {schema} of this release")


def is_current(definition: Definition, url: str) -> bool:
    """Whether there are tables of this release. Raises `LogNewerError`, `LogError`."""
    with raising_log_errors(name_of(url)), psycopg.connect(url, autocommit=True) as connection:
        return _release(connection, definition) == definition.release


def prove_shared(definition: Definition, url: str) -> Iterator[str]:
    """The rows that do not fit their checksums. Tables of an older release are not checked. Raises `LogError`."""
    if not is_current(definition, url):
        return
    with closing(SharedDatabase(definition, url, prepared=True)) as database, database.consistent_read() as rows:
        yield from definition.find_faults(rows)


def _make(connection: Connection[Any], definition: Definition) -> None:
    schema = sql.Identifier(definition.schema)
    connection.execute(sql.SQL("create schema if not exists {}").format(schema))
    connection.execute(sql.SQL("grant all on all tables in schema {} to current_user").format(schema))  # it kept less
    connection.execute(sql.SQL("set local search_path = {}").format(schema))
    with closing(empty(definition)) as file:
        _, script = mirror(file, definition.shared)
    connection.execute(script)
    table, column = definition.release_in
    if table == "release":
        connection.execute("create table if not exists release (one boolean primary key, number integer)")
        connection.execute("insert into release values (true, 0) on conflict do nothing")
    connection.execute(
        sql.SQL("update {} set {} = %s").format(sql.Identifier(table), sql.Identifier(column)), (definition.release,)
    )
    for each in definition.append_only:
        connection.execute(_APPEND_ONLY.format(table=each, schema=definition.schema))
    _grant(connection, definition, sql.SQL("current_user"))


_APPEND_ONLY = """
    create or replace function refuse() returns trigger language plpgsql as $$ begin
    raise exception 'the trail is append-only' using errcode = 'insufficient_privilege'; end $$;
    create or replace trigger {table}_no_change before update or delete or truncate on {table}
    for each statement execute function refuse()
"""

_RIGHTS = """
    revoke all on all tables in schema {schema} from {role};
    grant usage on schema {schema} to {role};
    grant select, insert, update, delete on all tables in schema {schema} to {role};
    grant usage, select, update on all sequences in schema {schema} to {role};
"""
"""What the role that the service uses may do. It cannot change what is only ever added to."""


def _grant(connection: Connection[Any], definition: Definition, role: sql.Composable) -> None:
    schema, (released, _) = sql.Identifier(definition.schema), definition.release_in
    connection.execute(sql.SQL(_RIGHTS).format(schema=schema, role=role))
    kept = [("update, delete", each) for each in definition.append_only]
    kept.append(("insert, delete" if released in definition.shared else "insert, update, delete", released))
    for rights, table in kept:
        connection.execute(
            sql.SQL("revoke {} on {}.{} from {}").format(sql.SQL(rights), schema, sql.Identifier(table), role)
        )


def _release(connection: Connection[Any], definition: Definition) -> int:
    """The release of the tables, 0 if there are none. Raises `LogNewerError`."""
    table, column = definition.release_in
    known = "select from pg_catalog.pg_tables where schemaname = %s and tablename = %s"
    if connection.execute(known, (definition.schema, table)).fetchone() is None:
        return 0
    names = (sql.Identifier(column), sql.Identifier(definition.schema, table))
    found = connection.execute(sql.SQL("select {} from {}").format(*names)).fetchone()
    number = int(found[0]) if found else 0
    if number > definition.release:
        raise LogNewerError(
            f"the tables {definition.schema} have schema {number}, and this release knows {definition.release}: "
            "they are of a newer one"
        )
    return number
