"""The stores that a log can have, for tests of what all promise."""

from __future__ import annotations

import re
import sqlite3
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from events import postgres, sqlite
from events.sqlite.remote import SharedSqliteLog
from events.sqlite.server import LogServer
from tests import citus
from tests.choosing import soak_except
from tests.citus import CitusDatabases
from tests.postgres import ROLE, Databases, as_superuser, url

LANES = 4
"""Lanes of logs that have several."""

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from events.log import Log, LogReader
    from events.verification import Report


class Sqlite:
    """Logs in database files. A place is the path of one."""

    name = "sqlite"

    def place(self, folder: Path, name: str = "kifu") -> Path:
        """Where a new log can be."""
        return folder / f"{name}.db"

    def empty_place(self, folder: Path) -> Path:
        """The same."""
        return self.place(folder)

    def log(self, place: Path, **more: Any) -> Log:
        return sqlite.SqliteLog(place, **more)

    def reader(self, place: Path) -> LogReader:
        return sqlite.SqliteReader(place)

    def verify(self, place: Path, progress: Callable[[int, int], None] | None = None) -> Report:
        return sqlite.verify(place, progress)

    def tamper(self, place: Path, *statements: str) -> None:
        """Change the closed database behind the log's back, as somebody with the file in hands can."""
        connection = sqlite3.connect(place)
        for table in ("game", "event", "merge"):
            for what in ("update", "delete"):
                connection.execute(f"drop trigger if exists {table}_no_{what}")
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()

    def clean(self) -> None:
        """The files go with their folder."""


class ServedLog(SharedSqliteLog):
    """A log that another writer stores for it, which ends with it."""

    def __init__(self, place: Path, **more: Any) -> None:
        self.written = sqlite.SqliteLog(place, **more)
        self._server = LogServer(self.written)
        address = Path(tempfile.mkdtemp()) / "log.sock"
        self._server.listen(address)
        threading.Thread(target=self._server.serve, daemon=True).start()
        try:
            super().__init__(place, address, **more)
        except BaseException:
            self._end()
            raise

    def close(self) -> None:
        super().close()
        self._end()

    def _end(self) -> None:
        self._server.close()
        self.written.close()


class Served(Sqlite):
    """Logs in database files that another process writes. Here it is another thread."""

    def log(self, place: Path, **more: Any) -> Log:
        return ServedLog(place, **more)


class Postgres:
    """Logs in databases of the tests' server. A place is the URL of one."""

    name = "postgres"
    opened = "order by opened"
    """What puts the games into the order in which they were opened."""
    databases: Databases | CitusDatabases = Databases()

    def __init__(self) -> None:
        self._taken: list[str] = []

    def place(self, _folder: Path, _name: str = "kifu") -> str:
        """Where a new log can be: its tables are there."""
        return self._lend(self.databases.take(self.name, self.make))

    def empty_place(self, _folder: Path) -> str:
        """A database without tables."""
        return self._lend(self.databases.take())

    def _lend(self, database: str) -> str:
        self._taken.append(database)
        return self.url(database)

    def make(self, database: str) -> None:
        """Make the tables."""
        postgres.PostgresLog(self.url(database)).close()

    def url(self, database: str, user: str = ROLE) -> str:
        return url(database, user)

    def log(self, place: str, **more: Any) -> Log:
        return postgres.PostgresLog(place, **more)

    def reader(self, place: str) -> LogReader:
        return postgres.PostgresReader(place)

    def verify(self, place: str, progress: Callable[[int, int], None] | None = None) -> Report:
        return postgres.verify(place, progress)

    def tamper(self, place: str, *statements: str) -> None:
        database = psycopg.conninfo.conninfo_to_dict(place)["dbname"]
        self.as_superuser(
            str(database), *(translated(each).replace("order by opened", self.opened) for each in statements)
        )

    def as_superuser(self, database: str, *statements: str) -> None:
        as_superuser(database, *statements)

    def clean(self) -> None:
        while self._taken:
            self.databases.give_back(self._taken.pop())


class Lanes(Postgres):
    """Logs with four lanes."""

    name = "lanes"
    opened = "order by id"  # which begins with the time

    def make(self, database: str) -> None:
        postgres.prepare(self.url(database, "postgres"), ROLE, LANES)


class Shared(Postgres):
    """Databases where services keep everything."""

    name = "shared"

    def make(self, database: str) -> None:
        from service import databases

        super().make(database)
        databases.prepare(self.url(database), ROLE)


class Citus(Lanes):
    """Logs with four lanes on the workers of a cluster."""

    name = "citus"
    databases = CitusDatabases()

    def url(self, database: str, user: str = ROLE) -> str:
        return citus.of(database, user)

    def service_place(self) -> str:
        """Where a service can keep everything."""
        from service import databases

        place = self.place(Path())
        databases.prepare(self.url(self._taken[-1], "postgres"), ROLE)
        return place

    def as_superuser(self, database: str, *statements: str) -> None:
        citus.as_superuser(database, *statements)


STORES = ("sqlite", "served", "postgres", "lanes", "citus")
"""All stores, for what each of them does in its own way: its order, its waiting, its locks."""

_CLUSTER = ("citus",) if citus.cluster() else ()

IN_BRIEF = soak_except(STORES, "sqlite", "served", "postgres", *_CLUSTER)
"""For what is written and asked for. Several lanes differ in their order, which other tests show."""

AT_REST = soak_except(STORES, "sqlite", "postgres", *_CLUSTER)
"""For what lies in the database and is read there: another process that writes, or more lanes, change nothing of it."""


def each_store(request: pytest.FixtureRequest) -> Iterator[Sqlite | Postgres]:
    """Each store in turn: what a test of it says is the contract's. `ON_SQLITE` is for what is SQLite's own.

    Use `store = pytest.fixture(params=AT_REST)(each_store)` in a module with the same promises for several stores.
    """
    if files := {"sqlite": Sqlite, "served": Served}.get(request.param):
        yield files()
        return
    if request.param == Citus.name:
        if not citus.cluster():
            pytest.skip(citus.MISSING)
    else:
        request.getfixturevalue("postgres")
    opened = {each.name: each for each in (Postgres, Lanes, Citus)}[request.param]()
    yield opened
    opened.clean()


def sqlite_alone() -> Sqlite:
    """Use `store = pytest.fixture(sqlite_alone)` in a module with tests of SQLite alone."""
    return Sqlite()


ON_SQLITE = pytest.mark.parametrize("store", ["sqlite"], indirect=True)
"""For a test of what is SQLite's own: its files, and that one process alone writes."""

DIALECT = {
    r"(update|from) (event|game|person|component|merge)\b": r"\1 kifu.\2",
    r"\bgame = (\d)": r"game = (select id from kifu.game order by opened offset \1 - 1 limit 1)",
    r"\bnumber = (\d)": r"id = (select id from kifu.game order by opened offset \1 - 1 limit 1)",
    r"cast\(replace\(data, (.*?)\) as blob\)": r"convert_to(replace(convert_from(data, 'UTF8'), \1), 'UTF8')",
    r"id = zeroblob\(16\)": r"id = '00000000-0000-0000-0000-000000000000'",
    r"zeroblob\(32\)": r"decode(repeat('00', 32), 'hex')",
    r"1 << 60": r"1::bigint << 60",
    r"= x'(\w*)'": r"= decode('\1', 'hex')",
}
"""How what is written for SQLite is said to PostgreSQL."""


def translated(statement: str) -> str:
    for pattern, said in DIALECT.items():
        statement = re.sub(pattern, said, statement)
    return statement
